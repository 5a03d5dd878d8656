// Tests that builds and other programs are compared in rounds.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/e2e/triarch.h"

namespace triarch {
namespace {

using Json = nlohmann::json;

void ExpectMedian(const Json& median) {
  ASSERT_TRUE(median.is_object()) << median;
  EXPECT_GT(median["low"], 0) << median;
  EXPECT_LE(median["low"], median["median"]) << median;
  EXPECT_LE(median["median"], median["high"]) << median;
}

TEST(BenchCli, ComparesBuildsAndStockfishInRounds) {
  const Ran ran = Triarch({"bench", "tri-d/perft/middle1", "stockfish/perft", "--against",
                           TRIARCH_BINARY, "--rounds", "6", "--json"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_NE(ran.err.find("round 6 of 6\n"), std::string::npos) << ran.err;
  const Json json = Json::parse(ran.out);
  EXPECT_EQ(json["rounds"], 6);
  // Debian's fairy-stockfish matches the name, too.
  const Json& first = json["benchmarks"].front();
  EXPECT_EQ(first["name"], "stockfish/perft");
  ExpectMedian(first["this"]);
  EXPECT_EQ(first["other"], nullptr);
  EXPECT_EQ(first["is_real"], false);
  const Json& last = json["benchmarks"].back();
  EXPECT_EQ(last["name"], "tri-d/perft/middle1");
  EXPECT_EQ(last["unit"], "nodes");
  for (const char* key : {"this", "other", "ratio", "to_stockfish"}) ExpectMedian(last[key]);
}

TEST(BenchCli, SignsSearches) {
  const Ran ran = Triarch({"bench", "tri-d/maxn", "--json"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const Json json = Json::parse(ran.out);
  EXPECT_EQ(json["search_signatures"].size(), 1u) << json;
  EXPECT_EQ(json["search_signatures"]["tri-d"].get<std::string>().size(), 16u) << json;
  EXPECT_EQ(json["perft_signatures"].size(), 3u) << json;
}

TEST(BenchCli, RefusesWhatItCannotCompare) {
  ExpectRefuses({"bench", "perft", "--rounds", "5"}, 2, "--rounds");
  ExpectRefuses({"bench", "no-such-benchmark", "--rounds", "6"}, 2, "no benchmark name contains");
  ExpectRefuses({"bench", "perft", "--against", "/no/such/file"}, 1, "cannot run /no/such/file");
  ExpectRefuses({"bench", "perft", "--against", "/bin/true"}, 1,
                "/bin/true is not a binary of Triarch");
}

}  // namespace
}  // namespace triarch
