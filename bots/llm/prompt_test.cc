#include "bots/llm/prompt.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "bots/llm/answer.h"
#include "bots/llm/notation.h"
#include "core/base/random.h"
#include "core/base/text.h"
#include "core/game/picture.h"
#include "core/game/piece.h"
#include "core/triumvirate/v4_notation.h"

namespace triarch::llm {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(AskForMove, IncludesEverythingNeededForAMove) {
  AnyState state = *AnyState::Start("triumvirate", "");
  ASSERT_TRUE(state.Play("E2-E4").ok());
  const TurnContext context = {.position = "startpos moves E2-E4", .seat = Seat::kSecond};
  const std::vector<Message> messages =
      AskForMove(state, state.LegalMoves(), &context, Notation::kClassic);
  ASSERT_EQ(messages.size(), 2u);
  EXPECT_EQ(messages[0].role, Message::Role::kSystem);
  EXPECT_THAT(messages[0].content,
              HasSubstr("You play Triumvirate, a chess game for White, Black and Red, who move in "
                        "this order. You are Black"));
  EXPECT_THAT(messages[0].content, HasSubstr(R"({"move": "MOVE"})"));
  EXPECT_THAT(messages[0].content, HasSubstr("hexagon of 96 cells"));
  EXPECT_EQ(messages[1].role, Message::Role::kUser);
  const std::string& user = messages[1].content;
  EXPECT_THAT(user, HasSubstr(*state.ToBoard({.is_colored = false, .names = ""})));
  EXPECT_THAT(user, HasSubstr(state.ToString()));
  EXPECT_THAT(user, HasSubstr("\nWhite: rook A1, knight B1,"));
  EXPECT_THAT(user, HasSubstr("pawn E4"));
  EXPECT_THAT(user, HasSubstr("Moves so far: E2-E4\n"));
  EXPECT_THAT(user, HasSubstr("Legal moves (20): "));
  EXPECT_THAT(user, HasSubstr(" D7-D5"));
  EXPECT_THAT(user, HasSubstr("It is Black's turn, and you are Black."));
  EXPECT_THAT(user, Not(HasSubstr("claim")));
  EXPECT_THAT(user, Not(HasSubstr("\x1b")));
}

TEST(AskForMove, KnowsEveryGame) {
  for (const GameInfo* const game : AllGames()) {
    const AnyState state = *AnyState::Start(game->name, "");
    const std::vector<Message> messages =
        AskForMove(state, state.LegalMoves(), nullptr, Notation::kClassic);
    EXPECT_THAT(messages[0].content, HasSubstr(std::string(game->variant)));
    EXPECT_THAT(messages[0].content, HasSubstr("A cell is"));
    EXPECT_THAT(messages[0].content, HasSubstr("is the same in " + std::string(game->notation)));
    EXPECT_GT(messages[0].content.size(), 600u) << "there are no rules of " << game->name;
    EXPECT_LT(messages[0].content.size() + messages[1].content.size(), 12'000u);
    EXPECT_THAT(messages[1].content, Not(HasSubstr("Moves so far")));
  }
}

TEST(AskForMove, WritesTriumvirateNames) {
  const AnyState state = *AnyState::Start("triumvirate", "");
  const TurnContext context = {.position = "startpos moves A2-A3"};
  const std::vector<Message> messages =
      AskForMove(state, state.LegalMoves(), &context, Notation::kTriumvirate);
  const std::string& user = messages[1].content;
  EXPECT_THAT(user, HasSubstr("\nW3/B3.0 wT   W3/B3.1 wN   W3/B3.2 wD   W3/B3.3 wM   W3/R3.3 wL"));
  EXPECT_THAT(user, HasSubstr("C/R.W and C/W.R.\n"));
  EXPECT_THAT(user, HasSubstr("White: Train W3/B3.0, Noctis W3/B3.1,"));
  EXPECT_THAT(user, HasSubstr("Moves so far: W2/B2.0-W1/B1.0\n"));
  EXPECT_THAT(user, HasSubstr(" W2/R2.3-C/W.R"));
  EXPECT_THAT(messages[0].content,
              HasSubstr("W1/B1.1 is in White's sector, on ring 1; it faces Black, at depth 1 and "
                        "flank 1.\n"));
  EXPECT_THAT(messages[0].content, HasSubstr("promote (=M, =T, =D or =N)"));
  const std::vector<Message> client =
      AskForMove(state, state.LegalMoves(), &context, Notation::kTriumvirateClient);
  EXPECT_THAT(client[0].content, HasSubstr("2 + 1 = 3 for W2/B1.1"));
  EXPECT_THAT(client[1].content, HasSubstr("Moves so far: W3/B2.0-W3/B1.0\n"));
}

// ---- Whole games contain only the names of their table.

bool IsOfName(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z' && c != 'x') || (c >= '0' && c <= '9') ||
         c == '/' || c == '.';
}

// Returns the words that could be names: "W3/B3.0", "wT", "A1".
std::vector<std::string> WordsOf(std::string_view text) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (IsOfName(c)) {
      words.back() += c;
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  for (std::string& word : words) {
    while (word.ends_with('.')) word.pop_back();
  }
  return words;
}

using Names = std::set<std::string>;

Names NamesOf(Notation notation) {
  Names names = {"/", "C/SECTOR.OPPONENT"};  // in the legend
  for (const triumvirate::Cell cell : triumvirate::kAllCells) {
    names.insert(ToV4(cell, *TableOf(notation)));
  }
  return names;
}

// Returns what is wrong with a word: a name of another table, or a classic name of a cell, also at
// the end of a word as in 3PF; otherwise nothing.
std::string FaultOf(const std::string& word, const Names& names) {
  if (word.find('/') != std::string::npos) {
    return names.contains(word) ? "" : "no cell of the table";
  }
  for (size_t i = 0; i < word.size(); ++i) {
    if (triumvirate::Cell::Parse(word.substr(i))) return "a classic cell";
  }
  const bool is_mark = word.size() == 2 && std::string_view("wbr").find(word[0]) < 3 &&
                       word[1] >= 'A' && word[1] <= 'Z';
  if (is_mark && std::string_view("LMTDNP").find(word[1]) > 5) return "a classic piece";
  return word == "3PF" || word == "KQ" ? "classic" : "";
}

void ExpectOnly(const Names& names, const std::string& text) {
  for (const std::string_view line : Split(text, '\n')) {
    for (const std::string& word : WordsOf(line)) {
      ASSERT_EQ(FaultOf(word, names), "") << word << " in: " << line;
      // Only the legend's last line has the pieces' names in chess.
      if (line.starts_with("Pieces: Leader L (king)")) continue;
      for (const std::string_view piece : kPieceNames) ASSERT_NE(word, piece) << line;
    }
  }
}

// What has occurred in the prompts of some games.
struct Seen {
  int en_passant = 0, inherited = 0, stuck = 0, redirected = 0, out = 0, check = 0, promotion = 0;

  void Look(const std::string& user) {
    en_passant += user.find("en passant: none") == std::string::npos ? 1 : 0;
    inherited += user.find("'s Private ") != std::string::npos ? 1 : 0;
    stuck += user.find(" (stuck)") != std::string::npos ? 1 : 0;
    redirected += user.find("'s base row)") != std::string::npos ? 1 : 0;
    out += user.find(": out\n") != std::string::npos ? 1 : 0;
    check += user.find(" in check") != std::string::npos ? 1 : 0;
    promotion += user.find("=M") != std::string::npos ? 1 : 0;
  }
};

// Plays a random game and checks each prompt, the reading of each move in it, and the answer to a
// wrong move.
void CheckGame(Notation notation, uint64_t seed, Seen& seen) {
  const Names names = NamesOf(notation);
  Random random(seed);
  AnyState state = *AnyState::Start("triumvirate", "");
  std::string position = "startpos moves";
  for (int ply = 0; ply < 400 && !state.outcome(); ++ply) {
    const AnyState::Moves moves = state.LegalMoves();
    const TurnContext context = {.position = position, .seat = state.to_move()};
    const std::vector<Message> messages = AskForMove(state, moves, &context, notation);
    for (const Message& message : messages) ExpectOnly(names, message.content);
    if (testing::Test::HasFatalFailure()) return;
    seen.Look(messages[1].content);
    const size_t move = random.Below(static_cast<uint32_t>(moves.size()));
    const std::string text = state.MoveToString(moves, move);
    const std::string shown = ToNotation(notation, text);
    ASSERT_THAT(messages[1].content, HasSubstr(" " + shown)) << text;
    EXPECT_EQ(ReadAnswer("{\"move\": \"" + shown + "\"}", state, moves, notation)->move, move);
    const std::string wrong = shown.substr(0, shown.find('-')) + "-" + ToNotation(notation, "E1");
    const auto answer = ReadAnswer(wrong, state, moves, notation);
    if (!answer.ok()) {
      const std::string why(answer.status().message());
      ExpectOnly(names, AskAgain(wrong, why)[1].content);
    }
    state.Play(moves, move);
    position += " " + text;
  }
}

TEST(AskForMove, WritesOnlyNamesOfItsTable) {
  for (const Notation notation : {Notation::kTriumvirate, Notation::kTriumvirateClient}) {
    Seen seen;
    for (uint64_t seed = 1; seed <= 8; ++seed) {
      CheckGame(notation, seed, seen);
      if (HasFatalFailure()) return;
    }
    EXPECT_GT(seen.en_passant, 0);
    EXPECT_GT(seen.inherited, 0);
    EXPECT_GT(seen.stuck, 0);
    EXPECT_GT(seen.redirected, 0);
    EXPECT_GT(seen.out, 0);
    EXPECT_GT(seen.check, 0);
    EXPECT_GT(seen.promotion, 0);
  }
}

TEST(AskForMove, ShowsRightsAndSpecialPawns) {
  const auto ask = [](std::string_view position, Notation notation) {
    const AnyState state = *AnyState::Parse("triumvirate", position);
    return AskForMove(state, state.LegalMoves(), nullptr, notation)[1].content;
  };
  const std::string_view rights =
      "wKE1,wRA1,wPB4,bPA4,wPI10^r,bKI8,bRL8,rKI12 b wQ.bK.r- B3 aaa 0 7";
  EXPECT_THAT(ask(rights, Notation::kTriumvirate),
              AllOf(HasSubstr("can still castle: White W3/B3.0 · Black B3/W3.0 · Red none\n"),
                    HasSubstr("Cell for en passant: W1/B1.1\n"),
                    HasSubstr("Private R1/W1.3 (to Red's base row)")));
  EXPECT_THAT(ask(rights, Notation::kClassic),
              AllOf(HasSubstr("en passant  B3\n"), HasSubstr("pawn I10 (to Red's base row)")));
  const std::string_view heirs = "wKE1,bP>wA6,bR>wA3,rKI12,rRE9 w w-.b-.r- - cxa 0 7";
  EXPECT_THAT(ask(heirs, Notation::kTriumvirate),
              AllOf(HasSubstr("White: Leader W3/R3.3, Black's Train W1/B1.0, "
                              "Black's Private B1/R1.0 (stuck)\nBlack: out\n"),
                    HasSubstr("W1/B1.0 bT>w "),
                    HasSubstr("Status: White in check · Black out · Red active\n")));
  EXPECT_THAT(ask(heirs, Notation::kClassic), HasSubstr("Black's pawn A6 (stuck)"));
}

TEST(AskForMove, StatesTheRules) {
  const auto rules = [](std::string_view game, DrawRules draw_rules = {}) {
    const AnyState state = *AnyState::Start(game, "", draw_rules);
    return AskForMove(state, state.LegalMoves(), nullptr, Notation::kClassic)[0].content;
  };
  for (const GameInfo* const game : AllGames()) {
    const std::string text = rules(game->name);
    for (const char* const rule : {"en passant", "Castling", "romote", "third", "capture or a"}) {
      EXPECT_THAT(text, HasSubstr(rule)) << game->name;
    }
    EXPECT_THAT(text, Not(HasSubstr("must be claimed")));
    EXPECT_THAT(rules(game->name, {.draws = Draws::kClaimed}), HasSubstr("must be claimed"));
  }
  EXPECT_THAT(rules("triumvirate"), AllOf(HasSubstr("is stuck"), HasSubstr("inherits"),
                                          HasSubstr("players must answer every check")));
  EXPECT_THAT(rules("three-way"), HasSubstr("answer every check, from either opponent"));
  EXPECT_THAT(rules("three-way", {.insufficient_material = true}),
              HasSubstr("enough pieces to checkmate"));
}

TEST(AskForMove, TruncatesALongGame) {
  const AnyState state = *AnyState::Start("tri-d", "");
  std::string position = "startpos moves";
  for (int i = 0; i < 100; ++i) position += " m" + std::to_string(i);
  const auto told = [&](const std::string& text) {
    const TurnContext context = {.position = text};
    const std::string user =
        AskForMove(state, state.LegalMoves(), &context, Notation::kClassic)[1].content;
    const size_t begin = user.find("Moves so far: ");
    return begin == std::string::npos ? "" : user.substr(begin, user.find('\n', begin) - begin);
  };
  EXPECT_THAT(told(position), HasSubstr("Moves so far: … m40 m41 "));
  EXPECT_THAT(told(position), HasSubstr(" m99"));
  EXPECT_EQ(told("startpos moves a b"), "Moves so far: a b");
  EXPECT_EQ(told("startpos"), "");
  EXPECT_EQ(told("fen 4/DDDD w KQkq - 0 1"), "");
}

TEST(AskForMove, OffersAnAvailableDraw) {
  AnyState state = *AnyState::Start("tri-d", "", {.draws = Draws::kClaimed});
  for (int round = 0; round < 2; ++round) {
    for (const std::string_view move : {"b2W-c4N", "b7B-c5N", "c4N-b2W", "c5N-b7B"}) {
      ASSERT_TRUE(state.Play(move).ok()) << move;
    }
  }
  EXPECT_THAT(AskForMove(state, state.LegalMoves(), nullptr, Notation::kClassic)[1].content,
              HasSubstr(R"({"move": "claim draw"})"));
}

TEST(AskAgain, ExplainsTheError) {
  const std::vector<Message> messages = AskAgain("E2-E9", "\"E2-E9\" is not legal: too far");
  ASSERT_EQ(messages.size(), 2u);
  EXPECT_EQ(messages[0].role, Message::Role::kAssistant);
  EXPECT_EQ(messages[0].content, "E2-E9");
  EXPECT_EQ(messages[1].role, Message::Role::kUser);
  EXPECT_THAT(messages[1].content, HasSubstr("\"E2-E9\" is not legal: too far."));
  EXPECT_EQ(AskAgain(std::string(100'000, 'a'), "x")[0].content.size(), 2000u);
}

}  // namespace
}  // namespace triarch::llm
