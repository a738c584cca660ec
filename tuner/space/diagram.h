// A decision diagram over the value indices of a few parameters: the set of their valid
// assignments, in lexicographic order, with equal suffixes stored once. Each node stores the number
// of assignments below it, so counting, indexing and ranking visit one node per parameter. Internal
// to space.
//
// Layout: the edges of node n are edges_[first_[n] .. first_[n + 1]), ascending by value. Node 0 is
// the terminal: it has no edges and counts one assignment, the empty one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace warpwright {

class Diagram {
 public:
  using Node = std::uint32_t;
  static constexpr Node kTerminal = 0;
  // The empty set of assignments; never stored as a child.
  static constexpr Node kNone = 0xffffffff;

  struct Edge {
    std::uint32_t value = 0;  // index into the parameter's values
    Node child = kTerminal;
    std::uint64_t before = 0;  // assignments of the node that precede this edge's
  };

  Diagram();

  // Returns the node with exactly these edges (`before` is filled in here), or kNone if there are
  // none. Throws Error (user) if the count of assignments exceeds 64 bits.
  [[nodiscard]] Node add(std::span<Edge> edges);
  void set_root(Node root) { root_ = root; }
  // Frees the memory that only add() needs.
  void freeze();

  [[nodiscard]] Node root() const { return root_; }
  [[nodiscard]] bool empty() const { return root_ == kNone; }
  [[nodiscard]] std::uint64_t count(Node node) const { return count_[node]; }
  [[nodiscard]] std::span<const Edge> edges(Node node) const {
    return std::span(edges_).subspan(first_[node], first_[node + 1] - first_[node]);
  }
  // The edge for `value`, or nullptr.
  [[nodiscard]] const Edge* find(Node node, std::uint32_t value) const;
  // The edge of assignment number `rank` of `node`. Precondition: rank < count(node).
  [[nodiscard]] const Edge& locate(Node node, std::uint64_t rank) const;

  [[nodiscard]] std::size_t bytes() const;

 private:
  // With at most this many edges, a linear search is used.
  static constexpr std::uint32_t kFewEdges = 8;

  [[nodiscard]] bool same(Node node, std::span<const Edge> edges) const;
  void grow_table();

  std::vector<std::uint64_t> count_;
  std::vector<std::uint32_t> first_;
  std::vector<Edge> edges_;
  std::vector<Node> table_;  // open addressing by content, kNone where free
  Node root_ = kNone;
};

// In the header because looking up a configuration calls find() once per parameter. Values ascend,
// so the edge of a value is at the index of that value or, if values are missing, before it.
inline const Diagram::Edge* Diagram::find(Node node, std::uint32_t value) const {
  const std::uint32_t first = first_[node];
  const std::uint32_t size = first_[node + 1] - first;
  const Edge* edges = edges_.data() + first;
  if (value < size && edges[value].value == value) return edges + value;
  std::uint32_t low = 0;
  std::uint32_t end = std::min(value + 1, size);
  while (end - low > kFewEdges) {
    const std::uint32_t middle = low + (end - low) / 2;
    (edges[middle].value <= value ? low : end) = middle;
  }
  for (; low < end; ++low) {
    if (edges[low].value == value) return edges + low;
  }
  return nullptr;
}

inline const Diagram::Edge& Diagram::locate(Node node, std::uint64_t rank) const {
  const std::uint32_t first = first_[node];
  std::uint32_t low = first;
  std::uint32_t end = first_[node + 1];
  while (end - low > kFewEdges) {
    const std::uint32_t middle = low + (end - low) / 2;
    (edges_[middle].before <= rank ? low : end) = middle;
  }
  while (end - low > 1 && edges_[low + 1].before <= rank) ++low;
  return edges_[low];
}

}  // namespace warpwright
