#include "emu/decode/tensor_opcode.h"

#include <charconv>
#include <utility>

namespace warpwright::emu {
namespace {

// Parses a shape such as "m16n8k16"; zeros if the part is not a shape.
MatrixShape parse_shape(std::string_view part) {
  MatrixShape shape;
  const char* at = part.data();
  const char* end = part.data() + part.size();
  for (const auto& [letter, value] :
       {std::pair{'m', &shape.m}, std::pair{'n', &shape.n}, std::pair{'k', &shape.k}}) {
    if (at == end || *at != letter) return {};
    const auto [next, error] = std::from_chars(at + 1, end, *value);
    if (error != std::errc()) return {};
    at = next;
  }
  return at == end ? shape : MatrixShape{};
}

}  // namespace

MatrixShape find_shape(const std::vector<std::string_view>& parts) {
  for (const std::string_view part : parts) {
    const MatrixShape shape = parse_shape(part);
    if (shape.m != 0) return shape;
  }
  return {};
}

std::vector<TensorFormat> find_formats(const std::vector<std::string_view>& parts) {
  std::vector<TensorFormat> formats;
  for (const std::string_view part : parts) {
    if (const auto format = parse_tensor_format(part)) formats.push_back(*format);
  }
  return formats;
}

bool is_fp8(TensorFormat format) {
  return format == TensorFormat::kE4m3 || format == TensorFormat::kE5m2;
}

bool formats_agree(const MmaForm& form) {
  const bool halves_out = form.c == TensorFormat::kF16 || form.c == TensorFormat::kF32;
  const bool same_width = bits_of(form.a) == bits_of(form.b);
  if (form.a == TensorFormat::kB1)
    return form.b == form.a && form.c == TensorFormat::kS32 && form.d == form.c;
  if (is_integer(form.a))
    return is_integer(form.b) && same_width && form.c == TensorFormat::kS32 && form.d == form.c;
  if (form.a == TensorFormat::kF16 || is_small(form.a)) {
    const bool pair = is_small(form.a) ? is_small(form.b) : form.b == form.a;
    return pair && halves_out && (form.d == TensorFormat::kF16 || form.d == TensorFormat::kF32);
  }
  const TensorFormat sums = form.a == TensorFormat::kF64 ? TensorFormat::kF64 : TensorFormat::kF32;
  const bool known = form.a == TensorFormat::kBf16 || form.a == TensorFormat::kTf32 ||
                     form.a == TensorFormat::kF64;
  return known && form.b == form.a && form.c == sums && form.d == sums;
}

}  // namespace warpwright::emu
