#include "core/record/adjudicator.h"

#include <limits>
#include <string>

#include "core/record/material.h"
#include "gtest/gtest.h"

namespace triarch {
namespace {

using Eval = std::optional<PerSeat<double>>;

const Eval kSecondWins = PerSeat<double>{{0.02, 0.95, 0.03}};
const Eval kThirdWins = PerSeat<double>{{0.02, 0.03, 0.95}};
const Eval kOpen = PerSeat<double>{{0.3, 0.4, 0.3}};
const Eval kEven = PerSeat<double>{{0.34, 0.32, 0.34}};

const EarlyEnd kSecondByEvals{Seat::kSecond, Termination::kAdjudication};
const EarlyEnd kDrawByEvals{{}, Termination::kAdjudication};
const EarlyEnd kDrawByMaterial{{}, Termination::kMaterialAdjudication};
const EarlyEnd kPlyLimit{{}, Termination::kPlyLimit};

AnyState Start(const std::string& game = "triumvirate") {
  return AnyState::Start(game, "").value();
}

AnyState At(const std::string& game, const std::string& position) {
  return AnyState::Parse(game, position).value();
}

TEST(AdjudicatorTest, DrawsAtPliesMax) {
  Adjudicator adjudicator({.plies_max = 2});
  EXPECT_EQ(adjudicator.AddPly(Start(), std::nullopt), std::nullopt);
  EXPECT_EQ(adjudicator.AddPly(Start(), std::nullopt), kPlyLimit);
}

TEST(AdjudicatorTest, AWinNeedsWinPliesInARow) {
  Adjudicator adjudicator({.win_share = 0.9, .win_plies = 3});
  EXPECT_EQ(adjudicator.AddPly(Start(), kSecondWins), std::nullopt);
  EXPECT_EQ(adjudicator.AddPly(Start(), kSecondWins), std::nullopt);
  EXPECT_EQ(adjudicator.AddPly(Start(), kSecondWins), kSecondByEvals);
}

TEST(AdjudicatorTest, ADifferentOrMissingEvaluationBreaksTheRow) {
  for (const Eval& other : {kThirdWins, kOpen, Eval()}) {
    Adjudicator adjudicator({.win_share = 0.9, .win_plies = 3});
    for (const Eval& eval : {kSecondWins, kSecondWins, other, kSecondWins, kSecondWins}) {
      EXPECT_EQ(adjudicator.AddPly(Start(), eval), std::nullopt);
    }
    EXPECT_EQ(adjudicator.AddPly(Start(), kSecondWins), kSecondByEvals);
  }
}

TEST(AdjudicatorTest, AnEliminatedSeatCannotWin) {
  Adjudicator adjudicator({.win_share = 0.9, .win_plies = 1});
  AnyState state = Start();
  state.Eliminate(Seat::kSecond, Termination::kResignation);
  EXPECT_EQ(adjudicator.AddPly(state, kSecondWins), std::nullopt);
}

TEST(AdjudicatorTest, ByDefaultEvaluationsDecideNothing) {
  Adjudicator adjudicator({.win_plies = 1, .draw_plies = 1, .draw_after = 0});
  EXPECT_EQ(adjudicator.AddPly(Start(), kSecondWins), std::nullopt);
  EXPECT_EQ(adjudicator.AddPly(Start(), kEven), std::nullopt);
}

TEST(AdjudicatorTest, IgnoresInvalidEvaluations) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  Adjudicator adjudicator(
      {.win_share = 0.9, .win_plies = 1, .draw_margin = 0.5, .draw_plies = 1, .draw_after = 0});
  EXPECT_EQ(adjudicator.AddPly(Start(), PerSeat<double>{{kNan, kNan, kNan}}), std::nullopt);
}

TEST(AdjudicatorTest, IgnoresTheThirdSeatOfATwoPlayerGame) {
  Adjudicator adjudicator({.win_share = 0.9, .win_plies = 1});
  EXPECT_EQ(adjudicator.AddPly(Start("tri-d"), PerSeat<double>{{0.5, 0.5, 1}}), std::nullopt);
}

// ---- Draws by evaluations.

TEST(AdjudicatorTest, ADrawNeedsEvenEvaluationsInARow) {
  for (const Eval& other : {kOpen, Eval()}) {
    Adjudicator adjudicator({.draw_margin = 0.02, .draw_plies = 3, .draw_after = 0});
    for (const Eval& eval : {kEven, kEven, other, kEven, kEven}) {
      EXPECT_EQ(adjudicator.AddPly(Start(), eval), std::nullopt);
    }
    EXPECT_EQ(adjudicator.AddPly(Start(), kEven), kDrawByEvals);
  }
}

TEST(AdjudicatorTest, ADrawWaitsForItsPly) {
  Adjudicator adjudicator({.draw_margin = 0.02, .draw_plies = 2, .draw_after = 5});
  for (int ply = 1; ply < 5; ++ply) {
    EXPECT_EQ(adjudicator.AddPly(Start(), kEven), std::nullopt) << ply;
  }
  EXPECT_EQ(adjudicator.AddPly(Start(), kEven), kDrawByEvals);
}

TEST(AdjudicatorTest, TheSurvivorsShareThePoints) {
  AnyState state = Start();
  state.Eliminate(Seat::kThird, Termination::kResignation);
  const Adjudication limits{.draw_margin = 0.02, .draw_plies = 1, .draw_after = 0};
  EXPECT_EQ(Adjudicator(limits).AddPly(state, kEven), std::nullopt);
  EXPECT_EQ(Adjudicator(limits).AddPly(state, PerSeat<double>{{0.51, 0.49, 0}}), kDrawByEvals);
}

// ---- Material.

// White has a queen and a rook more than Black.
constexpr const char* kTriDQueenUp =
    "QL1,KL1,QL6,KL6 4/4/Q2R/2K1|4/4/4/4|4/2k1/4/4|2/2|2/2|2/2|2/2 w - - 3 30";

TEST(MaterialTest, CountsPiecesWithoutKings) {
  const PerSeat<int64_t> tri_d = MaterialOf(At("tri-d", kTriDQueenUp));
  EXPECT_GT(tri_d[Seat::kFirst], 1000);
  EXPECT_LT(tri_d[Seat::kFirst], 3000);
  EXPECT_EQ(tri_d[Seat::kSecond], 0);
  for (const GameInfo* game : AllGames()) {
    const PerSeat<int64_t> material = MaterialOf(Start(std::string(game->name)));
    EXPECT_GT(material[Seat::kFirst], 3000) << game->name;
    EXPECT_LT(material[Seat::kFirst], 6000) << game->name;
    EXPECT_EQ(material[Seat::kSecond], material[Seat::kFirst]) << game->name;
  }
}

TEST(AdjudicatorTest, AWinByMaterialNeedsALeadForSomePlies) {
  Adjudicator adjudicator({.win_material = 1000, .material_plies = 2});
  const AnyState ahead = At("tri-d", kTriDQueenUp);
  EXPECT_EQ(adjudicator.AddPly(ahead, std::nullopt), std::nullopt);
  EXPECT_EQ(adjudicator.AddPly(Start("tri-d"), std::nullopt), std::nullopt);
  EXPECT_EQ(adjudicator.AddPly(ahead, std::nullopt), std::nullopt);
  EXPECT_EQ(adjudicator.AddPly(ahead, std::nullopt),
            (EarlyEnd{Seat::kFirst, Termination::kMaterialAdjudication}));
  EXPECT_EQ(Adjudicator({.win_material = 5000, .material_plies = 1}).AddPly(ahead, {}),
            std::nullopt);
}

TEST(AdjudicatorTest, TheLeadCountsAgainstEverySurvivor) {
  AnyState state = At("triumvirate", "wKA1,wQB1,bKA8,bQB7,rKL12,rPK11 w w-.b-.r- - aaa 0 1");
  const Adjudication limits{.win_material = 500, .material_plies = 1};
  EXPECT_EQ(Adjudicator(limits).AddPly(state, {}), std::nullopt);
}

TEST(AdjudicatorTest, ADrawByMaterialNeedsIdlePlies) {
  // Three plies without a capture or pawn move, and kings only.
  const AnyState even =
      At("tri-d", "QL1,KL1,QL6,KL6 4/4/R3/2K1|4/4/4/4|4/2k1/3r/4|2/2|2/2|2/2|2/2 w - - 3 30");
  Adjudicator adjudicator({.idle_plies = 3, .idle_material = 0});
  EXPECT_EQ(adjudicator.AddPly(even, {}), std::nullopt) << "only one of them was played";
  EXPECT_EQ(adjudicator.AddPly(even, {}), std::nullopt);
  EXPECT_EQ(adjudicator.AddPly(even, {}), kDrawByMaterial);
  Adjudicator longer({.idle_plies = 4, .idle_material = 0});
  for (int ply = 0; ply < 5; ++ply) EXPECT_EQ(longer.AddPly(even, {}), std::nullopt);
  Adjudicator unequal({.idle_plies = 3, .idle_material = 100});
  for (int ply = 0; ply < 5; ++ply) {
    EXPECT_EQ(unequal.AddPly(At("tri-d", kTriDQueenUp), {}), std::nullopt);
  }
}

}  // namespace
}  // namespace triarch
