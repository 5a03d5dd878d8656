#include "core/triumvirate/json.h"

#include <array>
#include <string>
#include <string_view>

#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "core/game/json_reader.h"
#include "core/triumvirate/text.h"

// Moves and positions as JSON (rules §9). A document is read by converting it to 3PF. Errors in the
// JSON itself name their location in the document (a JSON pointer); errors in the position are
// those of the 3PF reader.
namespace triarch::triumvirate {
namespace {

constexpr std::array<std::string_view, 3> kPlayers = {"white", "black", "red"};
constexpr std::array<std::string_view, kPieceTypes> kTypes = {"Pawn", "Knight", "Bishop",
                                                              "Rook", "Queen",  "King"};
constexpr std::array<std::string_view, 5> kMoveKinds = {"normal", "normal", "en_passant",
                                                        "castling", "promotion"};
// In the order of kStatusLetters, the letters of 3PF's fifth field.
constexpr std::array<std::string_view, 5> kStatuses = {"active", "check", "stalemate", "checkmate",
                                                       "out"};
constexpr std::string_view kStatusLetters = "acsmx";

std::string_view PlayerName(Seat seat) { return kPlayers[Index(seat)]; }
std::string_view TypeName(PieceType type) { return kTypes[static_cast<size_t>(type)]; }

// --- writing ---

std::string_view KindName(const Position& position, Move move) {
  const bool is_capture = position.occupied().contains(move.to());
  if (is_capture && move.kind() == MoveKind::kNormal) return "capture";
  return kMoveKinds[static_cast<size_t>(move.kind())];
}

Json Captured(const Position& position, Move move) {
  if (move.kind() == MoveKind::kEnPassant) return TypeName(PieceType::kPawn);
  const auto piece = position.piece_at(move.to());
  return piece ? Json(TypeName(piece->type)) : Json(nullptr);
}

Json PieceToJson(const Position& position, Cell cell, Piece piece) {
  Json json = {{"cell", cell.ToString()},
               {"type", TypeName(piece.type)},
               {"color", PlayerName(piece.color)},
               {"owner", PlayerName(piece.owner)}};
  if (position.has_kept_target(cell)) json["target"] = PlayerName(position.pawn_target(cell));
  return json;
}

// Writes the pieces in the order of 3PF: by column letter, then by row number.
Json PiecesToJson(const Position& position) {
  Json pieces = Json::array();
  for (char letter = 'A'; letter <= 'L'; ++letter) {
    for (int number = 1; number <= 12; ++number) {
      const auto cell = Cell::Parse(letter + std::to_string(number));
      if (!cell) continue;
      const auto piece = position.piece_at(*cell);
      if (piece) pieces.push_back(PieceToJson(position, *cell, *piece));
    }
  }
  return pieces;
}

// --- reading ---

absl::StatusOr<std::string> ReadCell(const JsonNode& node) {
  return node.CellName([](std::string_view text) { return IsCell(kGame<Position>, text); }, "E2");
}

absl::StatusOr<std::string> ReadPiece(const JsonNode& node) {
  static constexpr std::array<std::string_view, 3> kRequired = {"cell", "type", "color"};
  static constexpr std::array<std::string_view, 2> kOptional = {"owner", "target"};
  RETURN_IF_ERROR(node.CheckKeys(kRequired, kOptional));
  ASSIGN_OR_RETURN(const std::string cell, ReadCell(node.At("cell")));
  ASSIGN_OR_RETURN(const size_t type, node.At("type").OneOf(kTypes));
  ASSIGN_OR_RETURN(const size_t color, node.At("color").OneOf(kPlayers));
  std::string text = {kSeatLetters[color], kPieceLetters[type]};
  if (node.Has("owner")) {
    ASSIGN_OR_RETURN(const size_t owner, node.At("owner").OneOf(kPlayers));
    if (owner != color) text += {'>', kSeatLetters[owner]};
  }
  text += cell;
  if (node.Has("target")) {
    ASSIGN_OR_RETURN(const size_t target, node.At("target").OneOf(kPlayers));
    text += {'^', kSeatLetters[target]};
  }
  return text;
}

absl::StatusOr<std::string> ReadPieces(const JsonNode& node) {
  if (!node.json().is_array() || node.json().empty()) return node.Wrong("an array of pieces");
  std::string text;
  for (size_t i = 0; i < node.json().size(); ++i) {
    ASSIGN_OR_RETURN(const std::string piece, ReadPiece(node.At(i)));
    if (i != 0) text += ',';
    text += piece;
  }
  return text;
}

absl::StatusOr<std::string> ReadRights(const JsonNode& node) {
  ASSIGN_OR_RETURN(const PerSeat<CastlingSides> castling, ReadCastling(node, kPlayers));
  std::string text;
  for (size_t i = 0; i < kPlayers.size(); ++i) {
    const CastlingSides rights = castling[SeatAt(i)];
    if (i != 0) text += '.';
    text += kSeatLetters[i];
    text += rights.king ? (rights.queen ? "KQ" : "K") : (rights.queen ? "Q" : "-");
  }
  return text;
}

absl::StatusOr<std::string> ReadEnPassant(const JsonNode& root) {
  if (!root.Has("en_passant") || root.At("en_passant").json().is_null()) return "-";
  return ReadCell(root.At("en_passant"));
}

absl::StatusOr<std::string> ReadStatuses(const JsonNode& node) {
  RETURN_IF_ERROR(node.CheckKeys(kPlayers));
  std::string text;
  for (const std::string_view player : kPlayers) {
    ASSIGN_OR_RETURN(const size_t status, node.At(player).OneOf(kStatuses));
    text += kStatusLetters[status];
  }
  return text;
}

// Parses a position without statuses. A player without a king is out. For the others, the 3PF
// reader accepts only one letter, so trying all letters finds it.
absl::StatusOr<Position> ParseWithoutStatuses(const std::string& before, const std::string& after) {
  PerSeat<std::string_view> letters;
  for (size_t i = 0; i < kPlayers.size(); ++i) {
    const std::string king = {kSeatLetters[i], 'K'};
    const bool has_king = before.starts_with(king) || before.find("," + king) != std::string::npos;
    letters[SeatAt(i)] = has_king ? "acs" : "x";
  }
  absl::StatusOr<Position> position;
  for (const char first : letters[Seat::kFirst]) {
    for (const char second : letters[Seat::kSecond]) {
      for (const char third : letters[Seat::kThird]) {
        position = Parse(kGame<Position>, before + first + second + third + after);
        const bool is_status_wrong =
            !position.ok() &&
            Split(std::string(position.status().message()), ' ').front() == "STATUS_INCONSISTENT";
        if (!is_status_wrong) return position;
      }
    }
  }
  return position;
}

absl::StatusOr<Position> ReadPosition(const JsonNode& root) {
  static constexpr std::array<std::string_view, 4> kRequired = {"pieces", "active_player",
                                                                "castling", "move_number"};
  // `triarch play --json` adds the last three after the end of the game. They are ignored because
  // they follow from the position.
  static constexpr std::array<std::string_view, 6> kOptional = {
      "en_passant", "halfmove_clock", "statuses", "result", "termination", "placement"};
  RETURN_IF_ERROR(root.CheckKeys(kRequired, kOptional));
  ASSIGN_OR_RETURN(std::string before, ReadPieces(root.At("pieces")));
  ASSIGN_OR_RETURN(const size_t active, root.At("active_player").OneOf(kPlayers));
  before += {' ', kSeatLetters[active], ' '};
  ASSIGN_OR_RETURN(const std::string castling, ReadRights(root.At("castling")));
  ASSIGN_OR_RETURN(const std::string en_passant, ReadEnPassant(root));
  before += castling + " " + en_passant + " ";
  ASSIGN_OR_RETURN(const std::string number, root.At("move_number").Digits());
  std::string clock = "0";
  if (root.Has("halfmove_clock")) {
    ASSIGN_OR_RETURN(clock, root.At("halfmove_clock").Digits());
  }
  const std::string after = " " + clock + " " + number;
  if (!root.Has("statuses")) return ParseWithoutStatuses(before, after);
  ASSIGN_OR_RETURN(const std::string statuses, ReadStatuses(root.At("statuses")));
  return Parse(kGame<Position>, before + statuses + after);
}

}  // namespace

std::string MoveToJson(const Position& position, Move move) {
  const bool is_promotion = move.kind() == MoveKind::kPromotion;
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
    json["castling"][std::string(kPlayers[i])] = {
        {"K", position.is_in(seat) && position.can_castle_short(seat)},
        {"Q", position.is_in(seat) && position.can_castle_long(seat)}};
  }
  json["move_number"] = position.move_number();
  json["en_passant"] =
      position.en_passant() ? Json(position.en_passant()->ToString()) : Json(nullptr);
  json["halfmove_clock"] = position.halfmove_clock();
  for (size_t i = 0; i < Position::kInfo.seats; ++i) {
    const std::string_view status = kStatuses[kStatusLetters.find(position.status(SeatAt(i)))];
    json["statuses"][std::string(kPlayers[i])] = status;
  }
  return json.dump();
}

absl::StatusOr<Position> FromJson(GameTag<Position>, std::string_view text) {
  ASSIGN_OR_RETURN(const Json document, ParseJson(text));
  return ReadPosition(JsonNode(document));
}

}  // namespace triarch::triumvirate
