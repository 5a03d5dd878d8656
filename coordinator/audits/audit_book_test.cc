#include "coordinator/audits/audit_book.h"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <set>
#include <string>
#include <vector>

namespace triarch {
namespace {

using Ids = std::vector<int64_t>;

AuditBook::Time At(double seconds) {
  return AuditBook::Time(std::chrono::hours(10)) +
         std::chrono::duration_cast<AuditBook::Time::duration>(
             std::chrono::duration<double>(seconds));
}

constexpr int64_t kAudits = 5;

class AuditBookTest : public testing::Test {
 protected:
  static Auditor A(const std::string& worker, const std::string& owner) {
    return {.worker = worker, .owner = owner, .is_audited = owner != "operator"};
  }
  HeldReport Report(const Auditor& reporter, int64_t games, int64_t tournament = 1) {
    HeldReport report{.id = ++report_,
                      .tournament = tournament,
                      .worker = reporter.worker,
                      .owner = reporter.owner,
                      .audits = kAudits,
                      .games = Ids(static_cast<size_t>(games))};
    std::iota(report.games.begin(), report.games.end(), game_);
    game_ += games;
    return report;
  }
  int64_t Hold(const Auditor& reporter, int64_t games, int64_t tournament = 1) {
    book_.Hold(Report(reporter, games, tournament));
    return report_;
  }
  void Tick(double time) {
    book_.Tick([](const std::string&, int64_t) { return true; }, At(time));
  }
  std::optional<Audit> Next(const Auditor& auditor, double time) {
    return book_.Next(
        auditor, [](int64_t) { return true; }, At(time));
  }
  // Lets all of these workers take and answer audits until none is left. A worker whose name is in
  // `answers` answers that; others repeat the report.
  void PlayAll(const std::vector<Auditor>& auditors,
               const std::map<std::string, std::string>& answers = {}, double time = 0) {
    bool is_idle = false;
    while (!is_idle) {
      is_idle = true;
      for (const Auditor& auditor : auditors) book_.NoteAlive(auditor, At(time));
      Tick(time);
      for (const Auditor& auditor : auditors) {
        const auto audit = Next(auditor, time);
        if (!audit) continue;
        is_idle = false;
        const auto answer = answers.find(auditor.worker);
        book_.Answer(audit->id, auditor, "x", answer == answers.end() ? "x" : answer->second,
                     At(time));
      }
    }
  }
  std::map<AuditOutcome::Kind, int> Outcomes(const AuditBook::Results& results) {
    std::map<AuditOutcome::Kind, int> counts;
    for (const AuditOutcome& outcome : results.outcomes) ++counts[outcome.kind];
    return counts;
  }

  const Auditor ann_ = A("ann", "a");
  const Auditor bob_ = A("bob", "b");
  const Auditor cid_ = A("cid", "c");
  const Auditor own_ = A("own", "operator");
  AuditBook book_{{}, "secret"};
  int64_t report_ = 0;
  int64_t game_ = 0;
};

TEST_F(AuditBookTest, CountsGamesAfterTheirAudits) {
  const int64_t first = Hold(ann_, 40);
  EXPECT_GE(book_.Views().at(1).open_audits, kAudits);
  EXPECT_EQ(book_.Views().at(1).held_games, 40);
  PlayAll({bob_});
  const AuditBook::Results results = book_.TakeResults();
  EXPECT_EQ(results.confirmed, Ids{first});
  EXPECT_TRUE(results.lies.empty());
  EXPECT_EQ(book_.Views().at(1).held_games, 0);
  EXPECT_EQ(book_.Views().at(1).passes, Outcomes(results)[AuditOutcome::kPassed]);
}

TEST_F(AuditBookTest, ConfirmsNothingBeforeEnoughPasses) {
  Hold(ann_, 1);
  PlayAll({bob_});
  EXPECT_TRUE(book_.TakeResults().confirmed.empty()) << "1 of 5";
  book_.Settle(1);
  EXPECT_EQ(book_.TakeResults().confirmed, Ids{1}) << "all its games were audited";
}

TEST_F(AuditBookTest, AuditsNewWorkersALotAndTrustedOnesALittle) {
  book_.Restore({{{"ann", 7}, 1000}});
  Hold(ann_, 5000);
  EXPECT_NEAR(static_cast<double>(book_.Views().at(1).open_audits), 100, 50);
  Hold(bob_, 5000, 2);
  // The k-th audit comes after about k²/2 games, and from the 50th on 2 % of the games are audited.
  EXPECT_NEAR(static_cast<double>(book_.Views().at(2).open_audits), 49 + 75, 60);
  Hold(cid_, 1, 3);
  EXPECT_EQ(book_.Views().at(3).open_audits, 1) << "the first game";
}

TEST_F(AuditBookTest, TheChoiceFollowsFromTheSecret) {
  const auto games_of = [&](const std::string& secret) {
    AuditBook book({}, secret);
    HeldReport report = Report(ann_, 200);
    std::iota(report.games.begin(), report.games.end(), 0);
    book.Hold(report);
    book.NoteAlive(bob_, At(0));
    book.Tick([](const std::string&, int64_t) { return true; }, At(0));
    Ids games;
    while (const auto audit = book.Next(
               bob_, [](int64_t) { return true; }, At(0))) {
      games.push_back(audit->game);
    }
    return games;
  };
  EXPECT_EQ(games_of("one"), games_of("one"));
  EXPECT_NE(games_of("one"), games_of("two"));
}

TEST_F(AuditBookTest, SettlingChoosesAsManyGamesAsPassesLack) {
  book_.Restore({{{"ann", 1}, 1000}});
  Hold(ann_, 20);
  book_.Settle(1);
  EXPECT_GE(book_.Views().at(1).open_audits, kAudits);
  EXPECT_LE(book_.Views().at(1).open_audits, kAudits + 4);
  const int64_t open = book_.Views().at(1).open_audits;
  book_.Settle(1);
  EXPECT_EQ(book_.Views().at(1).open_audits, open) << "nothing more";
  PlayAll({bob_});
  EXPECT_EQ(book_.TakeResults().confirmed, Ids{1});
}

TEST_F(AuditBookTest, NoWorkerOfTheSameOwnerAudits) {
  Hold(ann_, 10);
  PlayAll({ann_, A("ann2", "a")});
  EXPECT_TRUE(book_.TakeResults().outcomes.empty());
  PlayAll({bob_});
  EXPECT_FALSE(book_.TakeResults().outcomes.empty());
}

TEST_F(AuditBookTest, TheBookDrawsAndNotTheQuickest) {
  book_.NoteAlive(bob_, At(0));
  book_.NoteAlive(cid_, At(0));
  for (int i = 0; i < 40; ++i) Hold(A("w" + std::to_string(i), "a"), 1);
  Tick(0);
  int bobs = 0;
  while (Next(bob_, 1)) ++bobs;
  EXPECT_GT(bobs, 5);
  EXPECT_LT(bobs, 35);
}

TEST_F(AuditBookTest, NewNamesAreRarelyDrawn) {
  book_.Restore({{{"bob", 7}, 100}});
  book_.NoteAlive(bob_, At(0));
  for (int i = 0; i < 10; ++i) book_.NoteAlive(A("new" + std::to_string(i), "c"), At(0));
  for (int i = 0; i < 100; ++i) Hold(A("w" + std::to_string(i), "a"), 1);
  Tick(0);
  int bobs = 0;
  while (Next(bob_, 1)) ++bobs;
  EXPECT_GT(bobs, 65) << "of 100; 50 of 60 draws on average";
}

TEST_F(AuditBookTest, DrawsAgainIfTheAuditorTakesNothing) {
  Hold(ann_, 1);
  book_.NoteAlive(bob_, At(0));
  Tick(0);
  book_.NoteAlive(cid_, At(50));
  book_.NoteAlive(bob_, At(61));
  book_.Forget("bob");
  Tick(61);
  EXPECT_FALSE(Next(bob_, 62));
  book_.NoteAlive(cid_, At(100));
  EXPECT_TRUE(Next(cid_, 100));
}

TEST_F(AuditBookTest, DrawsAgainAfterAMinute) {
  for (int i = 0; i < 20; ++i) Hold(A("w" + std::to_string(i), "a"), 1);
  book_.NoteAlive(bob_, At(0));
  Tick(0);
  book_.NoteAlive(bob_, At(61));
  book_.NoteAlive(cid_, At(61));
  Tick(61);
  EXPECT_TRUE(Next(cid_, 61)) << "all 20 were drawn again";
}

TEST_F(AuditBookTest, DrawsAgainIfALeaseEnds) {
  Hold(ann_, 1);
  book_.NoteAlive(bob_, At(0));
  Tick(0);
  const auto audit = Next(bob_, 0);
  ASSERT_TRUE(audit);
  book_.GiveBack(audit->id, "cid");
  book_.GiveBack(audit->id, "bob");
  book_.Answer(audit->id, bob_, "x", "y", At(1));
  book_.Forget("bob");
  book_.NoteAlive(cid_, At(1));
  Tick(1);
  EXPECT_EQ(Next(cid_, 1)->id, audit->id);
  EXPECT_TRUE(book_.TakeResults().outcomes.empty()) << "bob's answer came too late";
}

TEST_F(AuditBookTest, DrawsOnlyWorkersThatCanPlay) {
  Hold(ann_, 1);
  const auto only_cid = [](const std::string& worker, int64_t tournament) {
    return worker == "cid" && tournament == 1;
  };
  book_.NoteAlive(bob_, At(0));
  book_.Tick(only_cid, At(0));
  book_.NoteAlive(cid_, At(0));
  book_.Tick(only_cid, At(1));
  EXPECT_FALSE(Next(bob_, 1));
  EXPECT_FALSE(book_.Next(
      cid_, [](int64_t) { return false; }, At(1)))
      << "not any more";
  book_.Tick(only_cid, At(2));
  EXPECT_TRUE(Next(cid_, 2));
}

TEST_F(AuditBookTest, AForgerLosesItsReportsOfAllTournaments) {
  Hold(ann_, 10, 1);
  Hold(ann_, 10, 2);
  const Auditor dan = A("dan", "d");
  PlayAll({bob_, cid_, dan}, {{"bob", "y"}, {"cid", "y"}, {"dan", "y"}});
  const AuditBook::Results results = book_.TakeResults();
  ASSERT_EQ(results.lies.size(), 1u);
  EXPECT_EQ(results.lies[0].worker, "ann");
  EXPECT_EQ(results.lies[0].reports, (Ids{1, 2}));
  EXPECT_NE(results.lies[0].why.find("its report of game "), std::string::npos);
  EXPECT_TRUE(results.confirmed.empty());
  EXPECT_EQ(Outcomes(results), (std::map<AuditOutcome::Kind, int>{{AuditOutcome::kLied, 1}}));
  for (const auto& [id, view] : book_.Views()) EXPECT_EQ(view.open_audits + view.held_games, 0);
}

TEST_F(AuditBookTest, ALyingAuditorLosesItsReports) {
  Hold(bob_, 1, 2);
  Hold(ann_, 1);
  PlayAll({bob_, own_}, {{"bob", "y"}});
  AuditBook::Results results = book_.TakeResults();
  // The operator's worker may have been drawn first; then bob has nothing to lie about.
  for (int i = 0; results.lies.empty() && i < 200; ++i) {
    Hold(A("w" + std::to_string(i), "a"), 1);
    PlayAll({bob_, own_}, {{"bob", "y"}});
    results = book_.TakeResults();
  }
  ASSERT_EQ(results.lies.size(), 1u);
  EXPECT_EQ(results.lies[0].worker, "bob");
  EXPECT_EQ(Outcomes(results)[AuditOutcome::kAuditorLied], 1);
  EXPECT_EQ(Outcomes(results)[AuditOutcome::kPassed], 1) << "the report was right";
}

TEST_F(AuditBookTest, TheOperatorsWorkerFindsTwoLiars) {
  Hold(ann_, 1);
  book_.NoteAlive(bob_, At(0));
  Tick(0);
  book_.Answer(Next(bob_, 0)->id, bob_, "x", "y", At(0));
  PlayAll({own_}, {{"own", "z"}});
  EXPECT_EQ(book_.TakeResults().lies.size(), 2u);
}

TEST_F(AuditBookTest, AnIrreproducibleGameIsReported) {
  Hold(ann_, 1);
  const Auditor dan = A("dan", "d");
  const Auditor eve = A("eve", "e");
  PlayAll({bob_, cid_, dan, eve}, {{"bob", "1"}, {"cid", "2"}, {"dan", "3"}, {"eve", "4"}});
  const AuditBook::Results results = book_.TakeResults();
  EXPECT_TRUE(results.lies.empty());
  ASSERT_EQ(results.outcomes.size(), 1u);
  EXPECT_EQ(results.outcomes[0].kind, AuditOutcome::kIrreproducible);
  EXPECT_EQ(results.outcomes[0].audit.tournament, 1);
}

TEST_F(AuditBookTest, AsksNoMoreIfThreeGamesAreIrreproducible) {
  Hold(ann_, 3);
  book_.Settle(1);
  const Auditor dan = A("dan", "d");
  const Auditor eve = A("eve", "e");
  PlayAll({bob_, cid_, dan, eve}, {{"bob", "1"}, {"cid", "2"}, {"dan", "3"}, {"eve", "4"}});
  EXPECT_EQ(book_.ViewOf(1).voids, 3);
  EXPECT_TRUE(book_.IsIrreproducible(1));
  Hold(cid_, 10);
  book_.Settle(1);
  EXPECT_EQ(book_.ViewOf(1).open_audits, 0);
  EXPECT_TRUE(book_.TakeResults().confirmed.empty());

  AuditBook next({}, "secret");
  next.Restore({}, {{1, 3}});
  EXPECT_TRUE(next.IsIrreproducible(1));
  next.Restore({{{"ann", 1}, 61}}, {{1, 3}});
  EXPECT_FALSE(next.IsIrreproducible(1)) << "less than 5 % of the audits";
}

TEST_F(AuditBookTest, TellsOfAuditsWithoutAnAuditor) {
  Hold(ann_, 1);
  Tick(0);
  EXPECT_EQ(book_.ViewOf(1).undrawn_audits, 1);
  book_.NoteAlive(ann_, At(1));
  Tick(1);
  EXPECT_EQ(book_.ViewOf(1).undrawn_audits, 1) << "its owner's worker cannot play it";
  book_.NoteAlive(bob_, At(2));
  Tick(2);
  EXPECT_EQ(book_.ViewOf(1).undrawn_audits, 0);
}

TEST_F(AuditBookTest, RepeatsTheAuditsThatALiarAnswered) {
  Hold(ann_, 1);
  PlayAll({bob_});
  EXPECT_EQ(book_.Views().at(1).passes, 1);
  Hold(bob_, 1);
  PlayAll({cid_, own_}, {{"cid", "y"}, {"own", "y"}});
  const AuditBook::Results results = book_.TakeResults();
  ASSERT_EQ(results.lies.size(), 2u);
  EXPECT_EQ(results.lies[0].worker, "bob");
  EXPECT_EQ(Outcomes(results)[AuditOutcome::kRevoked], 1);
  EXPECT_EQ(results.lies[1].worker, "ann") << "found by the repeated audit";
}

TEST_F(AuditBookTest, DroppingATournamentEndsItsAudits) {
  Hold(ann_, 10);
  book_.NoteAlive(bob_, At(0));
  Tick(0);
  const auto audit = Next(bob_, 0);
  book_.Drop(1);
  book_.Answer(audit->id, bob_, "x", "y", At(1));
  EXPECT_FALSE(Next(bob_, 1));
  EXPECT_TRUE(book_.Views().empty());
  EXPECT_TRUE(book_.TakeResults().lies.empty());
}

TEST_F(AuditBookTest, GoesOnAfterARestart) {
  book_.Restore({{{"ann", 1}, 12}});
  HeldReport report = Report(ann_, 30);
  report.passes_before = 9;
  EXPECT_EQ(book_.Hold(report, true), 9);
  EXPECT_EQ(book_.Views().at(1).open_audits, 0);
  book_.Settle(1);
  EXPECT_EQ(book_.Views().at(1).open_audits, 2) << "3 of 5 were passed before";
  PlayAll({bob_});
  EXPECT_EQ(book_.TakeResults().confirmed, Ids{1});
}

}  // namespace
}  // namespace triarch
