#include "emu/decode/operand_reader.h"

#include <fmt/format.h>

#include <bit>
#include <utility>

#include "core/error.h"
#include "emu/exec/exec.h"
#include "emu/exec/memory.h"
#include "emu/exec/special_register.h"

namespace warpwright::emu {

const Variable& OperandReader::variable(const Operand& operand) const {
  return operand.module_scope ? module_.module->variables[operand.index]
                              : function_.variables[operand.index];
}

// The address of a variable as a value: known now, at launch (module variables, dynamic shared
// memory), or only in the frame (local memory, which moves with the call depth).
std::uint32_t OperandReader::variable_address(const Operand& operand, Shape shape) {
  const Variable& var = variable(operand);
  const auto offset = static_cast<std::uint64_t>(operand.offset);
  if (var.external && var.space == Space::kShared)
    return out_.constant_value(offset, shape, var.name);
  if (operand.module_scope) {
    if (var.space == Space::kShared)
      return out_.constant_value(module_.shared_offsets[operand.index] + offset, shape, {});
    return out_.constant_value(offset, shape, var.name);
  }
  const std::uint64_t at = frame_.offset(operand.index) + offset;
  if (var.space == Space::kLocal) {
    const std::uint32_t reg = out_.temporary(shape);
    Inst& inst = out_.emit(&exec_local_address, InstClass::kInteger);
    inst.immediate = static_cast<std::int64_t>(at);
    inst.flags = shape == Shape::kWide ? 1 : 0;
    out_.use(CodeBuilder::kDst, reg, true);
    return reg;
  }
  if (var.space == Space::kParam && !frame_.is_launch_parameter(operand.index)) at_.unsupported();
  return out_.constant_value(at, shape, {});
}

std::uint32_t OperandReader::value(const Operand& operand, Shape shape, Literal literal) {
  switch (operand.kind) {
    case Operand::Kind::kRegister:
      return register_value(operand, shape);
    case Operand::Kind::kImmediate:
      return literal_value(operand, shape, literal);
    case Operand::Kind::kVariable:
      return variable_address(operand, shape);
    case Operand::Kind::kName:
      return named_value(operand, shape);
    default:
      at_.unsupported();
  }
}

std::uint32_t OperandReader::register_value(const Operand& operand, Shape shape) {
  const int bits = out_.register_bits(operand.index);
  if (bits == 1 || bits == 128 || operand.negated) at_.unsupported();
  if (bits == 64 && shape == Shape::kRow) {  // a wider register than the type: its low part
    const std::uint32_t narrow = out_.temporary(Shape::kRow);
    out_.lane_op("cvt.u32.u64", narrow, {operand.index});
    return narrow;
  }
  if (bits != 64 && shape == Shape::kWide) {
    const std::uint32_t wide = out_.temporary(Shape::kWide);
    out_.lane_op("cvt.u64.u32", wide, {operand.index});
    return wide;
  }
  return operand.index;
}

std::uint32_t OperandReader::literal_value(const Operand& operand, Shape shape, Literal literal) {
  std::uint64_t bits = operand.bits;
  if (operand.is_single && literal == Literal::kDouble) {
    bits = std::bit_cast<std::uint64_t>(
        static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits))));
  } else if (operand.is_float && literal == Literal::kFloat) {
    bits = std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(bits)));
  }
  return out_.constant_value(bits, shape, {});
}

// A special register, or the address of a function.
std::uint32_t OperandReader::named_value(const Operand& operand, Shape shape) {
  const auto which = find_special_register(operand.text);
  if (operand.text == "WARP_SZ") return out_.constant_value(kWarpSize, shape, {});
  if (const std::uint32_t function = module_.function_named(operand.text);
      !which && function != kNoRegister && shape == Shape::kWide)
    return out_.constant_value(function_address(function), shape, {});
  if (!which) at_.unsupported();
  const std::uint32_t reg = out_.temporary(shape);
  Inst& inst = out_.emit(&exec_special_register, InstClass::kInteger);
  inst.immediate = static_cast<std::int64_t>(*which);
  inst.flags = shape == Shape::kWide ? 1 : 0;
  out_.use(CodeBuilder::kDst, reg, true);
  return reg;
}

std::uint32_t OperandReader::result(const Operand& operand, Shape shape) {
  if (operand.kind == Operand::Kind::kSink) return out_.temporary(shape);
  if (operand.kind != Operand::Kind::kRegister) at_.unsupported();
  const int bits = out_.register_bits(operand.index);
  if (bits == 128) at_.unsupported();
  const Shape have = bits == 1 ? Shape::kPredicate : bits == 64 ? Shape::kWide : Shape::kRow;
  if (have != shape) at_.unsupported();
  return operand.index;
}

// Variables of a function's parameter area do not have an address: their offset is known here, and
// they have their own handlers.
DecodedAddress OperandReader::address(const Operand& bracket, Space space) {
  if (bracket.kind != Operand::Kind::kAddress || bracket.list.size() != 1) at_.unsupported();
  DecodedAddress result;
  result.space = space;
  Operand base = bracket.list[0];
  result.offset = base.offset;
  base.offset = 0;
  if (base.kind == Operand::Kind::kRegister) {
    if (out_.register_bits(base.index) == 128) at_.unsupported();
    result.wide = out_.register_bits(base.index) == 64;
    result.base = base.index;
    return result;
  }
  if (base.kind == Operand::Kind::kImmediate) {
    result.base = out_.constant_value(base.bits, Shape::kWide, {});
    return result;
  }
  if (base.kind != Operand::Kind::kVariable) at_.unsupported();
  const Variable& var = variable(base);
  if (var.space == Space::kParam && !base.module_scope && !frame_.is_launch_parameter(base.index)) {
    result.frame_param = true;
    // Added as unsigned, because the offset can be any value before require_within() checks it.
    result.offset = static_cast<std::int64_t>(static_cast<std::uint64_t>(result.offset) +
                                              frame_.offset(base.index));
    return result;
  }
  result.base = variable_address(base, Shape::kWide);
  if (result.space == Space::kGeneric) result.space = var.space;
  return result;
}

std::uint32_t OperandReader::wide_address(const Operand& bracket) {
  if (bracket.kind != Operand::Kind::kAddress || bracket.list.empty()) at_.unsupported();
  Operand base = bracket.list[0];
  if (base.kind == Operand::Kind::kVariable) return variable_address(base, Shape::kWide);
  const auto offset = static_cast<std::uint64_t>(std::exchange(base.offset, 0));
  const std::uint32_t start = value(base, Shape::kWide, Literal::kBits);
  if (offset == 0) return start;
  const std::uint32_t sum = out_.temporary(Shape::kWide);
  out_.lane_op("add.u64", sum, {start, out_.constant_value(offset, Shape::kWide, {})});
  return sum;
}

std::vector<Operand> OperandReader::halves_of(const Operand& operand) {
  if (operand.kind == Operand::Kind::kSink) return {operand, operand};
  if (operand.kind != Operand::Kind::kRegister || out_.register_bits(operand.index) != 128)
    at_.unsupported();
  auto [found, added] = quad_halves_.try_emplace(operand.index, 0);
  if (added) {
    found->second = out_.add_register(64);
    (void)out_.add_register(64);
  }
  std::vector<Operand> halves(2, operand);
  halves[0].index = found->second;
  halves[1].index = found->second + 1;
  return halves;
}

void OperandReader::require_within(const Operand& base, std::size_t bytes) const {
  const Variable& var = variable(base);
  const auto offset = static_cast<std::uint64_t>(base.offset);  // negative ones are very large
  if (offset <= var.size && bytes <= var.size - offset) return;
  const Statement& statement = at_.current();
  throw user_error(SourceLocation{module_.module->name, statement.ptx_line, 0},
                   fmt::format("PTX: `{}` takes {} bytes at offset {} of '{}', which has {}",
                               statement.opcode, bytes, base.offset, var.name, var.size));
}

void OperandReader::predicate_source(CodeBuilder::Field field, const Operand& operand) {
  if (operand.kind != Operand::Kind::kRegister || out_.register_bits(operand.index) != 1)
    at_.unsupported();
  out_.use(field, operand.index, false);
}

void OperandReader::destination(CodeBuilder::Field field, const Operand& operand, Shape shape) {
  out_.use(field, result(operand, shape), true);
}

void OperandReader::use_address(Inst& inst, const DecodedAddress& address) {
  inst.immediate = address.offset;
  inst.flags |= static_cast<std::uint16_t>(address.space);
  if (address.frame_param) return;
  if (address.wide) inst.flags |= MemoryFlags::kWideAddress;
  out_.source_value(CodeBuilder::kSrc0, address.base);
}

void OperandReader::extra_result(const Operand& operand, Shape shape) {
  if (operand.kind == Operand::Kind::kSink) {
    out_.extra_raw(kNoRegister);
    return;
  }
  out_.extra_result(result(operand, shape));
}

}  // namespace warpwright::emu
