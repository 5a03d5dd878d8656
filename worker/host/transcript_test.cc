#include "worker/host/transcript.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace triarch {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class TranscriptTest : public ::testing::Test {
 protected:
  Transcript::Clock::time_point At(int ms) const { return start_ + milliseconds(ms); }

  const Transcript::Clock::time_point start_ = Transcript::Clock::now();
  std::vector<std::string> told_;
  Transcript transcript_{[this](Transcript::Stream stream, std::string_view line) {
    told_.push_back(std::string({Transcript::MarkOf(stream), ' '}) + std::string(line));
  }};
};

TEST_F(TranscriptTest, ShowsLinesWithTimes) {
  transcript_.Begin(start_);
  transcript_.AddSent("position startpos\ngo nodes 9\n", At(1));
  transcript_.AddReceived("info nodes 3\nbestm", At(2));
  transcript_.AddReceived("ove E2-E4\r\n", At(1500));
  EXPECT_EQ(transcript_.Text(),
            "0.001000 > position startpos\n0.001000 > go nodes 9\n0.002000 < info nodes 3\n"
            "1.500000 < bestmove E2-E4\n");
}

TEST_F(TranscriptTest, ForgetsEarlierGames) {
  transcript_.Begin(start_);
  transcript_.AddSent("isready\n", At(1));
  transcript_.Begin(At(5));
  transcript_.AddReceived("readyok\n", At(6));
  EXPECT_EQ(transcript_.Text(), "0.001000 < readyok\n");
}

TEST_F(TranscriptTest, KeepsTheLastLinesAndCutsTheMiddleOfLongOnes) {
  transcript_.Begin(start_);
  for (size_t i = 0; i < 3 * Transcript::kLinesKept; ++i) {
    transcript_.AddSent("line " + std::to_string(i) + "\n", At(0));
  }
  transcript_.AddReceived("begin" + std::string(5000, 'x') + "end\n", At(0));
  const std::string text = transcript_.Text();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), Transcript::kLinesKept);
  EXPECT_THAT(text, HasSubstr("< begin"));
  EXPECT_THAT(text, HasSubstr("… 4008 bytes …"));
  EXPECT_THAT(text, HasSubstr("xend\n"));
}

TEST_F(TranscriptTest, ShowsAnUnfinishedLineAndEscapesControlCharacters) {
  transcript_.Begin(start_);
  transcript_.AddReceived("\x1b[2J", At(0));
  EXPECT_EQ(transcript_.Text(), "         < \\x1b[2J (no line break)\n");
}

TEST_F(TranscriptTest, TellsTheSinkEveryLineAtOnce) {
  transcript_.Begin(start_);
  transcript_.AddSent("go nodes 9\n", At(0));
  transcript_.AddErrors("Trace\nback");
  transcript_.AddReceived("bestmove E2-E4\n", At(0));
  EXPECT_THAT(told_, ElementsAre("> go nodes 9", "! Trace", "< bestmove E2-E4"));
  transcript_.Flush();
  EXPECT_EQ(told_.back(), "! back");
}

TEST_F(TranscriptTest, BoundsALineThatNeverEnds) {
  transcript_.Begin(start_);
  for (int i = 0; i < 1000; ++i) transcript_.AddReceived(std::string(1000, 'x'), At(0));
  EXPECT_LT(transcript_.Text().size(), 20 * Transcript::kLineBytesKept);
}

}  // namespace
}  // namespace triarch
