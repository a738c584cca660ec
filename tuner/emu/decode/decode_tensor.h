// Tensor-core instructions: ldmatrix, stmatrix, mma with and without block scaling, wmma and wgmma.
#pragma once

#include <string>
#include <vector>

#include "emu/decode/code_builder.h"
#include "emu/decode/operand_reader.h"
#include "emu/decode/statement_reader.h"
#include "emu/tensor/exec_tensor.h"
#include "emu/tensor/tensor_format.h"

namespace warpwright::emu {

class TensorDecoder {
 public:
  // All arguments must outlive this.
  TensorDecoder(const StatementReader& at, CodeBuilder& out, OperandReader& operands)
      : at_(at), out_(out), operands_(operands) {}

  [[nodiscard]] static std::vector<std::string> opcodes();
  // Decodes the current statement. Returns false if it does not belong to this family, or has a
  // form that the family does not support.
  [[nodiscard]] bool decode();

 private:
  using Field = CodeBuilder::Field;
  using enum CodeBuilder::Field;

  void decode_matrix_move(bool load);
  void decode_mma(bool wmma);
  void decode_scaled_mma();
  [[nodiscard]] std::optional<BlockScale> block_scale(MmaForm& form) const;
  void decode_wmma_move(bool load);
  void decode_wgmma();
  void decode_wgmma_product();
  [[nodiscard]] std::vector<Operand> elements(std::size_t i) const;
  [[nodiscard]] std::vector<std::uint32_t> element_values(std::size_t i, std::size_t count,
                                                          TensorFormat format);

  const StatementReader& at_;
  CodeBuilder& out_;
  OperandReader& operands_;
};

}  // namespace warpwright::emu
