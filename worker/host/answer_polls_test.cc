#include "worker/host/answer_polls.h"

#include <gtest/gtest.h>

#include <string>

namespace triarch {
namespace {

// Plays turns and shows which of them have a poll; `is_hit` says what each poll finds.
std::string Turns(AnswerPolls* polls, int turns, bool is_hit) {
  std::string shown;
  for (int i = 0; i < turns; ++i) {
    shown += polls->BeginTurn() ? 'p' : '-';
    if (polls->TakePoll()) polls->Note(is_hit);
  }
  return shown;
}

TEST(AnswerPolls, PollEveryTurnOfAFastBot) {
  AnswerPolls polls;
  EXPECT_EQ(Turns(&polls, 5, true), "ppppp");
  EXPECT_EQ(Turns(&polls, 1, false), "p");
  EXPECT_EQ(Turns(&polls, 5, true), "ppppp");
}

TEST(AnswerPolls, PollASlowBotRarely) {
  AnswerPolls polls;
  EXPECT_EQ(Turns(&polls, 15, false), "pp-p---p-------");
  Turns(&polls, 1 + 15 + 1 + 31, false);
  EXPECT_EQ(Turns(&polls, 64, false), "p" + std::string(31, '-') + "p" + std::string(31, '-'));
}

TEST(AnswerPolls, CountOnlyPolls) {
  AnswerPolls polls;
  EXPECT_FALSE(polls.TakePoll());
  EXPECT_TRUE(polls.BeginTurn());
  EXPECT_TRUE(polls.TakePoll());
  EXPECT_FALSE(polls.TakePoll()) << "the answer comes later, after a wait";
}

}  // namespace
}  // namespace triarch
