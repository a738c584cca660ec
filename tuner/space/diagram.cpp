#include "space/diagram.h"

#include <algorithm>

#include "core/error.h"

namespace warpwright {
namespace {

constexpr std::size_t kTooSmallToShrink = 4096;

// Nodes differ in few bits, so every input bit must affect the low bits of the hash.
std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 31;
  x *= 0x9e3779b97f4a7c15ULL;
  return x ^ (x >> 29);
}

std::uint64_t hash(std::span<const Diagram::Edge> edges) {
  std::uint64_t h = edges.size();
  for (const Diagram::Edge& edge : edges) {
    h = mix(h ^ ((static_cast<std::uint64_t>(edge.value) << 32) | edge.child));
  }
  return h;
}

}  // namespace

Diagram::Diagram() : count_{1}, first_{0, 0}, table_(16, kNone) {}

// Hash consing: nodes with equal edges are shared, so equal suffixes are stored and counted once.
Diagram::Node Diagram::add(std::span<Edge> edges) {
  if (edges.empty()) return kNone;
  const std::uint64_t mask = table_.size() - 1;
  std::uint64_t place = hash(edges) & mask;
  while (table_[place] != kNone) {
    if (same(table_[place], edges)) return table_[place];
    place = (place + 1) & mask;
  }
  std::uint64_t total = 0;
  for (Edge& edge : edges) {
    edge.before = total;
    if (__builtin_add_overflow(total, count_[edge.child], &total)) {
      throw user_error("the search space has more than 2^64 configurations; add constraints");
    }
  }
  const Node node = static_cast<Node>(count_.size());
  edges_.insert(edges_.end(), edges.begin(), edges.end());
  WARPWRIGHT_CHECK(edges_.size() < kNone, "the memory budget bounds the number of edges");
  first_.push_back(static_cast<std::uint32_t>(edges_.size()));
  count_.push_back(total);
  table_[place] = node;
  if (2 * count_.size() > table_.size()) grow_table();
  return node;
}

bool Diagram::same(Node node, std::span<const Edge> edges) const {
  const std::span<const Edge> own = this->edges(node);
  return std::equal(
      own.begin(), own.end(), edges.begin(), edges.end(),
      [](const Edge& a, const Edge& b) { return a.value == b.value && a.child == b.child; });
}

void Diagram::grow_table() {
  std::vector<Node> larger(2 * table_.size(), kNone);
  const std::uint64_t mask = larger.size() - 1;
  for (const Node node : table_) {
    if (node == kNone) continue;
    std::uint64_t place = hash(edges(node)) & mask;
    while (larger[place] != kNone) place = (place + 1) & mask;
    larger[place] = node;
  }
  table_ = std::move(larger);
}

void Diagram::freeze() {
  table_ = {};
  if (bytes() < kTooSmallToShrink) return;
  count_.shrink_to_fit();
  first_.shrink_to_fit();
  edges_.shrink_to_fit();
}

std::size_t Diagram::bytes() const {
  return edges_.capacity() * sizeof(Edge) + count_.capacity() * sizeof(std::uint64_t) +
         first_.capacity() * sizeof(std::uint32_t) + table_.capacity() * sizeof(Node);
}

}  // namespace warpwright
