#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_format.h"
#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "core/triumvirate/position.h"

// Moves and positions as JSON (rules §9). A document is read by turning it into 3PF: what is wrong
// with the JSON itself is told by its place in the document (a JSON pointer), what is wrong with
// the position in the words of the 3PF reader.
namespace triarch::triumvirate {
namespace {

using Json = nlohmann::ordered_json;  // keeps the order of the keys

using Words = std::span<const std::string_view>;
constexpr std::array<std::string_view, 3> kPlayers = {"white", "black", "red"};
constexpr std::array<std::string_view, kPieceTypes> kTypes = {"Pawn", "Knight", "Bishop",
                                                              "Rook", "Queen",  "King"};
constexpr std::array<std::string_view, 5> kMoveKinds = {"normal", "normal", "en_passant",
                                                        "castling", "promotion"};
// In the order of the letters of 3PF's fifth field.
constexpr std::array<std::string_view, 5> kStatuses = {"active", "check", "stalemate", "checkmate",
                                                       "out"};
constexpr std::string_view kStatusLetters = "acsmx";
constexpr std::string_view kSeatLetters = "wbr";
constexpr std::string_view kTypeLetters = "PNBRQK";

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

// In the order of 3PF: by column letter, then by row number.
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

// A value of the document and the JSON pointer to it.
class Node {
 public:
  Node(const Json& json, std::string path) : json_(&json), path_(std::move(path)) {}

  const Json& json() const { return *json_; }
  bool Has(std::string_view key) const { return json_->contains(key); }

  absl::Status Wrong(std::string_view expected) const {
    return absl::InvalidArgumentError(
        absl::StrFormat("%s: expected %s, not %s", Place(), std::string(expected), Shown()));
  }

  // That the value is an object with all of the required keys and no key that is not known: a
  // misspelt one would be passed over in silence otherwise.
  absl::Status CheckKeys(Words required, Words optional = {}) const;

  // A member. Requires: it is there.
  Node At(std::string_view key) const {
    return {json_->at(std::string(key)), path_ + "/" + std::string(key)};
  }
  Node At(size_t index) const { return {json_->at(index), path_ + "/" + std::to_string(index)}; }

  absl::StatusOr<bool> Bool() const {
    if (!json_->is_boolean()) return Wrong("true or false");
    return json_->get<bool>();
  }
  // A number that is not negative, as its digits.
  absl::StatusOr<std::string> Digits() const {
    if (!json_->is_number_unsigned()) return Wrong("a whole number that is not negative");
    return json_->dump();
  }
  // The number of the value, a string, among the words.
  absl::StatusOr<size_t> OneOf(Words words) const;
  absl::StatusOr<std::string> CellName() const;

 private:
  std::string Place() const { return path_.empty() ? "the document" : path_; }
  std::string Shown() const {
    if (json_->is_string()) return Quote(json_->get_ref<const std::string&>());
    if (json_->is_object()) return "an object";
    if (json_->is_array()) return json_->empty() ? "an empty one" : "an array";
    return json_->dump();
  }

  const Json* json_;
  std::string path_;
};

std::string Listed(Words words) {
  std::string text;
  for (size_t i = 0; i < words.size(); ++i) {
    if (i != 0) text += i + 1 == words.size() ? " or " : ", ";
    text += Quote(words[i]);
  }
  return text;
}

bool IsIn(Words words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

absl::Status Node::CheckKeys(Words required, Words optional) const {
  if (!json_->is_object()) return Wrong("an object");
  for (const std::string_view key : required) {
    if (Has(key)) continue;
    return absl::InvalidArgumentError(
        absl::StrFormat("%s: the key %s is missing", Place(), Quote(key)));
  }
  for (const auto& [key, value] : json_->items()) {
    if (IsIn(required, key) || IsIn(optional, key)) continue;
    std::vector<std::string_view> known(required.begin(), required.end());
    known.insert(known.end(), optional.begin(), optional.end());
    return absl::InvalidArgumentError(
        absl::StrFormat("%s: unknown key %s; expected %s", Place(), Quote(key), Listed(known)));
  }
  return absl::OkStatus();
}

absl::StatusOr<size_t> Node::OneOf(Words words) const {
  if (json_->is_string()) {
    const auto& text = json_->get_ref<const std::string&>();
    const auto found = std::find(words.begin(), words.end(), text);
    if (found != words.end()) return static_cast<size_t>(found - words.begin());
  }
  return Wrong(Listed(words));
}

absl::StatusOr<std::string> Node::CellName() const {
  const bool is_cell =
      json_->is_string() && Cell::Parse(json_->get_ref<const std::string&>()).has_value();
  if (!is_cell) return Wrong("a cell of the board such as \"E2\"");
  return json_->get<std::string>();
}

absl::StatusOr<std::string> ReadPiece(const Node& node) {
  static constexpr std::array<std::string_view, 3> kRequired = {"cell", "type", "color"};
  static constexpr std::array<std::string_view, 2> kOptional = {"owner", "target"};
  RETURN_IF_ERROR(node.CheckKeys(kRequired, kOptional));
  ASSIGN_OR_RETURN(const std::string cell, node.At("cell").CellName());
  ASSIGN_OR_RETURN(const size_t type, node.At("type").OneOf(kTypes));
  ASSIGN_OR_RETURN(const size_t color, node.At("color").OneOf(kPlayers));
  std::string text = {kSeatLetters[color], kTypeLetters[type]};
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

absl::StatusOr<std::string> ReadPieces(const Node& node) {
  if (!node.json().is_array() || node.json().empty()) return node.Wrong("an array of pieces");
  std::string text;
  for (size_t i = 0; i < node.json().size(); ++i) {
    ASSIGN_OR_RETURN(const std::string piece, ReadPiece(node.At(i)));
    if (i != 0) text += ',';
    text += piece;
  }
  return text;
}

absl::StatusOr<std::string> ReadCastling(const Node& node) {
  static constexpr std::array<std::string_view, 2> kSides = {"K", "Q"};
  RETURN_IF_ERROR(node.CheckKeys(kPlayers));
  std::string text;
  for (size_t i = 0; i < kPlayers.size(); ++i) {
    const Node rights = node.At(kPlayers[i]);
    RETURN_IF_ERROR(rights.CheckKeys(kSides));
    ASSIGN_OR_RETURN(const bool is_short, rights.At("K").Bool());
    ASSIGN_OR_RETURN(const bool is_long, rights.At("Q").Bool());
    if (i != 0) text += '.';
    text += kSeatLetters[i];
    text += is_short ? (is_long ? "KQ" : "K") : (is_long ? "Q" : "-");
  }
  return text;
}

absl::StatusOr<std::string> ReadEnPassant(const Node& root) {
  if (!root.Has("en_passant") || root.At("en_passant").json().is_null()) return "-";
  return root.At("en_passant").CellName();
}

absl::StatusOr<std::string> ReadStatuses(const Node& node) {
  RETURN_IF_ERROR(node.CheckKeys(kPlayers));
  std::string text;
  for (const std::string_view player : kPlayers) {
    ASSIGN_OR_RETURN(const size_t status, node.At(player).OneOf(kStatuses));
    text += kStatusLetters[status];
  }
  return text;
}

// The position whose statuses are not written: a player without a king is out; for the others the
// reader of 3PF takes one letter only, so that trying them finds it.
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
        position = Position::Parse(before + first + second + third + after);
        const bool is_status_wrong =
            !position.ok() &&
            Split(std::string(position.status().message()), ' ').front() == "STATUS_INCONSISTENT";
        if (!is_status_wrong) return position;
      }
    }
  }
  return position;
}

absl::StatusOr<Position> ReadPosition(const Node& root) {
  static constexpr std::array<std::string_view, 4> kRequired = {"pieces", "active_player",
                                                                "castling", "move_number"};
  // The last three are what `triarch play --json` adds after the end; the position tells them
  // anyhow.
  static constexpr std::array<std::string_view, 6> kOptional = {
      "en_passant", "halfmove_clock", "statuses", "result", "termination", "placement"};
  RETURN_IF_ERROR(root.CheckKeys(kRequired, kOptional));
  ASSIGN_OR_RETURN(std::string before, ReadPieces(root.At("pieces")));
  ASSIGN_OR_RETURN(const size_t active, root.At("active_player").OneOf(kPlayers));
  before += {' ', kSeatLetters[active], ' '};
  ASSIGN_OR_RETURN(const std::string castling, ReadCastling(root.At("castling")));
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
  return Position::Parse(before + statuses + after);
}

}  // namespace

std::string Position::MoveToJson(Move move) const {
  const bool is_promotion = move.kind() == MoveKind::kPromotion;
  const Json json = {
      {"from", move.from().ToString()},
      {"to", move.to().ToString()},
      {"type", KindName(*this, move)},
      {"player", PlayerName(to_move_)},
      {"captured", Captured(*this, move)},
      {"promotion", is_promotion ? Json(TypeName(move.promotion())) : Json(nullptr)}};
  return json.dump();
}

std::string Position::ToJson() const {
  Json json = {{"pieces", PiecesToJson(*this)}, {"active_player", PlayerName(to_move_)}};
  for (size_t i = 0; i < kInfo.seats; ++i) {
    const Seat seat = SeatAt(i);
    json["castling"][std::string(kPlayers[i])] = {{"K", is_in(seat) && can_castle_short(seat)},
                                                  {"Q", is_in(seat) && can_castle_long(seat)}};
  }
  json["move_number"] = move_number_;
  json["en_passant"] = en_passant() ? Json(en_passant()->ToString()) : Json(nullptr);
  json["halfmove_clock"] = halfmove_clock_;
  for (size_t i = 0; i < kInfo.seats; ++i) {
    const std::string_view status = kStatuses[kStatusLetters.find(this->status(SeatAt(i)))];
    json["statuses"][std::string(kPlayers[i])] = status;
  }
  return json.dump();
}

absl::StatusOr<Position> Position::FromJson(std::string_view text) {
  Json json;
  try {
    json = Json::parse(text);
  } catch (const Json::parse_error& error) {
    const size_t at = std::min(text.size(), error.byte == 0 ? 0 : error.byte - 1);
    const std::string_view rest = text.substr(at);
    return absl::InvalidArgumentError(absl::StrFormat(
        "not JSON: syntax error at byte %d, %s", at + 1,
        rest.empty() ? "where the text ends" : "where it goes on with " + Quote(rest, 20)));
  } catch (const Json::exception&) {
    return absl::InvalidArgumentError("not JSON: a number is too large");
  }
  return ReadPosition(Node(json, ""));
}

}  // namespace triarch::triumvirate
