// Calls of functions by name, of the two functions that the toolkit's headers call and no PTX
// defines, and calls through a register.
#include <fmt/format.h>

#include <algorithm>

#include "emu/decode/function_decoder.h"
#include "emu/exec/exec.h"

namespace warpwright::emu {

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

}  // namespace warpwright::emu
