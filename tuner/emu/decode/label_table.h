// The labels of a function: the places that branches go to, and the directives that labels name
// (`table: .branchtargets ...`). A label is visible in its scope and the scopes inside it; inline
// assembly repeats names.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "emu/decode/code_builder.h"
#include "emu/ptx/ptx_ast.h"

namespace warpwright::emu {

class LabelTable {
 public:
  // Finds the function's directives. The function must outlive this.
  explicit LabelTable(const ParsedFunction& function);

  // The label stands before the instruction that comes next.
  void define(const Statement& label, const CodeBuilder& code);
  // The last instruction of the code branches to `target`, which may be defined later.
  void branch_to(const Operand& target, const CodeBuilder& code);
  // The same for a further entry of its extra list, which is appended.
  void extra_branch_to(const Operand& target, CodeBuilder& code);
  // Returns the directive of this kind that the label names; null if there is none.
  [[nodiscard]] const Statement* directive(const Operand& label, Statement::Kind kind) const;

  // Writes the targets into the branches. Throws Error (user) for a label that is not defined;
  // `module` is the module's name.
  void resolve(CodeBuilder& code, std::string_view module) const;

 private:
  struct Use {
    std::size_t inst = 0;
    bool in_extra = false;
    std::size_t extra = 0;
    std::string_view name;
    std::uint32_t scope = 0;
  };

  const ParsedFunction& function_;
  std::vector<Use> uses_;
  std::map<std::pair<std::uint32_t, std::string_view>, std::uint32_t> labels_;
  // By kind, scope and label.
  std::map<std::tuple<Statement::Kind, std::uint32_t, std::string_view>, const Statement*>
      directives_;
};

}  // namespace warpwright::emu
