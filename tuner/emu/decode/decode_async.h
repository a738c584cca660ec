// mbarrier, cp.async and its groups, bulk and tensor copies, st.async, red.async, clusters,
// setmaxnreg, fences.
#pragma once

#include <string>
#include <vector>

#include "emu/decode/code_builder.h"
#include "emu/decode/operand_reader.h"
#include "emu/decode/statement_reader.h"

namespace warpwright::emu {

class AsyncDecoder {
 public:
  // All arguments must outlive this.
  AsyncDecoder(const StatementReader& at, CodeBuilder& out, OperandReader& operands)
      : at_(at), out_(out), operands_(operands) {}

  [[nodiscard]] static std::vector<std::string> opcodes();
  // Decodes the current statement. Returns false if it does not belong to this family, or has a
  // form that the family does not support.
  [[nodiscard]] bool decode();

 private:
  using Field = CodeBuilder::Field;
  using enum CodeBuilder::Field;

  void decode_mbarrier();
  void decode_copy();
  void decode_cp_async();
  void decode_bulk_copy();
  void decode_tensor_copy();
  void decode_store_async(bool reduces);
  [[nodiscard]] std::int64_t reduction(bool typed) const;

  const StatementReader& at_;
  CodeBuilder& out_;
  OperandReader& operands_;
};

}  // namespace warpwright::emu
