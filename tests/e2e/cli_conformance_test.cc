// Checks the command line against tables from an independent reference of the rules.

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/text.h"
#include "tests/e2e/triarch.h"

namespace triarch {
namespace {

std::vector<std::string> Lines(const std::string& name) {
  std::vector<std::string> lines;
  std::ifstream file(std::string(TRIARCH_TEST_DATA "/triumvirate/") + name);
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  EXPECT_FALSE(lines.empty()) << name;
  return lines;
}

std::vector<std::string> Fields(std::string_view line) {
  std::vector<std::string> fields;
  for (const std::string_view field : Split(line, '\t')) fields.emplace_back(field);
  return fields;
}

TEST(CliConformance, CountsTheReferencePerft) {
  for (const std::string& line : Lines("perft.tsv")) {
    const std::vector<std::string> fields = Fields(line);
    ASSERT_EQ(fields.size(), 5u) << line;
    for (size_t depth = 1; depth <= 3; ++depth) {
      ExpectPrints({"perft", "--position", fields[1], std::to_string(depth)},
                   "nodes " + fields[depth + 1] + "\n");
    }
  }
}

TEST(CliConformance, ReportsTheReferenceErrors) {
  for (const std::string& line : Lines("errors.tsv")) {
    const std::vector<std::string> fields = Fields(line);
    ASSERT_GE(fields.size(), 2u) << line;
    const Ran ran = Triarch({"check", fields[1]});
    EXPECT_EQ(ran.exit_code, 1) << line;
    EXPECT_TRUE(ran.out.starts_with("error " + fields[0] + " field ")) << line << ": " << ran.out;
  }
}

TEST(CliConformance, PlaysTheReferenceResignations) {
  for (const std::string& line : Lines("resign.tsv")) {
    const std::vector<std::string> fields = Fields(line);
    ASSERT_EQ(fields.size(), 3u) << line;
    const Ran ran = Triarch({"play", "--position", fields[0], "resign:" + fields[1]});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_TRUE(ran.out.starts_with(fields[2] + "\n")) << line << "\n" << ran.out;
  }
}

TEST(CliConformance, ReplaysTheReferenceGames) {
  for (const std::string& line : Lines("games.jsonl")) {
    const nlohmann::json game = nlohmann::json::parse(line);
    std::vector<std::string> arguments = {"play", "--position", game["start"]};
    for (const auto& move : game["moves"]) arguments.push_back(move);
    ExpectPrints(arguments, game["positions_3pf"].back()["3pf"].get<std::string>() + "\nresult " +
                                game["result"].get<std::string>() + " termination " +
                                game["termination"].get<std::string>() + " placement " +
                                game["placement"].get<std::string>() + "\n");
  }
}

}  // namespace
}  // namespace triarch
