#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/text.h"
#include "core/tri_d/position.h"
#include "core/tri_d/text.h"

namespace triarch::tri_d {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr char kDocument[] =
    "QL1,KL1,QL6,KL6 4/DDDD/BNNB/1KQ1|4/4/4/4|1qk1/bnnb/dddd/4|DD/R1|DD/1R|r1/dd|1r/dd "
    "w KQkq - 0 1";
constexpr char kMeder[] =
    "QL1,KL1,QL6,KL6 4/4/DDDD/NBBN|4/4/4/4|nbbn/dddd/4/4|DD/RQ|DD/KR|rq/dd|kr/dd w KQkq - 0 1";

Position MustParse(std::string_view text) {
  const absl::StatusOr<Position> position = Parse(kGame<Position>, text);
  EXPECT_TRUE(position.ok()) << text << ": " << position.status();
  return position.value_or(Position());
}

std::string ErrorOf(std::string_view text) {
  const absl::StatusOr<Position> position = Parse(kGame<Position>, text);
  EXPECT_FALSE(position.ok()) << text;
  return std::string(position.status().message());
}

void Play(Position* position, std::string_view text) {
  const absl::StatusOr<Move> move = ParseMove(*position, text);
  ASSERT_TRUE(move.ok()) << text << ": " << move.status();
  position->Play(*move);
}

std::vector<std::string> Lines(const std::string& name) {
  std::ifstream file(std::string(TRIARCH_TEST_DATA "/tri_d/") + name);
  EXPECT_TRUE(file) << name;
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  EXPECT_FALSE(lines.empty()) << name;
  return lines;
}

// --- round trips ---

TEST(Tfen, StartsMatchTheRules) {
  EXPECT_EQ(ToString(Start(kGame<Position>, "").value()), kDocument);
  EXPECT_EQ(ToString(Start(kGame<Position>, "document").value()), kDocument);
  EXPECT_EQ(ToString(Start(kGame<Position>, "meder").value()), kMeder);
  EXPECT_EQ(Start(kGame<Position>, "bartmess").status().message(),
            "unknown start \"bartmess\"; the starts are document and meder");
}

TEST(Tfen, UnusualPositionsRoundTrip) {
  const std::vector<std::string> positions = {
      // Boards far from home, and boards of one player on the other's pins.
      "KL1,QL1,KL6,QL6 4/4/4/K3|4/4/4/4|3k/4/4/4|2/2|2/2|2/2|2/2 w - - 0 1",
      "QL6,KL6,QL1,KL1 4/4/4/K3|4/4/4/4|3k/4/4/4|2/2|2/2|2/2|2/2 b - - 17 1000000000",
      "QL2,QL3,QL4,QL5 4/4/4/K3|4/4/4/4|3k/4/4/4|1N/2|2/b1|Q1/2|2/1p w - - 99 60",
      // Rights of only one side or one player, and different homes of the kings.
      "QL1,KL1,QL6,KL6 4/DDDD/BNNB/1KQ1|4/4/4/4|nbbn/dddd/4/4|DD/R1|DD/1R|rq/dd|kr/dd w KQkq - 4 9",
      "QL1,KL1,QL6,KL6 4/4/DDDD/NBBN|4/4/4/4|nbbn/dddd/4/4|DD/1Q|DD/KR|rq/dd|k1/dd b Kq - 4 9",
      // Castling rights on the opponent's boards, which stand on the right pins.
      "QL6,KL6,QL1,KL1 4/4/4/4|4/4/4/4|4/4/4/4|r1/2|kr/2|2/R1|2/KR w KQkq - 4 9",
      // Double steps on the start cells of both starts, including two on one file.
      "QL1,KL1,QL6,KL6 4/D2D/D2D/1K2|4/4/4/4|1k2/d2d/d2d/4|DD/2|DD/2|2/dd|2/dd w - - 0 20",
      // Pawns on their start cells without double steps.
      "QL1,KL1,QL6,KL6 4/4/PPPP/NBBN|4/4/4/4|nbbn/pppp/4/4|PP/RQ|PP/KR|rq/pp|kr/pp w KQkq - 0 9",
      // En passant on all kinds of levels, over an attack board and without a capturer.
      "QL1,KL1,QL6,KL6 1P2/4/D1DD/NBBN|4/4/4/4|nbbn/dddd/4/4|DD/RQ|DD/KR|rq/dd|kr/dd b KQkq b4W 0 "
      "1",
      "QL1,KL1,QL6,KL6 4/4/D1DD/NBBN|4/4/1P2/4|nbbn/dddd/4/4|DD/RQ|DD/KR|rq/dd|kr/dd b KQkq b4N 0 "
      "1",
      "QL2,KL1,QL6,KL6 4/4/1DDD/NBBN|4/4/4/4|nbbn/dddd/4/4|2/1P|DD/KR|rq/dd|kr/dd b Kkq a4QL2 0 9",
      "QL1,QL3,QL6,KL6 4/4/4/K3|4/4/4/4|k3/4/4/4|1D/2|P1/2|2/2|2/2 b - z3QL3 0 9",
      "QL1,KL1,QL6,KL6 4/4/DDDD/NBBN|4/4/4/1p2|nbbn/d2d/4/4|DD/RQ|DD/KR|rq/dd|kr/dd w KQkq - 1 9",
      // A pawn that its owner must promote first, in each of the four corners.
      "QL1,KL1,QL4,KL6 4/4/4/4|4/4/4/4|P3/4/4/4|2/2|2/K1|2/2|k1/2 w - - 1 11 a8B",
      "QL1,KL1,QL6,KL5 4/4/4/4|4/4/4/4|3P/4/4/4|2/2|2/K1|k1/2|2/2 w - - 1 11 d8B",
      "QL3,KL1,QL6,KL6 4/4/4/p3|4/4/4/4|4/4/4/4|2/2|2/K1|2/2|k1/2 b - - 1 11 a1W",
      "QL1,KL2,QL6,KL6 4/4/4/3p|4/4/4/4|4/4/4/4|2/K1|2/2|2/2|k1/2 b - - 1 11 d1W",
      // Pawns that wait for the board above them to leave.
      "QL1,KL1,QL6,KL6 4/4/4/p2p|4/4/4/4|P2P/4/4/4|2/2|2/K1|2/2|k1/2 w - - 1 11",
      // Only kings, one above the other.
      "QL3,KL1,QL6,KL6 k3/4/4/4|4/4/4/4|4/4/4/4|2/1K|2/2|2/2|2/2 w - - 0 10",
      // More queens than in any army.
      "QL1,KL1,QL6,KL6 QQQQ/QQQQ/4/K3|4/4/4/4|4/4/4/4|2/2|2/2|2/2|2/1k b - - 0 90",
  };
  for (const std::string& text : positions) {
    const Position position = MustParse(text);
    EXPECT_EQ(ToString(position), text);
    EXPECT_EQ(MustParse(ToString(position)), position) << text;
  }
}

// Every position of a game equals the one read back from its text.
TEST(Tfen, PositionsOfGamesReadBack) {
  for (const std::string& line : Lines("games.jsonl")) {
    const nlohmann::json game = nlohmann::json::parse(line);
    Position position = MustParse(game["start"].get<std::string>());
    for (const auto& move : game["moves"]) {
      Play(&position, move.get<std::string>());
      Position read = MustParse(ToString(position));
      read.JudgeTurn();
      ASSERT_EQ(read, position) << ToString(position);
      ASSERT_EQ(read.key(), position.key()) << ToString(position);
    }
  }
}

TEST(Tfen, ReadsLooseFormsAndWritesTheCanonicalForm) {
  EXPECT_EQ(ToString(MustParse(
                "QL1,KL1,QL6,KL6 1111/22/DDDD/NBBN|13/31/121/211|nbbn/dddd/4/4|DD/RQ|DD/KR|"
                "rq/dd|kr/dd w KQkq - 00 01")),
            kMeder);
  // A cell of an attack board, named by the board.
  EXPECT_EQ(ToString(MustParse(
                "QL2,KL1,QL6,KL6 4/4/1DDD/NBBN|4/4/4/4|nbbn/dddd/4/4|2/1P|DD/KR|rq/dd|kr/dd "
                "b Kkq a4WQL 0 9")),
            "QL2,KL1,QL6,KL6 4/4/1DDD/NBBN|4/4/4/4|nbbn/dddd/4/4|2/1P|DD/KR|rq/dd|kr/dd b Kkq "
            "a4QL2 0 9");
}

TEST(Tfen, SetsThePositionFromItsFields) {
  const Position position = MustParse(
      "QL2,KL1,QL6,KL6 4/4/1DDD/NBBN|4/4/4/4|nbbn/dddd/4/4|2/1P|DD/KR|rq/dd|kr/dd b Kkq a4QL2 0 9");
  EXPECT_EQ(position.layout().pins[0], Pin::Parse("QL2"));
  EXPECT_EQ(position.to_move(), Seat::kSecond);
  EXPECT_TRUE(position.can_castle_short(Seat::kFirst));
  EXPECT_FALSE(position.can_castle_long(Seat::kFirst));
  EXPECT_TRUE(position.can_castle_long(Seat::kSecond));
  EXPECT_EQ(position.en_passant(), FindCell(position.layout(), "a4QL2"));
  EXPECT_EQ(position.piece_at(*FindCell(position.layout(), "a4QL2")),
            (Piece{PieceType::kPawn, Seat::kFirst}));
  EXPECT_EQ(std::popcount(position.double_steppers()), 5 + 8);
  EXPECT_EQ(position.halfmove_clock(), 0);
  EXPECT_EQ(position.move_number(), 9);
  EXPECT_EQ(position.pending(), std::nullopt);
}

// --- errors ---

TEST(Tfen, EveryErrorHasItsCode) {
  std::map<std::string, int> codes;
  for (const std::string& line : Lines("errors.tsv")) {
    const auto columns = Split(line, '\t');
    ASSERT_EQ(columns.size(), 4u) << line;
    EXPECT_THAT(ErrorOf(columns[2]),
                StartsWith(std::string(columns[0]) + " field " + std::string(columns[1]) + ": "))
        << columns[3];
    ++codes[std::string(columns[0])];
  }
  EXPECT_EQ(codes.size(), 19u);
}

// Messages use the singular for a count of one.
TEST(Tfen, MessagesNameTheExpectedText) {
  const std::string rest = "|4/4/4/4|nbbn/dddd/4/4|DD/RQ|DD/KR|rq/dd|kr/dd b KQkq ";
  const std::string fields = "; expected seven or eight fields with one space between them";
  const std::string pawn = "; expected the cell of the pawn that has just made a double step, or -";
  const std::vector<std::pair<std::string, std::string>> faults = {
      {"QL1,KL1,QL6,KL6", "FIELD_COUNT field 2: the text has 1 field" + fields},
      {"QL1,KL1,QL6,KL6 4", "FIELD_COUNT field 3: the text has 2 fields" + fields},
      {"QL1,KL1,QL6,KL6 4 w - - 0 1",
       "BLOCK_COUNT field 2: the placement has 1 block; expected seven: W|N|B|WQL|WKL|BQL|BKL"},
      {"QL1,KL1,QL6,KL6 4" + rest + "- 0 1", "BLOCK_SIZE field 2: board W has 1 rank; expected 4"},
      {"QL1,KL1,QL6,KL6 1/4/4/4" + rest + "- 0 1",
       "BLOCK_SIZE field 2: board W, \"1\": it adds up to 1 cell; expected 4"},
      {"QL1,KL1,QL6,KL6 1P2/4/D1DD/NBBN" + rest + "b4 0 1",
       "BAD_EP field 5: \"b4\": there is no such cell now" + pawn},
      {"QL1,KL1,QL6,KL6 1P2/4/D1DD/NBBN" + rest + "b3W 0 1",
       "BAD_EP field 5: \"b3W\": no pawn of White stands there" + pawn},
      {"QL1,KL1,QL6,KL6 1P2/4/D1DD/NBBN" + rest + "a2W 0 1",
       "BAD_EP field 5: \"a2W\": the pawn there still has its double step" + pawn},
  };
  for (const auto& [text, message] : faults) EXPECT_EQ(ErrorOf(text), message);
}

TEST(Tfen, RequiresSingleSpacesBetweenFields) {
  const std::string text = kMeder;
  EXPECT_THAT(ErrorOf(" " + text), StartsWith("FIELD_COUNT field 1: there is an extra space"));
  EXPECT_THAT(ErrorOf(text + " "), StartsWith("FIELD_COUNT field 8: there is an extra space"));
  EXPECT_THAT(ErrorOf(text + "  "), StartsWith("FIELD_COUNT field 8: there is an extra space"));
  EXPECT_FALSE(Parse(kGame<Position>, text + "\n").ok());
  int field = 2;
  for (size_t i = text.find(' '); i != std::string::npos; i = text.find(' ', i + 1), ++field) {
    std::string changed = text;
    changed.insert(i, 1, ' ');
    EXPECT_THAT(ErrorOf(changed), StartsWith("FIELD_COUNT field " + std::to_string(field) + ": "));
    changed = text;
    changed[i] = '\t';
    EXPECT_FALSE(Parse(kGame<Position>, changed).ok()) << changed;
  }
}

// A truncated text, or one with an extra letter, is refused or parses as another position; it never
// does harm.
TEST(Tfen, BrokenTextsDoNoHarm) {
  for (const std::string text : {kDocument, kMeder}) {
    for (size_t i = 0; i < text.size(); ++i) {
      EXPECT_FALSE(Parse(kGame<Position>, text.substr(0, i)).ok()) << text.substr(0, i);
      for (const char c : {'|', '/', 'K', 'd', ',', '0', '9', '\0', '\xff'}) {
        std::string changed = text;
        changed[i] = c;
        const absl::StatusOr<Position> position = Parse(kGame<Position>, changed);
        if (!position.ok()) continue;
        EXPECT_EQ(MustParse(ToString(*position)), *position) << changed;
      }
    }
  }
}

TEST(Tfen, RequiresOneKingEach) {
  EXPECT_THAT(ErrorOf("QL1,KL1,QL6,KL6 4/4/4/4|4/4/4/4|4/4/4/4|2/2|2/2|2/2|2/2 w - - 0 1"),
              StartsWith("KING_MISSING field 2: White has no king"));
  EXPECT_THAT(ErrorOf("QL1,KL1,QL6,KL6 K3/4/4/4|4/4/4/4|4/4/4/k3|2/2|1k/2|2/2|1k/2 w - - 0 1"),
              StartsWith("KING_DUPLICATE field 2: Black has 3 kings"));
}

TEST(Tfen, AllowsDoubleStepsOnStartCellsOnly) {
  // All start cells of White in both starts in turn, with `D` but not with `d`.
  const auto with = [](std::string_view w, std::string_view wql, std::string_view wkl) {
    return "QL1,KL1,QL6,KL6 " + std::string(w) + "|4/4/3K/4|k3/4/4/4|" + std::string(wql) + "|" +
           std::string(wkl) + "|2/2|2/2 w - - 0 10";
  };
  const std::vector<std::array<std::string_view, 3>> good = {
      {"4/4/DDDD/4", "2/2", "2/2"},
      {"4/DDDD/4/4", "2/2", "2/2"},
      {"4/4/4/4", "DD/2", "2/2"},
      {"4/4/4/4", "2/2", "DD/2"},
  };
  for (const auto& [w, wql, wkl] : good)
    EXPECT_TRUE(Parse(kGame<Position>, with(w, wql, wkl)).ok()) << w;
  const std::vector<std::array<std::string_view, 3>> bad = {
      {"4/4/4/D3", "2/2", "2/2"}, {"3D/4/4/4", "2/2", "2/2"}, {"4/4/4/4", "2/D1", "2/2"},
      {"4/4/4/4", "2/2", "2/1D"}, {"4/4/d3/4", "2/2", "2/2"}, {"4/4/4/4", "d1/2", "2/2"},
  };
  for (const auto& [w, wql, wkl] : bad) {
    EXPECT_THAT(ErrorOf(with(w, wql, wkl)), StartsWith("BAD_DOUBLE_STEP field 2")) << w << wql;
  }
  // Any board has start cells on a pin where boards start, and none elsewhere.
  EXPECT_TRUE(Parse(kGame<Position>,
                    "QL2,KL1,QL1,KL6 4/4/4/K3|4/4/4/4|k3/4/4/4|2/2|2/2|DD/2|2/2 w - - 0 10")
                  .ok());
  EXPECT_THAT(ErrorOf("QL2,KL1,QL1,KL6 4/4/4/K3|4/4/4/4|k3/4/4/4|D1/2|2/2|2/2|2/2 w - - 0 10"),
              StartsWith("BAD_DOUBLE_STEP field 2: White's pawn on z5QL2"));
}

// §4: the last rank depends on the corner pins.
TEST(Tfen, PawnsMayStandUnderACornerBoardOnly) {
  const std::string pawns = " 4/4/4/p2p|4/4/4/4|P2P/4/4/4|2/2|2/K1|2/2|k1/2 ";
  EXPECT_TRUE(Parse(kGame<Position>, "QL1,KL1,QL6,KL6" + pawns + "w - - 0 10").ok());
  EXPECT_TRUE(Parse(kGame<Position>,
                    "QL6,KL6,QL1,KL1 4/4/4/p2p|4/4/4/4|P2P/4/4/4|1k/2|2/2|2/2|2/K1 w - - "
                    "0 10")
                  .ok());
  const std::vector<std::pair<std::string, std::string>> open = {
      {"QL3,KL1,QL6,KL6", "Black's pawn on a1W"},
      {"QL1,KL3,QL6,KL6", "Black's pawn on d1W"},
      {"QL1,KL1,QL4,KL6", "White's pawn on a8B"},
      {"QL1,KL1,QL6,KL4", "White's pawn on d8B"},
  };
  for (const auto& [pins, who] : open) {
    EXPECT_EQ(ErrorOf(pins + pawns + "w - - 0 10"),
              "PAWN_UNPROMOTED field 2: " + who + " stands on its last rank");
  }
  // A board next to the corner does not help.
  EXPECT_THAT(ErrorOf("QL1,KL1,QL6,KL6 4/4/4/4|4/4/4/4|1P2/4/4/4|2/2|2/K1|2/2|k1/2 w - - 0 10"),
              StartsWith("PAWN_UNPROMOTED"));
  for (const std::string_view boards : {"P1/2|k1/2", "1P/2|k1/2", "2/2|kP/2"}) {
    EXPECT_THAT(ErrorOf("QL1,KL1,QL6,KL6 4/4/4/4|4/4/4/4|4/4/4/4|2/2|2/K1|" + std::string(boards) +
                        " w - - 0 10"),
                StartsWith("PAWN_UNPROMOTED"));
  }
}

TEST(Tfen, OnlyAFreedPawnOfThePlayerToMoveIsPending) {
  const std::string freed =
      "QL1,KL1,QL4,KL6 4/4/4/4|4/4/4/4|P3/4/4/4|2/2|2/K1|2/2|k1/2 w - - 1 11 a8B";
  EXPECT_TRUE(MustParse(freed).pending().has_value());
  EXPECT_THAT(ErrorOf("QL1,KL1,QL4,KL6 4/4/4/4|4/4/4/4|P3/4/4/4|2/2|2/K1|2/2|k1/2 b - - 1 11 a8B"),
              StartsWith("BAD_PENDING field 8"));
  EXPECT_THAT(ErrorOf("QL1,KL1,QL6,KL6 4/4/4/4|4/4/4/4|1P2/4/4/4|2/2|2/K1|2/2|k1/2 w - - 1 11 b8B"),
              StartsWith("BAD_PENDING field 8"));
  EXPECT_THAT(ErrorOf("QL1,KL1,QL4,KL6 4/4/4/4|4/4/4/4|P3/4/4/4|2/2|2/K1|2/2|k1/2 w - - 1 11 -"),
              StartsWith("BAD_PENDING field 8"));
  // Only one of two pawns can be pending, whichever the field names.
  for (const auto& [pending, other] : {std::pair("a8B", "d8B"), {"d8B", "a8B"}}) {
    EXPECT_EQ(ErrorOf("QL2,KL2,QL3,KL3 4/4/4/4|4/4/4/4|P2P/4/4/4|2/K1|2/2|2/k1|2/2 w - - 1 10 " +
                      std::string(pending)),
              "PAWN_UNPROMOTED field 2: White's pawn on " + std::string(other) +
                  " stands on its last rank");
  }
  // The last move was a board's, so no pawn has just made a double step.
  EXPECT_THAT(ErrorOf("QL1,KL1,QL4,KL6 4/4/4/K3|4/Pp2/4/4|P3/4/4/2k1|2/2|2/2|2/2|2/2 w - b5N 0 20 "
                      "a8B"),
              AllOf(StartsWith("BAD_PENDING field 8"), HasSubstr("en passant")));
}

// §4: no board may free a pawn that could promote to a piece that attacks the mover's king: here a
// bishop on the diagonal a8-d5.
TEST(Tfen, APendingPromotionMayNotAttackTheKing) {
  EXPECT_THAT(ErrorOf("QL1,KL1,QL4,KL2 4/4/4/4|4/4/4/4|P3/4/4/4|2/2|2/K1|2/2|k1/2 w - - 0 11 a8B"),
              AllOf(StartsWith("BAD_PENDING field 8"), HasSubstr("could attack Black's king")));
}

// §6: the king's home may be that of either start.
TEST(Tfen, RightsNeedKingAndRookAtHome) {
  const auto with = [](std::string_view w, std::string_view wql, std::string_view wkl,
                       std::string_view rights) {
    return "QL1,KL1,QL6,KL6 " + std::string(w) + "|4/4/4/4|k3/4/4/4|" + std::string(wql) + "|" +
           std::string(wkl) + "|2/2|2/2 w " + std::string(rights) + " - 0 10";
  };
  EXPECT_TRUE(Parse(kGame<Position>, with("4/4/4/1K2", "2/R1", "2/1R", "KQ")).ok());
  EXPECT_TRUE(Parse(kGame<Position>, with("4/4/4/4", "2/R1", "2/KR", "KQ")).ok());
  EXPECT_TRUE(Parse(kGame<Position>, with("4/4/4/4", "2/R1", "2/K1", "Q")).ok());
  EXPECT_TRUE(Parse(kGame<Position>, with("4/4/4/4", "2/R1", "2/K1", "-")).ok());
  for (const std::string& text : {
           with("4/4/4/2K1", "2/R1", "2/1R", "KQ"),  // the king next to its home
           with("4/4/4/4", "2/1R", "2/KR", "KQ"),    // the rook on a0
           with("4/4/4/4", "2/R1", "1R/K1", "KQ"),   // the rook on e1
           with("4/4/4/4", "2/R1", "2/KQ", "K"),     // a queen on e0
           with("4/4/4/4", "2/R1", "2/KR", "k"),     // Black has no rook
       }) {
    EXPECT_THAT(ErrorOf(text), StartsWith("CASTLING_IMPOSSIBLE field 4")) << text;
  }
  // Both rights of one player fail if the king is not at home: the message names the first.
  EXPECT_EQ(ErrorOf(with("4/4/4/2K1", "2/R1", "2/1R", "KQ")),
            "CASTLING_IMPOSSIBLE field 4: White has the right K, but no king at home or no "
            "rook on e0KL1");
}

TEST(Tfen, TheSideNotToMoveIsNotInCheck) {
  // Black's king is on d9KL6 and a rook on d4W, which is valid with Black to move.
  const std::string board = "QL1,KL1,QL6,KL6 3R/4/4/4|4/4/4/4|4/4/4/4|2/2|2/K1|2/2|k1/2 ";
  EXPECT_TRUE(MustParse(board + "b - - 0 10").in_check(Seat::kSecond));
  EXPECT_THAT(ErrorOf(board + "w - - 0 10"), StartsWith("OPPONENT_IN_CHECK field 3"));
  // §3: a piece on any level of the line's columns blocks it; a piece above the king does not.
  EXPECT_TRUE(Parse(kGame<Position>,
                    "QL1,KL1,QL6,KL6 3R/4/4/4|4/3n/4/4|4/4/4/4|2/2|2/K1|2/2|k1/2 w - - 0 "
                    "10")
                  .ok());
  // Kings above one another do not attack each other; kings side by side do.
  EXPECT_TRUE(
      Parse(kGame<Position>, "QL2,KL1,QL6,KL6 k3/4/4/4|4/4/4/4|4/4/4/4|2/1K|2/2|2/2|2/2 w - - 0 10")
          .ok());
  EXPECT_THAT(ErrorOf("QL2,KL1,QL6,KL6 k3/4/4/4|4/4/4/4|4/4/4/4|2/K1|2/2|2/2|2/2 w - - 0 10"),
              StartsWith("OPPONENT_IN_CHECK field 3"));
}

TEST(Tfen, EnPassantNeedsAPossibleDoubleStep) {
  const auto with = [](std::string_view w, std::string_view n, std::string_view ep) {
    return "QL1,KL1,QL6,KL6 " + std::string(w) + "|" + std::string(n) +
           "|3k/4/4/4|2/2|2/K1|2/2|2/2 b - " + std::string(ep) + " 0 10";
  };
  // From a2W or b2W over a3, b3, and from b3W over b4.
  EXPECT_TRUE(Parse(kGame<Position>, with("1P2/4/4/4", "4/4/4/4", "b4W")).ok());
  EXPECT_TRUE(Parse(kGame<Position>, with("4/4/4/4", "4/4/1P2/4", "b4N")).ok());
  EXPECT_TRUE(Parse(kGame<Position>, with("4/4/4/4", "4/1P2/4/4", "b5N")).ok());
  // From a1QL1 over a2.
  EXPECT_TRUE(Parse(kGame<Position>, with("4/P3/4/4", "4/4/4/4", "a3W")).ok());
  EXPECT_THAT(ErrorOf(with("4/1P2/4/4", "4/4/4/4", "b3W")), HasSubstr("no double step ends there"));
  EXPECT_THAT(ErrorOf(with("4/4/4/4", "1P2/4/4/4", "b6N")), HasSubstr("no double step ends there"));
  EXPECT_THAT(ErrorOf(with("1P2/1n2/4/4", "4/4/4/4", "b4W")),
              HasSubstr("the passed column is not empty"));
  EXPECT_THAT(ErrorOf(with("1N2/4/4/4", "4/4/4/4", "b4W")),
              HasSubstr("no pawn of White stands there"));
  EXPECT_THAT(ErrorOf(with("1P2/4/1N2/4", "4/4/4/4", "b4W")),
              HasSubstr("no double step ends there"));
}

}  // namespace
}  // namespace triarch::tri_d
