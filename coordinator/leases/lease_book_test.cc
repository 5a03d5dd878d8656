#include "coordinator/leases/lease_book.h"

#include <gtest/gtest.h>

#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "coordinator/leases/test_time.h"

namespace triarch {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using Kind = LeaseEvent::Kind;
using State = TournamentState;
using Time = LeaseBook::Time;

WorkerInfo Worker(const std::string& name, int64_t slots = 1, uint64_t instance = 1) {
  return {.id = {name, instance},
          .slots = slots,
          .games = {"triumvirate"},
          .bots = {{.type = "random", .digest = "r1"}, {.type = "paranoid", .digest = "p1"}},
          .build = "test"};
}

TournamentNeeds Needs() {
  return {.game = "triumvirate", .bots = {"random", "paranoid"}, .digests = {}};
}

std::string Code(const absl::Status& status) {
  return std::string(absl::StatusCodeToString(status.code()));
}

// Tests use letters and numbers: worker "a" has instance 1, and tokens are given without the epoch.
class LeaseBookTest : public testing::Test {
 protected:
  static constexpr uint64_t kEpoch = 3;
  static uint64_t Token(uint64_t count) { return kEpoch << 32 | count; }

  // No worker needs to record a game before it gets a second lease.
  void Make(LeaseRules rules) {
    rules.leases_first = rules.leases_max;
    book_.emplace(rules, kEpoch);
  }
  void SetUp() override { Make({}); }

  void AddTournament(int64_t id, int64_t games, const std::vector<Range>& done = {},
                     State state = State::kActive) {
    book_->AddTournament(id, Ledger(games, RangeSet(done)), Needs(), state);
  }
  void Come(const std::string& name, int64_t slots = 1, double time = 0) {
    ASSERT_EQ(Code(book_->Register(Worker(name, slots), At(time))), "OK");
  }
  // Returns "1 t7 0-3" for a lease with token 1 on games 0 to 3 of tournament 7, "" without a
  // lease, or the error.
  std::string RequestLease(const std::string& name, double time = 0) {
    const auto reply = book_->RequestLease({name, 1}, At(time));
    if (!reply.ok()) return Code(reply.status());
    if (!reply->lease) {
      EXPECT_GT(reply->retry.count(), 0);
      return "";
    }
    const Lease& lease = *reply->lease;
    EXPECT_EQ(lease.token >> 32, kEpoch);
    return absl::StrFormat("%d t%d %s", lease.token & 0xffffffff, lease.tournament,
                           RangeSet({lease.games}).ToString());
  }
  // Returns the cancelled tokens: "2 5".
  std::string Heartbeat(const std::string& name, const std::vector<uint64_t>& counts, double time,
                        uint64_t instance = 1) {
    HeartbeatRequest heartbeat;
    heartbeat.worker = {name, instance};
    for (const uint64_t count : counts) heartbeat.leases.push_back({.token = Token(count)});
    const auto reply = book_->Heartbeat(heartbeat, At(time));
    if (!reply.ok()) return Code(reply.status());
    std::string text;
    for (const uint64_t token : reply->cancelled) {
      if (!text.empty()) text += ' ';
      text += std::to_string(token & 0xffffffff);
    }
    return text;
  }
  static std::vector<int64_t> Indices(Range games) {
    std::vector<int64_t> indices(static_cast<size_t>(games.size()));
    std::iota(indices.begin(), indices.end(), games.first);
    return indices;
  }
  // Returns "fresh 3 4", "stale" or the error.
  std::string Check(const std::string& name, uint64_t count, const std::vector<int64_t>& indices,
                    double time = 0) {
    const auto check = book_->CheckReport({name, 1}, Token(count), indices, At(time));
    if (!check.ok()) return Code(check.status());
    if (!check->is_live) return "stale";
    std::string text = "fresh";
    for (const int64_t index : check->fresh) text += " " + std::to_string(index);
    return text;
  }
  // Reports the games and records the fresh ones.
  bool Report(const std::string& name, uint64_t count, Range games, double time) {
    const auto check = book_->CheckReport({name, 1}, Token(count), Indices(games), At(time));
    EXPECT_TRUE(check.ok() && check->is_live) << count << " " << games.first;
    return book_->Recorded(check->tournament, Token(count), check->fresh, At(time));
  }
  std::string View(int64_t tournament) const {
    const auto view = book_->View(tournament);
    if (!view) return "none";
    return absl::StrFormat("%s %d/%d/%d", std::string(ToString(view->state)), view->open,
                           view->leased, view->done);
  }
  // Returns the live leases with their remaining games: "1 a: 0-3, 2 b: 4-7".
  std::string Leases() const {
    std::string text;
    for (const auto& [token, live] : book_->Leases()) {
      if (!text.empty()) text += ", ";
      text += absl::StrFormat("%d %s: %s", token & 0xffffffff, live.worker.name,
                              live.remaining.ToString());
    }
    return text;
  }
  // Returns events such as "granted 1 a, expired 1 a".
  std::string Events() {
    std::string text;
    for (const LeaseEvent& event : book_->TakeEvents()) {
      if (!text.empty()) text += ", ";
      text += absl::StrFormat("%s %d %s", std::string(ToString(event.kind)),
                              event.lease.token & 0xffffffff, event.worker.name);
    }
    return text;
  }

  std::optional<LeaseBook> book_;
};

// ---- Which workers are served.

TEST_F(LeaseBookTest, LeasesOnlyToRegisteredWorkers) {
  AddTournament(7, 100);
  EXPECT_EQ(RequestLease("a"), "NOT_FOUND");
  EXPECT_EQ(Heartbeat("a", {}, 0), "NOT_FOUND");
  Come("a");
  EXPECT_EQ(RequestLease("a"), "1 t7 0-3");
  EXPECT_EQ(Heartbeat("a", {1}, 1), "");
  EXPECT_EQ(Heartbeat("a", {1}, 1, 2), "NOT_FOUND") << "another instance";
  EXPECT_EQ(View(7), "active 96/4/0");
  EXPECT_EQ(View(8), "none");
}

TEST_F(LeaseBookTest, LeasesOnlyGamesTheWorkerCanPlay) {
  struct Row {
    std::string what;
    std::vector<std::string> games;
    std::vector<HostedBot> bots;
    bool is_served;
  };
  const std::vector<Row> rows = {
      {"all", {"tri_d", "triumvirate"}, {{"random", "x", 0}, {"paranoid", "y", 0}}, true},
      {"no game", {"tri_d"}, {{"random", "x", 0}, {"paranoid", "y", 0}}, false},
      {"no bot", {"triumvirate"}, {{"random", "x", 0}}, false},
      {"nothing", {}, {}, false},
  };
  for (const Row& row : rows) {
    Make({});
    AddTournament(7, 100);
    WorkerInfo worker = Worker("a");
    worker.games = row.games;
    worker.bots = row.bots;
    ASSERT_TRUE(book_->Register(worker, At(0)).ok());
    EXPECT_EQ(RequestLease("a"), row.is_served ? "1 t7 0-3" : "") << row.what;
  }
}

TEST_F(LeaseBookTest, LeasesOnlyToWorkersWithTheDigests) {
  TournamentNeeds needs = Needs();
  needs.digests = {{"random", "r1"}, {"paranoid", "p2"}};
  book_->AddTournament(7, Ledger(100, {}), needs, State::kActive);
  Come("a");
  WorkerInfo other = Worker("b");
  other.bots[1].digest = "p2";
  ASSERT_TRUE(book_->Register(other, At(0)).ok());
  EXPECT_EQ(RequestLease("a"), "");
  EXPECT_EQ(RequestLease("b"), "1 t7 0-3");
  AddTournament(8, 100);
  EXPECT_EQ(RequestLease("a"), "2 t8 0-3");
}

TEST_F(LeaseBookTest, ServesOnlyActiveTournamentsWithOpenGames) {
  AddTournament(9, 100);
  AddTournament(4, 3);
  AddTournament(2, 100, {}, State::kPaused);
  AddTournament(1, 100, {{0, 100}}, State::kDone);
  Come("a", 4);
  EXPECT_EQ(RequestLease("a"), "1 t4 0-2");
  EXPECT_EQ(RequestLease("a"), "2 t9 0-15");
}

TEST_F(LeaseBookTest, ANameBelongsToOneLiveWorker) {
  AddTournament(7, 100);
  Come("a");
  EXPECT_EQ(RequestLease("a"), "1 t7 0-3");
  const WorkerInfo second = Worker("a", 1, 2);
  EXPECT_EQ(Code(book_->Register(second, At(59))), "ALREADY_EXISTS");
  EXPECT_EQ(Code(book_->Register(Worker("a"), At(1))), "OK") << "the same one again";
  EXPECT_EQ(Leases(), "1 a: 0-3");
  EXPECT_EQ(Code(book_->Register(second, At(61))), "OK") << "silent for twice the ttl";
  EXPECT_EQ(Leases(), "");
  EXPECT_EQ(Events(), "granted 1 a, expired 1 a");
  EXPECT_EQ(RequestLease("a"), "NOT_FOUND") << "the first is forgotten";
  EXPECT_EQ(Heartbeat("a", {1}, 62, 2), "1") << "it holds nothing of the first";
}

TEST_F(LeaseBookTest, LimitsTheLeasesOfAWorker) {
  Make({.leases_max = 2});
  AddTournament(7, 100);
  Come("a");
  EXPECT_EQ(RequestLease("a"), "1 t7 0-3");
  EXPECT_EQ(RequestLease("a"), "2 t7 4-7");
  EXPECT_EQ(RequestLease("a"), "");
  Report("a", 1, {0, 4}, 1);
  EXPECT_EQ(RequestLease("a"), "3 t7 8-15");
}

TEST_F(LeaseBookTest, ForgetsWorkersThatLeftLongAgo) {
  AddTournament(7, 100);
  Come("a");
  ASSERT_EQ(RequestLease("a"), "1 t7 0-3");
  Report("a", 1, {0, 4}, 0);
  book_->Quarantine("liar", "it lied");
  ASSERT_EQ(book_->Workers(At(0)).size(), 2u);
  book_->Expire(At(3'599));
  EXPECT_EQ(book_->Workers(At(3'599)).size(), 2u);
  book_->Expire(At(3'601));
  ASSERT_EQ(book_->Workers(At(3'601)).size(), 1u);
  EXPECT_EQ(book_->Workers(At(3'601))[0].info.id.name, "liar");
  EXPECT_EQ(Code(book_->Register(Worker("liar", 1, 77), At(3'602))), "PERMISSION_DENIED");
}

// ---- How large leases are.

TEST_F(LeaseBookTest, ALeaseIsAboutTenSecondsOfPlay) {
  AddTournament(7, 1'000'000);
  Come("a", 2);
  EXPECT_EQ(RequestLease("a", 0), "1 t7 0-7");
  Report("a", 1, {0, 8}, 2);  // 4 per second
  EXPECT_EQ(RequestLease("a", 2), "2 t7 8-39");
  EXPECT_EQ(RequestLease("a", 2), "3 t7 40-79");
  for (int i = 0; i < 20; ++i) {  // 4 per second, as before
    Report("a", 2, {8 + i, 9 + i}, 2 + (i + 1) * 0.25);
  }
  EXPECT_EQ(RequestLease("a", 10), "4 t7 80-119");
}

TEST_F(LeaseBookTest, LeasesGrowStepByStepUpToALimit) {
  Make({.games_max = 500});
  AddTournament(7, 1'000'000);
  Come("a");
  std::vector<int64_t> sizes;
  double time = 0;
  int64_t first = 0;
  for (uint64_t count = 1; count <= 6; ++count) {
    const auto reply = book_->RequestLease({"a", 1}, At(time));
    ASSERT_TRUE(reply.ok() && reply->lease);
    sizes.push_back(reply->lease->games.size());
    time += 2;
    Report("a", count, {first, first + sizes.back()}, time);
    first += sizes.back();
  }
  EXPECT_EQ(sizes, (std::vector<int64_t>{4, 16, 55, 155, 400, 500}));
}

TEST_F(LeaseBookTest, LeasesShrinkTowardsTheEnd) {
  AddTournament(7, 100);
  for (const char* name : {"a", "b", "c", "d"}) Come(name, 1);
  Make({.games_first = 50, .leases_max = 100});
  AddTournament(7, 100);
  for (const char* name : {"a", "b"}) Come(name, 1);
  // Two equal workers: each gets a quarter of the open games, and single games at the end.
  EXPECT_EQ(RequestLease("a"), "1 t7 0-24");
  EXPECT_EQ(RequestLease("b"), "2 t7 25-43");
  EXPECT_EQ(RequestLease("a"), "3 t7 44-57");
  int64_t last = 14;
  int leases = 3;
  while (book_->View(7)->open > 0) {
    const auto reply = book_->RequestLease({leases % 2 == 0 ? "a" : "b", 1}, At(0));
    ASSERT_TRUE(reply.ok() && reply->lease);
    EXPECT_LE(reply->lease->games.size(), last);
    last = reply->lease->games.size();
    ++leases;
  }
  EXPECT_EQ(last, 1);
}

TEST_F(LeaseBookTest, ASlowWorkerGetsLessOfTheRest) {
  Make({.leases_max = 100});
  AddTournament(7, 1'000);
  Come("slow");
  Come("fast");
  EXPECT_EQ(RequestLease("slow", 0), "1 t7 0-3");
  EXPECT_EQ(RequestLease("fast", 0), "2 t7 4-7");
  Report("fast", 2, {4, 8}, 2);  // 2 per second
  Report("slow", 1, {0, 2}, 8);  // 1 per 4 seconds
  EXPECT_EQ(RequestLease("slow", 8), "3 t7 8-9");
  EXPECT_EQ(RequestLease("fast", 8), "4 t7 10-25");
}

// ---- How leases end.

TEST_F(LeaseBookTest, AnUnrenewedLeaseExpires) {
  AddTournament(7, 10);
  Come("a");
  EXPECT_EQ(RequestLease("a"), "1 t7 0-3");
  EXPECT_EQ(Heartbeat("a", {1}, 20), "");
  book_->Expire(At(49));
  EXPECT_EQ(Leases(), "1 a: 0-3");
  Report("a", 1, {0, 1}, 49);  // a report also renews
  book_->Expire(At(78));
  EXPECT_EQ(Leases(), "1 a: 1-3");
  EXPECT_EQ(Heartbeat("a", {}, 78), "") << "a lease that is not named is not renewed";
  book_->Expire(At(79));
  EXPECT_EQ(Leases(), "");
  EXPECT_EQ(View(7), "active 9/0/1");
  EXPECT_EQ(Events(), "granted 1 a, expired 1 a");
  EXPECT_EQ(Check("a", 1, {2}, 79), "stale");
  EXPECT_EQ(Heartbeat("a", {1}, 79), "1");
  EXPECT_EQ(RequestLease("a", 79), "2 t7 1") << "it was slow";
}

TEST_F(LeaseBookTest, ALeaseEndsWhenAllItsGamesAreRecorded) {
  AddTournament(7, 100);
  Come("a");
  EXPECT_EQ(RequestLease("a"), "1 t7 0-3");
  EXPECT_FALSE(Report("a", 1, {0, 3}, 1));
  EXPECT_EQ(Leases(), "1 a: 3");
  EXPECT_FALSE(Report("a", 1, {3, 4}, 2));
  EXPECT_EQ(Events(), "granted 1 a, finished 1 a");
  EXPECT_EQ(View(7), "active 96/0/4");
}

TEST_F(LeaseBookTest, GamesOfAReleasedLeaseAreOpenAgain) {
  AddTournament(7, 8);
  Come("a", 2);
  Come("b");
  EXPECT_EQ(RequestLease("a"), "1 t7 0-1");
  book_->Release({"b", 1}, Token(1), At(1));
  book_->Release({"a", 2}, Token(1), At(1));
  book_->Release({"a", 1}, Token(9), At(1));
  EXPECT_EQ(Leases(), "1 a: 0-1") << "only its own worker can release it";
  book_->Release({"a", 1}, Token(1), At(1));
  EXPECT_EQ(View(7), "active 8/0/0");
  EXPECT_EQ(Events(), "granted 1 a, released 1 a");
}

TEST_F(LeaseBookTest, LeavingEndsAllLeases) {
  AddTournament(7, 100);
  Come("a");
  Come("b");
  EXPECT_EQ(RequestLease("a"), "1 t7 0-3");
  EXPECT_EQ(RequestLease("a"), "2 t7 4-7");
  EXPECT_EQ(RequestLease("b"), "3 t7 8-11");
  book_->Leave({"a", 2}, At(1));
  EXPECT_EQ(Leases(), "1 a: 0-3, 2 a: 4-7, 3 b: 8-11") << "another instance has nothing";
  book_->Leave({"a", 1}, At(1));
  EXPECT_EQ(Leases(), "3 b: 8-11");
  EXPECT_EQ(RequestLease("a"), "NOT_FOUND");
  EXPECT_EQ(Code(book_->Register(Worker("a", 1, 2), At(1))), "OK") << "the name is free";
}

// ---- Stealing.

TEST_F(LeaseBookTest, TheRestOfTheLongestLeaseIsSharedAndTheFirstReportWins) {
  AddTournament(7, 100, {{0, 80}});
  Come("slow", 10);
  Come("fast", 1);
  EXPECT_EQ(RequestLease("slow"), "1 t7 80-89");
  EXPECT_EQ(RequestLease("slow"), "2 t7 90-99");
  EXPECT_EQ(RequestLease("fast", 1), "") << "the slow one has just begun with them";
  EXPECT_EQ(RequestLease("fast", 21), "3 t7 85-89") << "the second half";
  EXPECT_EQ(RequestLease("fast", 21), "4 t7 95-99");
  EXPECT_EQ(RequestLease("fast", 21), "") << "never under three";
  EXPECT_EQ(Leases(), "1 slow: 80-89, 2 slow: 90-99, 3 fast: 85-89, 4 fast: 95-99");
  EXPECT_EQ(View(7), "active 0/20/80");
  // Both play 85: its second report contains nothing fresh.
  Report("fast", 3, {85, 86}, 22);
  EXPECT_EQ(Leases(), "1 slow: 80-84 86-89, 2 slow: 90-99, 3 fast: 86-89, 4 fast: 95-99");
  EXPECT_EQ(Check("slow", 1, {84, 85, 86}, 22), "fresh 84 86");
  // The slow worker finishes first: the thief's lease has no games left and is cancelled.
  Report("slow", 1, {86, 90}, 23);
  EXPECT_EQ(Leases(), "1 slow: 80-84, 2 slow: 90-99, 4 fast: 95-99");
  EXPECT_EQ(Heartbeat("fast", {3, 4}, 24), "3");
  EXPECT_EQ(Check("fast", 3, {87}, 24), "stale");
  EXPECT_EQ(Events(),
            "granted 1 slow, granted 2 slow, stolen 3 fast, stolen 4 fast, "
            "cancelled 3 fast");
}

TEST_F(LeaseBookTest, TheThiefMayFinishFirst) {
  AddTournament(7, 4);
  Come("slow", 4);
  Come("fast", 1);
  EXPECT_EQ(RequestLease("slow"), "1 t7 0-3");
  EXPECT_EQ(RequestLease("fast", 21), "2 t7 2-3");
  Report("fast", 2, {2, 4}, 22);
  EXPECT_EQ(Leases(), "1 slow: 0-1");
  EXPECT_EQ(RequestLease("fast", 22), "3 t7 1") << "half of the rest";
  Report("fast", 3, {1, 2}, 23);
  EXPECT_EQ(RequestLease("fast", 23), "4 t7 0");
  EXPECT_TRUE(Report("fast", 4, {0, 1}, 24));
  EXPECT_EQ(Leases(), "");
  EXPECT_EQ(Heartbeat("slow", {1}, 25), "1");
  EXPECT_EQ(View(7), "done 0/0/4");
}

TEST_F(LeaseBookTest, SharedGamesAreNotOpenedTwice) {
  for (const bool victim_ends : {true, false}) {
    Make({});
    AddTournament(7, 8);
    Come("slow", 8);
    Come("fast", 1);
    EXPECT_EQ(RequestLease("slow"), "1 t7 0-7");
    EXPECT_EQ(RequestLease("fast", 21), "2 t7 4-7");
    if (victim_ends) {
      book_->Leave({"slow", 1}, At(22));
      EXPECT_EQ(View(7), "active 4/4/0");
      EXPECT_EQ(Leases(), "2 fast: 4-7");
      book_->Leave({"fast", 1}, At(22));
    } else {
      book_->Leave({"fast", 1}, At(22));
      EXPECT_EQ(View(7), "active 0/8/0");
      EXPECT_EQ(Leases(), "1 slow: 0-7");
      book_->Leave({"slow", 1}, At(22));
    }
    EXPECT_EQ(View(7), "active 8/0/0");
  }
}

TEST_F(LeaseBookTest, WorkersDoNotStealTheirOwnOrUnplayableGames) {
  AddTournament(7, 4);
  Come("a", 4);
  WorkerInfo other = Worker("b");
  other.games = {"tri_d"};
  ASSERT_TRUE(book_->Register(other, At(0)).ok());
  EXPECT_EQ(RequestLease("a"), "1 t7 0-3");
  EXPECT_EQ(RequestLease("a", 25), "");
  EXPECT_EQ(RequestLease("b", 25), "");
  ASSERT_TRUE(book_->SetState(7, State::kPaused, At(0)).ok());
  Come("c", 1, 25);
  EXPECT_EQ(RequestLease("c", 25), "") << "leases of a paused tournament are played to the end";
}

TEST_F(LeaseBookTest, ANearlyFinishedLeaseIsNotShared) {
  AddTournament(7, 4);
  Come("a");
  EXPECT_EQ(RequestLease("a"), "1 t7 0-1");
  EXPECT_EQ(RequestLease("a"), "2 t7 2");
  EXPECT_EQ(RequestLease("a"), "3 t7 3");
  Come("b");
  Report("a", 1, {0, 1}, 0.5);
  Report("a", 1, {1, 2}, 2);  // 1 per second
  EXPECT_EQ(RequestLease("b", 100), "") << "each takes a second or less";
}

// ---- Reports.

TEST_F(LeaseBookTest, AReportMustBelongToItsLease) {
  AddTournament(7, 100);
  Come("a");
  Come("b");
  EXPECT_EQ(RequestLease("a"), "1 t7 0-3");
  EXPECT_EQ(RequestLease("b"), "2 t7 4-7");
  EXPECT_EQ(Check("b", 1, {0}), "stale") << "another worker's lease";
  EXPECT_EQ(Check("a", 9, {0}), "stale") << "no such token";
  EXPECT_EQ(Check("a", 1, {}), "fresh");
  EXPECT_EQ(Check("a", 1, {3, 1}), "fresh 1 3");
}

TEST_F(LeaseBookTest, AFalseReportEndsTheLease) {
  const std::vector<std::vector<int64_t>> reports = {{4}, {-1}, {0, 99}, {1, 1}, {2, 0, 2}};
  for (const auto& indices : reports) {
    Make({});
    AddTournament(7, 100);
    Come("a");
    EXPECT_EQ(RequestLease("a"), "1 t7 0-3");
    EXPECT_EQ(Check("a", 1, indices), "INVALID_ARGUMENT");
    EXPECT_EQ(Leases(), "");
    EXPECT_EQ(Events(), "granted 1 a, rejected 1 a");
  }
}

TEST_F(LeaseBookTest, FalseReportsQuarantineAWorker) {
  AddTournament(7, 100);
  Come("liar");
  for (uint64_t count = 1; count <= 3; ++count) {
    EXPECT_EQ(RequestLease("liar"), absl::StrFormat("%d t7 0-3", count));
    if (count == 3) {
      EXPECT_EQ(RequestLease("liar"), "4 t7 4-7");
    }
    book_->Reject({"liar", 1}, Token(count), "an illegal move", At(1));
  }
  EXPECT_EQ(Leases(), "") << "all its leases end";
  EXPECT_EQ(View(7), "active 100/0/0");
  EXPECT_EQ(RequestLease("liar"), "PERMISSION_DENIED");
  EXPECT_EQ(Heartbeat("liar", {}, 1), "PERMISSION_DENIED");
  EXPECT_EQ(Code(book_->Register(Worker("liar", 1, 2), At(1))), "PERMISSION_DENIED");
  const auto workers = book_->Workers(At(1));
  ASSERT_EQ(workers.size(), 1u);
  EXPECT_EQ(workers[0].quarantine, "an illegal move");
  EXPECT_EQ(workers[0].rejections, 3);
}

TEST_F(LeaseBookTest, RejectionsAreForgottenInTime) {
  AddTournament(7, 100);
  Come("a");
  EXPECT_EQ(RequestLease("a"), "1 t7 0-3");
  for (int hours = 0; hours < 5; ++hours) {
    book_->Reject({"a", 1}, Token(1), "a flipped bit", At(hours * 3'700));
    book_->Expire(At(hours * 3'700 + 3'650));
    Come("a", 1, hours * 3'700 + 3'650);
  }
  EXPECT_EQ(RequestLease("a", 18'500), "2 t7 0-3");
}

TEST_F(LeaseBookTest, GamesRecordedAfterTheirLeaseEndAreNotPlayedAgain) {
  AddTournament(7, 8);
  Come("a", 4);
  Come("b", 8);
  EXPECT_EQ(RequestLease("a"), "1 t7 0-3");
  EXPECT_EQ(Check("a", 1, {0, 1, 2, 3}, 1), "fresh 0 1 2 3");
  book_->Expire(At(40));  // the store took a long time
  EXPECT_EQ(RequestLease("b", 40), "2 t7 0-7");
  EXPECT_FALSE(book_->Recorded(7, Token(1), std::vector<int64_t>{0, 1, 2, 3}, At(41)));
  EXPECT_EQ(Leases(), "2 b: 4-7");
  EXPECT_EQ(View(7), "active 0/4/4");
  EXPECT_FALSE(book_->Recorded(7, Token(1), std::vector<int64_t>{0, 1, 2, 3}, At(42)));
  EXPECT_EQ(View(7), "active 0/4/4");
}

TEST_F(LeaseBookTest, TheLastGameCompletesTheTournamentOnce) {
  AddTournament(7, 2);
  Come("a", 2);
  EXPECT_EQ(RequestLease("a"), "1 t7 0-1");
  EXPECT_FALSE(book_->Recorded(7, Token(1), std::vector<int64_t>{0}, At(1)));
  EXPECT_TRUE(book_->Recorded(7, Token(1), std::vector<int64_t>{1}, At(1)));
  EXPECT_FALSE(book_->Recorded(7, Token(1), std::vector<int64_t>{1}, At(1)));
  EXPECT_FALSE(book_->Recorded(7, Token(1), {}, At(1)));
}

// ---- States.

TEST_F(LeaseBookTest, RejectsInvalidStateChanges) {
  struct Row {
    State from, to;
    std::string code;
  };
  const std::vector<Row> rows = {
      {State::kActive, State::kPaused, "OK"},
      {State::kActive, State::kActive, "OK"},
      {State::kActive, State::kCancelled, "OK"},
      {State::kPaused, State::kActive, "OK"},
      {State::kPaused, State::kCancelled, "OK"},
      {State::kCancelled, State::kActive, "FAILED_PRECONDITION"},
      {State::kCancelled, State::kPaused, "FAILED_PRECONDITION"},
      {State::kCancelled, State::kCancelled, "OK"},
      {State::kDone, State::kActive, "FAILED_PRECONDITION"},
      {State::kDone, State::kPaused, "FAILED_PRECONDITION"},
      {State::kDone, State::kCancelled, "FAILED_PRECONDITION"},
  };
  for (const Row& row : rows) {
    Make({});
    AddTournament(7, 10, {}, row.from);
    EXPECT_EQ(Code(book_->SetState(7, row.to, At(0))), row.code)
        << std::string(ToString(row.from)) << " to " << std::string(ToString(row.to));
    EXPECT_EQ(book_->View(7)->state, row.code == "OK" ? row.to : row.from);
  }
  EXPECT_EQ(Code(book_->SetState(99, State::kPaused, At(0))), "NOT_FOUND");
}

TEST_F(LeaseBookTest, LeasesOfAPausedTournamentArePlayedOut) {
  AddTournament(7, 100);
  Come("a");
  EXPECT_EQ(RequestLease("a"), "1 t7 0-3");
  ASSERT_TRUE(book_->SetState(7, State::kPaused, At(0)).ok());
  EXPECT_EQ(RequestLease("a"), "");
  EXPECT_EQ(Heartbeat("a", {1}, 1), "");
  Report("a", 1, {0, 4}, 2);
  EXPECT_EQ(View(7), "paused 96/0/4");
  ASSERT_TRUE(book_->SetState(7, State::kActive, At(0)).ok());
  EXPECT_EQ(RequestLease("a", 2), "2 t7 4-19");
}

TEST_F(LeaseBookTest, CancellingEndsTheLeases) {
  AddTournament(7, 8);
  AddTournament(8, 100);
  Come("a", 8);
  Come("b", 1);
  EXPECT_EQ(RequestLease("a"), "1 t7 0-7");
  EXPECT_EQ(RequestLease("a"), "2 t8 0-24");
  EXPECT_EQ(Check("a", 1, {0}, 1), "fresh 0");
  ASSERT_TRUE(book_->SetState(7, State::kCancelled, At(0)).ok());
  EXPECT_EQ(Leases(), "2 a: 0-24");
  EXPECT_EQ(Events(), "granted 1 a, granted 2 a, cancelled 1 a");
  EXPECT_EQ(Heartbeat("a", {1, 2}, 1), "1");
  EXPECT_EQ(Check("a", 1, {0}, 1), "stale");
  // Pending games are counted, but change no state.
  EXPECT_FALSE(book_->Recorded(7, Token(1), std::vector<int64_t>{0, 1, 2, 3, 4, 5, 6, 7}, At(2)));
  EXPECT_EQ(View(7), "cancelled 0/0/8");
}

// ---- Successive coordinators.

TEST_F(LeaseBookTest, TokensBeginWithTheEpoch) {
  AddTournament(7, 100);
  Come("a");
  EXPECT_EQ(book_->RequestLease({"a", 1}, At(0))->lease->token, Token(1));
  LeaseBook next({}, kEpoch + 1);
  next.AddTournament(7, Ledger(100, RangeSet()), Needs(), State::kActive);
  ASSERT_TRUE(next.Register(Worker("a"), At(0)).ok());
  EXPECT_GT(next.RequestLease({"a", 1}, At(0))->lease->token, Token(1'000'000));
}

TEST_F(LeaseBookTest, RestoredLeasesLiveOn) {
  const auto restore = [&](const std::string& name, uint64_t token, int64_t tournament,
                           Range games) {
    book_->Restore({name, 1}, {.tournament = tournament, .games = games, .token = token, .ttl = {}},
                   At(0));
  };
  AddTournament(7, 20, {{0, 2}});
  AddTournament(8, 20, {}, State::kCancelled);
  AddTournament(9, 20, {{19, 20}}, State::kPaused);
  AddTournament(10, 20);
  restore("a", 1, 7, {0, 6});
  restore("b", 2, 7, {4, 8});    // shares the rest of the first
  restore("b", 3, 7, {0, 4});    // has no games left
  restore("b", 4, 8, {0, 4});    // belongs to a cancelled tournament
  restore("b", 5, 9, {0, 4});    // paused: its leases are played to the end
  restore("b", 6, 99, {0, 4});   // unknown tournament
  restore("b", 7, 10, {0, 4});   // nothing is recorded, so its bots' digests are unknown
  restore("a", 1, 7, {10, 12});  // already exists
  EXPECT_EQ(Leases(), "1 a: 2-5, 2 b: 6-7, 5 b: 0-3");
  EXPECT_EQ(View(7), "active 12/6/2");
  EXPECT_EQ(Events(), "cancelled 3 b, cancelled 4 b, cancelled 7 b")
      << "so that the store forgets them";
  // Their workers continue, even before they register.
  const auto check = book_->CheckReport({"a", 1}, 1, std::vector<int64_t>{1, 2}, At(1));
  ASSERT_TRUE(check.ok() && check->is_live);
  EXPECT_EQ(check->fresh, std::vector<int64_t>{2});
  book_->Recorded(7, 1, check->fresh, At(1));
  EXPECT_EQ(Leases(), "1 a: 3-5, 2 b: 6-7, 5 b: 0-3");
  // A game of the second lease that the first has claimed.
  book_->Recorded(7, 2, std::vector<int64_t>{4, 5, 6, 7}, At(2));
  EXPECT_EQ(Leases(), "1 a: 3, 5 b: 0-3");
  book_->Expire(At(31));
  EXPECT_EQ(Leases(), "");
  EXPECT_EQ(View(7), "active 13/0/7") << "one ttl after they were restored or last heard of";
}

TEST_F(LeaseBookTest, ShowsItsWorkers) {
  AddTournament(7, 100);
  Come("a", 3);
  RequestLease("a");
  HeartbeatRequest heartbeat;
  heartbeat.worker = {"a", 1};
  heartbeat.busy_slots = 2;
  heartbeat.games_held = 5;
  heartbeat.cpu_seconds = 1.5;
  ASSERT_TRUE(book_->Heartbeat(heartbeat, At(10)).ok());
  Report("a", 1, {0, 2}, 12);
  const auto workers = book_->Workers(At(13));
  ASSERT_EQ(workers.size(), 1u);
  EXPECT_EQ(workers[0].info.slots, 3);
  EXPECT_TRUE(workers[0].is_alive);
  EXPECT_EQ(workers[0].busy_slots, 2);
  EXPECT_EQ(workers[0].games_held, 5);
  EXPECT_EQ(workers[0].leases, 1);
  EXPECT_EQ(workers[0].games_recorded, 2);
  EXPECT_EQ(workers[0].cpu_seconds, 1.5);
  EXPECT_EQ(workers[0].last_seen, seconds(1));
  EXPECT_FALSE(book_->Workers(At(73))[0].is_alive);
}

TEST_F(LeaseBookTest, EventsIncludeTheAgeOfAnEndedLease) {
  AddTournament(7, 4);
  Come("a", 4);
  RequestLease("a", 1);
  Report("a", 1, {0, 4}, 3.5);
  const auto events = book_->TakeEvents();
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].kind, Kind::kGranted);
  EXPECT_EQ(events[1].kind, Kind::kFinished);
  EXPECT_EQ(events[1].age, milliseconds(2'500));
  EXPECT_TRUE(book_->TakeEvents().empty());
}

}  // namespace
}  // namespace triarch
