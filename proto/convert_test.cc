#include "proto/convert.h"

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace triarch::wire {
namespace {

using std::chrono::milliseconds;
using ::testing::StartsWith;

constexpr int64_t kNumberMax = std::numeric_limits<int64_t>::max();
const WorkerId kWorker = {.name = "säge", .instance = 7};

template <class Message, class Value>
Message Wire(const Value& value) {
  Message wire;
  ToWire(value, &wire);
  return wire;
}

// Expects the message to survive a round trip, and each corrupted copy to fail with its error.
template <class Message>
struct Malformed {
  std::function<void(Message*)> spoil;
  std::string message;
};

template <class Message>
void ExpectErrors(const Message& good, const std::vector<Malformed<Message>>& rows) {
  const auto value = FromWire(good);
  ASSERT_TRUE(value.ok()) << value.status();
  Message again;
  ToWire(*value, &again);
  EXPECT_EQ(again.SerializeAsString(), good.SerializeAsString());
  for (const Malformed<Message>& row : rows) {
    Message wire = good;
    row.spoil(&wire);
    const auto refused = FromWire(wire);
    EXPECT_EQ(refused.status().code(), absl::StatusCode::kInvalidArgument) << row.message;
    EXPECT_THAT(std::string(refused.status().message()), StartsWith(row.message));
  }
}

TEST(ConvertTest, Register) {
  using M = v1::RegisterRequest;
  const WorkerInfo worker = {.id = kWorker,
                             .slots = 8,
                             .games = {"triumvirate", "tri-d"},
                             .bots = {{.type = "paranoid", .digest = "f00", .abi = 0},
                                      {.type = "mine", .digest = "", .abi = 3}},
                             .build = "1.2"};
  const M good = Wire<M>(worker);
  EXPECT_EQ(FromWire(good)->id, worker.id);
  EXPECT_EQ(FromWire(good)->bots, worker.bots);
  ExpectErrors<M>(
      good,
      {{[](M* m) { m->clear_worker(); }, "worker.name: it is empty"},
       {[](M* m) { m->mutable_worker()->set_name("a\nb"); },
        "worker.name: \"a\\x0ab\" is not plain"},
       {[](M* m) { m->mutable_worker()->set_name("\xff"); }, "worker.name: \"\\xff\" is not plain"},
       {[](M* m) { m->mutable_worker()->set_name(std::string(201, 'a')); },
        "worker.name: longer than 200 bytes"},
       {[](M* m) { m->set_slots(0); }, "slots: 0 is not between 1 and 100000"},
       {[](M* m) { m->set_slots(kNumberMax); }, "slots: "},
       {[](M* m) { m->add_games(""); }, "games: it is empty"},
       {[](M* m) {
          for (int i = 0; i < kGameNamesMax; ++i) m->add_games("go");
        },
        "games: 102 is not between 0 and 100"},
       {[](M* m) { m->mutable_bots(1)->set_type(""); }, "bots[1].type: it is empty"},
       {[](M* m) { m->mutable_bots(1)->set_type("paranoid"); }, "bots: \"paranoid\" appears twice"},
       {[](M* m) { m->mutable_bots(0)->set_digest("\x01"); }, "bots[0].digest: "},
       {[](M* m) { m->mutable_bots(0)->set_abi(-1); }, "bots[0].abi: -1"},
       {[](M* m) {
          for (int i = 0; i < kHostedBotsMax; ++i) m->add_bots()->set_type(std::to_string(i));
        },
        "bots: 10002"},
       {[](M* m) { m->set_build(std::string(300, 'b')); }, "build: longer"}});
}

TEST(ConvertTest, RejectsAnotherProtocolVersion) {
  v1::RegisterRequest wire =
      Wire<v1::RegisterRequest>(WorkerInfo{.id = kWorker, .games = {}, .bots = {}, .build = ""});
  wire.set_protocol(2);
  const auto refused = FromWire(wire);
  EXPECT_EQ(refused.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(std::string(refused.status().message()),
            "protocol: the worker speaks version 2, the coordinator version 1; use the same "
            "release");
}

TEST(ConvertTest, RegisterReply) {
  using M = v1::RegisterResponse;
  ExpectErrors<M>(Wire<M>(RegisterReply{milliseconds(5000)}),
                  {{[](M* m) { m->set_heartbeat_ms(-1); }, "heartbeat_ms: -1"},
                   {[](M* m) { m->set_heartbeat_ms(kNumberMax); }, "heartbeat_ms: "}});
}

TEST(ConvertTest, LeaseRequest) {
  using M = v1::LeaseRequest;
  const M good = Wire<M>(LeaseRequest{.worker = kWorker, .known_tournaments = {3, 4}});
  EXPECT_EQ(FromWire(good)->known_tournaments, (std::vector<int64_t>{3, 4}));
  ExpectErrors<M>(good,
                  {{[](M* m) { m->clear_worker(); }, "worker.name: "},
                   {[](M* m) { m->add_known_tournaments(0); }, "known_tournaments: 0"},
                   {[](M* m) { m->mutable_known_tournaments()->Resize(kTournamentsMax + 1, 1); },
                    "known_tournaments: 100001"}});
}

TEST(ConvertTest, LeaseResponse) {
  using M = v1::LeaseResponse;
  LeaseResponse response;
  response.reply.lease =
      Lease{.tournament = 3, .games = {10, 20}, .token = ~uint64_t{0}, .ttl = milliseconds(30'000)};
  response.spec_json = "{}";
  const M good = Wire<M>(response);
  const Lease lease = FromWire(good)->reply.lease.value();
  EXPECT_EQ(lease.games, (Range{10, 20}));
  EXPECT_EQ(lease.token, ~uint64_t{0});
  ExpectErrors<M>(
      good, {{[](M* m) { m->mutable_lease()->Clear(); }, "lease.tournament: 0"},
             {[](M* m) { m->mutable_lease()->set_first(-1); }, "lease.first: -1"},
             {[](M* m) { m->mutable_lease()->set_first(kNumberMax); }, "lease.first: "},
             {[](M* m) { m->mutable_lease()->set_last(10); }, "lease.last: 10 is not between 11"},
             {[](M* m) { m->mutable_lease()->set_token(0); }, "lease.token: 0 is not a token"},
             {[](M* m) { m->mutable_lease()->set_ttl_ms(0); }, "lease.ttl_ms: 0"},
             {[](M* m) { m->mutable_lease()->set_ttl_ms(kNumberMax); }, "lease.ttl_ms: "},
             {[](M* m) { m->mutable_lease()->set_spec_json(std::string(kSpecBytesMax + 1, ' ')); },
              "length of lease.spec_json: "},
             {[](M* m) { m->set_retry_ms(-5); }, "retry_ms: -5"}});
}

TEST(ConvertTest, NoLease) {
  LeaseResponse response;
  response.reply.retry = milliseconds(500);
  const auto read = FromWire(Wire<v1::LeaseResponse>(response));
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->reply.lease, std::nullopt);
  EXPECT_EQ(read->reply.retry, milliseconds(500));
}

TEST(ConvertTest, Heartbeat) {
  using M = v1::HeartbeatRequest;
  const HeartbeatRequest heartbeat = {
      .worker = kWorker,
      .busy_slots = 2,
      .games_held = 100,
      .cpu_seconds = 1.5,
      .leases = {{.token = 5, .games = 6, .plies = 7}, {.token = 8}}};
  ExpectErrors<M>(
      Wire<M>(heartbeat),
      {{[](M* m) { m->clear_worker(); }, "worker.name: "},
       {[](M* m) { m->set_busy_slots(-1); }, "busy_slots: -1"},
       {[](M* m) { m->set_games_held(-1); }, "games_held: -1"},
       {[](M* m) { m->set_cpu_seconds(-1); }, "cpu_seconds: "},
       {[](M* m) { m->set_cpu_seconds(std::numeric_limits<double>::quiet_NaN()); },
        "cpu_seconds: "},
       {[](M* m) { m->mutable_leases(0)->set_token(0); }, "leases[0].token: 0 is not a token"},
       {[](M* m) { m->mutable_leases(1)->set_token(5); }, "leases: token 5 appears twice"},
       {[](M* m) { m->mutable_leases(1)->set_games(-1); }, "leases[1].games: -1"},
       {[](M* m) { m->mutable_leases(1)->set_plies(-1); }, "leases[1].plies: -1"},
       {[](M* m) {
          for (int i = 0; i < kLeasesMax; ++i) m->add_leases();
        },
        "leases: 10002"}});
}

LiveReport Live(int64_t index, int plies) {
  LiveReport report{.token = 5, .game = {}};
  report.game.index = index;
  for (int i = 0; i < plies; ++i) {
    RecordedEvent& event = report.game.events.emplace_back();
    event.seat = SeatAt(static_cast<size_t>(i) % 3);
    event.move = "E2-E4";
    event.is_check = i == 1;
    event.is_fallback = i == 2;
    event.clock_ms = 1'000 + i;
  }
  RecordedEvent& last = report.game.events.emplace_back();
  last.kind = RecordedEvent::Kind::kResign;
  last.seat = Seat::kSecond;
  report.game.plies = plies;
  report.game.fallbacks = plies > 2 ? 1 : 0;
  return report;
}

TEST(ConvertTest, GamesInProgress) {
  const HeartbeatRequest sent = {.worker = kWorker, .leases = {}, .live = {Live(7, 4)}};
  const auto read = FromWire(Wire<v1::HeartbeatRequest>(sent));
  ASSERT_TRUE(read.ok());
  ASSERT_EQ(read->live.size(), 1u);
  EXPECT_EQ(read->live[0].token, 5u);
  EXPECT_EQ(read->live[0].game.index, 7);
  EXPECT_EQ(read->live[0].game.plies, 4);
  EXPECT_EQ(read->live[0].game.fallbacks, 1);
  EXPECT_FALSE(read->live[0].game.is_finished);
  EXPECT_EQ(read->live[0].game.events, sent.live[0].game.events);
}

// The heartbeat keeps the worker's leases, whatever the games in progress are.
TEST(ConvertTest, DropsGamesInProgressThatAreTooLargeTooManyOrMalformed) {
  HeartbeatRequest sent = {.worker = kWorker, .leases = {}, .live = {Live(0, 4), Live(1, 3'000)}};
  v1::HeartbeatRequest wire = Wire<v1::HeartbeatRequest>(sent);
  EXPECT_EQ(wire.live_size(), 1) << "the sender leaves out what is too large";
  ToWire(sent.live[1], wire.add_live());
  *wire.add_live() = wire.live(0);
  wire.mutable_live(2)->mutable_game()->set_moves("E2-E4 \n");
  *wire.add_live() = wire.live(0);
  wire.mutable_live(3)->mutable_game()->set_index(-1);
  *wire.add_live() = wire.live(0);
  wire.mutable_live(4)->mutable_game()->set_index(9);
  absl::StatusOr<HeartbeatRequest> read = FromWire(wire);
  ASSERT_TRUE(read.ok()) << read.status();
  ASSERT_EQ(read->live.size(), 2u);
  EXPECT_EQ(read->live[1].game.index, 9);
  for (int i = 0; i < 100; ++i) *wire.add_live() = wire.live(0);
  EXPECT_EQ(FromWire(wire)->live.size(), kLiveGamesMax);
  sent.live.assign(100, Live(0, 4));
  EXPECT_EQ(static_cast<size_t>(Wire<v1::HeartbeatRequest>(sent).live_size()), kLiveGamesMax);
}

TEST(ConvertTest, HeartbeatReply) {
  using M = v1::HeartbeatResponse;
  const HeartbeatReply reply = {
      .cancelled = {4, 5}, .next = milliseconds(1000), .slow = milliseconds(9), .is_watched = true};
  EXPECT_TRUE(FromWire(Wire<M>(reply))->is_watched);
  EXPECT_FALSE(FromWire(Wire<M>(HeartbeatReply()))->is_watched);
  ExpectErrors<M>(Wire<M>(reply),
                  {{[](M* m) { m->add_cancelled(0); }, "cancelled: 0 is not a token"},
                   {[](M* m) { m->add_cancelled(4); }, "cancelled: token 4 appears"},
                   {[](M* m) { m->set_next_ms(-1); }, "next_ms: -1"},
                   {[](M* m) { m->set_slow_ms(kNumberMax); }, "slow_ms: "}});
}

TEST(ConvertTest, ReleaseWithAReason) {
  using M = v1::ReleaseRequest;
  const ReleaseRequest release = {.worker = kWorker, .tokens = {4}, .why = "no python3"};
  EXPECT_EQ(FromWire(Wire<M>(release))->why, "no python3");
  ExpectErrors<M>(Wire<M>(release), {{[](M* m) { m->clear_worker(); }, "worker.name: "},
                                     {[](M* m) { m->add_tokens(0); }, "tokens: 0 is not a token"},
                                     {[](M* m) { m->set_why(std::string(kWhyBytesMax + 1, 'w')); },
                                      "length of why"}});
}

TEST(ConvertTest, FetchBundle) {
  using M = v1::FetchBundleRequest;
  const FetchBundleRequest request = {.worker = kWorker, .digest = "aa", .offset = 7};
  EXPECT_EQ(FromWire(Wire<M>(request))->offset, 7);
  ExpectErrors<M>(Wire<M>(request), {{[](M* m) { m->clear_worker(); }, "worker.name: "},
                                     {[](M* m) { m->clear_digest(); }, "digest: it is empty"},
                                     {[](M* m) { m->set_offset(-1); }, "offset: -1"},
                                     {[](M* m) { m->set_offset(kNumberMax); }, "offset: "}});
  using Part = v1::FetchBundleResponse;
  const BundlePart part = {.size = 3, .bytes = "abc"};
  EXPECT_EQ(FromWire(Wire<Part>(part))->bytes, "abc");
  ExpectErrors<Part>(Wire<Part>(part),
                     {{[](Part* m) { m->set_size(0); }, "size: 0"},
                      {[](Part* m) { m->set_size(2); }, "length of part: 3"},
                      {[](Part* m) { m->set_size(kNumberMax); }, "size: "},
                      {[](Part* m) { m->clear_part(); }, "length of part: 0"},
                      {[](Part* m) {
                         m->set_size(kBundleSizeMax);
                         m->set_part(std::string(static_cast<size_t>(kBundlePartMax) + 1, 'p'));
                       },
                       "length of part: "}});
}

GameRecord SmallGame(int64_t index) {
  GameRecord record;
  record.index = index;
  record.date = "????.??.??";
  record.is_finished = true;
  record.events.emplace_back().move = "E2-E4";
  record.plies = 1;
  record.outcome = {{{1, 1, 1}}, Termination::kAdjudication};
  return record;
}

TEST(ConvertTest, Report) {
  using M = v1::ReportRequest;
  const Report report = {
      .worker = kWorker, .token = 9, .games = {SmallGame(4), SmallGame(5)}, .is_last = true};
  const M good = Wire<M>(report);
  EXPECT_EQ(FromWire(good)->games.size(), 2u);
  EXPECT_TRUE(FromWire(good)->is_last);
  ExpectErrors<M>(good,
                  {{[](M* m) { m->clear_worker(); }, "worker.name: "},
                   {[](M* m) { m->set_token(0); }, "token: 0 is not a token"},
                   {[](M* m) { m->mutable_games(1)->set_moves("E2-E4  "); },
                    "games[1].moves: \"\" is not a move"},
                   {[](M* m) { m->mutable_games(1)->mutable_costs(2)->set_nodes(-1); },
                    "games[1].costs[2].nodes: -1"},
                   {[](M* m) { m->mutable_games(1)->set_index(4); }, "games: game 4 appears twice"},
                   {[](M* m) {
                      for (int i = 0; i < kGamesPerReportMax; ++i) m->add_games();
                    },
                    "games: 100002"}});
}

TEST(ConvertTest, ReportOfAShard) {
  using M = v1::ReportRequest;
  Report report = {.worker = kWorker,
                   .token = 9,
                   .games = {SmallGame(5), SmallGame(8), SmallGame(4)},
                   .shard = ShardEntry()};
  ShardEntry& shard = *report.shard;
  shard.shard = "shards/000000000004-00ff-1.npz";
  shard.sha256 = std::string(64, 'a');
  shard.samples = 3;
  shard.bytes = 5'000'000'000;
  shard.format = 1;
  shard.build = "1.2";
  const M good = Wire<M>(report);
  const ShardEntry back = FromWire(good)->shard.value();
  shard.games = 3;
  shard.first = 4;
  shard.last = 8;
  EXPECT_EQ(back, shard) << "fields implied by the games are not sent";
  shard.game = "go";
  shard.spec = "mine";
  EXPECT_EQ(Wire<M>(report).SerializeAsString(), good.SerializeAsString());
  ExpectErrors<M>(
      good,
      {{[](M* m) { m->mutable_shard()->clear_shard(); }, "shard.shard: it is empty"},
       {[](M* m) { m->mutable_shard()->set_shard("4.npz"); },
        "shard.shard: it is not a shard name"},
       {[](M* m) { m->mutable_shard()->set_shard("shards/.npz"); },
        "shard.shard: it is not a shard name"},
       {[](M* m) { m->mutable_shard()->set_shard("shards/4.npz.tmp"); },
        "shard.shard: it is not a shard name"},
       {[](M* m) { m->mutable_shard()->set_shard("shards/../4.npz"); },
        "shard.shard: it is not a shard name"},
       {[](M* m) { m->mutable_shard()->set_shard("/shards/4.npz"); },
        "shard.shard: it is not a shard name"},
       {[](M* m) { m->mutable_shard()->set_shard("shards/A.npz"); },
        "shard.shard: it is not a shard name"},
       {[](M* m) { m->mutable_shard()->set_shard("shards/a\n.npz"); }, "shard.shard: "},
       {[](M* m) { m->mutable_shard()->set_shard("shards/" + std::string(90, '4') + ".npz"); },
        "shard.shard: it is not a shard name"},
       {[](M* m) { m->mutable_shard()->clear_sha256(); }, "shard.sha256: it is empty"},
       {[](M* m) { m->mutable_shard()->set_sha256(std::string(63, 'a')); },
        "shard.sha256: it is not a SHA-256"},
       {[](M* m) { m->mutable_shard()->set_sha256(std::string(64, 'A')); },
        "shard.sha256: it is not a SHA-256"},
       {[](M* m) { m->mutable_shard()->set_samples(-1); }, "shard.samples: -1"},
       {[](M* m) { m->mutable_shard()->set_samples(4); }, "shard.samples: more samples than plies"},
       {[](M* m) { m->mutable_shard()->set_bytes(-1); }, "shard.bytes: -1"},
       {[](M* m) { m->mutable_shard()->set_format(-1); }, "shard.format: -1"},
       {[](M* m) { m->mutable_shard()->set_build("a\nb"); }, "shard.build: "},
       {[](M* m) { m->clear_games(); }, "shard: it comes without games"}});
  M wire = good;
  wire.mutable_shard()->set_samples(0);
  EXPECT_TRUE(FromWire(wire).ok()) << "games whose samples are all filtered out";
}

TEST(ConvertTest, BoundsThePliesOfAReport) {
  v1::ReportRequest wire =
      Wire<v1::ReportRequest>(Report{.worker = kWorker, .token = 9, .games = {}});
  std::string moves = "E2-E4";
  for (int64_t i = 1; i < kPliesPerGameMax; ++i) moves += " E2-E4";
  for (int i = 0; i < 5; ++i) {
    ToWire(SmallGame(i), wire.add_games());
    wire.mutable_games(i)->set_moves(moves);
    wire.mutable_games(i)->clear_seats();
  }
  EXPECT_THAT(std::string(FromWire(wire).status().message()),
              StartsWith("plies of all games: 5000000"));
  wire.mutable_games()->RemoveLast();
  EXPECT_TRUE(FromWire(wire).ok());
}

TEST(ConvertTest, ReportReply) {
  using M = v1::ReportResponse;
  for (const ReportOutcome outcome : {ReportOutcome::kRecorded, ReportOutcome::kStale,
                                      ReportOutcome::kRejected, ReportOutcome::kRetry}) {
    ReportReply reply;
    reply.outcome = outcome;
    EXPECT_EQ(FromWire(Wire<M>(reply))->outcome, outcome);
  }
  const ReportReply reply = {.outcome = ReportOutcome::kRetry,
                             .why = "later",
                             .is_cancelled = true,
                             .retry = milliseconds(3)};
  ExpectErrors<M>(
      Wire<M>(reply),
      {{[](M* m) { m->clear_outcome(); }, "outcome: 0 is not a known value"},
       {[](M* m) { m->set_outcome(static_cast<M::Outcome>(77)); },
        "outcome: 77 is not a known value"},
       {[](M* m) { m->set_why(std::string(kWhyBytesMax + 1, 'w')); }, "length of why: "},
       {[](M* m) { m->set_retry_ms(-1); }, "retry_ms: -1"}});
}

TEST(ConvertTest, CutsALongReasonBetweenCharacters) {
  ReportReply reply;
  reply.why = std::string(kWhyBytesMax - 1, 'a') + "ä and so on";
  const auto read = FromWire(Wire<v1::ReportResponse>(reply));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->why, std::string(kWhyBytesMax - 1, 'a'));
}

TEST(ConvertTest, Release) {
  using M = v1::ReleaseRequest;
  ExpectErrors<M>(
      Wire<M>(ReleaseRequest{.worker = kWorker, .tokens = {1, 2}, .leaves = true}),
      {{[](M* m) { m->clear_worker(); }, "worker.name: "},
       {[](M* m) { m->add_tokens(0); }, "tokens: 0 is not a token"},
       {[](M* m) { m->add_tokens(2); }, "tokens: token 2 appears twice"},
       {[](M* m) { m->mutable_tokens()->Resize(kLeasesMax + 1, 1); }, "tokens: 10001"}});
}

}  // namespace
}  // namespace triarch::wire
