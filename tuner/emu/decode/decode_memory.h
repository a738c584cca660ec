// ld, st, atom, red, cvta, isspacep, prefetch and similar hints. A .b128 register is a pair of
// 64-bit registers, the lower half first.
#pragma once

#include <string>
#include <vector>

#include "emu/decode/code_builder.h"
#include "emu/decode/operand_reader.h"
#include "emu/decode/statement_reader.h"

namespace warpwright::emu {

enum class AtomicOp : std::uint8_t;
enum class AtomicType : std::uint8_t;

class MemoryDecoder {
 public:
  // All arguments must outlive this.
  MemoryDecoder(const StatementReader& at, CodeBuilder& out, OperandReader& operands)
      : at_(at), out_(out), operands_(operands) {}

  [[nodiscard]] static std::vector<std::string> opcodes();
  // Decodes the current statement. Returns false if it does not belong to this family, or has a
  // form that the family does not support.
  [[nodiscard]] bool decode();

 private:
  using Field = CodeBuilder::Field;
  using enum CodeBuilder::Field;

  void decode_load_store(bool load);
  void decode_atomic(bool returns);
  void decode_vector_atomic(bool returns, AtomicOp op, AtomicType type);
  void decode_quad_atomic(Space space);
  void decode_cvta();

  const StatementReader& at_;
  CodeBuilder& out_;
  OperandReader& operands_;
};

}  // namespace warpwright::emu
