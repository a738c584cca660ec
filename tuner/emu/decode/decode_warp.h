// Warp-wide operations: shfl, vote, match, redux, elect, activemask, bar.warp.sync.
#pragma once

#include <string>
#include <vector>

#include "emu/decode/code_builder.h"
#include "emu/decode/operand_reader.h"
#include "emu/decode/statement_reader.h"

namespace warpwright::emu {

class WarpDecoder {
 public:
  // All arguments must outlive this.
  WarpDecoder(const StatementReader& at, CodeBuilder& out, OperandReader& operands)
      : at_(at), out_(out), operands_(operands) {}

  [[nodiscard]] static std::vector<std::string> opcodes();
  // Decodes the current statement. Returns false if it does not belong to this family, or has a
  // form that the family does not support.
  [[nodiscard]] bool decode();

 private:
  using Field = CodeBuilder::Field;
  using enum CodeBuilder::Field;

  const StatementReader& at_;
  CodeBuilder& out_;
  OperandReader& operands_;
};

}  // namespace warpwright::emu
