// Branches, exits, barriers, and instructions without an effect in the emulator.
#pragma once

#include <string>
#include <vector>

#include "emu/decode/code_builder.h"
#include "emu/decode/label_table.h"
#include "emu/decode/operand_reader.h"
#include "emu/decode/statement_reader.h"

namespace warpwright::emu {

class ControlDecoder {
 public:
  // All arguments must outlive this.
  ControlDecoder(const StatementReader& at, CodeBuilder& out, OperandReader& operands,
                 LabelTable& labels)
      : at_(at), out_(out), operands_(operands), labels_(labels) {}

  [[nodiscard]] static std::vector<std::string> opcodes();
  // Decodes the current statement. Returns false if it does not belong to this family, or has a
  // form that the family does not support.
  [[nodiscard]] bool decode();
  // Decodes a statement that is left out.
  void leave_out();

 private:
  using Field = CodeBuilder::Field;
  using enum CodeBuilder::Field;

  void decode_branch(const Operand& target);
  void decode_branch_indexed();
  void decode_barrier();

  const StatementReader& at_;
  CodeBuilder& out_;
  OperandReader& operands_;
  LabelTable& labels_;
};

}  // namespace warpwright::emu
