// Holds the state of any game behind one type.

#ifndef TRIARCH_CORE_ANY_STATE_H_
#define TRIARCH_CORE_ANY_STATE_H_

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/game/game_state.h"
#include "core/game/outcome.h"
#include "core/game/position.h"
#include "core/games.h"

// For code that does not depend on the game: the game runner, the recorder, the command line.
// Search bots and perft work on GameState<P> directly.
namespace triarch {

struct BoardStyle;  // core/game/picture.h
struct SvgStyle;

// Finds a game by name; "" is the default game. The error lists the names.
absl::StatusOr<const GameInfo*> FindGame(std::string_view name);
std::vector<const GameInfo*> AllGames();

class AnyState {
 public:
  template <Position P>
  explicit AnyState(GameState<P> state) : state_(std::move(state)) {}

  // Returns the named start of a game; "" is the default start.
  static absl::StatusOr<AnyState> Start(std::string_view game, std::string_view start,
                                        DrawRules rules = {});
  // Parses a position in the game's text form or, if it begins with '{', as position JSON.
  static absl::StatusOr<AnyState> Parse(std::string_view game, std::string_view position,
                                        DrawRules rules = {});
  static std::span<const std::string_view> Starts(std::string_view game);
  // Returns the forms in which a game's moves can be written. MoveInForm takes an index into them.
  static std::span<const std::string_view> MoveForms(std::string_view game);

  // Returns the state as that of a game P, or null if it is another game. For bots that are
  // templates over the game.
  template <Position P>
  const GameState<P>* As() const {
    return std::get_if<GameState<P>>(&state_);
  }

  // Calls f(state) with the GameState<P> of the actual game.
  template <class F>
  decltype(auto) Visit(F f) const {
    return std::visit(f, state_);
  }

  const GameInfo& info() const;
  std::string ToString() const;  // the position
  std::string ToJson() const;
  // These mark the last move.
  std::string ToSvg() const;
  std::string ToSvg(const SvgStyle& style) const;
  absl::StatusOr<std::string> ToBoard(const BoardStyle& style) const;
  // These are defined here because they are called on every ply: the compiler can inline them.
  Seat to_move() const {
    return std::visit([](const auto& state) { return state.position().to_move(); }, state_);
  }
  bool is_in(Seat seat) const {
    return std::visit([&](const auto& state) { return state.position().is_in(seat); }, state_);
  }
  bool in_check(Seat seat) const {
    return std::visit([&](const auto& state) { return state.position().in_check(seat); }, state_);
  }
  const std::optional<Outcome>& outcome() const {
    return std::visit(
        [](const auto& state) -> const std::optional<Outcome>& { return state.outcome(); }, state_);
  }
  int halfmove_clock() const;
  int move_number() const;
  bool IsCell(std::string_view text) const;
  std::optional<std::string> FindStart(std::string_view text) const;
  uint64_t key() const;
  const PerSeat<std::optional<Termination>>& endings() const;

  // The legal moves of the current position. A move is identified by its index in this list, which
  // must come from the same state.
  class Moves;
  Moves LegalMoves() const;
  // Returns the legal moves of the piece on the cell that the text names, or all legal moves if it
  // names no cell.
  Moves LegalMovesFrom(std::string_view cell) const;

  // Returns the index of the move that the text names, or an error that explains why it is not a
  // legal move. Does not change the state.
  absl::StatusOr<size_t> FindMove(const Moves& moves, std::string_view text) const;
  std::string MoveToString(const Moves& moves, size_t number) const;
  std::string MoveToTpgn(const Moves& moves, size_t number) const;
  std::string MoveInForm(const Moves& moves, size_t number, size_t form) const;
  std::string MoveStart(const Moves& moves, size_t number) const;
  std::string MoveToJson(const Moves& moves, size_t number) const;

  void Play(const Moves& moves, size_t number);
  // The same, and replaces `moves` by the legal moves of the new state, at less cost than
  // LegalMoves.
  void PlayAndList(Moves& moves, size_t number);
  // Plays the move that the text names, or returns an error if it is not legal.
  absl::Status Play(std::string_view text);
  void JudgeTurn();
  void Eliminate(Seat seat, Termination why);
  bool ClaimDraw();
  void Adjudicate(Termination why = Termination::kAdjudication);
  void AdjudicateWin(Seat winner, Termination why = Termination::kAdjudication);

 private:
  AnyGameState state_;
};

// The legal moves of one position, in the game's own move type.
class AnyState::Moves {
 public:
  Moves() = default;
  size_t size() const {
    return std::visit([](const auto& sets) { return sets.size(); }, sets_);
  }
  template <Position P>
  const typename P::MoveSets& As() const {
    return std::get<typename P::MoveSets>(sets_);
  }

 private:
  friend class AnyState;

  template <class Sets>
  explicit Moves(std::in_place_type_t<Sets> type) : sets_(type) {}

  AnyMoveSets sets_;
};

}  // namespace triarch

#endif  // TRIARCH_CORE_ANY_STATE_H_
