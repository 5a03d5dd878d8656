#ifndef TRIARCH_BOTS_MCTS_MCTS_H_
#define TRIARCH_BOTS_MCTS_MCTS_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "bots/mcts/mcts_options.h"
#include "bots/search/limits.h"
#include "bots/search/points.h"
#include "bots/search/quiescence.h"
#include "bots/search/root.h"
#include "core/base/random.h"
#include "core/game/game_state.h"
#include "core/game/position.h"

namespace triarch {

// Monte Carlo tree search: UCT with a vector of rewards, the points of all seats. At each node its
// mover goes where its own mean so far, plus a term for what is little tried, is best. Moves start
// with a weight by what they capture (the "predictor" of Rosin 2011), so that a thousand nodes are
// not spent on trying each move once. A new node is valued by the standings once captures are
// played out; there are no random playouts, as games take hundreds of plies.
//
// One node of the limits is one walk from the root, which adds one position to the tree.
template <Position P>
class Mcts {
 public:
  using Game = P;
  using Move = typename P::Move;

  explicit Mcts(const MctsOptions& options = {}) : options_(options) {}

  void NewGame(Seat /*seat*/, uint64_t seed) {
    random_ = Random(seed);
    path_.Clear();
  }

  // Requires: the game runs.
  SearchResult<Move> Search(const GameState<P>& state, const Limits& limits) {
    Budget budget(limits, kWalksPerLook);
    PlantRoot(state);
    // Without a choice there is nothing to find out but the score.
    while (budget.Spend()) {
      Walk(state.position());
      if (edges_.size() == 1 && budget.nodes() >= 2) break;
    }
    path_.Push(state.position().key());
    const Node& root = nodes_.front();
    const Edge* best = &edges_.front();
    for (uint32_t i = 0; i < root.edge_count; ++i) {
      const Edge& edge = edges_[i];
      if (edge.visits > best->visits) best = &edge;
    }
    return {best->move, budget.nodes(), depth_max_, MeanPoints(*best)};
  }

 private:
  static constexpr int64_t kWalksPerLook = 64;
  static constexpr int kQuietPliesMax = 4;
  static constexpr int64_t kQuietNodesMax = 64;  // for one leaf
  // The tree stops growing, but not learning, at this size (some 100 MB).
  static constexpr size_t kEdgesMax = size_t{1} << 21;
  static constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();

  struct Edge {
    Move move;
    float weight = 0;  // of all moves of a node they add up to 1
    uint32_t visits = 0;
    uint32_t child = kNone;
    PerSeat<int64_t> points{};  // summed over the visits
  };

  struct Node {
    uint64_t key = 0;
    uint32_t first_edge = 0;
    uint32_t edge_count = 0;  // 0: `points` are final
    uint32_t visits = 0;
    Seat mover = Seat::kFirst;
    PerSeat<Score> points{};  // when it was new
  };

  void PlantRoot(const GameState<P>& state) {
    nodes_.clear();
    edges_.clear();
    depth_max_ = 0;
    nodes_.push_back(MakeNode(state.position()));
    const std::vector<RootMove<P>> moves = RootMoves(state, random_);
    for (const RootMove<P>& root : moves) {
      Edge edge{.move = root.move, .weight = 0};
      edge.weight = Weight(root.gain);
      if (root.settled) {
        edge.child = static_cast<uint32_t>(nodes_.size());
        nodes_.push_back({.points = *root.settled});
      }
      edges_.push_back(edge);
    }
    nodes_.front().edge_count = static_cast<uint32_t>(edges_.size());
    ScaleWeights(nodes_.front());
  }

  // Down from the root to a position that is new, and back up with what it is worth.
  void Walk(P position) {
    way_.clear();
    uint32_t index = 0;
    while (nodes_[index].edge_count != 0) {
      const uint32_t edge_index = Select(nodes_[index]);
      way_.push_back({index, edge_index});
      position.Play(edges_[edge_index].move);
      const uint32_t child = edges_[edge_index].child;
      if (child == kNone) {
        BackUp(Grow(position, edge_index));
        return;
      }
      index = child;
    }
    BackUp(nodes_[index].points);
  }

  // The position at the end of the edge joins the tree, if there is room.
  PerSeat<Score> Grow(const P& position, uint32_t edge_index) {
    Node node = MakeNode(position);
    const bool is_repeated = IsRepeated(position, node.key);
    if (is_repeated) node.points = DrawPoints(position);
    const PerSeat<Score> points = node.points;
    if (edges_.size() > kEdgesMax) return points;
    if (!is_repeated && !position.outcome()) {
      for (const Move move : position.LegalMoves()) {
        edges_.push_back({.move = move, .weight = Weight(position.CaptureGain(move))});
      }
      node.edge_count = static_cast<uint32_t>(edges_.size()) - node.first_edge;
      ScaleWeights(node);
    }
    edges_[edge_index].child = static_cast<uint32_t>(nodes_.size());
    nodes_.push_back(node);
    return points;
  }

  Node MakeNode(const P& position) {
    Node node{.key = position.key(), .first_edge = static_cast<uint32_t>(edges_.size())};
    node.mover = position.to_move();
    if (const std::optional<Outcome> outcome = position.outcome()) {
      node.points = FinalPoints<P>(*outcome);
    } else {
      Budget budget({.nodes_max = kQuietNodesMax});
      node.points = QuietPoints(position, kQuietPliesMax, budget);
    }
    return node;
  }

  // Whether the position was there before, in the game or on the way from the root.
  bool IsRepeated(const P& position, uint64_t key) const {
    const auto is_it = [&](const Step& step) { return nodes_[step.node].key == key; };
    return path_.Has(position, key) || std::any_of(way_.begin(), way_.end(), is_it);
  }

  // How much more often than a quiet move a capture is tried at first.
  static float Weight(int gain) {
    if (gain < 0) return 0.3f;
    return 1.0f + static_cast<float>(gain) / 50.0f;
  }
  void ScaleWeights(const Node& node) {
    float sum = 0;
    for (uint32_t i = 0; i < node.edge_count; ++i) sum += edges_[node.first_edge + i].weight;
    for (uint32_t i = 0; i < node.edge_count; ++i) edges_[node.first_edge + i].weight /= sum;
  }

  uint32_t Select(const Node& node) const {
    const double spread =
        options_.exploration * std::sqrt(static_cast<double>(node.visits + 1)) * kPoint;
    // What is not tried yet is taken for a little worse than the node was when new.
    const double untried = node.points[node.mover] - kUntriedPenalty;
    uint32_t best = node.first_edge;
    double best_value = -std::numeric_limits<double>::infinity();
    for (uint32_t i = node.first_edge; i < node.first_edge + node.edge_count; ++i) {
      const Edge& edge = edges_[i];
      const double visits = edge.visits;
      const double mean =
          edge.visits == 0 ? untried : static_cast<double>(edge.points[node.mover]) / visits;
      const double value = mean + spread * static_cast<double>(edge.weight) / (1 + visits);
      if (value > best_value) {
        best_value = value;
        best = i;
      }
    }
    return best;
  }

  void BackUp(PerSeat<Score> points) {
    depth_max_ = std::max(depth_max_, static_cast<int>(way_.size()));
    for (size_t i = way_.size(); i-- > 0;) {
      points = Later(points);
      ++nodes_[way_[i].node].visits;
      Edge& edge = edges_[way_[i].edge];
      ++edge.visits;
      for (size_t s = 0; s < P::kInfo.seats; ++s) edge.points[SeatAt(s)] += points[SeatAt(s)];
    }
  }

  PerSeat<Score> MeanPoints(const Edge& edge) const {
    if (edge.visits == 0) return nodes_.front().points;
    PerSeat<Score> mean;
    for (size_t s = 0; s < P::kInfo.seats; ++s) {
      mean[SeatAt(s)] = static_cast<Score>(edge.points[SeatAt(s)] / edge.visits);
    }
    return mean;
  }

  struct Step {
    uint32_t node;
    uint32_t edge;
  };

  static constexpr double kUntriedPenalty = 0.02 * kPoint;

  const MctsOptions options_;
  Random random_{0};
  Path<P> path_;
  std::vector<Node> nodes_;  // the root first
  std::vector<Edge> edges_;  // the root's first, each node's in a row
  std::vector<Step> way_;    // of the walk that is on
  int depth_max_ = 0;
};

}  // namespace triarch

#endif  // TRIARCH_BOTS_MCTS_MCTS_H_
