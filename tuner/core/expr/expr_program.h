// Integer-only expressions compiled into a flat list of three-address instructions: the inner loop
// of constraint solving, with some tens of millions of evaluations per second. Internal to core;
// use BoundExpr.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/expr/expr_node.h"

namespace warpwright {

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

}  // namespace warpwright
