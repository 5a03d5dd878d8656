#include "bots/smart/smart.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <set>
#include <string>
#include <string_view>

#include "bots/bots.h"
#include "core/any_state.h"
#include "core/attackers.h"
#include "core/base/text.h"
#include "core/evaluate.h"
#include "core/games.h"
#include "core/text.h"

namespace triarch {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

using Triumvirate = triumvirate::Position;
using ThreeWay = three_way::Position;
using TriD = tri_d::Position;

template <Position P>
P Read(const std::string& text) {
  const absl::StatusOr<P> position = Parse(kGame<P>, text);
  EXPECT_TRUE(position.ok()) << text << ": " << position.status();
  return position.ok() ? *position : P();
}

// Returns a position with three kings at home and the given pieces.
Triumvirate InTriumvirate(const std::string& pieces, const std::string& turn = "w") {
  return Read<Triumvirate>("wKE1,bKI8,rKI12," + pieces + ' ' + turn + " w-.b-.r- - aaa 0 1");
}

// Pieces as "wke4 gko4 bkd15": seat, type, cell.
ThreeWay InThreeWay(std::string_view pieces, char turn = 'W') {
  std::array<std::array<char, ThreeWay::kCells>, 3> types{};
  for (const std::string_view piece : Split(pieces, ' ')) {
    const auto cell = three_way::Cell::Parse(piece.substr(2));
    EXPECT_TRUE(cell) << piece;
    types[std::string_view("wgb").find(piece[0])][static_cast<size_t>(cell->index())] = piece[1];
  }
  std::string text;
  for (const auto& own : types) {
    for (size_t i = 0; i < own.size(); ++i) {
      if (i % 8 == 0 && i > 0) text += '/';
      text += own[i] == '\0' ? '1' : own[i];
    }
    text += ' ';
  }
  return Read<ThreeWay>(text + turn + " ------ --- 0 20");
}

// Takes the rows of the main boards W, N and B from the highest rank down; the kings are placed
// apart.
TriD InTriD(const std::string& white, const std::string& neutral, const std::string& black,
            const std::string& turn = "w") {
  return Read<TriD>("QL1,KL1,QL6,KL6 " + white + '|' + neutral + '|' + black +
                    "|2/2|2/K1|2/2|k1/2 " + turn + " - - 0 10");
}

template <Position P>
CellNumber CellOf(const P& position, std::string_view name) {
  for (int i = 0; i < P::kCells; ++i) {
    if (CellText(position, i) == name) return CellNumber::At(i);
  }
  ADD_FAILURE() << "no cell " << name;
  return CellNumber::At(0);
}

// "White A1: 100 -100 0", or "nobody".
template <Position P>
std::string Taken(const P& position, std::string_view cell, Seat first) {
  const Survey<P> survey(position);
  if (!survey.all.contains(CellOf(position, cell))) return "an empty cell";
  const Exchange exchange = ExchangeOn<P>(survey, CellOf(position, cell)).Resolve(first);
  if (!exchange.by) return "nobody";
  std::string text =
      P::kInfo.seat_name(*exchange.by) + ' ' + CellText(position, exchange.from.index()) + ':';
  for (size_t i = 0; i < P::kInfo.seats; ++i) {
    text += ' ' + std::to_string(exchange.change[SeatAt(i)]);
  }
  return text;
}

template <Position P>
std::string Played(const P& position, uint64_t seed = 1) {
  Smart<P> bot;
  bot.NewGame(position.to_move(), seed);
  return MoveToString(position, bot.Search(GameState<P>(position), Limits()).move);
}

// ---- Attackers.

// Calls f(position) along random games.
template <Position P, class F>
void AlongRandomGames(int games, F f) {
  Random random(7);
  for (int game = 0; game < games; ++game) {
    P position = *Start(kGame<P>, "");
    for (int ply = 0; ply < 160 && !position.outcome(); ++ply) {
      f(position);
      const auto moves = position.LegalMoves();
      position.Play(moves[random.Below(static_cast<uint32_t>(moves.size()))]);
    }
  }
}

TEST(Attackers, OfAKingGiveCheck) {
  ForEachGame(Games(), []<class P>() {
    int checks = 0;
    AlongRandomGames<P>(6, [&](const P& position) {
      const Survey<P> survey(position);
      for (size_t i = 0; i < P::kInfo.seats; ++i) {
        const Seat seat = SeatAt(i);
        AnyOf(survey.owned[seat], [&](CellNumber cell) {
          if (survey.WorthAt(cell) < kKingWorth || !position.is_in(seat)) return false;
          const bool is_attacked = !(survey.AttackersOn(cell) & ~survey.owned[seat]).empty();
          EXPECT_EQ(is_attacked, position.in_check(seat)) << ToString(position);
          checks += is_attacked ? 1 : 0;
          return false;
        });
      }
    });
    EXPECT_GT(checks, 0) << P::kInfo.name;
    return false;
  });
}

TEST(Attackers, HaveTheValuesOfTheEvaluation) {
  ForEachGame(Games(), []<class P>() {
    const P start = *Start(kGame<P>, "");
    const Survey<P> survey(start);
    for (size_t i = 1; i < P::kInfo.seats; ++i) {
      EXPECT_EQ(survey.material[SeatAt(i)], survey.material[Seat::kFirst]) << P::kInfo.name;
    }
    EXPECT_NEAR(survey.material[Seat::kFirst], Evaluate(start)[Seat::kFirst], 400);
    return false;
  });
}

// ---- Exchanges.

TEST(Exchange, CapturesAHangingPiece) {
  const Triumvirate position = InTriumvirate("wRA1,bPA7");
  EXPECT_EQ(Taken(position, "A7", Seat::kFirst), "White A1: 100 -100 0");
  EXPECT_EQ(Taken(position, "A1", Seat::kSecond), "nobody");
}

TEST(Exchange, LeavesDefendedPieces) {
  EXPECT_EQ(Taken(InTriumvirate("wRA1,bPA7,bRA8"), "A7", Seat::kFirst), "nobody");
}

TEST(Exchange, SeesTheRookBehindTheRook) {
  // Black does not recapture, because that would be an even exchange at best.
  EXPECT_EQ(Taken(InTriumvirate("wRA1,wRA2,bPA7,bRA8"), "A7", Seat::kFirst),
            "White A2: 100 -100 0");
}

TEST(Exchange, AThirdSeatDefendsToo) {
  // Black's knight is undefended, but Red's rook is next to recapture.
  EXPECT_EQ(Taken(InTriumvirate("wRA1,bNA5,rRL5"), "A5", Seat::kFirst), "nobody");
  // A queen is worth a rook to both White and Red.
  EXPECT_EQ(Taken(InTriumvirate("wRA1,wPD2,bQA5,rRL5"), "A5", Seat::kFirst),
            "White A1: 400 -900 500");
}

TEST(Exchange, TheFirstInTurnOrderCapturesFirst) {
  // With a knight at stake neither wants to capture first, with a queen both do.
  const Triumvirate queen = InTriumvirate("wRA1,wPD2,bQA5,rRL5");
  EXPECT_EQ(Taken(queen, "A5", Seat::kSecond), "Red L5: 500 -900 400");
  EXPECT_EQ(Taken(InTriumvirate("wRA1,bNA5,rRL5"), "A5", Seat::kThird), "nobody");
}

TEST(Exchange, AKingCapturesOnlyUndefendedPieces) {
  EXPECT_EQ(Taken(InTriumvirate("bNE2"), "E2", Seat::kFirst), "White E1: 300 -300 0");
  EXPECT_EQ(Taken(InTriumvirate("bNE2,bRA2"), "E2", Seat::kFirst), "nobody");
  EXPECT_EQ(Taken(InTriumvirate("bNE2,rRA2"), "E2", Seat::kFirst), "nobody");
}

TEST(Exchange, InThreeWay) {
  const std::string kings = "wke4 gko4 bkd15 ";
  EXPECT_EQ(Taken(InThreeWay(kings + "wrh4 gph7"), "h7", Seat::kFirst), "White h4: 90 -90 0");
  EXPECT_EQ(Taken(InThreeWay(kings + "wrh4 gph7 grh8"), "h7", Seat::kFirst), "nobody");
  EXPECT_EQ(Taken(InThreeWay(kings + "wrh4 gph7 brh8"), "h7", Seat::kFirst), "nobody");
}

TEST(Exchange, InTriD) {
  const TriD hanging = InTriD("4/4/R3/4", "4/4/n3/4", "4/4/4/4");
  EXPECT_EQ(Taken(hanging, "a4N", Seat::kFirst), "White a2W: 325 -325");
  const TriD defended = InTriD("4/4/R3/4", "4/4/n3/4", "4/r3/4/4");
  EXPECT_EQ(Taken(defended, "a4N", Seat::kFirst), "nobody");
}

// ---- Threats.

TEST(Threats, AreFoundWithTheirSeverity) {
  const Triumvirate position = InTriumvirate("wQA3,wNB1,wPH2,bRA8,rRG12,rPG4,bBC8,bRB8");
  const Survey<Triumvirate> survey(position);
  const Threats threats = ThreatsAgainst(survey, Seat::kFirst, Seat::kSecond);
  ASSERT_EQ(threats.size(), 2u);  // no piece of Red can reach the pawn
  EXPECT_EQ(ThreatText(position, threats[0]),
            "critical: Black takes the queen on A3 from A8, -400");
  EXPECT_EQ(ThreatText(position, threats[1]),
            "serious: Black takes the knight on B1 from B8, -300");
  EXPECT_EQ(threats[0].gain, 400);  // the knight captures the rook
}

TEST(Threats, OfAPawnAreMinor) {
  const Triumvirate position = InTriumvirate("wPA3,bRA8");
  const Threats threats =
      ThreatsAgainst(Survey<Triumvirate>(position), Seat::kFirst, Seat::kSecond);
  ASSERT_EQ(threats.size(), 1u);
  EXPECT_EQ(SeverityOf(threats[0]), Severity::kMinor);
}

TEST(Threats, ChancesAreSortedByGain) {
  const Triumvirate position = InTriumvirate("wRA1,bNA5,rBH1");
  const Threats chances = ChancesOf(Survey<Triumvirate>(position), Seat::kFirst);
  ASSERT_EQ(chances.size(), 1u);  // the king blocks the line between the rook and the bishop
  EXPECT_EQ(chances[0].gain, 300);
  EXPECT_EQ(chances[0].victim, Seat::kSecond);
}

TEST(Threats, InTriD) {
  const TriD position = InTriD("4/4/Q3/4", "4/4/r3/4", "4/4/4/4", "b");
  const Threats threats = ThreatsAgainst(Survey<TriD>(position), Seat::kFirst, Seat::kSecond);
  ASSERT_EQ(threats.size(), 1u);
  EXPECT_EQ(ThreatText(position, threats[0]),
            "critical: Black takes the queen on a2W from a4N, -950");
}

// ---- Roles.

template <Position P>
std::string Roles(const P& position) {
  const PerSeat<Role> roles = RolesOf(Survey<P>(position));
  std::string text;
  for (size_t i = 0; i < P::kInfo.seats; ++i) {
    if (i > 0) text += ' ';
    text += RoleName(roles[SeatAt(i)]);
  }
  return text;
}

TEST(Roles, DependOnMaterial) {
  ForEachGame(Games(), []<class P>() {
    EXPECT_THAT(Roles(*Start(kGame<P>, "")), StartsWith("middle middle"));
    return false;
  });
  EXPECT_EQ(Roles(InTriumvirate("wQA1,bRA8,rPL11")), "leader middle underdog");
  EXPECT_EQ(Roles(InTriumvirate("wQA1,bQA8,rPL11")), "middle middle underdog");
  EXPECT_EQ(Roles(InThreeWay("wke4 gko4 bkd15 gqh7")), "middle leader middle");
  EXPECT_EQ(Roles(InThreeWay("wkh4 wqh5 gkk8 gpj8")), "leader underdog out");
  EXPECT_EQ(Roles(InTriD("4/4/R3/4", "4/4/4/4", "4/4/4/4")), "leader underdog");
}

TEST(Roles, NoSeatTargetsItselfOrAnEliminatedSeat) {
  const ThreeWay position = InThreeWay("wkh4 wqh5 gkk8 gpj8");
  const Survey<ThreeWay> survey(position);
  const PerSeat<int> aims = AimsOf<ThreeWay>(RolesOf(survey), Seat::kFirst);
  EXPECT_EQ(aims[Seat::kFirst], 0);
  EXPECT_EQ(aims[Seat::kSecond], 100);
  EXPECT_EQ(aims[Seat::kThird], 0);
}

// ---- Moves.

TEST(Smart, CapturesAHangingPiece) {
  EXPECT_EQ(Played(InTriumvirate("wRA1,wPD2,bQA5")), "A1-A5");
  EXPECT_EQ(Played(InThreeWay("wke4 gko4 bkd15 wrh4 gqh7")), "h4-h7");
  EXPECT_EQ(Played(InTriD("4/4/R3/4", "4/4/n3/4", "4/4/4/4")), "a2W-a4N");
}

TEST(Smart, DoesNotMakeALosingCapture) {
  EXPECT_NE(Played(InTriumvirate("wQA1,bPA7,bRA8")), "A1-A7");
  EXPECT_NE(Played(InTriumvirate("wQA1,bNA5,rRL5")), "A1-A5");
}

TEST(Smart, MovesAnAttackedQueen) {
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    EXPECT_THAT(Played(InTriumvirate("wQB3,bPC6,bRB8,bRC8"), seed), StartsWith("B3-"));
  }
  EXPECT_THAT(Played(InTriD("4/4/Q3/4", "4/4/r3/4", "4/r3/4/4")), StartsWith("a2W-"));
}

// Returns how many seats are in. (Eliminating one of three may be wrong if the third inherits the
// army or mates next.)
template <Position P>
size_t CountIn(const P& position) {
  size_t count = 0;
  for (size_t i = 0; i < P::kInfo.seats; ++i) count += position.is_in(SeatAt(i)) ? 1 : 0;
  return count;
}

template <Position P>
P After(P position, typename P::Move move) {
  position.Play(move);
  return position;
}

TEST(Smart, MatesInOne) {
  ForEachGame(Games(), []<class P>() {
    int mates = 0;
    AlongRandomGames<P>(80, [&](const P& position) {
      const auto moves = position.LegalMoves();
      const bool has_mate = std::any_of(moves.begin(), moves.end(), [&](auto move) {
        const P next = After(position, move);
        return next.is_in(position.to_move()) && CountIn(next) == 1;
      });
      if (!has_mate) return;
      ++mates;
      const P next = After(position, *ParseMove(position, Played(position)));
      EXPECT_EQ(CountIn(next), 1u) << ToString(position);
    });
    // Random games of Triumvirate rarely end.
    EXPECT_TRUE(mates > 3 || P::kInfo.name == "triumvirate") << P::kInfo.name;
    return false;
  });
}

TEST(Smart, PreventsMateInOne) {
  ForEachGame(Games(), []<class P>() {
    int mates = 0;
    AlongRandomGames<P>(20, [&](const P& position) {
      const Seat me = position.to_move();
      const auto allows_mate = [&](const P& next) {
        const auto answers = next.LegalMoves();
        return next.to_move() != me && std::any_of(answers.begin(), answers.end(), [&](auto move) {
                 return !After(next, move).is_in(me);
               });
      };
      const auto moves = position.LegalMoves();
      const bool is_in_danger = std::any_of(moves.begin(), moves.end(), [&](auto move) {
        return allows_mate(After(position, move));
      });
      const bool is_safe = std::any_of(moves.begin(), moves.end(), [&](auto move) {
        return !allows_mate(After(position, move));
      });
      if (!is_in_danger || !is_safe) return;
      ++mates;
      EXPECT_FALSE(allows_mate(After(position, *ParseMove(position, Played(position)))))
          << ToString(position);
    });
    EXPECT_GT(mates, P::kInfo.seats == 2 ? 3 : 0) << P::kInfo.name;
    return false;
  });
}

// The player that mates inherits the mated king's army, and all of it counts in the rating.
TEST(Smart, CountsAnInheritedArmy) {
  AlongRandomGames<Triumvirate>(80, [](const Triumvirate& position) {
    const Seat me = position.to_move();
    const Triumvirate next = After(position, *ParseMove(position, Played(position)));
    if (CountIn(next) == CountIn(position) || next.outcome()) return;
    const int before = Survey<Triumvirate>(position).material[me];
    const int after = Survey<Triumvirate>(next).material[me];
    Smart<Triumvirate> bot;
    bot.NewGame(me, 1);
    bot.Search(GameState<Triumvirate>(position), Limits());
    if (after - before < 1000) return;
    const std::string explanation = bot.Explain(GameState<Triumvirate>(position));
    const size_t at = explanation.find("material +") + 10;
    EXPECT_GT(std::stoi(explanation.substr(at)), after - before) << explanation;
  });
}

TEST(Smart, TiesAreBrokenByTheSeed) {
  const Triumvirate start = *Start(kGame<Triumvirate>, "");
  std::set<std::string> moves;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    moves.insert(Played(start, seed));
    EXPECT_EQ(Played(start, seed), Played(start, seed));
  }
  EXPECT_LE(moves.size(), 8u);
}

TEST(Smart, WeighsAllMovesAndExplainsTheBest) {
  ForEachGame(Games(), []<class P>() {
    const GameState<P> state(*Start(kGame<P>, ""));
    Smart<P> bot;
    bot.NewGame(Seat::kFirst, 1);
    const auto result = bot.Search(state, Limits());
    const auto policy = bot.Policy();
    EXPECT_EQ(policy.size(), state.position().CountLegalMoves());
    EXPECT_EQ(policy.front().move, result.move);
    float sum = 0;
    for (const auto& [move, weight] : policy) {
      sum += weight;
      EXPECT_LE(weight, policy.front().weight);
    }
    EXPECT_NEAR(sum, 1, 1e-4);
    const std::string explanation = bot.Explain(state);
    EXPECT_THAT(explanation,
                StartsWith("plays " + MoveToString(state.position(), result.move) + ' '));
    for (const char* part :
         {"material ", "defence ", "tactics ", "position ", "risk ", "roles: ", "threats: none"}) {
      EXPECT_THAT(explanation, HasSubstr(part));
    }
    return false;
  });
}

TEST(Smart, ThePlayerReportsPolicyAndExplanation) {
  const AnyState state = *AnyState::Start("tri-d", "");
  const auto player = MakePlayer(state.info(), {.name = "smart", .bot = "smart"});
  ASSERT_TRUE(player.ok()) << player.status();
  (*player)->NewGame(Seat::kFirst, 1);
  const std::atomic<bool> stop = false;
  SearchInfo search_info;
  SearchLimits limits;
  limits.stop = &stop;
  limits.search_info = &search_info;
  const Decision decision = (*player)->Choose(state, state.LegalMoves(), limits);
  EXPECT_EQ(search_info.policy.size(), state.LegalMoves().size());
  EXPECT_THAT(search_info.explanation, StartsWith("plays "));
  EXPECT_GE(decision.nodes, static_cast<int64_t>(state.LegalMoves().size()));
}

TEST(Smart, WeightsTurnPartsOff) {
  const GameState<Triumvirate> state(InTriumvirate("wRA1,wPD2,bQA5"));
  Smart<Triumvirate> blind({.material = 0, .tactics = 0});
  blind.NewGame(Seat::kFirst, 1);
  blind.Search(state, Limits());
  EXPECT_THAT(blind.Explain(state), HasSubstr("material +0, "));
}

}  // namespace
}  // namespace triarch
