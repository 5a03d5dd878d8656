#include "bots/llm/chat.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace triarch::llm {
namespace {

using testing::HasSubstr;

std::string Read(std::string_view body) {
  const absl::StatusOr<std::string> text = ReadChat(body);
  return text.ok() ? *text : "error: " + std::string(text.status().message());
}

TEST(Chat, WritesRequests) {
  const std::vector<Message> messages = {{Message::Role::kSystem, "rules"},
                                         {Message::Role::kUser, "your \"move\"?\n"},
                                         {Message::Role::kAssistant, "E2-E9"}};
  EXPECT_EQ(nlohmann::json::parse(WriteChat("m", {}, messages)), nlohmann::json::parse(R"({
      "model": "m", "stream": false, "messages": [{"role": "system", "content": "rules"},
      {"role": "user", "content": "your \"move\"?\n"}, {"role": "assistant", "content": "E2-E9"}]
  })"));
  Settings settings;
  settings.temperature = 0.5;
  settings.max_tokens = 300;
  const nlohmann::json json = nlohmann::json::parse(WriteChat("m", settings, messages));
  EXPECT_EQ(json["temperature"], 0.5);
  EXPECT_EQ(json["max_tokens"], 300);
  // A model may send invalid UTF-8; it is sent back with replacement characters.
  const std::vector<Message> broken = {{Message::Role::kAssistant, "\xff"}};
  EXPECT_TRUE(nlohmann::json::accept(WriteChat("m", {}, broken)));
}

TEST(Chat, ReadsTheFirstChoice) {
  EXPECT_EQ(Read(R"({"choices": [{"message": {"content": "E2-E4"}}]})"), "E2-E4");
  EXPECT_EQ(Read(R"({"id": 1, "usage": {}, "error": null, "choices": [
      {"message": {"role": "assistant", "reasoning_content": "D2-D4", "content": "a"}},
      {"message": {"content": "b"}}]})"),
            "a");
  EXPECT_EQ(Read(R"({"choices": [{"message": {"content": [
      {"type": "text", "text": "E2"}, {"type": "image"}, {"type": "text", "text": "-E4"}]}}]})"),
            "E2-E4");
}

TEST(Chat, DescribesUnexpectedReplies) {
  EXPECT_EQ(Read(""), "error: the server's reply is not JSON");
  EXPECT_EQ(Read("<html>busy</html>"), "error: the server's reply is not JSON");
  EXPECT_EQ(Read(R"({"choices": [{"message": {"content": "E2-)"),
            "error: the server's reply is not JSON");
  for (const std::string_view body :
       {"[]", "3", "\"E2-E4\"", "{}", R"({"choices": []})", R"({"choices": {"0": 1}})"}) {
    EXPECT_EQ(Read(body), "error: the server's reply has no choices") << body;
  }
  for (const std::string_view body :
       {R"({"choices": [{}]})", R"({"choices": [3]})", R"({"choices": [{"message": {}}]})",
        R"({"choices": [{"message": {"content": null, "refusal": "no"}}]})",
        R"({"choices": [{"message": {"content": " \n"}}]})",
        R"({"choices": [{"message": {"content": {"move": "E2-E4"}}}]})"}) {
    EXPECT_EQ(Read(body), "error: the model returned no text") << body;
  }
  EXPECT_THAT(Read(R"({"choices": [{"message": {"content": ""}, "finish_reason": "length"}]})"),
              HasSubstr("max_tokens"));
  EXPECT_EQ(Read(R"({"error": {"message": "no such\nmodel", "code": 3}})"),
            "error: the server's reply is an error: no such model");
  EXPECT_EQ(Read(R"({"error": 5})"), "error: the server's reply is an error: no message given");
  EXPECT_THAT(Read(std::string(1 << 20, '[')), HasSubstr("is not JSON"));
}

// If each level took some stack, this would crash the worker.
TEST(Chat, RejectsDeepNesting) {
  const std::string deep = std::string(400'000, '[') + std::string(400'000, ']');
  EXPECT_FALSE(ReadChat(deep).ok());
  EXPECT_EQ(ReadChatError(deep), "");
}

TEST(Chat, ReadsErrors) {
  EXPECT_EQ(ReadChatError(R"({"error": "loading"})"), "loading");
  EXPECT_EQ(ReadChatError(R"({"error": {"message": "slow down"}})"), "slow down");
  EXPECT_EQ(ReadChatError("Bad Gateway"), "");
  EXPECT_EQ(ReadChatError(R"({"message": "x"})"), "");
}

}  // namespace
}  // namespace triarch::llm
