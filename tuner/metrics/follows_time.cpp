#include "metrics/follows_time.h"

#include <algorithm>

#include "core/expr/expr_node.h"
#include "spec/metric_table.h"

namespace warpwright {
namespace {

bool is_rate_or_time(const std::string& name) {
  return name == "time_us" || name == "gbs" || name == "gflops";
}

bool is_measured(const std::string& name) {
  const BuiltInMetric* metric = find_built_in_metric(name);
  return metric != nullptr && metric->needs >= MetricNeeds::kRun;
}

std::size_t measured_names(const ExprNode& node) {
  if (node.kind == ExprKind::kName) return is_measured(node.name) ? 1 : 0;
  std::size_t count = 0;
  for (const ExprNode& child : node.children) count += measured_names(child);
  return count;
}

// The only measured name lies below `node`. In a divisor nothing may be added to it, because the
// sum might pass through zero within the interval.
bool plain(const ExprNode& node, bool in_divisor) {
  if (node.kind == ExprKind::kName) return is_rate_or_time(node.name);
  const auto below = std::find_if(node.children.begin(), node.children.end(),
                                  [](const ExprNode& child) { return measured_names(child) > 0; });
  if (below == node.children.end()) return false;
  if (node.kind == ExprKind::kUnary) return node.op == ExprOp::kNegate && plain(*below, in_divisor);
  if (node.kind != ExprKind::kBinary) return false;
  switch (node.op) {
    case ExprOp::kMultiply:
      return plain(*below, in_divisor);
    case ExprOp::kAdd:
    case ExprOp::kSubtract:
      return !in_divisor && plain(*below, false);
    case ExprOp::kDivide:
      return plain(*below, in_divisor || below != node.children.begin());
    default:
      return false;
  }
}

}  // namespace

bool follows_time(const Expr& expr) {
  return measured_names(expr.root()) == 1 && plain(expr.root(), false);
}

}  // namespace warpwright
