// Implements `triarch cells`, which describes the geometry of a board.

#include <memory>
#include <string>

#include "cli/commands.h"
#include "cli/files.h"
#include "cli/rules/position_options.h"
#include "core/any_state.h"
#include "core/geometry.h"
#include "core/text.h"

namespace triarch {
namespace {

struct CellsOptions {
  PositionOptions position;
  bool is_json = false;
};

template <Position P>
std::string NamesOf(const P& position, const CellLine& cells) {
  std::string names;
  for (const int cell : cells) names += ' ' + CellText(position, cell);
  return names;
}

// Returns "A1  beside B1 A2  diagonal B2  knight C2 B3".
template <Position P>
std::string DescribeCell(const P& position, int cell) {
  const CellGeometry geometry = GeometryOf(position, cell);
  return geometry.name + "  beside" + NamesOf(position, geometry.orthogonal) + "  diagonal" +
         NamesOf(position, geometry.diagonal) + "  knight" + NamesOf(position, geometry.knight);
}

int RunCells(const CellsOptions& options) {
  const absl::StatusOr<AnyState> state = LoadState(options.position, kRulesOnly);
  if (!state.ok()) return UsageError(state.status());
  Print(state->Visit([&]<class P>(const GameState<P>& game) {
    if (options.is_json) return GeometryJson(game.position()) + "\n";
    std::string text;
    for (int cell = 0; cell < P::kCells; ++cell) text += DescribeCell(game.position(), cell) + "\n";
    return text;
  }));
  return kExitDone;
}

}  // namespace

void AddCellsCommand(const Command& app) {
  auto options = std::make_shared<CellsOptions>();
  const Command command = app.AddCommand("cells", "Describe the cells of a board.");
  AddPositionOptions(command, &options->position);
  command.AddFlag({"--json", "", "Print a JSON object with everything (docs/formats.md)"},
                  &options->is_json);
  command.Footer(
      "Lists for each cell its neighbours and where a knight can jump. JSON also has coordinates,\n"
      "colours, rays, promotions, and corners for a picture. The boards of Tri-D move, so its\n"
      "cells are those of a position.\n\n"
      "Examples:\n"
      "  triarch cells --game three-way\n"
      "  triarch cells --game tri-d --json");
  command.OnRun(options, RunCells);
}

}  // namespace triarch
