// Implements `triarch perft`, which counts the sequences of a given number of plies.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands.h"
#include "cli/files.h"
#include "cli/rules/position_options.h"
#include "core/any_state.h"
#include "core/game/perft.h"
#include "core/games.h"
#include "core/text.h"

namespace triarch {
namespace {

constexpr int64_t kDepthMax = 99;

struct PerftOptions {
  PositionOptions position;
  int64_t depth = 0;
  bool is_divided = false;
  bool is_json = false;
};

// Prints the leaf count of each move as soon as it is known, sorted by move. Returns the sum.
template <Position P>
uint64_t PrintDivide(const P& position, int depth, bool is_json) {
  std::vector<std::pair<std::string, typename P::Move>> moves;
  for (const typename P::Move move : position.LegalMoves()) {
    moves.emplace_back(MoveToString(position, move), move);
  }
  std::sort(moves.begin(), moves.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  uint64_t sum = 0;
  for (const auto& [text, move] : moves) {
    P next = position;
    next.Play(move);
    const uint64_t nodes = Perft(next, depth - 1);
    const std::string count = std::to_string(nodes);
    const bool is_first = text == moves.front().first;
    Print(is_json ? (is_first ? "\"" : ",\n  \"") + text + "\": " + count
                  : text + " " + count + "\n");
    std::fflush(stdout);
    sum += nodes;
  }
  return sum;
}

template <Position P>
int PrintPerft(const P& position, int depth, const PerftOptions& options) {
  const bool is_json = options.is_json;
  if (is_json) Print("{\"depth\": " + std::to_string(depth) + ", ");
  uint64_t nodes = 0;
  if (options.is_divided && depth > 0) {
    if (is_json) Print("\"moves\": {\n  ");
    nodes = PrintDivide(position, depth, is_json);
    if (is_json) Print("}, ");
  } else {
    nodes = Perft(position, depth);
  }
  Print(is_json ? "\"nodes\": " + std::to_string(nodes) + "}\n"
                : "nodes " + std::to_string(nodes) + "\n");
  return kExitDone;
}

int RunPerft(const PerftOptions& options) {
  const absl::StatusOr<AnyState> state = LoadState(options.position, kRulesOnly);
  if (!state.ok()) return UsageError(state.status());
  return state->Visit([&](const auto& game) {
    return PrintPerft(game.position(), static_cast<int>(options.depth), options);
  });
}

}  // namespace

void AddPerftCommand(const Command& app) {
  auto options = std::make_shared<PerftOptions>();
  const Command command =
      app.AddCommand("perft", "Count the sequences of DEPTH legal plies from a position.");
  AddPositionOptions(command, &options->position);
  command.AddNumber({"DEPTH", "", "Number of plies"}, {0, kDepthMax}, &options->depth).Required();
  command.AddFlag({"--divide", "", "Print the count of each move first: `MOVE N`"},
                  &options->is_divided);
  command.AddFlag({"--json", "", "Print one JSON object: depth, moves (with --divide), nodes"},
                  &options->is_json);
  command.Footer(
      "Prints `nodes N`. Each promotion piece counts as a separate move. Players who are skipped\n"
      "or eliminated take no ply, a game that is over has no moves, and draw claims are "
      "ignored.\n\n"
      "Examples:\n"
      "  triarch perft 3\n"
      "  triarch perft --start server 2 --divide\n"
      "  triarch perft --game tri-d 4");
  command.OnRun(options, RunPerft);
}

}  // namespace triarch
