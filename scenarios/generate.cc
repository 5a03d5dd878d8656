#include "scenarios/generate.h"

#include <array>
#include <cstddef>
#include <deque>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "core/any_state.h"
#include "core/base/check.h"
#include "core/base/random.h"
#include "scenarios/judge.h"
#include "scenarios/scenario_table.h"

namespace triarch {
namespace {

// The cells of a canonical move, or the pins of a board.
struct FromTo {
  std::string from;
  std::string to;
};

// A move that is almost legal.
struct NearMiss {
  std::string move;
  std::string reason;
  std::string_view description;
};

class ScenarioGenerator {
 public:
  ScenarioGenerator(const GameInfo& game, uint64_t seed)
      : game_(game), random_(seed), state_(AnyState::Start(game.name, "").value()) {}

  std::string Table(int64_t rows) {
    std::string table;
    for (size_t column = 0; column < kColumns; ++column) {
      table += (column == 0 ? "" : "\t") + NameOf(Column{column});
    }
    table += '\n';
    while (rows_ < rows) {
      PlayOn();
      AddPair(rows, &table);
    }
    return table;
  }

 private:
  // Plays up to sixteen random moves. Begins a new game after the end.
  void PlayOn() {
    for (auto plies = random_.Below(16) + 1; plies > 0; --plies) {
      if (state_.outcome()) {
        state_ = AnyState::Start(game_.name, "").value();
        earlier_.clear();
      }
      const AnyState::Moves moves = state_.LegalMoves();
      earlier_.push_back(state_.MoveToString(moves, RandomIndex(moves.size())));
      if (earlier_.size() > 2 * kSeatsMax) earlier_.pop_front();
      state_.Play(moves, RandomIndex(moves.size()));
    }
  }

  // Adds two rows about the current position, unless the game is over.
  void AddPair(int64_t rows, std::string* table) {
    if (state_.outcome()) return;
    // A row knows nothing about the game before it.
    const std::string position = state_.ToString();
    absl::StatusOr<AnyState> state = AnyState::Parse(game_.name, position, kRulesOnly);
    if (!state.ok()) return;
    state->JudgeTurn();
    const AnyState::Moves moves = state->LegalMoves();
    if (moves.size() == 0 || !positions_.insert(position).second) return;
    Scenario legal;
    legal.fields[kDescription] = "A legal move";
    legal.fields[kMove] = state->MoveToString(moves, RandomIndex(moves.size()));
    legal.is_valid = true;
    Add(std::move(legal), position, table);
    const std::optional<NearMiss> miss = FindNearMiss(*state, moves);
    if (!miss || rows_ == rows) return;
    Scenario illegal;
    illegal.fields[kDescription] = miss->description;
    illegal.fields[kMove] = miss->move;
    illegal.fields[kReason] = miss->reason;
    Add(std::move(illegal), position, table);
  }

  // Completes a row and adds it.
  void Add(Scenario scenario, const std::string& position, std::string* table) {
    scenario.fields[kId] = absl::StrFormat("GENERATED_%06d", ++rows_);
    scenario.fields[kCategory] = "generated";
    scenario.fields[kPosition] = position;
    scenario.fields[kExpected] = scenario.is_valid ? "VALID" : "INVALID";
    scenario.fields[kRule] = "by the program";
    const absl::StatusOr<Verdict> verdict = Judge(std::string(game_.name), scenario);
    CHECK(verdict.ok() && verdict->is_passed);
    if (scenario.is_valid) {
      scenario.fields[kEnds] = *verdict->ends;
      // A position after the end cannot be read in every game.
      if (*verdict->ends == "-") scenario.fields[kAfter] = *verdict->after;
    }
    for (size_t column = 0; column < kColumns; ++column) {
      *table += (column == 0 ? "" : "\t") + scenario.fields[column];
    }
    *table += '\n';
  }

  std::optional<NearMiss> FindNearMiss(const AnyState& state, const AnyState::Moves& moves) {
    constexpr int kAttempts = 100;
    for (int i = 0; i < kAttempts; ++i) {
      NearMiss miss = RandomMiss(state, moves);
      if (miss.move.empty()) continue;
      const absl::Status why = state.FindMove(moves, miss.move).status();
      miss.reason = std::string(why.message());
      // A text that is no move at all is not a near miss: "…; a move is written E2-E4, …".
      if (!why.ok() && miss.reason.find(" is written ") == std::string::npos) return miss;
    }
    return std::nullopt;
  }

  // Returns a variation of a legal move, which may be legal too. Its move is empty if this move
  // cannot be varied.
  NearMiss RandomMiss(const AnyState& state, const AnyState::Moves& moves) {
    const size_t number = RandomIndex(moves.size());
    const std::string text = state.MoveToString(moves, number);
    const std::optional<FromTo> parts = PartsOf(state, moves, number);
    switch (random_.Below(8)) {
      case 0:
      case 1:
      case 2: {
        const auto other = PartsOf(state, moves, RandomIndex(moves.size()));
        if (!parts || !other) return {};
        return {parts->from + "-" + other->to, "", "A move to where another piece can go"};
      }
      case 3:
      case 4:
      case 5:
        return {earlier_[RandomIndex(earlier_.size())], "", "A move that was legal before"};
      case 6: {
        const size_t promotion = text.find('=');
        if (promotion == std::string::npos) return {text + "=Q", "", "A move with a promotion"};
        return {text.substr(0, promotion), "", "A move without its promotion"};
      }
      default:
        if (!parts) return {};
        return {parts->to + "-" + parts->from, "", "A legal move backwards"};
    }
  }

  // Returns nothing for moves that do not name two cells or pins, such as "0-0".
  static std::optional<FromTo> PartsOf(const AnyState& state, const AnyState::Moves& moves,
                                       size_t number) {
    const std::string text = state.MoveToString(moves, number);
    const std::string from = state.MoveStart(moves, number);
    if (!text.starts_with(from + "-")) return std::nullopt;
    const std::string to = text.substr(from.size() + 1);
    return FromTo{from, to.substr(0, to.find('='))};
  }

  size_t RandomIndex(size_t size) { return random_.Below(static_cast<uint32_t>(size)); }

  const GameInfo& game_;
  Random random_;
  AnyState state_;
  std::deque<std::string> earlier_;  // moves that were legal in the last turns
  std::set<std::string> positions_;  // used already
  int64_t rows_ = 0;
};

}  // namespace

std::string GenerateScenarios(const GameInfo& game, int64_t rows, uint64_t seed) {
  return ScenarioGenerator(game, seed).Table(rows);
}

}  // namespace triarch
