// Parses the shape and the element formats in the opcodes of matrix products.
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

// Finds the part with the shape, such as "m16n8k16"; zeros if there is none.
[[nodiscard]] MatrixShape find_shape(const std::vector<std::string_view>& parts);
// Formats in the order that the opcode names them.
[[nodiscard]] std::vector<TensorFormat> find_formats(const std::vector<std::string_view>& parts);
// Whether one instruction may combine these formats of its two operands and its accumulators.
[[nodiscard]] bool formats_agree(const MmaForm& form);
[[nodiscard]] bool is_fp8(TensorFormat format);

}  // namespace warpwright::emu
