// Branches, calls, exits, barriers and what the emulator may skip.
#include <fmt/format.h>

#include "emu/decode/function_decoder.h"
#include "emu/exec/block.h"
#include "emu/exec/exec.h"

namespace warpwright::emu {

std::vector<std::string> FunctionDecoder::control_opcodes() {
  return {"bra",   "brx", "call",    "ret",       "exit",           "trap",
          "brkpt", "bar", "barrier", "nanosleep", "griddepcontrol", "pmevent"};
}

bool FunctionDecoder::decode_control() {
  const std::string_view base = parts_[0];
  if (base == "bra") {
    decode_branch(operand(0));
  } else if (base == "brx") {
    decode_branch_indexed();
  } else if (base == "call") {
    decode_call();
  } else if (base == "ret") {
    emit(&exec_ret, InstClass::kControl);
  } else if (base == "exit") {
    emit(&exec_exit, InstClass::kControl);
  } else if (base == "trap" || base == "brkpt") {
    emit(&exec_trap, InstClass::kControl);
  } else if ((base == "bar" || base == "barrier") && !has_part("warp") && !has_part("cluster")) {
    decode_barrier();
  } else if (base == "nanosleep") {
    emit(&exec_nanosleep, InstClass::kOther);
  } else if (base == "griddepcontrol" || base == "pmevent") {
    emit(&exec_nothing, InstClass::kOther);
  } else {
    return false;
  }
  return true;
}

void FunctionDecoder::decode_branch(const Operand& target) {
  if (target.kind != Operand::Kind::kName) unsupported();
  emit(&exec_branch, InstClass::kControl);
  label_uses_.push_back({code_.size() - 1, false, 0, target.text, target.scope});
}

// brx.idx %r, table; with `table: .branchtargets L0, L1, ...;`
void FunctionDecoder::decode_branch_indexed() {
  const std::uint32_t index = prepare(operand(0), Shape::kRow, Literal::kBits);
  const std::string_view table = operand(1).text;
  const Statement* targets = nullptr;
  for (std::size_t i = 0; i + 1 < parsed_.statements.size(); ++i) {
    const Statement& statement = parsed_.statements[i];
    if (statement.kind == Statement::Kind::kLabel && statement.opcode == table &&
        parsed_.statements[i + 1].kind == Statement::Kind::kBranchTargets) {
      targets = &parsed_.statements[i + 1];
    }
  }
  if (targets == nullptr) unsupported();
  emit(&exec_branch_indexed, InstClass::kControl).immediate =
      static_cast<std::int64_t>(targets->operands.size());
  prepared(kSrc0, index);
  begin_extra();
  for (const Operand& target : targets->operands) {
    label_uses_.push_back({code_.size() - 1, true, extra_.size(), target.text, target.scope});
    extra_.push_back(0);
  }
}

// call{.uni} {(returns),} function {, (arguments)} {, prototype}
void FunctionDecoder::decode_call() {
  std::size_t at = 0;
  const Operand* returns = nullptr;
  if (operand(0).kind == Operand::Kind::kList) returns = &operand(at++);
  const Operand& name = operand(at++);
  const Operand* arguments = at < statement_->operands.size() ? &operand(at) : nullptr;
  if (name.kind != Operand::Kind::kName) unsupported();
  const auto offset_of = [&](const Operand& param) {
    if (param.kind != Operand::Kind::kVariable || param.module_scope) unsupported();
    return variable_offsets_[param.index];
  };
  const auto argument = [&](std::size_t i) {
    if (arguments == nullptr || i >= arguments->list.size()) unsupported();
    return static_cast<std::uint32_t>(offset_of(arguments->list[i]));
  };
  if (name.text == "vprintf") {
    const std::uint32_t pattern = argument(0), values = argument(1);
    if (returns != nullptr && returns->list.empty()) unsupported();
    Inst& inst = emit(&exec_printf, InstClass::kOther);
    inst.immediate = pattern;
    inst.src[0] = values;
    inst.dst2 = returns != nullptr ? static_cast<std::uint32_t>(offset_of(returns->list.front()))
                                   : kNoRegister;
    return;
  }
  if (name.text == "__assertfail") {
    Inst& inst = emit(&exec_assert_fail, InstClass::kOther);
    for (std::size_t i = 0; i < 4; ++i) inst.src[i] = argument(i);
    return;
  }
  const auto found = module_.function_indices.find(name.text);
  if (found == module_.function_indices.end() ||
      !module_.module->functions[found->second].has_body) {
    unsupported(fmt::format("the function '{}', which `{}` wants,", name.text, current().opcode));
  }
  const ModuleDecoder::Signature& signature = module_.signatures[found->second];
  CallSite site;
  site.function = found->second;
  const auto copies = [&](const Operand* list, const std::vector<std::size_t>& offsets,
                          const std::vector<std::size_t>& sizes, bool into_callee) {
    std::vector<CallSite::Copy> result;
    if (list == nullptr) return result;
    if (list->list.size() != offsets.size()) unsupported();
    for (std::size_t i = 0; i < offsets.size(); ++i) {
      const std::size_t mine = offset_of(list->list[i]);
      require_within(list->list[i], sizes[i]);
      result.push_back(into_callee ? CallSite::Copy{mine, offsets[i], sizes[i]}
                                   : CallSite::Copy{offsets[i], mine, sizes[i]});
    }
    return result;
  };
  site.arguments = copies(arguments, signature.parameters, signature.parameter_sizes, true);
  site.returns = copies(returns, signature.returns, signature.return_sizes, false);
  emit(&exec_call, InstClass::kControl).immediate =
      static_cast<std::int64_t>(module_.program->calls.size());
  module_.program->calls.push_back(std::move(site));
}

// bar.sync a{, b}  bar.arrive a, b  bar.red.popc.u32 d, a{, b}, p  bar.red.and.pred p, a{, b}, q
void FunctionDecoder::decode_barrier() {
  const std::size_t given = statement_->operands.size();
  const bool reduces = has_part("red");
  std::uint16_t flags = has_part("arrive") ? BarrierFlags::kArrive : 0;
  BarrierReduction reduction = BarrierReduction::kNone;
  if (reduces) {
    reduction = has_part("popc")  ? BarrierReduction::kPopc
                : has_part("and") ? BarrierReduction::kAnd
                                  : BarrierReduction::kOr;
  } else if (!has_part("sync") && !has_part("arrive")) {
    unsupported();
  }
  flags |=
      static_cast<std::uint16_t>(static_cast<unsigned>(reduction) << BarrierFlags::kReductionShift);
  if (parts_[0] == "barrier" && !has_part("aligned")) flags |= BarrierFlags::kUnaligned;
  const std::size_t first = reduces ? 1 : 0;
  const std::size_t last = reduces ? given - 1 : given;
  const std::uint32_t id = first < last ? prepare(operand(first), Shape::kRow, Literal::kBits)
                                        : constant_value(0, Shape::kRow, {});
  const bool counted = first + 1 < last;
  const std::uint32_t threads =
      counted ? prepare(operand(first + 1), Shape::kRow, Literal::kBits) : 0;
  emit(&exec_barrier, InstClass::kControl).flags = flags;
  code_.back().src[1] = kNoRegister;
  prepared(kSrc0, id);
  if (counted) prepared(kSrc1, threads);
  if (!reduces) return;
  predicate_source(kSrc2, operand(given - 1));
  if (operand(given - 1).negated) code_.back().flags |= BarrierFlags::kNegated;
  destination(kDst, operand(0),
              reduction == BarrierReduction::kPopc ? Shape::kRow : Shape::kPredicate);
}

}  // namespace warpwright::emu
