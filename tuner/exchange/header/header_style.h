// Spells the code of a written header: names, tables, enumerations, comments and expressions that
// are valid in C99 and C++17 alike. Every name begins with the prefix and the kernel's name:
// type("problem") is ww_swiglu_problem, constant("board_count") is WW_SWIGLU_BOARD_COUNT.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/expr/expr.h"
#include "core/expr/expr_node.h"

namespace warpwright {

class HeaderStyle {
 public:
  HeaderStyle(const std::string& prefix, const std::string& kernel);

  [[nodiscard]] const std::string& prefix() const { return prefix_; }  // "ww_swiglu_"
  // The name of a type, a function or a table.
  [[nodiscard]] std::string name(std::string_view text) const;
  [[nodiscard]] std::string constant(std::string_view text) const;
  [[nodiscard]] std::string enumerator(std::string_view type, std::string_view text) const;
  // The beginning of a function's definition: "WW_FN int ww_swiglu_valid".
  [[nodiscard]] std::string define(std::string_view result, std::string_view text) const;
  // The beginning of a table's definition: "WW_DATA ww_source ww_swiglu_sources".
  [[nodiscard]] std::string define_table(std::string_view type, std::string_view text) const;
  // Integer constants, written as an unnamed enumeration.
  [[nodiscard]] std::string constants(
      const std::vector<std::pair<std::string, std::size_t>>& values) const;
  [[nodiscard]] std::string enumeration(const std::string& type,
                                        const std::vector<std::string>& texts) const;
  [[nodiscard]] std::string structure(const std::string& type, const std::string& members) const;
  // A member with its remark, on the same line if it fits, else above. `initial` is for C++.
  [[nodiscard]] std::string member(std::string_view declaration, std::string_view initial,
                                   std::string_view remark = "") const;
  // A block comment, wrapped at 100 columns.
  [[nodiscard]] std::string comment(std::string_view text, std::size_t indent = 0) const;
  // Replaces each `$` by the prefix, in upper case where an upper-case letter follows.
  [[nodiscard]] std::string expand(std::string_view text) const;

 private:
  std::string prefix_;
};

// Writes expressions of contracts as C over the ww_value of shared/warpwright_select.h: same
// results and same faults for all operands.

// Maps names in expressions to variables of type ww_value in the written code. All must be present.
using CodeVariables = std::map<std::string, std::string>;

// Nested function calls such as ww_add(a, b); the result is a ww_value.
[[nodiscard]] std::string expr_code(const ExprNode& node, const CodeVariables& variables);

// Statements of a case that store values in members of `out`: member, or member[0], member[1], ...
// If a value is not a number, out.ok stays 0.
[[nodiscard]] std::string put_number(const std::string& member, const Expr& expr,
                                     const CodeVariables& variables);
[[nodiscard]] std::string put_numbers(const std::string& member, const std::vector<Expr>& list,
                                      const CodeVariables& variables);

}  // namespace warpwright
