#include "core/expr/expr_lets.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/utf8.h"

namespace warpwright {

void ExprLets::add(const std::string& name, const Expr& expr) {
  Let let{expr.root(), count_nodes(expr.root())};
  // If the let's text is just another let's name, its root is marked with that let: keep it as
  // inner.
  let.root.let =
      std::make_shared<const ExprLet>(ExprLet{name, expr.text(), expr.where(), let.root.let});
  lets_.insert_or_assign(name, std::move(let));
}

std::vector<std::string> ExprLets::used_by(const Expr& expr) const {
  std::vector<std::string> used;
  for (const std::string& name : expr.names()) {
    if (knows(name)) used.push_back(name);
  }
  return used;
}

Expr ExprLets::write_out(const Expr& expr) const {
  if (used_by(expr).empty()) return expr;
  const std::size_t nodes = written_out_nodes(expr.root());
  const auto refuse = [&](std::size_t got, std::string_view what, std::size_t most) {
    return user_error(
        expr.where(),
        fmt::format(
            "\"{}\" has {} {} when its lets are written out, expected at most {}; use fewer "
            "lets, or lets of fewer operands",
            shortened_line(expr.text(), 120), got, what, most));
  };
  if (nodes > kMaxWrittenOut) throw refuse(nodes, "operands and operators", kMaxWrittenOut);
  ExprNode root = expr.root();
  write_out(root);
  if (root.depth > kMaxExprDepth)
    throw refuse(static_cast<std::size_t>(root.depth), "levels", kMaxExprDepth);
  return expr.rebuilt(std::move(root));
}

const ExprLets::Let* ExprLets::find(std::string_view name) const {
  const auto found = lets_.find(name);
  if (found != lets_.end()) return &found->second;
  return outer_ == nullptr ? nullptr : outer_->find(name);
}

std::size_t ExprLets::written_out_nodes(const ExprNode& node) const {
  if (node.kind == ExprKind::kName) {
    const Let* let = find(node.name);
    return let == nullptr ? 1 : let->nodes;
  }
  std::size_t nodes = 1;
  for (const ExprNode& child : node.children) nodes += written_out_nodes(child);
  return nodes;
}

// A let that is copied is at most kMaxExprDepth levels deep, and so is the tree that receives it,
// so recursion over the sum of both is safe.
void ExprLets::write_out(ExprNode& node) const {
  if (node.kind == ExprKind::kName) {
    if (const Let* let = find(node.name)) node = let->root;
    return;
  }
  for (ExprNode& child : node.children) {
    write_out(child);
    node.depth = std::max(node.depth, child.depth + 1);
  }
}

std::size_t count_nodes(const ExprNode& root) {
  std::size_t nodes = 1;
  for (const ExprNode& child : root.children) nodes += count_nodes(child);
  return nodes;
}

}  // namespace warpwright
