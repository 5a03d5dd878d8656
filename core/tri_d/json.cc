#include "core/tri_d/json.h"

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "core/game/json_reader.h"
#include "core/tri_d/text.h"

// Moves and positions as JSON (docs/formats.md). A document is read by converting it to TFEN.
// Errors in the JSON itself name their location in the document (a JSON pointer); errors in the
// position are those of the TFEN reader.
namespace triarch::tri_d {
namespace {

constexpr std::array<std::string_view, 2> kPlayers = {"white", "black"};
constexpr std::array<std::string_view, kPieceTypes> kTypes = {"Pawn", "Knight", "Bishop",
                                                              "Rook", "Queen",  "King"};
constexpr auto kAttackBoardNames = std::span(kBoardNames).last<kAttackBoards>();
constexpr std::array<std::string_view, kPins> kPinNames = {
    "QL1", "QL2", "QL3", "QL4", "QL5", "QL6", "KL1", "KL2", "KL3", "KL4", "KL5", "KL6"};
// By SeatStatus.
constexpr std::array<std::string_view, 5> kStatuses = {"active", "check", "stalemate", "checkmate",
                                                       "out"};
constexpr char kDoubleStepLetter = 'd';
constexpr std::string_view kTurnLetters = "wb";

std::string_view PlayerName(Seat seat) { return kPlayers[Index(seat)]; }
std::string_view TypeName(PieceType type) { return kTypes[static_cast<size_t>(type)]; }

// Calls f(board, rank, cell) in the order of TFEN: board by board, each from its highest rank down.
template <class F>
void ForEachCell(F f) {
  for (int board = 0; board < kBoards; ++board) {
    const auto [first, size] = ShapeOf(board);
    for (int rank = size - 1; rank >= 0; --rank) {
      for (int file = 0; file < size; ++file) f(board, rank, Cell::At(first + size * rank + file));
    }
  }
}

// --- writing ---

std::string_view KindName(const Position& position, Move move) {
  switch (move.kind()) {
    case MoveKind::kEnPassant:
      return "en_passant";
    case MoveKind::kCastleShort:
    case MoveKind::kCastleLong:
      return "castling";
    case MoveKind::kBoard:
      return "board";
    case MoveKind::kNormal:
    case MoveKind::kDoubleStep:
    case MoveKind::kFreed:
      break;
  }
  if (move.promotion() != PieceType::kPawn) return "promotion";
  return position.piece_at(move.to()) ? "capture" : "normal";
}

Json Captured(const Position& position, Move move) {
  if (move.kind() == MoveKind::kEnPassant) return TypeName(PieceType::kPawn);
  if (move.kind() != MoveKind::kNormal) return nullptr;
  const auto piece = position.piece_at(move.to());
  return piece ? Json(TypeName(piece->type)) : Json(nullptr);
}

Json PiecesToJson(const Position& position) {
  Json pieces = Json::array();
  ForEachCell([&](int, int, Cell cell) {
    const auto piece = position.piece_at(cell);
    if (!piece) return;
    Json json = {{"cell", CellName(position.layout(), cell)},
                 {"type", TypeName(piece->type)},
                 {"color", PlayerName(piece->owner)}};
    if ((position.double_steppers() & CellBit(cell)) != 0) json["double_step"] = true;
    pieces.push_back(std::move(json));
  });
  return pieces;
}

Json CellToJson(const Position& position, std::optional<Cell> cell) {
  return cell ? Json(CellName(position.layout(), *cell)) : Json(nullptr);
}

// --- reading ---

absl::StatusOr<Layout> ReadPins(const JsonNode& node) {
  RETURN_IF_ERROR(node.CheckKeys(kAttackBoardNames));
  Layout layout;
  for (size_t i = 0; i < kAttackBoards; ++i) {
    const JsonNode written = node.At(kAttackBoardNames[i]);
    ASSIGN_OR_RETURN(const size_t index, written.OneOf(kPinNames));
    const Pin pin = Pin::At(static_cast<int>(index));
    for (size_t j = 0; j < i; ++j) {
      if (layout.pins[j] == pin) return written.Wrong("a different pin for each board");
    }
    layout.pins[i] = pin;
  }
  return layout;
}

// Reads the name of a cell, given the pins of the boards.
absl::StatusOr<Cell> ReadCell(const JsonNode& node, const Layout& boards) {
  if (!node.json().is_string()) return node.Wrong("a cell such as \"c1W\" or \"a8QL6\"");
  const auto& name = node.json().get_ref<const std::string&>();
  const std::optional<Cell> cell = FindCell(boards, name);
  if (cell) return *cell;
  return node.Wrong(IsCell(kGame<Position>, name) ? "a cell on a pin that holds a board"
                                                  : "a cell such as \"c1W\" or \"a8QL6\"");
}

// The letters of TFEN by cell, in lower case for Black; 0 for an empty cell.
using Letters = std::array<char, kCells>;

absl::Status ReadPiece(const JsonNode& node, const Layout& boards, Letters* letters) {
  static constexpr std::array<std::string_view, 3> kRequired = {"cell", "type", "color"};
  static constexpr std::array<std::string_view, 1> kOptional = {"double_step"};
  RETURN_IF_ERROR(node.CheckKeys(kRequired, kOptional));
  ASSIGN_OR_RETURN(const Cell cell, ReadCell(node.At("cell"), boards));
  char& place = (*letters)[static_cast<size_t>(cell.index())];
  if (place != 0) return node.At("cell").Wrong("a different cell for each piece");
  ASSIGN_OR_RETURN(const size_t type, node.At("type").OneOf(kTypes));
  ASSIGN_OR_RETURN(const size_t color, node.At("color").OneOf(kPlayers));
  char letter = static_cast<char>(kPieceLetters[type] - 'A' + 'a');
  if (node.Has("double_step")) {
    const JsonNode written = node.At("double_step");
    ASSIGN_OR_RETURN(const bool is_double, written.Bool());
    if (is_double && letter != 'p') return written.Wrong("false because this is not a pawn");
    if (is_double) letter = kDoubleStepLetter;
  }
  place = color == 0 ? static_cast<char>(letter - 'a' + 'A') : letter;
  return absl::OkStatus();
}

// Returns the placement field, with each cell written separately.
absl::StatusOr<std::string> ReadPieces(const JsonNode& node, const Layout& boards) {
  if (!node.json().is_array() || node.json().empty()) return node.Wrong("an array of pieces");
  Letters letters{};
  for (size_t i = 0; i < node.json().size(); ++i) {
    RETURN_IF_ERROR(ReadPiece(node.At(i), boards, &letters));
  }
  std::string text;
  std::pair<int, int> last{0, 3};
  ForEachCell([&](int board, int rank, Cell cell) {
    if (last.first != board) {
      text += '|';
    } else if (last.second != rank) {
      text += '/';
    }
    last = {board, rank};
    const char letter = letters[static_cast<size_t>(cell.index())];
    text += letter == 0 ? '1' : letter;
  });
  return text;
}

absl::StatusOr<std::string> ReadRights(const JsonNode& node) {
  ASSIGN_OR_RETURN(const PerSeat<CastlingSides> castling, ReadCastling(node, kPlayers));
  std::string text;
  if (castling[Seat::kFirst].king) text += 'K';
  if (castling[Seat::kFirst].queen) text += 'Q';
  if (castling[Seat::kSecond].king) text += 'k';
  if (castling[Seat::kSecond].queen) text += 'q';
  return text.empty() ? "-" : text;
}

// Returns the canonical name of the cell under `key`, or "-" if it is null or missing.
absl::StatusOr<std::string> ReadOptionalCell(const JsonNode& root, std::string_view key,
                                             const Layout& boards) {
  if (!root.Has(key) || root.At(key).json().is_null()) return "-";
  ASSIGN_OR_RETURN(const Cell cell, ReadCell(root.At(key), boards));
  return CellName(boards, cell);
}

// Reads the statuses, which must agree with the position. Only they can say that the game is over,
// because TFEN cannot express that.
absl::Status ReadStatuses(const JsonNode& node, Position* position) {
  RETURN_IF_ERROR(node.CheckKeys(kPlayers));
  using enum SeatStatus;
  std::array<SeatStatus, kPlayers.size()> statuses{};
  for (size_t i = 0; i < statuses.size(); ++i) {
    ASSIGN_OR_RETURN(const size_t status, node.At(kPlayers[i]).OneOf(kStatuses));
    statuses[i] = static_cast<SeatStatus>(status);
  }
  for (size_t i = 0; i < statuses.size(); ++i) {
    if (position->is_over()) break;
    if (statuses[i] == kOut) position->Resign(SeatAt(i));
    if (statuses[i] == kCheckmate || statuses[i] == kStalemate) position->JudgeTurn();
  }
  for (size_t i = 0; i < statuses.size(); ++i) {
    const SeatStatus actual = StatusOf(*position, SeatAt(i));
    if (statuses[i] == actual) continue;
    return node.At(kPlayers[i]).Wrong(Quote(kStatuses[static_cast<size_t>(actual)]));
  }
  return absl::OkStatus();
}

absl::StatusOr<Position> ReadPosition(const JsonNode& root, const Layout& boards) {
  ASSIGN_OR_RETURN(const std::string placement, ReadPieces(root.At("pieces"), boards));
  ASSIGN_OR_RETURN(const size_t active, root.At("active_player").OneOf(kPlayers));
  ASSIGN_OR_RETURN(const std::string castling, ReadRights(root.At("castling")));
  ASSIGN_OR_RETURN(const std::string en_passant, ReadOptionalCell(root, "en_passant", boards));
  ASSIGN_OR_RETURN(const std::string pending, ReadOptionalCell(root, "pending", boards));
  ASSIGN_OR_RETURN(const std::string number, root.At("move_number").Digits());
  std::string clock = "0";
  if (root.Has("halfmove_clock")) {
    ASSIGN_OR_RETURN(clock, root.At("halfmove_clock").Digits());
  }
  std::string text;
  for (const Pin pin : boards.pins) {
    if (!text.empty()) text += ',';
    text += pin.ToString();
  }
  text += " " + placement + " " + kTurnLetters[active] + " " + castling + " " + en_passant + " " +
          clock + " " + number;
  if (pending != "-") text += " " + pending;
  ASSIGN_OR_RETURN(Position position, Parse(kGame<Position>, text));
  if (root.Has("statuses")) RETURN_IF_ERROR(ReadStatuses(root.At("statuses"), &position));
  return position;
}

}  // namespace

std::string MoveToJson(const Position& position, Move move) {
  Json json = Json::object();
  if (move.kind() == MoveKind::kBoard) {
    const auto board = static_cast<size_t>(move.board());
    json["board"] = kAttackBoardNames[board];
    json["from"] = position.layout().pins[board].ToString();
    json["to"] = move.pin().ToString();
  } else {
    json["from"] = CellName(position.layout(), move.from());
    json["to"] = CellName(position.layout(), move.to());
  }
  json["type"] = KindName(position, move);
  json["player"] = PlayerName(position.to_move());
  json["captured"] = Captured(position, move);
  const bool is_promotion = move.promotion() != PieceType::kPawn;
  json["promotion"] = is_promotion ? Json(TypeName(move.promotion())) : Json(nullptr);
  return json.dump();
}

std::string ToJson(const Position& position) {
  Json json = {{"pieces", PiecesToJson(position)}};
  for (size_t i = 0; i < kAttackBoards; ++i) {
    json["pins"][std::string(kAttackBoardNames[i])] = position.layout().pins[i].ToString();
  }
  json["active_player"] = PlayerName(position.to_move());
  for (size_t i = 0; i < kPlayers.size(); ++i) {
    const Seat seat = SeatAt(i);
    json["castling"][std::string(kPlayers[i])] = {{"K", position.can_castle_short(seat)},
                                                  {"Q", position.can_castle_long(seat)}};
  }
  json["move_number"] = position.move_number();
  json["en_passant"] = CellToJson(position, position.en_passant());
  json["halfmove_clock"] = position.halfmove_clock();
  json["pending"] = CellToJson(position, position.pending());
  for (size_t i = 0; i < kPlayers.size(); ++i) {
    json["statuses"][std::string(kPlayers[i])] =
        kStatuses[static_cast<size_t>(StatusOf(position, SeatAt(i)))];
  }
  return json.dump();
}

absl::StatusOr<Position> FromJson(GameTag<Position>, std::string_view text) {
  static constexpr std::array<std::string_view, 5> kRequired = {"pieces", "pins", "active_player",
                                                                "castling", "move_number"};
  // `triarch play --json` adds the last three after the end of the game. They are ignored.
  static constexpr std::array<std::string_view, 7> kOptional = {
      "en_passant", "halfmove_clock", "pending", "statuses", "result", "termination", "placement"};
  ASSIGN_OR_RETURN(const Json document, ParseJson(text));
  const JsonNode root(document);
  RETURN_IF_ERROR(root.CheckKeys(kRequired, kOptional));
  ASSIGN_OR_RETURN(const Layout boards, ReadPins(root.At("pins")));
  return ReadPosition(root, boards);
}

}  // namespace triarch::tri_d
