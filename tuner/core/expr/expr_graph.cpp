#include "core/expr/expr_graph.h"

#include <algorithm>
#include <cmath>

#include "core/expr/expr_bounds.h"

namespace warpwright {
namespace {

// With bounds below this, no sum, difference or product comes near the limits of 64 bits.
constexpr double kSafeMagnitude = 4611686018427387904.0;

bool commutes(ExprOp op) {
  switch (op) {
    case ExprOp::kAdd:
    case ExprOp::kMultiply:
    case ExprOp::kBitAnd:
    case ExprOp::kBitOr:
    case ExprOp::kBitXor:
    case ExprOp::kEqual:
    case ExprOp::kNotEqual:
    case ExprOp::kMin:
    case ExprOp::kMax:
      return true;
    default:
      return false;
  }
}

std::size_t hash_of(const ExprGraph::Node& node) {
  std::uint64_t h =
      static_cast<std::uint64_t>(node.kind) << 8 | static_cast<std::uint64_t>(node.op);
  h = (h << 48) ^ (std::uint64_t{node.a} << 32) ^ (std::uint64_t{node.b} << 16) ^ node.c;
  h = (h ^ static_cast<std::uint64_t>(node.value)) * 0x9e3779b97f4a7c15ULL;
  return h ^ (h >> 32);
}

bool inside(Interval x, double low, double high) { return low <= x.low && x.high <= high; }

}  // namespace

int ExprGraph::Node::operand_count() const {
  switch (kind) {
    case Kind::kConstant:
    case Kind::kSlot:
      return 0;
    case Kind::kNot:
    case Kind::kInvert:
    case Kind::kIsPow2:
      return 1;
    case Kind::kConditional:
      return 3;
    default:
      return 2;
  }
}

ExprGraph::Id ExprGraph::intern(Node node) {
  if (node.kind == Kind::kMath && commutes(node.op) && node.b < node.a) std::swap(node.a, node.b);
  if (2 * (nodes_.size() + 1) > table_.size()) grow_table();
  std::size_t place = hash_of(node) & (table_.size() - 1);
  while (table_[place] != kFree) {
    if (nodes_[table_[place]] == node) return table_[place];
    place = (place + 1) & (table_.size() - 1);
  }
  table_[place] = static_cast<Id>(nodes_.size());
  nodes_.push_back(node);
  return table_[place];
}

void ExprGraph::grow_table() {
  table_.assign(table_.empty() ? 64 : 2 * table_.size(), kFree);
  for (std::size_t id = 0; id < nodes_.size(); ++id) {
    std::size_t place = hash_of(nodes_[id]) & (table_.size() - 1);
    while (table_[place] != kFree) place = (place + 1) & (table_.size() - 1);
    table_[place] = static_cast<Id>(id);
  }
}

ExprGraph::Id ExprGraph::constant(std::int64_t value) {
  return intern({Kind::kConstant, ExprOp::kNone, 0, 0, 0, value});
}

std::optional<ExprGraph::Id> ExprGraph::add(const ExprNode& tree) {
  if (tree.kind == ExprKind::kLiteral) {
    if (tree.literal.is_real() || tree.literal.is_string()) return std::nullopt;
    if (tree.literal.as_integer() == kFault) return std::nullopt;
    return constant(tree.literal.as_integer());
  }
  if (tree.kind == ExprKind::kName) {
    if (tree.slot < 0) return std::nullopt;
    return intern({Kind::kSlot, ExprOp::kNone, 0, 0, 0, tree.slot});
  }
  return add_operator(tree);
}

std::optional<ExprGraph::Id> ExprGraph::add_operator(const ExprNode& tree) {
  const std::optional<Id> first = add(tree.children[0]);
  if (!first) return std::nullopt;
  switch (tree.op) {
    case ExprOp::kSizeof:
    case ExprOp::kLog2:
    case ExprOp::kSqrt:
      return std::nullopt;
    case ExprOp::kNot:
      return intern({Kind::kNot, ExprOp::kNone, *first, 0, 0, 0});
    case ExprOp::kInvert:
      return intern({Kind::kInvert, ExprOp::kNone, *first, 0, 0, 0});
    case ExprOp::kIsPow2:
      return intern({Kind::kIsPow2, ExprOp::kNone, *first, 0, 0, 0});
    case ExprOp::kNegate:
      return intern({Kind::kMath, ExprOp::kSubtract, constant(0), *first, 0, 0});
    case ExprOp::kAbs: {
      const Id negated = intern({Kind::kMath, ExprOp::kSubtract, constant(0), *first, 0, 0});
      return intern({Kind::kMath, ExprOp::kMax, *first, negated, 0, 0});
    }
    default:
      break;
  }
  if (tree.kind == ExprKind::kConditional) {
    const std::optional<Id> then = add(tree.children[1]);
    const std::optional<Id> otherwise = add(tree.children[2]);
    if (!then || !otherwise) return std::nullopt;
    return intern({Kind::kConditional, ExprOp::kNone, *first, *then, *otherwise, 0});
  }
  const Kind kind = tree.op == ExprOp::kAnd  ? Kind::kAnd
                    : tree.op == ExprOp::kOr ? Kind::kOr
                                             : Kind::kMath;
  const ExprOp op = kind == Kind::kMath ? tree.op : ExprOp::kNone;
  // min and max of several operands are taken pairwise.
  Id result = *first;
  for (std::size_t i = 1; i < tree.children.size(); ++i) {
    const std::optional<Id> other = add(tree.children[i]);
    if (!other) return std::nullopt;
    result = intern({kind, op, result, *other, 0, 0});
  }
  return result;
}

Interval ExprGraph::bounds(const Node& node, const Interval* operands) noexcept {
  switch (node.kind) {
    case Kind::kConstant: {
      const auto value = static_cast<double>(node.value);
      return binary_bounds(ExprOp::kAdd, {value, value}, {0, 0});
    }
    case Kind::kSlot:
      break;
    case Kind::kMath:
      return binary_bounds(node.op, operands[node.a], operands[node.b]);
    case Kind::kNot:
      return unary_bounds(ExprOp::kNot, operands[node.a]);
    case Kind::kInvert:
      return unary_bounds(ExprOp::kInvert, operands[node.a]);
    case Kind::kIsPow2:
      return unary_bounds(ExprOp::kIsPow2, operands[node.a]);
    case Kind::kAnd:
      return binary_bounds(ExprOp::kAnd, operands[node.a], operands[node.b]);
    case Kind::kOr:
      return binary_bounds(ExprOp::kOr, operands[node.a], operands[node.b]);
    case Kind::kConditional:
      return conditional_bounds(operands[node.a], operands[node.b], operands[node.c]);
  }
  return {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
}

bool ExprGraph::may_fault(const Node& node, const Interval* operands) noexcept {
  if (node.kind != Kind::kMath) return false;
  const Interval a = operands[node.a];
  const Interval b = operands[node.b];
  switch (node.op) {
    case ExprOp::kDivide:
    case ExprOp::kRemainder:
      if (b.low <= 0 && b.high >= 0) return true;
      break;
    case ExprOp::kCeilDiv:
    case ExprOp::kAlignUp:
      if (b.low < 1) return true;
      break;
    case ExprOp::kShiftLeft:
    case ExprOp::kShiftRight:
      if (!inside(b, 0, 63)) return true;
      break;
    default:
      break;
  }
  const Interval result = bounds(node, operands);
  return !inside(a, -kSafeMagnitude, kSafeMagnitude) ||
         !inside(b, -kSafeMagnitude, kSafeMagnitude) ||
         !inside(result, -kSafeMagnitude, kSafeMagnitude);
}

}  // namespace warpwright
