#include <limits>
#include <string>

#include "core/record/tpgn.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace triarch {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

// Games that exist only in this test: the writer knows neither the rules nor the games.
constexpr GameInfo kThree{.name = "three",
                          .variant = "Three",
                          .seats = 3,
                          .seat_names = {"North", "East", "West"},
                          .seat_letters = {'n', 'e', 'w'}};
constexpr GameInfo kTwo{.name = "two",
                        .variant = "Two",
                        .seats = 2,
                        .seat_names = {"White", "Black", ""},
                        .seat_letters = {'w', 'b', ' '}};

// One event per letter: the seat (n e w) moves, or with a capital (N E W) resigns.
GameRecord Play(std::string_view script) {
  constexpr std::string_view kMovers = "new";
  constexpr std::string_view kResigners = "NEW";
  GameRecord record;
  for (const char c : script) {
    RecordedEvent event;
    const size_t mover = kMovers.find(c);
    const bool is_move = mover != std::string_view::npos;
    event.kind = is_move ? RecordedEvent::Kind::kMove : RecordedEvent::Kind::kResign;
    event.seat = SeatAt(is_move ? mover : kResigners.find(c));
    event.move = is_move ? "m" : "";
    record.events.push_back(event);
    record.plies += is_move ? 1 : 0;
  }
  return record;
}

std::string Movetext(const GameRecord& record, const GameInfo& info = kThree) {
  const std::string text = WriteTpgn(record, info);
  const size_t begin = text.find("\n\n") + 2;
  return text.substr(begin, text.size() - begin - 2);
}

TEST(TpgnWriter, WritesAllTagsInOrder) {
  GameRecord record = Play("new");
  record.index = 16;
  record.match = 2;
  record.event = "My \"cup\" \\ 1\n2";
  record.date = "2026.11.21";
  record.time_control = "nodes 2000";
  record.time_controls[Seat::kSecond] = "60+1";
  record.seed = std::numeric_limits<uint64_t>::max();
  record.bots = {.values = {"a", "b", "c"}};
  record.position = "somewhere";
  record.draw_rules.draws = Draws::kClaimed;
  record.draw_rules.insufficient_material = true;
  record.is_finished = true;
  record.outcome = {.place = {.values = {1, 3, 2}}, .termination = Termination::kTimeForfeit};
  record.endings[Seat::kSecond] = Termination::kCheckmate;
  record.endings[Seat::kThird] = Termination::kTimeForfeit;
  record.opening_plies = 2;
  EXPECT_EQ(WriteTpgn(record, kThree),
            "[Event \"My \\\"cup\\\" \\\\ 1 2\"]\n"
            "[Site \"?\"]\n"
            "[Date \"2026.11.21\"]\n"
            "[Round \"3.17\"]\n"
            "[North \"a\"]\n"
            "[East \"b\"]\n"
            "[West \"c\"]\n"
            "[Result \"1-0-0\"]\n"
            "[Variant \"Three\"]\n"
            "[SetUp \"1\"]\n"
            "[FEN \"somewhere\"]\n"
            "[Termination \"time_forfeit\"]\n"
            "[Placement \"1-3-2\"]\n"
            "[Endings \"winner/checkmate/time_forfeit\"]\n"
            "[Draws \"claimed\"]\n"
            "[InsufficientMaterial \"on\"]\n"
            "[TimeControl \"nodes 2000\"]\n"
            "[EastTimeControl \"60+1\"]\n"
            "[Seed \"18446744073709551615\"]\n"
            "[PlyCount \"3\"]\n"
            "[OpeningPlies \"2\"]\n"
            "\n"
            "1. m m m 1-0-0\n"
            "\n");
}

TEST(TpgnWriter, OmitsMissingFields) {
  EXPECT_EQ(WriteTpgn(GameRecord(), kTwo),
            "[Event \"Two Game\"]\n"
            "[Site \"?\"]\n"
            "[Date \"????.??.??\"]\n"
            "[Round \"1.1\"]\n"
            "[White \"?\"]\n"
            "[Black \"?\"]\n"
            "[Result \"*\"]\n"
            "[Variant \"Two\"]\n"
            "[Termination \"abandoned\"]\n"
            "[PlyCount \"0\"]\n"
            "\n"
            "*\n"
            "\n");
}

TEST(TpgnWriter, SaysHowEachSeatEnded) {
  GameRecord record;
  record.is_finished = true;
  const auto endings = [&](PerSeat<uint8_t> place, Termination termination) {
    record.outcome = {.place = place, .termination = termination};
    return WriteTpgn(record, kThree);
  };
  EXPECT_THAT(endings({.values = {1, 1, 1}}, Termination::kStalemate),
              HasSubstr("[Endings \"draw/draw/draw\"]"));
  EXPECT_THAT(endings({.values = {2, 1, 2}}, Termination::kAdjudication),
              HasSubstr("[Endings \"adjudication/winner/adjudication\"]"));
  EXPECT_THAT(endings({.values = {1, 3, 1}}, Termination::kStalemate),
              HasSubstr("[Endings \"draw/out/draw\"]"));
  record.endings[Seat::kThird] = Termination::kCheckmate;
  EXPECT_THAT(endings({.values = {1, 3, 2}}, Termination::kCheckmate),
              HasSubstr("[Endings \"winner/out/checkmate\"]"));
}

TEST(TpgnWriter, FillsTheSlotsOfSkippedSeats) {
  EXPECT_EQ(Movetext(Play("newne")), "1. m m m 2. m m *");
  EXPECT_EQ(Movetext(Play("newnwnw")), "1. m m m 2. m -- m 3. m -- m *");
  EXPECT_EQ(Movetext(Play("nn")), "1. m -- -- 2. m *");
  EXPECT_EQ(Movetext(Play("neen")), "1. m m -- 2. -- m -- 3. m *");
  EXPECT_EQ(Movetext(Play("")), "*");
}

TEST(TpgnWriter, BeginsWithTheStartsMoveNumber) {
  GameRecord record = Play("ewn");
  record.first_round = 12;
  EXPECT_EQ(Movetext(record), "12. -- m m 13. m *");
}

TEST(TpgnWriter, PutsResignationsWhereTheyHappened) {
  EXPECT_EQ(Movetext(Play("neWn")), "1. m m {West resigns} -- 2. m *");
  EXPECT_EQ(Movetext(Play("newNe")), "1. m m m {North resigns} 2. -- m *");
  EXPECT_EQ(Movetext(Play("EnwW")), "{East resigns} 1. m -- m {West resigns} *");
}

TEST(TpgnWriter, WritesForfeitsAndClaims) {
  GameRecord record;
  RecordedEvent event;
  event.kind = RecordedEvent::Kind::kForfeit;
  for (const Termination why :
       {Termination::kTimeForfeit, Termination::kIllegalMove, Termination::kCrash}) {
    event.why = why;
    record.events.push_back(event);
  }
  event.kind = RecordedEvent::Kind::kClaimDraw;
  event.seat = Seat::kThird;
  record.events.push_back(event);
  EXPECT_EQ(Movetext(record),
            "{North forfeits: time} {North forfeits: illegal_move} {North forfeits: crash} "
            "{West claims draw} *");
}

TEST(TpgnWriter, WritesSuffixes) {
  GameRecord record = Play("new");
  record.events[0].is_check = true;
  record.events[1].is_elimination = true;
  record.events[2].is_check = record.events[2].is_elimination = true;
  EXPECT_EQ(Movetext(record), "1. m+ m# m# *");
}

TEST(TpgnWriter, WritesClocksAndScores) {
  GameRecord record = Play("newne");
  record.events[0].clock_ms = 1200;
  record.events[0].eval = PerSeat<double>{.values = {0.614, 0.19, 0.196}};
  record.events[1].clock_ms = 3'723'004;
  record.events[2].eval =
      PerSeat<double>{.values = {1.5, -1, std::numeric_limits<double>::quiet_NaN()}};
  record.events[3].clock_ms = 360'000'000;
  record.events[4].clock_ms = -5;
  EXPECT_EQ(Movetext(record),
            "1. m {[%clk 0:00:01.2] [%eval 0.61,0.19,0.20]} m {[%clk 1:02:03.004]} m "
            "{[%eval 1.00,0.00,0.00]} 2.\nm {[%clk 100:00:00]} m {[%clk 0:00:00]} *");
}

TEST(TpgnWriter, WritesWhatBotsSaid) {
  GameRecord record = Play("newnNe");
  record.events[0].clock_ms = 1000;
  record.infos = {{.ply = 0, .depth = 4, .nodes = 2000, .line = "m m"},
                  {.ply = 2, .nodes = 7},
                  {.ply = 3, .explanation = "because {it}\nis [best]"}};
  EXPECT_EQ(Movetext(record),
            "1. m {[%clk 0:00:01] [%depth 4] [%nodes 2000] [%pv m m]} m m {[%nodes 7]} 2. m "
            "{[%info because\n\\x7bit\\x7d\\x0ais \\x5bbest\\x5d]} {North resigns} m *");
}

// Only seats with a time per move have the time used.
TEST(TpgnWriter, WritesTheTimeUsedWithoutAClock) {
  GameRecord record = Play("new");
  for (RecordedEvent& event : record.events) event.clock_ms = 187;
  record.time_control = "movetime_ms=200 nodes=5";
  record.time_controls[Seat::kSecond] = "60+0.1 nodes=5";
  EXPECT_EQ(Movetext(record),
            "1. m {[%emt 0:00:00.187]} m {[%clk 0:00:00.187]} m {[%emt 0:00:00.187]} *");
}

TEST(TpgnWriter, MarksFallbackMoves) {
  GameRecord record = Play("new");
  record.events[0].is_fallback = record.events[1].is_fallback = true;
  record.events[1].clock_ms = 1000;
  EXPECT_EQ(Movetext(record), "1. m {fallback} m {[%clk 0:00:01] fallback} m *");
}

TEST(TpgnWriter, BreaksLinesAtTheHundredthColumn) {
  GameRecord record;
  for (int i = 0; i < 300; ++i) {
    GameRecord round = Play("new");
    record.events.insert(record.events.end(), round.events.begin(), round.events.end());
  }
  const std::string text = Movetext(record);
  size_t begin = 0;
  for (size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', begin)) {
    EXPECT_GT(end - begin, 90u);
    EXPECT_LE(end - begin, 100u);
    begin = end + 1;
  }
}

TEST(TpgnWriter, WritesOrdinaryPgnForTwoPlayers) {
  GameRecord record = Play("nene");
  EXPECT_EQ(Movetext(record, kTwo), "1. m m 2. m m *");
  record.events[0].clock_ms = 1000;
  record.events[1].clock_ms = 1000;
  EXPECT_EQ(Movetext(record, kTwo), "1. m {[%clk 0:00:01]} 1... m {[%clk 0:00:01]} 2. m m *");
  record = Play("enE");
  record.first_round = 12;
  EXPECT_EQ(Movetext(record, kTwo), "12... m 13. m {Black resigns} *");
  record.is_finished = true;
  record.outcome = {.place = {.values = {1, 2}}, .termination = Termination::kResignation};
  EXPECT_THAT(WriteTpgn(record, kTwo), HasSubstr("[Placement \"1-2\"]\n"));
  EXPECT_THAT(WriteTpgn(record, kTwo), EndsWith(" 1-0\n\n"));
}

// A mandatory promotion shares the slot of the following move.
TEST(TpgnWriter, PutsTwoMovesOfOnePlayerIntoOneSlot) {
  EXPECT_EQ(Movetext(Play("nneneen"), kTwo), "1. m m m 2. m m m 3. m *");
  GameRecord record = Play("eene");
  record.first_round = 12;
  EXPECT_EQ(Movetext(record, kTwo), "12... m m 13. m m *");
  record = Play("nne");
  record.events[0].clock_ms = 1000;
  EXPECT_EQ(Movetext(record, kTwo), "1. m {[%clk 0:00:01]} m m *");
  record.events[1].clock_ms = 1000;
  EXPECT_EQ(Movetext(record, kTwo), "1. m {[%clk 0:00:01]} m {[%clk 0:00:01]} 1... m *");
  EXPECT_EQ(Movetext(Play("neeN"), kTwo), "1. m m m {White resigns} *");
}

TEST(TpgnWriter, WritesNotes) {
  GameRecord record = Play("neW");
  record.events[0].is_fallback = true;
  TpgnNotes notes{.annotator = "judge", .notes = {}};
  notes.notes = {{.is_blunder = true, .comment = "loses 0.31", .line = {"a-b", "c-d"}}, {}, {}};
  const std::string text = WriteTpgn(record, kThree, notes);
  EXPECT_THAT(text, HasSubstr("[PlyCount \"2\"]\n[Annotator \"judge\"]\n"));
  EXPECT_THAT(text, HasSubstr("1. m $4 {fallback} {loses 0.31} (a-b c-d) m {West resigns} *"));
  record = Play("nene");
  notes.notes = {{.line = {"a-b"}}, {}, {.comment = "so"}, {}};
  EXPECT_THAT(WriteTpgn(record, kTwo, notes), HasSubstr("1. m (a-b) 1... m 2. m {so} 2... m *"));
}

TEST(TpgnWriter, OmitsMissingTimes) {
  EXPECT_THAT(WriteTpgn(Play("new"), kThree), Not(HasSubstr("%clk")));
  EXPECT_EQ(WriteTpgn(Play("new"), kThree), WriteTpgn(Play("new"), kThree));
}

}  // namespace
}  // namespace triarch
