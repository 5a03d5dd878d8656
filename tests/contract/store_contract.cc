// Tests the games of a store: recording, reading and continuing a tournament.
#include "tests/contract/store_contract.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <ostream>
#include <tuple>
#include <utility>

#include "absl/status/status.h"
#include "core/base/random.h"
#include "core/record/tpgn.h"
#include "spec/spec_json.h"

namespace triarch {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::ostream& operator<<(std::ostream& out, const StoreKind& kind) { return out << kind.name; }

StoreContractTest::StoreContractTest() { Open(); }

void StoreContractTest::Open() {
  absl::StatusOr<std::unique_ptr<Store>> store = open_();
  EXPECT_TRUE(store.ok()) << store.status();
  if (store.ok()) store_ = *std::move(store);
}

void StoreContractTest::Reopen() {
  if (!GetParam().is_lasting) return;
  store_.reset();
  Open();
}

int64_t StoreContractTest::OpenSample() {
  const absl::StatusOr<int64_t> id = store_->OpenTournament(SampleSpec());
  EXPECT_TRUE(id.ok()) << id.status();
  return id.value_or(-1);
}

std::vector<Range> StoreContractTest::Recorded(int64_t id) {
  const absl::StatusOr<std::vector<Range>> ranges = store_->Recorded(id);
  EXPECT_TRUE(ranges.ok()) << ranges.status();
  return ranges.value_or(std::vector<Range>());
}

std::vector<GameSummary> StoreContractTest::Games(int64_t id, const GameFilter& filter) {
  std::vector<GameSummary> games;
  const absl::Status status = store_->VisitGames(id, filter, [&](const GameSummary& game) {
    games.push_back(game);
    return absl::OkStatus();
  });
  EXPECT_TRUE(status.ok()) << status;
  return games;
}

std::vector<int64_t> StoreContractTest::Indices(int64_t id, const GameFilter& filter) {
  std::vector<int64_t> indices;
  for (const GameSummary& game : Games(id, filter)) indices.push_back(game.index);
  return indices;
}

namespace {

TEST_P(StoreContractTest, BeginsEmpty) {
  EXPECT_THAT(store_->Tournaments().value(), IsEmpty());
  EXPECT_EQ(store_->Tournament(1).status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(store_->Recorded(1).status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(store_->Record(1, SampleRecords(0, 1)).code(), absl::StatusCode::kNotFound);
}

TEST_P(StoreContractTest, KeepsTheSpecWithoutOutput) {
  TournamentSpec spec = SampleSpec();
  spec.slots = 5;
  spec.db = "x.db";
  spec.tpgn = "x.tpgn";
  const int64_t id = store_->OpenTournament(spec).value();
  Reopen();
  const std::vector<StoredTournament> tournaments = store_->Tournaments().value();
  ASSERT_EQ(tournaments.size(), 1u);
  EXPECT_EQ(tournaments[0].id, id);
  EXPECT_EQ(tournaments[0].games_recorded, 0);
  EXPECT_EQ(SpecToJson(tournaments[0].spec), SpecToJson(SampleSpec()));
}

TEST_P(StoreContractTest, ReturnsRecordedGames) {
  const int64_t id = OpenSample();
  const GameRecord record = SampleRecord(41);
  ASSERT_TRUE(store_->Record(id, {&record, 1}).ok());
  Reopen();
  const std::vector<GameSummary> games = Games(id);
  ASSERT_EQ(games.size(), 1u);
  EXPECT_EQ(games[0].index, 41);
  EXPECT_EQ(games[0].match, 6);
  EXPECT_EQ(games[0].bots, (PerSeat<int>{{1, 2, 3}}));
  EXPECT_EQ(games[0].outcome, record.outcome);
  EXPECT_EQ(games[0].endings, record.endings);
  EXPECT_EQ(games[0].plies, record.plies);
  EXPECT_EQ(games[0].costs, record.costs);
  EXPECT_EQ(games[0].fallbacks, (PerSeat<int64_t>{{0, 1, 0}}));
}

// Returns the game as VisitResults visits it.
GameSummary ResultOf(GameSummary game) {
  game.plies = 0;
  game.costs = {};
  game.fallbacks = {};
  return game;
}

// Expects that the store's tallies agree with its games.
void ExpectResultsOfAllGames(Store& store, int64_t id) {
  std::vector<GameSummary> expected;
  GameCosts costs;
  const auto add = [&](const GameSummary& game) {
    costs.Add(game);
    expected.push_back(ResultOf(game));
    return absl::OkStatus();
  };
  EXPECT_TRUE(store.VisitGames(id, {}, add).ok());
  std::vector<GameSummary> results;
  const auto keep = [&results](const GameSummary& game) {
    results.push_back(game);
    return absl::OkStatus();
  };
  EXPECT_EQ(store.VisitResults(id, keep).value(), costs);
  EXPECT_EQ(results, expected);
  EXPECT_EQ(store.Tournament(id)->games_recorded, std::ssize(expected));
}

// Records all games in random batches, in which many games come again.
TEST_P(StoreContractTest, ResultsAreThoseOfAllGames) {
  constexpr int64_t kMany = 700;  // several tallies
  TournamentSpec spec = SampleSpec();
  spec.games = kMany;
  for (const uint64_t seed : {1u, 2u, 3u}) {
    SCOPED_TRACE(seed);
    spec.seed = seed;
    if (seed > 1 && !GetParam().holds_many) continue;
    const int64_t id = store_->OpenTournament(spec).value();
    ExpectResultsOfAllGames(*store_, id);
    Random random(seed);
    for (int64_t batch = 0; store_->Tournament(id)->games_recorded < kMany; ++batch) {
      std::vector<GameRecord> records;
      const int64_t first = random.Below(kMany);
      const int64_t last = std::min<int64_t>(kMany, first + 1 + random.Below(200));
      for (int64_t index = first; index < last; ++index) {
        if (batch < 20 && random.Below(2) == 0) continue;
        records.push_back(SampleRecord(index));
        if (random.Below(8) == 0) records.push_back(records.back());
      }
      for (size_t i = records.size(); i > 1; --i) {
        std::swap(records[i - 1], records[random.Below(static_cast<uint32_t>(i))]);
      }
      ASSERT_TRUE(store_->Record(id, records).ok());
      if (batch % 5 == 0) Reopen();
      if (batch % 3 == 0) ExpectResultsOfAllGames(*store_, id);
    }
    ExpectResultsOfAllGames(*store_, id);
  }
}

TEST_P(StoreContractTest, ResultsEndWithTheVisitorsError) {
  const auto refuse = [](const GameSummary&) { return absl::CancelledError("enough"); };
  EXPECT_EQ(store_->VisitResults(1, refuse).status().code(), absl::StatusCode::kNotFound);
  const int64_t id = OpenSample();
  EXPECT_TRUE(store_->VisitResults(id, refuse).ok()) << "there are no games";
  ASSERT_TRUE(store_->Record(id, SampleRecords(0, 3)).ok());
  EXPECT_EQ(store_->VisitResults(id, refuse).status().code(), absl::StatusCode::kCancelled);
}

// Returns the reports about forfeits that the store has.
std::vector<StoredFault> FaultsOf(Store& store, int64_t id, const GameFilter& filter = {}) {
  std::vector<StoredFault> faults;
  const absl::Status status = store.VisitFaults(id, filter, [&](const StoredFault& fault) {
    faults.push_back(fault);
    return absl::OkStatus();
  });
  EXPECT_TRUE(status.ok()) << status;
  return faults;
}

TEST_P(StoreContractTest, ReturnsFaultReports) {
  const int64_t id = OpenSample();
  GameRecord record = SampleRecord(41);
  record.faults = {{.seat = Seat::kSecond,
                    .ply = 3,
                    .why = Termination::kTimeForfeit,
                    .report = {.message = "it took 3 s",
                               .answer = "E2-E9",
                               .exit_status = "exit code 1",
                               .errors = "Traceback\n\tline 'ä'; \\x1b\n",
                               .protocol = "0.1 > go\n0.2 < bestmove E2-E9\n"}}};
  ASSERT_TRUE(store_->Record(id, {&record, 1}).ok());
  ASSERT_TRUE(store_->Record(id, {&record, 1}).ok()) << "again";
  Reopen();
  const std::vector<StoredFault> faults = FaultsOf(*store_, id);
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0],
            (StoredFault{.index = 41, .match = 6, .bot = 2, .fault = record.faults.front()}));
  EXPECT_THAT(FaultsOf(*store_, id, {.bot = "quick"}), SizeIs(1));
  EXPECT_THAT(FaultsOf(*store_, id, {.bot = "p3"}), IsEmpty()) << "it sat there but did not fail";
  EXPECT_THAT(FaultsOf(*store_, id, {.bot = std::nullopt, .first = 42}), IsEmpty());
  EXPECT_THAT(FaultsOf(*store_, id, {.bot = std::nullopt, .first = 0, .last = 40}), IsEmpty());
  EXPECT_EQ(store_->VisitFaults(id, {.bot = "nobody"}, [](const auto&) { return absl::OkStatus(); })
                .code(),
            absl::StatusCode::kNotFound);
}

TEST_P(StoreContractTest, KeepsTheFirstFaultReportsOfEachBotAndKind) {
  const int64_t id = OpenSample();
  std::vector<GameRecord> records = SampleRecords(0, 100);
  for (GameRecord& record : records) {
    record.faults = {{.seat = Seat::kFirst, .ply = 1, .why = Termination::kCrash},
                     {.seat = Seat::kSecond, .ply = 2, .why = Termination::kIllegalMove}};
  }
  ASSERT_TRUE(store_->Record(id, records).ok());
  const std::vector<StoredFault> faults = FaultsOf(*store_, id);
  EXPECT_THAT(faults, SizeIs(2 * 4 * kFaultsKept)) << "25 of each, 4 bots, 2 kinds";
  EXPECT_TRUE(
      std::is_sorted(faults.begin(), faults.end(), [](const StoredFault& a, const StoredFault& b) {
        return std::tie(a.index, a.fault.seat) < std::tie(b.index, b.fault.seat);
      }));
  EXPECT_THAT(FaultsOf(*store_, id, {.bot = "greedy"}), SizeIs(2 * kFaultsKept));
}

TEST_P(StoreContractTest, ReturnsTpgnByteForByte) {
  const int64_t id = OpenSample();
  ASSERT_TRUE(store_->Record(id, SampleRecords(0, 5)).ok());
  Reopen();
  std::string text;
  ASSERT_TRUE(store_
                  ->VisitTpgn(id, {},
                              [&](const GameSummary& game, std::string_view tpgn) {
                                EXPECT_EQ(tpgn, WriteTpgn(SampleRecord(game.index)));
                                text += tpgn;
                                return absl::OkStatus();
                              })
                  .ok());
  std::string expected;
  for (const GameRecord& record : SampleRecords(0, 5)) expected += WriteTpgn(record);
  EXPECT_EQ(text, expected);
}

TEST_P(StoreContractTest, ReturnsGamesInIndexOrder) {
  const int64_t id = OpenSample();
  for (const int64_t index : {9, 2, 5, 0}) {
    const GameRecord record = SampleRecord(index);
    ASSERT_TRUE(store_->Record(id, {&record, 1}).ok());
  }
  EXPECT_THAT(Indices(id), ElementsAre(0, 2, 5, 9));
}

TEST_P(StoreContractTest, RecordsAGameOnce) {
  const int64_t id = OpenSample();
  ASSERT_TRUE(store_->Record(id, SampleRecords(0, 3)).ok());
  GameRecord other = SampleRecord(1);
  other.outcome.place = {{3, 2, 1}};
  ASSERT_TRUE(store_->Record(id, {&other, 1}).ok()) << "a duplicate is a success";
  ASSERT_TRUE(store_->Record(id, SampleRecords(1, 5)).ok());
  EXPECT_THAT(Indices(id), ElementsAre(0, 1, 2, 3, 4));
  EXPECT_EQ(Games(id)[1].outcome, SampleRecord(1).outcome) << "the first stays";
  EXPECT_EQ(store_->Tournament(id)->games_recorded, 5);
}

TEST_P(StoreContractTest, TheSameGameTwiceInABatch) {
  const int64_t id = OpenSample();
  const std::vector<GameRecord> records = {SampleRecord(3), SampleRecord(3)};
  ASSERT_TRUE(store_->Record(id, records).ok());
  EXPECT_THAT(Indices(id), ElementsAre(3));
}

TEST_P(StoreContractTest, EmptyBatch) {
  const int64_t id = OpenSample();
  EXPECT_TRUE(store_->Record(id, {}).ok());
  EXPECT_THAT(Recorded(id), IsEmpty());
}

TEST_P(StoreContractTest, RangesAreDisjointAndAscending) {
  const int64_t id = OpenSample();
  EXPECT_THAT(Recorded(id), IsEmpty());
  for (const auto& [first, last] :
       std::vector<std::pair<int64_t, int64_t>>{{4, 6}, {0, 2}, {10, 11}, {6, 7}, {99, 100}}) {
    ASSERT_TRUE(store_->Record(id, SampleRecords(first, last)).ok());
  }
  Reopen();
  EXPECT_THAT(Recorded(id), ElementsAre(Range{0, 2}, Range{4, 7}, Range{10, 11}, Range{99, 100}));
}

TEST_P(StoreContractTest, AFaultyBatchRecordsNothing) {
  const int64_t id = OpenSample();
  std::vector<GameRecord> records = SampleRecords(0, 10);
  std::vector<std::function<void(GameRecord&)>> faults = {
      [](GameRecord& record) { record.bots[Seat::kThird] = "stranger"; },
      [](GameRecord& record) { record.is_finished = false; },
      [](GameRecord& record) { record.game = "go"; },
      [](GameRecord& record) { record.index = -1; },
  };
  for (const auto& spoil : faults) {
    std::vector<GameRecord> spoilt = records;
    spoil(spoilt[7]);
    EXPECT_EQ(store_->Record(id, spoilt).code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(Recorded(id), IsEmpty());
  }
  EXPECT_TRUE(store_->Record(id, records).ok());
  EXPECT_THAT(Recorded(id), ElementsAre(Range{0, 10}));
}

TEST_P(StoreContractTest, FiltersByBot) {
  const int64_t id = OpenSample();
  ASSERT_TRUE(store_->Record(id, SampleRecords(0, 8)).ok());
  // Game i has the bots i, i + 1, i + 2 modulo 4: bot 0 is absent where i % 4 = 1.
  EXPECT_THAT(Indices(id, {.bot = "random"}), ElementsAre(0, 2, 3, 4, 6, 7));
  EXPECT_THAT(Indices(id, {.bot = "greedy"}), ElementsAre(1, 2, 3, 5, 6, 7));
  const absl::Status status = store_->VisitGames(
      id, {.bot = "stranger"}, [](const GameSummary&) { return absl::OkStatus(); });
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(status.message(), HasSubstr("expected one of random, p3, quick, greedy"));
}

TEST_P(StoreContractTest, VisitsGamesBackwards) {
  const int64_t id = OpenSample();
  EXPECT_THAT(Indices(id, {.bot = {}, .is_backwards = true}), IsEmpty());
  ASSERT_TRUE(store_->Record(id, SampleRecords(0, 8)).ok());
  ASSERT_TRUE(store_->Record(id, SampleRecords(20, 21)).ok());
  EXPECT_THAT(Indices(id, {.bot = {}, .is_backwards = true}),
              ElementsAre(20, 7, 6, 5, 4, 3, 2, 1, 0));
  EXPECT_THAT(Indices(id, {.bot = {}, .first = 3, .last = 19, .is_backwards = true}),
              ElementsAre(7, 6, 5, 4, 3));
  EXPECT_THAT(Indices(id, {.bot = {}, .first = 8, .last = 7, .is_backwards = true}), IsEmpty());
  EXPECT_THAT(Indices(id, {.bot = "random", .last = 7, .is_backwards = true}),
              ElementsAre(7, 6, 4, 3, 2, 0));
  std::vector<GameSummary> games = Games(id, {.bot = {}, .is_backwards = true});
  std::reverse(games.begin(), games.end());
  EXPECT_EQ(games, Games(id));
}

TEST_P(StoreContractTest, BackwardsAcrossPagesWithTexts) {
  const int64_t id = OpenSample();
  ASSERT_TRUE(store_->Record(id, SampleRecords(0, 1'100)).ok());
  int64_t next = 1'099;
  ASSERT_TRUE(store_
                  ->VisitTpgn(id, {.bot = {}, .is_backwards = true},
                              [&](const GameSummary& game, std::string_view tpgn) {
                                EXPECT_EQ(game.index, next--);
                                EXPECT_THAT(std::string(tpgn),
                                            HasSubstr("." + std::to_string(game.index + 1) + "\""));
                                return absl::OkStatus();
                              })
                  .ok());
  EXPECT_EQ(next, -1);
}

TEST_P(StoreContractTest, AFilteredGameIsComplete) {
  const int64_t id = OpenSample();
  ASSERT_TRUE(store_->Record(id, SampleRecords(0, 1)).ok());
  EXPECT_EQ(Games(id, {.bot = "p3"}), Games(id));
}

TEST_P(StoreContractTest, TheVisitorCanStop) {
  const int64_t id = OpenSample();
  ASSERT_TRUE(store_->Record(id, SampleRecords(0, 8)).ok());
  int visits = 0;
  const absl::Status status = store_->VisitGames(id, {}, [&](const GameSummary&) {
    return ++visits == 3 ? absl::CancelledError("enough") : absl::OkStatus();
  });
  EXPECT_EQ(status, absl::CancelledError("enough"));
  EXPECT_EQ(visits, 3);
}

TEST_P(StoreContractTest, ContinuesTheSameTournament) {
  const int64_t id = OpenSample();
  ASSERT_TRUE(store_->Record(id, SampleRecords(0, 8)).ok());
  Reopen();
  TournamentSpec spec = SampleSpec();
  spec.slots = 64;
  spec.tpgn = "elsewhere.tpgn";
  EXPECT_EQ(store_->OpenTournament(spec).value(), id);
  EXPECT_EQ(store_->Tournament(id)->games_recorded, 8);
}

TEST_P(StoreContractTest, GamesMayGrowAndShrinkToTheRecordedNumber) {
  const int64_t id = OpenSample();
  ASSERT_TRUE(store_->Record(id, SampleRecords(0, 8)).ok());
  TournamentSpec spec = SampleSpec();
  for (const int64_t games : {int64_t{1'000'000}, int64_t{8}}) {
    spec.games = games;
    ASSERT_EQ(store_->OpenTournament(spec).value(), id);
    Reopen();
    EXPECT_EQ(store_->Tournament(id)->spec.games, games);
  }
  spec.games = 7;
  const absl::Status status = store_->OpenTournament(spec).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(status.message(), HasSubstr("already has 8 games of this tournament, but only 7"));
  EXPECT_EQ(store_->Tournament(id)->spec.games, 8) << "a refusal changes nothing";
}

TEST_P(StoreContractTest, AnotherTournamentIsAddedOrRefused) {
  const int64_t id = OpenSample();
  Reopen();
  TournamentSpec spec = SampleSpec();
  spec.seed = 8;
  const absl::StatusOr<int64_t> other = store_->OpenTournament(spec);
  if (GetParam().holds_many) {
    ASSERT_TRUE(other.ok()) << other.status();
    EXPECT_NE(*other, id);
    EXPECT_EQ(store_->OpenTournament(SampleSpec()).value(), id);
    EXPECT_EQ(store_->OpenTournament(spec).value(), *other);
    return;
  }
  EXPECT_EQ(other.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(other.status().message(),
              HasSubstr("belongs to another tournament: its seed is 7, not 8; use another"));
  EXPECT_EQ(store_->Tournament(id)->spec.seed, 7u);
}

TEST_P(StoreContractTest, ATwoSeatGame) {
  TournamentSpec spec = SampleSpec();
  const int64_t id = store_->OpenTournament(spec).value();
  GameRecord record = SampleRecord(0);
  record.bots = {{"p3", "quick", ""}};
  record.outcome.place = {{1, 2, 0}};
  record.endings = {};
  record.costs[Seat::kThird] = {};
  record.events.pop_back();  // the third seat's move
  ASSERT_TRUE(store_->Record(id, {&record, 1}).ok());
  const std::vector<GameSummary> games = Games(id);
  ASSERT_EQ(games.size(), 1u);
  EXPECT_EQ(games[0].bots, (PerSeat<int>{{1, 2, 0}}));
  EXPECT_EQ(games[0].outcome.place, record.outcome.place);
  EXPECT_THAT(Indices(id, {.bot = "random"}), IsEmpty()) << "the third seat is empty";
}

TEST_P(StoreContractTest, ProcessorTimeMayBeUnknown) {
  const int64_t id = OpenSample();
  GameRecord record = SampleRecord(0);
  record.costs[Seat::kFirst].cpu_us.reset();
  record.costs[Seat::kSecond].cpu_us = 0;
  ASSERT_TRUE(store_->Record(id, {&record, 1}).ok());
  EXPECT_EQ(Games(id)[0].costs, record.costs);
}

TEST_P(StoreContractTest, LargestValues) {
  const int64_t id = OpenSample();
  GameRecord record = SampleRecord(999'999'999'999'999);
  record.costs[Seat::kFirst].nodes = std::numeric_limits<int64_t>::max();
  ASSERT_TRUE(store_->Record(id, {&record, 1}).ok());
  EXPECT_EQ(Games(id)[0].costs, record.costs);
  EXPECT_THAT(Recorded(id), ElementsAre(Range{999'999'999'999'999, 1'000'000'000'000'000}));
}

}  // namespace
}  // namespace triarch
