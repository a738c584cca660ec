// Evaluates expression trees over typed values: the slow, exact path, which folding also uses.
// Internal to core.
#pragma once

#include "core/expr/expr_lexer.h"
#include "core/expr/expr_node.h"

namespace warpwright {

// Provides the values of the names in a tree.
class NameSource {
 public:
  virtual ~NameSource() = default;
  // Throws ExprFault on an unknown name.
  [[nodiscard]] virtual const Value& value_of(const ExprNode& name) const = 0;
};

// Throws ExprFault at the offset of the operator that failed.
[[nodiscard]] Value evaluate_tree(const ExprNode& node, const NameSource& names);

// The truth of the value of `node`, a condition or a constraint; throws ExprFault at `node` if the
// value is a string.
[[nodiscard]] bool truth_of(const Value& value, const ExprNode& node);

}  // namespace warpwright
