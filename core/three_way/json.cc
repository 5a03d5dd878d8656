#include "core/three_way/json.h"

#include <array>
#include <string>
#include <string_view>

#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "core/game/json_reader.h"
#include "core/three_way/text.h"

// Moves and positions as JSON (docs/formats.md). A document is read by converting it to HexFEN.
// Errors in the JSON itself name their location in the document (a JSON pointer); errors in the
// position are those of the HexFEN reader.
namespace triarch::three_way {
namespace {

constexpr std::array<std::string_view, kSeatsMax> kPlayers = {"white", "gray", "black"};
constexpr std::array<std::string_view, kPieceTypes> kTypes = {"Pawn", "Knight", "Bishop",
                                                              "Rook", "Queen",  "King"};
constexpr std::array<std::string_view, 3> kStatuses = {"active", "check", "out"};
constexpr int kPassedRow = 2;  // the row of a third that double pushes pass over

std::string_view PlayerName(Seat seat) { return kPlayers[Index(seat)]; }
std::string_view TypeName(PieceType type) { return kTypes[static_cast<size_t>(type)]; }

std::string_view StatusName(const Position& position, Seat seat) {
  if (!position.is_in(seat)) return kStatuses[2];
  return kStatuses[position.in_check(seat) ? 1 : 0];
}

// --- writing ---

// Returns the kind of the move. A capture en passant that promotes is "en_passant".
std::string_view KindName(const Position& position, Move move) {
  if (move.kind() == MoveKind::kEnPassant) return "en_passant";
  if (move.kind() == MoveKind::kCastling) return "castling";
  if (move.promotion() != PieceType::kPawn) return "promotion";
  return position.occupied().contains(move.to()) ? "capture" : "normal";
}

Json Captured(const Position& position, Move move) {
  if (move.kind() == MoveKind::kEnPassant) return TypeName(PieceType::kPawn);
  const auto piece = position.piece_at(move.to());
  return piece ? Json(TypeName(piece->type)) : Json(nullptr);
}

// Writes the pieces in the order of HexFEN: by owner, then by the cell's index.
Json PiecesToJson(const Position& position) {
  Json pieces = Json::array();
  for (size_t i = 0; i < kSeatsMax; ++i) {
    for (const Cell cell : position.owned_by(SeatAt(i))) {
      pieces.push_back({{"cell", cell.ToString()},
                        {"type", TypeName(position.piece_at(cell)->type)},
                        {"color", kPlayers[i]}});
    }
  }
  return pieces;
}

// --- reading ---

// The letters of one player's pieces by cell; 0 for no piece.
using Letters = std::array<char, kCells>;

absl::StatusOr<Cell> ReadCell(const JsonNode& node) {
  ASSIGN_OR_RETURN(
      const std::string name,
      node.CellName([](std::string_view text) { return IsCell(kGame<Position>, text); }, "h5"));
  return *Cell::Parse(name);
}

absl::Status ReadPiece(const JsonNode& node, CellSet* occupied, PerSeat<Letters>* letters) {
  static constexpr std::array<std::string_view, 3> kKeys = {"cell", "type", "color"};
  RETURN_IF_ERROR(node.CheckKeys(kKeys));
  ASSIGN_OR_RETURN(const Cell cell, ReadCell(node.At("cell")));
  if (occupied->contains(cell)) return node.At("cell").Wrong("a different cell for each piece");
  *occupied |= CellSet::Of(cell);
  ASSIGN_OR_RETURN(const size_t type, node.At("type").OneOf(kTypes));
  ASSIGN_OR_RETURN(const size_t color, node.At("color").OneOf(kPlayers));
  (*letters)[SeatAt(color)][static_cast<size_t>(cell.index())] = kTypeLetters[type];
  return absl::OkStatus();
}

// Returns the first three fields of HexFEN, with each row written in full.
absl::StatusOr<std::string> ReadPieces(const JsonNode& node) {
  if (!node.json().is_array() || node.json().empty()) return node.Wrong("an array of pieces");
  CellSet occupied;
  PerSeat<Letters> letters{};
  for (size_t i = 0; i < node.json().size(); ++i) {
    RETURN_IF_ERROR(ReadPiece(node.At(i), &occupied, &letters));
  }
  std::string text;
  for (const Letters& own : letters) {
    for (size_t i = 0; i < own.size(); ++i) {
      if (i != 0 && i % kColumns == 0) text += '/';
      text += own[i] == 0 ? '1' : own[i];
    }
    text += ' ';
  }
  return text;
}

absl::StatusOr<std::string> ReadRights(const JsonNode& node) {
  ASSIGN_OR_RETURN(const PerSeat<CastlingSides> castling, ReadCastling(node, kPlayers));
  std::string text;
  for (const CastlingSides& rights : castling) {
    text += rights.queen ? 'q' : '-';
    text += rights.king ? 'k' : '-';
  }
  return text;
}

absl::StatusOr<std::string> ReadEnPassant(const JsonNode& root) {
  if (!root.Has("en_passant")) return "---";
  const JsonNode node = root.At("en_passant");
  RETURN_IF_ERROR(node.CheckKeys(kPlayers));
  std::string text;
  for (size_t i = 0; i < kPlayers.size(); ++i) {
    const JsonNode passed = node.At(kPlayers[i]);
    if (passed.json().is_null()) {
      text += '-';
      continue;
    }
    ASSIGN_OR_RETURN(const Cell cell, ReadCell(passed));
    if (cell.third() != SeatAt(i) || cell.row() != kPassedRow) {
      return passed.Wrong("a cell that this player's pawns pass over, such as " +
                          Quote(Cell::At(SeatAt(i), 4, kPassedRow).ToString()));
    }
    text += static_cast<char>('1' + cell.column());
  }
  return text;
}

// Checks that the given statuses are those that follow from the position.
absl::Status CheckStatuses(const JsonNode& node, const Position& position) {
  RETURN_IF_ERROR(node.CheckKeys(kPlayers));
  for (size_t i = 0; i < kPlayers.size(); ++i) {
    const JsonNode written = node.At(kPlayers[i]);
    ASSIGN_OR_RETURN(const size_t status, written.OneOf(kStatuses));
    const std::string_view actual = StatusName(position, SeatAt(i));
    if (kStatuses[status] != actual) return written.Wrong(Quote(actual));
  }
  return absl::OkStatus();
}

absl::StatusOr<Position> ReadPosition(const JsonNode& root) {
  static constexpr std::array<std::string_view, 4> kRequired = {"pieces", "active_player",
                                                                "castling", "move_number"};
  // `triarch play --json` adds the last three after the end of the game. They are ignored because
  // they follow from the position.
  static constexpr std::array<std::string_view, 6> kOptional = {
      "en_passant", "halfmove_clock", "statuses", "result", "termination", "placement"};
  RETURN_IF_ERROR(root.CheckKeys(kRequired, kOptional));
  ASSIGN_OR_RETURN(std::string text, ReadPieces(root.At("pieces")));
  ASSIGN_OR_RETURN(const size_t active, root.At("active_player").OneOf(kPlayers));
  ASSIGN_OR_RETURN(const std::string castling, ReadRights(root.At("castling")));
  ASSIGN_OR_RETURN(const std::string en_passant, ReadEnPassant(root));
  ASSIGN_OR_RETURN(const std::string number, root.At("move_number").Digits());
  std::string clock = "0";
  if (root.Has("halfmove_clock")) {
    ASSIGN_OR_RETURN(clock, root.At("halfmove_clock").Digits());
  }
  text += kTurnLetters[active];
  text += " " + castling + " " + en_passant + " " + clock + " " + number;
  ASSIGN_OR_RETURN(const Position position, Parse(kGame<Position>, text));
  if (root.Has("statuses")) RETURN_IF_ERROR(CheckStatuses(root.At("statuses"), position));
  return position;
}

}  // namespace

std::string MoveToJson(const Position& position, Move move) {
  const bool is_promotion = move.promotion() != PieceType::kPawn;
  const Json json = {
      {"from", move.from().ToString()},
      {"to", move.to().ToString()},
      {"type", KindName(position, move)},
      {"player", PlayerName(position.to_move())},
      {"captured", Captured(position, move)},
      {"promotion", is_promotion ? Json(TypeName(move.promotion())) : Json(nullptr)}};
  return json.dump();
}

std::string ToJson(const Position& position) {
  Json json = {{"pieces", PiecesToJson(position)},
               {"active_player", PlayerName(position.to_move())}};
  for (size_t i = 0; i < Position::kInfo.seats; ++i) {
    const Seat seat = SeatAt(i);
    json["castling"][std::string(kPlayers[i])] = {{"K", position.can_castle_king_side(seat)},
                                                  {"Q", position.can_castle_queen_side(seat)}};
  }
  json["move_number"] = position.move_number();
  for (size_t i = 0; i < Position::kInfo.seats; ++i) {
    const auto passed = position.en_passant(SeatAt(i));
    json["en_passant"][std::string(kPlayers[i])] =
        passed ? Json(passed->ToString()) : Json(nullptr);
  }
  json["halfmove_clock"] = position.halfmove_clock();
  for (size_t i = 0; i < Position::kInfo.seats; ++i) {
    json["statuses"][std::string(kPlayers[i])] = StatusName(position, SeatAt(i));
  }
  return json.dump();
}

absl::StatusOr<Position> FromJson(GameTag<Position>, std::string_view text) {
  ASSIGN_OR_RETURN(const Json document, ParseJson(text));
  return ReadPosition(JsonNode(document));
}

}  // namespace triarch::three_way
