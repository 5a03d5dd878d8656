#include <string>
#include <vector>

#include "core/record/tpgn.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace triarch {
namespace {

using ::testing::ElementsAre;

char KindLetter(TpgnItem::Kind kind) {
  switch (kind) {
    case TpgnItem::Kind::kMove:
      return 'm';
    case TpgnItem::Kind::kSkip:
      return 's';
    case TpgnItem::Kind::kUnrecorded:
      return 'u';
    case TpgnItem::Kind::kComment:
      return 'c';
  }
  return '?';
}

// Returns "1.0 m E2-E4+": number, slot, kind, text, suffix.
std::string Print(const TpgnItem& item) {
  std::string text = std::to_string(item.round) + "." + std::to_string(item.slot) + " ";
  text += KindLetter(item.kind);
  text += " " + item.text;
  if (item.suffix != 0) text += item.suffix;
  return text;
}

std::string Print(const absl::StatusOr<TpgnGame>& game) {
  if (!game.ok()) return "error " + std::string(game.status().message());
  std::string text = "line " + std::to_string(game->line);
  for (const auto& [name, value] : game->tags) text += " [" + name + "|" + value + "]";
  for (const TpgnItem& item : game->items) text += ", " + Print(item);
  return text + ", " + game->result;
}

std::vector<std::string> Read(std::string_view text) {
  std::vector<std::string> games;
  TpgnReader reader(text);
  while (const auto game = reader.Next()) games.push_back(Print(*game));
  return games;
}

TEST(TpgnReader, ReadsTheExampleOfTheRules) {
  EXPECT_THAT(Read("[Event \"Triumvirate Game\"]\n"
                   "[Result \"1-0-0\"]\n\n"
                   "1. E2-E4 D7-D6 I11-I10\n"
                   "2. D2-D3 ...\n1-0-0\n"),
              ElementsAre("line 1 [Event|Triumvirate Game] [Result|1-0-0], 1.0 m E2-E4, "
                          "1.1 m D7-D6, 1.2 m I11-I10, 2.0 m D2-D3, 2.1 u ..., 1-0-0"));
}

TEST(TpgnReader, ReadsSeveralGames) {
  EXPECT_THAT(Read("[A \"1\"]\n\n1. x *\n\n[A \"2\"]\n\n1. y 1/2-0-1/2\n[A \"3\"]\n0-1\n"),
              ElementsAre("line 1 [A|1], 1.0 m x, *", "line 5 [A|2], 1.0 m y, 1/2-0-1/2",
                          "line 8 [A|3], 0-1"));
}

TEST(TpgnReader, FindsNoGamesInBlankTextAndComments) {
  EXPECT_THAT(Read(""), ElementsAre());
  EXPECT_THAT(Read("\xef\xbb\xbf \r\n\t\n"), ElementsAre());
  EXPECT_THAT(Read("; only\n% comments\n{here}"), ElementsAre());
}

TEST(TpgnReader, AcceptsLineEndsAndByteOrderMarksOfOtherSystems) {
  EXPECT_THAT(Read("\xef\xbb\xbf[A \"1\"]\r\n[B \"2\"]\r\n\r\n1. x\r\n  --\r\n*\r\n"),
              ElementsAre("line 1 [A|1] [B|2], 1.0 m x, 1.1 s --, *"));
}

TEST(TpgnReader, UnescapesTagValues) {
  EXPECT_THAT(Read(R"([ A  "say \"x\" \\ ]"  ] [B ""] *)"),
              ElementsAre(R"(line 1 [A|say "x" \ ]] [B|], *)"));
}

TEST(TpgnReader, ReadsControlCharactersOfTagsAsSpaces) {
  EXPECT_THAT(Read("[TimeControl \"60\t=\"] *"), ElementsAre("line 1 [TimeControl|60 =], *"));
}

TEST(TpgnReader, AcceptsMovesWithoutBlanksOrNumbers) {
  EXPECT_THAT(Read("1.x y 2.z{c}w *"), ElementsAre("line 1, 1.0 m x, 1.1 m y, 2.0 m z, 2.1 c c, "
                                                   "2.1 m w, *"));
  EXPECT_THAT(Read("x y -- z *"), ElementsAre("line 1, 0.0 m x, 0.1 m y, 0.2 s --, 0.3 m z, *"));
}

TEST(TpgnReader, AcceptsContinuedNumbersOfPgn) {
  EXPECT_THAT(Read("1. x {c} 1... y *"), ElementsAre("line 1, 1.0 m x, 1.1 c c, 1.1 m y, *"));
  EXPECT_THAT(Read("12... y *"), ElementsAre("line 1, 12.0 s ..., 12.1 m y, *"));
  EXPECT_THAT(Read("2....*"), ElementsAre("line 1, 2.0 u ..., *"));
}

TEST(TpgnReader, SkipsVariationsAndGlyphs) {
  EXPECT_THAT(Read("1. x ; {not this} *\n%nor this\n$12 y$3!? (1... z {w) *} (u) v) w?! *"),
              ElementsAre("line 1, 1.0 m x, 1.1 m y, 1.2 m w, *"));
}

TEST(TpgnReader, PutsCommentsOnOneLine) {
  EXPECT_THAT(Read("{ a\n  [b]\t{ c } *"), ElementsAre("line 1, 0.0 c a [b] { c, *"));
}

TEST(TpgnReader, SplitsSuffixes) {
  EXPECT_THAT(Read("1. x+ y# z!! E5xD6 e.p. 2. a e.p.+?! be.p. c=Q# *"),
              ElementsAre("line 1, 1.0 m x+, 1.1 m y#, 1.2 m z, 1.3 m E5xD6, 2.0 m a+, 2.1 m b, "
                          "2.2 m c=Q#, *"));
}

TEST(TpgnReader, TellsResultsFromCastling) {
  for (const char* result : {"1-0", "0-1", "1/2-1/2", "1-0-0", "0-1-0", "0-0-1", "1/2-1/2-1/2",
                             "1/2-0-1/2", "0-1/2-1/2", "*"}) {
    EXPECT_THAT(Read(result), ElementsAre("line 1, " + std::string(result)));
  }
  EXPECT_THAT(Read("1. 0-0 0-0-0 1-1 *"),
              ElementsAre("line 1, 1.0 m 0-0, 1.1 m 0-0-0, 1.2 m 1-1, *"));
}

TEST(TpgnReader, NamesTheLineOfAnError) {
  EXPECT_THAT(Read("\n[A 1]\n\n*"),
              ElementsAre("error line 2: expected the value of tag A in quotes"));
  EXPECT_THAT(Read("[\"A\"]"), ElementsAre("error line 1: expected a tag's name after '['"));
  EXPECT_THAT(Read("[A \"1\" *"),
              ElementsAre("error line 1: expected ']' after the value of tag A"));
  EXPECT_THAT(Read("[A \"1\n\"]"),
              ElementsAre("error line 1: the value of a tag must end on its line"));
  EXPECT_THAT(Read("[A \"\\"),
              ElementsAre("error line 1: the value of a tag must end on its line"));
  EXPECT_THAT(Read("[A \"1\"]\n[A \"2\"]\n\n*"), ElementsAre("error line 2: tag A is given twice"));
  EXPECT_THAT(Read("1. x\n2. } *"), ElementsAre("error line 2: unexpected '}' among the moves"));
  EXPECT_THAT(Read("1. x [A \"1\"] *"),
              ElementsAre("error line 1: unexpected '[' among the moves"));
  EXPECT_THAT(Read("1. x\n$ *"), ElementsAre("error line 2: expected a number after '$'"));
  EXPECT_THAT(Read("1. x ) *"), ElementsAre("error line 1: ')' without '('"));
  EXPECT_THAT(Read("1. x\n{ y\n*"), ElementsAre("error line 2: unterminated comment"));
  EXPECT_THAT(Read("0. x *"), ElementsAre("error line 1: not a move number: \"0\""));
  EXPECT_THAT(Read("99999999999999999999. x *"),
              ElementsAre("error line 1: not a move number: \"99999999999999999999\""));
  EXPECT_THAT(Read("1. x +! *"), ElementsAre("error line 1: not a move: \"+!\""));
  EXPECT_THAT(Read("1. e.p. *"), ElementsAre("error line 1: \"e.p.\" may only follow a move"));
}

TEST(TpgnReader, ReportsAMissingResult) {
  EXPECT_THAT(Read("[A \"1\"]\n\n1. x y\n"),
              ElementsAre("error line 4: the game that begins on line 1 has no result"));
  EXPECT_THAT(
      Read("[A \"1\"]\n\n1. x\n[A \"2\"]\n\n*"),
      ElementsAre("error line 4: the game that begins on line 1 has no result", "line 4 [A|2], *"));
  EXPECT_THAT(
      Read("[A \"1\"]\n\n[A \"2\"]\n\n*"),
      ElementsAre("error line 3: the game that begins on line 1 has no result", "line 3 [A|2], *"));
}

TEST(TpgnReader, ContinuesWithTheNextGameAfterAnError) {
  // A faulty tag, a faulty move, and an unterminated comment.
  EXPECT_THAT(Read("[A 1]\n[B \"1\"]\n\n1. x *\n\n[A \"2\"]\n\n1. x *\n"),
              ElementsAre("error line 1: expected the value of tag A in quotes",
                          "line 6 [A|2], 1.0 m x, *"));
  EXPECT_THAT(
      Read("[A \"1\"]\n\n1. x ] {c\n[%clk 1]} y *\n\n[A \"2\"]\n\n1. x *\n"),
      ElementsAre("error line 3: unexpected ']' among the moves", "line 6 [A|2], 1.0 m x, *"));
  EXPECT_THAT(Read("[A \"1\"]\n\n1. x { y *\n\n[A \"2\"]\n\n1. x *\n"),
              ElementsAre("error line 3: unterminated comment", "line 5 [A|2], 1.0 m x, *"));
}

}  // namespace
}  // namespace triarch
