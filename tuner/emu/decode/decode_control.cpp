// Branches, calls, exits, barriers, warp-wide operations, and instructions without an effect in the
// emulator.
#include <fmt/format.h>

#include <algorithm>

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
  const Statement* targets = labelled(operand(1), Statement::Kind::kBranchTargets);
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

// --- calls of functions by name, of the two functions that the toolkit's headers call and no PTX
// defines, and calls through a register

Signature signature_of(const std::vector<const Variable*>& parameters,
                       const std::vector<const Variable*>& returns) {
  Signature signature;
  std::size_t end = 0;
  const auto lay_out = [&end](const std::vector<const Variable*>& variables,
                              std::vector<std::size_t>& offsets, std::vector<std::size_t>& sizes) {
    for (const Variable* variable : variables) {
      end = align_up(end, std::max<std::size_t>(variable->alignment, 1));
      offsets.push_back(end);
      sizes.push_back(variable->size);
      end += variable->size;
    }
  };
  lay_out(parameters, signature.parameters, signature.parameter_sizes);
  lay_out(returns, signature.returns, signature.return_sizes);
  return signature;
}

// Returns kNoRegister if the module has no function of that name.
std::uint32_t FunctionDecoder::function_named(std::string_view name) const {
  const auto found = module_.function_indices.find(name);
  return found == module_.function_indices.end() ? kNoRegister : found->second;
}

// The directive after a label: `table: .branchtargets ...`. Inline assembly repeats names; the
// innermost scope that has the label counts.
const Statement* FunctionDecoder::labelled(const Operand& label, Statement::Kind kind) const {
  for (std::uint32_t scope = label.scope;; scope = parsed_.scope_parents[scope]) {
    if (const auto found = directives_.find({kind, scope, label.text}); found != directives_.end())
      return found->second;
    if (scope == 0) return nullptr;
  }
}

// If a name occurs more than once in a scope, the first one counts.
void FunctionDecoder::find_directives() {
  for (std::size_t i = 1; i < parsed_.statements.size(); ++i) {
    const Statement& label = parsed_.statements[i - 1];
    const Statement& directive = parsed_.statements[i];
    if (label.kind == Statement::Kind::kLabel &&
        (directive.kind == Statement::Kind::kBranchTargets ||
         directive.kind == Statement::Kind::kCallPrototype))
      directives_.try_emplace({directive.kind, label.scope, label.opcode}, &directive);
  }
}

CallSite FunctionDecoder::call_site(const Operand* returns, const Operand* arguments,
                                    const Signature& signature) const {
  const auto copies = [&](const Operand* list, const std::vector<std::size_t>& offsets,
                          const std::vector<std::size_t>& sizes, bool into_callee) {
    std::vector<CallSite::Copy> result;
    if (list == nullptr) return result;
    if (list->list.size() != offsets.size()) unsupported();
    for (std::size_t i = 0; i < offsets.size(); ++i) {
      const std::size_t mine = parameter_offset(list->list[i]);
      require_within(list->list[i], sizes[i]);
      result.push_back(into_callee ? CallSite::Copy{mine, offsets[i], sizes[i]}
                                   : CallSite::Copy{offsets[i], mine, sizes[i]});
    }
    return result;
  };
  CallSite site;
  site.arguments = copies(arguments, signature.parameters, signature.parameter_sizes, true);
  site.returns = copies(returns, signature.returns, signature.return_sizes, false);
  return site;
}

// The offset of a variable in the function's parameter area.
std::size_t FunctionDecoder::parameter_offset(const Operand& param) const {
  if (param.kind != Operand::Kind::kVariable || param.module_scope) unsupported();
  return variable_offsets_[param.index];
}

// call{.uni} {(returns),} function {, (arguments)} {, prototype or targets}
void FunctionDecoder::decode_call() {
  std::size_t at = 0;
  const std::size_t given = statement_->operands.size();
  const auto list = [&]() -> const Operand* {
    return at < given && operand(at).kind == Operand::Kind::kList ? &operand(at++) : nullptr;
  };
  const Operand* returns = list();
  const Operand& name = operand(at++);
  const Operand* arguments = list();
  if (name.kind == Operand::Kind::kRegister)
    return decode_indirect_call(name, returns, arguments, operand(at));
  if (name.kind != Operand::Kind::kName) unsupported();
  const auto argument = [&](std::size_t i) {
    if (arguments == nullptr || i >= arguments->list.size()) unsupported();
    return static_cast<std::uint32_t>(parameter_offset(arguments->list[i]));
  };
  if (name.text == "vprintf") {
    const std::uint32_t pattern = argument(0), values = argument(1);
    if (returns != nullptr && returns->list.empty()) unsupported();
    Inst& inst = emit(&exec_printf, InstClass::kOther);
    inst.immediate = pattern;
    inst.src[0] = values;
    inst.dst2 = returns != nullptr
                    ? static_cast<std::uint32_t>(parameter_offset(returns->list.front()))
                    : kNoRegister;
    return;
  }
  if (name.text == "__assertfail") {
    Inst& inst = emit(&exec_assert_fail, InstClass::kOther);
    for (std::size_t i = 0; i < 4; ++i) inst.src[i] = argument(i);
    return;
  }
  const std::uint32_t callee = function_named(name.text);
  if (callee == kNoRegister || !module_.module->functions[callee].has_body) {
    // A function that is reachable only through pointers may never run: a virtual destructor adds
    // one that calls free(), even if no objects are deleted.
    if (callee == kNoRegister || !module_.only_by_pointer[index_])
      unsupported(fmt::format("the function '{}', which `{}` wants,", name.text, current().opcode));
    emit(&exec_missing_function, InstClass::kControl).immediate = callee;
    return;
  }
  CallSite site = call_site(returns, arguments, module_.signatures[callee]);
  site.function = callee;
  emit(&exec_call, InstClass::kControl).immediate =
      static_cast<std::int64_t>(module_.program->calls.size());
  module_.program->calls.push_back(std::move(site));
}

// call (returns), %rd, (arguments), name; with `name: .callprototype ...` or, for functions of one
// signature, `name: .calltargets f, g`.
void FunctionDecoder::decode_indirect_call(const Operand& target, const Operand* returns,
                                           const Operand* arguments, const Operand& shape) {
  Signature signature;
  std::vector<std::uint32_t> targets;
  if (const Statement* found = labelled(shape, Statement::Kind::kCallPrototype)) {
    const CallPrototype& prototype = parsed_.prototypes[found->prototype];
    signature = signature_of(addresses_of(prototype.parameters), addresses_of(prototype.returns));
  } else if (const Statement* list = labelled(shape, Statement::Kind::kBranchTargets)) {
    for (const Operand& one : list->operands) {
      targets.push_back(function_named(one.text));
      if (targets.back() == kNoRegister) unsupported();
    }
    if (targets.empty()) unsupported();
    signature = module_.signatures[targets[0]];
  } else {
    unsupported();
  }
  if (target.kind != Operand::Kind::kRegister || register_bits(target.index) != 64) unsupported();
  CallSite site = call_site(returns, arguments, signature);
  site.signature = std::move(signature);
  site.targets = std::move(targets);
  emit(&exec_call_indirect, InstClass::kControl).immediate =
      static_cast<std::int64_t>(module_.program->calls.size());
  module_.program->calls.push_back(std::move(site));
  use(kSrc0, target.index, false);
}

// --- warp-wide operations: shfl, vote, match, redux, elect, activemask, bar.warp.sync

std::vector<std::string> FunctionDecoder::warp_opcodes() {
  return {"shfl", "vote", "match", "redux", "elect", "activemask", "bar"};
}

// The last operand is always the mask of members; d|p receives a value and a predicate.
bool FunctionDecoder::decode_warp() {
  const std::string_view base = parts_[0];
  if (base == "activemask") {
    emit(&exec_activemask, InstClass::kOther);
    destination(kDst, operand(0), Shape::kRow);
    return true;
  }
  if (base == "bar" && has_part("warp")) {
    const std::uint32_t members = prepare(operand(0), Shape::kRow, Literal::kBits);
    emit(&exec_sync, InstClass::kControl).immediate = static_cast<std::int64_t>(SyncOp::kBarWarp);
    prepared(kSrc3, members);
    return true;
  }
  if (!has_part("sync")) return false;

  static constexpr std::pair<std::string_view, SyncOp> kForms[] = {
      {"shfl.up", SyncOp::kShflUp},     {"shfl.down", SyncOp::kShflDown},
      {"shfl.bfly", SyncOp::kShflBfly}, {"shfl.idx", SyncOp::kShflIdx},
      {"vote.all", SyncOp::kVoteAll},   {"vote.any", SyncOp::kVoteAny},
      {"vote.uni", SyncOp::kVoteUni},   {"vote.ballot", SyncOp::kVoteBallot},
      {"match.any", SyncOp::kMatchAny}, {"match.all", SyncOp::kMatchAll},
      {"redux.add", SyncOp::kReduxAdd}, {"redux.min", SyncOp::kReduxMin},
      {"redux.max", SyncOp::kReduxMax}, {"redux.and", SyncOp::kReduxAnd},
      {"redux.or", SyncOp::kReduxOr},   {"redux.xor", SyncOp::kReduxXor}};
  const SyncOp* op = nullptr;
  static constexpr SyncOp kElectOp = SyncOp::kElect;
  for (const auto& [form, value] : kForms) {
    const std::size_t dot = form.find('.');
    if (base == form.substr(0, dot) && has_part(form.substr(dot + 1))) op = &value;
  }
  if (base == "elect") op = &kElectOp;
  if (op == nullptr) return false;

  const std::size_t given = statement_->operands.size();
  constexpr std::size_t kMaxValues = 3;  // of a shuffle: value, lane, bounds
  if (given > kMaxValues + 2) unsupported();
  const std::uint32_t members = prepare(operand(given - 1), Shape::kRow, Literal::kBits);
  const bool wide = parts_.back() == "b64";
  const bool vote = base == "vote";
  std::vector<std::uint32_t> values;
  if (!vote) {
    for (std::size_t i = 1; i + 1 < given; ++i) {
      values.push_back(
          prepare(operand(i), i == 1 && wide ? Shape::kWide : Shape::kRow, Literal::kFloat));
    }
  }
  emit(&exec_sync, base == "shfl" ? InstClass::kLoadStore : InstClass::kOther);
  Inst& inst = code_.back();
  inst.immediate = static_cast<std::int64_t>(*op);
  if (wide) inst.flags |= SyncFlags::kWide;
  if (parts_.back() == "s32") inst.flags |= SyncFlags::kSigned;
  if (parts_.back() == "f32") inst.flags |= SyncFlags::kFloat;
  if (has_part("abs")) inst.flags |= SyncFlags::kAbs;
  if (has_part("NaN")) inst.flags |= SyncFlags::kNan;
  if (vote && operand(1).negated) inst.flags |= SyncFlags::kNegated;
  // The exchanged value comes first among the uses, because the checkers track it to other lanes.
  for (std::size_t i = 0; i < values.size(); ++i)
    prepared(static_cast<Field>(kSrc0 + i), values[i]);
  prepared(kSrc3, members);
  if (vote) predicate_source(kSrc0, operand(1));
  const Operand& target = operand(0);
  if (vote && *op != SyncOp::kVoteBallot) {
    destination(kDst2, target, Shape::kPredicate);
  } else if (target.kind == Operand::Kind::kPair) {
    if (target.list[0].kind != Operand::Kind::kSink) destination(kDst, target.list[0], Shape::kRow);
    if (target.list[1].kind != Operand::Kind::kSink)
      destination(kDst2, target.list[1], Shape::kPredicate);
  } else if (target.kind != Operand::Kind::kSink) {
    destination(kDst, target, Shape::kRow);
  }
  return true;
}

}  // namespace warpwright::emu
