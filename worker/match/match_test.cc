#include "worker/match/match.h"

#include <chrono>
#include <ctime>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "core/record/tpgn.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "worker/match/cpu_meter.h"
#include "worker/match/scripted_player.h"

namespace triarch {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;
using ::testing::Optional;
using Kind = RecordedEvent::Kind;

// White mates Black with D2-D8 and then owns Black's pawn.
constexpr char kMateInOne[] = "bKA8,wKB6,bPB7,wRD2,rPK11,rKL12 w w-.b-.r- - aaa 0 7";

Decision Answer(Decision::Kind kind, size_t move = 0) {
  Decision decision;
  decision.kind = kind;
  decision.move = move;
  return decision;
}

Decision FirstMove(const AnyState&, const AnyState::Moves&, const SearchLimits&) {
  return Answer(Decision::Kind::kMove);
}
Decision Resign(const AnyState&, const AnyState::Moves&, const SearchLimits&) {
  return Answer(Decision::Kind::kResign);
}
Decision ClaimDraw(const AnyState&, const AnyState::Moves&, const SearchLimits&) {
  return Answer(Decision::Kind::kClaimDraw);
}
Decision Throw(const AnyState&, const AnyState::Moves&, const SearchLimits&) {
  throw std::runtime_error("out of ideas");
}
Decision OutOfRange(const AnyState&, const AnyState::Moves& moves, const SearchLimits&) {
  return Answer(Decision::Kind::kMove, moves.size());
}
// A clock that moves only when a script changes it.
std::chrono::steady_clock::time_point fake_now;
std::chrono::steady_clock::time_point FakeNow() { return fake_now; }

// Thinks for this long, whatever the deadline.
Script Slow(milliseconds time) {
  return [time](const AnyState&, const AnyState::Moves&, const SearchLimits&) {
    fake_now += time;
    return Answer(Decision::Kind::kMove);
  };
}
// Plays these moves and then resigns.
Script Plays(std::vector<std::string> texts) {
  return [texts, next = size_t{0}](const AnyState& state, const AnyState::Moves& moves,
                                   const SearchLimits&) mutable {
    if (next == texts.size()) return Answer(Decision::Kind::kResign);
    return Answer(Decision::Kind::kMove, state.FindMove(moves, texts[next++]).value());
  };
}

GameSpec MakeSpec() {
  GameSpec spec;
  spec.index = 4;
  spec.match = 2;
  spec.game = "triumvirate";
  for (size_t i = 0; i < kSeatsMax; ++i) spec.seats[SeatAt(i)].name = "bot" + std::to_string(i);
  spec.seed = 17;
  return spec;
}

absl::StatusOr<std::optional<GameRecord>> TryPlay(const GameSpec& spec,
                                                  const PerSeat<PlayerRef>& players,
                                                  bool is_stopped = false) {
  const std::atomic<bool> stop = is_stopped;
  return PlayGame(spec, players, stop, FakeNow);
}

// Plays a game with three scripts. Its record must replay by the rules to the same end.
GameRecord Play(const GameSpec& spec, Script first, Script second, Script third) {
  ScriptedPlayer players[] = {ScriptedPlayer(first), ScriptedPlayer(second), ScriptedPlayer(third)};
  const auto record = TryPlay(spec, {{&players[0], &players[1], &players[2]}});
  EXPECT_TRUE(record.ok()) << record.status();
  return record.value().value();
}

void ExpectReplays(const GameRecord& record) {
  const std::string text = WriteTpgn(record);
  TpgnReader reader(text);
  const auto game = reader.Next();
  ASSERT_TRUE(game && game->ok()) << text;
  const absl::StatusOr<GameRecord> replayed = ReplayTpgn(**game);
  ASSERT_TRUE(replayed.ok()) << replayed.status() << "\n" << text;
  EXPECT_EQ(WriteTpgn(*replayed), text);
  EXPECT_EQ(replayed->outcome, record.outcome);
  EXPECT_EQ(replayed->endings, record.endings);
  EXPECT_EQ(replayed->plies, record.plies);
}

// Returns what happened, without the costs: "White forfeits", "E2-E4", …
std::string Story(const GameRecord& record) {
  std::string story;
  for (const RecordedEvent& event : record.events) {
    if (!story.empty()) story += ' ';
    story += "wbr"[Index(event.seat)];
    story += ':';
    if (event.kind == Kind::kMove) {
      story += event.move;
      story += event.is_elimination ? "#" : event.is_check ? "+" : "";
    } else if (event.kind == Kind::kClaimDraw) {
      story += "claim";
    } else {
      story += ToString(event.why);
    }
  }
  return story;
}

TEST(PlayGameTest, MateIsMarkedAndTheGameContinues) {
  GameSpec spec = MakeSpec();
  spec.position = kMateInOne;
  const GameRecord record = Play(spec, Plays({"D2-D8"}), Throw, Resign);
  EXPECT_EQ(Story(record), "w:D2-D8# r:resignation");
  EXPECT_EQ(record.outcome, (Outcome{{{1, 3, 2}}, Termination::kResignation}));
  EXPECT_THAT(record.endings[Seat::kSecond], Optional(Termination::kCheckmate));
  EXPECT_THAT(record.endings[Seat::kThird], Optional(Termination::kResignation));
  EXPECT_EQ(record.endings[Seat::kFirst], std::nullopt);
  EXPECT_EQ(record.plies, 1);
  EXPECT_EQ(record.position, kMateInOne);
  EXPECT_EQ(record.first_round, 7);
  ExpectReplays(record);
}

TEST(PlayGameTest, CheckIsMarked) {
  GameSpec spec = MakeSpec();
  spec.position = "wKA1,bKA8,wRD2,rKL12,rPK11 w w-.b-.r- - aaa 0 1";
  EXPECT_EQ(Story(Play(spec, Plays({"D2-D8"}), Resign, Resign)),
            "w:D2-D8+ b:resignation r:resignation");
}

TEST(PlayGameTest, TheRecordIdentifiesTheGame) {
  GameSpec spec = MakeSpec();
  spec.time_control.nodes = 100;
  spec.draw_rules.draws = Draws::kClaimed;
  const GameRecord record = Play(spec, Resign, Resign, FirstMove);
  EXPECT_EQ(record.index, 4);
  EXPECT_EQ(record.match, 2);
  EXPECT_EQ(record.game, "triumvirate");
  EXPECT_EQ(record.seed, 17u);
  EXPECT_EQ(record.bots, (PerSeat<std::string>{{"bot0", "bot1", "bot2"}}));
  EXPECT_EQ(record.date, "????.??.??");
  EXPECT_EQ(record.time_control, "nodes=100");
  EXPECT_EQ(record.draw_rules.draws, Draws::kClaimed);
  EXPECT_EQ(record.position, "");
  EXPECT_TRUE(record.is_finished);
}

struct Fault {
  const char* name;
  Script script;
  Termination why;
};

class FaultTest : public ::testing::TestWithParam<Fault> {};

TEST_P(FaultTest, ForfeitsAndPlayContinues) {
  GameSpec spec = MakeSpec();
  spec.position = kMateInOne;
  spec.time_control.movetime_ms = 100;
  const Fault& fault = GetParam();
  // Black moves its king and forfeits on its next turn; the heir, Red, gets its pawn.
  int turn = 0;
  const GameRecord record = Play(
      spec, Plays({"D2-C2", "C2-D2"}),
      [&](const AnyState& state, const AnyState::Moves& moves, const SearchLimits& limits) {
        return ++turn == 1 ? FirstMove(state, moves, limits) : fault.script(state, moves, limits);
      },
      [&](const AnyState& state, const AnyState::Moves&, const SearchLimits&) {
        if (turn < 2) return Answer(Decision::Kind::kMove);
        EXPECT_THAT(state.ToString(), HasSubstr("bP>rB"));
        EXPECT_THAT(state.ToString(), HasSubstr("axa"));
        return Answer(Decision::Kind::kResign);
      });
  EXPECT_THAT(record.endings[Seat::kSecond], Optional(fault.why));
  EXPECT_THAT(record.endings[Seat::kThird], Optional(Termination::kResignation));
  EXPECT_EQ(record.outcome, (Outcome{{{1, 3, 2}}, Termination::kResignation}));
  EXPECT_EQ(record.events[4].kind,
            fault.why == Termination::kResignation ? Kind::kResign : Kind::kForfeit);
  EXPECT_EQ(record.events[4].why, fault.why);
  EXPECT_EQ(record.plies, 4);
  EXPECT_EQ(record.costs[Seat::kSecond].moves, 1);
  ExpectReplays(record);
}

INSTANTIATE_TEST_SUITE_P(All, FaultTest,
                         ::testing::Values(Fault{"crash", Throw, Termination::kCrash},
                                           Fault{"illegal", OutOfRange, Termination::kIllegalMove},
                                           Fault{"insists", ClaimDraw, Termination::kIllegalMove},
                                           Fault{"slow", Slow(milliseconds(151)),
                                                 Termination::kTimeForfeit},
                                           Fault{"resigns", Resign, Termination::kResignation}),
                         [](const auto& fault) { return std::string(fault.param.name); });

TEST(PlayGameTest, TheLastSeatToFallWins) {
  const GameRecord record = Play(MakeSpec(), Throw, Throw, Throw);
  EXPECT_EQ(Story(record), "w:crash b:crash");
  EXPECT_EQ(record.outcome, (Outcome{{{3, 2, 1}}, Termination::kCrash}));
  EXPECT_EQ(record.plies, 0);
  ExpectReplays(record);
}

class NewGameThrows : public RandomPlayer {
 public:
  void NewGame(Seat, uint64_t) override { throw 7; }
};

TEST(PlayGameTest, APlayerThatCannotBeginForfeitsBeforeItsFirstMove) {
  NewGameThrows broken;
  ScriptedPlayer resigns(Resign);
  GameSpec spec = MakeSpec();
  spec.opening = {"E2-E4"};
  const auto record = TryPlay(spec, {{&resigns, &resigns, &broken}});
  ASSERT_TRUE(record.ok() && *record);
  EXPECT_EQ(Story(**record), "w:E2-E4 r:crash b:resignation");
  EXPECT_EQ((*record)->outcome, (Outcome{{{1, 2, 3}}, Termination::kResignation}));
  ExpectReplays(**record);
}

TEST(PlayGameTest, APlayerIsNotLateWithinTheMargin) {
  GameSpec spec = MakeSpec();
  spec.time_control.movetime_ms = 100;
  spec.adjudication.plies_max = 3;
  const GameRecord record =
      Play(spec, Slow(milliseconds(150)), Slow(milliseconds(3)), Slow(milliseconds(100)));
  EXPECT_EQ(record.outcome, (Outcome{{{1, 1, 1}}, Termination::kPlyLimit}));
  EXPECT_EQ(record.events[0].clock_ms, 150);
  EXPECT_EQ(record.events[1].clock_ms, 3);
  SeatCost cost = record.costs[Seat::kThird];
  EXPECT_LT(cost.cpu_us.value(), 100'000) << "CPU time of this thread; the clock is simulated";
  cost.cpu_us.reset();
  EXPECT_EQ(cost, (SeatCost{.moves = 1, .nodes = 0, .time_us = 100'000}));
  EXPECT_EQ(record.time_control, "movetime_ms=100");
  ExpectReplays(record);
}

TEST(PlayGameTest, ClocksRunDownAndFall) {
  GameSpec spec = MakeSpec();
  spec.time_control.clock = {.base_ms = 1000, .increment_ms = 100};
  spec.adjudication.plies_max = 9;
  const GameRecord record =
      Play(spec, Slow(milliseconds(600)), Slow(milliseconds(100)), Slow(milliseconds(50)));
  // White has 500 ms left after its first move, but its second takes 600 ms.
  EXPECT_EQ(record.events[0].clock_ms, 500);
  EXPECT_EQ(record.events[1].clock_ms, 1000);
  EXPECT_EQ(record.events[2].clock_ms, 1050);
  EXPECT_EQ(record.events[3].why, Termination::kTimeForfeit);
  EXPECT_EQ(record.outcome, (Outcome{{{3, 1, 1}}, Termination::kPlyLimit}));
  ExpectReplays(record);
}

TEST(PlayGameTest, EachSessionOfMovesAddsTime) {
  GameSpec spec = MakeSpec();
  spec.time_control.clock = {.base_ms = 1000, .moves = 2};
  spec.adjudication.plies_max = 12;
  const GameRecord record =
      Play(spec, Slow(milliseconds(400)), Slow(milliseconds(520)), Slow(milliseconds(0)));
  EXPECT_EQ(record.time_control, "2/1");
  EXPECT_EQ(record.events[0].clock_ms, 600);
  EXPECT_EQ(record.events[3].clock_ms, 1200) << "what is left is kept";
  EXPECT_EQ(record.events[6].clock_ms, 800);
  EXPECT_EQ(record.events[9].clock_ms, 1400);
  EXPECT_EQ(record.events[4].clock_ms, 1000) << "40 ms late, within the margin";
  ExpectReplays(record);
}

TEST(PlayGameTest, EachBotHasItsOwnLimits) {
  GameSpec spec = MakeSpec();
  spec.time_control = {.nodes = 50, .clock = ClockSpec{.base_ms = 1000}};
  spec.seats[Seat::kSecond].limits.clock = {.base_ms = 200, .increment_ms = 30};
  spec.seats[Seat::kThird].bot = "paranoid";
  spec.seats[Seat::kThird].options = {{"depth", "2"}};
  spec.adjudication.plies_max = 3;
  const auto looks = [](std::optional<int64_t> nodes, std::optional<int64_t> depth, int64_t ms) {
    return [=](const AnyState&, const AnyState::Moves&, const SearchLimits& limits) {
      EXPECT_EQ(limits.nodes, nodes);
      EXPECT_EQ(limits.depth, depth);
      EXPECT_EQ(limits.deadline, fake_now + milliseconds(ms));
      return Answer(Decision::Kind::kMove);
    };
  };
  const GameRecord record = Play(spec, looks(50, {}, 40), looks({}, {}, 38), looks({}, 2, 40));
  EXPECT_EQ(record.events[1].clock_ms, 230);
  EXPECT_EQ(record.events[2].clock_ms, 1000);
  EXPECT_EQ(record.time_control, "1 nodes=50");
  EXPECT_EQ(record.time_controls.values,
            (std::array<std::string, kSeatsMax>{"", "0.2+0.03", "1 depth=2"}));
  ExpectReplays(record);
}

TEST(PlayGameTest, OnlySomeBotsMayHaveClocks) {
  GameSpec spec = MakeSpec();
  spec.seats[Seat::kSecond].limits.movetime_ms = 10;
  spec.adjudication.plies_max = 9;
  const GameRecord record = Play(spec, Slow(milliseconds(500)), Slow(milliseconds(61)), FirstMove);
  EXPECT_EQ(record.endings[Seat::kSecond], Termination::kTimeForfeit);
  EXPECT_EQ(record.events[0].clock_ms, std::nullopt);
  ExpectReplays(record);
}

TEST(PlayGameTest, PlayersReceiveTheirLimits) {
  GameSpec spec = MakeSpec();
  spec.time_control.nodes = 50;
  spec.time_control.depth = 2;
  spec.time_control.movetime_ms = 10;
  const auto look = [](const AnyState&, const AnyState::Moves&, const SearchLimits& limits) {
    EXPECT_EQ(limits.nodes, 50);
    EXPECT_EQ(limits.depth, 2);
    EXPECT_EQ(limits.deadline, fake_now + milliseconds(10));
    EXPECT_NE(limits.stop, nullptr);
    return Answer(Decision::Kind::kResign);
  };
  Play(spec, look, look, look);
}

TEST(PlayGameTest, WithoutTimeLimitsNothingInTheTpgnDependsOnTheClock) {
  GameSpec spec = MakeSpec();
  spec.adjudication.plies_max = 30;
  const GameRecord slow = Play(spec, Slow(milliseconds(9)), FirstMove, FirstMove);
  const GameRecord fast = Play(spec, FirstMove, FirstMove, FirstMove);
  EXPECT_EQ(WriteTpgn(slow), WriteTpgn(fast));
  EXPECT_EQ(slow.costs[Seat::kFirst].time_us, 90'000);
}

// Claims a draw once every turn, otherwise moves its king back and forth.
Script ClaimsOnce(int* claims) {
  return [claims, has_claimed = false](const AnyState& state, const AnyState::Moves& moves,
                                       const SearchLimits&) mutable {
    has_claimed = !has_claimed;
    if (has_claimed) {
      ++*claims;
      return Answer(Decision::Kind::kClaimDraw);
    }
    for (const char* text : {"A1-A2", "A2-A1"}) {
      const auto number = state.FindMove(moves, text);
      if (number.ok()) return Answer(Decision::Kind::kMove, *number);
    }
    return Answer(Decision::Kind::kMove);
  };
}

TEST(PlayGameTest, AnInvalidClaimIsIgnoredAndAValidOneEndsTheGame) {
  GameSpec spec = MakeSpec();
  spec.position = "wKA1,bKA8,bPB7,rKL12,rPK11 w w-.b-.r- - aaa 0 1";
  spec.draw_rules.draws = Draws::kClaimed;
  int claims = 0;
  const auto shuffle = [](const char* there, const char* back) {
    return Plays({there, back, there, back, there, back, there, back});
  };
  const GameRecord record =
      Play(spec, ClaimsOnce(&claims), shuffle("A8-B8", "B8-A8"), shuffle("L12-K12", "K12-L12"));
  EXPECT_EQ(Story(record),
            "w:A1-A2 b:A8-B8 r:L12-K12 w:A2-A1 b:B8-A8 r:K12-L12 "
            "w:A1-A2 b:A8-B8 r:L12-K12 w:A2-A1 b:B8-A8 r:K12-L12 w:claim");
  EXPECT_EQ(claims, 5) << "four of them were false";
  EXPECT_EQ(record.outcome, (Outcome{{{1, 1, 1}}, Termination::kThreefoldRepetition}));
  EXPECT_EQ(record.events.back().kind, Kind::kClaimDraw);
  ExpectReplays(record);
}

TEST(PlayGameTest, OpeningMovesComeFirstAndCostNoTime) {
  GameSpec spec = MakeSpec();
  spec.opening = {"E2-E4", "D7-D5", "E11-E10", "E4-D5"};
  const GameRecord record = Play(spec, FirstMove, Resign, Resign);
  EXPECT_EQ(Story(record), "w:E2-E4 b:D7-D5 r:E11-E10 w:E4xD5 b:resignation r:resignation");
  EXPECT_EQ(record.opening_plies, 4);
  EXPECT_EQ(record.plies, 4);
  EXPECT_EQ(record.costs[Seat::kFirst].moves, 0);
  ExpectReplays(record);
}

// A player that sleeps uses no CPU time; one that works does.
TEST(PlayGameTest, ProcessorTimeCanBeCharged) {
  GameSpec spec;
  spec.game = "tri-d";
  spec.time_control = {.movetime_ms = 20, .margin_ms = 5, .charges_cpu = true};
  spec.adjudication.plies_max = 4;
  ScriptedPlayer sleeps([](const AnyState&, const AnyState::Moves&, const SearchLimits& limits) {
    EXPECT_TRUE(limits.charges_cpu);
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
    return Decision();
  });
  ScriptedPlayer works([](const AnyState&, const AnyState::Moves&, const SearchLimits&) {
    const std::clock_t end = std::clock() + CLOCKS_PER_SEC / 10;
    while (std::clock() < end) {
    }
    return Decision();
  });
  const std::atomic<bool> stop = false;
  const GameRecord record = PlayGame(spec, {{&sleeps, &works}}, stop).value().value();
  EXPECT_EQ(record.endings[Seat::kFirst], std::nullopt);
  EXPECT_GE(record.costs[Seat::kFirst].time_us, 60'000) << "wall-clock time is always reported";
  EXPECT_LT(record.costs[Seat::kFirst].cpu_us.value(), 20'000);
  EXPECT_LT(record.events[0].clock_ms.value_or(20), 20) << "the time that was charged";
  EXPECT_EQ(record.endings[Seat::kSecond], Termination::kTimeForfeit);
}

TEST(PlayGameTest, BothTimesAreRecordedWithTheWallClock) {
  GameSpec spec;
  spec.game = "tri-d";
  spec.adjudication.plies_max = 4;
  ScriptedPlayer sleeps([](const AnyState&, const AnyState::Moves&, const SearchLimits& limits) {
    EXPECT_FALSE(limits.charges_cpu);
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    return Decision();
  });
  ScriptedPlayer works([](const AnyState&, const AnyState::Moves&, const SearchLimits&) {
    const std::chrono::nanoseconds began = ThreadCpuTime();
    while (ThreadCpuTime() - began < std::chrono::milliseconds(10)) {
    }
    return Decision();
  });
  const std::atomic<bool> stop = false;
  const GameRecord record = PlayGame(spec, {{&sleeps, &works}}, stop).value().value();
  const SeatCost& slept = record.costs[Seat::kFirst];
  const SeatCost& worked = record.costs[Seat::kSecond];
  EXPECT_GE(slept.time_us, 60'000);
  EXPECT_LT(slept.cpu_us.value(), 10'000);
  EXPECT_GE(worked.cpu_us.value(), 20'000);
  EXPECT_GE(worked.time_us, worked.cpu_us.value());
}

TEST(PlayGameTest, AnInvalidOpeningIsAnError) {
  GameSpec spec = MakeSpec();
  spec.opening = {"E2-E4", "E2-E4"};
  const auto record = TryPlay(spec, {});
  EXPECT_EQ(record.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(record.status().message()), HasSubstr("move 2 of the opening"));
}

TEST(PlayGameTest, AnInvalidPositionIsAnError) {
  for (const char* position : {"nonsense", "wKA1,bKH8 w w-.b-.r- - aax 0 1"}) {
    GameSpec spec = MakeSpec();
    spec.position = position;
    EXPECT_EQ(TryPlay(spec, {}).status().code(), absl::StatusCode::kInvalidArgument) << position;
  }
  GameSpec spec = MakeSpec();
  spec.game = "go";
  EXPECT_EQ(TryPlay(spec, {}).status().code(), absl::StatusCode::kInvalidArgument);
}

Script FirstMoveWithOpinion(const PerSeat<double>& eval) {
  return [eval](const AnyState&, const AnyState::Moves&, const SearchLimits&) {
    Decision decision;
    decision.eval = eval;
    decision.nodes = 10;
    return decision;
  };
}

// Returns a move and the first legal one after it.
std::vector<std::string> LineFrom(AnyState state, const AnyState::Moves& moves, size_t move) {
  std::vector<std::string> line = {state.MoveToString(moves, move)};
  state.Play(moves, move);
  line.push_back(state.MoveToString(state.LegalMoves(), 0));
  return line;
}

// Plays the first move and says much about it, if it is asked.
Decision Talk(const AnyState& state, const AnyState::Moves& moves, const SearchLimits& limits) {
  Decision decision;
  decision.nodes = 10;
  if (SearchInfo* const info = limits.search_info) {
    EXPECT_TRUE(info->wants_explanation);
    EXPECT_FALSE(info->wants_policy);
    EXPECT_TRUE(info->line.empty() && info->explanation.empty()) << "of the last turn";
    info->depth = 3;
    info->line = LineFrom(state, moves, 0);
    info->line.push_back("A1-A1");
    info->explanation.assign(5000, '{');
  }
  return decision;
}

TEST(PlayGameTest, RecordsWhatPlayersSayIfAsked) {
  GameSpec spec = MakeSpec();
  spec.adjudication.plies_max = 5;
  EXPECT_TRUE(Play(spec, Talk, Talk, Talk).infos.empty());
  spec.search_info = true;
  spec.opening = {"E2-E4"};
  const GameRecord record = Play(spec, Talk, FirstMoveWithOpinion({{0.3, 0.4, 0.3}}), Talk);
  ASSERT_EQ(record.infos.size(), 4u);
  EXPECT_EQ(record.infos[0], (MoveInfo{.ply = 1, .nodes = 10})) << "it said nothing";
  const MoveInfo& said = record.infos[1];
  EXPECT_EQ(said.ply, 2);
  EXPECT_EQ(said.depth, 3);
  EXPECT_EQ(said.line,
            std::string(record.events[2].move) + " " + std::string(record.events[3].move))
      << "only as far as it is legal";
  EXPECT_EQ(said.explanation, std::string(MoveInfo::kExplanationBytesMax, '{'));
}

TEST(PlayGameTest, ALineOfAnotherMoveIsNotRecorded) {
  GameSpec spec = MakeSpec();
  spec.adjudication.plies_max = 3;
  spec.search_info = true;
  const Script other = [](const AnyState& state, const AnyState::Moves& moves,
                          const SearchLimits& limits) {
    limits.search_info->line = LineFrom(state, moves, 1);
    return Decision{.eval = {}};
  };
  EXPECT_TRUE(Play(spec, other, other, other).infos.empty());
  const Script alone = [](const AnyState& state, const AnyState::Moves& moves,
                          const SearchLimits& limits) {
    limits.search_info->line = {state.MoveToString(moves, 0)};
    return Decision{.eval = {}};
  };
  EXPECT_TRUE(Play(spec, alone, alone, alone).infos.empty()) << "nor is the move itself";
}

TEST(PlayGameTest, AWinIsAdjudicatedIfAllAgree) {
  GameSpec spec = MakeSpec();
  spec.adjudication.win_share = 0.9;
  spec.adjudication.win_plies = 4;
  const Script sure = FirstMoveWithOpinion({{0.04, 0.95, 0.01}});
  const GameRecord record = Play(spec, sure, sure, sure);
  EXPECT_EQ(record.plies, 4);
  EXPECT_EQ(record.outcome, (Outcome{{{2, 1, 2}}, Termination::kAdjudication}));
  EXPECT_EQ(record.costs[Seat::kFirst].nodes, 20);
  EXPECT_EQ(record.events[0].eval, (PerSeat<double>{{0.04, 0.95, 0.01}}));
  ExpectReplays(record);
}

TEST(PlayGameTest, OneOpinionAloneIsNotEnough) {
  GameSpec spec = MakeSpec();
  spec.adjudication.win_share = 0.9;
  spec.adjudication.plies_max = 60;
  spec.draw_rules.draws = Draws::kClaimed;
  const GameRecord record = Play(spec, FirstMoveWithOpinion({{1, 0, 0}}), FirstMove, FirstMove);
  EXPECT_EQ(record.plies, 60);
}

TEST(PlayGameTest, AStoppedGameHasNoRecord) {
  RandomPlayer players[3];
  const auto record = TryPlay(MakeSpec(), {{&players[0], &players[1], &players[2]}}, true);
  ASSERT_TRUE(record.ok());
  EXPECT_FALSE(record->has_value());
}

TEST(PlayGameTest, PlayersGetDifferentSeeds) {
  class SeedTaker : public RandomPlayer {
   public:
    void NewGame(Seat seat, uint64_t seed) override {
      seen.push_back({Index(seat), seed});
      RandomPlayer::NewGame(seat, seed);
    }
    std::vector<std::pair<size_t, uint64_t>> seen;
  };
  SeedTaker player;
  ASSERT_TRUE(TryPlay(MakeSpec(), {{&player, &player, &player}}).ok());
  EXPECT_THAT(player.seen, ::testing::ElementsAre(std::pair(0, DeriveSeed(17, 1)),
                                                  std::pair(1, DeriveSeed(17, 2)),
                                                  std::pair(2, DeriveSeed(17, 3))));
}

// Usually plays at random, but sometimes breaks the rules.
class Troublemaker : public RandomPlayer {
 public:
  void NewGame(Seat seat, uint64_t seed) override {
    trouble_ = Random(~seed);
    RandomPlayer::NewGame(seat, seed);
  }
  Decision Choose(const AnyState& state, const AnyState::Moves& moves,
                  const SearchLimits& limits) override {
    switch (trouble_.Below(600)) {
      case 0:
        throw "trouble";
      case 1:
        return Answer(Decision::Kind::kResign);
      case 2:
        return Answer(Decision::Kind::kMove, moves.size() + trouble_.Below(9));
      case 3:
        fake_now += milliseconds(1000);
        break;
    }
    if (trouble_.Below(30) == 0) return Answer(Decision::Kind::kClaimDraw);
    return RandomPlayer::Choose(state, moves, limits);
  }

 private:
  Random trouble_ = Random(0);
};

TEST(PlayGameTest, EveryRecordReplaysByTheRules) {
  Troublemaker players[3];
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    GameSpec spec = MakeSpec();
    spec.seed = seed;
    spec.draw_rules.draws = seed % 2 == 0 ? Draws::kClaimed : Draws::kAutomatic;
    spec.time_control.clock = {.base_ms = 500};
    spec.adjudication.plies_max = 700;
    const auto record = TryPlay(spec, {{&players[0], &players[1], &players[2]}});
    ASSERT_TRUE(record.ok() && *record);
    ExpectReplays(**record);
  }
}

}  // namespace
}  // namespace triarch
