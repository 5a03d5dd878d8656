// Reads and writes HexFEN, the text form of a position.

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_format.h"
#include "core/base/counted.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "core/three_way/text.h"

// HexFEN (rules §6): reader and writer.
namespace triarch::three_way {
namespace {

constexpr size_t kFields = 8;
constexpr size_t kThirds = 3;

constexpr std::string_view kStart =
    "rnbqkbnr/pppppppp/8/8/X/X X/rnbqkbnr/pppppppp/8/8/X X/X/rnbqkbnr/pppppppp/8/8 "
    "W qkqkqk --- 0 1";

absl::Status Fault(std::string_view code, size_t field, std::string message) {
  return absl::InvalidArgumentError(
      absl::StrFormat("%s field %d: %s", std::string(code), field, std::move(message)));
}

// One of the first three fields of a position, with the reader's location in it.
struct Part {
  Seat owner;
  std::vector<std::string_view> rows;  // between slashes: "X" or one row
  size_t next = 0;
  size_t field() const { return Index(owner) + 1; }
};

}  // namespace

// Builds a position from HexFEN, field by field. Each step returns the first error it finds.
class HexFenReader {
 public:
  absl::StatusOr<Position> Read(std::string_view text);

 private:
  absl::Status ReadPart(Seat owner, std::string_view text);
  absl::Status ReadThird(Seat third, Part* part);
  absl::Status ReadRow(Seat third, int row, std::string_view text, const Part& part);
  absl::Status CheckPlayers();
  absl::Status ReadTurn(std::string_view field);
  absl::Status ReadCastling(std::string_view field);
  absl::Status ReadEnPassant(std::string_view field);
  absl::Status ReadNumbers(std::string_view clock, std::string_view number);

  Position p_;
};

absl::Status HexFenReader::ReadPart(Seat owner, std::string_view text) {
  Part part{owner, Split(text, '/')};
  for (size_t third = 0; third < kThirds; ++third) {
    RETURN_IF_ERROR(ReadThird(SeatAt(third), &part));
  }
  if (part.next == part.rows.size()) return absl::OkStatus();
  return Fault(
      "ROW_COUNT", part.field(),
      absl::StrFormat("%s follows the last of the three thirds", Quote(part.rows[part.next])));
}

absl::Status HexFenReader::ReadThird(Seat third, Part* part) {
  if (part->next < part->rows.size() && part->rows[part->next] == "X") {
    ++part->next;
    return absl::OkStatus();
  }
  for (int row = 0; row < kRows; ++row) {
    const bool is_missing = part->next == part->rows.size();
    if (is_missing || (row > 0 && part->rows[part->next] == "X")) {
      return Fault("ROW_COUNT", part->field(),
                   absl::StrFormat("%s's third has %s; expected X or four rows",
                                   Position::kInfo.seat_name(third), Counted(row, "row")));
    }
    RETURN_IF_ERROR(ReadRow(third, row, part->rows[part->next++], *part));
  }
  return absl::OkStatus();
}

absl::Status HexFenReader::ReadRow(Seat third, int row, std::string_view text, const Part& part) {
  const std::string where = absl::StrFormat("row %d of %s's third, %s", row + 1,
                                            Position::kInfo.seat_name(third), Quote(text));
  std::array<std::optional<PieceType>, kColumns> types;
  size_t column = 0;
  for (const char c : text) {
    const size_t type = kTypeLetters.find(c);
    if (type != std::string_view::npos) {
      if (column < kColumns) types[column] = static_cast<PieceType>(type);
      ++column;
    } else if (c >= '1' && c <= '8') {
      column += static_cast<size_t>(c - '0');
    } else {
      return Fault("BAD_PIECE", part.field(),
                   absl::StrFormat("%s: expected p, n, b, r, q, k or a digit 1 to 8, not %s", where,
                                   Quote(std::string_view(&c, 1))));
    }
  }
  if (column != kColumns) {
    return Fault("ROW_LENGTH", part.field(),
                 where + ": it adds up to " + Counted(column, "cell") + "; expected 8");
  }
  for (int i = 0; i < kColumns; ++i) {
    const auto type = types[static_cast<size_t>(i)];
    if (!type) continue;
    const Cell cell = Cell::At(third, i, row);
    if (p_.occupied().contains(cell)) {
      return Fault("OVERLAP", part.field(),
                   absl::StrFormat("%s and %s both have a piece on %s",
                                   Position::kInfo.seat_name(p_.OwnerAt(cell)),
                                   Position::kInfo.seat_name(part.owner), cell.ToString()));
    }
    p_.Put(cell, {*type, part.owner});
  }
  return absl::OkStatus();
}

// Counts the players; a player without pieces is out. The order in which two players were
// eliminated never matters, because at least two must remain.
absl::Status HexFenReader::CheckPlayers() {
  size_t players = 0;
  size_t missing = 0;
  for (size_t i = 0; i < kSeatsMax; ++i) {
    const Seat seat = SeatAt(i);
    const CellSet own = p_.owned_by(seat);
    if (own.empty()) {
      p_.out_order_[seat] = 1;
      p_.endings_[seat] = Termination::kCheckmate;
      missing = i;
      continue;
    }
    ++players;
    const int kings = (own & p_.of_type(PieceType::kKing)).size();
    if (kings == 0)
      return Fault("KING_MISSING", i + 1,
                   Position::kInfo.seat_name(seat) + " has pieces but no king");
    if (kings > 1) {
      return Fault("KING_DUPLICATE", i + 1,
                   absl::StrFormat("%s has %d kings", Position::kInfo.seat_name(seat), kings));
    }
  }
  if (players >= 2) return absl::OkStatus();
  return Fault("TOO_FEW_PLAYERS", missing + 1,
               absl::StrFormat("%d of the three players %s pieces; expected at least two", players,
                               players == 1 ? "has" : "have"));
}

absl::Status HexFenReader::ReadTurn(std::string_view field) {
  const size_t turn = field.size() == 1 ? kTurnLetters.find(field[0]) : std::string_view::npos;
  if (turn == std::string_view::npos) {
    return Fault("BAD_TURN", 4, Quote(field) + " is not a player; expected W, G or B");
  }
  p_.to_move_ = SeatAt(turn);
  if (p_.is_in(p_.to_move_)) return absl::OkStatus();
  return Fault("TURN_ELIMINATED", 4,
               Position::kInfo.seat_name(p_.to_move_) + " is to move but has no pieces");
}

absl::Status HexFenReader::ReadCastling(std::string_view field) {
  constexpr std::string_view kAll = "qkqkqk";
  bool is_good = field.size() == kAll.size();
  for (size_t i = 0; is_good && i < kAll.size(); ++i) {
    is_good = field[i] == '-' || field[i] == kAll[i];
  }
  if (!is_good) {
    return Fault(
        "BAD_CASTLING", 5,
        Quote(field) + ": expected q or -, then k or -, for White, Gray and Black in turn");
  }
  unsigned rights = 0;
  for (size_t i = 0; i < kAll.size(); ++i) {
    if (field[i] == '-') continue;
    const Seat seat = SeatAt(i / 2);
    const int corner = i % 2 == 0 ? 0 : kColumns - 1;
    if (p_.piece_at(Cell::At(seat, 4, 0)) != Piece{PieceType::kKing, seat} ||
        p_.piece_at(Cell::At(seat, corner, 0)) != Piece{PieceType::kRook, seat}) {
      return Fault(
          "CASTLING_IMPOSSIBLE", 5,
          absl::StrFormat("%s has the right %c, but no king on %s or no rook on %s",
                          Position::kInfo.seat_name(seat), field[i],
                          Cell::At(seat, 4, 0).ToString(), Cell::At(seat, corner, 0).ToString()));
    }
    rights |= Position::RightBit(seat, corner);
  }
  p_.rights_ = static_cast<uint8_t>(rights);
  return absl::OkStatus();
}

absl::Status HexFenReader::ReadEnPassant(std::string_view field) {
  bool is_good = field.size() == kThirds;
  for (const char c : field) is_good = is_good && (c == '-' || (c >= '1' && c <= '8'));
  if (!is_good) {
    return Fault("BAD_EP", 6,
                 Quote(field) + ": expected - or a column 1 to 8 for White, Gray and Black");
  }
  for (size_t i = 0; i < kThirds; ++i) {
    if (field[i] == '-') continue;
    const Seat seat = SeatAt(i);
    if (!p_.is_in(seat)) {
      return Fault(
          "EP_INCONSISTENT", 6,
          Position::kInfo.seat_name(seat) + " has no pieces and cannot have made a double push");
    }
    p_.en_passant_[seat] = static_cast<int8_t>(Cell::At(seat, field[i] - '1', 2).index());
  }
  return absl::OkStatus();
}

absl::Status HexFenReader::ReadNumbers(std::string_view clock, std::string_view number) {
  const auto halfmove_clock = ParseUint64(clock);
  if (!halfmove_clock || *halfmove_clock > kCounterMax) {
    return Fault("BAD_CLOCK", 7,
                 Quote(clock) + " is not a third-move clock; expected 0 to 1000000000");
  }
  const auto move_number = ParseUint64(number);
  if (!move_number || *move_number == 0 || *move_number > kCounterMax) {
    return Fault("BAD_FULL", 8,
                 Quote(number) + " is not a full-move number; expected 1 to 1000000000");
  }
  p_.halfmove_clock_ = static_cast<uint32_t>(*halfmove_clock);
  p_.move_number_ = static_cast<uint32_t>(*move_number);
  return absl::OkStatus();
}

absl::StatusOr<Position> HexFenReader::Read(std::string_view text) {
  if (Trim(text).empty()) return Fault("EMPTY", 1, "the text is empty; expected eight fields");
  const std::vector<std::string_view> fields = Split(text, ' ');
  if (fields.size() != kFields) {
    const size_t field = fields.size() < kFields ? fields.size() + 1 : kFields;
    return Fault("FIELD_COUNT", field,
                 "the text has " + Counted(fields.size(), "field") +
                     "; expected eight with one space between them");
  }
  for (size_t i = 0; i < kSeatsMax; ++i) RETURN_IF_ERROR(ReadPart(SeatAt(i), fields[i]));
  RETURN_IF_ERROR(CheckPlayers());
  RETURN_IF_ERROR(ReadTurn(fields[3]));
  RETURN_IF_ERROR(ReadCastling(fields[4]));
  RETURN_IF_ERROR(ReadEnPassant(fields[5]));
  RETURN_IF_ERROR(ReadNumbers(fields[6], fields[7]));
  p_.hash_ = p_.HashOfBoard();
  return p_;
}

namespace {

// Returns a row of the owner's field: letters for its pieces, digits for the cells between them.
std::string RowText(const Position& position, Seat owner, Seat third, int row) {
  std::string text;
  int gap = 0;
  const auto close_gap = [&] {
    if (gap > 0) text += static_cast<char>('0' + gap);
    gap = 0;
  };
  for (int column = 0; column < kColumns; ++column) {
    const auto piece = position.piece_at(Cell::At(third, column, row));
    if (piece && piece->owner == owner) {
      close_gap();
      text += kTypeLetters[static_cast<size_t>(piece->type)];
    } else {
      ++gap;
    }
  }
  close_gap();
  return text;
}

std::string ThirdText(const Position& position, Seat owner, Seat third) {
  std::string text;
  for (int row = 0; row < kRows; ++row) {
    if (row > 0) text += '/';
    text += RowText(position, owner, third, row);
  }
  return text == "8/8/8/8" ? "X" : text;
}

}  // namespace

std::span<const std::string_view> Starts(GameTag<Position>) {
  static constexpr std::array<std::string_view, 1> kStarts = {"standard"};
  return kStarts;
}

absl::StatusOr<Position> Start(GameTag<Position>, std::string_view name) {
  // Parsed only once, because every game of a tournament begins here.
  static const Position standard = Parse(kGame<Position>, kStart).value();
  if (name.empty() || name == "standard") return standard;
  return absl::InvalidArgumentError("unknown start " + Quote(name) +
                                    "; the only start is standard");
}

absl::StatusOr<Position> Parse(GameTag<Position>, std::string_view text) {
  return HexFenReader().Read(text);
}

std::string ToString(const Position& position) {
  std::string text;
  for (size_t owner = 0; owner < kSeatsMax; ++owner) {
    for (size_t third = 0; third < kThirds; ++third) {
      if (third > 0) text += '/';
      text += ThirdText(position, SeatAt(owner), SeatAt(third));
    }
    text += ' ';
  }
  text += {kTurnLetters[Index(position.to_move())], ' '};
  for (size_t i = 0; i < kSeatsMax; ++i) {
    text += position.can_castle_queen_side(SeatAt(i)) ? 'q' : '-';
    text += position.can_castle_king_side(SeatAt(i)) ? 'k' : '-';
  }
  text += ' ';
  for (size_t i = 0; i < kSeatsMax; ++i) {
    const std::optional<Cell> cell = position.en_passant(SeatAt(i));
    text += cell ? static_cast<char>('1' + cell->column()) : '-';
  }
  text += absl::StrFormat(" %d %d", position.halfmove_clock(), position.move_number());
  return text;
}

}  // namespace triarch::three_way
