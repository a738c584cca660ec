// Tensor-core instructions: ldmatrix, stmatrix, mma, wmma; decode_wgmma.cpp has wgmma.
#include <algorithm>
#include <bit>

#include "emu/decode/function_decoder.h"
#include "emu/decode/tensor_opcode.h"
#include "emu/tensor/exec_tensor.h"
#include "emu/tensor/tensor_fragment.h"

namespace warpwright::emu {
namespace {

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
  const bool sums = form.role == WmmaRole::kAccumulator;
  const bool known =
      sums ? (*format == TensorFormat::kF64
                  ? wmma_has(TensorFormat::kF64, shape)
                  : wmma_has(TensorFormat::kF16, shape) ||
                        (*format == TensorFormat::kF32 && wmma_has(TensorFormat::kTf32, shape))) &&
                 (*format == TensorFormat::kF16 || *format == TensorFormat::kF32 ||
                  *format == TensorFormat::kS32 || *format == TensorFormat::kF64)
           : *format != TensorFormat::kF32 && *format != TensorFormat::kS32 &&
                 wmma_has(*format, shape);
  if (!known || (!sums && !load)) unsupported();
  form.lines = static_cast<std::uint8_t>(form.role == WmmaRole::kB ? shape.n : shape.m);
  form.length = static_cast<std::uint8_t>(sums ? shape.n : shape.k);
  const std::size_t distinct = sums ? accumulator_registers(form.lines, form.length, *format)
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

}  // namespace warpwright::emu
