#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "core/any_state.h"
#include "core/record/claim_bounds.h"
#include "core/record/replay.h"
#include "core/record/tpgn.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "proto/convert.h"
#include "worker/match/match.h"
#include "worker/match/scripted_player.h"

namespace triarch::wire {
namespace {

using ::testing::StartsWith;
using Kind = RecordedEvent::Kind;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// Plays random moves, sometimes reports an evaluation, and sometimes resigns or crashes.
class SomePlayer : public RandomPlayer {
 public:
  void NewGame(Seat seat, uint64_t seed) override {
    mood_ = Random(~seed);
    RandomPlayer::NewGame(seat, seed);
  }
  Decision Choose(const AnyState& state, const AnyState::Moves& moves,
                  const SearchLimits& limits) override {
    Decision decision = RandomPlayer::Choose(state, moves, limits);
    decision.nodes = mood_.Below(100);
    if (mood_.Below(3) == 0) decision.eval = PerSeat<double>{{0.25, 0.75, 0}};
    decision.is_fallback = decision.move % 7 == 3;
    if (limits.search_info != nullptr && mood_.Below(2) == 0) {
      limits.search_info->depth = mood_.Below(9);
      AnyState next = state;
      next.Play(moves, decision.move);
      limits.search_info->line = {state.MoveToString(moves, decision.move)};
      if (!next.outcome()) {
        limits.search_info->line.push_back(next.MoveToString(next.LegalMoves(), 0));
      }
      limits.search_info->line.push_back("nonsense");
      limits.search_info->explanation = "because\x1b {\xff}";
    }
    if (mood_.Below(400) == 0) throw "down";
    if (mood_.Below(400) == 0) decision.kind = Decision::Kind::kResign;
    return decision;
  }

 private:
  Random mood_ = Random(0);
};

GameSpec SomeSpec(std::string_view game, uint64_t seed) {
  GameSpec spec;
  spec.index = static_cast<int64_t>(seed);
  spec.game = game;
  spec.seed = seed;
  if (seed % 2 == 0) spec.time_control.clock = {.base_ms = 60'000};
  spec.adjudication.plies_max = 400;
  spec.search_info = seed % 3 == 0;
  return spec;
}

GameRecord PlaySome(const GameSpec& spec) {
  SomePlayer players[3];
  const std::atomic<bool> stop = false;
  return PlayGame(spec, {{&players[0], &players[1], &players[2]}}, stop).value().value();
}

v1::Game Wire(const GameRecord& record) {
  v1::Game wire;
  ToWire(record, &wire);
  return wire;
}

TEST(ConvertGameTest, RealGamesSurviveARoundTripAndReplay) {
  for (const GameInfo* info : AllGames()) {
    for (uint64_t seed = 1; seed <= 20; ++seed) {
      const GameSpec spec = SomeSpec(info->name, seed);
      const GameRecord record = PlaySome(spec);
      v1::Game sent;
      ASSERT_TRUE(sent.ParseFromString(Wire(record).SerializeAsString()));
      const absl::StatusOr<GameRecord> come = FromWire(sent);
      ASSERT_TRUE(come.ok()) << come.status();
      EXPECT_EQ(come->plies, record.plies);
      EXPECT_EQ(come->events, record.events);
      EXPECT_EQ(come->infos, record.infos);
      EXPECT_EQ(record.infos.empty(), !spec.search_info);
      EXPECT_EQ(come->fallbacks, record.fallbacks);
      EXPECT_EQ(come->costs, record.costs);
      EXPECT_EQ(come->faults, record.faults);
      EXPECT_EQ(come->endings, record.endings);
      EXPECT_EQ(Wire(*come).SerializeAsString(), sent.SerializeAsString());
      const absl::StatusOr<GameRecord> replayed = ReplayRecord(spec, *come);
      ASSERT_TRUE(replayed.ok()) << replayed.status();
      EXPECT_EQ(WriteTpgn(*replayed), WriteTpgn(record));
      EXPECT_EQ(replayed->faults, record.faults);
    }
  }
}

TEST(ConvertGameTest, OmitsAnnotationsThatNoPlayerReported) {
  GameSpec spec = SomeSpec("tri-d", 1);
  RandomPlayer players[2];
  const std::atomic<bool> stop = false;
  const auto record = PlayGame(spec, {{&players[0], &players[1]}}, stop);
  const v1::Game wire = Wire(record.value().value());
  EXPECT_EQ(wire.clock_ms_size(), 0);
  EXPECT_EQ(wire.eval_size(), 0);
  EXPECT_EQ(wire.fallbacks_size(), 0);
  EXPECT_EQ(wire.places_size(), 2);
}

// E2-E4, Black crashes, E11-E10+ with a clock and an evaluation, and Red claims a draw. Illegal by
// the rules, which the conversion does not check.
v1::Game Sample() {
  GameRecord record;
  record.index = 7;
  record.date = "????.??.??";
  RecordedEvent first;
  first.move = "E2-E4";
  RecordedEvent crash;
  crash.kind = Kind::kForfeit;
  crash.seat = Seat::kSecond;
  crash.why = Termination::kCrash;
  RecordedEvent second;
  second.seat = Seat::kThird;
  second.move = "E11-E10";
  second.is_check = true;
  second.clock_ms = 12;
  second.eval = PerSeat<double>{{0.5, 0, 0.5}};
  second.is_fallback = true;
  RecordedEvent claim;
  claim.kind = Kind::kClaimDraw;
  claim.seat = Seat::kThird;
  record.events = {first, crash, second, claim};
  record.plies = 2;
  record.fallbacks = 1;
  record.is_finished = true;
  record.outcome = {{{1, 3, 1}}, Termination::kThreefoldRepetition};
  record.endings[Seat::kSecond] = Termination::kCrash;
  record.costs[Seat::kFirst] = {.moves = 1, .nodes = 5, .time_us = 6, .cpu_us = 4};
  return Wire(record);
}

TEST(ConvertGameTest, SeatsMayBeOmitted) {
  const GameSpec spec = SomeSpec("triumvirate", 3);
  const GameRecord record = PlaySome(spec);
  v1::Game wire = Wire(record);
  wire.clear_seats();
  const absl::StatusOr<GameRecord> come = FromWire(wire);
  ASSERT_TRUE(come.ok()) << come.status();
  const absl::StatusOr<GameRecord> replayed = ReplayRecord(spec, *come);
  ASSERT_TRUE(replayed.ok()) << replayed.status();
  EXPECT_EQ(WriteTpgn(*replayed), WriteTpgn(record));
}

TEST(ConvertGameTest, TheWireFormatIsAsDocumented) {
  const v1::Game wire = Sample();
  EXPECT_EQ(wire.moves(), "E2-E4 E11-E10+");
  EXPECT_EQ(wire.seats(), std::string("\0\2", 2));
  ASSERT_EQ(wire.events_size(), 2);
  EXPECT_EQ(wire.events(0).ShortDebugString(),
            "plies: 1 seat: 1 kind: KIND_FORFEIT why: \"crash\"");
  EXPECT_EQ(wire.events(1).ShortDebugString(), "plies: 2 seat: 2 kind: KIND_CLAIM_DRAW");
  EXPECT_THAT(wire.clock_ms(), ::testing::ElementsAre(-1, 12));
  ASSERT_EQ(wire.eval_size(), 6);
  EXPECT_TRUE(std::isnan(wire.eval(0)));
  EXPECT_EQ(wire.eval(3), 0.5);
  EXPECT_THAT(wire.fallbacks(), ::testing::ElementsAre(1));
  EXPECT_THAT(wire.places(), ::testing::ElementsAre(1, 3, 1));
  EXPECT_THAT(wire.endings(), ::testing::ElementsAre("", "crash", ""));
  EXPECT_EQ(wire.termination(), "threefold_repetition");
  EXPECT_EQ(wire.costs(0).ShortDebugString(), "moves: 1 nodes: 5 time_us: 6 cpu_us: 4");
  EXPECT_FALSE(wire.costs(1).has_cpu_us());
}

TEST(ConvertGameTest, WhatBotsSaidIsMadePrintableAndShort) {
  v1::Game wire = Sample();
  v1::MoveInfo* const info = wire.add_infos();
  info->set_ply(1);
  info->set_depth(-4);
  info->set_nodes(std::numeric_limits<int64_t>::max());
  info->set_line(std::string(1 << 20, 'x'));
  info->set_explanation("\x1b[2J" + std::string(1 << 20, 'x'));
  const absl::StatusOr<GameRecord> come = FromWire(wire);
  ASSERT_TRUE(come.ok()) << come.status();
  ASSERT_EQ(come->infos.size(), 1u);
  EXPECT_EQ(come->infos[0].depth, 0);
  EXPECT_EQ(come->infos[0].nodes, kFigureMax);
  EXPECT_EQ(come->infos[0].line, "");
  EXPECT_THAT(come->infos[0].explanation, StartsWith("\\x1b[2Jxx"));
  EXPECT_EQ(come->infos[0].explanation.size(), MoveInfo::kExplanationBytesMax);
}

TEST(ConvertGameTest, WhatBotsSaidBelongsToMovesInOrder) {
  for (const auto& plies : {std::vector<uint32_t>{2}, {1, 1}, {1, 0}}) {
    v1::Game wire = Sample();
    for (const uint32_t ply : plies) wire.add_infos()->set_ply(ply);
    const absl::StatusOr<GameRecord> come = FromWire(wire);
    ASSERT_FALSE(come.ok());
    EXPECT_THAT(std::string(come.status().message()), StartsWith("infos["));
  }
}

TEST(ConvertGameTest, ReportsAboutFaultsAreMadePrintable) {
  v1::Game wire = Sample();
  v1::GameFault* const fault = wire.add_faults();
  fault->set_seat(1);
  fault->set_ply(1);
  fault->set_why("crash");
  fault->set_errors("\x1b[2J");
  fault->set_protocol(std::string(1 << 20, 'x'));
  const absl::StatusOr<GameRecord> record = FromWire(wire);
  ASSERT_TRUE(record.ok()) << record.status();
  ASSERT_EQ(record->faults.size(), 1u);
  EXPECT_EQ(record->faults[0].report.errors, "\\x1b[2J");
  EXPECT_LT(record->faults[0].report.protocol.size(), 50u << 10);
}

std::string ErrorOf(const v1::Game& wire) {
  const absl::StatusOr<GameRecord> record = FromWire(wire);
  if (record.ok()) return "none";
  EXPECT_EQ(record.status().code(), absl::StatusCode::kInvalidArgument);
  return std::string(record.status().message());
}

std::string ManyMoves(int64_t plies) {
  std::string moves = "E2-E4";
  for (int64_t i = 1; i < plies; ++i) moves += " E2-E4";
  return moves;
}

struct MalformedGame {
  std::function<void(v1::Game*)> spoil;
  const char* message;
};

void ExpectGameErrors(const std::vector<MalformedGame>& rows) {
  for (const MalformedGame& row : rows) {
    v1::Game wire = Sample();
    row.spoil(&wire);
    EXPECT_THAT(ErrorOf(wire), StartsWith(row.message)) << wire.ShortDebugString().substr(0, 300);
  }
}

TEST(ConvertGameTest, ErrorsNameTheFieldOfTheHeadOrResult) {
  ASSERT_EQ(ErrorOf(Sample()), "none");
  ExpectGameErrors({
      {[](v1::Game* g) { g->Clear(); }, "date: "},
      {[](v1::Game* g) { g->set_index(-1); }, "index: -1 is not between 0 and "},
      {[](v1::Game* g) { g->set_date("2026-11-21"); }, "date: \"2026-11-21\" is not a date"},
      {[](v1::Game* g) { g->set_date("2026.11.211"); }, "date: "},
      {[](v1::Game* g) { g->clear_places(); }, "number of places: 0 is not between 2 and 3"},
      {[](v1::Game* g) { g->add_places(1); }, "number of places: 4"},
      {[](v1::Game* g) { g->set_places(1, 4); }, "places: 4 is not between 1 and 3"},
      {[](v1::Game* g) { g->set_places(1, 257); }, "places: 257"},
      {[](v1::Game* g) { g->set_places(0, 0); }, "places: 0"},
      {[](v1::Game* g) { g->add_endings(""); }, "endings: expected 3, one per place, not 4"},
      {[](v1::Game* g) { g->set_endings(0, "bored"); }, "endings: \"bored\" is not a known ending"},
      {[](v1::Game* g) { g->set_termination(""); }, "termination: \"\" is not a known ending"},
      {[](v1::Game* g) { g->set_termination("abandoned"); }, "termination: \"abandoned\""},
      {[](v1::Game* g) { g->clear_costs(); }, "costs: expected 3, one per place, not 0"},
      {[](v1::Game* g) { g->mutable_costs(2)->set_nodes(-1); }, "costs[2].nodes: -1"},
      {[](v1::Game* g) { g->mutable_costs(1)->set_moves(kPliesPerGameMax + 1); },
       "costs[1].moves: 1000001"},
      {[](v1::Game* g) { g->mutable_costs(0)->set_time_us(kFigureMax + 1); }, "costs[0].time_us: "},
      {[](v1::Game* g) { g->mutable_costs(0)->set_cpu_us(-1); }, "costs[0].cpu_us: -1"},
      {[](v1::Game* g) { g->mutable_costs(0)->set_cpu_us(kFigureMax + 1); }, "costs[0].cpu_us: "},
  });
}

TEST(ConvertGameTest, ErrorsNameTheFieldOfAMoveOrEvent) {
  ExpectGameErrors({
      {[](v1::Game* g) { g->set_moves(" E2-E4"); }, "moves: \"\" is not a move"},
      {[](v1::Game* g) { g->set_moves("E2-E4 "); }, "moves: \"\" is not a move"},
      {[](v1::Game* g) { g->set_moves("E2-E4  E2-E4"); }, "moves: \"\" is not a move"},
      {[](v1::Game* g) { g->set_moves("E2-E4 +"); }, "moves: \"\" is not a move"},
      {[](v1::Game* g) { g->set_moves("E2-E4++ a-b"); }, "moves: \"E2-E4+\" is not a move"},
      {[](v1::Game* g) { g->set_moves("E2-\tE4 a-b"); }, "moves: \"E2-\\x09E4\" is not a move"},
      {[](v1::Game* g) { g->set_moves("E2-\xc3\xa4 a-b"); },
       "moves: \"E2-\\xc3\\xa4\" is not a move"},
      {[](v1::Game* g) { g->set_moves(std::string(18, 'a')); }, "moves: \"aaaa"},
      {[](v1::Game* g) { g->set_moves("E2-E4"); }, "events[1].plies: out of order, or after"},
      {[](v1::Game* g) { g->set_moves("a-b c-d e-f"); }, "seats: expected one per ply"},
      {[](v1::Game* g) { g->add_fallbacks(2); }, "fallbacks: 2 is out of order, or after the last"},
      {[](v1::Game* g) { g->add_fallbacks(0); }, "fallbacks: 0 is out of order, or after the last"},
      {[](v1::Game* g) { g->add_fallbacks(1); }, "fallbacks: 1 is out of order, or after the last"},
      {[](v1::Game* g) { g->mutable_events(0)->set_plies(3); }, "events[0].plies: out of order"},
      {[](v1::Game* g) { g->mutable_events(1)->set_plies(0); }, "events[1].plies: out of order"},
      {[](v1::Game* g) { g->mutable_events(0)->set_seat(3); }, "events[0].seat: 3 is not between"},
      {[](v1::Game* g) { g->mutable_events(0)->set_seat(1u << 31); }, "events[0].seat: 2147483648"},
      {[](v1::Game* g) { g->mutable_events(0)->clear_kind(); },
       "events[0].kind: 0 is not a known value"},
      {[](v1::Game* g) { g->mutable_events(0)->set_kind(static_cast<v1::SpecialEvent::Kind>(9)); },
       "events[0].kind: 9 is not a known value"},
      {[](v1::Game* g) { g->mutable_events(0)->set_why("checkmate"); },
       "events[0].why: \"checkmate\" is not a reason to forfeit"},
      {[](v1::Game* g) { g->mutable_events(1)->set_why("crash"); },
       "events[1].why: only a forfeit has a reason"},
      {[](v1::Game* g) {
         for (int i = 0; i < 20; ++i) *g->add_events() = g->events(1);
       },
       "events: 22 is not between 0 and 16"},
      {[](v1::Game* g) { g->set_moves(ManyMoves(kPliesPerGameMax + 1)); }, "moves: 1000001 is not"},
  });
}

TEST(ConvertGameTest, ErrorsNameTheFieldOfAnAnnotation) {
  ExpectGameErrors({
      {[](v1::Game* g) { g->set_seats("x"); }, "seats: expected one per ply"},
      {[](v1::Game* g) { g->set_seats("\x01\x03"); }, "seats: 3 is not between 0 and 2"},
      {[](v1::Game* g) { g->set_seats("\x01\xff"); }, "seats: 255 is not between 0 and 2"},
      {[](v1::Game* g) { g->add_clock_ms(1); }, "clock_ms: expected one per ply"},
      {[](v1::Game* g) { g->set_clock_ms(0, -2); }, "clock_ms: -2 is not between"},
      {[](v1::Game* g) { g->set_clock_ms(0, kFigureMax + 1); }, "clock_ms: "},
      {[](v1::Game* g) { g->add_eval(1); }, "eval: expected one per ply and seat"},
      {[](v1::Game* g) { g->set_eval(4, kNan); }, "eval: not shares"},
      {[](v1::Game* g) { g->set_eval(0, 0.5); }, "eval: not shares"},
      {[](v1::Game* g) { g->set_eval(3, -0.5); }, "eval: not shares"},
      {[](v1::Game* g) { g->set_eval(3, 1.5); }, "eval: not shares"},
      {[](v1::Game* g) { g->set_eval(3, std::numeric_limits<double>::infinity()); },
       "eval: not shares"},
  });
}

TEST(ConvertGameTest, AGameMayHaveNoMoves) {
  v1::Game wire = Sample();
  wire.clear_moves();
  wire.clear_seats();
  wire.clear_clock_ms();
  wire.clear_eval();
  wire.clear_fallbacks();
  for (v1::SpecialEvent& event : *wire.mutable_events()) event.set_plies(0);
  const absl::StatusOr<GameRecord> record = FromWire(wire);
  ASSERT_TRUE(record.ok()) << record.status();
  EXPECT_EQ(record->plies, 0);
  EXPECT_EQ(record->events.size(), 2u);
}

// ---- Recorded games.

GameSummary SomeSummary(size_t seats) {
  GameSummary summary;
  summary.index = 12;
  summary.match = 3;
  summary.outcome.termination = Termination::kCheckmate;
  for (size_t i = 0; i < seats; ++i) {
    summary.bots[SeatAt(i)] = static_cast<int>(i + 4);
    summary.outcome.place[SeatAt(i)] = static_cast<uint8_t>(i + 1);
    summary.costs[SeatAt(i)] = {.moves = 1, .nodes = 2, .time_us = static_cast<int64_t>(i)};
    if (i > 0) summary.costs[SeatAt(i)].cpu_us = static_cast<int64_t>(i - 1);
    summary.fallbacks[SeatAt(i)] = static_cast<int64_t>(i);
  }
  summary.endings[Seat::kSecond] = Termination::kCheckmate;
  summary.plies = 77;
  return summary;
}

TEST(ConvertRecordedGameTest, RoundTripsWithTwoSeatsOrThree) {
  for (const size_t seats : {size_t{2}, size_t{3}}) {
    v1::RecordedGame wire;
    ToWire(SomeSummary(seats), seats, "1. E2-E4 *", &wire);
    const absl::StatusOr<RecordedGame> game = FromWire(wire);
    ASSERT_TRUE(game.ok()) << game.status();
    EXPECT_EQ(game->summary, SomeSummary(seats));
    EXPECT_EQ(game->seats, seats);
    EXPECT_EQ(game->tpgn, "1. E2-E4 *");
  }
}

// The message is as an older coordinator sends it.
TEST(ConvertRecordedGameTest, NewerFieldsMayBeMissing) {
  v1::RecordedGame wire;
  ToWire(SomeSummary(3), 3, "", &wire);
  wire.clear_cpu_us();
  wire.clear_fallbacks();
  const GameSummary summary = FromWire(wire).value().summary;
  EXPECT_EQ(summary.costs[Seat::kThird].cpu_us, std::nullopt);
  EXPECT_EQ(summary.fallbacks, PerSeat<int64_t>());
}

TEST(ConvertRecordedGameTest, ErrorsNameTheField) {
  struct Row {
    std::function<void(v1::RecordedGame*)> spoil;
    const char* message;
  };
  const std::vector<Row> rows = {
      {[](v1::RecordedGame* g) { g->set_index(-1); }, "index: "},
      {[](v1::RecordedGame* g) { g->set_match(-1); }, "match: "},
      {[](v1::RecordedGame* g) { g->set_plies(-1); }, "plies: "},
      {[](v1::RecordedGame* g) { g->clear_places(); }, "number of places: "},
      {[](v1::RecordedGame* g) { g->clear_bots(); }, "bots: expected 3"},
      {[](v1::RecordedGame* g) { g->set_bots(0, 1u << 31); }, "bots: 2147483648"},
      {[](v1::RecordedGame* g) { g->add_moves(1); }, "moves: expected 3"},
      {[](v1::RecordedGame* g) { g->add_nodes(1); }, "nodes: expected 3"},
      {[](v1::RecordedGame* g) { g->add_time_us(1); }, "time_us: expected 3"},
      {[](v1::RecordedGame* g) { g->set_nodes(1, -4); }, "nodes: -4"},
      {[](v1::RecordedGame* g) { g->add_cpu_us(1); }, "cpu_us: expected 3"},
      {[](v1::RecordedGame* g) { g->set_cpu_us(1, -2); }, "cpu_us: -2"},
      {[](v1::RecordedGame* g) { g->add_fallbacks(1); }, "fallbacks: expected 3"},
      {[](v1::RecordedGame* g) { g->set_fallbacks(1, -1); }, "fallbacks: -1"},
      {[](v1::RecordedGame* g) { g->set_termination("x"); }, "termination: "},
      {[](v1::RecordedGame* g) { g->clear_endings(); }, "endings: expected 3"},
  };
  for (const Row& row : rows) {
    v1::RecordedGame wire;
    ToWire(SomeSummary(3), 3, "", &wire);
    row.spoil(&wire);
    EXPECT_THAT(std::string(FromWire(wire).status().message()), StartsWith(row.message));
  }
}

}  // namespace
}  // namespace triarch::wire
