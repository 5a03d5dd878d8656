// Searches with Monte Carlo tree search and rewards per seat.

#ifndef TRIARCH_BOTS_MCTS_MCTS_H_
#define TRIARCH_BOTS_MCTS_MCTS_H_

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "bots/search/evaluation_cache.h"
#include "bots/search/limits.h"
#include "bots/search/points.h"
#include "bots/search/quiescence.h"
#include "bots/search/root.h"
#include "bots/search/tree.h"
#include "core/base/dirichlet.h"
#include "core/base/random.h"
#include "core/game/evaluate.h"
#include "core/game/game_state.h"
#include "core/game/position.h"

namespace triarch {

struct MctsOptions {
  double exploration = 0.3;  // how widely to explore moves that look worse
};

// Monte Carlo tree search: UCT with a vector of rewards, the points of all seats. Each node's mover
// picks the move with the highest expected points plus an exploration term. A new node is evaluated
// by its standings after captures are played out; there are no random playouts, because games
// take hundreds of plies.
// - The expected points of a move lie between the mean of the simulations through it and the result
//   if every seat plays its best explored move (implicit minimax backups, Lanctot et al. 2014).
// - Moves start with a weight (the "predictor" of Rosin 2011) based on what they capture and on how
//   the same move did elsewhere in the tree (progressive history, Nijssen and Winands 2011).
// - A node below the root opens only the moves of highest weight at first, and more as its visits
//   grow (progressive widening), so simulations are not spent on trying every move once.
// - The subtree of the current position is kept between turns.
//
// One node of the limits is one simulation from the root, which adds one position to the tree.
template <HasEvaluation P>
class Mcts {
 public:
  using Game = P;
  using Move = typename P::Move;
  static constexpr bool kTakesNoise = true;
  static constexpr bool kTakesOnlyMove = true;
  static constexpr bool kNeedsAllViews = true;

  // Without a network, positions get the hand-made evaluation.
  explicit Mcts(const MctsOptions& options = {},
                std::shared_ptr<const nnue::Network> network = nullptr)
      : options_(options), evaluations_(std::move(network)) {}

  void NewGame(Seat /*seat*/, uint64_t seed) {
    random_ = Random(seed);
    path_.Clear();
    nodes_.clear();
    edges_.clear();
    evaluations_.Clear();
    past_ = {};
  }

  // Requires: the game is not over.
  SearchResult<Move> Search(const GameState<P>& state, const Limits& limits) {
    Budget budget(limits, kWalksPerLook);
    PlantRoot(state, limits.only_move);
    if (limits.noise) AddNoise(*limits.noise);
    // With a single legal move, only the score is of interest.
    while (budget.Spend()) {
      Walk(state.position());
      if (nodes_.front().edge_count == 1 && !limits.only_move && budget.nodes() >= 2) break;
    }
    path_.Push(state.position().key());
    const Edge& best = MostVisited(nodes_.front());
    return {best.move, budget.nodes(), depth_max_, MeanPoints(best)};
  }

  // Returns each move's share of the visits in the last search. The bot plays the most visited
  // move.
  std::vector<WeighedMove<Move>> Policy() const {
    const Node& root = nodes_.front();
    std::vector<WeighedMove<Move>> policy;
    float sum = 0;
    for (uint32_t i = 0; i < root.edge_count; ++i) {
      policy.push_back({edges_[i].move, static_cast<float>(edges_[i].visits)});
      sum += policy.back().weight;
    }
    if (sum == 0) {
      policy.front().weight = sum = 1;
    }
    for (WeighedMove<Move>& weighed : policy) weighed.weight /= sum;
    return policy;
  }

  // Returns the number of simulations from the last search's position, including those of earlier
  // turns.
  uint32_t RootVisits() const { return nodes_.front().visits; }

  // Returns the expected line: the most visited move at each node.
  std::vector<Move> Line() const {
    std::vector<Move> line;
    const Node* node = &nodes_.front();
    while (node->edge_count != 0) {
      const Edge& edge = MostVisited(*node);
      if (edge.visits == 0 && !line.empty()) break;
      line.push_back(edge.move);
      if (edge.child == kNoChild) break;
      node = &nodes_[edge.child];
    }
    return line;
  }

 private:
  static constexpr int64_t kWalksPerLook = 64;
  static constexpr int kQuietPliesMax = 4;
  static constexpr int64_t kQuietNodesMax = 64;  // per leaf
  // At this size (about 100 MB, plus as much for SpareRows) the tree stops growing but keeps
  // learning.
  static constexpr size_t kEdgesMax = size_t{1} << 21;
  static constexpr size_t kPastSlots = 4096;

  struct Edge {
    Move move;
    float weight = 0;  // sums to 1 over the moves of a node
    uint32_t visits = 0;
    uint32_t child = kNoChild;
    PerSeat<int64_t> points{};  // sum over the visits
  };

  struct Node {
    uint64_t key = 0;
    uint32_t first_edge = 0;
    uint32_t edge_count = 0;  // if 0, `points` are final
    uint32_t visits = 0;
    Seat mover = Seat::kFirst;
    PerSeat<Score> points{};  // when the node was new
    PerSeat<Score> best{};    // if every seat plays its best explored move
  };

  void PlantRoot(const GameState<P>& state, std::optional<size_t> only) {
    depth_max_ = 0;
    const std::vector<RootMove<P>> moves = RootMoves(state, random_, only);
    // The kept tree has edges for all moves.
    if (Replant(state.position()) && !only) {
      for (const RootMove<P>& root : moves) {
        if (root.settled) Settle(root.move, *root.settled);
      }
      return;
    }
    nodes_.clear();
    edges_.clear();
    nodes_.push_back(MakeNode(state.position()));
    for (const RootMove<P>& root : moves) {
      Edge edge{.move = root.move, .weight = 0};
      edge.weight = Weight(root.gain);
      if (root.settled) {
        edge.child = static_cast<uint32_t>(nodes_.size());
        nodes_.push_back({.points = *root.settled, .best = *root.settled});
      }
      edges_.push_back(edge);
    }
    nodes_.front().edge_count = static_cast<uint32_t>(edges_.size());
    ScaleWeights(nodes_.front());
  }

  void AddNoise(const DirichletNoise& noise) {
    std::vector<float> weights;
    for (uint32_t i = 0; i < nodes_.front().edge_count; ++i) weights.push_back(edges_[i].weight);
    MixIn(noise, weights);
    for (uint32_t i = 0; i < nodes_.front().edge_count; ++i) edges_[i].weight = weights[i];
  }

  // Fixes the points of the root's move, overriding everything learned about it.
  void Settle(Move move, const PerSeat<Score>& points) {
    Node& root = nodes_.front();
    for (uint32_t i = 0; i < root.edge_count; ++i) {
      Edge& edge = edges_[i];
      if (edge.move != move) continue;
      root.visits -= edge.visits;
      edge.visits = 0;
      edge.points = {};
      edge.child = static_cast<uint32_t>(nodes_.size());
      nodes_.push_back({.points = points, .best = points});
      return;
    }
  }

  // Makes the node of `position` the root if it is near the current root, and drops everything
  // outside its subtree. Sets the root's position in any case.
  bool Replant(const P& position) {
    const std::optional<uint32_t> found = FindNode(nodes_, edges_, root_, position);
    root_ = position;
    if (found) KeepBelow(*found, &nodes_, &edges_, &spare_);
    return found.has_value();
  }

  // Descends from the root to a new position and backs up its evaluation.
  void Walk(P position) {
    way_.clear();
    uint32_t index = 0;
    while (nodes_[index].edge_count != 0) {
      const uint32_t edge_index = Select(nodes_[index]);
      way_.push_back({index, edge_index});
      position.Play(edges_[edge_index].move);
      const uint32_t child = edges_[edge_index].child;
      if (child == kNoChild) {
        BackUp(Grow(position, edge_index));
        return;
      }
      index = child;
    }
    BackUp(nodes_[index].points);
  }

  // Adds the position at the end of the edge to the tree if there is room.
  PerSeat<Score> Grow(const P& position, uint32_t edge_index) {
    Node node = MakeNode(position);
    const bool is_repeated = IsRepeated(position, node.key);
    if (is_repeated) node.best = node.points = DrawPoints(position);
    const PerSeat<Score> points = node.points;
    if (edges_.size() > kEdgesMax) return points;
    if (!is_repeated && !position.outcome()) {
      for (const Move move : position.LegalMoves()) {
        const float weight = Weight(CaptureGain(position, move)) * PastWeight(node.mover, move);
        edges_.push_back({.move = move, .weight = weight});
      }
      std::stable_sort(edges_.begin() + node.first_edge, edges_.end(),
                       [](const Edge& a, const Edge& b) { return a.weight > b.weight; });
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
      node.points = QuietPoints(position, kQuietPliesMax, budget, kNoBounds,
                                [this](const P& quiet) { return evaluations_.Points(quiet); });
    }
    node.best = node.points;
    return node;
  }

  // Returns whether the position occurred before, in the game or on the path from the root.
  bool IsRepeated(const P& position, uint64_t key) const {
    const auto is_it = [&](const Step& step) { return nodes_[step.node].key == key; };
    return path_.Has(position, key) || std::any_of(way_.begin(), way_.end(), is_it);
  }

  // Returns the initial weight of a capture relative to a quiet move.
  static float Weight(int gain) {
    if (gain < 0) return 0.3f;
    return 1.0f + static_cast<float>(gain) / 50.0f;
  }
  void ScaleWeights(const Node& node) {
    float sum = 0;
    for (uint32_t i = 0; i < node.edge_count; ++i) sum += edges_[node.first_edge + i].weight;
    for (uint32_t i = 0; i < node.edge_count; ++i) edges_[node.first_edge + i].weight /= sum;
  }

  // Returns how many of a node's moves may be explored: at the root, which has many visits, all of
  // them.
  uint32_t OpenEdges(const Node& node) const {
    if (&node == &nodes_.front()) return node.edge_count;
    const double open = kOpenAtFirst + kOpenPerRoot * std::sqrt(static_cast<double>(node.visits));
    return std::min(node.edge_count, static_cast<uint32_t>(open));
  }

  // Returns the mover's expected points for an explored move.
  double Expected(const Edge& edge, Seat mover) const {
    const double mean = static_cast<double>(edge.points[mover]) / edge.visits;
    if (edge.child == kNoChild) return mean;  // the tree is full
    return mean + kBestShare * (Later(nodes_[edge.child].best)[mover] - mean);
  }

  uint32_t Select(const Node& node) const {
    const double spread =
        options_.exploration * std::sqrt(static_cast<double>(node.visits + 1)) * kPoint;
    // An unexplored move counts a little less than the node did when it was new.
    const double untried = node.points[node.mover] - kUntriedPenalty;
    uint32_t best = node.first_edge;
    double best_value = -std::numeric_limits<double>::infinity();
    const uint32_t end = node.first_edge + OpenEdges(node);
    for (uint32_t i = node.first_edge; i < end; ++i) {
      const Edge& edge = edges_[i];
      const double visits = edge.visits;
      const double expected = edge.visits == 0 ? untried : Expected(edge, node.mover);
      const double value = expected + spread * static_cast<double>(edge.weight) / (1 + visits);
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
      Node& node = nodes_[way_[i].node];
      RenewBest(node);
      Past& past = past_[node.mover][Slot(edge.move)];
      past.sum += points[node.mover] - node.points[node.mover];
      ++past.count;
    }
  }

  // While few moves have been explored, the mover may also keep the standing of the new node.
  void RenewBest(Node& node) {
    uint32_t tried = 0;
    const PerSeat<Score>* best = nullptr;
    for (uint32_t i = node.first_edge; i < node.first_edge + node.edge_count; ++i) {
      const uint32_t child = edges_[i].child;
      if (child == kNoChild) continue;
      ++tried;
      const PerSeat<Score>& points = nodes_[child].best;
      if (best == nullptr || points[node.mover] > (*best)[node.mover]) best = &points;
    }
    if (best == nullptr) return;
    const bool is_little_tried = tried < std::min(node.edge_count, kTriedEnough);
    node.best = is_little_tried && node.points[node.mover] > (*best)[node.mover] ? node.points
                                                                                 : Later(*best);
  }

  // How a move did compared with its mover's expectation, over all nodes where it was tried.
  struct Past {
    int64_t sum = 0;
    int64_t count = 0;
  };
  static size_t Slot(Move move) {
    uint64_t bits = 0;
    std::memcpy(&bits, &move, sizeof(move));
    return static_cast<size_t>(Mix64(bits) % kPastSlots);
  }
  float PastWeight(Seat mover, Move move) const {
    const Past& past = past_[mover][Slot(move)];
    const double gain = static_cast<double>(past.sum) / static_cast<double>(past.count + 2);
    return static_cast<float>(std::clamp(1 + kPastScale * gain / kPoint, 0.25, 4.0));
  }

  // Returns the first of tied edges. Requires: the node has edges.
  const Edge& MostVisited(const Node& node) const {
    const auto first = edges_.begin() + node.first_edge;
    return *std::max_element(first, first + node.edge_count,
                             [](const Edge& a, const Edge& b) { return a.visits < b.visits; });
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
  static constexpr double kBestShare = 0.6;
  static constexpr uint32_t kTriedEnough = 8;
  static constexpr double kPastScale = 30;
  static constexpr double kOpenAtFirst = 6;
  static constexpr double kOpenPerRoot = 3;  // factor of the square root of the visits

  const MctsOptions options_;
  Random random_{0};
  Path<P> path_;
  EvaluationCache<P> evaluations_;
  P root_;                   // the position of the last search
  std::vector<Node> nodes_;  // root first
  std::vector<Edge> edges_;  // root's edges first, each node's edges contiguous
  SpareRows<Node, Edge> spare_;
  std::vector<Step> way_;  // the path of the current simulation
  PerSeat<std::array<Past, kPastSlots>> past_{};
  int depth_max_ = 0;
};

}  // namespace triarch

#endif  // TRIARCH_BOTS_MCTS_MCTS_H_
