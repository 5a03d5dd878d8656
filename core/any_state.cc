#include "core/any_state.h"

#include <utility>

#include "core/base/status_macros.h"
#include "core/base/text.h"

namespace triarch {
namespace {

template <class P>
absl::StatusOr<AnyState> Wrap(absl::StatusOr<P> position, DrawRules rules) {
  if (!position.ok()) return position.status();
  return AnyState(GameState<P>(*position, rules));
}

}  // namespace

std::vector<const GameInfo*> AllGames() {
  std::vector<const GameInfo*> games;
  ForEachGame(Games(), [&]<class P>() {
    games.push_back(&P::kInfo);
    return false;
  });
  return games;
}

absl::StatusOr<const GameInfo*> FindGame(std::string_view name) {
  std::string known;
  for (const GameInfo* game : AllGames()) {
    if (name.empty() || game->name == name) return game;
    known += known.empty() ? "" : ", ";
    known += game->name;
  }
  return absl::InvalidArgumentError("unknown game " + Quote(name) + "; known: " + known);
}

absl::StatusOr<AnyState> AnyState::Start(std::string_view game, std::string_view start,
                                         DrawRules rules) {
  ASSIGN_OR_RETURN(const GameInfo* info, FindGame(game));
  absl::StatusOr<AnyState> state = absl::InternalError("the game is in no list");
  ForEachGame(Games(), [&]<class P>() {
    if (&P::kInfo != info) return false;
    state = Wrap(P::Start(start), rules);
    return true;
  });
  return state;
}

absl::StatusOr<AnyState> AnyState::Parse(std::string_view game, std::string_view position,
                                         DrawRules rules) {
  ASSIGN_OR_RETURN(const GameInfo* info, FindGame(game));
  absl::StatusOr<AnyState> state = absl::InternalError("the game is in no list");
  ForEachGame(Games(), [&]<class P>() {
    if (&P::kInfo != info) return false;
    const bool is_json = Trim(position).starts_with('{');
    state = Wrap(is_json ? P::FromJson(position) : P::Parse(position), rules);
    return true;
  });
  return state;
}

std::span<const std::string_view> AnyState::Starts(std::string_view game) {
  std::span<const std::string_view> starts;
  ForEachGame(Games(), [&]<class P>() {
    if (P::kInfo.name != game && !game.empty()) return false;
    starts = P::Starts();
    return true;
  });
  return starts;
}

std::span<const std::string_view> AnyState::MoveForms(std::string_view game) {
  std::span<const std::string_view> forms;
  ForEachGame(Games(), [&]<class P>() {
    if (P::kInfo.name != game) return false;
    forms = P::MoveForms();
    return true;
  });
  return forms;
}

const GameInfo& AnyState::info() const {
  return std::visit([]<class P>(const GameState<P>&) -> const GameInfo& { return P::kInfo; },
                    state_);
}

std::string AnyState::ToString() const {
  return std::visit([](const auto& state) { return state.position().ToString(); }, state_);
}
std::string AnyState::ToJson() const {
  return std::visit([](const auto& state) { return state.position().ToJson(); }, state_);
}
std::string AnyState::ToSvg() const {
  return std::visit([](const auto& state) { return state.position().ToSvg(); }, state_);
}
absl::StatusOr<std::string> AnyState::ToBoard(const BoardStyle& style) const {
  return std::visit([&](const auto& state) { return state.position().ToBoard(style); }, state_);
}
int AnyState::halfmove_clock() const {
  return std::visit([](const auto& state) { return state.position().halfmove_clock(); }, state_);
}
int AnyState::move_number() const {
  return std::visit([](const auto& state) { return state.position().move_number(); }, state_);
}
bool AnyState::IsCell(std::string_view text) const {
  return std::visit([&](const auto& state) { return state.position().IsCell(text); }, state_);
}
std::optional<std::string> AnyState::FindStart(std::string_view text) const {
  return std::visit([&](const auto& state) { return state.position().FindStart(text); }, state_);
}
uint64_t AnyState::key() const {
  return std::visit([](const auto& state) { return state.position().key(); }, state_);
}
const PerSeat<std::optional<Termination>>& AnyState::endings() const {
  return std::visit(
      [](const auto& state) -> const PerSeat<std::optional<Termination>>& {
        return state.endings();
      },
      state_);
}

AnyState::Moves AnyState::LegalMoves() const {
  return std::visit(
      []<class P>(const GameState<P>& state) {
        using List = MoveList<typename P::Move>;
        return Moves(std::in_place_type<List>,
                     [&state] { return state.outcome() ? List() : state.position().LegalMoves(); });
      },
      state_);
}

absl::StatusOr<size_t> AnyState::FindMove(const Moves& moves, std::string_view text) const {
  return std::visit(
      [&]<class P>(const GameState<P>& state) -> absl::StatusOr<size_t> {
        if (state.outcome()) return absl::InvalidArgumentError("the game is over");
        ASSIGN_OR_RETURN(const typename P::Move move, state.position().ParseMove(text));
        const auto& list = moves.As<P>();
        for (size_t i = 0; i < list.size(); ++i) {
          if (list[i] == move) return i;
        }
        return absl::InternalError("a legal move is not in the list of legal moves");
      },
      state_);
}

std::string AnyState::MoveToString(const Moves& moves, size_t number) const {
  return std::visit(
      [&]<class P>(const GameState<P>& state) {
        return state.position().MoveToString(moves.As<P>()[number]);
      },
      state_);
}
std::string AnyState::MoveToTpgn(const Moves& moves, size_t number) const {
  return std::visit(
      [&]<class P>(const GameState<P>& state) {
        return state.position().MoveToTpgn(moves.As<P>()[number]);
      },
      state_);
}

std::string AnyState::MoveInForm(const Moves& moves, size_t number, size_t form) const {
  return std::visit(
      [&]<class P>(const GameState<P>& state) {
        return state.position().MoveInForm(moves.As<P>()[number], form);
      },
      state_);
}

std::string AnyState::MoveStart(const Moves& moves, size_t number) const {
  return std::visit(
      [&]<class P>(const GameState<P>& state) {
        return state.position().MoveStart(moves.As<P>()[number]);
      },
      state_);
}
std::string AnyState::MoveToJson(const Moves& moves, size_t number) const {
  return std::visit(
      [&]<class P>(const GameState<P>& state) {
        return state.position().MoveToJson(moves.As<P>()[number]);
      },
      state_);
}

void AnyState::Play(const Moves& moves, size_t number) {
  std::visit([&]<class P>(GameState<P>& state) { state.Play(moves.As<P>()[number]); }, state_);
}

absl::Status AnyState::Play(std::string_view text) {
  return std::visit(
      [&]<class P>(GameState<P>& state) -> absl::Status {
        if (state.outcome()) return absl::InvalidArgumentError("the game is over");
        ASSIGN_OR_RETURN(const typename P::Move move, state.position().ParseMove(text));
        state.Play(move);
        return absl::OkStatus();
      },
      state_);
}

void AnyState::JudgeTurn() {
  std::visit([](auto& state) { state.JudgeTurn(); }, state_);
}
void AnyState::Eliminate(Seat seat, Termination why) {
  std::visit([&](auto& state) { state.Eliminate(seat, why); }, state_);
}
bool AnyState::ClaimDraw() {
  return std::visit([](auto& state) { return state.ClaimDraw(); }, state_);
}
void AnyState::Adjudicate() {
  std::visit([](auto& state) { state.Adjudicate(); }, state_);
}
void AnyState::AdjudicateWin(Seat winner) {
  std::visit([&](auto& state) { state.AdjudicateWin(winner); }, state_);
}

}  // namespace triarch
