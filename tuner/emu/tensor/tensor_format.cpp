#include "emu/tensor/tensor_format.h"

#include <utility>

namespace warpwright::emu {

std::optional<TensorFormat> parse_tensor_format(std::string_view name) {
  static constexpr std::pair<std::string_view, TensorFormat> kNames[] = {
      {"f16", TensorFormat::kF16},   {"bf16", TensorFormat::kBf16}, {"tf32", TensorFormat::kTf32},
      {"e4m3", TensorFormat::kE4m3}, {"e5m2", TensorFormat::kE5m2}, {"e2m3", TensorFormat::kE2m3},
      {"e3m2", TensorFormat::kE3m2}, {"e2m1", TensorFormat::kE2m1}, {"s8", TensorFormat::kS8},
      {"u8", TensorFormat::kU8},     {"s4", TensorFormat::kS4},     {"u4", TensorFormat::kU4},
      {"b1", TensorFormat::kB1},     {"f32", TensorFormat::kF32},   {"s32", TensorFormat::kS32},
      {"f64", TensorFormat::kF64}};
  for (const auto& [text, format] : kNames) {
    if (text == name) return format;
  }
  return std::nullopt;
}

SmallFormat small_format(TensorFormat format) {
  switch (format) {
    case TensorFormat::kE5m2:
      return SmallFormat::kE5m2;
    case TensorFormat::kE2m3:
      return SmallFormat::kE2m3;
    case TensorFormat::kE3m2:
      return SmallFormat::kE3m2;
    case TensorFormat::kE2m1:
    case TensorFormat::kE2m1x2:
      return SmallFormat::kE2m1;
    default:
      return SmallFormat::kE4m3;
  }
}

std::uint8_t small_code(TensorFormat format, const std::byte* line, std::size_t i) {
  if (format == TensorFormat::kE2m1x2)
    return std::to_integer<std::uint8_t>(line[i / 2]) >> i % 2 * 4 & 15;
  const auto byte = std::to_integer<std::uint8_t>(line[i]);
  return format == TensorFormat::kE2m1 ? byte >> 2 & 15 : byte;
}

void count_tensor_operations(Counters& counters, TensorFormat operand, std::uint64_t operations) {
  switch (operand) {
    case TensorFormat::kF16:
      counters.tensor_f16_ops += operations;
      return;
    case TensorFormat::kBf16:
      counters.tensor_bf16_ops += operations;
      return;
    case TensorFormat::kTf32:
      counters.tensor_tf32_ops += operations;
      return;
    case TensorFormat::kF64:
      counters.tensor_f64_ops += operations;
      return;
    case TensorFormat::kE4m3:
    case TensorFormat::kE5m2:
    case TensorFormat::kE2m3:
    case TensorFormat::kE3m2:
    case TensorFormat::kE2m1:
      counters.tensor_fp8_ops += operations;
      return;
    case TensorFormat::kE2m1x2:
      counters.tensor_fp4_ops += operations;
      return;
    default:  // smaller integers run as 8-bit ones
      counters.tensor_int8_ops += operations;
      return;
  }
}

}  // namespace warpwright::emu
