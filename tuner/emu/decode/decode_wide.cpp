// Atomics that are wider than a register: vectors, and 128 bits. A .b128 register is represented by
// a pair of 64-bit registers, the lower half first; moves, loads and stores support it, too.
#include <algorithm>

#include "emu/decode/function_decoder.h"
#include "emu/exec/exec.h"

namespace warpwright::emu {

// The halves of a 128-bit register as operands.
std::vector<Operand> FunctionDecoder::halves_of(const Operand& operand) {
  if (operand.kind == Operand::Kind::kSink) return {operand, operand};
  if (operand.kind != Operand::Kind::kRegister || register_bits(operand.index) != 128)
    unsupported();
  auto [found, added] = quad_halves_.try_emplace(operand.index, 0);
  if (added) {
    found->second = add_register(64);
    (void)add_register(64);
  }
  std::vector<Operand> halves(2, operand);
  halves[0].index = found->second;
  halves[1].index = found->second + 1;
  return halves;
}

// mov.b128 %q, {%d1, %d2}; mov.b128 {%d1, %d2}, %q; mov.b128 %q, %r
bool FunctionDecoder::decode_quad_move() {
  if (parts_.size() != 2 || parts_[0] != "mov" || parts_[1] != "b128") return false;
  const auto pair = [&](std::size_t i) {
    if (operand(i).kind != Operand::Kind::kVector) return halves_of(operand(i));
    if (operand(i).list.size() != 2) unsupported();
    return operand(i).list;
  };
  const std::vector<Operand> to = pair(0);
  const std::vector<Operand> from = pair(1);
  std::uint32_t values[2];
  for (std::size_t i = 0; i < 2; ++i) values[i] = prepare(from[i], Shape::kWide, Literal::kBits);
  // The first register written may be the second source, so copy that source first.
  const std::uint32_t kept = temporary(Shape::kWide);
  lane_op("mov.b64", kept, {values[1]});
  for (std::size_t i = 0; i < 2; ++i) {
    const Operand& half = to[i];
    if (half.kind == Operand::Kind::kSink) continue;
    if (half.kind != Operand::Kind::kRegister || register_bits(half.index) != 64) unsupported();
    lane_op("mov.b64", half.index, {i == 0 ? values[0] : kept});
  }
  return true;
}

// atom.cas.b128 d, [a], b, c; atom.exch.b128 d, [a], b
void FunctionDecoder::decode_quad_atomic(Space space) {
  const bool compares = has_part("cas");
  if (!compares && !has_part("exch")) unsupported();
  const Address at = address(operand(1), space);
  if (at.frame_param) unsupported();
  std::vector<Operand> sources = halves_of(operand(2));
  if (compares) {
    for (const Operand& half : halves_of(operand(3))) sources.push_back(half);
  }
  const std::vector<Operand> results = halves_of(operand(0));
  emit(&exec_wide_atomic, InstClass::kLoadStore);
  Inst& inst = code_.back();
  inst.count = static_cast<std::uint8_t>(sources.size() + 2);
  use_address(inst, at);
  begin_extra();
  for (const Operand& half : sources) extra_value(half.index);
  for (const Operand& half : results) extra(half, Shape::kWide, true);
}

// atom.global.op.vec.type {d...}, [a], {b...}, and red with the same form.
void FunctionDecoder::decode_vector_atomic(bool returns, AtomicOp op, AtomicType type) {
  const bool halves = type == AtomicType::kF16 || type == AtomicType::kBf16;
  const std::size_t count = has_part("v8") ? 8 : has_part("v4") ? 4 : 2;
  const Handler handler = vector_atomic_handler(op, type);
  const bool shared = std::any_of(parts_.begin(), parts_.end(),
                                  [](std::string_view part) { return part.starts_with("shared"); });
  if (handler == nullptr || shared || (count == 8 && !halves)) unsupported();
  const std::size_t first = returns ? 1 : 0;
  const Address at = address(operand(first), has_part("global") ? Space::kGlobal : Space::kGeneric);
  const Operand& data = operand(first + 1);
  const Operand& old = operand(0);
  if (at.frame_param || data.kind != Operand::Kind::kVector || data.list.size() != count ||
      (returns && (old.kind != Operand::Kind::kVector || old.list.size() != count)))
    unsupported();
  std::vector<std::uint32_t> values;
  for (const Operand& element : data.list) {
    values.push_back(
        prepare(element, Shape::kRow, type == AtomicType::kF32 ? Literal::kFloat : Literal::kBits));
  }
  emit(handler, InstClass::kLoadStore);
  Inst& inst = code_.back();
  inst.count = static_cast<std::uint8_t>(count);
  if (!returns) inst.flags |= MemoryFlags::kNoResult;
  use_address(inst, at);
  begin_extra();
  for (const std::uint32_t value : values) extra_value(value);
  for (std::size_t i = 0; returns && i < count; ++i) extra(old.list[i], Shape::kRow, true);
}

}  // namespace warpwright::emu
