#include "cli/cluster/watch_screen.h"

#include <cstdlib>

#include "core/base/text.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace triarch {
namespace {

using ::testing::ElementsAre;
using Lines = std::vector<std::string>;

WatchView SomeView() {
  WatchView view;
  view.id = 3;
  view.figures.games_done = 150;
  view.figures.games_total = 600;
  view.figures.games_per_second = 15;
  view.figures.plies_per_second = 6'000;
  view.state = "active";
  view.workers = 2;
  view.slots = 4;
  view.busy_slots = 3;
  view.standings =
      "Three: 150 of 600 games\n"
      "\n"
      "#  Bot     Elo  ±95%\n"
      "1  greedy  +90   ±12\n"
      "2  random  -90   ±12\n";
  return view;
}

TEST(WatchLinesTest, ShowsBarAndStandings) {
  EXPECT_THAT(
      WatchLines(SomeView(), {.columns = 100, .rows = 24}),
      ElementsAre("[##########------------------------------]  150/600 games  25%  0:30 left",
                  "active  15.0 games/s  6.00k plies/s  2 workers, 3 of 4 slots busy", "",
                  "Three: 150 of 600 games", "", "#  Bot     Elo  ±95%", "1  greedy  +90   ±12",
                  "2  random  -90   ±12"));
}

TEST(WatchLinesTest, SaysWhyNoWorkerPlays) {
  WatchView view = SomeView();
  view.refusal = RefusalText({"w1: bot mine:\nno python3", "w2: no sandbox"});
  EXPECT_EQ(WatchBar(view, {.columns = 100, .rows = 24})[1],
            "active  no worker can play it: w1: bot mine: no python3; 1 more");
  EXPECT_EQ(RefusalText({}), "");
}

TEST(WatchLinesTest, CutsLinesToTheTerminal) {
  EXPECT_THAT(WatchLines(SomeView(), {.columns = 20, .rows = 8}),
              ElementsAre("150/600 games  25% ", "active  15.0 games/", "", "Three: 150 of 600 g",
                          "", "#  Bot     Elo  ±95", "… 2 more lines"))
      << "columns are counted, not bytes";
  EXPECT_EQ(WatchLines(SomeView(), {.columns = 100, .rows = 9}).size(), 8u);
  EXPECT_EQ(WatchLines(SomeView(), {.columns = 50, .rows = 24})[0],
            "[####------------]  150/600 games  25%  0:30 left");
  for (int columns = 1; columns < 50; ++columns) {
    for (int rows = 1; rows < 10; ++rows) {
      const Lines lines = WatchLines(SomeView(), {.columns = columns, .rows = rows});
      EXPECT_LE(lines.size(), static_cast<size_t>(std::max(rows - 1, 1)));
    }
  }
}

TEST(WatchLinesTest, ShowsZeroBeforeTheFirstGame) {
  WatchView view;
  view.figures.games_total = 600;
  view.state = "active";
  EXPECT_THAT(WatchLines(view, {.columns = 80, .rows = 24}),
              ElementsAre("[----------------------------------------]  0/600 games  0%",
                          "active  no workers"));
}

TEST(WatchLinesTest, ShowsPausedState) {
  WatchView view = SomeView();
  view.state = view.figures.state = "paused";
  view.figures.games_per_second = 0;
  EXPECT_THAT(WatchBar(view, {.columns = 100, .rows = 24}),
              ElementsAre("[##########------------------------------]  150/600 games  25%",
                          "paused (triarch resume 3)  2 workers, 3 of 4 slots busy"));
}

TEST(WatchLinesTest, ShowsSelfplayData) {
  WatchView view = SomeView();
  view.data = DataFigures{.shards = 3, .samples = 600, .bytes = 1'500'000};
  const TerminalSize size{.columns = 100, .rows = 24};
  EXPECT_EQ(WatchBar(view, size).size(), 3u);
  EXPECT_EQ(WatchBar(view, size)[2], "600 samples in 3 shards, 1.5 MB");
  EXPECT_EQ(WatchLines(view, size)[4], "Three: 150 of 600 games");
  view.data->error = "/data: it is\nfull";
  EXPECT_EQ(WatchBar(view, size)[2],
            "600 samples in 3 shards, 1.5 MB  manifest error: /data: it is full");
}

// All of it comes from a coordinator.
TEST(WatchLinesTest, EscapesControlCharacters) {
  WatchView view = SomeView();
  view.state = "active\x1b[2J";
  view.figures.stage = "\u009b2J";
  view.standings += "3  \u202ebad\x07  0\n";
  view.refusal = RefusalText({"\x1b]0;a\x07"});
  for (const std::string& line : WatchLines(view, {.columns = 100, .rows = 24})) {
    EXPECT_TRUE(IsPlainText(line)) << line;
  }
}

TEST(WatchLinesTest, SaysThatNoCoordinatorAnswers) {
  WatchView view = SomeView();
  view.is_away = true;
  view.away_seconds = 12;
  EXPECT_EQ(WatchBar(view, {.columns = 100, .rows = 24})[1], "no coordinator for 0:12, retrying");
  view.away_why = "a:1: refused;\nb:2: late";
  EXPECT_EQ(WatchBar(view, {.columns = 100, .rows = 24})[1],
            "no coordinator for 0:12, retrying: a:1: refused; b:2: late");
}

// Captures what is written to a terminal.
class LiveLinesTest : public ::testing::Test {
 protected:
  LiveLinesTest() : stream_(open_memstream(&text_, &size_)), lines_(stream_) {}
  ~LiveLinesTest() override {
    std::fclose(stream_);
    std::free(text_);
  }
  // Draws the lines and returns the output.
  std::string Written(const Lines& lines, TerminalSize size) {
    const size_t before = size_;
    lines_.Draw(lines, size);
    return std::string(text_ + before, size_ - before);
  }

  char* text_ = nullptr;
  size_t size_ = 0;
  std::FILE* stream_;
  LiveLines lines_;
};

TEST_F(LiveLinesTest, ReplacesLinesInPlace) {
  const TerminalSize size{.columns = 80, .rows = 24};
  EXPECT_EQ(Written({"one", "two"}, size), "\rone\x1b[K\ntwo\x1b[K\n\x1b[J");
  EXPECT_EQ(Written({"three"}, size), "\r\x1b[2Athree\x1b[K\n\x1b[J");
  EXPECT_EQ(Written({"four"}, size),
            "\r\x1b[1A"
            "four\x1b[K\n\x1b[J");
}

TEST_F(LiveLinesTest, ClearsTheScreenWhenTheSizeChanges) {
  Written({"one"}, {.columns = 80, .rows = 24});
  EXPECT_EQ(Written({"two"}, {.columns = 70, .rows = 24}), "\x1b[H\x1b[2Jtwo\x1b[K\n\x1b[J");
}

}  // namespace
}  // namespace triarch
