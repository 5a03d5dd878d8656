#include "core/record/error_cause.h"

#include <gtest/gtest.h>

namespace triarch {
namespace {

TEST(ErrorCause, IsTheLastLineThatIsNotEmpty) {
  EXPECT_EQ(ErrorCause("a\n b \n\n"), "b");
  EXPECT_EQ(ErrorCause("a"), "a");
  EXPECT_EQ(ErrorCause(" \n"), "");
  EXPECT_EQ(ErrorCause(""), "");
}

TEST(ErrorCause, NamesThePlaceOfASyntaxError) {
  EXPECT_EQ(ErrorCause("  File \"/a b/bot.py\", line 3\n"
                       "    def f(:\n"
                       "          ^\n"
                       "SyntaxError: invalid syntax\n"),
            "File \"/a b/bot.py\", line 3: SyntaxError: invalid syntax");
}

TEST(ErrorCause, NamesTheInnermostPlaceOfATraceback) {
  EXPECT_EQ(ErrorCause("ready\n"
                       "Traceback (most recent call last):\n"
                       "  File \"bot.py\", line 30, in <module>\n"
                       "    main()\n"
                       "  File \"bot.py\", line 12, in main\n"
                       "    return 1 / 0\n"
                       "           ~~^~~\n"
                       "ZeroDivisionError: division by zero\n"),
            "File \"bot.py\", line 12, in main: ZeroDivisionError: division by zero");
}

TEST(ErrorCause, LeavesEarlierTracebacksAlone) {
  EXPECT_EQ(ErrorCause("  File \"bot.py\", line 12, in main\n"
                       "ValueError: handled\n"
                       "out of book\n"),
            "out of book");
}

}  // namespace
}  // namespace triarch
