// wgmma: asynchronous products of a warpgroup, and the instructions that order them.
#include <bit>

#include "emu/decode/function_decoder.h"
#include "emu/decode/tensor_opcode.h"
#include "emu/tensor/exec_tensor.h"
#include "emu/tensor/tensor_fragment.h"

namespace warpwright::emu {

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
