// BoundExpr: folding of constants, the compiled fast path, and bounds. A fault found on the fast
// path is reported by evaluating the original expression again, so that its message is the same
// wherever it was found.
#include <algorithm>
#include <optional>

#include "core/expr/expr.h"
#include "core/expr/expr_bounds.h"
#include "core/expr/expr_eval.h"
#include "core/expr/expr_node.h"
#include "core/expr/expr_program.h"

namespace warpwright {
namespace {

// Folding evaluates only what contains no name.
class NoNames : public NameSource {
 public:
  const Value& value_of(const ExprNode& name) const override {
    throw ExprFault{name.offset, "a name inside a constant", ""};
  }
};

// Names looked up by the slot they were bound to.
class SlotNames : public NameSource {
 public:
  explicit SlotNames(std::span<const Value> slots) : slots_(slots) {}
  const Value& value_of(const ExprNode& name) const override {
    return slots_[static_cast<std::size_t>(name.slot)];
  }

 private:
  std::span<const Value> slots_;
};

// Keeps the offset, so that a message still points at the place in the text.
void become_literal(ExprNode& node, Value value) {
  const int offset = node.offset;
  node = ExprNode{};
  node.offset = offset;
  node.literal = std::move(value);
}

bool all_literal(const ExprNode& node) {
  return std::all_of(node.children.begin(), node.children.end(),
                     [](const ExprNode& child) { return child.kind == ExprKind::kLiteral; });
}

// Truth of a folded condition; nullopt when it is not constant or not a condition.
std::optional<bool> constant_truth(const ExprNode& node) {
  if (node.kind != ExprKind::kLiteral || node.literal.is_string()) return std::nullopt;
  return node.literal.as_bool();
}

// Replaces constant subtrees by their values. One that fails to evaluate stays, and fails when it
// is reached.
void fold(ExprNode& node) {
  for (ExprNode& child : node.children) fold(child);
  if (node.kind == ExprKind::kLiteral || node.kind == ExprKind::kName) return;
  const std::optional<bool> first = constant_truth(node.children[0]);
  if (node.op == ExprOp::kAnd && first == false) return become_literal(node, false);
  if (node.op == ExprOp::kOr && first == true) return become_literal(node, true);
  if (node.kind == ExprKind::kConditional && first) {
    ExprNode branch = std::move(node.children[*first ? 1 : 2]);
    node = std::move(branch);
    return;
  }
  if (!all_literal(node)) return;
  try {
    become_literal(node, evaluate_tree(node, NoNames()));
  } catch (const ExprFault&) {
    return;
  }
}

void collect_slots(const ExprNode& node, std::vector<int>& slots) {
  if (node.kind == ExprKind::kName) slots.push_back(node.slot);
  for (const ExprNode& child : node.children) collect_slots(child, slots);
}

}  // namespace

struct BoundExpr::Impl {
  Expr expr;
  std::vector<std::string> slot_names;
  Environment constants;  // only those that the expression uses
  ExprNode folded;
  std::vector<int> slots;
  std::optional<ExprProgram> program;

  // Slots hide constants of the same name.
  void bind(ExprNode& node) const {
    for (ExprNode& child : node.children) bind(child);
    if (node.kind != ExprKind::kName) return;
    const auto slot = std::find(slot_names.begin(), slot_names.end(), node.name);
    if (slot != slot_names.end()) {
      node.slot = static_cast<int>(slot - slot_names.begin());
    } else {
      become_literal(node, *constants.find(node.name));
    }
  }

  // Evaluates the original expression again for its error; returns if, unexpectedly, there is none.
  template <typename T>
  [[nodiscard]] bool evaluate_again(std::span<const T> values) const {
    Environment environment(&constants);
    for (const std::string& name : expr.names()) {
      const auto slot = std::find(slot_names.begin(), slot_names.end(), name);
      if (slot == slot_names.end()) continue;
      environment.set(name, Value(values[static_cast<std::size_t>(slot - slot_names.begin())]));
    }
    return expr.evaluate_bool(environment);
  }
};

BoundExpr::BoundExpr(const Expr& expr, std::span<const std::string> slot_names,
                     const Environment& constants)
    : impl_(std::make_unique<Impl>()) {
  impl_->expr = expr;
  impl_->slot_names.assign(slot_names.begin(), slot_names.end());
  std::vector<std::string> known = constants.names();
  known.insert(known.end(), slot_names.begin(), slot_names.end());
  expr.require_names(known, "name");
  for (const std::string& name : expr.names()) {
    if (std::find(slot_names.begin(), slot_names.end(), name) == slot_names.end()) {
      impl_->constants.set(name, *constants.find(name));
    }
  }
  impl_->folded = expr.root();
  impl_->bind(impl_->folded);
  fold(impl_->folded);
  std::vector<int>& slots = impl_->slots;
  collect_slots(impl_->folded, slots);
  std::sort(slots.begin(), slots.end());
  slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
  impl_->program = ExprProgram::compile(impl_->folded);
}

BoundExpr::~BoundExpr() = default;
BoundExpr::BoundExpr(BoundExpr&&) noexcept = default;
BoundExpr& BoundExpr::operator=(BoundExpr&&) noexcept = default;

const std::vector<int>& BoundExpr::slots() const { return impl_->slots; }
const Expr& BoundExpr::expr() const { return impl_->expr; }
bool BoundExpr::integer_only() const { return impl_->program.has_value(); }

BoundExpr::Verdict BoundExpr::test(std::span<const Value> slots) const {
  try {
    const Value value = evaluate_tree(impl_->folded, SlotNames(slots));
    return truth_of(value, impl_->folded) ? Verdict::kTrue : Verdict::kFalse;
  } catch (const ExprFault&) {
    return Verdict::kFault;
  }
}

BoundExpr::Verdict BoundExpr::test(std::span<const std::int64_t> slots) const {
  std::int64_t result = 0;
  if (!impl_->program->run(slots, result)) return Verdict::kFault;
  return result != 0 ? Verdict::kTrue : Verdict::kFalse;
}

bool BoundExpr::holds(std::span<const Value> slots) const {
  const Verdict verdict = test(slots);
  return verdict == Verdict::kFault ? impl_->evaluate_again(slots) : verdict == Verdict::kTrue;
}

bool BoundExpr::holds(std::span<const std::int64_t> slots) const {
  const Verdict verdict = test(slots);
  return verdict == Verdict::kFault ? impl_->evaluate_again(slots) : verdict == Verdict::kTrue;
}

Interval BoundExpr::bounds(std::span<const Interval> slots) const {
  return tree_bounds(impl_->folded, slots);
}

}  // namespace warpwright
