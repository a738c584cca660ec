// Video instructions: vadd, vsub, vabsdiff, vmin, vmax, vshl, vshr, vmad and vset of parts of a
// register, and the variants with two halves and with four bytes.
#pragma once

#include <string>
#include <vector>

#include "emu/decode/code_builder.h"
#include "emu/decode/operand_reader.h"
#include "emu/decode/statement_reader.h"

namespace warpwright::emu {

class VideoDecoder {
 public:
  // All arguments must outlive this.
  VideoDecoder(const StatementReader& at, CodeBuilder& out, OperandReader& operands)
      : at_(at), out_(out), operands_(operands) {}

  [[nodiscard]] static std::vector<std::string> opcodes();
  [[nodiscard]] static bool is_video(std::string_view opcode);
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
