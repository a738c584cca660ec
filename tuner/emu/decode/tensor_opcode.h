// What the opcodes of matrix products say in their parts: shape and element formats.
#pragma once

#include <string_view>
#include <vector>

#include "emu/tensor/tensor_format.h"

namespace warpwright::emu {

struct MatrixShape {
  int m = 0;
  int n = 0;
  int k = 0;
  friend bool operator==(const MatrixShape&, const MatrixShape&) = default;
};

// The part "m16n8k16"; zeros where there is none.
[[nodiscard]] MatrixShape find_shape(const std::vector<std::string_view>& parts);
// Formats in the order that the opcode names them.
[[nodiscard]] std::vector<TensorFormat> find_formats(const std::vector<std::string_view>& parts);
// What the two operands and the accumulators of one instruction may be together.
[[nodiscard]] bool formats_agree(const MmaForm& form);
[[nodiscard]] bool is_fp8(TensorFormat format);

}  // namespace warpwright::emu
