// Tensor-core instructions: ldmatrix, stmatrix, mma with and without block scaling, wmma and wgmma.
#include <algorithm>
#include <bit>
#include <charconv>
#include <string_view>
#include <utility>
#include <vector>

#include "emu/decode/function_decoder.h"
#include "emu/tensor/exec_tensor.h"
#include "emu/tensor/tensor_format.h"
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

}  // namespace

std::vector<std::string> FunctionDecoder::tensor_opcodes() {
  return {"ldmatrix", "stmatrix", "movmatrix", "mma", "wmma", "wgmma"};
}

bool FunctionDecoder::decode_tensor() {
  const std::string_view base = parts_[0];
  if (base == "ldmatrix") {
    decode_matrix_move(true);
  } else if (base == "stmatrix") {
    decode_matrix_move(false);
  } else if (statement_->opcode == "movmatrix.sync.aligned.m8n8.trans.b16") {
    const std::uint32_t from = prepare(operand(1), Shape::kRow, Literal::kBits);
    emit(&exec_movmatrix, InstClass::kLoadStore);
    prepared(kSrc0, from);
    destination(kDst, operand(0), Shape::kRow);
  } else if (base == "mma") {
    decode_mma(false);
  } else if (base == "wmma" && has_part("load")) {
    decode_wmma_move(true);
  } else if (base == "wmma" && has_part("store")) {
    decode_wmma_move(false);
  } else if (base == "wmma" && has_part("mma")) {
    decode_mma(true);
  } else if (base == "wgmma") {
    decode_wgmma();
  } else {
    return false;
  }
  return true;
}

// The registers of a vector operand, or a single register that was written without braces.
std::vector<Operand> FunctionDecoder::elements(std::size_t i) const {
  const Operand& given = operand(i);
  return given.kind == Operand::Kind::kVector ? given.list : std::vector<Operand>{given};
}

// Prepares the sources first, because they may need instructions of their own. `count` of them are
// kept.
std::vector<std::uint32_t> FunctionDecoder::prepare_elements(std::size_t i, std::size_t count,
                                                             TensorFormat format) {
  const std::vector<Operand> given = elements(i);
  if (given.size() < count || given.size() % count != 0) unsupported();
  std::vector<std::uint32_t> values;
  for (std::size_t e = 0; e < count; ++e)
    values.push_back(prepare(given[e], row_shape(format), literal_of(format)));
  return values;
}

void FunctionDecoder::extra_raw(std::uint32_t value) { extra_.push_back(value); }

static Space matrix_space(const std::vector<std::string_view>& parts) {
  for (const std::string_view part : parts) {
    if (part.starts_with("shared")) return Space::kShared;
    if (part == "global") return Space::kGlobal;
  }
  return Space::kGeneric;
}

// ldmatrix.sync.aligned.m8n8.num{.trans}{.shared}.b16 r, [p] and stmatrix with its operands
// swapped; ldmatrix.sync.aligned.m8n16.num{.shared}.b8x16.b6x16_p32 and .b4x16_p64.
void FunctionDecoder::decode_matrix_move(bool load) {
  const bool six = parts_.back() == "b6x16_p32";
  const bool four = parts_.back() == "b4x16_p64";
  const bool known = six || four
                         ? load && has_part("m8n16") && has_part("b8x16") && !has_part("trans")
                         : has_part("m8n8") && parts_.back() == "b16";
  if (!known) unsupported();
  const std::size_t count = has_part("x4") ? 4 : has_part("x2") ? 2 : has_part("x1") ? 1 : 0;
  const std::vector<Operand> rows = elements(load ? 0 : 1);
  if (count == 0 || rows.size() != count) unsupported();
  const Address at = address(operand(load ? 1 : 0), matrix_space(parts_));
  if (at.frame_param) unsupported();
  std::vector<std::uint32_t> values;
  if (!load) values = prepare_elements(1, count, TensorFormat::kF16);
  emit(load ? &exec_ldmatrix : &exec_stmatrix, InstClass::kLoadStore);
  Inst& inst = code_.back();
  inst.count = static_cast<std::uint8_t>(count);
  if (has_part("trans")) inst.flags |= MatrixFlags::kTransposed;
  if (six) inst.flags |= MatrixFlags::kSixBits;
  if (four) inst.flags |= MatrixFlags::kFourBits;
  use_address(inst, at);
  begin_extra();
  for (std::size_t i = 0; i < count; ++i) {
    if (load) {
      extra(rows[i], Shape::kRow, true);
    } else {
      extra_value(values[i]);
    }
  }
}

// mma.sync...{.kind::f8f6f4}{.satfinite}.d.a.b.c, and wmma.mma.sync... with the same suffixes, of
// which f16 names only d and c.
void FunctionDecoder::decode_mma(bool wmma) {
  if (has_part("sp") || has_part("sp::ordered_metadata")) unsupported();
  if (has_part("block_scale")) return decode_scaled_mma();
  const MatrixShape shape = find_shape(parts_);
  std::vector<TensorFormat> formats = find_formats(parts_);
  if (wmma && formats.size() == 2) {
    formats = {formats[0], TensorFormat::kF16, TensorFormat::kF16, formats[1]};
  }
  if (shape.m == 0 || formats.size() != 4) unsupported();
  MmaForm form;
  form.m = static_cast<std::uint8_t>(shape.m);
  form.n_by_8 = static_cast<std::uint8_t>(shape.n / 8);
  form.d = formats[0];
  form.a = formats[1];
  form.b = formats[2];
  form.c = formats[3];
  form.set_depth(shape.k);
  const bool bits = form.a == TensorFormat::kB1;
  if (bits && has_part("and")) form.options |= MmaForm::kAnd;
  if (has_part("satfinite")) form.options |= MmaForm::kSaturate;
  // 6- and 4-bit formats in bytes require an explicit kind, whose K is 32.
  const bool any_small = has_part("kind::f8f6f4");
  const auto too_small = [](TensorFormat format) { return is_small(format) && !is_fp8(format); };
  if (any_small ? !is_small(form.a) || form.k != 32 || form.c != form.d
                : too_small(form.a) || too_small(form.b))
    unsupported();
  // The hardware requires row.col; wmma's fragments no longer have a layout.
  const bool order = wmma || (has_part("row") && has_part("col"));
  if (!order || !formats_agree(form) || bits != has_part("popc") ||
      (has_part("xor") ? 1 : 0) + (has_part("and") ? 1 : 0) != (bits ? 1 : 0) ||
      (form.has(MmaForm::kSaturate) && !is_integer(form.a)) ||
      !(wmma ? wmma_has(form.a, shape) : mma_has(form.a, shape)))
    unsupported();
  const std::vector<std::uint32_t> a =
      prepare_elements(1, layout_of_a(form.m, shape.k, form.a).registers(), form.a);
  const std::vector<std::uint32_t> b =
      prepare_elements(2, layout_of_b(form.n(), shape.k, form.b).registers(), form.b);
  const std::vector<std::uint32_t> c =
      prepare_elements(3, accumulator_registers(form.m, form.n(), form.c), form.c);
  const std::vector<Operand> d = elements(0);
  if (d.size() != accumulator_registers(form.m, form.n(), form.d)) unsupported();
  emit(form.a == TensorFormat::kF64 ? &exec_double_mma
       : bits                       ? &exec_bit_mma
                                    : &exec_mma,
       InstClass::kTensor);
  code_.back().immediate = std::bit_cast<std::int64_t>(form);
  code_.back().count = static_cast<std::uint8_t>(d.size());
  begin_extra();
  for (const Operand& result : d) tensor_result(result, row_shape(form.d));
  for (const std::uint32_t value : a) extra_value(value);
  for (const std::uint32_t value : b) extra_value(value);
  for (const std::uint32_t value : c) extra_value(value);
}

// A result that is never read still needs a row of its own.
void FunctionDecoder::tensor_result(const Operand& result, Shape shape) {
  destination(kExtra, result, shape);
  uses_.back().extra = static_cast<std::uint32_t>(extra_.size());
  extra_.push_back(0);
}

// wmma.load.{a,b,c}.sync.aligned.layout.shape{.ss}.type r, [p]{, stride}, and wmma.store.d.
void FunctionDecoder::decode_wmma_move(bool load) {
  const MatrixShape shape = find_shape(parts_);
  const auto format = parse_tensor_format(parts_.back());
  const std::string_view which = parts_.size() > 2 ? parts_[2] : std::string_view{};
  if (shape.m == 0 || !format || !(has_part("row") || has_part("col"))) unsupported();
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
  if (!known || (!accumulator && !load)) unsupported();
  form.lines = static_cast<std::uint8_t>(form.role == WmmaRole::kB ? shape.n : shape.m);
  form.length = static_cast<std::uint8_t>(accumulator ? shape.n : shape.k);
  const std::size_t distinct = accumulator ? accumulator_registers(form.lines, form.length, *format)
                               : form.role == WmmaRole::kA
                                   ? layout_of_a(form.lines, form.length, *format).registers()
                                   : layout_of_b(form.lines, form.length, *format).registers();
  const std::vector<Operand> rows = elements(load ? 0 : 1);
  if (rows.size() < distinct || rows.size() % distinct != 0) unsupported();
  const Address at = address(operand(load ? 1 : 0), matrix_space(parts_));
  if (at.frame_param) unsupported();
  // Without a stride the matrix is as wide as its fragment.
  const bool along = (form.role == WmmaRole::kB) == has_part("col");
  const std::uint32_t stride =
      statement_->operands.size() > 2
          ? prepare(operand(2), Shape::kRow, Literal::kBits)
          : constant_value(along ? form.length : form.lines, Shape::kRow, {});
  std::vector<std::uint32_t> values;
  if (!load) values = prepare_elements(1, distinct, *format);
  emit(load ? &exec_wmma_load : &exec_wmma_store, InstClass::kLoadStore);
  Inst& inst = code_.back();
  inst.count = static_cast<std::uint8_t>(rows.size());
  if (has_part("col")) inst.flags |= MatrixFlags::kColumnMajor;
  use_address(inst, at);
  prepared(kSrc1, stride);
  begin_extra();
  extra_raw(std::bit_cast<std::uint32_t>(form));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (load) {
      extra(rows[i], row_shape(*format), true);
    } else {
      extra_value(values[i]);
    }
  }
}

// --- mma.sync with block scaling: .kind::mxf8f6f4, .kind::mxf4 and .kind::mxf4nvf4

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

// --- wgmma: asynchronous products of a warpgroup, and the instructions that order them

void FunctionDecoder::decode_wgmma() {
  if (has_part("fence")) {
    emit(&exec_wgmma_fence, InstClass::kControl);
    return;
  }
  if (has_part("commit_group")) {
    emit(&exec_wgmma_commit, InstClass::kControl);
    return;
  }
  if (has_part("wait_group")) {
    if (operand(0).kind != Operand::Kind::kImmediate) unsupported();
    emit(&exec_wgmma_wait, InstClass::kControl).immediate =
        static_cast<std::int64_t>(operand(0).bits);
    return;
  }
  if (!has_part("mma_async") || has_part("sp")) unsupported();
  decode_wgmma_product();
}

// wgmma.mma_async.sync.aligned.m64nNkK{.satfinite}.d.a.b d, a, b-desc, scale-d{, imm-scale-a,
// imm-scale-b{, imm-trans-a}{, imm-trans-b}}; a is a descriptor or four registers.
void FunctionDecoder::decode_wgmma_product() {
  const MatrixShape shape = find_shape(parts_);
  const std::vector<TensorFormat> formats = find_formats(parts_);
  if (formats.size() != 3) unsupported();
  MmaForm form;
  form.m = 64;
  form.n_by_8 = static_cast<std::uint8_t>(shape.n / 8);
  form.k = static_cast<std::uint8_t>(shape.k);
  form.c = form.d = formats[0];
  form.a = formats[1];
  form.b = formats[2];
  if (has_part("satfinite")) form.options |= MmaForm::kSaturate;
  const bool sized = shape.m == 64 && shape.n >= 8 && shape.n <= 256 && shape.n % 8 == 0 &&
                     static_cast<std::size_t>(shape.k) * bits_of(form.a) == 256;
  // Integers allow every multiple of 8 for n only up to 32, then every multiple of 16.
  const bool skipped = is_integer(form.a) && shape.n > 24 && shape.n % 16 != 0;
  if (!sized || skipped || !formats_agree(form) || bits_of(form.a) < 8 || bits_of(form.a) == 64)
    unsupported();

  const bool register_a = operand(1).kind == Operand::Kind::kVector;
  std::vector<std::uint32_t> a;
  if (register_a) {
    form.options |= MmaForm::kRegisterA;
    a = prepare_elements(1, 4, form.a);
  } else {
    a = {prepare(operand(1), Shape::kWide, Literal::kBits)};
  }
  const std::uint32_t b = prepare(operand(2), Shape::kWide, Literal::kBits);
  const auto flag = [&](std::size_t i) {
    if (i >= statement_->operands.size()) return std::int64_t{0};
    if (operand(i).kind != Operand::Kind::kImmediate) unsupported();
    return static_cast<std::int64_t>(operand(i).bits);
  };
  if (!is_integer(form.a) && (flag(4) < 0) != (flag(5) < 0))
    form.options |= MmaForm::kNegateProduct;
  if (bits_of(form.a) == 16) {
    if (!register_a && flag(6) != 0) form.options |= MmaForm::kTransposeA;
    if (flag(register_a ? 6 : 7) != 0) form.options |= MmaForm::kTransposeB;
  }
  // A constant scale-d is the predicate that is always true, or its negation.
  const bool constant_scale = operand(3).kind == Operand::Kind::kImmediate;
  if (constant_scale ? operand(3).bits == 0 : operand(3).negated)
    form.options |= MmaForm::kScaleFlip;
  const std::vector<Operand> d = elements(0);
  if (d.size() != accumulator_registers(16, form.n(), form.d)) unsupported();
  emit(&exec_wgmma, InstClass::kTensor);
  Inst& inst = code_.back();
  inst.immediate = std::bit_cast<std::int64_t>(form);
  inst.count = static_cast<std::uint8_t>(d.size());
  if (!register_a) prepared(kSrc0, a[0]);
  prepared(kSrc1, b);
  if (!constant_scale) predicate_source(kSrc2, operand(3));
  begin_extra();
  for (const Operand& sum : d) {
    tensor_result(sum, Shape::kRow);
    // The sum is also read: the same entry of the list is a use of the register.
    if (sum.kind != Operand::Kind::kRegister) unsupported();
    const std::uint32_t entry = uses_.back().extra;
    use(kExtra, sum.index, false);
    uses_.back().extra = entry;
  }
  if (register_a) {
    for (const std::uint32_t value : a) extra_value(value);
  }
}

}  // namespace warpwright::emu
