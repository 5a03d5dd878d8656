// Tests the option search_info: what bots say about their moves is recorded, and changes nothing
// else.

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>

#include "gmock/gmock.h"
#include "tests/e2e/triarch.h"

namespace triarch {
namespace {

using Json = nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

Ran TriarchWith(Arguments arguments, const Arguments& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return Triarch(arguments);
}

// Removes what the bots said, and puts each game's moves on one line.
std::string WithoutInfos(std::string tpgn) {
  std::replace(tpgn.begin(), tpgn.end(), '\n', ' ');
  tpgn = std::regex_replace(tpgn, std::regex(R"( ?\[%(depth|nodes|pv|info) [^\]]*\])"), "");
  return std::regex_replace(tpgn, std::regex(R"( \{\})"), "");
}

TEST(SearchInfo, IsRecordedOnRequestAndChangesNothing) {
  const TemporaryFolder folder;
  const auto play = [&](const std::string& name, const Arguments& more) {
    const Ran ran =
        TriarchWith({"run", "--game", "triumvirate", "--bots", "smart,mcts:nodes=50,random",
                     "--games", "6", "--db", folder / (name + ".db"), "--tpgn", folder / name},
                    more);
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    return ReadWholeFile(folder / name);
  };
  const std::string silent = play("silent", {});
  const std::string said = play("said", {"--search-info", "on"});
  EXPECT_THAT(silent, Not(HasSubstr("[%depth")));
  EXPECT_THAT(said, HasSubstr("[%info plays "));
  EXPECT_EQ(WithoutInfos(said), WithoutInfos(silent)) << "the moves are the same";
  EXPECT_EQ(Triarch({"verify", folder / "said"}).exit_code, 0);
  const Arguments first = {"--db", folder / "said.db", "--id", "1.1"};
  const Json game = Json::parse(TriarchWith({"games", "--json"}, first).out);
  const auto& events = game["events"];
  const auto explained = std::find_if(events.begin(), events.end(), [](const Json& event) {
    return event.contains("info") && event["info"].contains("explanation");
  });
  ASSERT_NE(explained, events.end());
  const std::string why = (*explained)["info"]["explanation"];
  EXPECT_THAT(why, HasSubstr("\nrather than "));
  const std::string begin = why.substr(0, why.find('\n'));
  EXPECT_THAT(TriarchWith({"games"}, first).out, HasSubstr(begin));
  const std::string ply = std::to_string((*explained)["ply"].get<int64_t>());
  EXPECT_THAT(TriarchWith({"view", "--ply", ply}, first).out, HasSubstr(begin));
  // With other bots the answers differ, and `replay` says what the recorded one said.
  const Ran replay = TriarchWith({"replay", "--bot", "smart", "--with", "random"}, first);
  EXPECT_THAT(replay.out, HasSubstr("\n  " + begin + "\n"));
}

TEST(SearchInfo, IsNoPartOfATournamentsIdentity) {
  const TemporaryFolder folder;
  const Arguments run = {"run",  "--game",       "tri-d", "--bots", "greedy,mcts:nodes=20",
                         "--db", folder / "t.db"};
  ASSERT_EQ(TriarchWith(run, {"--games", "2"}).exit_code, 0);
  ASSERT_EQ(TriarchWith(run, {"--games", "4", "--search-info", "on"}).exit_code, 0);
  const auto has_infos = [&](const std::string& id) {
    const Ran ran = Triarch({"games", "--db", folder / "t.db", "--id", id});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    return ran.out.find("what the bots said") != std::string::npos;
  };
  EXPECT_FALSE(has_infos("1.2"));
  EXPECT_TRUE(has_infos("2.3"));
}

}  // namespace
}  // namespace triarch
