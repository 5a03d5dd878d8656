#include "arena/api/v1_json.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "core/base/check.h"
#include "core/game/outcome.h"
#include "core/game/piece.h"
#include "core/triumvirate/position.h"

namespace triarch::arena {
namespace {

using V1Json = nlohmann::ordered_json;
using triumvirate::Cell;
using triumvirate::Move;
using triumvirate::Position;

constexpr std::array<std::string_view, 3> kColors = {"white", "black", "red"};
constexpr size_t kChatShown = 6;

std::string_view ColorOf(Seat seat) { return kColors[Index(seat)]; }

const Position& PositionOf(const Table& table) {
  const GameState<Position>* const state = table.state().As<Position>();
  CHECK(state != nullptr);
  return state->position();
}

std::string LetterOf(PieceType type) { return {kPieceLetters[static_cast<size_t>(type)]}; }

std::string_view TypeWord(PlayerType type) {
  return type == PlayerType::kBot ? "smartbot" : ToString(type);
}

std::string_view StageWord(Table::Stage stage) {
  switch (stage) {
    case Table::Stage::kWaiting:
      return "waiting";
    case Table::Stage::kPlaying:
      return "playing";
    default:
      return "finished";
  }
}

V1Json BoardJson(const Position& position) {
  V1Json board = V1Json::array();
  for (int index = 0; index < triumvirate::kCells; ++index) {
    const Cell cell = Cell::At(index);
    const auto piece = position.piece_at(cell);
    if (!piece) continue;
    V1Json json = {{"notation", cell.ToString()},
                   {"type", LetterOf(piece->type)},
                   {"color", ColorOf(piece->color)},
                   {"owner", ColorOf(piece->owner)},
                   {"is_stuck", nullptr},
                   {"promotion_target_color", nullptr}};
    if (piece->type == PieceType::kPawn) {
      const bool is_stuck = position.is_stuck(cell);
      json["is_stuck"] = is_stuck;
      if (!is_stuck) json["promotion_target_color"] = ColorOf(position.pawn_target(cell));
    }
    board.push_back(std::move(json));
  }
  return board;
}

// Adds `legal_moves`, by the cells from which they go, and `promotion_moves`.
void AddMoves(const Table& table, V1Json& json) {
  V1Json moves = V1Json::object();
  V1Json promotions = V1Json::array();
  if (!table.is_over()) {
    for (const Move move : PositionOf(table).LegalMoves()) {
      const std::string from = move.from().ToString();
      const std::string to = move.to().ToString();
      V1Json& targets = moves[from];
      if (targets.empty() || targets.back() != to) targets.push_back(to);
      if (move.promotion() == PieceType::kQueen) promotions.push_back(from + to);
    }
  }
  json["legal_moves"] = std::move(moves);
  json["promotion_moves"] = std::move(promotions);
}

// Converts a move as core/json.h writes it.
V1Json MoveJson(const std::string& text) {
  if (text.empty()) return nullptr;
  const V1Json move = V1Json::parse(text);
  const auto letter = [](const V1Json& name) -> V1Json {
    if (name.is_null()) return nullptr;
    const std::string piece = name.get<std::string>();
    return piece == "Knight" ? "N" : piece.substr(0, 1);
  };
  std::string type = move["type"].get<std::string>();
  if (type == "promotion" && !move["captured"].is_null()) type = "promotion_capture";
  return {{"from_square", move["from"]},
          {"to_square", move["to"]},
          {"move_type", type},
          {"promotion", letter(move["promotion"])},
          {"captured", letter(move["captured"])}};
}

std::string_view StatusWord(const Position& position, Seat seat) {
  switch (position.status(seat)) {
    case 'a':
      return "active";
    case 'c':
      return "in_check";
    case 's':
      return "stalemate";
    default:
      return "eliminated";
  }
}

V1Json PlayersJson(const Table& table) {
  V1Json players = V1Json::array();
  for (size_t i = 0; i < kColors.size(); ++i) {
    const Seat seat = SeatAt(i);
    const std::optional<Occupant>& occupant = table.occupant(seat);
    V1Json player = {{"color", kColors[i]},
                     {"name", occupant ? occupant->name : ""},
                     {"player_type", occupant ? TypeWord(occupant->type) : "human"},
                     {"model", nullptr},
                     {"status", StatusWord(PositionOf(table), seat)},
                     {"is_replacement", table.is_replacement(seat)}};
    if (occupant && !occupant->model.empty()) player["model"] = occupant->model;
    players.push_back(std::move(player));
  }
  return players;
}

V1Json CheckJson(const Table& table) {
  V1Json checked = V1Json::array();
  for (size_t i = 0; i < kColors.size(); ++i) {
    if (PositionOf(table).in_check(SeatAt(i))) checked.push_back(kColors[i]);
  }
  if (checked.empty() || table.is_over()) return nullptr;
  return {{"is_check", true}, {"checked_colors", checked}};
}

V1Json ChatJson(const Table& table) {
  V1Json lines = V1Json::array();
  const std::deque<ChatLine>& chat = table.chat();
  for (size_t i = chat.size() - std::min(chat.size(), kChatShown); i < chat.size(); ++i) {
    lines.push_back({{"move_number", chat[i].move_number},
                     {"color", ColorOf(chat[i].seat)},
                     {"player_name", chat[i].name},
                     {"message", chat[i].text}});
  }
  return lines;
}

// Sets `winner` and `reason`, both null during the game. Shared first places have no winner.
void AddResult(const Table& table, V1Json& json) {
  json["winner"] = nullptr;
  json["reason"] = nullptr;
  if (table.stage() == Table::Stage::kClosed) json["reason"] = ToString(Termination::kAbandoned);
  const std::optional<Outcome>& outcome = table.state().outcome();
  if (table.stage() != Table::Stage::kFinished || !outcome) return;
  json["reason"] = ToString(outcome->termination);
  const auto& place = outcome->place;
  if (std::count(place.begin(), place.end(), 1) != 1) return;
  for (size_t i = 0; i < kColors.size(); ++i) {
    if (place[SeatAt(i)] == 1) json["winner"] = kColors[i];
  }
}

V1Json CountsJson(const PlayerResults& results) {
  return {{"games", results.games}, {"wins", results.wins}, {"points", results.points}};
}

std::string Dump(const V1Json& json) {
  return json.dump(-1, ' ', false, V1Json::error_handler_t::replace);
}

}  // namespace

std::string StateJson(const Table& table) {
  const Position& position = PositionOf(table);
  V1Json json = {{"game_id", table.id()},
                 {"board", BoardJson(position)},
                 {"current_player", ColorOf(position.to_move())}};
  AddMoves(table, json);
  json["last_move"] = MoveJson(table.last_move());
  json["prev_move"] = MoveJson(table.previous_move());
  json["players"] = PlayersJson(table);
  json["move_number"] = table.state().move_number();
  json["game_status"] = StageWord(table.stage());
  json["check"] = CheckJson(table);
  json["position_3pf"] = table.state().ToString();
  json["chat_history"] = ChatJson(table);
  AddResult(table, json);
  json["server_version"] = "triarch " TRIARCH_VERSION;
  return Dump(json);
}

std::string MovedJson(const Table& table, const MoveFacts& facts, const std::string& state) {
  const Position& position = PositionOf(table);
  V1Json json = {{"success", true}};
  bool is_check = false;
  bool is_checkmate = false;
  bool is_stalemate = false;
  V1Json eliminated = nullptr;
  for (size_t i = 0; i < kColors.size(); ++i) {
    const Seat seat = SeatAt(i);
    is_check = is_check || position.in_check(seat);
    is_stalemate = is_stalemate || position.status(seat) == 's';
    if (!facts.was_in[seat] || position.is_in(seat)) continue;
    eliminated = kColors[i];
    is_checkmate = is_checkmate || table.state().endings()[seat] == Termination::kCheckmate;
  }
  json["is_check"] = is_check;
  json["is_checkmate"] = is_checkmate;
  json["is_stalemate"] = is_stalemate;
  json["eliminated_player"] = eliminated;
  json["inherited_pieces"] = V1Json::array();
  json["game_over"] = table.is_over();
  AddResult(table, json);
  // The state is spliced in rather than parsed again.
  std::string text = Dump(json);
  text.insert(1, "\"state\":" + state + ",");
  return text;
}

std::string IllegalMoveJson(const Table& table, const Refusal& refusal) {
  V1Json detail = {{"error", refusal.text}, {"attempts_remaining", refusal.attempts_left}};
  AddMoves(table, detail);
  return Dump({{"detail", detail}});
}

std::string JoinedJson(const Table& table, const std::string& token, Seat seat) {
  return Dump({{"player_token", token},
               {"game_id", table.id()},
               {"color", ColorOf(seat)},
               {"status", StageWord(table.stage())}});
}

std::string ResignedJson(const Table& table) {
  return Dump({{"game_id", table.id()}, {"game_status", StageWord(table.stage())}});
}

std::string ListedJson(const Table& table) {
  V1Json players = V1Json::array();
  for (size_t i = 0; i < kColors.size(); ++i) {
    const std::optional<Occupant>& occupant = table.occupant(SeatAt(i));
    if (occupant) players.push_back({{"color", kColors[i]}, {"name", occupant->name}});
  }
  return Dump({{"game_id", table.id()},
               {"players", players},
               {"move_number", table.state().move_number()}});
}

std::string ColorsJson(const GameResults& results) {
  V1Json json = {{"games", results.seats[Seat::kFirst].games}, {"colors", V1Json::array()}};
  for (size_t i = 0; i < kColors.size(); ++i) {
    V1Json row = {{"color", kColors[i]}};
    row.update(CountsJson(results.seats[SeatAt(i)]));
    json["colors"].push_back(std::move(row));
  }
  return Dump(json);
}

std::string LeaderboardJson(const GameResults& results) {
  V1Json json = V1Json::array();
  for (const PlayerResults& player : results.all) {
    V1Json row = {{"rank", json.size() + 1}, {"name", player.name}};
    row.update(CountsJson(player));
    json.push_back(std::move(row));
  }
  return Dump(json);
}

std::optional<char> PromotionLetter(const std::string& text) {
  if (text.empty()) return 'Q';
  std::string lower = text;
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  for (const PieceType type : kPromotions) {
    const char letter = kPieceLetters[static_cast<size_t>(type)];
    if (lower == kPieceNames[static_cast<size_t>(type)]) return letter;
    if (lower.size() == 1 && lower[0] == letter + 32) return letter;
  }
  return std::nullopt;
}

}  // namespace triarch::arena
