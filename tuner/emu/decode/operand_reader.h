// Turns operands of the current statement into values of the code: registers, constants, symbols,
// special registers and addresses. Reading one may emit instructions of its own, so it must happen
// before emit() for the instruction that uses the value.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "emu/decode/code_builder.h"
#include "emu/decode/function_frame.h"
#include "emu/decode/module_decoder.h"
#include "emu/decode/statement_reader.h"
#include "emu/lanes/lane_table.h"
#include "emu/ptx/ptx_ast.h"

namespace warpwright::emu {

// [register + n], [variable + n] or [n].
struct DecodedAddress {
  Space space = Space::kGeneric;
  bool frame_param = false;  // in the function's parameter area; has no address at run time
  std::uint32_t base = 0;    // a value
  bool wide = true;
  std::int64_t offset = 0;
};

class OperandReader {
 public:
  // All arguments must outlive this.
  OperandReader(const ModuleDecoder& module, const ParsedFunction& function,
                const FunctionFrame& frame, const StatementReader& at, CodeBuilder& out)
      : module_(module), function_(function), frame_(frame), at_(at), out_(out) {}

  // --- values, to be read before their instruction is emitted
  // Any operand that can be read as a row of the shape.
  [[nodiscard]] std::uint32_t value(const Operand& operand, Shape shape, Literal literal);
  // Returns the register of a destination operand, for lane_op().
  [[nodiscard]] std::uint32_t result(const Operand& operand, Shape shape);
  [[nodiscard]] DecodedAddress address(const Operand& bracket, Space space);
  // The address in a bracket as one wide value, offset included. Elements after it (coordinates)
  // are left to the caller.
  [[nodiscard]] std::uint32_t wide_address(const Operand& bracket);
  // The halves of a 128-bit register as operands: a pair of 64-bit registers, the lower half first.
  [[nodiscard]] std::vector<Operand> halves_of(const Operand& operand);
  // Refuses an access of a function's parameter area that leaves the variable. Throws Error (user).
  void require_within(const Operand& base, std::size_t bytes) const;

  // --- operands of the last instruction, which need no instructions of their own
  void predicate_source(CodeBuilder::Field field, const Operand& operand);
  void destination(CodeBuilder::Field field, const Operand& operand, Shape shape);
  void use_address(Inst& inst, const DecodedAddress& address);
  void extra_result(const Operand& operand, Shape shape);

 private:
  [[nodiscard]] std::uint32_t register_value(const Operand& operand, Shape shape);
  [[nodiscard]] std::uint32_t literal_value(const Operand& operand, Shape shape, Literal literal);
  [[nodiscard]] std::uint32_t variable_address(const Operand& operand, Shape shape);
  [[nodiscard]] std::uint32_t named_value(const Operand& operand, Shape shape);
  [[nodiscard]] const Variable& variable(const Operand& operand) const;

  const ModuleDecoder& module_;
  const ParsedFunction& function_;
  const FunctionFrame& frame_;
  const StatementReader& at_;
  CodeBuilder& out_;
  std::map<std::uint32_t, std::uint32_t> quad_halves_;  // of 128-bit registers: the lower half
};

}  // namespace warpwright::emu
