// Converts cells and pieces to Triumvirate v4.0 and back.

#ifndef TRIARCH_CORE_TRIUMVIRATE_V4_NOTATION_H_
#define TRIARCH_CORE_TRIUMVIRATE_V4_NOTATION_H_

#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "core/game/seat.h"
#include "core/triumvirate/board.h"
#include "core/triumvirate/move.h"

// Triumvirate v4.0, the other notation of the game (docs/formats.md, rules §9): cells as "W3/B3.0",
// the six of the rosette as "C/W.B", pieces as L M T D N P.
//
// A regular name is sector, ring, "/", opponent, depth, ".", flank. Two tables are in use. Both
// name the rosette alike and differ elsewhere:
// - published: the printed table. Its ring is its depth, both counted from the front (0) to the
//   base row (3), so buried levels are 0, 2, 4 and 6.
// - client: worked out by formula; its ring counts inward from the board's rim, from 3 to 1.
namespace triarch::triumvirate {

enum class V4Table { kPublished, kClient };

// "published" and "client".
std::optional<V4Table> ParseV4Table(std::string_view name);
std::string_view ToString(V4Table table);

// What a cell's name says.
struct V4Cell {
  std::string name;
  Seat sector = Seat::kFirst;
  // The sector that the cell faces, by its table: not always the other end of its bridge.
  Seat opponent = Seat::kFirst;
  // A rosette cell's name holds no numbers. It counts as ring 0 and depth 0, which gives the level
  // 0 that the notation wants for it, and as flank 3, as the cells behind it in its column.
  int ring = 0;
  int depth = 0;
  int flank = 0;
  bool is_rosette = false;

  int buried_level() const { return ring + depth; }
  // The class of the buried level: "rosette" (0), "inner" (1–2), "middle" (3–4), "corner" (5–6).
  // It is the level's and nothing else's: in the published table the eighteen front cells beside
  // the rosette are of level 0 too and so of its class. Only is_rosette tells them apart.
  std::string_view buried_class() const;
};

V4Cell DescribeV4(Cell cell, V4Table table);
std::string ToV4(Cell cell, V4Table table);
absl::StatusOr<Cell> FromV4(std::string_view name, V4Table table);

// Leader, Marshal, Train, Drone, Noctis, Private, by their first letters.
char V4Letter(PieceType type);
std::string_view V4Name(PieceType type);

}  // namespace triarch::triumvirate

#endif  // TRIARCH_CORE_TRIUMVIRATE_V4_NOTATION_H_
