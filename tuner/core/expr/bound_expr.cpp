// BoundExpr: folding of constants, the compiled fast path, and bounds. A fault found on the fast
// path is reported by evaluating the original expression again, so that its message is the same
// wherever it was found.
#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "core/expr/checked_math.h"
#include "core/expr/expr.h"
#include "core/expr/expr_bounds.h"
#include "core/expr/expr_eval.h"
#include "core/expr/expr_node.h"

namespace warpwright {

// Integer-only expressions compiled into a flat list of three-address instructions: the inner loop
// of constraint solving, with some tens of millions of evaluations per second. Used by BoundExpr.
class ExprProgram {
 public:
  // nullopt when the tree holds a real, a string or sqrt/log2, or is too large: only the tree
  // evaluator can handle it. Every name of the tree must be bound to a slot.
  [[nodiscard]] static std::optional<ExprProgram> compile(const ExprNode& root);

  // False on any MathFault; `result` is then meaningless.
  [[nodiscard]] bool run(std::span<const std::int64_t> slots, std::int64_t& result) const noexcept;

 private:
  class Compiler;

  enum class Code : std::uint8_t {
    kMath,        // temp[target] = a `op` b
    kNot,         // temp[target] = a == 0
    kTruth,       // temp[target] = a != 0
    kInvert,      // temp[target] = ~a
    kIsPow2,      // temp[target] = a is a power of two
    kCopy,        // temp[target] = a
    kSkipIfZero,  // if a == 0: temp[target] = 0 and jump to b
    kSkipIfTrue,  // if a != 0: temp[target] = 1 and jump to b
    kJumpIfZero,  // if a == 0: jump to b
    kJump,        // jump to b
  };

  // An operand is a slot, a constant or a temporary: an index into one of three tables.
  enum class Table : std::uint8_t { kSlots, kConstants, kTemporaries };
  struct Operand {
    Table table = Table::kConstants;
    std::uint16_t index = 0;
  };
  struct Instruction {
    Code code = Code::kCopy;
    ExprOp op = ExprOp::kNone;
    std::uint16_t target = 0;
    Operand a;
    Operand b;
    std::uint16_t jump = 0;
  };

  static constexpr std::uint16_t kTemporaries = 64;

  std::vector<Instruction> instructions_;
  std::vector<std::int64_t> constants_;
  Operand result_;
};

// Temporaries follow stack discipline: a subtree compiled "at t" may use t and above, and leaves
// its value in t unless it is a slot or a constant, which need no instruction at all.
class ExprProgram::Compiler {
 public:
  bool run(const ExprNode& root, ExprProgram& program) {
    const std::optional<Operand> result = operand(root, 0);
    if (!result || too_large_) return false;
    program.instructions_ = std::move(instructions_);
    program.constants_ = std::move(constants_);
    program.result_ = *result;
    return true;
  }

 private:
  static constexpr std::size_t kMaxIndex = std::numeric_limits<std::uint16_t>::max();

  std::optional<Operand> constant(std::int64_t value) {
    constants_.push_back(value);
    if (constants_.size() > kMaxIndex) too_large_ = true;
    return Operand{Table::kConstants, static_cast<std::uint16_t>(constants_.size() - 1)};
  }

  // Returns the position of the instruction, for jumps that land() completes.
  std::size_t emit(Code code, ExprOp op, int target, Operand a, Operand b = {}) {
    instructions_.push_back({code, op, static_cast<std::uint16_t>(target), a, b, 0});
    if (instructions_.size() > kMaxIndex || target >= kTemporaries) too_large_ = true;
    return instructions_.size() - 1;
  }

  void land(std::size_t jump) {
    instructions_[jump].jump = static_cast<std::uint16_t>(instructions_.size());
  }

  static Operand temporary(int t) { return {Table::kTemporaries, static_cast<std::uint16_t>(t)}; }

  // The operand that will hold the node's value; nullopt when the node is not integer-only.
  std::optional<Operand> operand(const ExprNode& node, int t) {
    if (too_large_ || t >= kTemporaries) return std::nullopt;
    if (node.kind == ExprKind::kLiteral) {
      if (node.literal.is_real() || node.literal.is_string()) return std::nullopt;
      return constant(node.literal.as_integer());
    }
    if (node.kind == ExprKind::kName) {
      if (node.slot < 0 || node.slot > static_cast<int>(kMaxIndex)) return std::nullopt;
      return Operand{Table::kSlots, static_cast<std::uint16_t>(node.slot)};
    }
    if (!into(node, t)) return std::nullopt;
    return temporary(t);
  }

  // Generates code that leaves the value in temporary t.
  bool into(const ExprNode& node, int t) {
    if (node.kind == ExprKind::kConditional) return conditional(node, t);
    if (node.kind == ExprKind::kBinary && (node.op == ExprOp::kAnd || node.op == ExprOp::kOr)) {
      return short_circuit(node, t);
    }
    switch (node.op) {
      case ExprOp::kSizeof:
      case ExprOp::kLog2:
      case ExprOp::kSqrt:
        return false;
      case ExprOp::kNot:
        return unary(Code::kNot, node, t);
      case ExprOp::kInvert:
        return unary(Code::kInvert, node, t);
      case ExprOp::kIsPow2:
        return unary(Code::kIsPow2, node, t);
      case ExprOp::kNegate:
        return negate(node.children[0], t);
      case ExprOp::kAbs:
        return absolute(node.children[0], t);
      case ExprOp::kNone: {
        const std::optional<Operand> value = operand(node, t);
        if (!value) return false;
        emit(Code::kCopy, ExprOp::kNone, t, *value);
        return true;
      }
      default:
        return arithmetic(node, t);
    }
  }

  // Handles two operands, or the several operands of min and max, taken pairwise.
  bool arithmetic(const ExprNode& node, int t) {
    std::optional<Operand> left = operand(node.children[0], t);
    for (std::size_t i = 1; left && i < node.children.size(); ++i) {
      const int next = left->table == Table::kTemporaries ? t + 1 : t;
      const std::optional<Operand> right = operand(node.children[i], next);
      if (!right) return false;
      emit(Code::kMath, node.op, t, *left, *right);
      left = temporary(t);
    }
    return left.has_value();
  }

  bool unary(Code code, const ExprNode& node, int t) {
    const std::optional<Operand> value = operand(node.children[0], t);
    if (value) emit(code, ExprOp::kNone, t, *value);
    return value.has_value();
  }

  bool negate(const ExprNode& child, int t) {
    const std::optional<Operand> value = operand(child, t);
    if (value) emit(Code::kMath, ExprOp::kSubtract, t, *constant(0), *value);
    return value.has_value();
  }

  // max(a, 0 - a): the subtraction overflows exactly where abs does.
  bool absolute(const ExprNode& child, int t) {
    const std::optional<Operand> value = operand(child, t);
    if (!value) return false;
    const bool moved = value->table == Table::kTemporaries;
    emit(Code::kMath, ExprOp::kSubtract, t + 1, *constant(0), *value);
    emit(Code::kMath, ExprOp::kMax, t, moved ? temporary(t) : *value, temporary(t + 1));
    return true;
  }

  // The left side may decide the result, in which case it jumps past the right side with the answer
  // in t.
  bool short_circuit(const ExprNode& node, int t) {
    const std::optional<Operand> left = operand(node.children[0], t);
    if (!left) return false;
    const Code code = node.op == ExprOp::kAnd ? Code::kSkipIfZero : Code::kSkipIfTrue;
    const std::size_t skip = emit(code, ExprOp::kNone, t, *left);
    const std::optional<Operand> right = operand(node.children[1], t);
    if (!right) return false;
    const bool is_truth = right->table == Table::kTemporaries && gives_truth(node.children[1]);
    if (!is_truth) emit(Code::kTruth, ExprOp::kNone, t, *right);
    land(skip);
    return true;
  }

  // Returns true if the node yields 0 or 1, so that && and || need not normalise it again.
  static bool gives_truth(const ExprNode& node) {
    return is_comparison(node.op) || node.op == ExprOp::kAnd || node.op == ExprOp::kOr ||
           node.op == ExprOp::kNot || node.op == ExprOp::kIsPow2;
  }

  // Both branches leave their value in t, because only run time decides which of them runs.
  bool conditional(const ExprNode& node, int t) {
    const std::optional<Operand> condition = operand(node.children[0], t);
    if (!condition) return false;
    const std::size_t to_else = emit(Code::kJumpIfZero, ExprOp::kNone, t, *condition);
    if (!into(node.children[1], t)) return false;
    const std::size_t to_end = emit(Code::kJump, ExprOp::kNone, t, *condition);
    land(to_else);
    if (!into(node.children[2], t)) return false;
    land(to_end);
    return true;
  }

  std::vector<Instruction> instructions_;
  std::vector<std::int64_t> constants_;
  bool too_large_ = false;
};

std::optional<ExprProgram> ExprProgram::compile(const ExprNode& root) {
  ExprProgram program;
  if (!Compiler().run(root, program)) return std::nullopt;
  return program;
}

bool ExprProgram::run(std::span<const std::int64_t> slots, std::int64_t& result) const noexcept {
  // Left uninitialised on purpose: the compiler writes each temporary before it reads it.
  std::array<std::int64_t, kTemporaries>
      temporaries;  // NOLINT(cppcoreguidelines-pro-type-member-init)
  const std::array<const std::int64_t*, 3> tables = {slots.data(), constants_.data(),
                                                     temporaries.data()};
  const auto load = [&](Operand from) {
    return tables[static_cast<std::size_t>(from.table)][from.index];
  };
  const std::size_t end = instructions_.size();
  for (std::size_t i = 0; i < end; ++i) {
    const Instruction& step = instructions_[i];
    const std::int64_t a = load(step.a);
    std::int64_t& target = temporaries[step.target];
    switch (step.code) {
      case Code::kMath: {
        const MathResult math = integer_math(step.op, a, load(step.b));
        if (math.fault != MathFault::kNone) [[unlikely]]
          return false;
        target = math.value;
        break;
      }
      case Code::kNot:
        target = a == 0;
        break;
      case Code::kTruth:
        target = a != 0;
        break;
      case Code::kInvert:
        target = ~a;
        break;
      case Code::kIsPow2:
        target = is_power_of_two(a);
        break;
      case Code::kCopy:
        target = a;
        break;
      case Code::kSkipIfZero:
        if (a == 0) {
          target = 0;
          i = step.jump - std::size_t{1};
        }
        break;
      case Code::kSkipIfTrue:
        if (a != 0) {
          target = 1;
          i = step.jump - std::size_t{1};
        }
        break;
      case Code::kJumpIfZero:
        if (a == 0) i = step.jump - std::size_t{1};
        break;
      case Code::kJump:
        i = step.jump - std::size_t{1};
        break;
    }
  }
  result = load(result_);
  return true;
}

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
