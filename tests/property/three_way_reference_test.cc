#include "tests/property/three_way_reference.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "core/base/text.h"

// The second opinion agrees with the game's author's own program.
namespace triarch::three_way_reference {
namespace {

constexpr char kStart[] =
    "rnbqkbnr/pppppppp/8/8/X/X X/rnbqkbnr/pppppppp/8/8/X X/X/rnbqkbnr/pppppppp/8/8 "
    "W qkqkqk --- 0 1";

std::vector<std::string> Lines(const std::string& name) {
  std::ifstream file(std::string(TRIARCH_TEST_DATA "/three_way/") + name);
  EXPECT_TRUE(file) << name;
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  EXPECT_FALSE(lines.empty()) << name;
  return lines;
}

// Three plies of all of them would take minutes.
TEST(ThreeWayReference, Perft) {
  for (const std::string& line : Lines("perft.tsv")) {
    const auto columns = Split(line, '\t');
    const State state = ParseHexFen(columns[1]);
    EXPECT_EQ(ToHexFen(state), columns[1]);
    for (int depth = 1; depth <= 2; ++depth) {
      EXPECT_EQ(Perft(state, depth), ParseUint64(columns[static_cast<size_t>(1 + depth)]))
          << columns[0] << " depth " << depth;
    }
  }
}

TEST(ThreeWayReference, Games) {
  for (const std::string& line : Lines("games.jsonl")) {
    const nlohmann::json game = nlohmann::json::parse(line);
    State state = ParseHexFen(kStart);
    std::map<size_t, std::string> positions = {{0, kStart}};
    size_t ply = 0;
    for (const std::string move : game["moves"]) {
      ASSERT_EQ(EndingOf(state), std::nullopt) << game["id"] << " ply " << ply;
      Play(state, move);
      positions[++ply] = ToHexFen(state);
    }
    for (const auto& entry : game["positions"]) {
      EXPECT_EQ(positions[entry[0].get<size_t>()], entry[1].get<std::string>()) << game["id"];
    }
    EXPECT_NE(EndingOf(state), std::nullopt) << game["id"];
  }
}

}  // namespace
}  // namespace triarch::three_way_reference
