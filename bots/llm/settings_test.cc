#include "bots/llm/settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <string>

#include "bots/bots.h"
#include "bots/llm/environment.h"
#include "core/any_state.h"

namespace triarch::llm {
namespace {

using testing::HasSubstr;
using testing::Not;

BotSpec LlmBot(std::map<std::string, std::string> options) {
  return {.name = "gpt", .bot = "llm", .options = std::move(options)};
}

// Sets these variables and removes them at the end.
class WithEnvironment {
 public:
  explicit WithEnvironment(const std::map<std::string, std::string>& variables) {
    Clear();
    for (const auto& [name, value] : variables) setenv(name.c_str(), value.c_str(), 1);
  }
  ~WithEnvironment() { Clear(); }
  WithEnvironment(const WithEnvironment&) = delete;
  WithEnvironment& operator=(const WithEnvironment&) = delete;

 private:
  static void Clear() {
    for (const char* const name : {"TRIARCH_LLM_URL", "TRIARCH_LLM_MODEL", "TRIARCH_LLM_KEY"}) {
      unsetenv(name);
    }
  }
};

Settings SettingsOf(std::map<std::string, std::string> options) {
  return ReadSettings(*BotOptionValues::Read(**FindBot("llm"), LlmBot(std::move(options))));
}

TEST(LlmSettings, ReadsOptions) {
  const Settings none = SettingsOf({});
  EXPECT_EQ(none.model, "");
  EXPECT_EQ(none.notation, Notation::kClassic);
  EXPECT_EQ(none.retries, 2);
  EXPECT_EQ(none.timeout, std::chrono::seconds(60));
  EXPECT_FALSE(none.temperature || none.max_tokens);
  const Settings all = SettingsOf({{"model", "qwen3:8b"},
                                   {"notation", "triumvirate"},
                                   {"retries", "0"},
                                   {"timeout_ms", "500"},
                                   {"temperature", "0.2"},
                                   {"max_tokens", "64"}});
  EXPECT_EQ(all.model, "qwen3:8b");
  EXPECT_EQ(all.notation, Notation::kTriumvirate);
  EXPECT_EQ(all.retries, 0);
  EXPECT_EQ(all.timeout, std::chrono::milliseconds(500));
  EXPECT_EQ(all.temperature, 0.2);
  EXPECT_EQ(all.max_tokens, 64);
  EXPECT_EQ(SettingsOf({{"notation", "triumvirate-client"}}).notation,
            Notation::kTriumvirateClient);
}

TEST(LlmSettings, ReportsErrors) {
  const auto why = [](const std::string& option, const std::string& value) {
    return std::string(CheckBot(LlmBot({{option, value}})).message());
  };
  EXPECT_EQ(why("retries", "11"),
            "option retries of bot \"llm\": expected a whole number from 0 to 10, not \"11\"");
  EXPECT_EQ(
      why("timeout_ms", "0"),
      "option timeout_ms of bot \"llm\": expected a whole number from 1 to 3600000, not \"0\"");
  EXPECT_EQ(why("temperature", "2.1"),
            "option temperature of bot \"llm\": expected a number from 0 to 2, not \"2.1\"");
  EXPECT_EQ(
      why("max_tokens", "many"),
      "option max_tokens of bot \"llm\": expected a whole number from 1 to 1000000, not \"many\"");
  EXPECT_EQ(
      why("notation", "native"),
      "option notation of bot \"llm\": expected classic, triumvirate or triumvirate-client, not "
      "\"native\"");
  EXPECT_EQ(why("model", ""),
            "option model of bot \"llm\": expected the name of a model, not \"\"");
  EXPECT_EQ(
      why("key", "sk-1"),
      "bot \"llm\" has no option \"key\"; its options are model, notation, retries, timeout_ms, "
      "temperature, max_tokens");
  const BotSpec spec = LlmBot({{"notation", "triumvirate"}});
  EXPECT_TRUE(CheckBot(**FindGame("triumvirate"), spec).ok());
  EXPECT_EQ(CheckBot(**FindGame("tri-d"), spec).message(),
            "option notation of bot \"llm\": the game tri-d has no notation triumvirate");
}

TEST(LlmEnvironment, ReadsVariables) {
  const WithEnvironment variables({{"TRIARCH_LLM_URL", "http://localhost:8080/v1/"},
                                   {"TRIARCH_LLM_MODEL", "m"},
                                   {"TRIARCH_LLM_KEY", "sk-1"}});
  EXPECT_TRUE(CheckBotHere(LlmBot({})).ok());
  EXPECT_TRUE(IsPlayedHere("llm"));
  const Environment environment = *ReadEnvironment({});
  EXPECT_EQ(environment.url, "http://localhost:8080/v1");
  EXPECT_EQ(environment.model, "m");
  EXPECT_EQ(environment.key, "sk-1");
  Settings settings;
  settings.model = "n";
  EXPECT_EQ(ReadEnvironment(settings)->model, "n");
}

TEST(LlmEnvironment, ReportsMissingVariablesWithoutSecrets) {
  const auto why = [](const std::string& url, const std::string& model, const std::string& key) {
    const WithEnvironment variables(
        {{"TRIARCH_LLM_URL", url}, {"TRIARCH_LLM_MODEL", model}, {"TRIARCH_LLM_KEY", key}});
    const absl::Status status = CheckBotHere(LlmBot({}));
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
    return std::string(status.message());
  };
  EXPECT_THAT(why("", "m", ""), HasSubstr("TRIARCH_LLM_URL is not set; expected"));
  for (const std::string url : {"localhost:8080", "ftp://h/v1", "http://", "http:///v1",
                                "https://h/v1?key=secret", "http://h/ v1", "http://h/\nv1"}) {
    EXPECT_THAT(why(url, "m", ""), HasSubstr("TRIARCH_LLM_URL is not a valid address")) << url;
    EXPECT_THAT(why(url, "m", ""), Not(HasSubstr("secret")));
  }
  EXPECT_THAT(why("http://h/v1", "", ""), HasSubstr("TRIARCH_LLM_MODEL"));
  EXPECT_THAT(why("http://h/v1", "m", "secret\r\nX: y"), HasSubstr("TRIARCH_LLM_KEY"));
  EXPECT_THAT(why("http://h/v1", "m", "secret\r\nX: y"), Not(HasSubstr("secret")));
  const WithEnvironment none({});
  EXPECT_FALSE(IsPlayedHere("llm"));
  EXPECT_TRUE(IsPlayedHere("mcts"));
  EXPECT_TRUE(CheckBotHere({.name = "r", .bot = "random", .options = {}}).ok());
  EXPECT_FALSE(MakePlayer(**FindGame("tri-d"), LlmBot({})).ok());
}

}  // namespace
}  // namespace triarch::llm
