// Tests how the JSON body of a request is read.

#include "arena/api/body.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "core/base/check.h"

namespace triarch::arena {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

absl::StatusOr<Body> ReadText(std::string text) {
  WebRequest request;
  request.body = std::move(text);
  return Body::Read(request);
}

Body Read(std::string text) {
  absl::StatusOr<Body> body = ReadText(std::move(text));
  CHECK(body.ok());
  return *std::move(body);
}

std::string Message(const absl::Status& status) {
  EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
  return std::string(status.message());
}

TEST(ReadBody, AcceptsObjectsAndNothing) {
  EXPECT_EQ(*Read("").Text("a"), "");
  EXPECT_EQ(*Read("{}").Text("a"), "");
  EXPECT_EQ(*Read(" {\"a\": \"x\"} ").Text("a"), "x");
}

TEST(ReadBody, RefusesEverythingElse) {
  const std::vector<std::string> bodies = {"x",
                                           "[]",
                                           "1",
                                           "\"text\"",
                                           "null",
                                           "true",
                                           "{",
                                           "{\"a\":}",
                                           "{'a':1}",
                                           "{\"a\":1}{}",
                                           "{a:1}",
                                           "{\"a\":1,}",
                                           " ",
                                           "\xff",
                                           "{\"a\":\"\xff\"}",
                                           "{\"a\":NaN}",
                                           std::string("\0", 1),
                                           std::string(60'000, '[')};
  for (const std::string& text : bodies) {
    const absl::StatusOr<Body> body = ReadText(text);
    EXPECT_THAT(Message(body.status()), HasSubstr("JSON object")) << text.substr(0, 20);
  }
}

TEST(ReadBody, TakesDeepBodies) {
  std::string text = "{\"a\":";
  text += std::string(30'000, '[') + std::string(30'000, ']') + "}";
  const Body body = Read(text);
  EXPECT_THAT(Message(body.Text("a").status()), HasSubstr("a: "));
}

TEST(ReadBody, NamesUnknownMembers) {
  const Body body = Read(R"({"a": 1, "b\n": 2})");
  EXPECT_TRUE(Read(R"({"a": null, "b": 1})").CheckMembers("a b c").ok());
  EXPECT_TRUE(Read("").CheckMembers("").ok());
  EXPECT_THAT(Message(body.CheckMembers("a b")), HasSubstr(R"("b\x0a")"));
  EXPECT_THAT(Message(Read(R"({"": 1})").CheckMembers("a")), HasSubstr("\"\""));
}

TEST(ReadBody, ReadsTexts) {
  const Body body = Read(R"({"text": "x", "empty": "", "none": null, "nul": "a\u0000b", "n": 1})");
  EXPECT_EQ(*body.Text("text"), "x");
  EXPECT_EQ(*body.Text("none"), "");
  EXPECT_EQ(*body.Text("missing"), "");
  EXPECT_EQ(*body.Text("nul"), std::string("a\0b", 3));
  EXPECT_THAT(Message(body.Text("n").status()), HasSubstr("n: expected a text"));
  EXPECT_EQ(*body.RequiredText("text"), "x");
  for (const char* key : {"empty", "none", "missing", "n"}) {
    EXPECT_THAT(Message(body.RequiredText(key).status()), HasSubstr(key));
  }
}

TEST(ReadBody, ReadsNumbers) {
  const Body body = Read(R"({"n": 7, "low": -9223372036854775808, "high": 9223372036854775807,
      "none": null, "too_high": 9223372036854775808, "huge": 18446744073709551615,
      "too_low": -9223372036854775809, "half": 1.5, "whole": 7.0, "text": "7", "flag": true})");
  EXPECT_EQ(**body.Number("n"), 7);
  EXPECT_EQ(**body.Number("low"), INT64_MIN);
  EXPECT_EQ(**body.Number("high"), INT64_MAX);
  EXPECT_EQ(*body.Number("none"), std::nullopt);
  EXPECT_EQ(*body.Number("missing"), std::nullopt);
  for (const char* key : {"too_high", "huge", "too_low", "half", "whole", "text", "flag"}) {
    EXPECT_THAT(Message(body.Number(key).status()), HasSubstr("whole number")) << key;
  }
  EXPECT_EQ(*body.RequiredNumber("n"), 7);
  EXPECT_THAT(Message(body.RequiredNumber("none").status()), HasSubstr("none"));
}

TEST(ReadBody, ReadsFlags) {
  const Body body = Read(R"({"yes": true, "no": false, "none": null, "n": 0, "text": "true"})");
  EXPECT_EQ(*body.Flag("yes"), true);
  EXPECT_EQ(*body.Flag("no"), false);
  EXPECT_EQ(*body.Flag("none"), std::nullopt);
  for (const char* key : {"n", "text"}) {
    EXPECT_THAT(Message(body.Flag(key).status()), HasSubstr("true or false"));
  }
}

TEST(ReadBody, ReadsLists) {
  const Body body = Read(
      R"({"list": ["a", "b"], "empty": [], "text": "a", "none": null, "mixed": ["a", 1], "n": 1,
          "object": {"a": "b"}})");
  EXPECT_THAT(**body.List("list"), ElementsAre("a", "b"));
  EXPECT_THAT(**body.List("empty"), IsEmpty());
  EXPECT_EQ(*body.List("text"), std::nullopt);
  EXPECT_EQ(*body.List("none"), std::nullopt);
  for (const char* key : {"mixed", "n", "object"}) {
    EXPECT_THAT(Message(body.List(key).status()), HasSubstr("list of texts"));
  }
}

TEST(WriteJson, ReplacesWhatIsNotUtf8) { EXPECT_EQ(ToText("a\xff"), "\"a\xEF\xBF\xBD\""); }

}  // namespace
}  // namespace triarch::arena
