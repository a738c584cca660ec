#include "emu/decode/label_table.h"

#include <fmt/format.h>

#include "core/error.h"

namespace warpwright::emu {

// If a name occurs more than once in a scope, the first one counts.
LabelTable::LabelTable(const ParsedFunction& function) : function_(function) {
  for (std::size_t i = 1; i < function.statements.size(); ++i) {
    const Statement& label = function.statements[i - 1];
    const Statement& directive = function.statements[i];
    if (label.kind == Statement::Kind::kLabel &&
        (directive.kind == Statement::Kind::kBranchTargets ||
         directive.kind == Statement::Kind::kCallPrototype))
      directives_.try_emplace({directive.kind, label.scope, label.opcode}, &directive);
  }
}

void LabelTable::define(const Statement& label, const CodeBuilder& code) {
  labels_[{label.scope, label.opcode}] = static_cast<std::uint32_t>(code.size());
}

void LabelTable::branch_to(const Operand& target, const CodeBuilder& code) {
  uses_.push_back({code.size() - 1, false, 0, target.text, target.scope});
}

void LabelTable::extra_branch_to(const Operand& target, CodeBuilder& code) {
  uses_.push_back({code.size() - 1, true, code.extra_size(), target.text, target.scope});
  code.extra_raw(0);
}

// The innermost scope that has the label counts.
const Statement* LabelTable::directive(const Operand& label, Statement::Kind kind) const {
  for (std::uint32_t scope = label.scope;; scope = function_.scope_parents[scope]) {
    if (const auto found = directives_.find({kind, scope, label.text}); found != directives_.end())
      return found->second;
    if (scope == 0) return nullptr;
  }
}

void LabelTable::resolve(CodeBuilder& code, std::string_view module) const {
  for (const Use& use : uses_) {
    std::uint32_t scope = use.scope;
    auto found = labels_.find({scope, use.name});
    while (found == labels_.end() && scope != 0) {
      scope = function_.scope_parents[scope];
      found = labels_.find({scope, use.name});
    }
    if (found == labels_.end()) {
      throw user_error(
          fmt::format("PTX of {}: no label '{}' in '{}'", module, use.name, function_.name));
    }
    if (use.in_extra) {
      code.set_extra(use.extra, found->second);
    } else {
      code.set_target(use.inst, found->second);
    }
  }
}

}  // namespace warpwright::emu
