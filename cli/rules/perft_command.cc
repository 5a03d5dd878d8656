#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands.h"
#include "cli/files.h"
#include "cli/rules/position_options.h"
#include "core/any_state.h"
#include "core/base/text.h"
#include "core/game/perft.h"
#include "core/games.h"

// perft: how many sequences of so many plies there are.
namespace triarch {
namespace {

constexpr int64_t kDepthMax = 99;

struct PerftOptions {
  PositionOptions position;
  std::string depth;
  bool is_divided = false;
  bool is_json = false;
};

// Prints the leaves below each move, sorted, each as soon as it is known; returns their sum.
template <Position P>
uint64_t PrintDivide(const P& position, int depth, bool is_json) {
  std::vector<std::pair<std::string, typename P::Move>> moves;
  for (const typename P::Move move : position.LegalMoves()) {
    moves.emplace_back(position.MoveToString(move), move);
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
  const std::optional<int64_t> depth = ParseInt64(options.depth);
  if (!depth || *depth < 0 || *depth > kDepthMax) {
    return UsageError("DEPTH: expected a whole number from 0 to " + std::to_string(kDepthMax) +
                      ", not " + Quote(options.depth));
  }
  return state->Visit([&](const auto& game) {
    return PrintPerft(game.position(), static_cast<int>(*depth), options);
  });
}

}  // namespace

void AddPerftCommand(CLI::App& app, int* exit_code) {
  auto options = std::make_shared<PerftOptions>();
  CLI::App* const command = app.add_subcommand(
      "perft", "Count the sequences of DEPTH legal plies from a position: `nodes N`.");
  AddPositionOptions(command, &options->position);
  command->add_option("DEPTH", options->depth, "Number of plies")->type_name("")->required();
  command->add_flag("--divide", options->is_divided, "First the count below each move: `MOVE N`");
  command->add_flag("--json", options->is_json, "One JSON object: depth, moves (divided), nodes");
  command->footer(
      "Each piece that a pawn may become counts as a move of its own; skipped and eliminated\n"
      "players take no ply; a game that is over has no moves; draws by claim are not seen.\n\n"
      "Examples:\n"
      "  triarch perft 3\n"
      "  triarch perft --start server 2 --divide\n"
      "  triarch perft --game tri-d 4");
  SetRun(command, options, RunPerft, exit_code);
}

}  // namespace triarch
