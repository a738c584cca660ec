// Evaluates expression trees over typed values: the slow, exact path, and what folding uses.
// Internal to core.
#pragma once

#include "core/expr/expr_lexer.h"
#include "core/expr/expr_node.h"

namespace warpwright {

// Where a tree's names get their values from.
class NameSource {
 public:
  virtual ~NameSource() = default;
  // Throws ExprFault on an unknown name.
  [[nodiscard]] virtual const Value& value_of(const ExprNode& name) const = 0;
};

// Throws ExprFault at the offset of the operator that failed.
[[nodiscard]] Value evaluate_tree(const ExprNode& node, const NameSource& names);

// Truth of the value that `node`, a condition or a constraint, gave; a string is an ExprFault at
// it.
[[nodiscard]] bool truth_of(const Value& value, const ExprNode& node);

}  // namespace warpwright
