// mma.sync with block scaling: .kind::mxf8f6f4, .kind::mxf4 and .kind::mxf4nvf4.
#include <algorithm>
#include <bit>

#include "emu/decode/function_decoder.h"
#include "emu/decode/tensor_opcode.h"
#include "emu/tensor/exec_tensor.h"
#include "emu/tensor/tensor_fragment.h"

namespace warpwright::emu {

// Accepts the combinations of PTX ISA, "Block scaling for mma.sync", except .kind::mxf4nvf4 with
// four ue8m0, which ptxas 13.0 does not accept. Returns nullopt for any other combination.
std::optional<BlockScale> FunctionDecoder::block_scale(MmaForm& form) const {
  const bool powers = parts_.back() == "ue8m0";
  if (!powers && parts_.back() != "ue4m3") return std::nullopt;
  BlockScale scale;
  scale.format = powers ? SmallFormat::kUe8m0 : SmallFormat::kUe4m3;
  const bool halves = has_part("scale_vec::2X");
  const bool quarters = has_part("scale_vec::4X");
  const bool whole = has_part("scale_vec::1X");
  scale.blocks = quarters ? 4 : halves ? 2 : 1;
  if (has_part("kind::mxf8f6f4")) {
    if (!powers || scale.blocks != 1 || form.k != 32) return std::nullopt;
    return is_small(form.a) && is_small(form.b) ? std::optional(scale) : std::nullopt;
  }
  const bool both_e2m1 = form.a == TensorFormat::kE2m1 && form.b == TensorFormat::kE2m1;
  if (!both_e2m1 || form.k != 64 || whole) return std::nullopt;
  form.a = form.b = TensorFormat::kE2m1x2;
  if (has_part("kind::mxf4")) {
    scale.blocks = 2;
    return powers && !quarters ? std::optional(scale) : std::nullopt;
  }
  if (!has_part("kind::mxf4nvf4") || scale.blocks != (powers ? 2 : 4)) return std::nullopt;
  return scale;
}

// mma.sync...block_scale{.scale_vec::nX}.shape.row.col.f32.a.b.f32.s
//     d, a, b, c, scale-a-data, {byte-id-a, thread-id-a}, scale-b-data, {byte-id-b, thread-id-b}
void FunctionDecoder::decode_scaled_mma() {
  const MatrixShape shape = find_shape(parts_);
  const std::vector<TensorFormat> formats = find_formats(parts_);
  if (shape.m != 16 || shape.n != 8 || formats.size() != 4 || !has_part("row") ||
      !has_part("col") || statement_->operands.size() != 8)
    unsupported();
  MmaForm form;
  form.m = 16;
  form.n_by_8 = 1;
  form.k = static_cast<std::uint8_t>(shape.k);
  form.d = formats[0];
  form.a = formats[1];
  form.b = formats[2];
  form.c = formats[3];
  const std::optional<BlockScale> scale = block_scale(form);
  if (!scale || form.d != TensorFormat::kF32 || form.c != TensorFormat::kF32) unsupported();
  std::vector<std::uint32_t> values;
  const auto take = [&](std::size_t operand, std::size_t count, TensorFormat format) {
    const std::vector<std::uint32_t> more = prepare_elements(operand, count, format);
    values.insert(values.end(), more.begin(), more.end());
  };
  take(1, layout_of_a(form.m, form.k, form.a).registers(), form.a);
  take(2, layout_of_b(form.n(), form.k, form.b).registers(), form.b);
  take(3, accumulator_registers(form.m, form.n(), form.c), form.c);
  for (const std::size_t data : {std::size_t{4}, std::size_t{6}}) {
    take(data, 1, TensorFormat::kS32);
    take(data + 1, 2, TensorFormat::kS32);
  }
  const std::vector<Operand> d = elements(0);
  if (d.size() != accumulator_registers(form.m, form.n(), form.d)) unsupported();
  emit(&exec_scaled_mma, InstClass::kTensor);
  code_.back().immediate = std::bit_cast<std::int64_t>(form);
  code_.back().count = static_cast<std::uint8_t>(d.size());
  begin_extra();
  for (const Operand& result : d) tensor_result(result, Shape::kRow);
  for (const std::uint32_t value : values) extra_value(value);
  extra_raw(std::bit_cast<std::uint32_t>(*scale));
}

}  // namespace warpwright::emu
