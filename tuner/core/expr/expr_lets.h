// Named sub-expressions. A let is expanded in the tree wherever its name appears, so code that
// evaluates, bounds or prints an expression sees only sizes, parameters and device limits, as if
// the text had no lets. Texts stay as written, and faults inside a let are shown in the let's own
// text. Each expression is limited to kMaxWrittenOut nodes, because lets that each use the previous
// one twice would grow exponentially; an expression that would be too large is rejected before it
// is built.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/expr/expr.h"
#include "core/expr/expr_node.h"

namespace warpwright {

inline constexpr std::size_t kMaxWrittenOut = 2000;

class ExprLets {
 public:
  // `outer`, whose lets may be used as well, must outlive this.
  explicit ExprLets(const ExprLets* outer = nullptr) : outer_(outer) {}

  // `expr` must already be expanded.
  void add(const std::string& name, const Expr& expr);
  [[nodiscard]] bool knows(std::string_view name) const { return find(name) != nullptr; }
  // The names in `expr` that are lets, in order of appearance.
  [[nodiscard]] std::vector<std::string> used_by(const Expr& expr) const;
  // Throws Error (user) at the expression when the result is too large or too deep.
  [[nodiscard]] Expr write_out(const Expr& expr) const;

 private:
  struct Let {
    ExprNode root;  // marked with the let
    std::size_t nodes = 0;
  };
  [[nodiscard]] const Let* find(std::string_view name) const;
  [[nodiscard]] std::size_t written_out_nodes(const ExprNode& node) const;
  void write_out(ExprNode& node) const;

  const ExprLets* outer_;
  std::map<std::string, Let, std::less<>> lets_;
};

// Counts the operands, operators and calls of a tree.
[[nodiscard]] std::size_t count_nodes(const ExprNode& root);

}  // namespace warpwright
