// Converts cells and pieces to and from the notation Triumvirate v4.0.

#ifndef TRIARCH_CORE_TRIUMVIRATE_V4_NOTATION_H_
#define TRIARCH_CORE_TRIUMVIRATE_V4_NOTATION_H_

#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "core/game/seat.h"
#include "core/triumvirate/board.h"
#include "core/triumvirate/move.h"

// Triumvirate v4.0, the alternative notation of the game (docs/formats.md, rules §9): cells are
// "W3/B3.0", the six cells of the rosette "C/W.B", pieces L M T D N P.
//
// A regular name consists of sector, ring, "/", opponent, depth, ".", flank. Two tables are in use.
// They agree on the rosette and differ elsewhere:
// - published: the printed table. Ring and depth are equal, counted from the front (0) to the base
//   row (3), so buried levels are 0, 2, 4 and 6.
// - client: computed by a formula. The ring counts inward from the board's rim, from 3 to 1.
namespace triarch::triumvirate {

enum class V4Table { kPublished, kClient };

// Parses "published" or "client".
std::optional<V4Table> ParseV4Table(std::string_view name);
std::string_view ToString(V4Table table);
// Returns the table of a naming scheme: "triumvirate" (published) or "triumvirate-client".
std::optional<V4Table> V4TableOfNames(std::string_view scheme);

// The parts of a cell's name.
struct V4Cell {
  std::string name;
  Seat sector = Seat::kFirst;
  // The sector that the cell faces according to the table: not always the other end of its bridge.
  Seat opponent = Seat::kFirst;
  // The name of a rosette cell contains no numbers. The cell counts as ring 0 and depth 0, which
  // gives level 0 as the notation requires, and as flank 3, like the cells behind it in its column.
  int ring = 0;
  int depth = 0;
  int flank = 0;
  bool is_rosette = false;

  int buried_level() const { return ring + depth; }
  // Returns the class of the buried level: "rosette" (0), "inner" (1–2), "middle" (3–4), "corner"
  // (5–6). The class depends only on the level: in the published table, the eighteen front cells
  // outside the rosette have level 0 and hence the class "rosette". Only is_rosette distinguishes
  // them.
  std::string_view buried_class() const;
};

V4Cell DescribeV4(Cell cell, V4Table table);
std::string ToV4(Cell cell, V4Table table);
absl::StatusOr<Cell> FromV4(std::string_view name, V4Table table);

// Return the first letter and the name of a piece: Leader, Marshal, Train, Drone, Noctis, Private.
char V4Letter(PieceType type);
std::string_view V4Name(PieceType type);

}  // namespace triarch::triumvirate

#endif  // TRIARCH_CORE_TRIUMVIRATE_V4_NOTATION_H_
