#include "emu/decode/decode_tensor.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <string_view>
#include <utility>

#include "emu/tensor/tensor_fragment.h"

namespace warpwright::emu {
namespace {

struct MatrixShape {
  int m = 0;
  int n = 0;
  int k = 0;
  friend bool operator==(const MatrixShape&, const MatrixShape&) = default;
};

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

// Finds the part with the shape, such as "m16n8k16"; zeros if there is none.
MatrixShape find_shape(const std::vector<std::string_view>& parts) {
  for (const std::string_view part : parts) {
    const MatrixShape shape = parse_shape(part);
    if (shape.m != 0) return shape;
  }
  return {};
}

// Formats in the order that the opcode names them.
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

// Whether one instruction may combine these formats of its two operands and its accumulators.
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
  const TensorFormat accumulator =
      form.a == TensorFormat::kF64 ? TensorFormat::kF64 : TensorFormat::kF32;
  const bool known = form.a == TensorFormat::kBf16 || form.a == TensorFormat::kTf32 ||
                     form.a == TensorFormat::kF64;
  return known && form.b == form.a && form.c == accumulator && form.d == accumulator;
}

bool mma_has(TensorFormat operand, MatrixShape shape) {
  static constexpr std::pair<std::size_t, MatrixShape> kShapes[] = {
      {16, {16, 8, 8}},  {16, {16, 8, 16}}, {32, {16, 8, 4}},  {32, {16, 8, 8}}, {64, {8, 8, 4}},
      {64, {16, 8, 4}},  {64, {16, 8, 8}},  {64, {16, 8, 16}}, {8, {8, 8, 16}},  {8, {16, 8, 16}},
      {8, {16, 8, 32}},  {4, {8, 8, 32}},   {4, {16, 8, 32}},  {4, {16, 8, 64}}, {1, {8, 8, 128}},
      {1, {16, 8, 128}}, {1, {16, 8, 256}}};
  if (is_small(operand) && shape.m == 8) return false;
  return std::find(std::begin(kShapes), std::end(kShapes), std::pair{bits_of(operand), shape}) !=
         std::end(kShapes);
}

bool wmma_has(TensorFormat operand, MatrixShape shape) {
  if (operand == TensorFormat::kF64) return shape == MatrixShape{8, 8, 4};
  if (operand == TensorFormat::kTf32) return shape == MatrixShape{16, 16, 8};
  if (is_small(operand) || bits_of(operand) < 8) return false;
  return shape == MatrixShape{16, 16, 16} || shape == MatrixShape{32, 8, 16} ||
         shape == MatrixShape{8, 32, 16};
}

Shape row_shape(TensorFormat format) {
  return format == TensorFormat::kF64 ? Shape::kWide : Shape::kRow;
}

Literal literal_of(TensorFormat format) {
  return format == TensorFormat::kF32   ? Literal::kFloat
         : format == TensorFormat::kF64 ? Literal::kDouble
                                        : Literal::kBits;
}

Space matrix_space(const std::vector<std::string_view>& parts) {
  for (const std::string_view part : parts) {
    if (part.starts_with("shared")) return Space::kShared;
    if (part == "global") return Space::kGlobal;
  }
  return Space::kGeneric;
}

}  // namespace

std::vector<std::string> TensorDecoder::opcodes() {
  return {"ldmatrix", "stmatrix", "movmatrix", "mma", "wmma", "wgmma"};
}

bool TensorDecoder::decode() {
  const std::string_view base = at_.parts()[0];
  if (base == "ldmatrix") {
    decode_matrix_move(true);
  } else if (base == "stmatrix") {
    decode_matrix_move(false);
  } else if (at_.current().opcode == "movmatrix.sync.aligned.m8n8.trans.b16") {
    const std::uint32_t from = operands_.value(at_.operand(1), Shape::kRow, Literal::kBits);
    out_.emit(&exec_movmatrix, InstClass::kLoadStore);
    out_.source_value(kSrc0, from);
    operands_.destination(kDst, at_.operand(0), Shape::kRow);
  } else if (base == "mma") {
    decode_mma(false);
  } else if (base == "wmma" && at_.has_part("load")) {
    decode_wmma_move(true);
  } else if (base == "wmma" && at_.has_part("store")) {
    decode_wmma_move(false);
  } else if (base == "wmma" && at_.has_part("mma")) {
    decode_mma(true);
  } else if (base == "wgmma") {
    decode_wgmma();
  } else {
    return false;
  }
  return true;
}

// The registers of a vector operand, or a single register that was written without braces.
std::vector<Operand> TensorDecoder::elements(std::size_t i) const {
  const Operand& given = at_.operand(i);
  return given.kind == Operand::Kind::kVector ? given.list : std::vector<Operand>{given};
}

// Prepares the sources first, because they may need instructions of their own. `count` of them are
// kept.
std::vector<std::uint32_t> TensorDecoder::element_values(std::size_t i, std::size_t count,
                                                         TensorFormat format) {
  const std::vector<Operand> given = elements(i);
  if (given.size() < count || given.size() % count != 0) at_.unsupported();
  std::vector<std::uint32_t> values;
  for (std::size_t e = 0; e < count; ++e)
    values.push_back(operands_.value(given[e], row_shape(format), literal_of(format)));
  return values;
}

// ldmatrix.sync.aligned.m8n8.num{.trans}{.shared}.b16 r, [p] and stmatrix with its operands
// swapped; ldmatrix.sync.aligned.m8n16.num{.shared}.b8x16.b6x16_p32 and .b4x16_p64.
void TensorDecoder::decode_matrix_move(bool load) {
  const bool six = at_.parts().back() == "b6x16_p32";
  const bool four = at_.parts().back() == "b4x16_p64";
  const bool known =
      six || four ? load && at_.has_part("m8n16") && at_.has_part("b8x16") && !at_.has_part("trans")
                  : at_.has_part("m8n8") && at_.parts().back() == "b16";
  if (!known) at_.unsupported();
  const std::size_t count = at_.has_part("x4")   ? 4
                            : at_.has_part("x2") ? 2
                            : at_.has_part("x1") ? 1
                                                 : 0;
  const std::vector<Operand> rows = elements(load ? 0 : 1);
  if (count == 0 || rows.size() != count) at_.unsupported();
  const DecodedAddress at = operands_.address(at_.operand(load ? 1 : 0), matrix_space(at_.parts()));
  if (at.frame_param) at_.unsupported();
  std::vector<std::uint32_t> values;
  if (!load) values = element_values(1, count, TensorFormat::kF16);
  out_.emit(load ? &exec_ldmatrix : &exec_stmatrix, InstClass::kLoadStore);
  Inst& inst = out_.last();
  inst.count = static_cast<std::uint8_t>(count);
  if (at_.has_part("trans")) inst.flags |= MatrixFlags::kTransposed;
  if (six) inst.flags |= MatrixFlags::kSixBits;
  if (four) inst.flags |= MatrixFlags::kFourBits;
  operands_.use_address(inst, at);
  out_.begin_extra();
  for (std::size_t i = 0; i < count; ++i) {
    if (load) {
      operands_.extra_result(rows[i], Shape::kRow);
    } else {
      out_.extra_value(values[i]);
    }
  }
}

// mma.sync...{.kind::f8f6f4}{.satfinite}.d.a.b.c, and wmma.mma.sync... with the same suffixes, of
// which f16 names only d and c.
void TensorDecoder::decode_mma(bool wmma) {
  if (at_.has_part("sp") || at_.has_part("sp::ordered_metadata")) at_.unsupported();
  if (at_.has_part("block_scale")) return decode_scaled_mma();
  const MatrixShape shape = find_shape(at_.parts());
  std::vector<TensorFormat> formats = find_formats(at_.parts());
  if (wmma && formats.size() == 2) {
    formats = {formats[0], TensorFormat::kF16, TensorFormat::kF16, formats[1]};
  }
  if (shape.m == 0 || formats.size() != 4) at_.unsupported();
  MmaForm form;
  form.m = static_cast<std::uint8_t>(shape.m);
  form.n_by_8 = static_cast<std::uint8_t>(shape.n / 8);
  form.d = formats[0];
  form.a = formats[1];
  form.b = formats[2];
  form.c = formats[3];
  form.set_depth(shape.k);
  const bool bits = form.a == TensorFormat::kB1;
  if (bits && at_.has_part("and")) form.options |= MmaForm::kAnd;
  if (at_.has_part("satfinite")) form.options |= MmaForm::kSaturate;
  // 6- and 4-bit formats in bytes require an explicit kind, whose K is 32.
  const bool any_small = at_.has_part("kind::f8f6f4");
  const auto too_small = [](TensorFormat format) { return is_small(format) && !is_fp8(format); };
  if (any_small ? !is_small(form.a) || form.k != 32 || form.c != form.d
                : too_small(form.a) || too_small(form.b))
    at_.unsupported();
  // The hardware requires row.col; wmma's fragments no longer have a layout.
  const bool order = wmma || (at_.has_part("row") && at_.has_part("col"));
  if (!order || !formats_agree(form) || bits != at_.has_part("popc") ||
      (at_.has_part("xor") ? 1 : 0) + (at_.has_part("and") ? 1 : 0) != (bits ? 1 : 0) ||
      (form.has(MmaForm::kSaturate) && !is_integer(form.a)) ||
      !(wmma ? wmma_has(form.a, shape) : mma_has(form.a, shape)))
    at_.unsupported();
  const std::vector<std::uint32_t> a =
      element_values(1, layout_of_a(form.m, shape.k, form.a).registers(), form.a);
  const std::vector<std::uint32_t> b =
      element_values(2, layout_of_b(form.n(), shape.k, form.b).registers(), form.b);
  const std::vector<std::uint32_t> c =
      element_values(3, accumulator_registers(form.m, form.n(), form.c), form.c);
  const std::vector<Operand> d = elements(0);
  if (d.size() != accumulator_registers(form.m, form.n(), form.d)) at_.unsupported();
  out_.emit(form.a == TensorFormat::kF64 ? &exec_double_mma
            : bits                       ? &exec_bit_mma
                                         : &exec_mma,
            InstClass::kTensor);
  out_.last().immediate = std::bit_cast<std::int64_t>(form);
  out_.last().count = static_cast<std::uint8_t>(d.size());
  out_.begin_extra();
  for (const Operand& result : d) out_.extra_result(operands_.result(result, row_shape(form.d)));
  for (const std::uint32_t value : a) out_.extra_value(value);
  for (const std::uint32_t value : b) out_.extra_value(value);
  for (const std::uint32_t value : c) out_.extra_value(value);
}

// wmma.load.{a,b,c}.sync.aligned.layout.shape{.ss}.type r, [p]{, stride}, and wmma.store.d.
void TensorDecoder::decode_wmma_move(bool load) {
  const MatrixShape shape = find_shape(at_.parts());
  const auto format = parse_tensor_format(at_.parts().back());
  const std::string_view which = at_.parts().size() > 2 ? at_.parts()[2] : std::string_view{};
  if (shape.m == 0 || !format || !(at_.has_part("row") || at_.has_part("col"))) at_.unsupported();
  WmmaForm form;
  form.format = *format;
  form.role = which == "a" ? WmmaRole::kA : which == "b" ? WmmaRole::kB : WmmaRole::kAccumulator;
  const bool accumulator = form.role == WmmaRole::kAccumulator;
  const bool known =
      accumulator
          ? (*format == TensorFormat::kF64
                 ? wmma_has(TensorFormat::kF64, shape)
                 : wmma_has(TensorFormat::kF16, shape) ||
                       (*format == TensorFormat::kF32 && wmma_has(TensorFormat::kTf32, shape))) &&
                (*format == TensorFormat::kF16 || *format == TensorFormat::kF32 ||
                 *format == TensorFormat::kS32 || *format == TensorFormat::kF64)
          : *format != TensorFormat::kF32 && *format != TensorFormat::kS32 &&
                wmma_has(*format, shape);
  if (!known || (!accumulator && !load)) at_.unsupported();
  form.lines = static_cast<std::uint8_t>(form.role == WmmaRole::kB ? shape.n : shape.m);
  form.length = static_cast<std::uint8_t>(accumulator ? shape.n : shape.k);
  const std::size_t distinct = accumulator ? accumulator_registers(form.lines, form.length, *format)
                               : form.role == WmmaRole::kA
                                   ? layout_of_a(form.lines, form.length, *format).registers()
                                   : layout_of_b(form.lines, form.length, *format).registers();
  const std::vector<Operand> rows = elements(load ? 0 : 1);
  if (rows.size() < distinct || rows.size() % distinct != 0) at_.unsupported();
  const DecodedAddress at = operands_.address(at_.operand(load ? 1 : 0), matrix_space(at_.parts()));
  if (at.frame_param) at_.unsupported();
  // Without a stride the matrix is as wide as its fragment.
  const bool along = (form.role == WmmaRole::kB) == at_.has_part("col");
  const std::uint32_t stride =
      at_.current().operands.size() > 2
          ? operands_.value(at_.operand(2), Shape::kRow, Literal::kBits)
          : out_.constant_value(along ? form.length : form.lines, Shape::kRow, {});
  std::vector<std::uint32_t> values;
  if (!load) values = element_values(1, distinct, *format);
  out_.emit(load ? &exec_wmma_load : &exec_wmma_store, InstClass::kLoadStore);
  Inst& inst = out_.last();
  inst.count = static_cast<std::uint8_t>(rows.size());
  if (at_.has_part("col")) inst.flags |= MatrixFlags::kColumnMajor;
  operands_.use_address(inst, at);
  out_.source_value(kSrc1, stride);
  out_.begin_extra();
  out_.extra_raw(std::bit_cast<std::uint32_t>(form));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (load) {
      operands_.extra_result(rows[i], row_shape(*format));
    } else {
      out_.extra_value(values[i]);
    }
  }
}

// Accepts the combinations of PTX ISA, "Block scaling for mma.sync", except .kind::mxf4nvf4 with
// four ue8m0, which ptxas 13.0 does not accept. Returns nullopt for any other combination.
std::optional<BlockScale> TensorDecoder::block_scale(MmaForm& form) const {
  const bool powers = at_.parts().back() == "ue8m0";
  if (!powers && at_.parts().back() != "ue4m3") return std::nullopt;
  BlockScale scale;
  scale.format = powers ? SmallFormat::kUe8m0 : SmallFormat::kUe4m3;
  const bool halves = at_.has_part("scale_vec::2X");
  const bool quarters = at_.has_part("scale_vec::4X");
  const bool whole = at_.has_part("scale_vec::1X");
  scale.blocks = quarters ? 4 : halves ? 2 : 1;
  if (at_.has_part("kind::mxf8f6f4")) {
    if (!powers || scale.blocks != 1 || form.k != 32) return std::nullopt;
    return is_small(form.a) && is_small(form.b) ? std::optional(scale) : std::nullopt;
  }
  const bool both_e2m1 = form.a == TensorFormat::kE2m1 && form.b == TensorFormat::kE2m1;
  if (!both_e2m1 || form.k != 64 || whole) return std::nullopt;
  form.a = form.b = TensorFormat::kE2m1x2;
  if (at_.has_part("kind::mxf4")) {
    scale.blocks = 2;
    return powers && !quarters ? std::optional(scale) : std::nullopt;
  }
  if (!at_.has_part("kind::mxf4nvf4") || scale.blocks != (powers ? 2 : 4)) return std::nullopt;
  return scale;
}

// mma.sync...block_scale{.scale_vec::nX}.shape.row.col.f32.a.b.f32.s
//     d, a, b, c, scale-a-data, {byte-id-a, thread-id-a}, scale-b-data, {byte-id-b, thread-id-b}
void TensorDecoder::decode_scaled_mma() {
  const MatrixShape shape = find_shape(at_.parts());
  const std::vector<TensorFormat> formats = find_formats(at_.parts());
  if (shape.m != 16 || shape.n != 8 || formats.size() != 4 || !at_.has_part("row") ||
      !at_.has_part("col") || at_.current().operands.size() != 8)
    at_.unsupported();
  MmaForm form;
  form.m = 16;
  form.n_by_8 = 1;
  form.k = static_cast<std::uint8_t>(shape.k);
  form.d = formats[0];
  form.a = formats[1];
  form.b = formats[2];
  form.c = formats[3];
  const std::optional<BlockScale> scale = block_scale(form);
  if (!scale || form.d != TensorFormat::kF32 || form.c != TensorFormat::kF32) at_.unsupported();
  std::vector<std::uint32_t> values;
  const auto take = [&](std::size_t operand, std::size_t count, TensorFormat format) {
    const std::vector<std::uint32_t> more = element_values(operand, count, format);
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
  if (d.size() != accumulator_registers(form.m, form.n(), form.d)) at_.unsupported();
  out_.emit(&exec_scaled_mma, InstClass::kTensor);
  out_.last().immediate = std::bit_cast<std::int64_t>(form);
  out_.last().count = static_cast<std::uint8_t>(d.size());
  out_.begin_extra();
  for (const Operand& result : d) out_.extra_result(operands_.result(result, Shape::kRow));
  for (const std::uint32_t value : values) out_.extra_value(value);
  out_.extra_raw(std::bit_cast<std::uint32_t>(*scale));
}

void TensorDecoder::decode_wgmma() {
  if (at_.has_part("fence")) {
    out_.emit(&exec_wgmma_fence, InstClass::kControl);
    return;
  }
  if (at_.has_part("commit_group")) {
    out_.emit(&exec_wgmma_commit, InstClass::kControl);
    return;
  }
  if (at_.has_part("wait_group")) {
    if (at_.operand(0).kind != Operand::Kind::kImmediate) at_.unsupported();
    out_.emit(&exec_wgmma_wait, InstClass::kControl).immediate =
        static_cast<std::int64_t>(at_.operand(0).bits);
    return;
  }
  if (!at_.has_part("mma_async") || at_.has_part("sp")) at_.unsupported();
  decode_wgmma_product();
}

// wgmma.mma_async.sync.aligned.m64nNkK{.satfinite}.d.a.b d, a, b-desc, scale-d{, imm-scale-a,
// imm-scale-b{, imm-trans-a}{, imm-trans-b}}; a is a descriptor or four registers.
void TensorDecoder::decode_wgmma_product() {
  const MatrixShape shape = find_shape(at_.parts());
  const std::vector<TensorFormat> formats = find_formats(at_.parts());
  if (formats.size() != 3) at_.unsupported();
  MmaForm form;
  form.m = 64;
  form.n_by_8 = static_cast<std::uint8_t>(shape.n / 8);
  form.k = static_cast<std::uint8_t>(shape.k);
  form.c = form.d = formats[0];
  form.a = formats[1];
  form.b = formats[2];
  if (at_.has_part("satfinite")) form.options |= MmaForm::kSaturate;
  const bool sized = shape.m == 64 && shape.n >= 8 && shape.n <= 256 && shape.n % 8 == 0 &&
                     static_cast<std::size_t>(shape.k) * bits_of(form.a) == 256;
  // Integers allow every multiple of 8 for n only up to 32, then every multiple of 16.
  const bool skipped = is_integer(form.a) && shape.n > 24 && shape.n % 16 != 0;
  if (!sized || skipped || !formats_agree(form) || bits_of(form.a) < 8 || bits_of(form.a) == 64)
    at_.unsupported();

  const bool register_a = at_.operand(1).kind == Operand::Kind::kVector;
  std::vector<std::uint32_t> a;
  if (register_a) {
    form.options |= MmaForm::kRegisterA;
    a = element_values(1, 4, form.a);
  } else {
    a = {operands_.value(at_.operand(1), Shape::kWide, Literal::kBits)};
  }
  const std::uint32_t b = operands_.value(at_.operand(2), Shape::kWide, Literal::kBits);
  const auto flag = [&](std::size_t i) {
    if (i >= at_.current().operands.size()) return std::int64_t{0};
    if (at_.operand(i).kind != Operand::Kind::kImmediate) at_.unsupported();
    return static_cast<std::int64_t>(at_.operand(i).bits);
  };
  if (!is_integer(form.a) && (flag(4) < 0) != (flag(5) < 0))
    form.options |= MmaForm::kNegateProduct;
  if (bits_of(form.a) == 16) {
    if (!register_a && flag(6) != 0) form.options |= MmaForm::kTransposeA;
    if (flag(register_a ? 6 : 7) != 0) form.options |= MmaForm::kTransposeB;
  }
  // A constant scale-d is the predicate that is always true, or its negation.
  const bool constant_scale = at_.operand(3).kind == Operand::Kind::kImmediate;
  if (constant_scale ? at_.operand(3).bits == 0 : at_.operand(3).negated)
    form.options |= MmaForm::kScaleFlip;
  const std::vector<Operand> d = elements(0);
  if (d.size() != accumulator_registers(16, form.n(), form.d)) at_.unsupported();
  out_.emit(&exec_wgmma, InstClass::kTensor);
  Inst& inst = out_.last();
  inst.immediate = std::bit_cast<std::int64_t>(form);
  inst.count = static_cast<std::uint8_t>(d.size());
  if (!register_a) out_.source_value(kSrc0, a[0]);
  out_.source_value(kSrc1, b);
  if (!constant_scale) operands_.predicate_source(kSrc2, at_.operand(3));
  out_.begin_extra();
  for (const Operand& sum : d) {
    out_.extra_result(operands_.result(sum, Shape::kRow));
    // The sum is also read: the same entry of the list is a use of the register.
    if (sum.kind != Operand::Kind::kRegister) at_.unsupported();
    out_.extra_result_is_read(sum.index);
  }
  if (register_a) {
    for (const std::uint32_t value : a) out_.extra_value(value);
  }
}

}  // namespace warpwright::emu
