#include "core/triumvirate/v4_notation.h"

#include <algorithm>
#include <array>

#include "absl/strings/str_format.h"
#include "core/base/text.h"

namespace triarch::triumvirate {
namespace {

constexpr std::string_view kSectorLetters = "WBR";
constexpr std::array<std::string_view, 2> kTableNames = {"published", "client"};
constexpr std::array<std::string_view, kPieceTypes> kPieceNames = {"Private", "Noctis",  "Drone",
                                                                   "Train",   "Marshal", "Leader"};

// The printed table in index order: sector by sector, row by row from the base row, columns as the
// owner sees them. The printed table gives four names to two cells each. One of the two cells (J8,
// L12, L11, L10) keeps the name; the other is repaired here: C8 is B3/R3.2, not B3/W3.2; E12, E11
// and E10 are R3/B3.3, R2/B2.3 and R1/B1.3, not R3/B3.0, R2/B2.0 and R1/B1.0.
constexpr std::array<std::string_view, kCells> kPublished = {
    // White: A B C D E F G H
    "W3/B3.0", "W3/B3.1", "W3/B3.2", "W3/B3.3", "W3/R3.3", "W3/R3.2", "W3/R3.1", "W3/R3.0",
    "W2/B2.0", "W2/B2.1", "W2/B2.2", "W2/B2.3", "W2/R2.3", "W2/R2.2", "W2/R2.1", "W2/R2.0",
    "W1/B1.0", "W1/B1.1", "W1/B1.2", "W1/B1.3", "W1/R1.3", "W1/R1.2", "W1/R1.1", "W1/R1.0",
    "W0/B0.0", "W0/B0.1", "W0/B0.2", "C/W.B", "C/W.R", "W0/R0.2", "W0/R0.1", "W0/R0.0",
    // Black: L K J I D C B A
    "B3/W3.0", "B3/W3.1", "B3/W3.2", "B3/R3.3", "B3/W3.3", "B3/R3.2", "B3/R3.1", "B3/R3.0",
    "B2/W2.0", "B2/W2.1", "B2/W2.2", "B2/R2.3", "B2/W2.3", "B2/R2.2", "B2/R2.1", "B2/R2.0",
    "B1/W1.0", "B1/W1.1", "B1/W1.2", "B1/R1.3", "B1/W1.3", "B1/R1.2", "B1/R1.1", "B1/R1.0",
    "B0/W0.0", "B0/W0.1", "B0/W0.2", "C/B.W", "C/B.R", "B0/R0.2", "B0/R0.1", "B0/R0.0",
    // Red: H G F E I J K L
    "R3/W3.0", "R3/B3.2", "R3/B3.1", "R3/B3.3", "R3/W3.3", "R3/W3.2", "R3/W3.1", "R3/B3.0",
    "R2/W2.0", "R2/B2.2", "R2/B2.1", "R2/B2.3", "R2/W2.3", "R2/W2.2", "R2/W2.1", "R2/B2.0",
    "R1/W1.0", "R1/B1.2", "R1/B1.1", "R1/B1.3", "R1/W1.3", "R1/W1.2", "R1/W1.1", "R1/B1.0",
    "R0/W0.0", "R0/B0.1", "R0/B0.2", "C/R.W", "C/R.B", "R0/W0.2", "R0/W0.1", "R0/B0.0"};

char SectorLetter(Seat seat) { return kSectorLetters[Index(seat)]; }
Seat SectorOf(char letter) { return SeatAt(kSectorLetters.find(letter)); }

V4Cell ReadPublished(Cell cell) {
  V4Cell result{.name = std::string(kPublished[static_cast<size_t>(cell.index())])};
  const std::string& name = result.name;
  result.sector = cell.sector();
  result.is_rosette = name[0] == 'C';
  if (result.is_rosette) {
    result.opponent = SectorOf(name[4]);
    result.flank = 3;
  } else {
    result.ring = name[1] - '0';
    result.opponent = SectorOf(name[3]);
    result.depth = name[4] - '0';
    result.flank = name[6] - '0';
  }
  return result;
}

// Returns a cell's column as the client's formula counts it. The formula takes Black's columns in
// the order A B C D I J K L, the mirror image of Black's view; White's and Red's are unchanged.
int ClientColumn(Cell cell) {
  return cell.sector() == Seat::kSecond ? kColumns - 1 - cell.column() : cell.column();
}

V4Cell WorkOutClient(Cell cell) {
  const int column = ClientColumn(cell);
  const bool is_clockwise = column < 4;
  V4Cell result;
  result.sector = cell.sector();
  result.opponent = SeatAt((Index(cell.sector()) + (is_clockwise ? 1 : 2)) % 3);
  result.flank = is_clockwise ? column : kColumns - 1 - column;
  result.is_rosette = cell.is_rosette();
  const char sector = SectorLetter(result.sector);
  const char opponent = SectorLetter(result.opponent);
  if (result.is_rosette) {
    result.name = absl::StrFormat("C/%c.%c", sector, opponent);
    return result;
  }
  result.depth = kRows - 1 - cell.row();
  result.ring = 3 - std::min({result.flank, cell.row(), 2});
  result.name =
      absl::StrFormat("%c%d/%c%d.%d", sector, result.ring, opponent, result.depth, result.flank);
  return result;
}

std::optional<Cell> Find(std::string_view name, V4Table table) {
  for (int i = 0; i < kCells; ++i) {
    if (ToV4(Cell::At(i), table) == name) return Cell::At(i);
  }
  return std::nullopt;
}

}  // namespace

std::optional<V4Table> ParseV4Table(std::string_view name) {
  if (name == kTableNames[0]) return V4Table::kPublished;
  if (name == kTableNames[1]) return V4Table::kClient;
  return std::nullopt;
}

std::string_view ToString(V4Table table) { return kTableNames[static_cast<size_t>(table)]; }

std::optional<V4Table> V4TableOfNames(std::string_view scheme) {
  if (scheme == "triumvirate") return V4Table::kPublished;
  if (scheme == "triumvirate-client") return V4Table::kClient;
  return std::nullopt;
}

std::string_view V4Cell::buried_class() const {
  static constexpr std::array<std::string_view, 7> kClasses = {
      "rosette", "inner", "inner", "middle", "middle", "corner", "corner"};
  return kClasses[static_cast<size_t>(buried_level())];
}

V4Cell DescribeV4(Cell cell, V4Table table) {
  return table == V4Table::kPublished ? ReadPublished(cell) : WorkOutClient(cell);
}

std::string ToV4(Cell cell, V4Table table) { return DescribeV4(cell, table).name; }

absl::StatusOr<Cell> FromV4(std::string_view name, V4Table table) {
  if (const auto cell = Find(name, table)) return *cell;
  std::string message = absl::StrFormat("%s is not a cell of the %s table", Quote(name),
                                        std::string(ToString(table)));
  const V4Table other = table == V4Table::kPublished ? V4Table::kClient : V4Table::kPublished;
  if (const auto cell = Find(name, other)) {
    message += absl::StrFormat(" (in the %s table it is %s)", std::string(ToString(other)),
                               cell->ToString());
  }
  return absl::InvalidArgumentError(message + "; expected a name such as " + ToV4(Cell(), table) +
                                    " or C/W.B");
}

char V4Letter(PieceType type) { return V4Name(type)[0]; }
std::string_view V4Name(PieceType type) { return kPieceNames[static_cast<size_t>(type)]; }

}  // namespace triarch::triumvirate
