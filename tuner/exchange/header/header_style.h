// How a written header spells what it defines: names, tables, enumerations and comments that are
// valid in C99 and C++17 alike. Every name begins with the prefix and the kernel's name:
// type("problem") is ww_swiglu_problem, constant("board_count") is WW_SWIGLU_BOARD_COUNT.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpwright {

class HeaderStyle {
 public:
  HeaderStyle(const std::string& prefix, const std::string& kernel);

  [[nodiscard]] const std::string& prefix() const { return prefix_; }  // "ww_swiglu_"
  // Of a type, a function or a table.
  [[nodiscard]] std::string name(std::string_view text) const;
  [[nodiscard]] std::string constant(std::string_view text) const;
  [[nodiscard]] std::string enumerator(std::string_view type, std::string_view text) const;
  // The beginning of a function's definition: "WW_FN int ww_swiglu_valid".
  [[nodiscard]] std::string define(std::string_view result, std::string_view text) const;
  // Of a table's: "WW_DATA ww_source ww_swiglu_sources".
  [[nodiscard]] std::string define_table(std::string_view type, std::string_view text) const;
  // Integer constants, an enumeration without a name.
  [[nodiscard]] std::string constants(
      const std::vector<std::pair<std::string, std::size_t>>& values) const;
  [[nodiscard]] std::string enumeration(const std::string& type,
                                        const std::vector<std::string>& texts) const;
  [[nodiscard]] std::string structure(const std::string& type, const std::string& members) const;
  // A member with its remark: after it where there is room, else above it. `initial` is for C++.
  [[nodiscard]] std::string member(std::string_view declaration, std::string_view initial,
                                   std::string_view remark = "") const;
  // A block comment, wrapped at 100 columns.
  [[nodiscard]] std::string comment(std::string_view text, std::size_t indent = 0) const;
  // Replaces each `$` by the prefix, in upper case where an upper-case letter follows.
  [[nodiscard]] std::string expand(std::string_view text) const;

 private:
  std::string prefix_;
};

}  // namespace warpwright
