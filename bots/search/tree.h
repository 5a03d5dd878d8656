// Stores search trees that are kept between turns.

#ifndef TRIARCH_BOTS_SEARCH_TREE_H_
#define TRIARCH_BOTS_SEARCH_TREE_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "core/game/position.h"

// Search trees that are kept between turns, in two arrays: nodes, with the root first, and edges,
// contiguous per node. A Node has `key`, `mover`, `first_edge` and `edge_count`. An Edge has `move`
// and `child`, the index of a node or kNoChild.
namespace triarch {

inline constexpr uint32_t kNoChild = std::numeric_limits<uint32_t>::max();

// Returns the node of the position `wanted`, or nothing if it is not found. The node has at least
// one edge and is at most one turn of each seat below the root, whose position is `root`;
// consecutive moves of one seat count as one turn. Nodes are found by key, but the moves must also
// lead to exactly this position, because positions with the same key can have different moves (in
// Tri-D, if two boards of one colour have swapped places).
template <Position P, class Node, class Edge>
std::optional<uint32_t> FindNode(const std::vector<Node>& nodes, const std::vector<Edge>& edges,
                                 const P& root, const P& wanted) {
  struct Place {
    uint32_t node;
    size_t before;  // index of the entry that the edge leads from
    uint32_t edge;
    size_t turns;  // turns from the root to this node
  };
  if (nodes.empty()) return std::nullopt;
  const uint64_t key = wanted.key();
  std::vector<Place> places = {{.node = 0, .before = 0, .edge = 0, .turns = 0}};
  const auto position_at = [&](size_t place) {
    std::vector<uint32_t> way;
    for (; place != 0; place = places[place].before) way.push_back(places[place].edge);
    P position = root;
    for (size_t i = way.size(); i-- > 0;) position.Play(edges[way[i]].move);
    return position;
  };
  for (size_t at = 0; at < places.size(); ++at) {
    const Place place = places[at];
    if (place.turns == P::kInfo.seats) continue;
    const Node& node = nodes[place.node];
    for (uint32_t edge = node.first_edge; edge < node.first_edge + node.edge_count; ++edge) {
      const uint32_t index = edges[edge].child;
      if (index == kNoChild || nodes[index].edge_count == 0) continue;
      const size_t turns = place.turns + (nodes[index].mover == node.mover ? 0 : 1);
      places.push_back({.node = index, .before = at, .edge = edge, .turns = turns});
      if (nodes[index].key == key && position_at(places.size() - 1) == wanted) return index;
    }
  }
  return std::nullopt;
}

// Buffers that KeepBelow swaps with the tree's own. Memory returned to the system after each turn
// would have to be mapped and cleared again.
template <class Node, class Edge>
struct SpareRows {
  std::vector<Node> nodes;
  std::vector<Edge> edges;
};

// Makes the node `root` the root of the tree and drops everything outside its subtree.
template <class Node, class Edge>
void KeepBelow(uint32_t root, std::vector<Node>* nodes, std::vector<Edge>* edges,
               SpareRows<Node, Edge>* spare) {
  std::vector<Node>& kept_nodes = spare->nodes;
  std::vector<Edge>& kept_edges = spare->edges;
  kept_nodes.assign(1, (*nodes)[root]);
  kept_edges.clear();
  for (size_t n = 0; n < kept_nodes.size(); ++n) {
    const uint32_t first = kept_nodes[n].first_edge;
    kept_nodes[n].first_edge = static_cast<uint32_t>(kept_edges.size());
    for (uint32_t i = 0; i < kept_nodes[n].edge_count; ++i) {
      Edge edge = (*edges)[first + i];
      if (edge.child != kNoChild) {
        kept_nodes.push_back((*nodes)[edge.child]);
        edge.child = static_cast<uint32_t>(kept_nodes.size() - 1);
      }
      kept_edges.push_back(edge);
    }
  }
  nodes->swap(kept_nodes);
  edges->swap(kept_edges);
}

}  // namespace triarch

#endif  // TRIARCH_BOTS_SEARCH_TREE_H_
