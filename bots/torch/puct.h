// Searches a tree with a model's policy and values (PUCT).

#ifndef TRIARCH_BOTS_TORCH_PUCT_H_
#define TRIARCH_BOTS_TORCH_PUCT_H_

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "bots/search/limits.h"
#include "bots/search/points.h"
#include "bots/search/root.h"
#include "bots/search/tree.h"
#include "bots/torch/eval_queue.h"
#include "core/base/dirichlet.h"
#include "core/base/random.h"
#include "core/game/evaluate.h"
#include "core/game/game_state.h"
#include "core/game/position.h"
#include "core/sample.h"

namespace triarch {

struct PuctOptions {
  double cpuct = 1.0;  // weight of the policy against the values
  int leaves = 8;      // positions requested per round
};

// Returns the shape of the model's input and output for the game.
template <SampledPosition P>
EvalShape ShapeOf() {
  return {.game = P::kInfo.name,
          .cells = SampleShape<P>::kCells,
          .policy_size = SampleShape<P>::kPolicySize,
          .seats = P::kInfo.seats};
}

// Tree search with a model (PUCT, Silver et al. 2017). Each node's mover picks the move with the
// highest mean value plus a term that favours moves with a high prior and few visits. Each seat
// plays for itself: values are vectors with the shares of all seats. A new node gets the model's
// values.
//
// Simulations run in rounds. Until its leaf is evaluated, each simulation of a round counts as
// worthless to its movers (virtual loss), so that the simulations spread. Then all leaves go to the
// queue as one request. A round ends early if a simulation reaches a leaf that is already in the
// round. The requests of a search therefore depend only on its own simulations, never on the rest
// of the queue.
//
// One node of the limits is one simulation; for a position that is new to the tree this is its
// evaluation. With one node, the policy alone decides. The subtree of the current position is kept
// between turns.
template <SampledPosition P>
requires HasEvaluation<P>
class Puct {
 public:
  using Game = P;
  using Move = typename P::Move;
  static constexpr bool kTakesNoise = true;  // uses the noise of the limits at the root

  Puct(const PuctOptions& options, std::shared_ptr<EvalQueue> queue)
      : options_(options), queue_(std::move(queue)) {}

  void NewGame(Seat /*seat*/, uint64_t seed) {
    random_ = Random(seed);
    path_.Clear();
    nodes_.clear();
    edges_.clear();
  }

  // Requires: the game is not over. Check status() before using the result.
  SearchResult<Move> Search(const GameState<P>& state, const Limits& limits) {
    const EvalQueue::Searching searching(*queue_);
    status_ = absl::OkStatus();
    deadline_ = limits.deadline;
    noise_ = limits.noise;
    // Checks the clock before each simulation: the check is much cheaper than a simulation.
    Budget budget(limits, 1);
    PlantRoot(state);
    while (PlayRound(state.position(), budget)) {
    }
    path_.Push(state.position().key());
    const Edge& best = Best(nodes_.front());
    return {best.move, budget.nodes(), depth_max_, MeanPoints(best)};
  }

  // Returns why the last search has no result: the model failed.
  const absl::Status& status() const { return status_; }

  // Returns each move's share of the visits in the last search. Without visits it returns the
  // model's policy, or equal shares if there was no time for the model.
  std::vector<WeighedMove<Move>> Policy() const {
    const Node& root = nodes_.front();
    std::vector<WeighedMove<Move>> policy;
    float sum = 0;
    for (uint32_t i = 0; i < root.edge_count; ++i) {
      const Edge& edge = edges_[i];
      const float weight = root.visits > 0 ? static_cast<float>(edge.visits) : edge.prior;
      policy.push_back({edge.move, weight});
      sum += weight;
    }
    for (WeighedMove<Move>& weighed : policy) {
      weighed.weight = sum > 0 ? weighed.weight / sum : 1 / static_cast<float>(root.edge_count);
    }
    return policy;
  }

  // Returns the number of simulations through the last search's position, including those of
  // earlier turns.
  uint32_t RootVisits() const { return nodes_.front().visits; }

  // Returns the expected line: the most visited move at each node.
  std::vector<Move> Line() const {
    std::vector<Move> line;
    const Node* node = &nodes_.front();
    while (node->edge_count != 0) {
      const Edge& edge = Best(*node);
      if (edge.visits == 0 && !line.empty()) break;
      line.push_back(edge.move);
      if (edge.child == kNoChild) break;
      node = &nodes_[edge.child];
    }
    return line;
  }

 private:
  // The search ends when its tree reaches this size (about 100 MB, plus as much for SpareRows).
  static constexpr size_t kEdgesMax = size_t{1} << 21;
  // An unvisited move counts this much less than its node, times the square root of the visited
  // share of the policy.
  static constexpr double kUntriedPenalty = 0.15;

  using Values = PerSeat<float>;  // shares of the points, adding up to 1

  struct Edge {
    Move move;
    float prior = 0;  // sums to 1 over the moves of a node
    uint32_t visits = 0;
    uint32_t in_flight = 0;  // simulations of this round
    uint32_t child = kNoChild;
    PerSeat<double> values{};  // sum over the visits
  };

  enum class Known : uint8_t { kNo, kAsked, kYes };

  struct Node {
    uint64_t key = 0;
    uint32_t first_edge = 0;
    uint32_t edge_count = 0;  // if 0, `values` are final
    uint32_t visits = 0;      // sum over its edges
    uint32_t in_flight = 0;
    Seat mover = Seat::kFirst;
    Known known = Known::kNo;  // whether the node has values and its edges have priors
    Values values{};           // from the model
  };

  struct Step {
    uint32_t node;
    uint32_t edge;
  };

  // A node requested in this round, with its simulation: the steps from `first_step` up to those of
  // the next leaf.
  struct Leaf {
    uint32_t node;
    size_t first_step;
  };

  // ---- The root.

  void PlantRoot(const GameState<P>& state) {
    depth_max_ = 0;
    round_took_ = {};
    root_priors_.clear();
    way_.clear();
    const P& position = state.position();
    const std::optional<uint32_t> found = FindNode(nodes_, edges_, root_, position);
    root_ = position;
    if (found) {
      KeepBelow(*found, &nodes_, &edges_, &spare_);
    } else {
      nodes_.clear();
      edges_.clear();
      nodes_.push_back(MakeNode(position));
    }
    for (const RootMove<P>& root : RootMoves(state, random_)) {
      if (root.settled) Settle(root.move, SharesOf(*root.settled));
    }
    if (nodes_.front().known == Known::kYes) SetRootPriors();
  }

  // Sets the root priors of this search. Those in the tree stay as the model returned them.
  void SetRootPriors() {
    const Node& root = nodes_.front();
    root_priors_.clear();
    for (uint32_t i = 0; i < root.edge_count; ++i) root_priors_.push_back(edges_[i].prior);
    if (noise_) MixIn(*noise_, root_priors_);
  }

  // Fixes the values of the root's move, overriding everything learned about it.
  void Settle(Move move, const Values& values) {
    Node& root = nodes_.front();
    for (uint32_t i = 0; i < root.edge_count; ++i) {
      Edge& edge = edges_[i];
      if (edge.move != move) continue;
      root.visits -= edge.visits;
      edge.visits = 0;
      edge.values = {};
      edge.child = static_cast<uint32_t>(nodes_.size());
      nodes_.push_back({.known = Known::kYes, .values = values});
      return;
    }
  }

  // ---- Rounds.

  // Returns false when the search must end.
  bool PlayRound(const P& root, Budget& budget) {
    leaves_.clear();
    steps_.clear();
    batch_.Clear();
    if (!HasTimeForRound()) return false;
    bool is_going_on = edges_.size() <= kEdgesMax;
    for (int walks = 0; is_going_on && walks < options_.leaves; ++walks) {
      // With a single legal move, only the score is of interest.
      const bool is_forced = nodes_.front().edge_count == 1 && budget.nodes() >= 2;
      P position = root;
      const std::optional<uint32_t> node = Descend(position);
      if (!node && !leaves_.empty()) break;
      is_going_on = !is_forced && budget.Spend();
      if (is_going_on) Visit(position, *node);
    }
    if (leaves_.empty()) return is_going_on;
    return EvaluateLeaves() && is_going_on;
  }

  // Returns whether a round as long as the last one would end before the deadline.
  bool HasTimeForRound() const {
    return !deadline_ || !round_took_ ||
           std::chrono::steady_clock::now() + *round_took_ < *deadline_;
  }

  // Descends from the root to a new or final position and leaves the path in way_. Returns the node
  // reached, kNoChild for a position after the last step that has no node yet, or nothing if the
  // round has already requested it.
  std::optional<uint32_t> Descend(P& position) {
    way_.clear();
    uint32_t index = 0;
    while (true) {
      const Node& node = nodes_[index];
      if (node.known == Known::kAsked) return std::nullopt;
      if (node.known == Known::kNo || node.edge_count == 0) return index;
      const uint32_t edge = Select(index);
      way_.push_back({index, edge});
      position.Play(edges_[edge].move);
      if (edges_[edge].child == kNoChild) return kNoChild;
      index = edges_[edge].child;
    }
  }

  // Ends the current simulation at the node that Descend returned.
  void Visit(const P& position, uint32_t index) {
    depth_max_ = std::max(depth_max_, static_cast<int>(way_.size()));
    if (index == kNoChild) {
      index = static_cast<uint32_t>(nodes_.size());
      nodes_.push_back(MakeNode(position));
      edges_[way_.back().edge].child = index;
    }
    if (nodes_[index].known == Known::kYes) {
      BackUp(way_.data(), way_.size(), nodes_[index].values);
      return;
    }
    Ask(position, nodes_[index]);
    leaves_.push_back({index, steps_.size()});
    for (const Step& step : way_) {
      steps_.push_back(step);
      ++nodes_[step.node].in_flight;
      ++edges_[step.edge].in_flight;
    }
  }

  // Makes a node with its edges in the order of the legal moves. It is known if the model need not
  // be asked.
  Node MakeNode(const P& position) {
    Node node{.key = position.key(), .first_edge = static_cast<uint32_t>(edges_.size())};
    node.mover = position.to_move();
    if (const std::optional<Outcome> outcome = position.outcome()) {
      node.values = SharesOf(FinalPoints<P>(*outcome));
      node.known = Known::kYes;
    } else if (IsRepeated(position, node.key)) {
      node.values = SharesOf(DrawPoints(position));
      node.known = Known::kYes;
    } else {
      for (const Move move : position.LegalMoves()) edges_.push_back({.move = move});
      node.edge_count = static_cast<uint32_t>(edges_.size()) - node.first_edge;
    }
    return node;
  }

  // Returns whether the position occurred before, in the game or on the path from the root.
  bool IsRepeated(const P& position, uint64_t key) const {
    const auto is_it = [&](const Step& step) { return nodes_[step.node].key == key; };
    return !way_.empty() &&
           (path_.Has(position, key) || std::any_of(way_.begin(), way_.end(), is_it));
  }

  // Adds the position to the round's batch.
  void Ask(const P& position, Node& node) {
    node.known = Known::kAsked;
    const auto first = static_cast<int64_t>(batch_.count * SampleShape<P>::kPolicySize);
    batch_.cells.resize((batch_.count + 1) * SampleShape<P>::kCells);
    batch_.state.resize((batch_.count + 1) * kSampleState);
    PackPosition(position, &batch_.cells[batch_.count * SampleShape<P>::kCells],
                 &batch_.state[batch_.count * kSampleState]);
    for (uint32_t i = 0; i < node.edge_count; ++i) {
      batch_.picks.push_back(first + PolicyIndex(edges_[node.first_edge + i].move));
    }
    ++batch_.count;
  }

  // Returns false if the evaluation failed.
  bool EvaluateLeaves() {
    const auto began = std::chrono::steady_clock::now();
    const absl::Status status = queue_->Evaluate(batch_, deadline_);
    round_took_ = std::chrono::steady_clock::now() - began;
    if (!status.ok() && !absl::IsDeadlineExceeded(status)) status_ = status;
    size_t pick = 0;
    for (size_t i = 0; i < leaves_.size(); ++i) {
      const size_t end = i + 1 < leaves_.size() ? leaves_[i + 1].first_step : steps_.size();
      const Step* const way = steps_.data() + leaves_[i].first_step;
      const size_t length = end - leaves_[i].first_step;
      for (size_t s = 0; s < length; ++s) {
        --nodes_[way[s].node].in_flight;
        --edges_[way[s].edge].in_flight;
      }
      Node& node = nodes_[leaves_[i].node];
      if (status.ok()) {
        Learn(node, i, pick);
        if (leaves_[i].node == 0) SetRootPriors();
        BackUp(way, length, node.values);
        pick += node.edge_count;
      } else if (length == 0) {
        node.known = Known::kNo;
      } else {
        edges_[way[length - 1].edge].child = kNoChild;
      }
    }
    return status.ok();
  }

  // Stores the model's output for the node: entry `leaf` of the batch, logits from `pick` on.
  void Learn(Node& node, size_t leaf, size_t pick) {
    node.known = Known::kYes;
    for (size_t s = 0; s < P::kInfo.seats; ++s) {
      node.values[SeatAt(s)] = batch_.values[leaf * P::kInfo.seats + s];
    }
    const float* const logits = &batch_.logits[pick];
    const float highest = *std::max_element(logits, logits + node.edge_count);
    float sum = 0;
    for (uint32_t i = 0; i < node.edge_count; ++i) {
      sum += edges_[node.first_edge + i].prior = std::exp(logits[i] - highest);
    }
    for (uint32_t i = 0; i < node.edge_count; ++i) edges_[node.first_edge + i].prior /= sum;
  }

  // ---- The tree.

  // Requires: the node is known.
  double Prior(uint32_t node, uint32_t edge) const {
    return node == 0 ? root_priors_[edge - nodes_[node].first_edge] : edges_[edge].prior;
  }

  uint32_t Select(uint32_t index) const {
    const Node& node = nodes_[index];
    const uint32_t end = node.first_edge + node.edge_count;
    double tried = 0;
    for (uint32_t i = node.first_edge; i < end; ++i) {
      if (edges_[i].visits + edges_[i].in_flight > 0) tried += edges_[i].prior;
    }
    // With noise, moves at the root are explored without a penalty.
    const double penalty = index == 0 && noise_ ? 0 : kUntriedPenalty * std::sqrt(tried);
    const double untried = node.values[node.mover] - penalty;
    const double spread =
        options_.cpuct * std::sqrt(static_cast<double>(node.visits + node.in_flight + 1));
    uint32_t best = node.first_edge;
    double best_value = -std::numeric_limits<double>::infinity();
    for (uint32_t i = node.first_edge; i < end; ++i) {
      const Edge& edge = edges_[i];
      const double walks = edge.visits + edge.in_flight;
      const double mean = walks == 0 ? untried : edge.values[node.mover] / walks;
      const double value = mean + spread * Prior(index, i) / (1 + walks);
      if (value > best_value) {
        best_value = value;
        best = i;
      }
    }
    return best;
  }

  void BackUp(const Step* way, size_t length, Values values) {
    for (size_t i = length; i-- > 0;) {
      values = LaterShares(values);
      ++nodes_[way[i].node].visits;
      Edge& edge = edges_[way[i].edge];
      ++edge.visits;
      for (size_t s = 0; s < P::kInfo.seats; ++s) edge.values[SeatAt(s)] += values[SeatAt(s)];
    }
  }

  // Returns the most visited edge; ties go to the highest prior, then to the first edge. Requires:
  // the node has edges.
  const Edge& Best(const Node& node) const {
    const auto first = edges_.begin() + node.first_edge;
    return *std::max_element(first, first + node.edge_count, [](const Edge& a, const Edge& b) {
      return std::pair(a.visits, a.prior) < std::pair(b.visits, b.prior);
    });
  }

  // ---- Values. This search uses shares, other bots use points.

  static constexpr double PointsInAll() { return kPoint * static_cast<double>(P::kInfo.seats) / 2; }

  static Values SharesOf(const PerSeat<Score>& points) {
    Values values;
    const PerSeat<double> shares = Shares<P>(points);
    for (size_t s = 0; s < P::kInfo.seats; ++s) {
      values[SeatAt(s)] = static_cast<float>(shares[SeatAt(s)]);
    }
    return values;
  }

  // Returns the values seen from one ply earlier, slightly nearer to equal shares, so that a quick
  // win beats a slow one.
  static Values LaterShares(Values values) {
    constexpr float kEqual = 1.0f / static_cast<float>(P::kInfo.seats);
    for (size_t s = 0; s < P::kInfo.seats; ++s) {
      values[SeatAt(s)] -= (values[SeatAt(s)] - kEqual) / 1024;
    }
    return values;
  }

  PerSeat<Score> MeanPoints(const Edge& edge) const {
    PerSeat<Score> points;
    for (size_t s = 0; s < P::kInfo.seats; ++s) {
      const Seat seat = SeatAt(s);
      double share = 1.0 / static_cast<double>(P::kInfo.seats);
      if (nodes_.front().known == Known::kYes) share = nodes_.front().values[seat];
      if (edge.visits > 0) share = edge.values[seat] / edge.visits;
      points[seat] = static_cast<Score>(std::lround(share * PointsInAll()));
    }
    return points;
  }

  const PuctOptions options_;
  const std::shared_ptr<EvalQueue> queue_;
  Random random_{0};
  Path<P> path_;
  P root_;                   // the position of the last search
  std::vector<Node> nodes_;  // root first
  std::vector<Edge> edges_;  // contiguous per node
  SpareRows<Node, Edge> spare_;

  // The current search.
  std::optional<std::chrono::steady_clock::time_point> deadline_;
  std::optional<std::chrono::steady_clock::duration> round_took_;  // duration of the last round
  std::optional<DirichletNoise> noise_;
  std::vector<float> root_priors_;  // parallel to the root's edges, once it is known
  absl::Status status_;
  int depth_max_ = 0;

  // The current round.
  std::vector<Step> way_;  // the path of the current simulation
  std::vector<Leaf> leaves_;
  std::vector<Step> steps_;
  EvalBatch batch_;
};

}  // namespace triarch

#endif  // TRIARCH_BOTS_TORCH_PUCT_H_
