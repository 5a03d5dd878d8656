#include "worker/selfplay/shard_maker.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "absl/strings/str_format.h"
#include "core/any_state.h"
#include "core/base/sha256.h"
#include "core/base/status_macros.h"
#include "core/record/played_game.h"
#include "core/sample.h"
#include "selfplay/shard/manifest.h"
#include "selfplay/shard/shard_builder.h"
#include "spec/spec_json.h"

namespace triarch {
namespace {

constexpr std::chrono::seconds kMemoryKept{10};

ShardMeta MetaOf(const TournamentSpec& spec, int64_t tournament, const std::string& build) {
  ShardMeta meta;
  meta.game = spec.game;
  ForEachGame(Games(), [&]<class P>() {
    if (P::kInfo.name != spec.game) return false;
    meta.seats = static_cast<int64_t>(P::kInfo.seats);
    meta.cells = SampleShape<P>::kCells;
    meta.policy_size = SampleShape<P>::kPolicySize;
    return true;
  });
  meta.tournament = tournament;
  meta.spec = SpecDigest(spec);
  meta.start = spec.start;
  for (const BotSpec& bot : spec.bots) meta.bots.push_back(bot.name);
  meta.build = build;
  return meta;
}

// Completes a game: the record of a spilled game lacks the data from the schedule.
absl::StatusOr<ShardGame> GameOf(const GameRecord& record, const Schedule& schedule,
                                 const ShardMeta& meta) {
  if (!record.samples) return absl::DataLossError("a game has no samples");
  ASSIGN_OR_RETURN(const PlayedGame begun, PlayedGame::Begin(schedule.Game(record.index)));
  const PerSeat<int> bots = schedule.Bots(record.index);
  ShardGame game;
  game.index = record.index;
  game.start = begun.record().position;
  game.moves = record.samples->moves;
  game.rows = record.samples->rows;
  game.points = Points(record.outcome.place, static_cast<size_t>(meta.seats));
  for (size_t i = 0; i < static_cast<size_t>(meta.seats); ++i) {
    const Seat seat = SeatAt(i);
    game.bots[seat] = static_cast<uint8_t>(bots[seat]);
    game.resign_plies[seat] = record.samples->resignations[seat].value_or(-1);
  }
  return game;
}

}  // namespace

ShardMaker::ShardMaker(const WorkerInfo& worker, std::optional<DataRoots> roots)
    : worker_(worker), roots_(std::move(roots)), thread_([this] { Run(); }) {}

ShardMaker::~ShardMaker() {
  Stop();
  {
    MutexLock lock(&mutex_);
    is_ending_ = true;
    changed_.NotifyAll();
  }
  thread_.join();
}

void ShardMaker::Make(int64_t tournament, std::shared_ptr<const Schedule> schedule,
                      const std::vector<GameRecord>& games, Done done) {
  MutexLock lock(&mutex_);
  order_ = {.tournament = tournament,
            .schedule = std::move(schedule),
            .games = &games,
            .done = std::move(done)};
  changed_.NotifyAll();
}

void ShardMaker::Run() {
  while (true) {
    Order order;
    {
      MutexLock lock(&mutex_);
      const auto idle = std::chrono::steady_clock::now() + kMemoryKept;
      while (!order_ && !is_ending_) {
        if (!memory_) {
          changed_.Wait(&mutex_);
        } else if (!changed_.WaitUntil(&mutex_, idle)) {
          memory_.reset();
        }
      }
      if (!order_) return;
      order = *std::exchange(order_, std::nullopt);
    }
    order.done(Fill(order));
  }
}

absl::StatusOr<ShardEntry> ShardMaker::Fill(const Order& order) {
  const TournamentSpec& spec = order.schedule->spec();
  ASSIGN_OR_RETURN(BlobStore* const blobs, BlobStoreOf(spec.data));
  const ShardMeta meta = MetaOf(spec, order.tournament, worker_.build);
  std::vector<ShardGame> games;
  for (const GameRecord& record : *order.games) {
    ASSIGN_OR_RETURN(ShardGame game, GameOf(record, *order.schedule, meta));
    games.push_back(std::move(game));
  }
  const auto by_index = [](const ShardGame& a, const ShardGame& b) { return a.index < b.index; };
  const auto [first, last] = std::minmax_element(games.begin(), games.end(), by_index);
  ShardEntry entry;
  entry.games = static_cast<int64_t>(games.size());
  entry.first = first->index;
  entry.last = last->index;
  entry.format = kShardFormat;
  entry.game = meta.game;
  entry.spec = meta.spec;
  entry.build = meta.build;
  const Compression compression =
      spec.selfplay->is_deflated ? Compression::kDeflate : Compression::kStored;
  if (!memory_) memory_.emplace();
  auto& [shard, bytes] = *memory_;
  ASSIGN_OR_RETURN(
      shard, BuildShard(meta, std::move(games), spec.selfplay->drops_duplicates, std::move(shard)));
  ASSIGN_OR_RETURN(bytes, WriteShard(shard, compression, std::move(bytes)));
  // Every shard gets its own name, even after a failed attempt, because the server may still store
  // the shard of that attempt.
  entry.shard = absl::StrFormat("%s%012d-%016x-%d.npz", ShardPrefix(spec.run), entry.first,
                                worker_.id.instance, ++made_);
  entry.sha256 = Sha256Hex(bytes);
  entry.samples = static_cast<int64_t>(shard.samples());
  entry.bytes = static_cast<int64_t>(bytes.size());
  RETURN_IF_ERROR(blobs->Put(entry.shard, bytes));
  return entry;
}

absl::StatusOr<std::unique_ptr<BlobStore>> ShardMaker::Open(const std::string& data) const {
  return OpenBlobStore(data, {.stop = &is_stopped_,
                              .environment = "the environment of the worker " + worker_.id.name,
                              .roots = roots_});
}

absl::StatusOr<BlobStore*> ShardMaker::BlobStoreOf(const std::string& data) {
  std::unique_ptr<BlobStore>& blobs = sinks_[data];
  if (blobs == nullptr) {
    ASSIGN_OR_RETURN(blobs, Open(data));
  }
  return blobs.get();
}

}  // namespace triarch
