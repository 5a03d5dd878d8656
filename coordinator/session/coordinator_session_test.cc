#include "coordinator/session/coordinator_session.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "core/schedule/test_pairing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "selfplay/shard/shard.h"
#include "tests/contract/store_samples.h"

namespace triarch {
namespace {

using Next = ReportStep::Next;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr int64_t kId = 7;

CoordinatorSession::Time At(double time) {
  return CoordinatorSession::Time(std::chrono::hours(10)) +
         std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::duration<double>(time));
}

std::string Code(const absl::Status& status) {
  return std::string(absl::StatusCodeToString(status.code()));
}

class CoordinatorSessionTest : public testing::Test {
 protected:
  CoordinatorSessionTest() {
    options_.leases.games_first = 10;
    options_.build = "build 1";
  }

  void Start(bool is_selfplay = false, const std::vector<Range>& recorded = {}) {
    session_.emplace(options_, 3);
    StoredTournament stored;
    stored.id = kId;
    stored.spec = SampleSpec();
    stored.games_recorded = RangeSet(recorded).size();
    if (is_selfplay) stored.spec.selfplay = std::make_shared<const SelfplaySpec>();
    session_->AddTournament(std::move(stored), RangeSet(recorded), {});
  }
  void Register(const std::string& name, const std::string& build = "1") {
    WorkerInfo worker{
        .id = {name, 1}, .slots = 1, .games = {"triumvirate"}, .bots = {}, .build = build};
    for (const BotSpec& bot : SampleSpec().bots) {
      worker.bots.push_back({.type = bot.bot, .digest = "build " + build});
    }
    ASSERT_EQ(Code(session_->Register(worker, At(0))), "OK");
  }
  std::optional<Lease> RequestLease(const std::string& name, double time = 0) {
    const auto reply = session_->RequestLease({name, 1}, At(time));
    EXPECT_TRUE(reply.ok()) << reply.status();
    return reply.ok() ? reply->lease : std::nullopt;
  }
  static PendingReport Report(const std::string& name, const Lease& lease, int64_t first,
                              int64_t last, std::optional<ShardEntry> shard = {}) {
    PendingReport pending;
    pending.report = {.worker = {name, 1},
                      .token = lease.token,
                      .games = SampleRecords(first, last),
                      .shard = std::move(shard)};
    return pending;
  }
  static ShardEntry Shard(int64_t first, int64_t last) {
    ShardEntry shard = SampleShard("a", first, last);
    shard.format = kShardFormat;
    return shard;
  }
  ReportStep Accept(PendingReport& pending, double time = 1) {
    return session_->Accept(pending, At(time));
  }
  ReportStep Replay(PendingReport& pending, const absl::Status& status = absl::OkStatus()) {
    return session_->OnReplayed(pending, status, At(1));
  }
  ReportStep Record(PendingReport& pending, const absl::Status& status = absl::OkStatus()) {
    return session_->OnRecorded(pending, status, pending.report.games, At(1));
  }
  // Returns "replay", "record", the error, or the outcome with "!" if the lease is over.
  static std::string Text(const ReportStep& step) {
    if (step.next == Next::kReplay) return "replay";
    if (step.next == Next::kRecord) return "record";
    if (!step.answer.ok()) return Code(step.answer.status());
    return std::string(ToString(step.answer->outcome)) + (step.answer->is_cancelled ? "!" : "");
  }
  // Takes a report through all its steps.
  std::string Report(PendingReport pending) {
    EXPECT_EQ(Text(Accept(pending)), "replay");
    EXPECT_EQ(Text(Replay(pending)), "record");
    return Text(Record(pending));
  }
  StoreNotes TakeNotes(CoordinatorSession::Time now) {
    events_ = session_->TakeEvents(now);
    return session_->TakeNotes(now);
  }
  // Returns "open/leased/done".
  std::string Counts() const {
    const TournamentCounts counts = session_->Counts().at(0);
    return absl::StrFormat("%d/%d/%d", counts.open, counts.leased, counts.done);
  }

  CoordinatorSession::Options options_;
  std::optional<CoordinatorSession> session_;
  std::vector<LeaseEvent> events_;  // from the last TakeNotes
};

// ---- The path of a report.

TEST_F(CoordinatorSessionTest, ATrueReportIsReplayedThenRecordedThenAnswered) {
  Start();
  Register("w");
  const Lease lease = RequestLease("w").value();
  PendingReport pending = Report("w", lease, 0, 4);
  EXPECT_EQ(Text(Accept(pending)), "replay");
  EXPECT_EQ(session_->replaying_plies(), 12);
  EXPECT_EQ(Text(Replay(pending)), "record");
  EXPECT_EQ(session_->replaying_plies(), 0);
  EXPECT_EQ(Counts(), "90/10/0");
  EXPECT_EQ(Text(Record(pending)), "recorded");
  EXPECT_EQ(Counts(), "90/6/4");
  const TournamentStatus status = session_->Status(kId, At(2)).value();
  int64_t games = 0;
  for (const Leaderboard::Row& row : status.leaderboard) games += row.games;
  EXPECT_EQ(games, 4 * 3);
}

TEST_F(CoordinatorSessionTest, AFalseReportIsRejectedAndEndsTheLease) {
  Start();
  Register("w");
  const Lease lease = RequestLease("w").value();
  PendingReport pending = Report("w", lease, 0, 4);
  EXPECT_EQ(Text(Accept(pending)), "replay");
  const ReportStep step = Replay(pending, absl::InvalidArgumentError("game 3: an illegal move"));
  EXPECT_EQ(Text(step), "rejected!");
  EXPECT_EQ(step.answer->why, "game 3: an illegal move");
  EXPECT_EQ(session_->replaying_plies(), 0);
  EXPECT_EQ(Counts(), "100/0/0");
  PendingReport again = Report("w", lease, 0, 4);
  EXPECT_EQ(Text(Accept(again)), "stale!");
}

TEST_F(CoordinatorSessionTest, GamesOutsideTheLeaseAreAnError) {
  Start();
  Register("w");
  const Lease lease = RequestLease("w").value();
  PendingReport pending = Report("w", lease, 8, 12);
  EXPECT_EQ(Text(Accept(pending)), "INVALID_ARGUMENT");
  EXPECT_EQ(Counts(), "100/0/0");
}

TEST_F(CoordinatorSessionTest, RecordedGamesOfAReportAreDuplicates) {
  Start();
  Register("w");
  const Lease lease = RequestLease("w").value();
  EXPECT_EQ(Report(Report("w", lease, 0, 4)), "recorded");
  PendingReport pending = Report("w", lease, 2, 6);
  EXPECT_EQ(Text(Accept(pending)), "replay");
  EXPECT_EQ(pending.duplicates, 2);
  EXPECT_THAT(pending.indices, ElementsAre(4, 5));
  EXPECT_EQ(Text(Replay(pending)), "record");
  EXPECT_EQ(Text(Record(pending)), "recorded");
  PendingReport all_known = Report("w", lease, 0, 6);
  EXPECT_EQ(Text(Accept(all_known)), "recorded") << "nothing needs to be replayed";
  EXPECT_EQ(Counts(), "90/4/6");
}

TEST_F(CoordinatorSessionTest, PendingGamesAreNotAcceptedTwice) {
  Start();
  Register("w");
  const Lease lease = RequestLease("w").value();
  PendingReport first = Report("w", lease, 0, 4);
  PendingReport second = Report("w", lease, 3, 6);
  EXPECT_EQ(Text(Accept(first)), "replay");
  EXPECT_EQ(Text(Accept(second)), "retry");
  EXPECT_EQ(Text(Replay(first)), "record");
  EXPECT_EQ(Text(Accept(second)), "retry");
  EXPECT_EQ(Text(Record(first)), "recorded");
  EXPECT_EQ(Text(Accept(second)), "replay");
}

TEST_F(CoordinatorSessionTest, AllThatAGameTakesInMemoryCounts) {
  const auto is_full_with = [&](const std::function<void(GameRecord&)>& change) {
    options_.replay_bytes_max = 40'000;
    Start();
    Register("w");
    const Lease lease = RequestLease("w").value();
    PendingReport pending = Report("w", lease, 0, 1);
    change(pending.report.games[0]);
    EXPECT_EQ(Text(Accept(pending)), "replay");
    PendingReport next = Report("w", lease, 1, 2);
    return Text(Accept(next)) == "retry";
  };
  EXPECT_FALSE(is_full_with([](GameRecord&) {}));
  EXPECT_TRUE(is_full_with([](GameRecord& game) { game.events.resize(1'000); }));
  EXPECT_FALSE(is_full_with([](GameRecord& game) { game.events.resize(900); }));
  EXPECT_TRUE(is_full_with([](GameRecord& game) {
    game.events.resize(900);
    for (RecordedEvent& event : game.events) event.eval = PerSeat<double>();
  }));
  EXPECT_TRUE(is_full_with([](GameRecord& game) {
    game.faults.push_back({.report = {.protocol = std::string(40'000, 'x')}});
  }));
}

TEST_F(CoordinatorSessionTest, StoreErrorsBecomeAnswers) {
  struct Row {
    absl::Status status;
    std::string answer;
    std::string next;  // the answer to the same report again
  };
  const std::vector<Row> rows = {
      {absl::UnavailableError("the store is gone"), "retry", "replay"},
      {absl::CancelledError("the coordinator is stopping"), "retry", "replay"},
      {absl::DataLossError("it is damaged"), "retry", "replay"},
      {absl::InvalidArgumentError("a shard of that name exists"), "rejected", "replay"},
      {absl::AlreadyExistsError("recorded without its shard"), "stale!", "replay"},
      {absl::FailedPreconditionError("another coordinator leads"), "retry", "UNAVAILABLE"},
  };
  for (const Row& row : rows) {
    Start();
    Register("w");
    const Lease lease = RequestLease("w").value();
    PendingReport pending = Report("w", lease, 0, 4);
    EXPECT_EQ(Text(Accept(pending)), "replay");
    EXPECT_EQ(Text(Replay(pending)), "record");
    EXPECT_EQ(Text(Record(pending, row.status)), row.answer) << row.status;
    EXPECT_EQ(Counts(), "90/10/0") << row.status;
    PendingReport again = Report("w", lease, 0, 4);
    EXPECT_EQ(Text(Accept(again)), row.next) << row.status;
  }
}

TEST_F(CoordinatorSessionTest, TheLastGameCompletesTheTournament) {
  Start(false, {{4, 100}});
  Register("w");
  std::string outcomes;
  while (const std::optional<Lease> lease = RequestLease("w")) {
    outcomes += Report(Report("w", *lease, lease->games.first, lease->games.last)) + " ";
  }
  EXPECT_EQ(outcomes.find("re"), 0u);
  EXPECT_EQ(Counts(), "0/0/100");
  EXPECT_EQ(session_->Counts().at(0).state, TournamentState::kDone);
}

// ---- Load.

TEST_F(CoordinatorSessionTest, ABusyCoordinatorSlowsItsWorkersDown) {
  options_.replay_bytes_max = 1;
  options_.record_bytes_max = 1;
  options_.leases.leases_first = 2;
  Start();
  Register("w");
  const Lease lease = RequestLease("w").value();
  HeartbeatRequest heartbeat;
  heartbeat.worker = {"w", 1};
  const auto slow = [&] { return session_->Heartbeat(heartbeat, At(1))->slow.count(); };
  PendingReport first = Report("w", lease, 0, 4);
  EXPECT_EQ(slow(), 0);
  EXPECT_EQ(Text(Accept(first)), "replay");
  PendingReport second = Report("w", lease, 4, 5);
  EXPECT_EQ(Text(Accept(second)), "retry") << "enough is waiting to be replayed";
  EXPECT_GT(slow(), 0);
  EXPECT_TRUE(RequestLease("w").has_value());
  EXPECT_EQ(Text(Replay(first)), "record");
  EXPECT_EQ(Text(Accept(second)), "retry") << "enough is waiting for the store";
  EXPECT_FALSE(RequestLease("w").has_value());
  EXPECT_EQ(Text(Record(first)), "recorded");
  EXPECT_EQ(slow(), 0);
  EXPECT_EQ(Text(Accept(second)), "replay");
}

// ---- Digests.

TEST_F(CoordinatorSessionTest, DigestsAreStoredWithTheFirstGames) {
  Start();
  Register("w", "1");
  const Lease lease = RequestLease("w").value();
  const auto digests = [&](int64_t first, const absl::Status& stored) {
    PendingReport pending = Report("w", lease, first, first + 1);
    EXPECT_EQ(Text(Accept(pending)), "replay");
    EXPECT_EQ(Text(Replay(pending)), "record");
    (void)Record(pending, stored);
    return pending.bot_digests;
  };
  const std::vector<std::string> all(4, "build 1");
  EXPECT_EQ(digests(0, absl::UnavailableError("")), all);
  EXPECT_EQ(digests(0, absl::OkStatus()), all) << "the store may not have them";
  EXPECT_THAT(digests(1, absl::OkStatus()), IsEmpty());
}

TEST_F(CoordinatorSessionTest, WorkersOfAnotherBuildGetNoGames) {
  Start();
  Register("other", "2");
  EXPECT_FALSE(RequestLease("other").has_value());
  EXPECT_THAT(session_->Status(kId, At(1))->refusals,
              ElementsAre(HasSubstr("other: its build of the bot ")));
}

// ---- Planned matches.

TEST_F(CoordinatorSessionTest, LeasesMatchesOnceTheyAreStored) {
  StoredTournament stored;
  stored.id = kId;
  stored.spec = SampleSpec();
  stored.spec.bots.resize(3);
  stored.spec.format = Format::kSwiss;
  stored.spec.format_options.swiss_rounds = 2;
  stored.spec.games = 60;
  session_.emplace(options_, 3);
  session_->AddTournament(stored, RangeSet(), {});
  Register("w");
  // The first round is to be stored; after an error it is returned again.
  std::vector<MatchBatch> batches = session_->TakeBatches();
  ASSERT_EQ(batches.size(), 1U);
  session_->OnBatchStored(batches[0], absl::UnavailableError("away"));
  EXPECT_EQ(RequestLease("w"), std::nullopt);
  session_->Tick(At(1));
  batches = session_->TakeBatches();
  ASSERT_EQ(batches.size(), 1U);
  EXPECT_EQ(batches[0].matches[0].number, 0);
  session_->OnBatchStored(batches[0], absl::OkStatus());
  session_->Tick(At(1));
  EXPECT_THAT(session_->TakeBatches(), IsEmpty());

  const auto report = [&](const Lease& games) {
    PendingReport pending = Report("w", games, games.games.first, games.games.last);
    EXPECT_EQ(Text(Accept(pending)), "replay");
    EXPECT_EQ(session_->MatchesOf(pending), games.matches);
    for (GameRecord& game : pending.report.games) {
      const PerSeat<int> places = SeatPlaces(games.matches[0], game.index);
      for (size_t i = 0; i < 3; ++i) {
        const auto place = static_cast<size_t>(places[SeatAt(i)]);
        const auto bot = static_cast<size_t>(games.matches[0].bots[place]);
        game.bots[SeatAt(i)] = stored.spec.bots[bot].name;
      }
    }
    EXPECT_EQ(Text(Replay(pending)), "record");
    return Text(Record(pending));
  };
  // Plays a round, the games of one match.
  const auto play = [&](int64_t first, int64_t last) {
    for (int64_t next = first; next < last;) {
      EXPECT_THAT(session_->TakeBatches(), IsEmpty());
      const std::optional<Lease> lease = RequestLease("w", 1);
      ASSERT_TRUE(lease.has_value());
      EXPECT_EQ(lease->games.first, next);
      EXPECT_LE(lease->games.last, last);
      EXPECT_EQ(lease->matches, batches[0].matches);
      EXPECT_EQ(report(*lease), "recorded");
      next = lease->games.last;
    }
  };
  play(0, 6);
  EXPECT_EQ(RequestLease("w"), std::nullopt);
  batches = session_->TakeBatches();
  ASSERT_EQ(batches.size(), 1U);
  EXPECT_EQ(batches[0].matches[0].first_game, 6);
  session_->OnBatchStored(batches[0], absl::OkStatus());
  EXPECT_THAT(session_->TakeEnded(), IsEmpty());
  play(6, 12);
  // Both rounds are over. The store must learn of it.
  EXPECT_EQ(session_->Status(kId, At(3))->state, TournamentState::kDone);
  EXPECT_THAT(session_->TakeEnded(), ElementsAre(kId));
  session_->OnEndStored(kId, absl::UnavailableError("away"));
  EXPECT_THAT(session_->TakeEnded(), ElementsAre(kId));
  session_->OnEndStored(kId, absl::OkStatus());
  EXPECT_THAT(session_->TakeEnded(), IsEmpty());
  EXPECT_THAT(session_->TakeBatches(), IsEmpty());
}

// ---- Sequential tests.

TEST_F(CoordinatorSessionTest, ATestEndsWithItsVerdict) {
  options_.leases.games_first = 10;
  StoredTournament stored;
  stored.id = kId;
  stored.spec = SampleSpec();
  stored.spec.bots.resize(2);
  stored.spec.games = 6000;
  TestSpec test;
  test.elo = {0, 50};
  stored.spec.test = std::make_shared<const TestSpec>(test);
  session_.emplace(options_, 3);
  session_->AddTournament(stored, RangeSet(), {});
  Register("w");
  Register("late");
  // The new bot wins every game.
  const auto records = [&](int64_t first, int64_t last) {
    std::vector<GameRecord> games = SampleRecords(first, last);
    for (GameRecord& game : games) {
      const PerSeat<int> bots = SeatTestBots(TestField::kMirror, 2, 3, game.index);
      const bool is_new_alone = std::count(bots.begin(), bots.end(), kNewBot) == 1;
      for (size_t i = 0; i < 3; ++i) {
        const bool is_new = bots[SeatAt(i)] == kNewBot;
        game.bots[SeatAt(i)] = stored.spec.bots[is_new ? 0 : 1].name;
        game.outcome.place[SeatAt(i)] = is_new ? 1 : is_new_alone ? 2 : 3;
      }
    }
    return games;
  };
  const auto report = [&](const std::string& worker, const Lease& lease) {
    PendingReport pending = Report(worker, lease, 0, 1);
    pending.report.games = records(lease.games.first, lease.games.last);
    return Report(std::move(pending));
  };
  // Only games that may be needed are leased: at first, those up to the first look.
  while (session_->Status(kId, At(1))->test->units < 50) {
    const std::optional<Lease> lease = RequestLease("w");
    ASSERT_TRUE(lease.has_value());
    EXPECT_EQ(report("w", *lease), "recorded");
  }
  EXPECT_THAT(session_->TakeEnded(), IsEmpty());
  std::vector<Lease> held;
  while (held.empty() || held.back().games.last < 6 * 61) held.push_back(*RequestLease("w"));
  const std::optional<Lease> unfinished = RequestLease("late");
  ASSERT_TRUE(unfinished.has_value());
  EXPECT_EQ(session_->Status(kId, At(1))->state, TournamentState::kActive);
  for (const Lease& lease : held) EXPECT_EQ(report("w", lease), "recorded");
  EXPECT_THAT(session_->TakeEnded(), ElementsAre(kId));
  const TournamentStatus status = session_->Status(kId, At(1)).value();
  EXPECT_EQ(status.state, TournamentState::kDone);
  EXPECT_EQ(status.test->verdict, experiments::Verdict::kBetter);
  EXPECT_FALSE(RequestLease("w").has_value());
  PendingReport late = Report("late", *unfinished, unfinished->games.first, unfinished->games.last);
  EXPECT_EQ(Text(Accept(late)), "stale!");
  // Another coordinator does the same if the store still has the test as paused.
  std::vector<Range> recorded = {{0, held.back().games.last}};
  experiments::SequentialTest counted(stored.spec, 3);
  for (const GameRecord& game : records(0, held.back().games.last)) counted.Add(game);
  stored.state = TournamentState::kPaused;
  session_.emplace(options_, 4);
  session_->AddTournament(stored, RangeSet(recorded), {},
                          {.test = std::move(counted), .plan = nullptr});
  EXPECT_EQ(session_->Status(kId, At(1))->state, TournamentState::kDone);
  EXPECT_THAT(session_->TakeEnded(), ElementsAre(kId));
}

// ---- Self-play.

TEST_F(CoordinatorSessionTest, SelfplayIsReportedWithItsShard) {
  Start(true);
  Register("w");
  Lease lease = RequestLease("w").value();
  PendingReport without = Report("w", lease, 0, 4);
  EXPECT_EQ(Text(Accept(without)), "rejected!");
  lease = RequestLease("w").value();
  ShardEntry shard = Shard(0, 4);
  shard.format = kShardFormat + 1;
  PendingReport newer = Report("w", lease, 0, 4, shard);
  EXPECT_EQ(Text(Accept(newer)), "rejected!");
  Start(false);
  Register("w");
  lease = RequestLease("w").value();
  PendingReport tournament = Report("w", lease, 0, 4, Shard(0, 4));
  EXPECT_EQ(Text(Accept(tournament)), "rejected!");
}

TEST_F(CoordinatorSessionTest, AShardCountsOnce) {
  Start(true);
  Register("w");
  const Lease lease = RequestLease("w").value();
  EXPECT_THAT(session_->TakeChangedRuns(), ElementsAre(kId));
  EXPECT_EQ(Report(Report("w", lease, 0, 4, Shard(0, 4))), "recorded");
  EXPECT_THAT(session_->TakeChangedRuns(), ElementsAre(kId));
  PendingReport again = Report("w", lease, 0, 4, Shard(0, 4));
  EXPECT_EQ(Text(Accept(again)), "replay") << "the store knows whether it has the shard";
  EXPECT_EQ(Text(Replay(again)), "record");
  EXPECT_EQ(Text(Record(again)), "recorded");
  const TournamentStatus status = session_->Status(kId, At(2)).value();
  EXPECT_EQ(status.shards, 1);
  EXPECT_EQ(status.samples, Shard(0, 4).samples);
  EXPECT_EQ(status.done, 4);
}

TEST_F(CoordinatorSessionTest, AStaleShardIsAStrayFile) {
  Start(true);
  Register("w");
  Lease lease = RequestLease("w").value();
  ++lease.token;
  PendingReport pending = Report("w", lease, 0, 4, Shard(0, 4));
  const ReportStep step = Accept(pending);
  EXPECT_EQ(Text(step), "stale!");
  EXPECT_TRUE(step.is_stray);
  --lease.token;
  PendingReport late = Report("w", lease, 0, 4, Shard(0, 4));
  EXPECT_EQ(Text(Accept(late)), "replay");
  EXPECT_EQ(Text(Replay(late)), "record");
  const ReportStep recorded =
      session_->OnRecorded(late, absl::AlreadyExistsError("recorded in another shard"), {}, At(1));
  EXPECT_EQ(Text(recorded), "stale!");
  EXPECT_TRUE(recorded.is_stray);
}

TEST_F(CoordinatorSessionTest, ACancelledRunStaysOpenWhileReportsArePending) {
  Start(true);
  Register("w");
  const Lease lease = RequestLease("w").value();
  PendingReport pending = Report("w", lease, 0, 4, Shard(0, 4));
  EXPECT_EQ(Text(Accept(pending)), "replay");
  EXPECT_EQ(Text(Replay(pending)), "record");
  ASSERT_TRUE(session_->SetState(kId, TournamentState::kCancelled, At(1)).ok());
  EXPECT_EQ(session_->RunState(kId), TournamentState::kActive);
  (void)session_->TakeChangedRuns();
  EXPECT_EQ(Text(Record(pending)), "recorded");
  EXPECT_THAT(session_->TakeChangedRuns(), ElementsAre(kId));
  EXPECT_EQ(session_->RunState(kId), TournamentState::kCancelled);
}

// ---- The store.

TEST_F(CoordinatorSessionTest, NotesAreStoredOneAfterTheOther) {
  Start();
  Register("w");
  const Lease lease = RequestLease("w").value();
  StoreNotes notes = TakeNotes(At(1));
  ASSERT_TRUE(notes.is_for_store);
  ASSERT_EQ(notes.workers.size(), 1u);
  EXPECT_EQ(notes.workers[0].name, "w");
  ASSERT_EQ(notes.leases.size(), 1u);
  EXPECT_EQ(notes.leases[0].lease.token, lease.token);
  EXPECT_EQ(notes.leases[0].ended, "");
  session_->Release({"w", 1}, {lease.token}, "", false, At(1));
  EXPECT_FALSE(TakeNotes(At(9)).is_for_store) << "the first are in progress";
  session_->OnNotesSaved(notes, absl::OkStatus());
  notes = TakeNotes(At(9));
  ASSERT_EQ(notes.leases.size(), 1u);
  EXPECT_EQ(notes.leases[0].ended, "released");
  session_->OnNotesSaved(notes, absl::OkStatus());
  EXPECT_FALSE(TakeNotes(At(9)).is_for_store);
  EXPECT_TRUE(TakeNotes(At(11)).is_for_store) << "it asks who leads";
}

TEST_F(CoordinatorSessionTest, AQuarantineIsNotedUntilItIsSaved) {
  options_.leases.rejections_max = 1;
  Start();
  Register("liar");
  const Lease lease = RequestLease("liar").value();
  session_->OnNotesSaved(TakeNotes(At(0)), absl::OkStatus());
  PendingReport pending = Report("liar", lease, 0, 4);
  EXPECT_EQ(Text(Accept(pending)), "replay");
  EXPECT_EQ(Text(Replay(pending, absl::InvalidArgumentError("a lie"))), "rejected!");
  for (const absl::Status& status : {absl::UnavailableError("away"), absl::OkStatus()}) {
    const StoreNotes notes = TakeNotes(At(2));
    ASSERT_EQ(notes.workers.size(), 1u);
    EXPECT_EQ(notes.workers[0].quarantine, "a lie");
    session_->OnNotesSaved(notes, status);
    EXPECT_EQ(session_->status(), status);
  }
  EXPECT_THAT(TakeNotes(At(2)).workers, IsEmpty());
}

TEST_F(CoordinatorSessionTest, OnlyATournamentThatIsOverIsDeleted) {
  Start();
  Register("w");
  const Lease lease = RequestLease("w").value();
  PendingReport pending = Report("w", lease, 0, 4);
  EXPECT_EQ(Text(Accept(pending)), "replay");
  EXPECT_EQ(Code(session_->MayDelete(kId)), "FAILED_PRECONDITION") << "it is active";
  EXPECT_EQ(Code(session_->MayDelete(kId + 1)), "NOT_FOUND");
  ASSERT_TRUE(session_->SetState(kId, TournamentState::kCancelled, At(1)).ok());
  EXPECT_EQ(Code(session_->MayDelete(kId)), "FAILED_PRECONDITION") << "games are on their way";
  EXPECT_EQ(Text(Replay(pending)), "record");
  EXPECT_EQ(Text(Record(pending)), "recorded");
  EXPECT_EQ(Code(session_->MayDelete(kId)), "OK");
  session_->Delete(kId, At(2));
  EXPECT_THAT(session_->Counts(), IsEmpty());
  EXPECT_EQ(Code(session_->SpecJson(kId).status()), "NOT_FOUND");
  EXPECT_EQ(RequestLease("w", 3), std::nullopt);
  session_->Tick(At(4));
  session_->OnEndStored(kId, absl::UnavailableError("away"));
  EXPECT_THAT(session_->TakeEnded(), IsEmpty());
}

TEST_F(CoordinatorSessionTest, NotesAboutAWorkerReachTheStoreInTheirOrder) {
  Start();
  Register("w");
  const auto evicted = session_->Evict("w", "too slow", At(1));
  ASSERT_TRUE(evicted.ok());
  EXPECT_EQ(evicted->note, 2);
  StoreNotes notes = TakeNotes(At(1));
  ASSERT_EQ(notes.workers.size(), 2u);
  EXPECT_EQ(notes.workers[0].quarantine, "");
  EXPECT_EQ(notes.workers[1].quarantine, "too slow");
  EXPECT_EQ(*session_->Unquarantine("w", At(1)), 3);
  session_->OnNotesSaved(notes, absl::UnavailableError("away"));
  EXPECT_EQ(session_->worker_notes_saved(), 0);
  notes = TakeNotes(At(2));
  ASSERT_EQ(notes.workers.size(), 3u);
  EXPECT_EQ(notes.workers[1].quarantine, "too slow");
  EXPECT_EQ(notes.workers[2].quarantine, "");
  EXPECT_EQ(notes.workers[2].slots, 1);
  session_->OnNotesSaved(notes, absl::OkStatus());
  EXPECT_EQ(session_->worker_notes_saved(), 3);
}

TEST_F(CoordinatorSessionTest, ADeposedCoordinatorSendsItsWorkersAway) {
  Start();
  Register("w");
  session_->OnNotesSaved(TakeNotes(At(0)),
                         absl::FailedPreconditionError("another coordinator leads"));
  HeartbeatRequest heartbeat;
  heartbeat.worker = {"w", 1};
  EXPECT_EQ(Code(session_->Register(WorkerInfo(), At(1))), "UNAVAILABLE");
  EXPECT_EQ(Code(session_->RequestLease({"w", 1}, At(1)).status()), "UNAVAILABLE");
  EXPECT_EQ(Code(session_->Heartbeat(heartbeat, At(1)).status()), "UNAVAILABLE");
  EXPECT_EQ(Code(session_->status()), "FAILED_PRECONDITION");
}

TEST_F(CoordinatorSessionTest, ALocalRunStoresOnlyItsWorker) {
  options_.is_local = true;
  Start();
  Register("w");
  ASSERT_TRUE(RequestLease("w").has_value());
  const StoreNotes notes = TakeNotes(At(1));
  EXPECT_EQ(events_.size(), 1u);
  EXPECT_EQ(notes.workers.size(), 1u);
  EXPECT_THAT(notes.leases, IsEmpty());
  session_->OnNotesSaved(notes, absl::OkStatus());
  EXPECT_FALSE(TakeNotes(At(100)).is_for_store);
}

TEST_F(CoordinatorSessionTest, SettingAStateAfterTheLastGameChangesNothing) {
  Start(false, {{0, 100}});
  EXPECT_EQ(Code(session_->MaySetState(kId, TournamentState::kPaused)), "FAILED_PRECONDITION");
  EXPECT_EQ(Code(session_->SetState(kId, TournamentState::kPaused, At(1))), "FAILED_PRECONDITION");
  EXPECT_EQ(session_->Counts().at(0).state, TournamentState::kDone);
  EXPECT_EQ(Code(session_->Status(99, At(1)).status()), "NOT_FOUND");
  EXPECT_EQ(Code(session_->SpecJson(99).status()), "NOT_FOUND");
}

}  // namespace
}  // namespace triarch
