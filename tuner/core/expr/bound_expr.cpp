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

// Used for folding, which evaluates only expressions without names.
class NoNames : public NameSource {
 public:
  const Value& value_of(const ExprNode& name) const override {
    throw ExprFault{name.offset, "a name inside a constant", ""};
  }
};

// Resolves names by the slots that they were bound to.
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

// The truth of a folded condition; nullopt if it is not constant or not a condition.
std::optional<bool> constant_truth(const ExprNode& node) {
  if (node.kind != ExprKind::kLiteral || node.literal.is_string()) return std::nullopt;
  return node.literal.as_bool();
}

// Replaces an operator whose operands are constants by its value; the operands must be folded
// already. An operator that fails to evaluate is kept, and fails when it is reached at run time.
void fold(ExprNode& node) {
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
  std::vector<int> slot_of;  // per name of the expression; -1 for a constant
  Environment constants;     // only those that the expression uses
  ExprNode folded;
  std::vector<int> slots;
  bool compiled = false;
  std::optional<ExprProgram> program;

  // Compiled on first use: solvers that use an expression graph never need it.
  [[nodiscard]] const std::optional<ExprProgram>& fast_path() {
    if (!compiled) program = ExprProgram::compile(folded);
    compiled = true;
    return program;
  }

  // Slots hide constants of the same name.
  void find_names(std::span<const std::string> slot_names, const Environment& known_constants) {
    for (const std::string& name : expr.names()) {
      const auto slot = std::find(slot_names.begin(), slot_names.end(), name);
      slot_of.push_back(slot == slot_names.end() ? -1
                                                 : static_cast<int>(slot - slot_names.begin()));
      if (slot != slot_names.end()) continue;
      if (const Value* constant = known_constants.find(name)) {
        constants.set(name, *constant);
      } else {
        std::vector<std::string> known = known_constants.names();
        known.insert(known.end(), slot_names.begin(), slot_names.end());
        expr.require_names(known, "name");
      }
    }
  }

  // Returns a copy in which slots and constants replace names, folded from the leaves up.
  [[nodiscard]] ExprNode bound(const ExprNode& node) const {
    ExprNode result;
    result.offset = node.offset;
    if (node.kind == ExprKind::kName) {
      const auto name = std::find(expr.names().begin(), expr.names().end(), node.name);
      result.slot = slot_of[static_cast<std::size_t>(name - expr.names().begin())];
      if (result.slot < 0) result.literal = *constants.find(node.name);
      if (result.slot >= 0) result.kind = ExprKind::kName;
      return result;
    }
    result.kind = node.kind;
    result.op = node.op;
    result.depth = node.depth;
    if (node.kind == ExprKind::kLiteral) {
      result.literal = node.literal;
      return result;
    }
    result.children.reserve(node.children.size());
    for (const ExprNode& child : node.children) result.children.push_back(bound(child));
    fold(result);
    return result;
  }

  // Evaluates the original expression again to raise its error; returns if, unexpectedly, there is
  // none.
  template <typename T>
  [[nodiscard]] bool evaluate_again(std::span<const T> values) const {
    Environment environment(&constants);
    for (std::size_t i = 0; i < slot_of.size(); ++i) {
      if (slot_of[i] < 0) continue;
      environment.set(expr.names()[i], Value(values[static_cast<std::size_t>(slot_of[i])]));
    }
    return expr.evaluate_bool(environment);
  }
};

BoundExpr::BoundExpr(const Expr& expr, std::span<const std::string> slot_names,
                     const Environment& constants)
    : impl_(std::make_unique<Impl>()) {
  impl_->expr = expr;
  impl_->find_names(slot_names, constants);
  impl_->folded = impl_->bound(expr.root());
  std::vector<int>& slots = impl_->slots;
  collect_slots(impl_->folded, slots);
  std::sort(slots.begin(), slots.end());
  slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
}

BoundExpr::~BoundExpr() = default;
BoundExpr::BoundExpr(BoundExpr&&) noexcept = default;
BoundExpr& BoundExpr::operator=(BoundExpr&&) noexcept = default;

const std::vector<int>& BoundExpr::slots() const { return impl_->slots; }
const Expr& BoundExpr::expr() const { return impl_->expr; }
const ExprNode& BoundExpr::folded() const { return impl_->folded; }
bool BoundExpr::integer_only() const { return impl_->fast_path().has_value(); }

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
  if (!impl_->fast_path()->run(slots, result)) return Verdict::kFault;
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
