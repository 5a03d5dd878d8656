// Reads and writes TFEN, the text form of a position.

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_format.h"
#include "core/base/counted.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "core/tri_d/attacks.h"
#include "core/tri_d/text.h"

// TFEN (rules §8): reader and writer.
namespace triarch::tri_d {
namespace {

constexpr std::string_view kDocumentStart =
    "QL1,KL1,QL6,KL6 4/DDDD/BNNB/1KQ1|4/4/4/4|1qk1/bnnb/dddd/4|DD/R1|DD/1R|r1/dd|1r/dd "
    "w KQkq - 0 1";
constexpr std::string_view kMederStart =
    "QL1,KL1,QL6,KL6 4/4/DDDD/NBBN|4/4/4/4|nbbn/dddd/4/4|DD/RQ|DD/KR|rq/dd|kr/dd w KQkq - 0 1";

absl::Status Fault(std::string_view code, int field, std::string message) {
  return absl::InvalidArgumentError(
      absl::StrFormat("%s field %d: %s", std::string(code), field, std::move(message)));
}

// Returns whether the seat's pawns begin on the cell in one of the two starts (§2). Cells of an
// attack board count only while it stands on one of the seat's start pins.
bool IsPawnStart(const Layout& layout, Seat seat, Cell cell) {
  const Column column = layout.ColumnOf(cell);
  const int file = FileOf(column);
  const int rank = seat == Seat::kFirst ? RankOf(column) : 9 - RankOf(column);
  if (cell.is_main()) {
    const Board home = seat == Seat::kFirst ? Board::kW : Board::kB;
    return cell.board() == home && (rank == 2 || rank == 3) && file >= 1 && file <= 4;
  }
  const Pin pin = layout.pins[static_cast<size_t>(cell.attack_board())];
  return pin.number() == (seat == Seat::kFirst ? 1 : 6) && rank == 1;
}

// Checks that there are seven or eight fields. An extra space creates an empty field, which counts
// as missing.
absl::Status CheckFieldCount(const std::vector<std::string_view>& fields) {
  const auto fault = [](size_t missing, const std::string& why) {
    return Fault("FIELD_COUNT", static_cast<int>(std::min<size_t>(missing, 8)),
                 why + "; expected seven or eight fields with one space between them");
  };
  const auto empty = std::find(fields.begin(), fields.end(), std::string_view());
  if (empty != fields.end()) {
    return fault(static_cast<size_t>(empty - fields.begin()) + 1, "there is an extra space");
  }
  if (fields.size() == 7 || fields.size() == 8) return absl::OkStatus();
  return fault(fields.size() + 1, "the text has " + Counted(fields.size(), "field"));
}

}  // namespace

// Builds a position from TFEN, field by field. Each step returns the first error it finds.
class TfenReader {
 public:
  absl::StatusOr<Position> Read(std::string_view text);

 private:
  absl::Status ReadPins(std::string_view field);
  absl::Status ReadPlacement(std::string_view field);
  absl::Status ReadBlock(int board, std::string_view text);
  absl::Status ReadRank(int board, int first_cell, int files, std::string_view text);
  absl::Status CheckKings() const;
  absl::Status CheckDoubleSteps() const;
  absl::Status ReadTurn(std::string_view field);
  absl::Status ReadCastling(std::string_view field);
  absl::Status ReadEnPassant(std::string_view field);
  absl::Status ReadNumbers(std::string_view clock, std::string_view number);
  absl::Status ReadPending(std::optional<std::string_view> field);
  CellSet UnpromotedPawns(Seat seat) const;
  absl::Status CheckCheck() const;

  Position p_;
};

absl::Status TfenReader::ReadPins(std::string_view field) {
  const std::vector<std::string_view> names = Split(field, ',');
  if (names.size() != kAttackBoards) {
    return Fault(
        "BAD_PINS", 1,
        Quote(field) + ": expected the pins of WQL, WKL, BQL and BKL, such as QL1,KL1,QL6,KL6");
  }
  for (size_t i = 0; i < kAttackBoards; ++i) {
    const std::optional<Pin> pin = Pin::Parse(names[i]);
    if (!pin) {
      return Fault("BAD_PINS", 1,
                   Quote(names[i]) + " is not a pin; expected QL1 to QL6, KL1 to KL6");
    }
    for (size_t j = 0; j < i; ++j) {
      if (p_.layout_.pins[j] == *pin) {
        return Fault("PIN_DUPLICATE", 1, "two boards stand on " + pin->ToString());
      }
    }
    p_.layout_.pins[i] = *pin;
  }
  return absl::OkStatus();
}

absl::Status TfenReader::ReadPlacement(std::string_view field) {
  const std::vector<std::string_view> blocks = Split(field, '|');
  if (blocks.size() != kBoards) {
    return Fault("BLOCK_COUNT", 2,
                 "the placement has " + Counted(blocks.size(), "block") +
                     "; expected seven: W|N|B|WQL|WKL|BQL|BKL");
  }
  for (int board = 0; board < kBoards; ++board) {
    RETURN_IF_ERROR(ReadBlock(board, blocks[static_cast<size_t>(board)]));
  }
  return absl::OkStatus();
}

absl::Status TfenReader::ReadBlock(int board, std::string_view text) {
  const auto [first, size] = ShapeOf(board);
  const std::vector<std::string_view> ranks = Split(text, '/');
  if (ranks.size() != static_cast<size_t>(size)) {
    return Fault("BLOCK_SIZE", 2,
                 absl::StrFormat("board %s has %s; expected %d",
                                 std::string(kBoardNames[static_cast<size_t>(board)]),
                                 Counted(ranks.size(), "rank"), size));
  }
  for (int i = 0; i < size; ++i) {
    RETURN_IF_ERROR(
        ReadRank(board, first + size * (size - 1 - i), size, ranks[static_cast<size_t>(i)]));
  }
  return absl::OkStatus();
}

absl::Status TfenReader::ReadRank(int board, int first_cell, int files, std::string_view text) {
  const std::string where = absl::StrFormat(
      "board %s, %s", std::string(kBoardNames[static_cast<size_t>(board)]), Quote(text));
  int file = 0;
  for (const char c : text) {
    if (c >= '1' && c <= '0' + files) {
      file += c - '0';
      continue;
    }
    const bool is_first = c >= 'A' && c <= 'Z';
    const char upper = is_first ? c : static_cast<char>(c - 'a' + 'A');
    const bool is_double = upper == 'D';
    const size_t type = is_double ? 0 : kPieceLetters.find(upper);
    if (type == std::string_view::npos || (!is_first && (c < 'a' || c > 'z'))) {
      return Fault("BAD_PIECE", 2,
                   absl::StrFormat("%s: expected a piece KQRBNPD, in either case, or a digit 1 to "
                                   "%d, not %s",
                                   where, files, Quote(std::string_view(&c, 1))));
    }
    if (file < files) {
      const Cell cell = Cell::At(first_cell + file);
      p_.Put(cell, {static_cast<PieceType>(type), is_first ? Seat::kFirst : Seat::kSecond});
      if (is_double) p_.double_steppers_ |= CellBit(cell);
    }
    ++file;
  }
  if (file == files) return absl::OkStatus();
  return Fault("BLOCK_SIZE", 2,
               absl::StrFormat("%s: it adds up to %s; expected %d", where,
                               Counted(static_cast<size_t>(file), "cell"), files));
}

absl::Status TfenReader::CheckKings() const {
  for (const Seat seat : {Seat::kFirst, Seat::kSecond}) {
    const int kings = std::popcount(p_.of_type(PieceType::kKing) & p_.owned_by(seat));
    if (kings == 0)
      return Fault("KING_MISSING", 2, Position::kInfo.seat_name(seat) + " has no king");
    if (kings > 1) {
      return Fault("KING_DUPLICATE", 2,
                   absl::StrFormat("%s has %d kings", Position::kInfo.seat_name(seat), kings));
    }
  }
  return absl::OkStatus();
}

absl::Status TfenReader::CheckDoubleSteps() const {
  for (const Seat seat : {Seat::kFirst, Seat::kSecond}) {
    std::optional<Cell> wrong;
    AnyOf(p_.double_steppers_ & p_.owned_by(seat), [&](Cell cell) {
      if (!IsPawnStart(p_.layout_, seat, cell)) wrong = cell;
      return wrong.has_value();
    });
    if (!wrong) continue;
    return Fault("BAD_DOUBLE_STEP", 2,
                 absl::StrFormat("%s's pawn on %s cannot have a double step: none starts there",
                                 Position::kInfo.seat_name(seat), CellName(p_.layout(), *wrong)));
  }
  return absl::OkStatus();
}

absl::Status TfenReader::ReadTurn(std::string_view field) {
  if (field != "w" && field != "b") {
    return Fault("BAD_TURN", 3, Quote(field) + " is not a player; expected w or b");
  }
  p_.to_move_ = field == "w" ? Seat::kFirst : Seat::kSecond;
  return absl::OkStatus();
}

absl::Status TfenReader::ReadCastling(std::string_view field) {
  constexpr std::string_view kAll = "KQkq";
  if (field == "-") return absl::OkStatus();
  size_t from = 0;
  unsigned rights = 0;
  for (const char c : field) {
    const size_t at = kAll.find(c, from);
    if (at == std::string_view::npos) {
      return Fault("BAD_CASTLING", 4,
                   Quote(field) + ": expected letters of KQkq in this order, or -");
    }
    from = at + 1;
    rights |= 1u << at;
  }
  for (size_t i = 0; i < kAll.size(); ++i) {
    if ((rights >> i & 1u) == 0) continue;
    const Seat seat = SeatAt(i / 2);
    const bool is_short = i % 2 == 0;
    const bool is_first = seat == Seat::kFirst;
    const auto is_at = [&](std::string_view name, PieceType type) {
      const std::optional<Cell> cell = FindCell(p_.layout(), name);
      return cell && p_.piece_at(*cell) == Piece{type, seat};
    };
    const bool has_king = is_at(is_first ? "d0KL1" : "d9KL6", PieceType::kKing) ||
                          is_at(is_first ? "b1W" : "c8B", PieceType::kKing);
    const std::string_view rook =
        is_first ? (is_short ? "e0KL1" : "z0QL1") : (is_short ? "e9KL6" : "z9QL6");
    if (!has_king || !is_at(rook, PieceType::kRook)) {
      return Fault("CASTLING_IMPOSSIBLE", 4,
                   absl::StrFormat("%s has the right %c, but no king at home or no rook on %s",
                                   Position::kInfo.seat_name(seat), kAll[i], std::string(rook)));
    }
  }
  p_.rights_ = static_cast<uint8_t>(rights);
  return absl::OkStatus();
}

// Reads the en passant field. The column that the pawn passed must be empty. Its start column need
// not be, because another piece may stand there on another level.
absl::Status TfenReader::ReadEnPassant(std::string_view field) {
  if (field == "-") return absl::OkStatus();
  const auto fault = [&](std::string_view why) {
    return Fault("BAD_EP", 5,
                 Quote(field) + ": " + std::string(why) +
                     "; expected the cell of the pawn that has just made a double step, or -");
  };
  const std::optional<Cell> cell = FindCell(p_.layout(), field);
  if (!cell) return fault("there is no such cell now");
  const Seat pusher = Other(p_.to_move_);
  if (p_.piece_at(*cell) != Piece{PieceType::kPawn, pusher}) {
    return fault("no pawn of " + Position::kInfo.seat_name(pusher) + " stands there");
  }
  if ((p_.double_steppers_ & CellBit(*cell)) != 0) {
    return fault("the pawn there still has its double step");
  }
  const Column passed = p_.layout_.ColumnOf(*cell) - Forward(pusher);
  const Column start = passed - Forward(pusher);
  if (start < 0 || start >= kColumns) return fault("no double step ends there");
  const ColumnSet occupied = p_.layout_.ColumnsOf(p_.occupied()).any;
  if ((occupied & ColumnBit(passed)) != 0) {
    return fault("the passed column is not empty");
  }
  bool is_start = false;
  AnyOf(p_.layout_.CellsOf(ColumnBit(start)) & ~p_.occupied(), [&](Cell from) {
    is_start = IsPawnStart(p_.layout_, pusher, from);
    return is_start;
  });
  if (!is_start) return fault("no double step ends there");
  p_.en_passant_ = static_cast<int8_t>(cell->index());
  return absl::OkStatus();
}

absl::Status TfenReader::ReadNumbers(std::string_view clock, std::string_view number) {
  const auto halfmove_clock = ParseUint64(clock);
  if (!halfmove_clock || *halfmove_clock > kCounterMax) {
    return Fault("BAD_HALFMOVE", 6,
                 Quote(clock) + " is not a halfmove clock; expected 0 to 1000000000");
  }
  const auto move_number = ParseUint64(number);
  if (!move_number || *move_number == 0 || *move_number > kCounterMax) {
    return Fault("BAD_FULLMOVE", 7,
                 Quote(number) + " is not a move number; expected 1 to 1000000000");
  }
  p_.halfmove_clock_ = static_cast<uint32_t>(*halfmove_clock);
  p_.move_number_ = static_cast<uint32_t>(*move_number);
  return absl::OkStatus();
}

// Returns the seat's pawns that must promote where they stand.
CellSet TfenReader::UnpromotedPawns(Seat seat) const {
  return p_.of_type(PieceType::kPawn) & p_.owned_by(seat) &
         p_.layout_.CellsOf(p_.layout_.PromotionColumns(seat));
}

// Reads the pending pawn. Any other pawn that must promote where it stands is an error.
absl::Status TfenReader::ReadPending(std::optional<std::string_view> field) {
  if (field) {
    const std::optional<Cell> cell = FindCell(p_.layout(), *field);
    const Column column = cell ? p_.layout_.ColumnOf(*cell) : 0;
    const bool is_corner = cell && (FileOf(column) == 1 || FileOf(column) == 4) && cell->is_main();
    if (!is_corner || (UnpromotedPawns(p_.to_move_) & CellBit(*cell)) == 0) {
      return Fault("BAD_PENDING", 8,
                   Quote(*field) + ": no pawn of the player to move waits there to promote");
    }
    if (p_.en_passant_ >= 0) {
      return Fault("BAD_PENDING", 8,
                   Quote(*field) +
                       ": a pawn waits only after a board's move, which rules out "
                       "en passant");
    }
    p_.pending_ = static_cast<int8_t>(cell->index());
  }
  for (const Seat seat : {Seat::kFirst, Seat::kSecond}) {
    const CellSet waiting = p_.pending_ < 0 ? 0 : CellBit(Cell::At(p_.pending_));
    const CellSet unpromoted = UnpromotedPawns(seat) & ~waiting;
    if (unpromoted == 0) continue;
    const Cell cell = Cell::At(std::countr_zero(unpromoted));
    return Fault("PAWN_UNPROMOTED", 2,
                 absl::StrFormat("%s's pawn on %s stands on its last rank",
                                 Position::kInfo.seat_name(seat), CellName(p_.layout(), cell)));
  }
  return absl::OkStatus();
}

absl::Status TfenReader::CheckCheck() const {
  const Seat waiting = Other(p_.to_move_);
  if (p_.in_check(waiting)) {
    return Fault("OPPONENT_IN_CHECK", 3,
                 absl::StrFormat("%s is to move but already attacks %s's king",
                                 Position::kInfo.seat_name(p_.to_move_),
                                 Position::kInfo.seat_name(waiting)));
  }
  const std::optional<Cell> pending = p_.pending();
  if (!pending || !p_.MayAttackKingAt(*pending)) return absl::OkStatus();
  return Fault(
      "BAD_PENDING", 8,
      absl::StrFormat("a piece promoted on %s could attack %s's king, so no board can "
                      "have left it",
                      CellName(p_.layout(), *pending), Position::kInfo.seat_name(waiting)));
}

absl::StatusOr<Position> TfenReader::Read(std::string_view text) {
  if (Trim(text).empty()) return Fault("EMPTY", 1, "the text is empty; expected seven fields");
  const std::vector<std::string_view> fields = Split(text, ' ');
  RETURN_IF_ERROR(CheckFieldCount(fields));
  RETURN_IF_ERROR(ReadPins(fields[0]));
  RETURN_IF_ERROR(ReadPlacement(fields[1]));
  RETURN_IF_ERROR(CheckKings());
  RETURN_IF_ERROR(CheckDoubleSteps());
  RETURN_IF_ERROR(ReadTurn(fields[2]));
  RETURN_IF_ERROR(ReadCastling(fields[3]));
  RETURN_IF_ERROR(ReadEnPassant(fields[4]));
  RETURN_IF_ERROR(ReadNumbers(fields[5], fields[6]));
  RETURN_IF_ERROR(ReadPending(fields.size() == 8 ? std::optional(fields[7]) : std::nullopt));
  RETURN_IF_ERROR(CheckCheck());
  p_.hash_ = p_.HashOfBoards();
  return p_;
}

namespace {

std::string BlockText(const Position& position, int board) {
  const auto [first, size] = ShapeOf(board);
  std::string text;
  for (int rank = size - 1; rank >= 0; --rank) {
    if (!text.empty()) text += '/';
    int gap = 0;
    const auto close_gap = [&] {
      if (gap > 0) text += static_cast<char>('0' + gap);
      gap = 0;
    };
    for (int file = 0; file < size; ++file) {
      const Cell cell = Cell::At(first + size * rank + file);
      const std::optional<Piece> piece = position.piece_at(cell);
      if (!piece) {
        ++gap;
        continue;
      }
      close_gap();
      const bool is_double = (position.double_steppers() & CellBit(cell)) != 0;
      const char letter = is_double ? 'D' : kPieceLetters[static_cast<size_t>(piece->type)];
      text += piece->owner == Seat::kFirst ? letter : static_cast<char>(letter - 'A' + 'a');
    }
    close_gap();
  }
  return text;
}

}  // namespace

std::span<const std::string_view> Starts(GameTag<Position>) {
  static constexpr std::array<std::string_view, 2> kStarts = {"document", "meder"};
  return kStarts;
}

absl::StatusOr<Position> Start(GameTag<Position>, std::string_view name) {
  // Parsed only once, because every game of a tournament begins here.
  static const Position document = Parse(kGame<Position>, kDocumentStart).value();
  static const Position meder = Parse(kGame<Position>, kMederStart).value();
  if (name.empty() || name == "document") return document;
  if (name == "meder") return meder;
  return absl::InvalidArgumentError("unknown start " + Quote(name) +
                                    "; the starts are document and meder");
}

absl::StatusOr<Position> Parse(GameTag<Position>, std::string_view text) {
  return TfenReader().Read(text);
}

std::string ToString(const Position& position) {
  std::string text;
  for (const Pin pin : position.layout().pins) {
    if (!text.empty()) text += ',';
    text += pin.ToString();
  }
  for (int board = 0; board < kBoards; ++board) {
    text += board == 0 ? ' ' : '|';
    text += BlockText(position, board);
  }
  text += position.to_move() == Seat::kFirst ? " w " : " b ";
  std::string rights;
  if (position.can_castle_short(Seat::kFirst)) rights += 'K';
  if (position.can_castle_long(Seat::kFirst)) rights += 'Q';
  if (position.can_castle_short(Seat::kSecond)) rights += 'k';
  if (position.can_castle_long(Seat::kSecond)) rights += 'q';
  text += rights.empty() ? "-" : rights;
  text += ' ';
  text += position.en_passant() ? CellName(position.layout(), *position.en_passant()) : "-";
  text += absl::StrFormat(" %d %d", position.halfmove_clock(), position.move_number());
  if (position.pending()) {
    text += ' ';
    text += CellName(position.layout(), *position.pending());
  }
  return text;
}

}  // namespace triarch::tri_d
