// Implements `triarch notation`, which translates cells of Triumvirate to and from v4.0 names.

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "cli/commands.h"
#include "cli/files.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "core/triumvirate/board.h"
#include "core/triumvirate/position.h"
#include "core/triumvirate/v4_notation.h"

namespace triarch {
namespace {

using triumvirate::Cell;
using triumvirate::V4Table;

struct NotationOptions {
  std::string table = "published";
  bool is_json = false;
  std::vector<std::string> cells;
};

struct AskedCell {
  Cell cell;
  bool is_v4;  // given by its v4.0 name
};

absl::StatusOr<AskedCell> ReadCell(const std::string& text, V4Table table) {
  if (const std::optional<Cell> cell = Cell::Parse(text)) return AskedCell{*cell, false};
  const absl::StatusOr<Cell> cell = triumvirate::FromV4(text, table);
  if (cell.ok()) return AskedCell{*cell, true};
  return absl::InvalidArgumentError(
      "CELL: expected a cell such as E2, or a " + std::string(triumvirate::ToString(table)) +
      " name of Triumvirate v4.0 such as " + triumvirate::ToV4(*Cell::Parse("E2"), table) +
      ", not " + Quote(text));
}

std::string PlayerName(Seat seat) {
  std::string name = triumvirate::Position::kInfo.seat_name(seat);
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return name;
}

std::string CellJson(Cell cell, V4Table table) {
  const triumvirate::V4Cell v4 = triumvirate::DescribeV4(cell, table);
  const nlohmann::ordered_json json = {{"cell", cell.ToString()},
                                       {"name", v4.name},
                                       {"table", std::string(triumvirate::ToString(table))},
                                       {"sector", PlayerName(v4.sector)},
                                       {"ring", v4.ring},
                                       {"opponent", PlayerName(v4.opponent)},
                                       {"depth", v4.depth},
                                       {"flank", v4.flank},
                                       {"buried_level", v4.buried_level()},
                                       {"buried_class", std::string(v4.buried_class())},
                                       {"rosette", v4.is_rosette}};
  return json.dump();
}

absl::StatusOr<std::string> NotationText(const NotationOptions& options, V4Table table) {
  std::string out;
  for (const std::string& text : options.cells) {
    ASSIGN_OR_RETURN(const AskedCell asked, ReadCell(text, table));
    if (options.is_json) {
      out += (out.empty() ? "[" : ",\n ") + CellJson(asked.cell, table);
    } else {
      out += (asked.is_v4 ? asked.cell.ToString() : ToV4(asked.cell, table)) + "\n";
    }
  }
  if (options.is_json) out += "]\n";
  return out;
}

int RunNotation(const NotationOptions& options) {
  const absl::StatusOr<std::string> text =
      NotationText(options, *triumvirate::ParseV4Table(options.table));
  if (!text.ok()) return UsageError(text.status());
  Print(*text);
  return kExitDone;
}

}  // namespace

void AddNotationCommand(const Command& app) {
  auto options = std::make_shared<NotationOptions>();
  const Command command = app.AddCommand(
      "notation", "Translate Triumvirate cells such as E2 to Triumvirate v4.0 names, or back.");
  command.AddText({"CELL", "", "Cells to translate, such as E2, W3/B3.0 or C/W.B"}, &options->cells)
      .Required();
  command.AddChoice({"--table", "TABLE", "Use the v4.0 names of this table: published or client"},
                    {"published", "client"}, &options->table);
  command.AddFlag({"--json", "", "Print a JSON array with all parts of each v4.0 name"},
                  &options->is_json);
  command.Footer(
      "The JSON has cell, name, table, sector, ring, opponent, depth, flank, buried_level,\n"
      "buried_class (0 rosette, 1-2 inner, 3-4 middle, 5-6 corner) and rosette.\n\n"
      "Examples:\n"
      "  triarch notation E2 D4\n"
      "  triarch notation B3/R3.2\n"
      "  triarch notation --table client --json A2");
  command.OnRun(options, RunNotation);
}

}  // namespace triarch
