#include "core/expr/expr_program.h"

#include <array>
#include <limits>

#include "core/expr/checked_math.h"

namespace warpwright {

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

}  // namespace warpwright
