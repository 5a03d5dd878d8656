// Tests a coordinator's data in a store: states, leases, workers, ratings and bundles.
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "core/base/range_set.h"
#include "core/record/tpgn.h"
#include "spec/spec_json.h"
#include "tests/contract/store_contract.h"

namespace triarch {

inline bool operator==(const StoredWorker& a, const StoredWorker& b) {
  return a.name == b.name && a.slots == b.slots && a.build == b.build &&
         a.quarantine == b.quarantine;
}

namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;
using ::testing::SizeIs;

constexpr uint64_t kLargest = std::numeric_limits<uint64_t>::max();

// Text that COPY, SQL, JSON or a C string might mishandle.
constexpr const char* kAwkward =
    "a'b\"c\\d\te\nf\rg\\N\n\\.\n{1,\"2\"} ;-- $1 $$ %s \u00e4\u2654\U0001F451 \x01\x7f";

StoredLease MakeLease(uint64_t token, Range games, std::string ended = "") {
  return {.worker = {.name = "worker " + std::to_string(token), .instance = kLargest - token},
          .lease = {.tournament = 1, .games = games, .token = token},
          .ended = std::move(ended)};
}

std::string LeasesText(const absl::StatusOr<std::vector<StoredLease>>& leases) {
  if (!leases.ok()) return leases.status().ToString();
  std::string text;
  for (const StoredLease& stored : *leases) {
    const Lease& lease = stored.lease;
    text += std::to_string(lease.token) + ":" + std::to_string(lease.tournament) + ":" +
            std::to_string(lease.games.first) + "-" + std::to_string(lease.games.last) + " by " +
            stored.worker.name + "/" + std::to_string(stored.worker.instance) + stored.ended + "\n";
  }
  return text;
}

// ---- Tournaments.

TEST_P(StoreContractTest, AddsATournamentWithItsText) {
  TournamentSpec spec = SampleSpec();
  spec.name = kAwkward;
  spec.slots = 3;
  const int64_t id = store_->AddTournament(spec, kAwkward).value().id;
  Reopen();
  spec.slots = 0;
  const StoredTournament stored = store_->Tournament(id).value();
  EXPECT_EQ(stored.id, id);
  EXPECT_EQ(SpecToJson(stored.spec), SpecToJson(spec));
  EXPECT_EQ(stored.spec_text, kAwkward);
  EXPECT_EQ(stored.state, TournamentState::kActive);
  EXPECT_EQ(stored.games_recorded, 0);
  EXPECT_THAT(stored.bot_digests, ElementsAre("", "", "", ""));
  absl::Time created;
  std::string error;
  ASSERT_TRUE(absl::ParseTime("%Y-%m-%dT%H:%M:%SZ", stored.created, &created, &error)) << error;
  EXPECT_LT(absl::Now() - created, absl::Minutes(5)) << stored.created;
}

TEST_P(StoreContractTest, AddsASecondTournamentOrRefuses) {
  const int64_t first = store_->AddTournament(SampleSpec(), "").value().id;
  const absl::StatusOr<StoredTournament> second = store_->AddTournament(SampleSpec(), "");
  if (!GetParam().holds_many) {
    EXPECT_EQ(second.status().code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_THAT(second.status().message(), HasSubstr("can hold only one"));
    EXPECT_THAT(*store_->Tournaments(), SizeIs(1));
    return;
  }
  ASSERT_TRUE(second.ok()) << second.status();
  EXPECT_GT(second->id, first);
  ASSERT_TRUE(store_->Record(first, SampleRecords(0, 3)).ok());
  ASSERT_TRUE(store_->Record(second->id, SampleRecords(2, 4)).ok());
  EXPECT_THAT(Recorded(first), ElementsAre(Range{0, 3}));
  EXPECT_THAT(Recorded(second->id), ElementsAre(Range{2, 4}));
  EXPECT_THAT(Indices(second->id, {.bot = "random"}), ElementsAre(2, 3));
  EXPECT_EQ(store_->Tournament(first)->games_recorded, 3);
  EXPECT_EQ(store_->Tournament(second->id)->games_recorded, 2);
  EXPECT_EQ(store_->OpenTournament(SampleSpec()).value(), first) << "the first of that spec";
}

TEST_P(StoreContractTest, KeepsTheLargestSeedAndUnusualNumbers) {
  TournamentSpec spec = SampleSpec();
  spec.seed = kLargest;
  spec.games = 1'000'000'000'000;
  const int64_t id = store_->AddTournament(spec, "").value().id;
  Reopen();
  EXPECT_EQ(SpecToJson(store_->Tournament(id)->spec), SpecToJson(spec));
  EXPECT_EQ(store_->OpenTournament(spec).value(), id);
}

TEST_P(StoreContractTest, StatesAreKept) {
  const int64_t id = OpenSample();
  for (const TournamentState state : {TournamentState::kPaused, TournamentState::kActive,
                                      TournamentState::kCancelled, TournamentState::kDone}) {
    ASSERT_TRUE(store_->SetState(id, state).ok());
    Reopen();
    EXPECT_EQ(store_->Tournament(id)->state, state);
    EXPECT_EQ(store_->Tournaments()->front().state, state);
  }
  EXPECT_EQ(store_->SetState(id + 1, TournamentState::kPaused).code(), absl::StatusCode::kNotFound);
}

TEST_P(StoreContractTest, PrecedenceIsKept) {
  const int64_t id = OpenSample();
  EXPECT_EQ(store_->Tournament(id)->precedence, Precedence());
  const Precedence changed = {.priority = -3, .share = 7};
  ASSERT_TRUE(store_->SetPrecedence(id, changed).ok());
  Reopen();
  EXPECT_EQ(store_->Tournament(id)->precedence, changed);
  EXPECT_EQ(OpenSample(), id) << "it is not part of the identity";
  EXPECT_EQ(store_->Tournament(id)->precedence, changed);
  EXPECT_TRUE(absl::IsNotFound(store_->SetPrecedence(id + 1, changed)));
}

// Deletes it in as many steps as the store takes, opening the store again between them.
TEST_P(StoreContractTest, ADeletedTournamentIsGoneAtOnceAndForGood) {
  const int64_t id = OpenSample();
  ASSERT_TRUE(store_->Record(id, SampleRecords(0, 6)).ok());
  ASSERT_TRUE(store_->AddRatings(id, std::vector{RatingPoint{.time = "", .bot = "random"}}).ok());
  StoredLease lease;
  lease.lease = {.tournament = id, .games = {6, 7}, .token = 5};
  ASSERT_TRUE(store_->SaveLeases(std::vector{lease}).ok());
  EXPECT_TRUE(absl::IsFailedPrecondition(store_->BeginDelete(id))) << "it is not over";
  ASSERT_TRUE(store_->SetState(id, TournamentState::kCancelled).ok());
  EXPECT_NE(store_->Tournament(id)->ended, "");
  ASSERT_TRUE(store_->BeginDelete(id).ok());
  EXPECT_THAT(*store_->Tournaments(), IsEmpty());
  for (int step = 0; step < 100; ++step) {
    EXPECT_TRUE(absl::IsNotFound(store_->Tournament(id).status()));
    EXPECT_TRUE(absl::IsNotFound(
        store_->VisitGames(id, {}, [](const GameSummary&) { return absl::OkStatus(); })));
    EXPECT_TRUE(absl::IsNotFound(store_->BeginDelete(id)));
    const std::vector<int64_t> deleting = store_->Deleting().value();
    if (deleting.empty()) break;
    EXPECT_THAT(deleting, ElementsAre(id));
    ASSERT_TRUE(store_->DeleteSome(id).ok());
    if (GetParam().is_lasting) Reopen();
  }
  EXPECT_THAT(*store_->Deleting(), IsEmpty());
  EXPECT_THAT(*store_->LiveLeases(), IsEmpty());
  const int64_t next = OpenSample();
  EXPECT_NE(GetParam().holds_many, next == id) << "an id is used again";
  EXPECT_THAT(Recorded(next), IsEmpty());
  ASSERT_TRUE(store_->Record(next, SampleRecords(0, 6)).ok());
  EXPECT_EQ(Games(next).size(), 6u);
}

TEST_P(StoreContractTest, DeletingOneTournamentLeavesOthers) {
  if (!GetParam().holds_many) return;
  const int64_t one = store_->AddTournament(SampleSpec(), "").value().id;
  const int64_t other = store_->AddTournament(SampleSpec(), "").value().id;
  for (const int64_t id : {one, other}) {
    ASSERT_TRUE(store_->Record(id, SampleRecords(0, 6)).ok());
  }
  const std::vector<GameSummary> games = Games(other);
  ASSERT_TRUE(store_->SetState(one, TournamentState::kCancelled).ok());
  ASSERT_TRUE(store_->BeginDelete(one).ok());
  while (store_->DeleteSome(one).value()) {
  }
  EXPECT_EQ(Games(other).size(), games.size());
  EXPECT_EQ(store_->Tournaments()->size(), 1u);
  EXPECT_EQ(Recorded(other).size(), 1u);
}

TEST_P(StoreContractTest, PrunesOldHistoryOnly) {
  if (!GetParam().is_lasting) return;
  const int64_t id = OpenSample();
  StoredLease live;
  live.lease = {.tournament = id, .games = {0, 1}, .token = 5};
  StoredLease ended = live;
  ended.lease.token = 6;
  ended.ended = "finished";
  ASSERT_TRUE(store_->SaveLeases(std::vector{live, ended}).ok());
  const StoredWorker away = {.name = "away", .slots = 1, .build = "", .quarantine = ""};
  const StoredWorker liar = {.name = "liar", .slots = 1, .build = "", .quarantine = "a lie"};
  ASSERT_TRUE(store_->SaveWorkers(std::vector{away, liar}).ok());
  const std::vector<RatingPoint> points = {{.time = "", .games = 1, .bot = "a"},
                                           {.time = "", .games = 1, .bot = "b"}};
  ASSERT_TRUE(store_->AddRatings(id, points).ok());
  ASSERT_TRUE(store_->AddRatings(id, points).ok());
  for (const History what : {History::kLeases, History::kWorkers, History::kRatings}) {
    const int64_t old = what == History::kRatings ? 2 : 1;
    EXPECT_EQ(*store_->Prune(what, "2020-01-01T00:00:00Z", false), 0);
    EXPECT_EQ(*store_->Prune(what, "2999-01-01T00:00:00Z", true), old);
    EXPECT_EQ(*store_->Prune(what, "2999-01-01T00:00:00Z", false), old);
    EXPECT_EQ(*store_->Prune(what, "2999-01-01T00:00:00Z", false), 0);
  }
  EXPECT_EQ(store_->LiveLeases()->size(), 1u);
  EXPECT_EQ(store_->Workers()->size(), 1u);
  EXPECT_EQ(store_->Ratings(id)->size(), 2u);
}

TEST_P(StoreContractTest, MoreGamesMakeATournamentActiveAgain) {
  const int64_t id = OpenSample();
  ASSERT_TRUE(store_->Record(id, SampleRecords(0, 5)).ok());
  ASSERT_TRUE(store_->SetState(id, TournamentState::kDone).ok());
  ASSERT_EQ(store_->OpenTournament(SampleSpec()).value(), id);
  EXPECT_EQ(store_->Tournament(id)->state, TournamentState::kDone) << "nothing has changed";
  TournamentSpec spec = SampleSpec();
  spec.games += 10;
  ASSERT_EQ(store_->OpenTournament(spec).value(), id);
  Reopen();
  EXPECT_EQ(store_->Tournament(id)->state, TournamentState::kActive);
}

TEST_P(StoreContractTest, TheLastGameSetsDone) {
  const int64_t id = OpenSample();
  ASSERT_TRUE(store_->Record(id, SampleRecords(0, 60)).ok());
  ASSERT_TRUE(store_->Record(id, SampleRecords(61, 100)).ok());
  ASSERT_TRUE(store_->Record(id, SampleRecords(50, 60)).ok());
  EXPECT_EQ(store_->Tournament(id)->state, TournamentState::kActive) << "one is missing";
  ASSERT_TRUE(store_->Record(id, SampleRecords(60, 61)).ok());
  Reopen();
  EXPECT_EQ(store_->Tournament(id)->state, TournamentState::kDone);
  ASSERT_TRUE(store_->SetState(id, TournamentState::kActive).ok());
  EXPECT_EQ(store_->Tournament(id)->state, TournamentState::kDone) << "and stays";
  TournamentSpec spec = SampleSpec();
  spec.games = 101;
  ASSERT_EQ(store_->OpenTournament(spec).value(), id);
  EXPECT_EQ(store_->Tournament(id)->state, TournamentState::kActive) << "it has grown";
}

TEST_P(StoreContractTest, DigestsAreSettledOnce) {
  const int64_t id = OpenSample();
  ASSERT_TRUE(store_->SetBotDigests(id, {"a", "", "c", ""}).ok());
  EXPECT_THAT(store_->Tournament(id)->bot_digests, ElementsAre("a", "", "c", ""));
  ASSERT_TRUE(store_->SetBotDigests(id, {"x", kAwkward, "", ""}).ok());
  Reopen();
  EXPECT_THAT(store_->Tournament(id)->bot_digests, ElementsAre("a", kAwkward, "c", ""));
  EXPECT_EQ(store_->SetBotDigests(id + 1, {"a"}).code(), absl::StatusCode::kNotFound);
}

// ---- Games.

TEST_P(StoreContractTest, AwkwardText) {
  TournamentSpec spec = SampleSpec();
  spec.bots[0].name = kAwkward;
  spec.bots[1].name = "\\N";
  spec.bots[2].name = " ";
  const int64_t id = store_->AddTournament(spec, "").value().id;
  GameRecord record = SampleRecord(0);
  for (size_t i = 0; i < kSeatsMax; ++i) record.bots[SeatAt(i)] = spec.bots[i].name;
  record.position = kAwkward;
  record.events[0].move = "\\.";
  record.events[1].move = std::string_view(kAwkward).substr(0, RecordedMove::kBytesMax);
  record.opening_plies = 2;
  ASSERT_TRUE(store_->Record(id, {&record, 1}).ok());
  Reopen();
  int games = 0;
  ASSERT_TRUE(store_
                  ->VisitTpgn(id, {.bot = "\\N"},
                              [&](const GameSummary& game, std::string_view tpgn) {
                                EXPECT_EQ(game.bots, (PerSeat<int>{{0, 1, 2}}));
                                EXPECT_EQ(tpgn, WriteTpgn(record));
                                ++games;
                                return absl::OkStatus();
                              })
                  .ok());
  EXPECT_EQ(games, 1);
}

TEST_P(StoreContractTest, ALongGame) {
  const int64_t id = OpenSample();
  const GameRecord record = SampleRecord(5, 100'000);
  ASSERT_TRUE(store_->Record(id, {&record, 1}).ok());
  std::string text;
  ASSERT_TRUE(store_
                  ->VisitTpgn(id, {},
                              [&](const GameSummary&, std::string_view tpgn) {
                                text = std::string(tpgn);
                                return absl::OkStatus();
                              })
                  .ok());
  EXPECT_EQ(text, WriteTpgn(record));
}

// However games are recorded, the ledger must agree with them.
TEST_P(StoreContractTest, TheLedgerAgreesWithTheGames) {
  TournamentSpec spec = SampleSpec();
  spec.games = 1000;
  const int64_t id = store_->OpenTournament(spec).value();
  RangeSet expected;
  int64_t index = 0;
  for (int batch = 0; batch < 60; ++batch) {
    std::vector<GameRecord> records;
    for (int i = 0; i < 1 + batch % 7; ++i) {
      index = (index * 37 + 11 + batch * i) % 211;
      records.push_back(SampleRecord(index));
      expected.Add({index, index + 1});
    }
    ASSERT_TRUE(store_->Record(id, records).ok());
    if (batch % 20 == 0) Reopen();
    ASSERT_EQ(RangeSet(Recorded(id)), expected) << "batch " << batch;
  }
  EXPECT_THAT(Recorded(id), expected.ranges());
  RangeSet games;
  for (const int64_t game : Indices(id)) games.Add({game, game + 1});
  EXPECT_EQ(games, expected);
  EXPECT_EQ(store_->Tournament(id)->games_recorded, expected.size());
}

TEST_P(StoreContractTest, ABatchThatJoinsManyRanges) {
  const int64_t id = OpenSample();
  std::vector<GameRecord> odd;
  for (int64_t index = 1; index < 100; index += 2) odd.push_back(SampleRecord(index));
  ASSERT_TRUE(store_->Record(id, odd).ok());
  EXPECT_THAT(Recorded(id), SizeIs(50));
  ASSERT_TRUE(store_->Record(id, SampleRecords(0, 100)).ok());
  EXPECT_THAT(Recorded(id), ElementsAre(Range{0, 100}));
  EXPECT_THAT(Games(id), SizeIs(100));
}

TEST_P(StoreContractTest, MoreGamesThanAPage) {
  TournamentSpec spec = SampleSpec();
  spec.games = 2000;
  const int64_t id = store_->OpenTournament(spec).value();
  ASSERT_TRUE(store_->Record(id, SampleRecords(0, 1500)).ok());
  EXPECT_THAT(Indices(id), SizeIs(1500));
  EXPECT_THAT(Indices(id, {.bot = "random"}), SizeIs(1125));
  EXPECT_THAT(Indices(id, {.bot = "random", .first = 1490}),
              ElementsAre(1490, 1491, 1492, 1494, 1495, 1496, 1498, 1499));
  EXPECT_THAT(Indices(id, {.bot = "random", .first = 1490, .last = 1492}),
              ElementsAre(1490, 1491, 1492));
  EXPECT_THAT(Indices(id, {.bot = {}, .first = 500, .last = 1200}), SizeIs(701));
  EXPECT_THAT(Indices(id, {.bot = {}, .first = 7, .last = 7}), ElementsAre(7));
  EXPECT_THAT(Indices(id, {.bot = {}, .first = 7, .last = 6}), IsEmpty());
  EXPECT_THAT(Indices(id, {.bot = {}, .first = 1500, .last = 1600}), IsEmpty());
  int64_t games = 0;
  const absl::Status status = store_->VisitTpgn(
      id, {.bot = {}, .first = 900}, [&](const GameSummary& game, std::string_view tpgn) {
        EXPECT_EQ(game.index, 900 + games++);
        EXPECT_EQ(tpgn, WriteTpgn(SampleRecord(game.index)));
        return absl::OkStatus();
      });
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_EQ(games, 600);
}

TEST_P(StoreContractTest, TheVisitorMayUseTheStore) {
  const int64_t id = OpenSample();
  ASSERT_TRUE(store_->Record(id, SampleRecords(0, 3)).ok());
  int64_t games = 0;
  ASSERT_TRUE(store_
                  ->VisitGames(id, {},
                               [&](const GameSummary&) {
                                 games += store_->Tournament(id)->games_recorded;
                                 return absl::OkStatus();
                               })
                  .ok());
  EXPECT_EQ(games, 9);
}

// ---- Leading.

TEST_P(StoreContractTest, EpochsRise) {
  const int64_t id = OpenSample();
  uint64_t last = 0;
  for (int i = 0; i < 3; ++i) {
    const absl::StatusOr<std::optional<uint64_t>> epoch = store_->TryLead();
    ASSERT_TRUE(epoch.ok() && *epoch) << epoch.status();
    EXPECT_GT(**epoch, last);
    last = **epoch;
    ASSERT_TRUE(store_->Record(id, SampleRecords(i, i + 1)).ok());
    if (i == 0) Reopen();
  }
  EXPECT_THAT(Recorded(id), ElementsAre(Range{0, 3}));
}

// ---- Leases.

TEST_P(StoreContractTest, LeasesLiveUntilTheyEnd) {
  OpenSample();
  EXPECT_EQ(LeasesText(store_->LiveLeases()), "");
  ASSERT_TRUE(store_
                  ->SaveLeases(std::vector{MakeLease(7, {10, 20}), MakeLease(3, {0, 10}),
                                           MakeLease(5, {20, 25}, "expired")})
                  .ok());
  Reopen();
  EXPECT_EQ(LeasesText(store_->LiveLeases()),
            "3:1:0-10 by worker 3/18446744073709551612\n"
            "7:1:10-20 by worker 7/18446744073709551608\n");
  ASSERT_TRUE(
      store_->SaveLeases(std::vector{MakeLease(3, {0, 10}, "finished"), MakeLease(8, {30, 40})})
          .ok());
  EXPECT_EQ(LeasesText(store_->LiveLeases()),
            "7:1:10-20 by worker 7/18446744073709551608\n"
            "8:1:30-40 by worker 8/18446744073709551607\n");
  ASSERT_TRUE(store_->SaveLeases({}).ok());
}

TEST_P(StoreContractTest, TheLargestTokensComeLast) {
  OpenSample();
  constexpr int64_t kEnd = std::numeric_limits<int64_t>::max();
  StoredLease lease = MakeLease(kLargest, {kEnd - 1, kEnd});
  lease.worker.name = kAwkward;
  ASSERT_TRUE(store_->SaveLeases(std::vector{lease, MakeLease(1, {0, 1})}).ok());
  Reopen();
  const std::vector<StoredLease> leases = store_->LiveLeases().value();
  ASSERT_THAT(leases, SizeIs(2));
  EXPECT_EQ(leases[0].lease.token, 1u);
  EXPECT_EQ(leases[1].lease.token, kLargest);
  EXPECT_EQ(leases[1].lease.games, (Range{kEnd - 1, kEnd}));
  EXPECT_EQ(leases[1].worker.name, kAwkward);
}

// ---- Workers.

TEST_P(StoreContractTest, WorkersAreKeptByName) {
  EXPECT_THAT(*store_->Workers(), IsEmpty());
  const StoredWorker b = {.name = "b", .slots = 8, .build = "1f", .quarantine = ""};
  const StoredWorker a = {.name = "Z", .slots = 1, .build = "", .quarantine = kAwkward};
  ASSERT_TRUE(store_->SaveWorkers(std::vector{b, a}).ok());
  Reopen();
  EXPECT_THAT(*store_->Workers(), ElementsAre(a, b));
  const StoredWorker changed = {.name = "b", .slots = 9, .build = "2e", .quarantine = "false"};
  ASSERT_TRUE(store_->SaveWorkers(std::vector{changed}).ok());
  ASSERT_TRUE(store_->SaveWorkers({}).ok());
  EXPECT_THAT(*store_->Workers(), ElementsAre(a, changed));
}

// ---- Audits.

TEST_P(StoreContractTest, ReportsAreHeldUntilTheyAreDropped) {
  const int64_t id = OpenSample();
  EXPECT_THAT(*store_->HeldReports(), IsEmpty());
  constexpr int64_t kFirst = int64_t{7} << 32;
  const std::string bytes("\0\xff\n", 3);
  const StoredReport a = {.id = kFirst,
                          .tournament = id,
                          .worker = kAwkward,
                          .owner = "alice",
                          .audits = 45,
                          .passes_before = 3,
                          .games = {0, 2, 1'000'000'000},
                          .report = bytes};
  StoredReport b = a;
  b.id = kFirst + 1;
  b.games = {5};
  ASSERT_TRUE(store_->HoldReports(std::vector{b, a}).ok());
  StoredReport again = a;
  again.audits = 1;
  ASSERT_TRUE(store_->HoldReports(std::vector{again}).ok());
  Reopen();
  EXPECT_EQ(*store_->HeldReport(a.id), bytes);
  StoredReport shown_a = a, shown_b = b;
  shown_a.report = shown_b.report = "";
  EXPECT_THAT(*store_->HeldReports(), ElementsAre(shown_a, shown_b));
  ASSERT_TRUE(store_->DropReports(std::vector<int64_t>{a.id, 99}).ok());
  EXPECT_THAT(*store_->HeldReports(), ElementsAre(shown_b));
  EXPECT_EQ(store_->HeldReport(a.id).status().code(), absl::StatusCode::kNotFound);
}

TEST_P(StoreContractTest, AuditsAreCounted) {
  const int64_t id = OpenSample();
  EXPECT_THAT(*store_->AuditCounts(), IsEmpty());
  StoredAudit audit = {.tournament = id,
                       .game = 3,
                       .worker = "w2",
                       .owner = "alice",
                       .auditor = "w9",
                       .outcome = "passed"};
  ASSERT_TRUE(store_->AddAudits(std::vector{audit, audit}).ok());
  audit.outcome = "lied";
  ASSERT_TRUE(store_->AddAudits(std::vector{audit}).ok());
  audit.worker = "W1";
  ASSERT_TRUE(store_->AddAudits(std::vector{audit}).ok());
  Reopen();
  EXPECT_THAT(*store_->AuditCounts(),
              ElementsAre(StoredAuditCount{id, "W1", "alice", "lied", 1},
                          StoredAuditCount{id, "w2", "alice", "lied", 1},
                          StoredAuditCount{id, "w2", "alice", "passed", 2}));
}

// ---- Planned matches.

TEST_P(StoreContractTest, ReturnsPlannedMatches) {
  const int64_t id = OpenSample();
  EXPECT_THAT(*store_->Matches(id), IsEmpty());
  const std::vector<PlannedMatch> first = {
      {.number = 0, .first_game = 0, .bots = {0, 1, 2}},
      {.number = 1,
       .first_game = 6,
       .bots = {1, 0, 0},
       .options = {{{"depth", "2"}, {"risk", kAwkward}}, {}, {}}}};
  const std::vector<PlannedMatch> second = {{.number = 2, .first_game = 9, .bots = {2, 1, 0}}};
  ASSERT_TRUE(store_->AddMatches(id, first).ok());
  ASSERT_TRUE(store_->AddMatches(id, second).ok());
  ASSERT_TRUE(store_->AddMatches(id, {}).ok());
  // The outcome of a commit was unknown.
  ASSERT_TRUE(store_->AddMatches(id, second).ok());
  Reopen();
  EXPECT_THAT(*store_->Matches(id), ElementsAre(first[0], first[1], second[0]));
  EXPECT_EQ(store_->Matches(id + 1).status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(store_->AddMatches(id + 1, first).code(), absl::StatusCode::kNotFound);
}

// ---- Ratings.

TEST_P(StoreContractTest, RatingsAreChronological) {
  const int64_t id = OpenSample();
  EXPECT_THAT(*store_->Ratings(id), IsEmpty());
  const std::vector<RatingPoint> first = {
      {.time = "", .games = 10, .bot = "p3", .rating = 100 * std::numbers::pi, .error = 1e-300},
      {.time = "", .games = 10, .bot = "quick", .rating = -0.1, .error = 1e300}};
  const std::vector<RatingPoint> second = {
      {.time = "ignored", .games = 20, .bot = kAwkward, .rating = 1.0 / 3, .error = 0}};
  ASSERT_TRUE(store_->AddRatings(id, first).ok());
  ASSERT_TRUE(store_->AddRatings(id, second).ok());
  ASSERT_TRUE(store_->AddRatings(id, {}).ok());
  Reopen();
  std::vector<RatingPoint> ratings = store_->Ratings(id).value();
  ASSERT_THAT(ratings, SizeIs(3));
  for (RatingPoint& point : ratings) {
    EXPECT_THAT(point.time, MatchesRegex("20..-..-..T..:..:..Z"));
    point.time.clear();
  }
  EXPECT_EQ(ratings[0], first[0]);
  EXPECT_EQ(ratings[1], first[1]);
  EXPECT_EQ(ratings[2].bot, kAwkward);
  EXPECT_EQ(ratings[2].rating, 1.0 / 3);
  EXPECT_EQ(store_->Ratings(id + 1).status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(store_->AddRatings(id + 1, second).code(), absl::StatusCode::kNotFound);
}

// ---- Bundles.

StoredBundle SampleBundle(const std::string& digest) {
  return {.digest = digest,
          .manifest = kAwkward,
          .name = "mine",
          .version = "1.2",
          .type = "process",
          .bytes = 4,
          .added = "",
          .added_by = "user"};
}

std::string DigestsOf(const absl::StatusOr<std::vector<StoredBundle>>& bundles) {
  if (!bundles.ok()) return bundles.status().ToString();
  std::string digests;
  for (const StoredBundle& bundle : *bundles) digests += bundle.digest + " ";
  return digests;
}

TEST_P(StoreContractTest, BundlesAreKeptByDigest) {
  const std::string all_bytes = [] {
    std::string bytes;
    for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
    return bytes;
  }();
  EXPECT_EQ(DigestsOf(store_->Bundles()), "");
  ASSERT_TRUE(store_->AddBundle(SampleBundle("aa"), all_bytes).ok());
  ASSERT_TRUE(store_->AddBundle(SampleBundle("bb"), "").ok());
  Reopen();
  std::vector<StoredBundle> bundles = store_->Bundles().value();
  ASSERT_THAT(bundles, SizeIs(2));
  for (StoredBundle& bundle : bundles) {
    EXPECT_THAT(bundle.added, MatchesRegex("20..-..-..T..:..:..Z"));
    bundle.added.clear();
  }
  EXPECT_THAT(bundles, ElementsAre(SampleBundle("aa"), SampleBundle("bb")));
  EXPECT_EQ(store_->BundleTar("aa").value(), all_bytes);
  EXPECT_EQ(store_->BundleTar("bb").value(), "");
  EXPECT_EQ(store_->BundleTar("cc").status().code(), absl::StatusCode::kNotFound);

  // Adding it again makes it the newest.
  StoredBundle again = SampleBundle("aa");
  again.added_by = "operator";
  ASSERT_TRUE(store_->AddBundle(again, all_bytes).ok());
  ASSERT_TRUE(store_->AddBundle(again, all_bytes).ok());
  EXPECT_EQ(DigestsOf(store_->Bundles()), "bb aa ");
  EXPECT_EQ(store_->Bundles()->back().added_by, "operator");
  EXPECT_EQ(store_->BundleTar("aa").value(), all_bytes);

  ASSERT_TRUE(store_->RemoveBundle("aa").ok());
  EXPECT_EQ(store_->RemoveBundle("aa").code(), absl::StatusCode::kNotFound);
  Reopen();
  EXPECT_EQ(DigestsOf(store_->Bundles()), "bb ");
  EXPECT_EQ(store_->BundleTar("aa").status().code(), absl::StatusCode::kNotFound);
}

TEST_P(StoreContractTest, ABundleOfManyMegabytes) {
  std::string tar(36 << 20, '\0');
  for (size_t i = 0; i < tar.size(); ++i) tar[i] = static_cast<char>((i * i) >> 7);
  ASSERT_TRUE(store_->AddBundle(SampleBundle("large"), tar).ok());
  EXPECT_TRUE(store_->BundleTar("large").value() == tar);
}

}  // namespace
}  // namespace triarch
