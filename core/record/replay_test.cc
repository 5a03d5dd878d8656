#include "core/record/replay.h"

#include <chrono>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "core/base/random.h"
#include "core/bench.h"
#include "core/games.h"
#include "core/record/tpgn.h"
#include "core/text.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "worker/match/match.h"
#include "worker/match/scripted_player.h"

namespace triarch {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using Kind = RecordedEvent::Kind;

// A clock that moves only when a player moves it.
std::chrono::steady_clock::time_point fake_now;
std::chrono::steady_clock::time_point FakeNow() { return fake_now; }

Decision Answer(Decision::Kind kind, size_t move = 0) {
  Decision decision;
  decision.kind = kind;
  decision.move = move;
  return decision;
}

// Plays mostly at random and uses a little time. Sometimes misbehaves or reports evaluations.
class Troublemaker : public RandomPlayer {
 public:
  // One answer in `trouble_every` misbehaves; `opinions` percent have an evaluation; some are
  // fallbacks.
  Troublemaker(uint32_t trouble_every, uint32_t opinions)
      : trouble_every_(trouble_every), opinions_(opinions) {}

  void NewGame(Seat seat, uint64_t seed) override {
    random_ = Random(~seed);
    RandomPlayer::NewGame(seat, seed);
    if (cannot_begin) throw "not today";
  }
  Decision Choose(const AnyState& state, const AnyState::Moves& moves,
                  const SearchLimits& limits) override {
    if (random_.Below(trouble_every_) == 0) return Trouble(moves);
    fake_now += milliseconds(random_.Below(3));
    Decision decision = RandomPlayer::Choose(state, moves, limits);
    decision.nodes = random_.Below(1000);
    decision.is_fallback = decision.move % 7 == 3;
    if (random_.Below(100) < opinions_) decision.eval = PerSeat<double>{{0.02, 0.95, 0.03}};
    return decision;
  }

  bool cannot_begin = false;

 private:
  Decision Trouble(const AnyState::Moves& moves) {
    switch (random_.Below(6)) {
      case 0:
        throw "trouble";
      case 1:
        return Answer(Decision::Kind::kResign);
      case 2:
        return Answer(Decision::Kind::kMove, moves.size());
      case 3:
        fake_now += milliseconds(1000);
        return Answer(Decision::Kind::kMove);
      default:
        return Answer(Decision::Kind::kClaimDraw);
    }
  }

  uint32_t trouble_every_;
  uint32_t opinions_;
  Random random_ = Random(0);
};

GameSpec MakeSpec(std::string_view game, uint64_t seed = 17) {
  GameSpec spec;
  spec.index = 4;
  spec.match = 2;
  spec.game = game;
  for (size_t i = 0; i < kSeatsMax; ++i) spec.seats[SeatAt(i)].name = "bot" + std::to_string(i);
  spec.seed = seed;
  return spec;
}

// Returns random moves from the spec's start.
std::vector<std::string> RandomOpening(const GameSpec& spec, size_t plies, Random random) {
  AnyState state = spec.position.empty() ? AnyState::Start(spec.game, "").value()
                                         : AnyState::Parse(spec.game, spec.position).value();
  std::vector<std::string> opening;
  while (opening.size() < plies && !state.outcome()) {
    const AnyState::Moves moves = state.LegalMoves();
    const size_t number = random.Below(static_cast<uint32_t>(moves.size()));
    opening.push_back(state.MoveToString(moves, number));
    state.Play(moves, number);
  }
  return opening;
}

GameRecord Play(const GameSpec& spec, const PerSeat<PlayerRef>& players) {
  const std::atomic<bool> stop = false;
  const auto record = PlayGame(spec, players, stop, FakeNow);
  EXPECT_TRUE(record.ok()) << record.status();
  return record.value().value();
}

GameRecord Play(const GameSpec& spec, SyncPlayer* player) {
  return Play(spec, {{player, player, player}});
}

// Returns the part of a record that the wire carries.
GameRecord AsReported(const GameRecord& record) {
  GameRecord reported;
  reported.index = record.index;
  reported.date = record.date;
  reported.events = record.events;
  reported.infos = record.infos;
  for (RecordedEvent& event : reported.events) {
    if (event.kind == Kind::kMove) event.seat = Seat::kFirst;
  }
  reported.is_finished = true;
  reported.outcome = record.outcome;
  reported.endings = record.endings;
  reported.plies = record.plies;
  reported.costs = record.costs;
  return reported;
}

// Returns a whole record as text, for comparison.
std::string AllOf(const GameRecord& record) {
  std::string text = WriteTpgn(record) + std::to_string(record.first_round) + " " +
                     std::to_string(record.opening_plies);
  for (const SeatCost& cost : record.costs) {
    text += absl::StrFormat(" %d/%d/%d/%d", cost.moves, cost.nodes, cost.time_us,
                            cost.cpu_us.value_or(-1));
  }
  return text;
}

void ExpectReplays(const GameSpec& spec, const GameRecord& record) {
  for (const GameRecord& claimed : {record, AsReported(record)}) {
    const absl::StatusOr<GameRecord> replayed = ReplayRecord(spec, claimed);
    ASSERT_TRUE(replayed.ok()) << replayed.status() << "\n" << WriteTpgn(record);
    EXPECT_EQ(AllOf(*replayed), AllOf(record));
    EXPECT_EQ(replayed->events, record.events);
    EXPECT_EQ(replayed->outcome, record.outcome);
    EXPECT_EQ(replayed->endings, record.endings);
  }
}

template <Position P>
std::string PositionNumber(uint64_t number) {
  const std::span<const std::string_view> positions = BenchPositions(kGame<P>);
  return std::string(positions[number % positions.size()]);
}

std::string AnyPosition(std::string_view game, uint64_t number) {
  std::string text;
  ForEachGame(Games(), [&]<class P>() {
    if (P::kInfo.name != game) return false;
    text = PositionNumber<P>(number);
    return true;
  });
  return text;
}

// Returns a spec whose rules and limits depend on the seed.
GameSpec SomeSpec(std::string_view game, uint64_t seed) {
  GameSpec spec = MakeSpec(game, seed);
  spec.draw_rules.draws = seed % 2 == 0 ? Draws::kClaimed : Draws::kAutomatic;
  if (seed % 3 == 0) spec.time_control.clock = {.base_ms = 500, .moves = 3};
  if (seed % 3 == 1) spec.time_control.movetime_ms = 5;
  if (seed % 3 == 2) spec.seats[Seat::kSecond].limits.movetime_ms = 5;
  spec.adjudication.plies_max = seed % 5 == 0 ? 50 : 700;
  if (seed % 4 == 0) spec.adjudication.win_share = 0.9;
  if (seed % 6 == 1) spec.adjudication.win_material = 600;
  if (seed % 6 == 2) spec.adjudication.idle_plies = 10;
  if (seed % 7 == 0) spec.position = AnyPosition(game, seed / 7);
  if (seed % 2 == 1) spec.opening = RandomOpening(spec, 6, Random(seed));
  return spec;
}

class EveryGameTest : public ::testing::TestWithParam<const GameInfo*> {};

INSTANTIATE_TEST_SUITE_P(Games, EveryGameTest, ::testing::ValuesIn(AllGames()),
                         [](const auto& game) {
                           std::string name(game.param->name);
                           std::erase(name, '-');
                           return name;
                         });

TEST_P(EveryGameTest, RecordsOfTheGameRunnerReplayToTheSame) {
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    const GameSpec spec = SomeSpec(GetParam()->name, seed);
    Troublemaker player(seed % 4 == 0 ? 1000 : 100, seed % 8 == 0 ? 90 : 20);
    ExpectReplays(spec, Play(spec, &player));
    if (HasFatalFailure()) return;
  }
}

TEST_P(EveryGameTest, PlayersThatFailToStart) {
  for (unsigned broken = 1; broken < 8; ++broken) {
    SCOPED_TRACE(broken);
    GameSpec spec = MakeSpec(GetParam()->name);
    spec.opening = RandomOpening(spec, broken, Random(broken));
    Troublemaker players[] = {{100, 0}, {100, 0}, {100, 0}};
    for (size_t i = 0; i < kSeatsMax; ++i) players[i].cannot_begin = (broken >> i & 1) != 0;
    ExpectReplays(spec, Play(spec, {{&players[0], &players[1], &players[2]}}));
  }
}

// ---- False reports.

// A timed game with evaluations, an opening, a crash, checks and an adjudicated ending.
struct Sample {
  GameSpec spec;
  GameRecord record;
};

Sample MakeSample() {
  Sample sample;
  sample.spec = MakeSpec("triumvirate", 5);
  sample.spec.time_control.movetime_ms = 5;
  sample.spec.opening = RandomOpening(sample.spec, 6, Random(5));
  sample.spec.adjudication.plies_max = 120;
  Troublemaker calm(100'000, 40);
  Troublemaker wild(20, 40);
  sample.record = Play(sample.spec, {{&calm, &wild, &calm}});
  return sample;
}

std::string ErrorOf(const GameSpec& spec, const GameRecord& claimed) {
  const absl::StatusOr<GameRecord> replayed = ReplayRecord(spec, claimed);
  if (replayed.ok()) return "none";
  EXPECT_EQ(replayed.status().code(), absl::StatusCode::kInvalidArgument);
  return std::string(replayed.status().message());
}

TEST(ReplayRecordTest, TheSampleHasAllKindsOfEvents) {
  const Sample sample = MakeSample();
  ExpectReplays(sample.spec, sample.record);
  EXPECT_EQ(sample.record.outcome.termination, Termination::kPlyLimit);
  EXPECT_EQ(sample.record.plies, 120);
  EXPECT_TRUE(sample.record.endings[Seat::kSecond].has_value());
  const std::string text = WriteTpgn(sample.record);
  EXPECT_THAT(text, HasSubstr("+"));
  EXPECT_THAT(text, HasSubstr("%eval"));
  EXPECT_THAT(text, HasSubstr(" fallback}"));
  EXPECT_GT(sample.record.fallbacks, 0);
  EXPECT_EQ(ReplayRecord(sample.spec, sample.record)->fallbacks, sample.record.fallbacks);
}

using Change = std::function<void(GameRecord*)>;
struct Lie {
  const char* name;
  Change tell;
  const char* message;
};

const RecordedEvent& LastOfKind(const GameRecord& record, Kind kind) {
  const RecordedEvent* found = nullptr;
  for (const RecordedEvent& event : record.events) {
    if (event.kind == kind) found = &event;
  }
  EXPECT_NE(found, nullptr);
  return *found;
}

TEST(ReplayRecordTest, FindsFalseFieldsOutsideTheMoves) {
  const std::vector<Lie> lies = {
      {"index", [](GameRecord* r) { ++r->index; }, "index: it says 5, expected 4"},
      {"match", [](GameRecord* r) { ++r->match; }, "match: it says 3, expected 2"},
      {"game", [](GameRecord* r) { r->game = "tri-d"; }, "game: it says \"tri-d\""},
      {"date", [](GameRecord* r) { r->date = "2026.11.21"; }, "date: "},
      {"time", [](GameRecord* r) { r->time_control = "-"; }, "time control: "},
      {"odds", [](GameRecord* r) { r->time_controls[Seat::kSecond] = "-"; },
       "time control of seat 1: it says \"-\", expected \"\""},
      {"seed", [](GameRecord* r) { ++r->seed; }, "seed: it says 6, expected 5"},
      {"seats", [](GameRecord* r) { std::swap(r->bots[Seat::kFirst], r->bots[Seat::kThird]); },
       "bot of seat 0: it says \"bot2\", expected \"bot0\""},
      {"position", [](GameRecord* r) { r->position = "x"; }, "position: "},
      {"round", [](GameRecord* r) { r->first_round = 2; }, "first round: "},
      {"draws", [](GameRecord* r) { r->draw_rules.draws = Draws::kClaimed; }, "draws: "},
      {"material", [](GameRecord* r) { r->draw_rules.insufficient_material = true; }, "draws: "},
      {"unfinished", [](GameRecord* r) { r->is_finished = false; },
       "result: the game is not finished"},
      {"plies", [](GameRecord* r) { --r->plies; }, "plies: it says 119, expected 120"},
      {"opening", [](GameRecord* r) { r->opening_plies = 7; }, "opening plies: it says 7"},
      {"termination", [](GameRecord* r) { r->outcome.termination = Termination::kCheckmate; },
       "termination: it says \"checkmate\", expected \"ply_limit\""},
      {"places", [](GameRecord* r) { r->outcome.place[Seat::kFirst] = 2; },
       "places: expected 1-3-1, not 2-3-1"},
      {"ending", [](GameRecord* r) { r->endings[Seat::kSecond] = Termination::kCheckmate; },
       "ending of seat 1: "},
      {"no ending", [](GameRecord* r) { r->endings[Seat::kSecond].reset(); }, "ending of seat 1: "},
      {"one more", [](GameRecord* r) { r->endings[Seat::kThird] = Termination::kCrash; },
       "ending of seat 2: expected none, not crash"},
      {"moves", [](GameRecord* r) { ++r->costs[Seat::kThird].moves; }, "costs of seat 2: "},
      {"nodes", [](GameRecord* r) { r->costs[Seat::kThird].nodes = -1; }, "costs of seat 2: "},
      {"µs",
       [](GameRecord* r) { r->costs[Seat::kFirst].time_us = std::numeric_limits<int64_t>::max(); },
       "costs of seat 0: "},
  };
  const Sample sample = MakeSample();
  for (const Lie& lie : lies) {
    GameRecord claimed = sample.record;
    lie.tell(&claimed);
    EXPECT_THAT(ErrorOf(sample.spec, claimed), StartsWith(lie.message)) << lie.name;
  }
}

// Applies the lie to each move in turn and expects an error at that ply.
void ExpectFoundAtEachMove(const Sample& sample, const char* name,
                           const std::function<bool(RecordedEvent*)>& tell) {
  int64_t ply = 1;
  int told = 0;
  for (size_t i = 0; i < sample.record.events.size(); ++i) {
    if (sample.record.events[i].kind != Kind::kMove) continue;
    GameRecord claimed = sample.record;
    if (tell(&claimed.events[i])) {
      ++told;
      const std::string place = "ply " + std::to_string(ply) + ": ";
      EXPECT_THAT(ErrorOf(sample.spec, claimed), StartsWith(place)) << name;
    }
    ++ply;
  }
  EXPECT_GT(told, 5) << name;
}

TEST(ReplayRecordTest, FallbacksAreMovesAfterTheOpening) {
  Sample sample = MakeSample();
  sample.record.events.front().is_fallback = true;
  EXPECT_EQ(ErrorOf(sample.spec, sample.record), "ply 1: the opening has no fallback moves");
  sample = MakeSample();
  for (RecordedEvent& event : sample.record.events) {
    if (event.kind == Kind::kForfeit) event.is_fallback = true;
  }
  EXPECT_THAT(ErrorOf(sample.spec, sample.record), HasSubstr("has other fields set"));
}

TEST(ReplayRecordTest, FindsFalseMovesAtTheirPly) {
  const Sample sample = MakeSample();
  const auto expect_found = [&](const char* name, const std::function<bool(RecordedEvent*)>& tell) {
    ExpectFoundAtEachMove(sample, name, tell);
  };
  expect_found("no move", [](RecordedEvent* e) { return e->move = "", true; });
  expect_found("illegal", [](RecordedEvent* e) { return e->move = "A1-A1", true; });
  expect_found("canonical", [](RecordedEvent* e) {
    std::string text(e->move);
    const size_t x = text.find('x');
    return x != std::string::npos && (text[x] = '-', e->move = text, true);
  });
  expect_found("suffix in the text",
               [](RecordedEvent* e) { return e->move = std::string(e->move) + "+", true; });
  expect_found("seat", [](RecordedEvent* e) {
    e->seat = e->seat == Seat::kThird ? Seat::kSecond : Seat::kThird;
    return true;
  });
  expect_found("+", [](RecordedEvent* e) { return e->is_check = !e->is_check, true; });
  expect_found("#", [](RecordedEvent* e) { return e->is_elimination = !e->is_elimination, true; });
  expect_found("clock", [](RecordedEvent* e) {
    e->clock_ms = e->clock_ms ? std::nullopt : std::optional<int64_t>(1);
    return true;
  });
  expect_found("negative clock", [](RecordedEvent* e) { return e->clock_ms = -5, true; });
  expect_found("no shares", [](RecordedEvent* e) {
    e->eval = PerSeat<double>{{0.1, 1.5, 0.1}};
    return true;
  });
  expect_found("not a number", [](RecordedEvent* e) {
    e->eval = PerSeat<double>{{0.1, std::numeric_limits<double>::quiet_NaN(), 0.1}};
    return true;
  });
  expect_found("resigns instead", [](RecordedEvent* e) {
    e->kind = Kind::kResign;
    return true;
  });
}

// A game with another legal move is accepted only if everything else still holds, and is then
// recorded as reported.
TEST(ReplayRecordTest, ReplacedLegalMovesAreFoundOrConsistent) {
  const Sample sample = MakeSample();
  AnyState state = AnyState::Start(sample.spec.game, "", sample.spec.draw_rules).value();
  int found = 0;
  for (size_t i = 0; i < sample.record.events.size(); ++i) {
    const RecordedEvent& event = sample.record.events[i];
    if (event.kind != Kind::kMove) {
      state.Eliminate(event.seat, event.why);
      continue;
    }
    const AnyState::Moves moves = state.LegalMoves();
    for (size_t number = 0; number < moves.size(); ++number) {
      GameRecord claimed = sample.record;
      claimed.events[i].move = state.MoveToTpgn(moves, number);
      if (claimed.events[i].move == event.move) continue;
      const absl::StatusOr<GameRecord> replayed = ReplayRecord(sample.spec, claimed);
      if (replayed.ok()) {
        EXPECT_EQ(WriteTpgn(*replayed), WriteTpgn(claimed));
        EXPECT_GE(i, sample.spec.opening.size());
      } else {
        ++found;
      }
    }
    state.Play(moves, state.FindMove(moves, event.move).value());
  }
  EXPECT_GT(found, 1000);
}

TEST(ReplayRecordTest, FindsMissingAndExtraEvents) {
  const Sample sample = MakeSample();
  for (size_t i = 0; i < sample.record.events.size(); ++i) {
    GameRecord fewer = sample.record;
    fewer.events.erase(fewer.events.begin() + static_cast<ptrdiff_t>(i));
    EXPECT_NE(ErrorOf(sample.spec, fewer), "none") << i;
    GameRecord more = sample.record;
    more.events.insert(more.events.begin() + static_cast<ptrdiff_t>(i), more.events[i]);
    EXPECT_NE(ErrorOf(sample.spec, more), "none") << i;
  }
  GameRecord shorter = sample.record;
  shorter.events.pop_back();
  EXPECT_EQ(ErrorOf(sample.spec, shorter), "events: they end before the game is over");
  shorter.events.resize(3);
  EXPECT_EQ(ErrorOf(sample.spec, shorter), "events: they end within the opening");
  GameRecord longer = sample.record;
  longer.events.push_back(LastOfKind(longer, Kind::kMove));
  EXPECT_EQ(ErrorOf(sample.spec, longer), "ply 121: the game was already over");
}

TEST(ReplayRecordTest, RefusesTheGameOfAnotherSpec) {
  const Sample sample = MakeSample();
  const GameRecord reported = AsReported(sample.record);
  GameSpec spec = sample.spec;
  spec.opening[3] = spec.opening[0];
  EXPECT_THAT(ErrorOf(spec, reported), StartsWith("ply 4: the opening has "));
  spec = sample.spec;
  spec.opening.clear();
  EXPECT_THAT(ErrorOf(spec, reported), StartsWith("ply 1: its clock is missing"));
  spec = sample.spec;
  spec.adjudication.plies_max = 119;
  EXPECT_EQ(ErrorOf(spec, reported), "ply 120: the game was already over");
  spec.adjudication.plies_max = 121;
  EXPECT_EQ(ErrorOf(spec, reported), "events: they end before the game is over");
  spec = sample.spec;
  spec.time_control = {};
  EXPECT_EQ(ErrorOf(spec, reported), "ply 7: the time control has no clock");
  spec = sample.spec;
  spec.game = "tri-d";
  EXPECT_NE(ErrorOf(spec, reported), "none");
}

// ---- What bots say.

TEST(ReplayRecordTest, ChecksWhatBotsSaid) {
  GameSpec spec = MakeSpec("triumvirate");
  spec.adjudication.plies_max = 6;
  spec.opening = {"E2-E4"};
  spec.search_info = true;
  ScriptedPlayer talker(
      [](const AnyState& state, const AnyState::Moves& moves, const SearchLimits& limits) {
        limits.search_info->depth = 2;
        AnyState next = state;
        next.Play(moves, 0);
        limits.search_info->line = {state.MoveToString(moves, 0),
                                    next.MoveToString(next.LegalMoves(), 0)};
        limits.search_info->explanation = "a {good} move";
        return Answer(Decision::Kind::kMove);
      });
  const GameRecord record = Play(spec, &talker);
  ASSERT_EQ(record.infos.size(), 5u);
  ExpectReplays(spec, record);
  EXPECT_EQ(ReplayRecord(spec, record)->infos, record.infos);
  const auto error_with = [&](const std::function<void(MoveInfo*)>& tell) {
    GameRecord claimed = record;
    tell(&claimed.infos[1]);
    return ErrorOf(spec, claimed);
  };
  const std::string kBad = "ply 3: the bot's expected line is illegal, or its text too long";
  EXPECT_EQ(error_with([](MoveInfo* info) { info->line += " A1-A1"; }), kBad);
  EXPECT_EQ(error_with([](MoveInfo* info) { info->line = "E2-E4"; }), kBad);
  EXPECT_EQ(error_with([](MoveInfo* info) { info->explanation = std::string(501, 'x'); }), kBad);
  EXPECT_EQ(error_with([](MoveInfo* info) { info->explanation = "\x1b[2J"; }), kBad);
  EXPECT_EQ(error_with([](MoveInfo* info) { info->nodes = -1; }), kBad);
  EXPECT_EQ(error_with([](MoveInfo* info) { info->ply = 1; }),
            "infos: out of order, or after the last move");
  EXPECT_EQ(error_with([](MoveInfo* info) { info->ply = 99; }),
            "infos: out of order, or after the last move");
  GameRecord early = record;
  early.infos[0].ply = 0;
  EXPECT_EQ(ErrorOf(spec, early), "ply 1: no bot can explain the opening");
  // The option may be changed while the tournament is played.
  spec.search_info = false;
  EXPECT_TRUE(ReplayRecord(spec, record)->infos.empty());
  EXPECT_TRUE(CompleteRecord(spec, record)->infos.empty());
}

// ---- Adjudication by evaluations.

TEST(ReplayRecordTest, AdjudicatesWinsAtTheRightPly) {
  GameSpec spec = MakeSpec("triumvirate");
  spec.adjudication.win_share = 0.9;
  spec.adjudication.win_plies = 4;
  ScriptedPlayer sure([](const AnyState&, const AnyState::Moves&, const SearchLimits&) {
    Decision decision;
    decision.eval = PerSeat<double>{{0.04, 0.95, 0.01}};
    return decision;
  });
  const GameRecord record = Play(spec, &sure);
  ASSERT_EQ(record.plies, 4);
  ExpectReplays(spec, record);
  GameRecord unsure = record;
  unsure.events[2].eval.reset();
  EXPECT_EQ(ErrorOf(spec, unsure), "events: they end before the game is over");
  GameRecord other = record;
  std::swap(other.outcome.place[Seat::kFirst], other.outcome.place[Seat::kSecond]);
  EXPECT_EQ(ErrorOf(spec, other), "places: expected 2-1-2, not 1-2-2");
  spec.adjudication.win_plies = 3;
  EXPECT_EQ(ErrorOf(spec, record), "ply 4: the game was already over");
}

TEST(ReplayRecordTest, AdjudicatesDrawsAtTheRightPly) {
  GameSpec spec = MakeSpec("triumvirate");
  spec.adjudication = {.draw_margin = 0.05, .draw_plies = 4, .draw_after = 6};
  ScriptedPlayer content([](const AnyState&, const AnyState::Moves&, const SearchLimits&) {
    Decision decision;
    decision.eval = PerSeat<double>{{0.35, 0.35, 0.3}};
    return decision;
  });
  const GameRecord record = Play(spec, &content);
  ASSERT_EQ(record.plies, 6);
  EXPECT_EQ(record.outcome, (Outcome{{{1, 1, 1}}, Termination::kAdjudication}));
  ExpectReplays(spec, record);
  GameRecord unsure = record;
  unsure.events[4].eval = PerSeat<double>{{0.4, 0.3, 0.3}};
  EXPECT_EQ(ErrorOf(spec, unsure), "events: they end before the game is over");
}

// A player may return anything; invalid evaluations are not recorded.
TEST(ReplayRecordTest, InvalidPlayerOutputMakesNoFalseReport) {
  GameSpec spec = MakeSpec("triumvirate");
  spec.adjudication.plies_max = 5;
  ScriptedPlayer nonsense([](const AnyState&, const AnyState::Moves&, const SearchLimits&) {
    Decision decision;
    decision.eval = PerSeat<double>{{-3, std::numeric_limits<double>::infinity(), 0}};
    decision.nodes = std::numeric_limits<int64_t>::max();
    return decision;
  });
  ExpectReplays(spec, Play(spec, &nonsense));
  ScriptedPlayer negative([](const AnyState&, const AnyState::Moves&, const SearchLimits&) {
    Decision decision;
    decision.nodes = -7;
    return decision;
  });
  ExpectReplays(spec, Play(spec, &negative));
}

// ---- Resignations, forfeits and claims.

RecordedEvent Leaves(Seat seat, Kind kind, Termination why) {
  RecordedEvent event;
  event.kind = kind;
  event.seat = seat;
  event.why = why;
  return event;
}

// A game of three seats with these events after E2-E4; the last survivor wins.
GameRecord ShortGame(const std::vector<RecordedEvent>& events) {
  GameRecord record;
  record.index = 4;
  RecordedEvent move;
  move.move = "E2-E4";
  record.events = {move};
  record.events.insert(record.events.end(), events.begin(), events.end());
  record.is_finished = true;
  record.plies = 1;
  record.costs[Seat::kFirst].moves = 1;
  return record;
}

TEST(ReplayRecordTest, ResignationsAndForfeitsNeedTurnAndReason) {
  constexpr Seat kFirst = Seat::kFirst, kSecond = Seat::kSecond, kThird = Seat::kThird;
  constexpr Termination kResignation = Termination::kResignation, kCrash = Termination::kCrash;
  struct Row {
    std::vector<RecordedEvent> events;
    const char* message;
  };
  RecordedEvent talkative = Leaves(kSecond, Kind::kResign, kResignation);
  talkative.clock_ms = 3;
  const std::vector<Row> rows = {
      {{Leaves(kThird, Kind::kResign, kResignation)}, "ply 2: it is Black's turn, not Red's"},
      {{Leaves(kThird, Kind::kForfeit, kCrash)}, "ply 2: Red forfeits, but it is Black's turn"},
      {{Leaves(kSecond, Kind::kForfeit, Termination::kCheckmate)},
       "ply 2: a seat cannot forfeit by checkmate"},
      {{Leaves(kSecond, Kind::kForfeit, Termination::kTimeForfeit)},
       "ply 2: the time control has no time limit"},
      {{Leaves(kSecond, Kind::kClaimDraw, kResignation)}, "ply 2: there is no draw to claim"},
      {{Leaves(kThird, Kind::kClaimDraw, kResignation)}, "ply 2: it is Black's turn, not Red's"},
      {{Leaves(kSecond, Kind::kResign, kCrash)}, "ply 2: a resignation, forfeit or claim"},
      {{talkative}, "ply 2: a resignation, forfeit or claim has other fields"},
      {{Leaves(kSecond, Kind::kResign, kResignation), Leaves(kSecond, Kind::kResign, kResignation)},
       "ply 2: that seat is not in the game"},
      {{Leaves(SeatAt(7), Kind::kResign, kResignation)}, "ply 2: that seat is not in the game"},
      {{Leaves(kSecond, Kind::kForfeit, Termination::kIllegalMove),
        Leaves(kFirst, Kind::kForfeit, kCrash)},
       "ply 2: White forfeits, but it is Red's turn"},
  };
  const GameSpec spec = MakeSpec("triumvirate");
  for (const Row& row : rows) {
    EXPECT_THAT(ErrorOf(spec, ShortGame(row.events)), StartsWith(row.message));
  }
}

TEST(ReplayRecordTest, CrashesOutOfTurnComeFirstAndInSeatOrder) {
  const GameSpec spec = MakeSpec("triumvirate");
  const auto crash = [](Seat seat) { return Leaves(seat, Kind::kForfeit, Termination::kCrash); };
  GameRecord record = ShortGame({});
  record.events = {crash(Seat::kSecond), crash(Seat::kThird)};
  record.plies = 0;
  record.costs = {};
  record.outcome = {{{1, 3, 2}}, Termination::kCrash};
  record.endings = {{std::nullopt, Termination::kCrash, Termination::kCrash}};
  EXPECT_EQ(ErrorOf(spec, record), "none");
  record.events = {crash(Seat::kThird), crash(Seat::kSecond)};
  EXPECT_EQ(ErrorOf(spec, record), "ply 1: Black forfeits, but it is White's turn");
  record.events = {crash(Seat::kThird), crash(Seat::kFirst)};
  record.outcome = {{{2, 1, 3}}, Termination::kCrash};
  record.endings = {{Termination::kCrash, std::nullopt, Termination::kCrash}};
  EXPECT_EQ(ErrorOf(spec, record), "none") << "White started and crashed on its turn";
  GameSpec opened = spec;
  opened.opening = {"E2-E4"};
  EXPECT_EQ(ErrorOf(opened, record), "ply 1: the opening has a move there");
}

TEST(ReplayRecordTest, AcceptsClaimsOnlyForDraws) {
  GameSpec spec = MakeSpec("triumvirate");
  spec.position = "wKA1,bKA8,bPB7,rKL12,rPK11 w w-.b-.r- - aaa 0 1";
  spec.draw_rules.draws = Draws::kClaimed;
  const std::vector<std::string> round = {"A1-A2", "A8-B8", "L12-K12", "A2-A1", "B8-A8", "K12-L12"};
  GameRecord record;
  record.index = 4;
  for (size_t i = 0; i < 12; ++i) {
    record.events.emplace_back().move = round[i % 6];
    ++record.costs[SeatAt(i % 3)].moves;
  }
  record.events.push_back(Leaves(Seat::kFirst, Kind::kClaimDraw, Termination::kResignation));
  record.plies = 12;
  record.is_finished = true;
  record.outcome = {{{1, 1, 1}}, Termination::kThreefoldRepetition};
  EXPECT_EQ(ErrorOf(spec, record), "none");
  GameRecord early = record;
  early.events.erase(early.events.begin(), early.events.begin() + 6);
  EXPECT_EQ(ErrorOf(spec, early), "ply 7: there is no draw to claim");
  spec.draw_rules.draws = Draws::kAutomatic;
  EXPECT_EQ(ErrorOf(spec, record), "ply 13: the game was already over");
}

}  // namespace
}  // namespace triarch
