#include "arena/api/position_json.h"

#include <algorithm>
#include <optional>
#include <type_traits>

#include "absl/strings/ascii.h"
#include "arena/api/v2_json.h"
#include "core/base/status_macros.h"
#include "core/game/piece.h"
#include "core/games.h"
#include "core/geometry.h"
#include "core/text.h"

namespace triarch::arena {

using Json = nlohmann::ordered_json;

namespace {

// Returns "Rw", or "Pbr" for a piece of another color than its owner's.
template <Position P, class Piece>
std::string PieceWord(const Piece& piece) {
  const auto letter = [](Seat seat) { return P::kInfo.seat_letters[Index(seat)]; };
  std::string word(1, kPieceLetters[static_cast<size_t>(piece.type)]);
  if constexpr (requires { piece.color; }) {
    word += letter(piece.color);
    if (piece.color != piece.owner) word += letter(piece.owner);
  } else {
    word += letter(piece.owner);
  }
  return word;
}

// Returns "A1:Rw B6:Pbr".
template <Position P>
std::string PiecesText(const P& position) {
  std::string text;
  for (int cell = 0; cell < P::kCells; ++cell) {
    const auto piece = position.PieceOn(cell);
    if (!piece) continue;
    if (!text.empty()) text += ' ';
    text += CellText(position, cell) + ':' + PieceWord<P>(*piece);
  }
  return text;
}

// Lists the seats for which `is_listed` is true.
template <class F>
Json SeatsJson(const GameInfo& info, F is_listed) {
  Json seats = Json::array();
  for (size_t i = 0; i < info.seats; ++i) {
    if (is_listed(SeatAt(i))) seats.push_back(SeatWord(info, SeatAt(i)));
  }
  return seats;
}

// Adds where the attack boards are, in the game that has some.
template <Position P>
void AddPins(const P& position, Json& json) {
  if constexpr (requires { position.layout(); }) {
    for (const auto& pin : position.layout().pins) json["pins"].push_back(pin.ToString());
  }
}

}  // namespace

Json PositionJson(const AnyState& state) {
  const GameInfo& info = state.info();
  Json json = {{"text", state.ToString()}, {"to_move", nullptr}};
  if (!state.outcome()) json["to_move"] = SeatWord(info, state.to_move());
  json["pieces"] = state.Visit([](const auto& game) { return PiecesText(game.position()); });
  json["checks"] =
      SeatsJson(info, [&](Seat seat) { return state.is_in(seat) && state.in_check(seat); });
  json["out"] = SeatsJson(info, [&](Seat seat) { return !state.is_in(seat); });
  state.Visit([&](const auto& game) { AddPins(game.position(), json); });
  return json;
}

absl::StatusOr<Json> StartJson(const GameInfo& info) {
  ASSIGN_OR_RETURN(const AnyState start, AnyState::Start(info.name, ""));
  return PositionJson(start);
}

absl::StatusOr<std::string> GeometryText(const GameInfo& info) {
  ASSIGN_OR_RETURN(const AnyState start, AnyState::Start(info.name, ""));
  return start.Visit([](const auto& state) { return GeometryJson(state.position()); });
}

std::vector<std::string> CellsOfMove(const AnyState& before, const AnyState& after) {
  return after.Visit([&]<class P>(const GameState<P>& game) {
    using Cell = std::remove_cvref_t<decltype(game.last_move()->from())>;
    std::vector<std::string> cells;
    for (const P& position : {before.As<P>()->position(), game.position()}) {
      for (int i = 0; i < P::kCells; ++i) {
        if (!game.last_move()->marks(Cell::At(i))) continue;
        std::string cell = CellText(position, i);
        if (std::find(cells.begin(), cells.end(), cell) == cells.end()) {
          cells.push_back(std::move(cell));
        }
      }
    }
    // The cell that the piece left comes first.
    const int from = game.last_move()->from().index();
    const auto left =
        std::find(cells.begin(), cells.end(), CellText(before.As<P>()->position(), from));
    if (left != cells.end()) std::rotate(cells.begin(), left, left + 1);
    return cells;
  });
}

}  // namespace triarch::arena
