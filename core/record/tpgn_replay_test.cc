#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "core/any_state.h"
#include "core/base/random.h"
#include "core/base/text.h"
#include "core/record/tpgn.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace triarch {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string ReadFile(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

// Reads and replays the text's only game.
absl::StatusOr<GameRecord> Replay(std::string_view text) {
  TpgnReader reader(text);
  const std::optional<absl::StatusOr<TpgnGame>> game = reader.Next();
  if (!game.has_value()) return absl::NotFoundError("no game");
  if (!game->ok()) return game->status();
  return ReplayTpgn(**game);
}

std::string Message(std::string_view text) { return std::string(Replay(text).status().message()); }

// Records the moves played on `state`, as the game runner does.
class Recorder {
 public:
  explicit Recorder(AnyState start) : state(std::move(start)) {
    record.game = state.info().name;
    record.bots = {.values = {"a", "b", "c"}};
  }

  void PlayMove(size_t number) {
    const AnyState::Moves moves = state.LegalMoves();
    RecordedEvent& event = record.events.emplace_back();
    event.seat = state.to_move();
    event.move = state.MoveToTpgn(moves, number);
    numbers.push_back(state.As<triumvirate::Position>()->position().move_number());
    const PerSeat<bool> before = Survivors();
    state.Play(moves, number);
    event.is_elimination = before != Survivors();
    for (size_t i = 0; i < 3 && !event.is_elimination; ++i) {
      const Seat seat = SeatAt(i);
      if (seat != event.seat && state.in_check(seat)) event.is_check = true;
    }
    ++record.plies;
  }

  void Leave(Seat seat, Termination why) {
    RecordedEvent& event = record.events.emplace_back();
    event.kind = why == Termination::kResignation ? RecordedEvent::Kind::kResign
                                                  : RecordedEvent::Kind::kForfeit;
    event.seat = seat;
    event.why = why;
    state.Eliminate(seat, why);
  }

  GameRecord Finish() {
    record.is_finished = state.outcome().has_value();
    if (record.is_finished) record.outcome = *state.outcome();
    if (record.is_finished) record.endings = state.endings();
    return record;
  }

  AnyState state;
  GameRecord record;
  std::vector<int64_t> numbers;  // of each move, by the position's count

 private:
  PerSeat<bool> Survivors() const {
    PerSeat<bool> survivors;
    for (size_t i = 0; i < 3; ++i) survivors[SeatAt(i)] = state.is_in(SeatAt(i));
    return survivors;
  }
};

// The files in tests/data/tpgn are in the writer's own form: rewriting one yields the same bytes.
TEST(TpgnReplay, RewritesGoldenGamesUnchanged) {
  size_t count = 0;
  for (const auto& file : std::filesystem::directory_iterator(TRIARCH_TEST_DATA "/tpgn")) {
    const std::string text = ReadFile(file.path());
    const absl::StatusOr<GameRecord> record = Replay(text);
    ASSERT_TRUE(record.ok()) << file.path() << ": " << record.status();
    EXPECT_EQ(WriteTpgn(*record), text) << file.path();
    ++count;
  }
  EXPECT_GE(count, 8u);
}

TEST(TpgnReplay, ReturnsTheWrittenRecord) {
  const absl::StatusOr<GameRecord> record =
      Replay(ReadFile(TRIARCH_TEST_DATA "/tpgn/resignation_off_turn_and_time_forfeit.tpgn"));
  ASSERT_TRUE(record.ok()) << record.status();
  EXPECT_EQ(record->game, "triumvirate");
  EXPECT_EQ(record->bots[Seat::kSecond], "beta:depth=2");
  EXPECT_EQ(record->time_control, "60+1");
  EXPECT_EQ(record->seed, 7u);
  EXPECT_EQ(record->opening_plies, 6);
  EXPECT_TRUE(record->is_finished);
  EXPECT_EQ(record->outcome.termination, Termination::kTimeForfeit);
  EXPECT_EQ(record->outcome.place, (PerSeat<uint8_t>{.values = {3, 2, 1}}));
  EXPECT_EQ(record->endings[Seat::kFirst], Termination::kResignation);
  EXPECT_EQ(record->endings[Seat::kSecond], Termination::kTimeForfeit);
  EXPECT_EQ(record->endings[Seat::kThird], std::nullopt);
  EXPECT_EQ(record->events[6].clock_ms, 59'178);
  EXPECT_EQ(record->events[6].eval, std::nullopt);
  EXPECT_EQ(record->events[7].eval, (PerSeat<double>{.values = {0.34, 0.33, 0.33}}));
}

// Returns a game of Triumvirate whose second move has the info, with other comments too.
GameRecord GameWithInfo(const MoveInfo& info) {
  GameRecord record;
  record.game = "triumvirate";
  for (const char* const move : {"E2-E4", "D7-D5", "I11-I10"}) {
    RecordedEvent& event = record.events.emplace_back();
    event.seat = SeatAt(record.events.size() - 1);
    event.move = move;
  }
  record.plies = 3;
  record.events[1].clock_ms = 1000;
  record.events[1].eval = PerSeat<double>{.values = {0.25, 0.5, 0.25}};
  record.events[1].is_fallback = true;
  record.fallbacks = 1;
  record.time_control = "60";
  record.infos = {info};
  record.infos[0].ply = 1;
  return record;
}

TEST(TpgnReplay, ReturnsWhatBotsSaid) {
  const std::vector<std::string> hostile = {
      "plain",
      "} {White resigns} {",
      "{[%clk 9:00:00] [%eval 1.00,0.00,0.00] fallback}",
      "] fallback",
      "] [%pv A1-A2] [%depth 77]",
      "[Event \"other\"]\n1. E2-E4 1-0-0",
      "\\x7d \\\\ \\ \\x 100 % %x ;y (E2-E4) $4 -- *",
      "<b>ümlaut</b> \"&amp;\" ♔",
      "White resigns",
  };
  for (const std::string& text : hostile) {
    for (const char* const padding : {"", "a ", "aaaaaaaaa aaaaaaaaa aaaaaaaaa aaaaaaaaa aaaaa "}) {
      const GameRecord record = GameWithInfo(
          {.depth = 3, .nodes = 99, .line = "D7-D5 I11-I10", .explanation = padding + text});
      const std::string tpgn = WriteTpgn(record);
      const absl::StatusOr<GameRecord> read = Replay(tpgn);
      ASSERT_TRUE(read.ok()) << read.status() << tpgn;
      EXPECT_EQ(read->infos, record.infos) << tpgn;
      EXPECT_EQ(read->events, record.events) << tpgn;
      EXPECT_EQ(WriteTpgn(*read), tpgn);
      // Other readers skip from a brace to the next one, and some take lines for tags or comments.
      const std::string moves = tpgn.substr(tpgn.find("\n\n"));
      EXPECT_EQ(std::count(moves.begin(), moves.end(), '{'), 1) << tpgn;
      EXPECT_EQ(std::count(moves.begin(), moves.end(), '}'), 1) << tpgn;
      for (const std::string_view line : Split(moves, '\n')) {
        EXPECT_TRUE(line.find_first_of("[%;") != 0) << tpgn;
      }
    }
  }
}

TEST(TpgnReplay, BoundsWhatAStrangersFileSaysABotSaid) {
  std::string tpgn = WriteTpgn(GameWithInfo({.explanation = "X"}));
  tpgn.replace(tpgn.find("[%info X]"), 9,
               "[%depth x] [%nodes -5] [%info \\x1b\\x00" + std::string(5000, 'x') + "]");
  const absl::StatusOr<GameRecord> read = Replay(tpgn);
  ASSERT_TRUE(read.ok()) << read.status();
  ASSERT_EQ(read->infos.size(), 1u);
  EXPECT_EQ(read->infos[0].depth, 0);
  EXPECT_EQ(read->infos[0].nodes, 0);
  EXPECT_EQ(read->infos[0].explanation.size(), MoveInfo::kExplanationBytesMax);
  EXPECT_TRUE(read->infos[0].explanation.starts_with("\\x1b\\x00xx"));
}

std::vector<int64_t> NumbersOf(std::string_view text) {
  std::vector<int64_t> numbers;
  const std::optional<absl::StatusOr<TpgnGame>> game = TpgnReader(text).Next();
  for (const TpgnItem& item : (*game)->items) {
    if (item.kind == TpgnItem::Kind::kMove) numbers.push_back(item.round);
  }
  return numbers;
}

// Random games with players that leave in and out of turn are read back unchanged.
TEST(TpgnReplay, ReturnsWrittenRandomGames) {
  for (uint64_t seed = 1; seed <= 150; ++seed) {
    Random random(seed);
    Recorder game(*AnyState::Start("triumvirate", ""));
    while (!game.state.outcome() && game.record.plies < 400) {
      const Seat seat = SeatAt(random.Below(3));
      constexpr Termination kWhys[] = {Termination::kResignation, Termination::kTimeForfeit,
                                       Termination::kIllegalMove, Termination::kCrash};
      if (random.Below(300) == 0 && game.state.is_in(seat)) {
        game.Leave(seat, kWhys[random.Below(4)]);
      } else {
        game.PlayMove(random.Below(static_cast<uint32_t>(game.state.LegalMoves().size())));
      }
    }
    const GameRecord record = game.Finish();
    const std::string text = WriteTpgn(record);
    const absl::StatusOr<GameRecord> replayed = Replay(text);
    ASSERT_TRUE(replayed.ok()) << "seed " << seed << ": " << replayed.status() << "\n" << text;
    EXPECT_EQ(replayed->events, record.events) << "seed " << seed;
    EXPECT_EQ(replayed->outcome, record.outcome) << "seed " << seed;
    EXPECT_EQ(replayed->endings, record.endings) << "seed " << seed;
    EXPECT_EQ(WriteTpgn(*replayed), text) << "seed " << seed;
    EXPECT_EQ(NumbersOf(text), game.numbers) << "seed " << seed;
  }
}

TEST(TpgnReplay, AcceptsGamesWithoutTags) {
  EXPECT_TRUE(Replay("*").ok());
  EXPECT_TRUE(Replay("1. E2-E4 D7-D6 I11-I10 2. D2-D3 ... 1-0-0").ok());
  EXPECT_TRUE(Replay("E2-E4 D7-D6 I11-I10 D2-D3 D6-D5 *").ok());  // no numbers
  EXPECT_TRUE(Replay("{White resigns} -- {Black resigns} 0-0-1").ok());
  EXPECT_TRUE(Replay("{White resigns} {Red resigns} 0-1-0").ok());
  EXPECT_TRUE(Replay("1. E2-E4 {White is a fine player} {Reduce!} *").ok());
}

TEST(TpgnReplay, ReadsFallbackMoves) {
  const absl::StatusOr<GameRecord> record = Replay(
      "1. E2-E4 {fallback} D7-D6 {no fallback} I11-I10 {[%clk 0:00:01] fallback} {fallback} "
      "2. D2-D3 {White resigns} {fallback} *");
  ASSERT_TRUE(record.ok()) << record.status();
  EXPECT_EQ(record->fallbacks, 2);
  EXPECT_TRUE(record->events[0].is_fallback);
  EXPECT_FALSE(record->events[1].is_fallback);
  EXPECT_TRUE(record->events[2].is_fallback);
  EXPECT_EQ(record->events[2].clock_ms, 1000);
  EXPECT_FALSE(record->events[4].is_fallback);
}

TEST(TpgnReplay, AcceptsOtherFormsOfMoves) {
  // The record has the canonical text.
  const absl::StatusOr<GameRecord> castled =
      Replay("1. G1-F3 A7-A6 I11-I10 2. G2-G3 A6-A5 I10-I9 3. F1-G2 B7-B6 J11-J10 4. E1-G1 *");
  ASSERT_TRUE(castled.ok()) << castled.status();
  EXPECT_EQ(castled->events.back().move, "O-O");
}

// The promotion of a freed pawn shares the slot of the following move, wherever the game begins and
// whatever stands between them.
TEST(TpgnReplay, ReturnsPendingPromotions) {
  const std::string white = "4/4/4/2K1|4/4/4/4|P3/4/4/2k1|2/2|2/2|2/2|2/2";
  const std::string before = "QL1,KL1,QL6,KL6 " + white + " b - - 3 11";
  const std::string pending = "QL1,KL1,QL4,KL6 " + white + " w - - 0 12 a8B";
  const std::string of_black =
      "QL3,KL1,QL6,KL6 4/4/4/p3|4/4/4/3K|4/4/4/2k1|2/2|2/2|2/2|2/2 b - - 0 12 a1W";
  const std::pair<std::string, std::string> games[] = {
      {pending, "12. a8B=Q c1W-c2W c5B-b5B 13. c2W-c1W *"},
      {pending, "12. a8B=Q {[%clk 0:00:01]} c1W-c2W {[%clk 0:00:02]} 12... c5B-b5B *"},
      {pending, "12. a8B=R {White resigns} 0-1"},
      {pending, "12. a8B=N {Black resigns} 1-0"},
      {pending, "{White resigns} 0-1"},
      {of_black, "12... a1W=Q c5B-c6B 13. d3N-d2W *"},
      {of_black, "12... a1W=Q {fallback} c5B-c6B {fallback} 13. d3N-d2W *"},
      {of_black, "12... a1W=Q c5B-c6B {White forfeits: crash} 0-1"},
      {before, "11... QL6-QL4 12. a8B=Q c1W-c2W c5B-b5B *"},
      {before, "11... QL6-QL4 {[%clk 0:00:03]} 12. a8B=B c1W-c2W c5B-b5B *"},
      {before, "11... QL6-QL4 {White resigns} 0-1"}};
  for (const auto& [position, movetext] : games) {
    const absl::StatusOr<GameRecord> record = Replay("[Variant \"Tri-D\"]\n[SetUp \"1\"]\n[FEN \"" +
                                                     position + "\"]\n\n" + movetext + "\n");
    ASSERT_TRUE(record.ok()) << movetext << ": " << record.status();
    const std::string text = WriteTpgn(*record);
    EXPECT_EQ(text.substr(text.find("\n\n") + 2), movetext + "\n\n");
    const absl::StatusOr<GameRecord> again = Replay(text);
    ASSERT_TRUE(again.ok()) << text << ": " << again.status();
    EXPECT_EQ(again->events, record->events);
    EXPECT_EQ(again->outcome, record->outcome);
  }
}

TEST(TpgnReplay, RefusesIllegalMoves) {
  EXPECT_THAT(Message("1. E2-E4 D7-D6 I11-I10 2. E4-E2 *"), StartsWith("move 2, White: "));
  EXPECT_THAT(Message("1. E2-E4 nonsense *"), StartsWith("move 1, Black: "));
}

TEST(TpgnReplay, RefusesWrongSlots) {
  EXPECT_EQ(Message("1. -- D7-D6 *"),
            "move 1, White: there is \"--\", but it is this player's turn");
  EXPECT_EQ(Message("1. E2-E4 D7-D6 2. D2-D3 *"),
            "move 1, Red: expected a move or \"--\", not number 2");
  EXPECT_EQ(Message("1. {White resigns} D7-D6 *"),
            "move 1, White: there is a move, but Black is to move");
  EXPECT_EQ(Message("1. {White resigns} -- D7-D6 I11-I10 2. D6-D5 *"),
            "move 2, White: there is a move, but Black is to move");
}

TEST(TpgnReplay, RefusesWrongNumbers) {
  EXPECT_EQ(Message("2. E2-E4 *"), "move 1, White: expected this number, not number 2");
  EXPECT_EQ(Message("1. E2-E4 D7-D6 I11-I10 3. D2-D3 *"),
            "move 2, White: expected this number, not number 3");
}

TEST(TpgnReplay, RefusesWrongSuffixes) {
  EXPECT_TRUE(Replay("1. E2-E4 *").ok());
  EXPECT_EQ(Message("1. E2-E4+ *"),
            "move 1, White: \"+\" after E2-E4, but no opponent is in check");
  EXPECT_EQ(Message("1. E2-E4# *"), "move 1, White: \"#\" after E2-E4, but no seat was eliminated");
}

TEST(TpgnReplay, RefusesEventsAfterTheEnd) {
  const std::string end = "{White resigns} {Red resigns} ";
  EXPECT_EQ(Message(end + "-- D7-D6 0-1-0"),
            "move 1, Black: there is a move after the end of the game");
  EXPECT_EQ(Message(end + "{Black resigns} 0-1-0"),
            "move 1, Black: the comment follows the end of the game");
  EXPECT_TRUE(Replay(end + "-- -- -- 0-1-0").ok());
  EXPECT_EQ(Message("1. E2-E4 ... D7-D6 *"), "move 1, Black: there is a move after \"...\"");
  EXPECT_EQ(Message("{Red resigns} {Red resigns} *"), "move 1, Red: this player is already out");
  EXPECT_THAT(Message("{Red forfeits: boredom} *"), HasSubstr("not \"boredom\""));
}

TEST(TpgnReplay, CarriesOutClaims) {
  EXPECT_EQ(Message("[Draws \"claimed\"]\n\n{White claims draw} *"),
            "move 1, White: there is no draw to claim");
  EXPECT_EQ(Message("{Red claims draw} *"),
            "move 1, Red: a draw is claimed out of turn; White is to move");
  std::string text = ReadFile(TRIARCH_TEST_DATA "/tpgn/claimed_repetition.tpgn");
  text.replace(text.find("claimed"), 7, "automatic");
  EXPECT_EQ(Message(text), "move 5, White: there is a move after the end of the game");
}

// Returns the error after one change to a good game.
std::string Changed(const std::string& from, const std::string& to) {
  std::string text = ReadFile(TRIARCH_TEST_DATA "/tpgn/illegal_move_and_crash.tpgn");
  const size_t at = text.find(from);
  if (at == std::string::npos) return "the game has no " + from;
  return Message(text.replace(at, from.size(), to));
}

TEST(TpgnReplay, RefusesTagsThatContradictTheRules) {
  EXPECT_EQ(Changed("[Result \"0-1-0\"]", "[Result \"1-0-0\"]"),
            "tag Result: it says \"1-0-0\", but the moves end with \"0-1-0\"");
  EXPECT_EQ(Changed("[Termination \"crash\"]", "[Termination \"checkmate\"]"),
            "tag Termination: it says \"checkmate\", but the rules say \"crash\"");
  EXPECT_EQ(Changed("2-1-3", "3-1-2"),
            "tag Placement: it says \"3-1-2\", but the rules say \"2-1-3\"");
  EXPECT_EQ(Changed("crash/winner/illegal_move", "crash/winner/crash"),
            "tag Endings: it says \"crash/winner/crash\", but the rules say "
            "\"crash/winner/illegal_move\"");
  EXPECT_EQ(Changed("[PlyCount \"14\"]", "[PlyCount \"15\"]"),
            "tag PlyCount: it says \"15\", but the rules say \"14\"");
  EXPECT_EQ(Changed("{White forfeits: crash}", ""),
            "tag Result: it says \"0-1-0\", but by the rules the game is not over");
  EXPECT_EQ(Changed("[PlyCount", "[OpeningPlies \"15\"]\n[PlyCount"),
            "tag OpeningPlies: more plies than the game has");
}

// No rule decides the words for seats that share a draw, but the rules decide how a seat was
// eliminated.
TEST(TpgnReplay, ChecksEndingsThatTheRulesDecide) {
  const std::string moves = "{White resigns} {Red resigns} 0-1-0\n";
  EXPECT_TRUE(Replay("[Endings \"resignation/winner/resignation\"]\n\n" + moves).ok());
  EXPECT_THAT(Message("[Endings \"checkmate/winner/resignation\"]\n\n" + moves),
              HasSubstr("tag Endings"));
  EXPECT_THAT(Message("[Endings \"resignation/winner\"]\n\n" + moves), HasSubstr("tag Endings"));
  std::string draw = ReadFile(TRIARCH_TEST_DATA "/tpgn/claimed_repetition.tpgn");
  const std::string ours = "draw/draw/draw";
  draw.replace(draw.find(ours), ours.size(), "repetition/repetition/repetition");
  EXPECT_TRUE(Replay(draw).ok()) << Message(draw);
}

TEST(TpgnReplay, NeedsNoResultAfterAnUnrecordedRest) {
  const auto record = Replay("[Result \"1-0-0\"]\n\n1. E2-E4 D7-D6 I11-I10\n2. D2-D3 ...\n");
  ASSERT_TRUE(record.ok()) << record.status();
  EXPECT_EQ(record->plies, 4);
  EXPECT_FALSE(Replay("[Result \"1-0-0\"]\n\n1. E2-E4 D7-D6 I11-I10\n").ok());
}

// White is stalemated at the start, so it is Black's turn.
TEST(TpgnReplay, JudgesTheStart) {
  const std::string head =
      "[SetUp \"1\"]\n[FEN \"wKA1,bQC2,bKD8,rKI12 w w-.b-.r- - saa 10 5\"]\n\n";
  EXPECT_TRUE(Replay(head + "5. -- D8-D7 *\n").ok()) << Message(head + "5. -- D8-D7 *\n");
  EXPECT_FALSE(Replay(head + "5. D8-D7 *\n").ok());
}

TEST(TpgnReplay, RefusesTagsThatItCannotRead) {
  EXPECT_THAT(Message("[Variant \"Chess\"]\n\n*"),
              StartsWith("tag Variant: unknown \"Chess\"; known: Triumvirate"));
  EXPECT_THAT(Message("[FEN \"x\"]\n\n*"), StartsWith("tag FEN: FIELD_COUNT"));
  EXPECT_EQ(Message("[FEN \"\"]\n\n*"), "tag FEN: it is empty");
  EXPECT_EQ(Message("[SetUp \"1\"]\n\n*"), "tag SetUp: 1, but there is no FEN");
  EXPECT_EQ(Message("[SetUp \"0\"]\n[FEN \"x\"]\n\n*"), "tag SetUp: 0, but there is a FEN");
  EXPECT_EQ(Message("[SetUp \"yes\"]\n\n*"), "tag SetUp: expected 0 or 1, not \"yes\"");
  EXPECT_EQ(Message("[Draws \"never\"]\n\n*"),
            "tag Draws: expected automatic or claimed, not \"never\"");
  EXPECT_EQ(Message("[InsufficientMaterial \"yes\"]\n\n*"),
            "tag InsufficientMaterial: expected on or off, not \"yes\"");
  EXPECT_EQ(Message("[Seed \"-1\"]\n\n*"), "tag Seed: expected a number, not \"-1\"");
}

TEST(TpgnReplay, RefusesInsufficientMaterialWhereTheRulesDecide) {
  EXPECT_TRUE(Replay("[InsufficientMaterial \"off\"]\n\n1. E2-E4 *").ok());
  EXPECT_EQ(Message("[InsufficientMaterial \"on\"]\n\n1. E2-E4 *"),
            "tag InsufficientMaterial: it is not an option of Triumvirate, whose rules decide it");
}

// White takes the last pawn, which leaves two bare kings.
TEST(TpgnReplay, EndsByInsufficientMaterialIfTheTagSaysSo) {
  const std::string head =
      "[Variant \"Three-Way\"]\n[SetUp \"1\"]\n"
      "[FEN \"4k3/8/8/8/X/X X/X/X 8/4p3/8/8/X/4k3/8/8/8 W ------ --- 0 20\"]\n"
      "[Termination \"insufficient_material\"]\n";
  const std::string on = "[InsufficientMaterial \"on\"]\n";
  const std::string moves = "\n20. h4xh5 1/2-0-1/2\n";
  const absl::StatusOr<GameRecord> record = Replay(head + on + moves);
  ASSERT_TRUE(record.ok()) << record.status();
  EXPECT_TRUE(record->draw_rules.insufficient_material);
  EXPECT_EQ(record->outcome.termination, Termination::kInsufficientMaterial);
  EXPECT_THAT(WriteTpgn(*record), HasSubstr(on));
  EXPECT_THAT(Message(head + moves), HasSubstr("by the rules the game is not over"));
}

TEST(TpgnReplay, AcceptsUnfinishedGames) {
  const absl::StatusOr<GameRecord> record = Replay("[Termination \"abandoned\"]\n\n1. E2-E4 *");
  ASSERT_TRUE(record.ok());
  EXPECT_FALSE(record->is_finished);
  EXPECT_EQ(Message("[Termination \"checkmate\"]\n\n1. E2-E4 *"),
            "tag Termination: it says \"checkmate\", but there is no result");
  EXPECT_EQ(Message("{White resigns} {Red resigns} *"),
            "tag Result: it says \"*\", but the rules say \"0-1-0\"");
}

TEST(TpgnReplay, ChecksTheOrderOfTheEliminatedAfterAdjudication) {
  const std::string tags = "[Termination \"adjudication\"]\n[Placement \"";
  EXPECT_TRUE(Replay(tags + "1-1-1\"]\n\n1. E2-E4 1/2-1/2-1/2").ok());
  EXPECT_TRUE(Replay(tags + "1-2-2\"]\n\n1. E2-E4 1-0-0").ok());
  EXPECT_TRUE(Replay(tags + "1-3-1\"]\n\n1. E2-E4 {Black resigns} 1/2-0-1/2").ok());
  EXPECT_TRUE(Replay(tags + "1-3-2\"]\n\n1. E2-E4 {Black resigns} 1-0-0").ok());
  EXPECT_THAT(Message(tags + "1-2-3\"]\n\n1. E2-E4 {Black resigns} 1-0-0"),
              StartsWith("tag Result: "));
  EXPECT_THAT(Message(tags + "1-1-3\"]\n\n1. E2-E4 {Black resigns} 1/2-1/2-0"),
              StartsWith("tag Result: "));
  EXPECT_THAT(Message("1. E2-E4 1/2-1/2-1/2"), HasSubstr("the game is not over"));
  EXPECT_TRUE(Replay("[Termination \"ply_limit\"]\n\n1. E2-E4 1/2-1/2-1/2").ok());
  EXPECT_EQ(
      Replay("[Termination \"material_adjudication\"]\n\n1. E2-E4 1-0-0")->outcome.termination,
      Termination::kMaterialAdjudication);
}

}  // namespace
}  // namespace triarch
