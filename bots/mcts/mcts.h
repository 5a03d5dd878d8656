// Searches with Monte Carlo tree search and a reward for each seat.

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
  double exploration = 0.3;  // how widely to try moves that look worse
};

// Monte Carlo tree search: UCT with a vector of rewards, the points of all seats. At each node its
// mover goes where what it may expect, plus a term for what is little tried, is best. A new node is
// valued by the standings once captures are played out; there are no random playouts, as games take
// hundreds of plies.
// - What a mover may expect of a move is between the mean of the walks through it and what comes of
//   it if everybody plays the best that was tried (implicit minimax backups, Lanctot et al. 2014).
// - Moves start with a weight (the "predictor" of Rosin 2011) by what they capture and by how the
//   same move did elsewhere in the tree (progressive history, Nijssen and Winands 2011).
// - A node below the root opens few moves at first, those of most weight, and more with its visits
//   (progressive widening), so that walks are not spent on trying each move once.
// - The tree is kept from turn to turn, as far as it is about what was played.
//
// One node of the limits is one walk from the root, which adds one position to the tree.
template <HasEvaluation P>
class Mcts {
 public:
  using Game = P;
  using Move = typename P::Move;
  static constexpr bool kTakesNoise = true;

  explicit Mcts(const MctsOptions& options = {}) : options_(options) {}

  void NewGame(Seat /*seat*/, uint64_t seed) {
    random_ = Random(seed);
    path_.Clear();
    nodes_.clear();
    edges_.clear();
    past_ = {};
  }

  // Requires: the game runs.
  SearchResult<Move> Search(const GameState<P>& state, const Limits& limits) {
    Budget budget(limits, kWalksPerLook);
    PlantRoot(state);
    if (limits.noise) AddNoise(*limits.noise);
    // Without a choice there is nothing to find out but the score.
    while (budget.Spend()) {
      Walk(state.position());
      if (nodes_.front().edge_count == 1 && budget.nodes() >= 2) break;
    }
    path_.Push(state.position().key());
    const Edge& best = MostVisited(nodes_.front());
    return {best.move, budget.nodes(), depth_max_, MeanPoints(best)};
  }

  // Of the last search: each move's share of the visits, the most visited one to play.
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

  // Walks that began at the last search's position, those of earlier turns included.
  uint32_t RootVisits() const { return nodes_.front().visits; }

  // How it expects the game to go on: always the most visited move.
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
  static constexpr int64_t kQuietNodesMax = 64;  // for one leaf
  // The tree stops growing, but not learning, at this size (some 100 MB, and as much for
  // SpareRows).
  static constexpr size_t kEdgesMax = size_t{1} << 21;
  static constexpr size_t kPastSlots = 4096;

  struct Edge {
    Move move;
    float weight = 0;  // of all moves of a node they add up to 1
    uint32_t visits = 0;
    uint32_t child = kNoChild;
    PerSeat<int64_t> points{};  // summed over the visits
  };

  struct Node {
    uint64_t key = 0;
    uint32_t first_edge = 0;
    uint32_t edge_count = 0;  // 0: `points` are final
    uint32_t visits = 0;
    Seat mover = Seat::kFirst;
    PerSeat<Score> points{};  // when it was new
    PerSeat<Score> best{};    // if everybody plays the best that was tried
  };

  void PlantRoot(const GameState<P>& state) {
    depth_max_ = 0;
    const std::vector<RootMove<P>> moves = RootMoves(state, random_);
    if (Replant(state.position())) {
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

  // The move of the root gives these points, whatever was found out about it before.
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

  // Makes the node of that position the root, if it is near the root, and drops what is not below
  // it. The position is that of the root from now on.
  bool Replant(const P& position) {
    const std::optional<uint32_t> found = FindNode(nodes_, edges_, root_, position);
    root_ = position;
    if (found) KeepBelow(*found, &nodes_, &edges_, &spare_);
    return found.has_value();
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
      if (child == kNoChild) {
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
      node.points = QuietPoints(position, kQuietPliesMax, budget);
    }
    node.best = node.points;
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

  // How many of a node's moves may be tried; of the root, whose visits are many, all.
  uint32_t OpenEdges(const Node& node) const {
    if (&node == &nodes_.front()) return node.edge_count;
    const double open = kOpenAtFirst + kOpenPerRoot * std::sqrt(static_cast<double>(node.visits));
    return std::min(node.edge_count, static_cast<uint32_t>(open));
  }

  // What the mover may expect of a move that was tried.
  double Expected(const Edge& edge, Seat mover) const {
    const double mean = static_cast<double>(edge.points[mover]) / edge.visits;
    if (edge.child == kNoChild) return mean;  // the tree is full
    return mean + kBestShare * (Later(nodes_[edge.child].best)[mover] - mean);
  }

  uint32_t Select(const Node& node) const {
    const double spread =
        options_.exploration * std::sqrt(static_cast<double>(node.visits + 1)) * kPoint;
    // What is not tried yet is taken for a little worse than the node was when new.
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

  // While few moves were tried the mover may also stand as it did when the node was new.
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

  // How a move did against what its mover expected before it, wherever it was tried.
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

  // The first of equals. Requires: the node has edges.
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
  static constexpr double kOpenPerRoot = 3;  // of the square root of the visits

  const MctsOptions options_;
  Random random_{0};
  Path<P> path_;
  P root_;                   // the position of the last search
  std::vector<Node> nodes_;  // its node first
  std::vector<Edge> edges_;  // the root's first, each node's in a row
  SpareRows<Node, Edge> spare_;
  std::vector<Step> way_;  // of the walk that is on
  PerSeat<std::array<Past, kPastSlots>> past_{};
  int depth_max_ = 0;
};

}  // namespace triarch

#endif  // TRIARCH_BOTS_MCTS_MCTS_H_
