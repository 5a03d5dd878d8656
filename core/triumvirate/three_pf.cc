// Reads, checks and writes 3PF, the text form of a position.

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/triumvirate/movegen.h"
#include "core/triumvirate/text.h"

// 3PF (rules §7): writer, reader and validator.
namespace triarch::triumvirate {
namespace {

constexpr std::string_view kDocumentStart =
    "wRA1,wPA2,bPA7,bRA8,wNB1,wPB2,bPB7,bNB8,wBC1,wPC2,bPC7,bBC8,wQD1,wPD2,bPD7,bQD8,wKE1,wPE2,"
    "rPE11,rQE12,wBF1,wPF2,rPF11,rBF12,wNG1,wPG2,rPG11,rNG12,wRH1,wPH2,rPH11,rRH12,bPI7,bKI8,"
    "rPI11,rKI12,bPJ7,bBJ8,rPJ11,rBJ12,bPK7,bNK8,rPK11,rNK12,bPL7,bRL8,rPL11,rRL12 "
    "w wKQ.bKQ.rKQ - aaa 0 1";
constexpr std::string_view kServerStart =
    "wRA1,wPA2,bPA7,bRA8,wNB1,wPB2,bPB7,bNB8,wBC1,wPC2,bPC7,bBC8,wQD1,wPD2,bPD7,bKD8,wKE1,wPE2,"
    "rPE11,rQE12,wBF1,wPF2,rPF11,rBF12,wNG1,wPG2,rPG11,rNG12,wRH1,wPH2,rPH11,rRH12,bPI7,bQI8,"
    "rPI11,rKI12,bPJ7,bBJ8,rPJ11,rBJ12,bPK7,bNK8,rPK11,rNK12,bPL7,bRL8,rPL11,rRL12 "
    "w wKQ.bKQ.rKQ - aaa 0 1";

std::optional<Seat> SeatOf(char letter) {
  const size_t index = kSeatLetters.find(letter);
  if (index == std::string_view::npos) return std::nullopt;
  return SeatAt(index);
}

// Returns the cells in the order in which pieces are written: column letter, then row number.
std::array<Cell, kCells> CellsInOrder() {
  std::array<Cell, kCells> cells;
  size_t count = 0;
  for (char letter = 'A'; letter <= 'L'; ++letter) {
    for (int number = 1; number <= 12; ++number) {
      const auto cell = Cell::Parse(std::string(1, letter) + std::to_string(number));
      if (cell) cells[count++] = *cell;
    }
  }
  return cells;
}

Validation Fault(std::string_view code, int field, std::string message) {
  return {false, std::string(code), field, std::move(message)};
}

}  // namespace

// Builds a position from 3PF, field by field. Each step returns the first error it finds.
class PositionBuilder {
 public:
  Validation Read(std::string_view text);
  const Position& position() const { return p_; }

 private:
  Validation ReadPieces(std::string_view field);
  Validation ReadPiece(std::string_view text);
  Validation ReadTarget(std::string_view text, std::string_view target, Cell cell, Piece piece);
  Validation ReadActive(std::string_view field);
  Validation ReadCastling(std::string_view field);
  Validation ReadRights(std::string_view part, Seat seat);
  Validation ReadEnPassant(std::string_view field);
  Validation ReadStatus(std::string_view field);
  Validation ReadNumbers(std::string_view halfmove, std::string_view number);
  Validation CheckOwners() const;
  Validation CheckKings() const;
  Validation CheckPawns() const;
  Validation CheckCastling();
  Validation CheckEnPassant() const;
  Validation CheckStatus();

  CellSet Kings(Seat seat) const { return p_.of_type(PieceType::kKing) & p_.colored(seat); }

  Position p_;
  PerSeat<char> status_;
  PerSeat<std::string_view> rights_;
};

Validation PositionBuilder::ReadPieces(std::string_view field) {
  for (const std::string_view text : Split(field, ',')) {
    if (Validation v = ReadPiece(text); !v.ok) return v;
  }
  for (size_t i = 0; i < 3; ++i) {
    if (Kings(SeatAt(i)).size() > 1) {
      return Fault("KING_DUPLICATE", 1,
                   Position::kInfo.seat_name(SeatAt(i)) + " has more than one king");
    }
  }
  return {};
}

// Reads: color type [">" owner] cell ["^" target].
Validation PositionBuilder::ReadPiece(std::string_view text) {
  const std::string quoted = Quote(text);
  const size_t caret = text.find('^');
  std::string_view rest = text.substr(0, caret);
  if (rest.size() < 4) {
    return Fault("PIECE_SYNTAX", 1,
                 "piece " + quoted + " is too short; expected colour, type and cell, such as wKE1");
  }
  const auto color = SeatOf(rest[0]);
  if (!color) return Fault("BAD_COLOR", 1, "piece " + quoted + ": the colour must be w, b or r");
  const size_t type = kPieceLetters.find(rest[1]);
  if (type == std::string_view::npos) {
    return Fault("BAD_TYPE", 1, "piece " + quoted + ": the type must be K, Q, R, B, N or P");
  }
  Piece piece{static_cast<PieceType>(type), *color, *color};
  rest.remove_prefix(2);
  if (rest[0] == '>') {
    const auto owner = SeatOf(rest[1]);
    if (!owner || *owner == *color) {
      return Fault("BAD_OWNER", 1,
                   "piece " + quoted + ": the owner must be w, b or r and differ from the colour");
    }
    piece.owner = *owner;
    rest.remove_prefix(2);
    if (piece.type == PieceType::kKing) {
      return Fault("BAD_OWNER", 1, "piece " + quoted + ": a king belongs to its own colour");
    }
    if (rest.size() < 2) {
      return Fault("PIECE_SYNTAX", 1,
                   "piece " + quoted + " has no cell; expected a piece such as bP>rA4");
    }
  }
  const auto cell = Cell::Parse(rest);
  if (!cell) {
    return Fault("BAD_CELL", 1,
                 "piece " + quoted + ": " + Quote(rest) + " is not a cell of the board");
  }
  if (p_.occupied().contains(*cell)) {
    return Fault("DUPLICATE_CELL", 1, "two pieces stand on " + cell->ToString());
  }
  const bool is_pawn = piece.type == PieceType::kPawn;
  p_.Put(*cell, piece,
         is_pawn && Position::FormulaTarget(piece.color, piece.owner, *cell) == cell->sector());
  if (caret == std::string_view::npos) return {};
  return ReadTarget(quoted, text.substr(caret + 1), *cell, piece);
}

Validation PositionBuilder::ReadTarget(std::string_view text, std::string_view target, Cell cell,
                                       Piece piece) {
  const auto seat = target.size() == 1 ? SeatOf(target[0]) : std::nullopt;
  const auto fault = [&](std::string_view why) {
    return Fault("BAD_TARGET", 1,
                 absl::StrFormat("piece %s: %s", std::string(text), std::string(why)));
  };
  if (!seat) return fault("the target must be w, b or r");
  if (piece.type != PieceType::kPawn) return fault("only a pawn has a target");
  if (p_.is_stuck(cell)) return fault("a stuck pawn has no kept target");
  if (*seat == p_.pawn_target(cell)) return fault("the target is the default and must be omitted");
  if (*seat == piece.owner) return fault("the target cannot be the owner's own sector");
  if (!cell.is_on_bridge_of(*seat)) return fault("the target is not an end of the pawn's bridge");
  p_.Take(cell);
  p_.Put(cell, piece, *seat == cell.sector());
  return {};
}

Validation PositionBuilder::ReadActive(std::string_view field) {
  const auto seat = field.size() == 1 ? SeatOf(field[0]) : std::nullopt;
  if (!seat) return Fault("BAD_ACTIVE", 2, Quote(field) + " is not a player; expected w, b or r");
  p_.to_move_ = *seat;
  return {};
}

Validation PositionBuilder::ReadCastling(std::string_view field) {
  const std::vector<std::string_view> parts = Split(field, '.');
  if (parts.size() != 3) {
    return Fault("BAD_CASTLING", 3, Quote(field) + " must have three parts, such as wKQ.bKQ.rKQ");
  }
  for (size_t i = 0; i < 3; ++i) {
    if (Validation v = ReadRights(parts[i], SeatAt(i)); !v.ok) return v;
  }
  return {};
}

Validation PositionBuilder::ReadRights(std::string_view part, Seat seat) {
  const std::string_view rights = part.empty() ? part : part.substr(1);
  const bool is_known = rights == "KQ" || rights == "K" || rights == "Q" || rights == "-";
  if (part.empty() || part[0] != kSeatLetters[Index(seat)] || !is_known) {
    return Fault("BAD_CASTLING", 3,
                 absl::StrFormat("part %s: expected %c and KQ, K, Q or -", Quote(part),
                                 kSeatLetters[Index(seat)]));
  }
  rights_[seat] = rights;
  return {};
}

Validation PositionBuilder::ReadEnPassant(std::string_view field) {
  if (field == "-") return {};
  const auto cell = Cell::Parse(field);
  if (!cell) return Fault("BAD_EP", 4, Quote(field) + " is not a cell; expected a cell or -");
  p_.en_passant_ = static_cast<int8_t>(cell->index());
  return {};
}

Validation PositionBuilder::ReadStatus(std::string_view field) {
  if (field.size() != 3 || field.find_first_not_of("acsmx") != std::string_view::npos) {
    return Fault("BAD_STATUS", 5, Quote(field) + " is not three letters of a, c, s, m and x");
  }
  for (size_t i = 0; i < 3; ++i) status_[SeatAt(i)] = field[i];
  for (size_t i = 0; i < 3; ++i) {
    const Seat seat = SeatAt(i);
    // The text does not say in which order two seats were eliminated: both count as first out.
    p_.out_order_[seat] = status_[seat] == 'm' || status_[seat] == 'x' ? 1 : 0;
    p_.out_by_mate_[seat] = status_[seat] == 'm';
    if (p_.out_by_mate_[seat]) p_.last_out_by_mate_ = true;
  }
  return {};
}

Validation PositionBuilder::ReadNumbers(std::string_view halfmove, std::string_view number) {
  const auto clock = ParseUint64(halfmove);
  if (!clock || *clock > kCounterMax) {
    return Fault("BAD_HALFMOVE", 6,
                 Quote(halfmove) + " is not a halfmove clock; expected 0 to 1000000000");
  }
  const auto move_number = ParseUint64(number);
  if (!move_number || *move_number == 0 || *move_number > kCounterMax) {
    return Fault("BAD_MOVE_NUMBER", 7,
                 Quote(number) + " is not a move number; expected 1 to 1000000000");
  }
  p_.halfmove_clock_ = static_cast<uint32_t>(*clock);
  p_.move_number_ = static_cast<uint32_t>(*move_number);
  return {};
}

// Checks that the pieces of a surviving player's colour belong to that player.
Validation PositionBuilder::CheckOwners() const {
  for (const Cell cell : p_.occupied()) {
    const Piece piece = *p_.piece_at(cell);
    if (piece.owner == piece.color) continue;
    if (p_.is_in(piece.color)) {
      return Fault("BAD_OWNER", 1,
                   absl::StrFormat("the piece on %s must belong to %s", cell.ToString(),
                                   Position::kInfo.seat_name(piece.color)));
    }
  }
  return {};
}

Validation PositionBuilder::CheckKings() const {
  for (size_t i = 0; i < 3; ++i) {
    if (p_.is_in(SeatAt(i)) && Kings(SeatAt(i)).empty()) {
      return Fault("KING_MISSING", 1,
                   Position::kInfo.seat_name(SeatAt(i)) + " has no king but is not out");
    }
  }
  for (size_t i = 0; i < 3; ++i) {
    if (!p_.is_in(SeatAt(i)) && !Kings(SeatAt(i)).empty()) {
      return Fault("KING_OF_ELIMINATED", 1,
                   Position::kInfo.seat_name(SeatAt(i)) + " is out but has a king");
    }
  }
  for (const Cell cell : p_.occupied()) {
    if (!p_.is_in(p_.piece_at(cell)->owner)) {
      return Fault("OWNER_ELIMINATED", 1,
                   "the piece on " + cell.ToString() + " belongs to a player who is out");
    }
  }
  return {};
}

// Checks that no pawn stands on a base row, except inherited pawns on their owner's base row and
// pawns of a finished game.
Validation PositionBuilder::CheckPawns() const {
  if (p_.survivor_count() == 1) return {};
  for (const Cell cell : p_.of_type(PieceType::kPawn) & kBaseRows) {
    const Piece piece = *p_.piece_at(cell);
    if (piece.owner != piece.color && cell.sector() == piece.owner) continue;
    return Fault("PAWN_ON_BASE_ROW", 1, "a pawn stands on the base row, on " + cell.ToString());
  }
  return {};
}

Validation PositionBuilder::CheckCastling() {
  unsigned bits = 0;
  for (size_t i = 0; i < 3; ++i) {
    const Seat seat = SeatAt(i);
    for (const char right : rights_[seat]) {
      if (right == '-') continue;
      // The home of White's and Red's king is local column 4; Black's is 3 or, in the start
      // `server`, 4.
      const Cell king = Kings(seat).empty() ? Cell::At(seat, 0, 1) : Kings(seat).first();
      const bool is_home = king.sector() == seat && king.row() == 0 &&
                           (king.column() == 4 || (king.column() == 3 && seat == Seat::kSecond));
      const int corner = (right == 'K') == (king.column() == 4) ? kColumns - 1 : 0;
      const Cell rook = Cell::At(seat, corner, 0);
      const Piece wanted{PieceType::kRook, seat, seat};
      if (!is_home || p_.piece_at(rook) != wanted) {
        return Fault("CASTLING_IMPOSSIBLE", 3,
                     absl::StrFormat("%s has the right %c, but no king or no rook at home",
                                     Position::kInfo.seat_name(seat), right));
      }
      bits |= 1u << (2 * i + (corner == 0 ? 0 : 1));
    }
  }
  p_.rights_ = static_cast<uint8_t>(bits);
  return {};
}

Validation PositionBuilder::CheckEnPassant() const {
  if (p_.en_passant_ < 0) return {};
  const Cell target = Cell::At(p_.en_passant_);
  const auto fault = [&](std::string_view why) {
    return Fault("EP_INCONSISTENT", 4, target.ToString() + ": " + std::string(why));
  };
  if (target.row() != 2) return fault("no double step passes over this cell");
  const Cell start = Cell::At(target.sector(), target.column(), 1);
  if (p_.occupied().contains(target) || p_.occupied().contains(start)) {
    return fault("the passed-over cell and the start cell behind it must be empty");
  }
  const Cell landed = Cell::At(target.sector(), target.column(), 3);
  const auto piece = p_.piece_at(landed);
  if (!piece || piece->type != PieceType::kPawn || piece->color != target.sector()) {
    return fault("no pawn of that sector's colour stands on " + landed.ToString());
  }
  return {};
}

Validation PositionBuilder::CheckStatus() {
  bool all_stalemated = true;
  for (size_t i = 0; i < 3; ++i) {
    const Seat seat = SeatAt(i);
    const char status = p_.status(seat);
    all_stalemated = all_stalemated && (!p_.is_in(seat) || status == 's');
    if (status != status_[seat]) {
      return Fault("STATUS_INCONSISTENT", 5,
                   absl::StrFormat("%s's status is %c, not %c", Position::kInfo.seat_name(seat),
                                   status, status_[seat]));
    }
  }
  p_.all_stalemated_ = all_stalemated;
  return {};
}

Validation PositionBuilder::Read(std::string_view text) {
  if (Trim(text).empty()) return Fault("EMPTY", 1, "the text is empty; expected seven fields");
  const std::vector<std::string_view> fields = Split(text, ' ');
  if (fields.size() != 7) {
    const size_t field = fields.size() < 7 ? fields.size() + 1 : 7;
    return Fault("FIELD_COUNT", static_cast<int>(field),
                 "the text has " + Counted(fields.size(), "field") +
                     "; expected seven with one space between them");
  }
  if (Validation v = ReadPieces(fields[0]); !v.ok) return v;
  if (Validation v = ReadActive(fields[1]); !v.ok) return v;
  if (Validation v = ReadCastling(fields[2]); !v.ok) return v;
  if (Validation v = ReadEnPassant(fields[3]); !v.ok) return v;
  if (Validation v = ReadStatus(fields[4]); !v.ok) return v;
  if (Validation v = ReadNumbers(fields[5], fields[6]); !v.ok) return v;
  if (Validation v = CheckOwners(); !v.ok) return v;
  if (Validation v = CheckKings(); !v.ok) return v;
  if (Validation v = CheckPawns(); !v.ok) return v;
  if (!p_.is_in(p_.to_move_)) {
    return Fault("ACTIVE_ELIMINATED", 2,
                 Position::kInfo.seat_name(p_.to_move_) + " is to move but is out");
  }
  if (Validation v = CheckCastling(); !v.ok) return v;
  if (Validation v = CheckEnPassant(); !v.ok) return v;
  if (Validation v = CheckStatus(); !v.ok) return v;
  p_.hash_ = p_.HashOfBoard();
  return {};
}

absl::StatusOr<Position> Start(GameTag<Position>, std::string_view name) {
  // Parsed only once, because every game of a tournament begins here.
  static const Position document = Parse(kGame<Position>, kDocumentStart).value();
  static const Position server = Parse(kGame<Position>, kServerStart).value();
  if (name.empty() || name == "document") return document;
  if (name == "server") return server;
  return absl::InvalidArgumentError("unknown start " + Quote(name) +
                                    "; the starts are document and server");
}

absl::StatusOr<Position> Parse(GameTag<Position>, std::string_view text) {
  PositionBuilder builder;
  const Validation v = builder.Read(text);
  if (v.ok) return builder.position();
  return absl::InvalidArgumentError(
      absl::StrFormat("%s field %d: %s", v.error_code, v.field, v.message));
}

Validation Validate3pf(std::string_view text) { return PositionBuilder().Read(text); }

std::string ToString(const Position& position) {
  static const std::array<Cell, kCells> kOrder = CellsInOrder();
  std::string text;
  for (const Cell cell : kOrder) {
    const auto piece = position.piece_at(cell);
    if (!piece) continue;
    if (!text.empty()) text += ',';
    text += kSeatLetters[Index(piece->color)];
    text += kPieceLetters[static_cast<size_t>(piece->type)];
    if (piece->owner != piece->color) text += {'>', kSeatLetters[Index(piece->owner)]};
    text += cell.ToString();
    if (position.has_kept_target(cell))
      text += {'^', kSeatLetters[Index(position.pawn_target(cell))]};
  }
  text += {' ', kSeatLetters[Index(position.to_move())], ' '};
  for (size_t i = 0; i < 3; ++i) {
    if (i != 0) text += '.';
    text += kSeatLetters[i];
    const bool is_short = position.is_in(SeatAt(i)) && position.can_castle_short(SeatAt(i));
    const bool is_long = position.is_in(SeatAt(i)) && position.can_castle_long(SeatAt(i));
    text += is_short ? (is_long ? "KQ" : "K") : (is_long ? "Q" : "-");
  }
  text += ' ';
  text += position.en_passant() ? position.en_passant()->ToString() : "-";
  text += ' ';
  for (size_t i = 0; i < 3; ++i) text += position.status(SeatAt(i));
  text += absl::StrFormat(" %d %d", position.halfmove_clock(), position.move_number());
  return text;
}

}  // namespace triarch::triumvirate
