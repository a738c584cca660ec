// How C++ and C spell what the two written headers have in common. Types and functions are given in
// C++'s spelling: "Problem" becomes ww_swiglu_problem in C, and "defines" ww_swiglu_defines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "exchange/header/expr_code.h"

namespace warpwright {

class HeaderDialect {
 public:
  HeaderDialect(CodeLanguage language, const std::string& kernel);

  [[nodiscard]] bool c() const { return c_; }
  [[nodiscard]] CodeLanguage language() const { return c_ ? CodeLanguage::kC : CodeLanguage::kCpp; }
  [[nodiscard]] const std::string& prefix() const { return prefix_; }  // "ww_swiglu_"
  [[nodiscard]] const std::string& macro_prefix() const { return macro_prefix_; }

  [[nodiscard]] std::string type(std::string_view name) const;
  [[nodiscard]] std::string enumerator(std::string_view type, std::string_view name) const;
  // The name of a function, and the beginning of its definition.
  [[nodiscard]] std::string function(std::string_view name) const;
  [[nodiscard]] std::string define(std::string_view result, std::string_view name) const;
  // The name of a table ("kBoards", ww_swiglu_boards) and the beginning of its definition.
  [[nodiscard]] std::string table(std::string_view name) const;
  [[nodiscard]] std::string define_table(std::string_view type, std::string_view name) const;
  // The name of an integer constant ("kBoardCount", WW_SWIGLU_BOARD_COUNT) and its definition.
  [[nodiscard]] std::string constant(std::string_view name) const;
  [[nodiscard]] std::string define_constant(std::string_view name, std::string_view value) const;
  [[nodiscard]] std::string enumeration(std::string_view name,
                                        const std::vector<std::string>& enumerators) const;
  // "// text", wrapped at 100 columns; in C a block comment.
  [[nodiscard]] std::string comment(std::string_view text, std::size_t indent = 0) const;
  // A line of code with a remark: after it where there is room, else above it.
  [[nodiscard]] std::string remarked(const std::string& code, std::string_view remark) const;
  [[nodiscard]] std::string boolean(bool value) const;
  [[nodiscard]] std::string_view boolean_type() const { return c_ ? "int" : "bool"; }
  [[nodiscard]] std::string_view null() const { return c_ ? "0" : "nullptr"; }
  [[nodiscard]] std::string_view text_type() const { return c_ ? "const char *" : "const char* "; }
  // "= 0" of a member that C++ can initialise where it stands.
  [[nodiscard]] std::string initial(std::string_view value) const;
  [[nodiscard]] std::string begin_struct(std::string_view name) const;
  [[nodiscard]] std::string end_struct(std::string_view name) const;
  // A Value made of a member: `kind` is "integer", "real" or "text".
  [[nodiscard]] std::string value(std::string_view kind, std::string_view code) const;

 private:
  bool c_;
  std::string prefix_, macro_prefix_;
};

}  // namespace warpwright
