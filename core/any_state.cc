#include "core/any_state.h"

#include <utility>

#include "core/base/status_macros.h"
#include "core/base/text.h"
#include "core/json.h"
#include "core/picture.h"
#include "core/text.h"

namespace triarch {
namespace {

template <class P>
absl::StatusOr<AnyState> Wrap(absl::StatusOr<P> position, DrawRules rules) {
  if (!position.ok()) return position.status();
  return AnyState(GameState<P>(*position, rules));
}

// These call the games' functions that AnyState's members of the same names hide.
template <class P>
absl::StatusOr<P> NamedStart(std::string_view name) {
  return Start(kGame<P>, name);
}
template <class P>
absl::StatusOr<P> ReadPosition(std::string_view text) {
  return Trim(text).starts_with('{') ? FromJson(kGame<P>, text) : Parse(kGame<P>, text);
}
template <class P>
std::span<const std::string_view> StartNames() {
  return Starts(kGame<P>);
}
template <class P>
std::span<const std::string_view> FormNames() {
  return MoveForms(kGame<P>);
}
template <class P>
bool NamesCell(std::string_view text) {
  return IsCell(kGame<P>, text);
}

constexpr auto ReadMove = [](const auto& p, std::string_view text) { return ParseMove(p, text); };
constexpr auto StartNamed = [](const auto& p, std::string_view text) { return FindStart(p, text); };
constexpr auto MoveText = [](const auto& p, auto move) { return MoveToString(p, move); };
constexpr auto TpgnText = [](const auto& p, auto move) { return MoveToTpgn(p, move); };
constexpr auto StartText = [](const auto& p, auto move) { return MoveStart(p, move); };
constexpr auto MoveJson = [](const auto& p, auto move) { return MoveToJson(p, move); };
constexpr auto FormText = [](const auto& p, auto move, size_t form) {
  return MoveInForm(p, move, form);
};
constexpr auto DrawBoard = [](const auto& state, const BoardStyle& style) {
  return ToBoard(state.position(), style, state.last_move());
};
constexpr auto DrawSvg = [](const auto& state, const SvgStyle& style) {
  return ToSvg(state.position(), state.last_move(), style);
};

constexpr auto kText = [](const auto& state) { return ToString(state.position()); };
constexpr auto kJson = [](const auto& state) { return ToJson(state.position()); };

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
  absl::StatusOr<AnyState> state = absl::InternalError("the game is not in the list of games");
  ForEachGame(Games(), [&]<class P>() {
    if (&P::kInfo != info) return false;
    state = Wrap(NamedStart<P>(start), rules);
    return true;
  });
  return state;
}

absl::StatusOr<AnyState> AnyState::Parse(std::string_view game, std::string_view position,
                                         DrawRules rules) {
  ASSIGN_OR_RETURN(const GameInfo* info, FindGame(game));
  absl::StatusOr<AnyState> state = absl::InternalError("the game is not in the list of games");
  ForEachGame(Games(), [&]<class P>() {
    if (&P::kInfo != info) return false;
    state = Wrap(ReadPosition<P>(position), rules);
    return true;
  });
  return state;
}

std::span<const std::string_view> AnyState::Starts(std::string_view game) {
  std::span<const std::string_view> starts;
  ForEachGame(Games(), [&]<class P>() {
    if (P::kInfo.name != game && !game.empty()) return false;
    starts = StartNames<P>();
    return true;
  });
  return starts;
}

std::span<const std::string_view> AnyState::MoveForms(std::string_view game) {
  std::span<const std::string_view> forms;
  ForEachGame(Games(), [&]<class P>() {
    if (P::kInfo.name != game) return false;
    forms = FormNames<P>();
    return true;
  });
  return forms;
}

const GameInfo& AnyState::info() const {
  return std::visit([]<class P>(const GameState<P>&) -> const GameInfo& { return P::kInfo; },
                    state_);
}

std::string AnyState::ToString() const { return std::visit(kText, state_); }
std::string AnyState::ToJson() const { return std::visit(kJson, state_); }
std::string AnyState::ToSvg() const { return ToSvg(SvgStyle{}); }
std::string AnyState::ToSvg(const SvgStyle& style) const {
  return std::visit([&](const auto& state) { return DrawSvg(state, style); }, state_);
}
absl::StatusOr<std::string> AnyState::ToBoard(const BoardStyle& style) const {
  return std::visit([&](const auto& state) { return DrawBoard(state, style); }, state_);
}
int AnyState::halfmove_clock() const {
  return std::visit([](const auto& state) { return state.position().halfmove_clock(); }, state_);
}
int AnyState::move_number() const {
  return std::visit([](const auto& state) { return state.position().move_number(); }, state_);
}
bool AnyState::IsCell(std::string_view text) const {
  return std::visit([&]<class P>(const GameState<P>&) { return NamesCell<P>(text); }, state_);
}
std::optional<std::string> AnyState::FindStart(std::string_view text) const {
  return std::visit([&](const auto& state) { return StartNamed(state.position(), text); }, state_);
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
        Moves moves(std::in_place_type<typename P::MoveSets>);
        auto& sets = std::get<typename P::MoveSets>(moves.sets_);
        if (!state.outcome()) state.position().ListMoves(sets);
        return moves;
      },
      state_);
}

AnyState::Moves AnyState::LegalMovesFrom(std::string_view cell) const {
  return std::visit(
      [&]<class P>(const GameState<P>& state) {
        Moves moves(std::in_place_type<typename P::MoveSets>);
        auto& sets = std::get<typename P::MoveSets>(moves.sets_);
        if (state.outcome()) return moves;
        const auto from = FindCell(state.position(), cell);
        from ? state.position().ListMovesFrom(*from, sets) : state.position().ListMoves(sets);
        return moves;
      },
      state_);
}

absl::StatusOr<size_t> AnyState::FindMove(const Moves& moves, std::string_view text) const {
  return std::visit(
      [&]<class P>(const GameState<P>& state) -> absl::StatusOr<size_t> {
        if (state.outcome()) return absl::InvalidArgumentError("the game is over");
        ASSIGN_OR_RETURN(const typename P::Move move, ReadMove(state.position(), text));
        const size_t number = moves.As<P>().Find(move);
        if (number < moves.size()) return number;
        return absl::InternalError("a legal move is not in the list of legal moves");
      },
      state_);
}

std::string AnyState::MoveToString(const Moves& moves, size_t number) const {
  return std::visit(
      [&]<class P>(const GameState<P>& state) {
        return MoveText(state.position(), moves.As<P>()[number]);
      },
      state_);
}
std::string AnyState::MoveToTpgn(const Moves& moves, size_t number) const {
  return std::visit(
      [&]<class P>(const GameState<P>& state) {
        return TpgnText(state.position(), moves.As<P>()[number]);
      },
      state_);
}

std::string AnyState::MoveInForm(const Moves& moves, size_t number, size_t form) const {
  return std::visit(
      [&]<class P>(const GameState<P>& state) {
        return FormText(state.position(), moves.As<P>()[number], form);
      },
      state_);
}

std::string AnyState::MoveStart(const Moves& moves, size_t number) const {
  return std::visit(
      [&]<class P>(const GameState<P>& state) {
        return StartText(state.position(), moves.As<P>()[number]);
      },
      state_);
}
std::string AnyState::MoveToJson(const Moves& moves, size_t number) const {
  return std::visit(
      [&]<class P>(const GameState<P>& state) {
        return MoveJson(state.position(), moves.As<P>()[number]);
      },
      state_);
}

void AnyState::Play(const Moves& moves, size_t number) {
  std::visit([&]<class P>(GameState<P>& state) { state.Play(moves.As<P>()[number]); }, state_);
}

void AnyState::PlayAndList(Moves& moves, size_t number) {
  std::visit(
      [&]<class P>(GameState<P>& state) {
        auto& sets = std::get<typename P::MoveSets>(moves.sets_);
        state.PlayAndList(sets[number], sets);
        if (state.outcome()) sets.clear();
      },
      state_);
}

absl::Status AnyState::Play(std::string_view text) {
  return std::visit(
      [&]<class P>(GameState<P>& state) -> absl::Status {
        if (state.outcome()) return absl::InvalidArgumentError("the game is over");
        ASSIGN_OR_RETURN(const typename P::Move move, ReadMove(state.position(), text));
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
void AnyState::Adjudicate(Termination why) {
  std::visit([&](auto& state) { state.Adjudicate(why); }, state_);
}
void AnyState::AdjudicateWin(Seat winner, Termination why) {
  std::visit([&](auto& state) { state.AdjudicateWin(winner, why); }, state_);
}

}  // namespace triarch
