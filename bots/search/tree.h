#ifndef TRIARCH_BOTS_SEARCH_TREE_H_
#define TRIARCH_BOTS_SEARCH_TREE_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

// Search trees that are kept from turn to turn, in two rows: the nodes, the root first, and the
// edges, each node's in a row. A Node has `key`, `first_edge` and `edge_count`, an Edge `child`,
// the number of a node or kNoChild.
namespace triarch {

inline constexpr uint32_t kNoChild = std::numeric_limits<uint32_t>::max();

// The node with that key and at least one edge, 1 to `plies_max` plies below the root, if any.
template <class Node, class Edge>
std::optional<uint32_t> FindNode(const std::vector<Node>& nodes, const std::vector<Edge>& edges,
                                 uint64_t key, size_t plies_max) {
  if (nodes.empty()) return std::nullopt;
  std::vector<uint32_t> level = {0};
  for (size_t ply = 0; ply < plies_max; ++ply) {
    std::vector<uint32_t> next;
    for (const uint32_t index : level) {
      const Node& node = nodes[index];
      for (uint32_t i = node.first_edge; i < node.first_edge + node.edge_count; ++i) {
        const uint32_t child = edges[i].child;
        if (child == kNoChild) continue;
        if (nodes[child].key == key && nodes[child].edge_count > 0) return child;
        next.push_back(child);
      }
    }
    level = std::move(next);
  }
  return std::nullopt;
}

// Room that KeepBelow fills in turn with the tree's own: what is given back to the system after
// each turn of each game has to be mapped and cleared anew.
template <class Node, class Edge>
struct SpareRows {
  std::vector<Node> nodes;
  std::vector<Edge> edges;
};

// Makes that node the root, and drops what is not below it.
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
