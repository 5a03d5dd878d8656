// Handles the root of a search: its moves, their scores and the policy.

#ifndef TRIARCH_BOTS_SEARCH_ROOT_H_
#define TRIARCH_BOTS_SEARCH_ROOT_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "bots/search/points.h"
#include "bots/search/searcher.h"
#include "core/base/portable_math.h"
#include "core/base/random.h"
#include "core/game/evaluate.h"
#include "core/game/game_state.h"
#include "core/game/position.h"

namespace triarch {

// A legal move of the current position, with the position after it.
template <Position P>
struct RootMove {
  typename P::Move move;
  P child;
  // The points if this move ends the game, or lets the others end it by a draw that depends on the
  // history (repetition, move count) and so is not visible in the position alone.
  std::optional<PerSeat<Score>> settled;
  int gain = 0;
  // The points that it gives up compared with the best move, from the last iteration that searched
  // it: 0 for the best; for others, possibly just enough to show that they are not the best.
  std::optional<Score> loss = std::nullopt;
};

// Records an iteration's scores of the first moves; `best` is the highest.
template <Position P>
void NoteLosses(std::vector<RootMove<P>>& moves, const std::vector<Score>& scores, Score best) {
  for (size_t i = 0; i < scores.size(); ++i) moves[i].loss = best - scores[i];
}

// Returns the policy of a search: a softmax in which a move that gives up kPolicyScale has 1/e of
// the weight. A move that no iteration reached counts as the worst of the others. If no iteration
// was finished, the first move, which is played, gets all the weight.
inline constexpr double kPolicyScale = 0.02 * kPoint;

template <Position P>
std::vector<WeighedMove<typename P::Move>> PolicyOf(const std::vector<RootMove<P>>& moves) {
  std::optional<Score> worst;
  for (const RootMove<P>& root : moves) {
    if (root.loss) worst = std::max(worst.value_or(0), *root.loss);
  }
  std::vector<WeighedMove<typename P::Move>> policy;
  double sum = 0;
  for (const RootMove<P>& root : moves) {
    double weight = policy.empty() ? 1 : 0;
    if (worst) weight = PortableExp(-root.loss.value_or(*worst) / kPolicyScale);
    policy.push_back({root.move, static_cast<float>(weight)});
    sum += weight;
  }
  for (auto& weighed : policy) weighed.weight /= static_cast<float>(sum);
  return policy;
}

// Returns the root's best move and the continuation stored in the search's table.
template <Position P, class Table>
std::vector<typename P::Move> LineOf(const RootMove<P>& best, const Table& table) {
  std::vector<typename P::Move> line = {best.move};
  P position = best.child;
  std::vector<uint64_t> seen;
  while (!best.settled && !position.outcome()) {
    const uint64_t key = position.key();
    const auto* entry = table.Find(key);
    if (entry == nullptr || std::find(seen.begin(), seen.end(), key) != seen.end()) break;
    const auto moves = position.LegalMoves();
    if (std::find(moves.begin(), moves.end(), entry->move) == moves.end()) break;
    seen.push_back(key);
    line.push_back(entry->move);
    position.Play(entry->move);
  }
  return line;
}

// Returns the legal moves, highest gain first, with ties in an order drawn from `random`; with
// `only`, just the legal move of that number. Requires: the game is not over.
template <HasEvaluation P>
std::vector<RootMove<P>> RootMoves(const GameState<P>& state, Random& random,
                                   std::optional<size_t> only = std::nullopt) {
  std::vector<RootMove<P>> moves;
  size_t number = 0;
  for (const typename P::Move move : state.position().LegalMoves()) {
    if (const size_t at = number++; only && at != *only) continue;
    GameState<P> next = state;
    next.Play(move);
    RootMove<P> root{move, next.position(), std::nullopt, CaptureGain(state.position(), move)};
    if (next.outcome()) {
      root.settled = FinalPoints<P>(*next.outcome());
    } else if (next.claimable()) {
      root.settled = DrawPoints(next.position());
    }
    moves.push_back(root);
  }
  for (size_t i = moves.size(); i > 1; --i) {
    std::swap(moves[i - 1], moves[random.Below(static_cast<uint32_t>(i))]);
  }
  std::stable_sort(moves.begin(), moves.end(),
                   [](const auto& a, const auto& b) { return a.gain > b.gain; });
  return moves;
}

// The keys of the positions that this bot was asked about in the game, followed by those on the
// path from the root to the current node. A position that occurs twice can be repeated again, so it
// counts as a draw.
template <Position P>
class Path {
 public:
  void Clear() { keys_.clear(); }
  void Push(uint64_t key) { keys_.push_back(key); }
  void Pop() { keys_.pop_back(); }

  // Returns whether `position`, not yet pushed, occurred before since the last irreversible move.
  bool Has(const P& position, uint64_t key) const {
    size_t left = std::min(keys_.size(), static_cast<size_t>(position.halfmove_clock()));
    for (size_t i = keys_.size(); left > 0; --left) {
      if (keys_[--i] == key) return true;
    }
    return false;
  }

 private:
  std::vector<uint64_t> keys_;
};

}  // namespace triarch

#endif  // TRIARCH_BOTS_SEARCH_ROOT_H_
