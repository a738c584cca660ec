#include "emu/decode/code_builder.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "emu/exec/exec.h"
#include "emu/model/load_rounds.h"

namespace warpwright::emu {
namespace {

// A value is a register, or a constant row with this bit set.
constexpr std::uint32_t kConstantBit = 0x80000000u;

}  // namespace

// Helper instructions have the guard of the statement that they belong to.
// Tables of handlers hold null for types that do not exist, such as .f31.
Inst& CodeBuilder::emit(Handler run, InstClass klass) {
  if (run == nullptr) at_.unsupported();
  const Statement& statement = at_.current();
  code_.emplace_back();
  lines_.push_back(statement.source);
  opcodes_.emplace_back(statement.opcode);
  Inst& inst = code_.back();
  inst.run = run;
  inst.klass = klass;
  if (statement.has_guard) {
    use(kGuard, statement.guard, false);
    inst.guard_flip = statement.guard_negated ? kAllLanes : 0;
  }
  return inst;
}

void CodeBuilder::lane_op(std::string_view name, std::uint32_t dst,
                          std::initializer_list<std::uint32_t> sources) {
  const LaneEntry* entry = lane_table().find(name);
  WARPWRIGHT_CHECK(entry != nullptr, name);
  emit(entry->run, entry->klass);
  int i = 0;
  for (const std::uint32_t value : sources) source_value(static_cast<Field>(kSrc0 + i++), value);
  use(kDst, dst, true);
}

std::uint32_t CodeBuilder::add_register(int bits) {
  registers_.push_back({"", bits});
  return static_cast<std::uint32_t>(registers_.size() - 1);
}

std::uint32_t CodeBuilder::temporary(Shape shape) {
  return add_register(shape == Shape::kWide ? 64 : shape == Shape::kPredicate ? 1 : 32);
}

std::uint32_t CodeBuilder::constant_value(std::uint64_t bits, Shape shape, std::string symbol) {
  return constants_.row(bits, shape, std::move(symbol)) | kConstantBit;
}

void CodeBuilder::use(Field field, std::uint32_t reg, bool defines) {
  RegisterUse use;
  use.inst = static_cast<std::uint32_t>(code_.size() - 1);
  use.field = field;
  use.reg = reg;
  use.defines = defines;
  use.whole = defines && !at_.current().has_guard;
  uses_.push_back(use);
}

void CodeBuilder::source_value(Field field, std::uint32_t value) {
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

void CodeBuilder::begin_extra() { code_.back().extra = static_cast<std::uint32_t>(extra_.size()); }

void CodeBuilder::extra_value(std::uint32_t value) {
  if ((value & kConstantBit) != 0) {
    extra_.push_back(value & ~kConstantBit);
    return;
  }
  use(kExtra, value, false);
  uses_.back().extra = static_cast<std::uint32_t>(extra_.size());
  extra_.push_back(0);
}

void CodeBuilder::extra_optional(std::uint32_t value) {
  if (value == kNoRegister) {
    extra_.push_back(kNoRegister);
  } else {
    extra_value(value);
  }
}

void CodeBuilder::extra_result(std::uint32_t reg) {
  use(kExtra, reg, true);
  uses_.back().extra = static_cast<std::uint32_t>(extra_.size());
  extra_.push_back(0);
}

void CodeBuilder::extra_result_is_read(std::uint32_t reg) {
  const std::uint32_t entry = uses_.back().extra;
  use(kExtra, reg, false);
  uses_.back().extra = entry;
}

void CodeBuilder::mark_global_load() {
  global_loads_.push_back(static_cast<std::uint32_t>(code_.size() - 1));
}

Successors CodeBuilder::successors() const {
  std::vector<bool> guarded(code_.size(), false);
  for (const RegisterUse& use : uses_) {
    if (use.field == kGuard) guarded[use.inst] = true;
  }
  Successors successors(code_.size());
  for (std::size_t i = 0; i < code_.size(); ++i) {
    const Inst& inst = code_[i];
    const bool leaves = inst.run == &exec_branch || inst.run == &exec_ret || inst.run == &exec_exit;
    if (inst.run == &exec_branch)
      successors[i].push_back(static_cast<std::uint32_t>(inst.immediate));
    if (inst.run == &exec_branch_indexed) {
      for (std::int64_t t = 0; t < inst.immediate; ++t) {
        successors[i].push_back(extra_[inst.extra + static_cast<std::size_t>(t)]);
      }
    }
    if (i + 1 < code_.size() && (guarded[i] || !leaves))
      successors[i].push_back(static_cast<std::uint32_t>(i + 1));
  }
  return successors;
}

void CodeBuilder::place_registers(const Allocation32& allocation) {
  for (const RegisterUse& use : uses_) {
    Inst& inst = code_[use.inst];
    const std::uint32_t place = allocation.place[use.reg];
    switch (use.field) {
      case kDst:
        inst.dst = place;
        break;
      case kDst2:
        inst.dst2 = place;
        break;
      case kGuard:
        inst.guard = place;
        break;
      case kExtra:
        extra_[use.extra] = place;
        break;
      default:
        inst.src[use.field - kSrc0] = place;
        break;
    }
  }
}

// Turns places in the function into places in the program.
void CodeBuilder::move_targets(std::uint32_t first_pc, std::uint32_t first_extra) {
  for (Inst& inst : code_) {
    if (inst.run == &exec_branch) inst.immediate += first_pc;
    if (inst.run == &exec_branch_indexed) {
      for (std::int64_t t = 0; t < inst.immediate; ++t)
        extra_[inst.extra + static_cast<std::size_t>(t)] += first_pc;
    }
    inst.extra += first_extra;
  }
}

// Records, for the checkers, the registers that each instruction reads, then those that it writes.
void CodeBuilder::record_uses(Program& program, std::uint32_t first_register) {
  std::stable_sort(uses_.begin(), uses_.end(),
                   [](const RegisterUse& a, const RegisterUse& b) { return a.inst < b.inst; });
  std::size_t at = 0;
  for (std::uint32_t inst = 0; inst < code_.size(); ++inst) {
    program.first_use.push_back(static_cast<std::uint32_t>(program.uses.size()));
    std::size_t end = at;
    while (end < uses_.size() && uses_[end].inst == inst) ++end;
    for (const bool defines : {false, true}) {
      for (std::size_t i = at; i < end; ++i) {
        const RegisterUse& use = uses_[i];
        if (use.defines != defines) continue;
        program.uses.push_back({first_register + use.reg,
                                static_cast<std::uint8_t>(registers_[use.reg].bits), defines,
                                use.field == kGuard});
      }
    }
    at = end;
  }
}

void CodeBuilder::append_to(Program& program, Function& function, std::uint32_t& first_register) {
  const auto first_pc = static_cast<std::uint32_t>(program.code.size());
  const auto first_extra = static_cast<std::uint32_t>(program.extra.size());
  const Successors next = successors();
  std::vector<int> bits;
  for (const RegisterDeclaration& reg : registers_) bits.push_back(reg.bits);
  mark_load_rounds(code_, uses_, next, global_loads_, registers_.size());
  const Allocation32 allocation = allocate_registers(bits, uses_, next, constants_.rows());
  place_registers(allocation);
  move_targets(first_pc, first_extra);
  record_uses(program, first_register);
  for (const std::uint32_t reg : allocation.undefined_at_entry)
    function.undefined_at_entry.push_back(first_register + reg);
  first_register += static_cast<std::uint32_t>(registers_.size());
  function.first_pc = first_pc;
  function.end_pc = first_pc + static_cast<std::uint32_t>(code_.size());
  function.rows = allocation.rows;
  function.predicates = allocation.predicates;
  function.constants = constants_.take();
  program.code.insert(program.code.end(), code_.begin(), code_.end());
  program.lines.insert(program.lines.end(), lines_.begin(), lines_.end());
  program.opcodes.insert(program.opcodes.end(), opcodes_.begin(), opcodes_.end());
  accessed_sets_.resize(code_.size(), 0);
  program.accessed_set.insert(program.accessed_set.end(), accessed_sets_.begin(),
                              accessed_sets_.end());
  program.extra.insert(program.extra.end(), extra_.begin(), extra_.end());
}

}  // namespace warpwright::emu
