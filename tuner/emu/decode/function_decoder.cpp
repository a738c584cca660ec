#include "emu/decode/function_decoder.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "emu/emulator.h"
#include "emu/exec/exec.h"
#include "emu/model/load_rounds.h"

namespace warpwright::emu {
namespace {

std::vector<std::string_view> split(std::string_view opcode) {
  std::vector<std::string_view> parts;
  for (std::size_t start = 0; start <= opcode.size();) {
    const std::size_t dot = std::min(opcode.find('.', start), opcode.size());
    parts.push_back(opcode.substr(start, dot - start));
    start = dot + 1;
  }
  return parts;
}

// Whether an operand is like %r1.b0, which only video instructions accept.
bool has_selector(const std::vector<Operand>& operands) {
  return std::any_of(operands.begin(), operands.end(), [](const Operand& operand) {
    return !operand.selector.empty() || has_selector(operand.list);
  });
}

}  // namespace

FunctionDecoder::FunctionDecoder(ModuleDecoder& module, const ParsedFunction& parsed,
                                 std::uint32_t index)
    : module_(module), parsed_(parsed), index_(index), registers_(parsed.registers) {}

const Operand& FunctionDecoder::operand(std::size_t i) const {
  if (i >= statement_->operands.size()) unsupported();
  return statement_->operands[i];
}

bool FunctionDecoder::has_part(std::string_view part) const {
  return std::find(parts_.begin(), parts_.end(), part) != parts_.end();
}

void FunctionDecoder::unsupported() const { unsupported(fmt::format("`{}`", statement_->opcode)); }

void FunctionDecoder::unsupported(const std::string& what) const {
  const SourceLine line = statement_->source;
  const auto& files = module_.module->files;
  const std::string place =
      line.line != 0 && static_cast<std::size_t>(line.file) < files.size()
          ? fmt::format("{}:{}", files[static_cast<std::size_t>(line.file)], line.line)
          : fmt::format("{}:{} (PTX)", module_.module->name, statement_->ptx_line);
  throw UnsupportedPtx(fmt::format("emulator lacks {} at {}", what, place));
}

void FunctionDecoder::decode() {
  lay_out_variables();
  find_directives();
  const auto accessed = find_accessed_variables(*module_.module, parsed_);
  for (ptx_statement_ = 0; ptx_statement_ < parsed_.statements.size(); ++ptx_statement_) {
    statement_ = &parsed_.statements[ptx_statement_];
    if (statement_->kind == Statement::Kind::kLabel) {
      labels_[{statement_->scope, statement_->opcode}] = static_cast<std::uint32_t>(code_.size());
    } else if (statement_->kind == Statement::Kind::kInstruction) {
      parts_ = split(statement_->opcode);
      if (has_selector(statement_->operands) && !is_video(parts_[0])) unsupported();
      decode_statement();
      accessed_sets_.resize(code_.size(), object_set(accessed[ptx_statement_]));
    }
  }
  // Reaching the end of a function returns from it.
  static const Statement kEnd = [] {
    Statement end;
    end.opcode = "ret";
    return end;
  }();
  statement_ = &kEnd;
  emit(&exec_ret, InstClass::kControl);
  resolve_labels();
  finish();
}

// Returns the number of a set of shared variables in the program.
std::uint32_t FunctionDecoder::object_set(const std::vector<SharedVariable>& variables) {
  if (variables.empty()) return 0;
  Program& program = *module_.program;
  std::vector<std::uint32_t> set;
  for (const SharedVariable& which : variables) {
    const Variable& var = which.module_scope ? module_.module->variables[which.index]
                                             : parsed_.variables[which.index];
    const std::size_t offset =
        which.module_scope ? module_.shared_offsets[which.index] : variable_offsets_[which.index];
    const auto [known, fresh] = module_.objects.try_emplace(
        {var.name, offset}, static_cast<std::uint32_t>(program.shared_objects.size()));
    set.push_back(known->second);
    if (fresh) program.shared_objects.push_back({var.name, offset, var.size, var.external});
  }
  const auto [known, fresh] =
      module_.object_sets.try_emplace(set, static_cast<std::uint32_t>(program.object_sets.size()));
  if (fresh) program.object_sets.push_back(std::move(set));
  return known->second;
}

void FunctionDecoder::decode_statement() {
  if (decode_async() || decode_memory() || decode_control() || decode_warp() || decode_tensor() ||
      decode_video() || decode_texture() || decode_lane())
    return;
  unsupported();
}

// Offsets of the function's own variables in local, shared and parameter memory. A callee's
// parameters come first in its parameter area, then its returns, then those of the calls it makes.
void FunctionDecoder::lay_out_variables() {
  const Signature& signature = module_.signatures[index_];
  variable_offsets_.assign(parsed_.variables.size(), 0);
  is_launch_parameter_.assign(parsed_.variables.size(), false);
  for (std::size_t i = 0; i < parsed_.parameters.size(); ++i) {
    variable_offsets_[parsed_.parameters[i]] = signature.parameters[i];
    is_launch_parameter_[parsed_.parameters[i]] = parsed_.is_entry;
    if (!parsed_.is_entry)
      param_bytes_ = std::max(param_bytes_, signature.parameters[i] + signature.parameter_sizes[i]);
  }
  for (std::size_t i = 0; i < parsed_.returns.size(); ++i) {
    variable_offsets_[parsed_.returns[i]] = signature.returns[i];
    param_bytes_ = std::max(param_bytes_, signature.returns[i] + signature.return_sizes[i]);
  }
  std::vector<bool> of_signature(parsed_.variables.size(), false);
  for (const auto* indices : {&parsed_.parameters, &parsed_.returns})
    for (const std::uint32_t index : *indices) of_signature[index] = true;
  shared_bytes_ = module_.shared_bytes;
  for (std::size_t v = 0; v < parsed_.variables.size(); ++v) {
    const Variable& variable = parsed_.variables[v];
    const auto place = [&](std::size_t& end) {
      variable_offsets_[v] = align_up(end, std::max<std::size_t>(variable.alignment, 1));
      end = variable_offsets_[v] + variable.size;
    };
    if (variable.space == Space::kLocal) {
      place(local_bytes_);
    } else if (variable.space == Space::kParam && !of_signature[v]) {
      place(param_bytes_);
    } else if (variable.space == Space::kShared) {
      // Functions that are not entries had their shared variables placed with the module's.
      if (parsed_.is_entry) {
        place(shared_bytes_);
      } else {
        place(module_.shared_bytes);
      }
    }
  }
  param_bytes_ = align_up(param_bytes_, 16);
}

// --- emitting

// Helper instructions have the guard of the statement that they belong to.
// Tables of handlers hold null for types that do not exist, such as .f31.
Inst& FunctionDecoder::emit(Handler run, InstClass klass) {
  if (run == nullptr) unsupported();
  code_.emplace_back();
  lines_.push_back(statement_->source);
  opcodes_.emplace_back(statement_->opcode);
  Inst& inst = code_.back();
  inst.run = run;
  inst.klass = klass;
  if (statement_->has_guard) {
    use(kGuard, statement_->guard, false);
    inst.guard_flip = statement_->guard_negated ? kAllLanes : 0;
  }
  return inst;
}

void FunctionDecoder::use(Field field, std::uint32_t reg, bool defines) {
  RegisterUse use;
  use.inst = static_cast<std::uint32_t>(code_.size() - 1);
  use.field = field;
  use.reg = reg;
  use.defines = defines;
  use.whole = defines && !statement_->has_guard;
  uses_.push_back(use);
}

// --- the end: labels, rows, and the move into the program

// Labels are visible in their scope and the scopes inside it; inline assembly repeats names.
void FunctionDecoder::resolve_labels() {
  for (const LabelUse& use : label_uses_) {
    std::uint32_t scope = use.scope;
    auto found = labels_.find({scope, use.name});
    while (found == labels_.end() && scope != 0) {
      scope = parsed_.scope_parents[scope];
      found = labels_.find({scope, use.name});
    }
    if (found == labels_.end()) {
      throw user_error(fmt::format("PTX of {}: no label '{}' in '{}'", module_.module->name,
                                   use.name, parsed_.name));
    }
    if (use.in_extra) {
      extra_[use.extra] = found->second;
    } else {
      code_[use.inst].immediate = found->second;
    }
  }
}

// Records, for the checkers, the registers that each instruction reads, then those that it writes.
void FunctionDecoder::record_uses() {
  Program& program = *module_.program;
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
        program.uses.push_back({module_.first_register + use.reg,
                                static_cast<std::uint8_t>(registers_[use.reg].bits), defines,
                                use.field == kGuard});
      }
    }
    at = end;
  }
}

// Assigns rows to registers and program counters to targets, and appends the code to the program.
void FunctionDecoder::finish() {
  Program& program = *module_.program;
  const auto first_pc = static_cast<std::uint32_t>(program.code.size());
  const auto first_extra = static_cast<std::uint32_t>(program.extra.size());
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
  std::vector<int> bits;
  for (const RegisterDeclaration& reg : registers_) bits.push_back(reg.bits);
  mark_load_rounds(code_, uses_, successors, global_loads_, registers_.size());
  const Allocation32 allocation = allocate_registers(bits, uses_, successors, constant_rows_);
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
  for (Inst& inst : code_) {
    if (inst.run == &exec_branch) inst.immediate += first_pc;
    if (inst.run == &exec_branch_indexed) {
      for (std::int64_t t = 0; t < inst.immediate; ++t)
        extra_[inst.extra + static_cast<std::size_t>(t)] += first_pc;
    }
    inst.extra += first_extra;
  }
  record_uses();
  Function& function = program.functions[index_];
  for (const std::uint32_t reg : allocation.undefined_at_entry)
    function.undefined_at_entry.push_back(module_.first_register + reg);
  module_.first_register += static_cast<std::uint32_t>(registers_.size());
  function.is_entry = parsed_.is_entry;
  function.first_pc = first_pc;
  function.end_pc = first_pc + static_cast<std::uint32_t>(code_.size());
  function.rows = allocation.rows;
  function.predicates = allocation.predicates;
  function.constants = std::move(constants_);
  function.local_bytes = local_bytes_;
  function.param_bytes = param_bytes_;
  function.static_shared_bytes = shared_bytes_;
  program.code.insert(program.code.end(), code_.begin(), code_.end());
  program.lines.insert(program.lines.end(), lines_.begin(), lines_.end());
  program.opcodes.insert(program.opcodes.end(), opcodes_.begin(), opcodes_.end());
  accessed_sets_.resize(code_.size(), 0);
  program.accessed_set.insert(program.accessed_set.end(), accessed_sets_.begin(),
                              accessed_sets_.end());
  program.extra.insert(program.extra.end(), extra_.begin(), extra_.end());
}

}  // namespace warpwright::emu
