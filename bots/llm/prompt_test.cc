#include "bots/llm/prompt.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "core/game/picture.h"

namespace triarch::llm {
namespace {

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
  EXPECT_THAT(user, HasSubstr("Cells of Triumvirate v4.0"));
  EXPECT_THAT(user, HasSubstr("White: Train W3/B3.0, Noctis W3/B3.1,"));
  EXPECT_THAT(user, HasSubstr("Moves so far: W2/B2.0-W1/B1.0\n"));
  EXPECT_THAT(user, HasSubstr(" W2/R2.3-C/W.R"));
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
