#include "cli/progress.h"

#include <cstdlib>

#include "gtest/gtest.h"

namespace triarch {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using TimePoint = ProgressLine::TimePoint;

ProgressFigures SomeFigures() {
  ProgressFigures figures;
  figures.games_done = 312;
  figures.games_total = 600;
  figures.games_per_second = 15;
  figures.plies_per_second = 6'000;
  figures.leader = "p3 81%";
  return figures;
}

TEST(ProgressTextTest, ShowsCountAndSpeed) {
  EXPECT_EQ(ProgressText(SomeFigures()),
            "312/600 games  52%  0:20 left  leader p3 81%  15.0 games/s  6.00k plies/s");
}

TEST(ProgressTextTest, HoursAndMillions) {
  ProgressFigures figures = SomeFigures();
  figures.games_total = 100'000;
  figures.plies_per_second = 1'234'000;
  EXPECT_EQ(ProgressText(figures),
            "312/100000 games  0%  1:50:46 left  leader p3 81%  15.0 games/s  1.23M plies/s");
}

TEST(ProgressTextTest, PausedTournamentHasNoTimeLeft) {
  ProgressFigures figures = SomeFigures();
  figures.state = "paused";
  EXPECT_EQ(ProgressText(figures),
            "312/600 games  52%  paused  leader p3 81%  15.0 games/s  6.00k plies/s");
}

TEST(ProgressTextTest, OmitsUnknownPlyRate) {
  ProgressFigures figures = SomeFigures();
  figures.plies_per_second = 0;
  EXPECT_EQ(ProgressText(figures), "312/600 games  52%  0:20 left  leader p3 81%  15.0 games/s");
}

TEST(ProgressTextTest, BeforeTheFirstGame) {
  ProgressFigures figures;
  figures.games_total = 600;
  EXPECT_EQ(ProgressText(figures), "0/600 games  0%");
}

TEST(ProgressTextTest, CountsOtherThings) {
  ProgressFigures figures;
  figures.games_done = 30;
  figures.games_total = 60;
  figures.games_per_second = 15;
  figures.unit = "events";
  EXPECT_EQ(ProgressText(figures), "30/60 events  50%  0:02 left  15.0 events/s");
}

TEST(ProgressTextTest, ShowsSelfplayData) {
  EXPECT_EQ(DataText({.shards = 12, .samples = 2'401'234, .bytes = 123'449'999}),
            "2401234 samples in 12 shards, 123.4 MB");
  EXPECT_EQ(DataText({.shards = 1, .samples = 0, .bytes = 4'000}), "0 samples in 1 shard, 0.0 MB");
  EXPECT_EQ(DataText({.shards = 2, .samples = 600, .bytes = 4'000, .samples_per_second = 1'234}),
            "600 samples in 2 shards, 0.0 MB  1.23k samples/s");
}

// Captures what a line writes to a stream.
class ProgressLineTest : public ::testing::Test {
 protected:
  ProgressLineTest() : stream_(open_memstream(&text_, &size_)) {}
  ~ProgressLineTest() override {
    std::fclose(stream_);
    std::free(text_);
  }
  std::string Written() const { return std::string(text_, size_); }

  char* text_ = nullptr;
  size_t size_ = 0;
  std::FILE* stream_;
};

TEST_F(ProgressLineTest, TerminalLineChangesAndDisappears) {
  ProgressFigures figures;
  figures.games_total = 9;
  {
    ProgressLine line(stream_, 12, TimePoint());
    line.Update(figures, TimePoint(milliseconds(1)));
    EXPECT_EQ(Written(), "\r0/9 games  \x1b[K") << "cut to the terminal's width";
    line.Update(figures, TimePoint(milliseconds(100)));
    EXPECT_EQ(Written(), "\r0/9 games  \x1b[K") << "updated too often";
    figures.games_done = 1;
    line.Update(figures, TimePoint(milliseconds(300)));
  }
  EXPECT_EQ(Written(), "\r0/9 games  \x1b[K\r1/9 games  \x1b[K\r\x1b[K");
}

TEST_F(ProgressLineTest, PrintsALineEveryTenSecondsElsewhere) {
  ProgressFigures figures;
  figures.games_total = 9;
  ProgressLine line(stream_, std::nullopt, TimePoint());
  line.Update(figures, TimePoint(seconds(1)));
  line.Update(figures, TimePoint(seconds(10)));
  line.Update(figures, TimePoint(seconds(11)));
  line.Update(figures, TimePoint(seconds(20)));
  line.Clear();
  EXPECT_EQ(Written(), "0/9 games  0%\n0/9 games  0%\n");
}

}  // namespace
}  // namespace triarch
