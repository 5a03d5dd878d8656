// Tests the bot `llm` in tournaments of the real binary.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "tests/e2e/triarch.h"
#include "tests/llm/odd_chat_server.h"

namespace triarch {
namespace {

using std::chrono::milliseconds;
using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kKey = "sk-very-secret-91";

class LlmCliTest : public testing::Test {
 protected:
  LlmCliTest() { SetEnvironment("http://127.0.0.1:9/v1"); }
  ~LlmCliTest() override {
    for (const char* const name : {"TRIARCH_LLM_URL", "TRIARCH_LLM_MODEL", "TRIARCH_LLM_KEY"}) {
      unsetenv(name);
    }
  }

  static void SetEnvironment(const std::string& url) {
    setenv("no_proxy", "*", 1);
    setenv("TRIARCH_LLM_URL", url.c_str(), 1);
    setenv("TRIARCH_LLM_MODEL", "some-model", 1);
    setenv("TRIARCH_LLM_KEY", kKey, 1);
  }
  // Writes a file for two games of Tri-D between `random` and `llm` with these options.
  std::string TournamentFile(const std::string& options) {
    const std::string path = folder_ / "llm.yaml";
    WriteWholeFile(path, "game: tri-d\nbots:\n  - {name: asker, bot: llm" + options +
                             "}\n  - random\ngames: 2\nslots: 2\nadjudication: {plies_max: 40}\n");
    return path;
  }

  const TemporaryFolder folder_;
};

// Misbehaves in every usual way in turn, between playable answers.
OddChatServer::Reply Misbehave(const OddChatServer::Request& request) {
  const std::vector<std::string> moves = LegalMovesIn(request.body);
  const std::string good = moves[static_cast<size_t>(request.number) % moves.size()];
  switch (request.number % 16) {
    case 1:
      return {.bytes = HttpText(500, "oops")};
    case 3:
      return {.bytes = HttpText(429, R"({"error": {"message": "slow down"}})")};
    case 5:
      return {.bytes = ChatText("I do not know.")};
    case 6:
      return {.bytes = ChatText(R"({"move": "a1W-a9W"})")};
    case 7:
      return {.bytes = HttpText(401, R"({"error": "the key )" + std::string(kKey) + "is wrong\"}")};
    case 9:
      return {.bytes = "junk"};
    case 11:
      return {.bytes = HttpText(200, R"({"choices": []})")};
    case 12:
      return {.bytes = ChatText(R"({"move": ")" + std::string(kKey) + "\"}")};
    case 13:
      return {.bytes =
                  ChatText("<think>a1W-a2W?</think>\n```json\n{\"move\": \"" + good + "\"}\n```")};
    case 15:
      return {.bytes = "", .is_left_open = true};
    default:
      return {.bytes = ChatText("{\"move\": \"" + good + "\"}")};
  }
}

TEST_F(LlmCliTest, FinishesATournamentWithAMisbehavingServer) {
  const OddChatServer server(Misbehave);
  SetEnvironment(server.url());
  const std::string db = folder_ / "llm.db";
  const std::string tpgn = folder_ / "llm.tpgn";
  const Ran ran = Triarch(
      {"run", TournamentFile(", retries: 1, timeout_ms: 2000"), "--db", db, "--tpgn", tpgn});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("asker"));
  EXPECT_THAT(ran.err, HasSubstr("bot asker: playing a fallback move: "));
  const std::string games = ReadWholeFile(tpgn);
  EXPECT_THAT(games, HasSubstr(" {fallback}"));
  EXPECT_THAT(games, Not(HasSubstr("forfeits")));
  EXPECT_EQ(Triarch({"games", "--db", db, "--tpgn", "-"}).out, games);
  EXPECT_EQ(Triarch({"verify", tpgn}).exit_code, 0);
  // The key appears nowhere.
  for (const std::string& text : {ran.out, ran.err, games, ReadWholeFile(db)}) {
    EXPECT_THAT(text, Not(HasSubstr(kKey)));
  }
  // Fewer fallbacks than moves: most answers were good.
  const auto count = [&games](std::string_view what) {
    int64_t found = 0;
    for (size_t at = games.find(what); at != std::string::npos; at = games.find(what, at + 1)) {
      ++found;
    }
    return found;
  };
  EXPECT_GE(count("{fallback}"), 1);
  EXPECT_LE(count("{fallback}"), 20);
  EXPECT_GE(server.requests(), 30);
}

// ---- With the chat server of the examples, which plays random legal moves from the prompts.

constexpr const char* kExamples = TRIARCH_SOURCE_DIR "/examples/";

// Runs `triarch` with these arguments and the server with these flags.
Ran WithChatServer(const Arguments& flags, const Arguments& arguments) {
  Arguments all = flags;
  all.push_back(TRIARCH_BINARY);
  all.insert(all.end(), arguments.begin(), arguments.end());
  return RunProgram(std::string(kExamples) + "chat_server.py", all);
}

// Returns a model's row of the server's report by column.
std::map<std::string, int64_t> ReportOn(const std::string& model, std::string_view out) {
  const auto cells = [&](std::string_view first) {
    const size_t line = out.rfind("\n" + std::string(first) + " ") + 1;
    const std::string_view text = out.substr(line, out.find('\n', line) - line);
    std::vector<std::string_view> result = Split(text, ' ');
    std::erase(result, "");
    return result;
  };
  std::map<std::string, int64_t> row;
  const std::vector<std::string_view> names = cells("model");
  const std::vector<std::string_view> values = cells(model);
  for (size_t i = 1; i < names.size() && i < values.size(); ++i) {
    row[std::string(names[i])] = *ParseInt64(values[i]);
  }
  return row;
}

TEST_F(LlmCliTest, AcceptsEveryMoveItShows) {
  for (const auto& [game, notation] :
       std::vector<std::pair<std::string, std::string>>{{"triumvirate", "classic"},
                                                        {"triumvirate", "triumvirate"},
                                                        {"triumvirate", "triumvirate-client"},
                                                        {"three-way", "classic"},
                                                        {"tri-d", "classic"}}) {
    const Ran ran = WithChatServer({}, {"run", "--game", game, "--bots",
                                        "llm:retries=0:notation=" + notation + ",random,greedy",
                                        "--games", "6", "--plies-max", "240"});
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_THAT(ran.err, Not(HasSubstr("fallback"))) << game << " " << notation;
    std::map<std::string, int64_t> report = ReportOn("some-model", ran.out);
    EXPECT_GT(report["moves"], 50) << ran.out;
    EXPECT_EQ(report["requests"], report["moves"]) << ran.out;
    EXPECT_EQ(report["refused"], 0) << ran.out;
    EXPECT_GT(report["asked"], 500) << ran.out;
    EXPECT_LT(report["longest"], 5000) << ran.out;
  }
}

TEST_F(LlmCliTest, CountsRetries) {
  const std::string log = folder_ / "chat.txt";
  const Ran ran =
      WithChatServer({"--invalid", "0.2", "--errors", "0.03", "--log", log},
                     {"run", "--bots", "llm:retries=9:notation=triumvirate,random,greedy",
                      "--games", "3", "--plies-max", "120"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  std::map<std::string, int64_t> report = ReportOn("some-model", ran.out);
  EXPECT_GT(report["invalid"], 0) << ran.out;
  EXPECT_GT(report["errors"], 0) << ran.out;
  EXPECT_EQ(report["requests"], report["moves"] + report["invalid"] + report["errors"]) << ran.out;
  EXPECT_EQ(report["refused"], 0) << ran.out;
  EXPECT_THAT(ReadWholeFile(log), HasSubstr("That cannot be played: "));
  EXPECT_THAT(ran.err, Not(HasSubstr("fallback")));
}

TEST_F(LlmCliTest, PlaysTheExamples) {
  for (const char* const name : {"llm.yaml", "llm-triumvirate.yaml"}) {
    const Ran ran =
        WithChatServer({}, {"run", std::string(kExamples) + name, "--db", folder_ / "x.db",
                            "--tpgn", folder_ / "x.tpgn", "--plies-max", "40"});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_GT(ReportOn("some-model", ran.out)["moves"], 50) << ran.out;
    EXPECT_EQ(Triarch({"verify", folder_ / "x.tpgn"}).exit_code, 0);
    std::filesystem::remove(folder_ / "x.db");
  }
}

TEST_F(LlmCliTest, ComparesNotations) {
  const Ran ran = WithChatServer({}, {"test", "llm:notation=triumvirate", "llm", "--elo", "0,200",
                                      "--games", "120", "--plies-max", "12"});
  EXPECT_THAT(ran.exit_code, AnyOf(0, 3, 4)) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("llm:notation=triumvirate"));
  EXPECT_EQ(ReportOn("some-model", ran.out)["refused"], 0) << ran.out;
}

TEST_F(LlmCliTest, ReportsMissingSettingsBeforePlay) {
  const std::string file = TournamentFile("");
  unsetenv("TRIARCH_LLM_URL");
  ExpectRefuses({"run", file}, 1, "bot asker: the environment variable TRIARCH_LLM_URL is not set");
  setenv("TRIARCH_LLM_URL", "localhost", 1);
  ExpectRefuses({"run", file}, 1,
                "bot asker: the environment variable TRIARCH_LLM_URL is not a valid address");
  setenv("TRIARCH_LLM_URL", "http://127.0.0.1:9/v1", 1);
  unsetenv("TRIARCH_LLM_MODEL");
  ExpectRefuses({"run", file}, 1, "bot asker: no model is set");
  ExpectRefuses({"run", TournamentFile(", notation: triumvirate")}, 1,
                "llm.yaml:3:39: option notation of bot \"llm\": the game tri-d has no notation "
                "triumvirate");
}

TEST_F(LlmCliTest, ReportsMissingSettingsBeforeTheProtocol) {
  unsetenv("TRIARCH_LLM_URL");
  ExpectRefuses({"uci", "--bot", "llm"}, 1,
                "bot llm: the environment variable TRIARCH_LLM_URL is not set");
  setenv("TRIARCH_LLM_URL", "http://127.0.0.1:9/v1", 1);
  unsetenv("TRIARCH_LLM_MODEL");
  ExpectRefuses({"uci", "--bot", "llm"}, 1, "bot llm: no model is set");
  EXPECT_EQ(Triarch({"uci", "--bot", "llm:model=some-model"}, "quit\n").exit_code, 0);
}

TEST_F(LlmCliTest, FallsBackWithoutAServer) {
  const Ran ran = Triarch({"run", "--game", "tri-d", "--bots", "llm:retries=0,random", "--games",
                           "2", "--plies-max", "20"});
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_THAT(ran.err, AllOf(HasSubstr("bot llm:retries=0: playing a fallback move: "),
                             HasSubstr("(fault 8)")));
}

TEST_F(LlmCliTest, HidesItsVariablesFromOtherBots) {
  const std::string dir = folder_ / "spy";
  std::filesystem::create_directory(dir);
  WriteWholeFile(dir + "/bot.sh", "echo \"counted $(env | grep -c TRIARCH_LLM)\" >&2\n");
  for (const std::string sandbox : {"", ", sandbox: none"}) {
    const std::string path = folder_ / "spy.yaml";
    WriteWholeFile(path, "game: tri-d\nbots:\n  - {name: spy, command: [sh, bot.sh], dir: spy" +
                             sandbox + "}\n  - random\ngames: 2\n");
    const Ran ran = Triarch({"run", path});
    EXPECT_THAT(ran.err, HasSubstr("counted 0"));
  }
}

}  // namespace
}  // namespace triarch
