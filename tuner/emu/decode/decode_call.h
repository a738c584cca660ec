// Calls of functions by name, of the two functions that the toolkit's headers call and no PTX
// defines, and calls through a register.
#pragma once

#include <string>
#include <vector>

#include "emu/decode/code_builder.h"
#include "emu/decode/function_frame.h"
#include "emu/decode/label_table.h"
#include "emu/decode/module_decoder.h"
#include "emu/decode/operand_reader.h"
#include "emu/decode/statement_reader.h"

namespace warpwright::emu {

class CallDecoder {
 public:
  // All arguments must outlive this.
  CallDecoder(const StatementReader& at, CodeBuilder& out, OperandReader& operands,
              const FunctionFrame& frame, const LabelTable& labels, const ParsedFunction& function,
              std::uint32_t index, ModuleDecoder& module)
      : at_(at),
        out_(out),
        operands_(operands),
        frame_(frame),
        labels_(labels),
        function_(function),
        index_(index),
        module_(module) {}

  [[nodiscard]] static std::vector<std::string> opcodes();
  // Decodes the current statement. Returns false if it does not belong to this family, or has a
  // form that the family does not support.
  [[nodiscard]] bool decode();

 private:
  using Field = CodeBuilder::Field;
  using enum CodeBuilder::Field;

  void decode_call();
  void decode_indirect_call(const Operand& target, const Operand* returns, const Operand* arguments,
                            const Operand& shape);
  [[nodiscard]] CallSite call_site(const Operand* returns, const Operand* arguments,
                                   const Signature& signature) const;
  [[nodiscard]] std::size_t parameter_offset(const Operand& param) const;

  const StatementReader& at_;
  CodeBuilder& out_;
  OperandReader& operands_;
  const FunctionFrame& frame_;
  const LabelTable& labels_;
  const ParsedFunction& function_;
  const std::uint32_t index_;  // of the function
  ModuleDecoder& module_;
};

}  // namespace warpwright::emu
