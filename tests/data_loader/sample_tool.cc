// Prints what the rules say about samples, as lines of JSON, for check_loader.py.
//
//   sample_tool write GAME GAMES SEED DIR   plays random games; writes their samples as shards to
//                                           DIR and, in the same order, as lines to stdout
//   sample_tool pack GAME                   reads lines "POSITION<tab>INDEX" from stdin; prints the
//                                           position's bytes, the policy indices of its legal moves
//                                           and the bytes of the position after the indexed move

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "core/base/check.h"
#include "core/base/random.h"
#include "core/base/sha256.h"
#include "core/bench.h"
#include "core/evaluate.h"
#include "core/json.h"
#include "core/sample.h"
#include "core/text.h"
#include "selfplay/shard/manifest.h"
#include "selfplay/shard/policy.h"
#include "selfplay/shard/sample_row.h"
#include "selfplay/shard/shard.h"
#include "selfplay/shard/shard_builder.h"

namespace triarch {
namespace {

constexpr int kPliesMax = 250;
constexpr size_t kGamesOfShard = 10;

// Formats a list as JSON; `text` formats an item.
template <class List, class F>
std::string JsonList(const List& list, F text) {
  std::string json = "[";
  for (const auto& item : list) json += (json.size() > 1 ? "," : "") + text(item);
  return json + "]";
}
std::string Quoted(const std::string& text) { return "\"" + text + "\""; }
// Uses enough digits for an exact round trip.
std::string Exactly(double number) { return absl::StrFormat("%.17g", number); }

struct Packed {
  std::vector<uint8_t> cells;
  std::vector<uint8_t> state;

  std::string ToJson() const {
    const auto digits = [](const std::vector<uint8_t>& bytes) {
      std::string text;
      for (const uint8_t byte : bytes) text += absl::StrFormat("%02x", byte);
      return Quoted(text);
    };
    return "\"cells\":" + digits(cells) + ",\"state\":" + digits(state);
  }
};

template <Position P>
Packed Pack(const P& position) {
  Packed packed{std::vector<uint8_t>(SampleShape<P>::kCells), std::vector<uint8_t>(16)};
  PackPosition(position, packed.cells.data(), packed.state.data());
  return packed;
}

// A random game with its samples, as the rows of a shard and as lines of JSON.
struct PlayedGame {
  int64_t index = 0;
  std::string start;
  std::vector<uint16_t> moves;
  std::string rows;
  PerSeat<double> points;
  std::vector<std::string> lines;  // without the fields that only the end determines
};

template <Position P>
class Player {
 public:
  Player(int64_t index, uint64_t seed) : random_(DeriveSeed(seed, static_cast<uint64_t>(index))) {
    game_.index = 2 * index;  // with gaps, as in a shard with some of the games
    is_lively_ = random_.Below(2) == 0;
    may_resign_ = random_.Below(3) == 0;
    Begin(index);
  }

  PlayedGame Play() {
    for (int i = 0; i < kPliesMax && !position_.is_over(); ++i) {
      const Seat seat = SeatAt(random_.Below(P::kInfo.seats));
      if (may_resign_ && random_.Below(60) == 0 && position_.is_in(seat)) {
        position_.Resign(seat);
        game_.moves.push_back(static_cast<uint16_t>(kSeatLeft + Index(seat)));
      } else {
        PlayMove();
      }
    }
    SetPoints();
    return std::move(game_);
  }

 private:
  using Move = typename P::Move;

  // Uses the starts in turn, then mid-game positions.
  void Begin(int64_t index) {
    const auto starts = Starts(kGame<P>);
    const auto others = BenchPositions(kGame<P>);
    const auto number = static_cast<size_t>(index) % (starts.size() + others.size());
    position_ = number < starts.size() ? Start(kGame<P>, starts[number]).value()
                                       : Parse(kGame<P>, others[number - starts.size()]).value();
    if (number > 0) game_.start = ToString(position_);
  }

  void PlayMove() {
    const auto moves = position_.LegalMoves();
    const auto any = [&] { return moves[random_.Below(static_cast<uint32_t>(moves.size()))]; };
    Move move = any();
    for (int i = 0; i < 4 && is_lively_ && CaptureGain(position_, move) == 0; ++i) move = any();
    // Skips some, as when only some searches are kept.
    if (random_.Below(8) != 0) AddSample(moves, move);
    game_.moves.push_back(static_cast<uint16_t>(PolicyIndex(move)));
    ++ply_;
    position_.Play(move);
  }

  void AddSample(const MoveList<Move>& moves, Move played) {
    const Packed packed = Pack(position_);
    std::vector<uint16_t> legal;
    std::vector<float> shares;
    for (const Move move : moves) {
      legal.push_back(static_cast<uint16_t>(PolicyIndex(move)));
      shares.push_back(static_cast<float>(random_.Below(4) == 0 ? random_.Below(100) : 0));
    }
    std::vector<uint8_t> policy(legal.size());
    QuantizePolicy(shares, policy);
    if (random_.Below(10) == 0) std::fill(policy.begin(), policy.end(), 0);
    const bool has_policy = std::any_of(policy.begin(), policy.end(), [](uint8_t p) { return p; });
    SampleRow row{.ply = ply_,
                  .seat = position_.to_move(),
                  .played = static_cast<uint16_t>(PolicyIndex(played)),
                  .key = position_.key(),
                  .cells = packed.cells,
                  .state = packed.state,
                  .legal = legal};
    if (has_policy) row.policy = policy;
    std::string value = "null";
    if (random_.Below(4) != 0) {
      const bool is_of_two = P::kInfo.seats == 2;
      row.value =
          is_of_two ? PerSeat<float>{{0.125f, 0.875f, 0}} : PerSeat<float>{{0.5f, 0.25f, 0.25f}};
      value = is_of_two ? "[0.125,0.875]" : "[0.5,0.25,0.25]";
    }
    AppendRow(row, &game_.rows);

    std::string moves_json;
    for (size_t i = 0; i < legal.size(); ++i) {
      moves_json += absl::StrFormat("%s[\"%s\",%d,%d]", i == 0 ? "" : ",",
                                    MoveToString(position_, moves[i]), legal[i], policy[i]);
    }
    game_.lines.push_back(absl::StrFormat(
        "\"index\":%d,\"ply\":%d,\"seat\":%d,\"position\":\"%s\",%s,\"played\":\"%s\","
        "\"value\":%s,\"pieces\":{%s},\"legal\":[%s]",
        game_.index, ply_, static_cast<int>(Index(position_.to_move())), ToString(position_),
        packed.ToJson(), MoveToString(position_, played), value, Board(), moves_json));
  }

  // Returns {"E2":"pawn 0"}: the pieces as the position itself reports them.
  std::string Board() const {
    std::string json;
    for (int cell = 0; cell < P::kCells; ++cell) {
      const auto piece = position_.PieceOn(cell);
      if (!piece) continue;
      json +=
          absl::StrFormat("%s\"%s\":\"%s %d\"", json.empty() ? "" : ",", CellText(position_, cell),
                          std::string(kPieceNames[static_cast<size_t>(piece->type)]),
                          static_cast<int>(Index(piece->owner)));
    }
    return json;
  }

  // Uses the final placement if the game ended; otherwise points that differ by seat.
  void SetPoints() {
    const auto outcome = position_.outcome();
    game_.points = {{0.5, 0.375, 0.125}};
    if (P::kInfo.seats == 2) game_.points = {{0.75, 0.25, 0}};
    if (!outcome) return;
    const double sum = P::kInfo.seats == 2 ? 1 : 1.5;
    game_.points = Points(outcome->place, P::kInfo.seats);
    for (double& points : game_.points) points /= sum;
  }

  Random random_;
  bool is_lively_ = false;
  bool may_resign_ = false;
  P position_;
  int ply_ = 0;
  PlayedGame game_;
};

template <Position P>
Shard ShardOf(const std::vector<PlayedGame>& games) {
  std::vector<ShardGame> of_shard;
  for (const PlayedGame& game : games) {
    of_shard.push_back({.index = game.index,
                        .start = game.start,
                        .moves = game.moves,
                        .points = game.points,
                        .bots = {{0, 1, 0}},
                        .rows = game.rows});
  }
  const ShardMeta meta{.game = std::string(P::kInfo.name),
                       .seats = static_cast<int64_t>(P::kInfo.seats),
                       .cells = SampleShape<P>::kCells,
                       .policy_size = SampleShape<P>::kPolicySize,
                       .tournament = 7,
                       .spec = Sha256Hex("spec"),
                       .start = "",
                       .bots = {"one", "two"},
                       .build = "test"};
  return BuildShard(meta, std::move(of_shard), false).value();
}

// Writes the shard and returns its manifest line.
template <Position P>
std::string WriteGames(const std::vector<PlayedGame>& games, const std::string& folder,
                       int number) {
  const Shard shard = ShardOf<P>(games);
  CHECK(CheckShard(shard).ok());
  const auto compression = number % 2 == 0 ? Compression::kDeflate : Compression::kStored;
  const std::string bytes = WriteShard(shard, compression).value();
  const std::string name = absl::StrFormat("shards/7-%d.npz", number);
  std::ofstream(folder + "/" + name, std::ios::binary) << bytes;
  return ManifestLine({.shard = name,
                       .sha256 = Sha256Hex(bytes),
                       .samples = static_cast<int64_t>(shard.samples()),
                       .bytes = static_cast<int64_t>(bytes.size()),
                       .games = static_cast<int64_t>(shard.games()),
                       .first = games.front().index,
                       .last = games.back().index,
                       .format = kShardFormat,
                       .game = shard.meta.game,
                       .spec = shard.meta.spec,
                       .build = "test"});
}

template <Position P>
void Write(int64_t count, uint64_t seed, const std::string& folder) {
  std::filesystem::create_directories(folder + "/shards");
  std::ofstream manifest(folder + "/manifest.jsonl");
  std::vector<PlayedGame> games;
  for (int64_t index = 0, number = 0; index < count; ++index) {
    games.push_back(Player<P>(index, seed).Play());
    const PlayedGame& game = games.back();
    for (const std::string& line : game.lines) {
      std::vector<double> points(game.points.begin(), game.points.begin() + P::kInfo.seats);
      std::cout << "{" << line << ",\"start\":" << Quoted(game.start)
                << ",\"moves\":" << JsonList(game.moves, [](int m) { return std::to_string(m); })
                << ",\"points\":" << JsonList(points, Exactly) << "}\n";
    }
    if (games.size() == kGamesOfShard || index + 1 == count) {
      manifest << WriteGames<P>(games, folder, static_cast<int>(number++)) << "\n";
      games.clear();
    }
  }
}

template <Position P>
std::string PackLine(const std::string& line) {
  const size_t tab = line.find('\t');
  const auto position = Parse(kGame<P>, line.substr(0, tab));
  if (!position.ok()) {  // "CODE field N: message"
    const std::string message(position.status().message());
    return "\"error\":" + Quoted(message.substr(0, message.find(' ')));
  }
  std::vector<int> legal;
  P next;
  for (const auto move : position->LegalMoves()) {
    legal.push_back(PolicyIndex(move));
    if (legal.back() != std::stoi(line.substr(tab + 1))) continue;
    next = *position;
    next.Play(move);
  }
  return Pack(*position).ToJson() +
         ",\"legal\":" + JsonList(legal, [](int index) { return std::to_string(index); }) +
         ",\"next\":{" + Pack(next).ToJson() + "}";
}

template <Position P>
void PackLines() {
  for (std::string line; std::getline(std::cin, line);) {
    std::cout << "{" << PackLine<P>(line) << "}\n";
  }
}

int Run(const std::vector<std::string>& words) {
  const bool is_write = words.size() == 5 && words[0] == "write";
  bool is_found = false;
  ForEachGame(Games(), [&]<class P>() {
    if (words.size() < 2 || words[1] != P::kInfo.name) return false;
    is_found = is_write || (words[0] == "pack" && words.size() == 2);
    if (is_write) Write<P>(std::stoll(words[2]), std::stoull(words[3]), words[4]);
    if (is_found && !is_write) PackLines<P>();
    return true;
  });
  if (!is_found) std::cerr << "usage: sample_tool write GAME GAMES SEED DIR | pack GAME\n";
  return is_found ? 0 : 2;
}

}  // namespace
}  // namespace triarch

int main(int argc, char** argv) {
  return triarch::Run(std::vector<std::string>(argv + 1, argv + argc));
}
