// Operands of instructions: registers, immediates, symbols and special registers become rows.
#include <bit>

#include "core/error.h"
#include "emu/decode/function_decoder.h"
#include "emu/exec/exec.h"
#include "emu/exec/memory.h"
#include "emu/exec/special_register.h"

namespace warpwright::emu {
namespace {

// A prepared value is a register, or a constant row with this bit set.
constexpr std::uint32_t kConstantBit = 0x80000000u;

}  // namespace

std::uint32_t FunctionDecoder::add_register(int bits) {
  registers_.push_back({"", bits});
  return static_cast<std::uint32_t>(registers_.size() - 1);
}

std::uint32_t FunctionDecoder::temporary(Shape shape) {
  return add_register(shape == Shape::kWide ? 64 : shape == Shape::kPredicate ? 1 : 32);
}

// Equal constants share a row.
std::uint32_t FunctionDecoder::constant_value(std::uint64_t bits, Shape shape, std::string symbol) {
  const bool wide = shape == Shape::kWide;
  if (!wide) bits &= 0xffffffffu;
  const auto [found, added] = constant_index_.try_emplace({bits, wide, symbol}, constant_rows_);
  if (added) {
    constants_.push_back({bits, wide, constant_rows_, std::move(symbol)});
    constant_rows_ += wide ? 2 : 1;
  }
  return found->second | kConstantBit;
}

const Variable& FunctionDecoder::variable(const Operand& operand) const {
  return operand.module_scope ? module_.module->variables[operand.index]
                              : parsed_.variables[operand.index];
}

// The address of a variable as a value: known now, at launch (module variables, dynamic shared
// memory), or only in the frame (local memory, which moves with the call depth).
std::uint32_t FunctionDecoder::variable_address(const Operand& operand, Shape shape) {
  const Variable& var = variable(operand);
  const auto offset = static_cast<std::uint64_t>(operand.offset);
  if (var.external && var.space == Space::kShared) return constant_value(offset, shape, var.name);
  if (operand.module_scope) {
    if (var.space == Space::kShared)
      return constant_value(module_.shared_offsets[operand.index] + offset, shape, {});
    return constant_value(offset, shape, var.name);
  }
  const std::uint64_t at = variable_offsets_[operand.index] + offset;
  if (var.space == Space::kLocal) {
    const std::uint32_t reg = temporary(shape);
    Inst& inst = emit(&exec_local_address, InstClass::kInteger);
    inst.immediate = static_cast<std::int64_t>(at);
    inst.flags = shape == Shape::kWide ? 1 : 0;
    use(kDst, reg, true);
    return reg;
  }
  if (var.space == Space::kParam && !is_launch_parameter_[operand.index]) unsupported();
  return constant_value(at, shape, {});
}

// Turns an operand into a value, and emits the instructions needed for that. Must be called before
// emit() for the instruction that uses the value.
std::uint32_t FunctionDecoder::prepare(const Operand& operand, Shape shape, Literal literal) {
  switch (operand.kind) {
    case Operand::Kind::kRegister: {
      const int bits = registers_[operand.index].bits;
      if (bits == 1 || bits == 128 || operand.negated) unsupported();
      if (bits == 64 && shape == Shape::kRow) {  // a wider register than the type: its low part
        const std::uint32_t narrow = temporary(Shape::kRow);
        lane_op("cvt.u32.u64", narrow, {operand.index});
        return narrow;
      }
      if (bits != 64 && shape == Shape::kWide) {
        const std::uint32_t wide = temporary(Shape::kWide);
        lane_op("cvt.u64.u32", wide, {operand.index});
        return wide;
      }
      return operand.index;
    }
    case Operand::Kind::kImmediate: {
      std::uint64_t bits = operand.bits;
      if (operand.is_single && literal == Literal::kDouble) {
        bits = std::bit_cast<std::uint64_t>(
            static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits))));
      } else if (operand.is_float && literal == Literal::kFloat) {
        bits = std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(bits)));
      }
      return constant_value(bits, shape, {});
    }
    case Operand::Kind::kVariable:
      return variable_address(operand, shape);
    case Operand::Kind::kName: {
      const auto which = find_special_register(operand.text);
      if (operand.text == "WARP_SZ") return constant_value(kWarpSize, shape, {});
      if (const std::uint32_t function = function_named(operand.text);
          !which && function != kNoRegister && shape == Shape::kWide)
        return constant_value(function_address(function), shape, {});
      if (!which) unsupported();
      const std::uint32_t reg = temporary(shape);
      Inst& inst = emit(&exec_special_register, InstClass::kInteger);
      inst.immediate = static_cast<std::int64_t>(*which);
      inst.flags = shape == Shape::kWide ? 1 : 0;
      use(kDst, reg, true);
      return reg;
    }
    default:
      unsupported();
  }
}

// Uses a value from prepare() in the current instruction.
void FunctionDecoder::prepared(Field field, std::uint32_t value) {
  if ((value & kConstantBit) == 0) {
    use(field, value, false);
    return;
  }
  Inst& inst = code_.back();
  const std::uint32_t row = value & ~kConstantBit;
  if (field == kExtra) {
    extra_.push_back(row);
  } else {
    inst.src[field - kSrc0] = row;
  }
}

// Only for operands that do not need instructions of their own; otherwise call prepare() first.
void FunctionDecoder::source(Field field, const Operand& operand, Shape shape, Literal literal) {
  const std::size_t before = code_.size();
  const std::uint32_t value = prepare(operand, shape, literal);
  if (code_.size() != before) unsupported();
  prepared(field, value);
}

void FunctionDecoder::constant(Field field, std::uint64_t bits, Shape shape) {
  prepared(field, constant_value(bits, shape, {}));
}

void FunctionDecoder::predicate_source(Field field, const Operand& operand) {
  if (operand.kind != Operand::Kind::kRegister || registers_[operand.index].bits != 1)
    unsupported();
  use(field, operand.index, false);
}

std::uint32_t FunctionDecoder::result(const Operand& operand, Shape shape) {
  if (operand.kind == Operand::Kind::kSink) return temporary(shape);
  if (operand.kind != Operand::Kind::kRegister) unsupported();
  const int bits = registers_[operand.index].bits;
  if (bits == 128) unsupported();
  const Shape have = bits == 1 ? Shape::kPredicate : bits == 64 ? Shape::kWide : Shape::kRow;
  if (have != shape) unsupported();
  return operand.index;
}

void FunctionDecoder::destination(Field field, const Operand& operand, Shape shape) {
  use(field, result(operand, shape), true);
}

void FunctionDecoder::lane_op(std::string_view name, std::uint32_t dst,
                              std::initializer_list<std::uint32_t> sources) {
  const LaneEntry* entry = lane_table().find(name);
  WARPWRIGHT_CHECK(entry != nullptr, name);
  emit(entry->run, entry->klass);
  int i = 0;
  for (const std::uint32_t value : sources) prepared(static_cast<Field>(kSrc0 + i++), value);
  use(kDst, dst, true);
}

void FunctionDecoder::begin_extra() {
  code_.back().extra = static_cast<std::uint32_t>(extra_.size());
}

void FunctionDecoder::extra(const Operand& operand, Shape shape, bool defines) {
  if (!defines) {
    const std::uint32_t value = prepare(operand, shape, Literal::kBits);
    extra_value(value);
    return;
  }
  if (operand.kind == Operand::Kind::kSink) {
    extra_.push_back(kNoRegister);
    return;
  }
  destination(kExtra, operand, shape);
  uses_.back().extra = static_cast<std::uint32_t>(extra_.size());
  extra_.push_back(0);
}

void FunctionDecoder::extra_value(std::uint32_t value) {
  if ((value & kConstantBit) != 0) {
    extra_.push_back(value & ~kConstantBit);
    return;
  }
  use(kExtra, value, false);
  uses_.back().extra = static_cast<std::uint32_t>(extra_.size());
  extra_.push_back(0);
}

}  // namespace warpwright::emu
