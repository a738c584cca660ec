#include "emu/decode/decode_call.h"

#include <fmt/format.h>

#include <utility>

#include "emu/exec/exec.h"

namespace warpwright::emu {

std::vector<std::string> CallDecoder::opcodes() { return {"call"}; }

bool CallDecoder::decode() {
  if (at_.parts()[0] != "call") return false;
  decode_call();
  return true;
}

CallSite CallDecoder::call_site(const Operand* returns, const Operand* arguments,
                                const Signature& signature) const {
  const auto copies = [&](const Operand* list, const std::vector<std::size_t>& offsets,
                          const std::vector<std::size_t>& sizes, bool into_callee) {
    std::vector<CallSite::Copy> result;
    if (list == nullptr) return result;
    if (list->list.size() != offsets.size()) at_.unsupported();
    for (std::size_t i = 0; i < offsets.size(); ++i) {
      const std::size_t mine = parameter_offset(list->list[i]);
      operands_.require_within(list->list[i], sizes[i]);
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
std::size_t CallDecoder::parameter_offset(const Operand& param) const {
  if (param.kind != Operand::Kind::kVariable || param.module_scope) at_.unsupported();
  return frame_.offset(param.index);
}

// call{.uni} {(returns),} function {, (arguments)} {, prototype or targets}
void CallDecoder::decode_call() {
  std::size_t at = 0;
  const std::size_t given = at_.current().operands.size();
  const auto list = [&]() -> const Operand* {
    return at < given && at_.operand(at).kind == Operand::Kind::kList ? &at_.operand(at++)
                                                                      : nullptr;
  };
  const Operand* returns = list();
  const Operand& name = at_.operand(at++);
  const Operand* arguments = list();
  if (name.kind == Operand::Kind::kRegister)
    return decode_indirect_call(name, returns, arguments, at_.operand(at));
  if (name.kind != Operand::Kind::kName) at_.unsupported();
  const auto argument = [&](std::size_t i) {
    if (arguments == nullptr || i >= arguments->list.size()) at_.unsupported();
    return static_cast<std::uint32_t>(parameter_offset(arguments->list[i]));
  };
  if (name.text == "vprintf") {
    const std::uint32_t pattern = argument(0), values = argument(1);
    if (returns != nullptr && returns->list.empty()) at_.unsupported();
    Inst& inst = out_.emit(&exec_printf, InstClass::kOther);
    inst.immediate = pattern;
    inst.src[0] = values;
    inst.dst2 = returns != nullptr
                    ? static_cast<std::uint32_t>(parameter_offset(returns->list.front()))
                    : kNoRegister;
    return;
  }
  if (name.text == "__assertfail") {
    Inst& inst = out_.emit(&exec_assert_fail, InstClass::kOther);
    for (std::size_t i = 0; i < 4; ++i) inst.src[i] = argument(i);
    return;
  }
  const std::uint32_t callee = module_.function_named(name.text);
  if (callee == kNoRegister || !module_.module->functions[callee].has_body) {
    // A function that is reachable only through pointers may never run: a virtual destructor adds
    // one that calls free(), even if no objects are deleted.
    if (callee == kNoRegister || !module_.only_by_pointer[index_])
      at_.unsupported(
          fmt::format("the function '{}', which `{}` wants,", name.text, at_.current().opcode));
    out_.emit(&exec_missing_function, InstClass::kControl).immediate = callee;
    return;
  }
  CallSite site = call_site(returns, arguments, module_.signatures[callee]);
  site.function = callee;
  out_.emit(&exec_call, InstClass::kControl).immediate =
      static_cast<std::int64_t>(module_.program->calls.size());
  module_.program->calls.push_back(std::move(site));
}

// call (returns), %rd, (arguments), name; with `name: .callprototype ...` or, for functions of one
// signature, `name: .calltargets f, g`.
void CallDecoder::decode_indirect_call(const Operand& target, const Operand* returns,
                                       const Operand* arguments, const Operand& shape) {
  Signature signature;
  std::vector<std::uint32_t> targets;
  if (const Statement* found = labels_.directive(shape, Statement::Kind::kCallPrototype)) {
    const CallPrototype& prototype = function_.prototypes[found->prototype];
    signature = signature_of(addresses_of(prototype.parameters), addresses_of(prototype.returns));
  } else if (const Statement* list = labels_.directive(shape, Statement::Kind::kBranchTargets)) {
    for (const Operand& one : list->operands) {
      targets.push_back(module_.function_named(one.text));
      if (targets.back() == kNoRegister) at_.unsupported();
    }
    if (targets.empty()) at_.unsupported();
    signature = module_.signatures[targets[0]];
  } else {
    at_.unsupported();
  }
  if (target.kind != Operand::Kind::kRegister || out_.register_bits(target.index) != 64)
    at_.unsupported();
  CallSite site = call_site(returns, arguments, signature);
  site.signature = std::move(signature);
  site.targets = std::move(targets);
  out_.emit(&exec_call_indirect, InstClass::kControl).immediate =
      static_cast<std::int64_t>(module_.program->calls.size());
  module_.program->calls.push_back(std::move(site));
  out_.use(kSrc0, target.index, false);
}

}  // namespace warpwright::emu
