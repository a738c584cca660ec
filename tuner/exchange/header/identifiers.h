// Turns names of contracts into identifiers of C and C++. Kernels are compiled with
// -D<parameter>=<value>, so an identifier must never be the name of such a macro; nor may it be a
// keyword, a word that the written header itself uses, or reserved. Results depend only on the
// contract, so that headers diff well.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/select/selection_model.h"

namespace warpwright {

// Makes identifiers that are unique within one scope.
class IdentifierScope {
 public:
  // Never returns any of `macros`, nor a name whose lower-case form is in `taken`.
  explicit IdentifierScope(std::set<std::string> macros, std::set<std::string> taken = {})
      : macros_(std::move(macros)), taken_(std::move(taken)) {}
  // A scope for members that never meet local variables, so that the headers' own words are
  // allowed. `beside` are names that appear unchanged among the members, such as
  // ContractNames::sizes.
  [[nodiscard]] static IdentifierScope of_members(std::set<std::string> macros,
                                                  const std::vector<std::string>& beside);
  // Returns `wanted` if possible, else its lower-case form, else that with underscores appended.
  [[nodiscard]] std::string add(std::string_view wanted);
  // True if add() would return a different name.
  [[nodiscard]] bool refuses(const std::string& text) const;

 private:
  std::set<std::string> macros_;
  std::set<std::string> taken_;
  bool own_words_ = true;  // refuse the headers' own words
};

// The names that a written header uses for the parts of a contract.
struct ContractNames {
  std::string kernel;                   // name of the namespace, or follows the prefix
  std::vector<std::string> sizes;       // members, in the order of KernelSpec::problem
  std::vector<std::string> parameters;  // members, in the order of KernelSpec::parameters
  std::vector<std::string> variants;    // enumerators
  // For sizes and parameters with listed texts: the type, and an enumerator per value; empty for
  // others.
  std::vector<std::string> size_types, parameter_types;
  std::vector<std::vector<std::string>> size_values, parameter_values;
  std::set<std::string> macros;  // defined when the kernel is compiled
};
[[nodiscard]] ContractNames name_contract(const KernelSpec& contract);

// True if every value is a text from a list, so that an enumeration can hold it.
[[nodiscard]] bool is_enumeration(const std::vector<Value>& values);

// "tile_size" -> "TileSize"; "tile_size" -> "TILE_SIZE"; "TileSize" -> "tile_size".
[[nodiscard]] std::string pascal_case(std::string_view text);
[[nodiscard]] std::string snake_case(std::string_view text);

// Code (in C or C++, formatted like the headers) in which every identifier that is one of `macros`
// ends in `_here`; the names that were changed are added to `renamed`. Comments and string literals
// stay.
[[nodiscard]] std::string rename_macros(const std::string& code,
                                        const std::set<std::string>& macros,
                                        std::set<std::string>& renamed);

// A literal of type double, rounded to seven digits: times are binary32.
[[nodiscard]] std::string time_literal(double value);
// A literal of type double that reads back exactly.
[[nodiscard]] std::string real_literal(double value);
// A literal of type int if the value fits, else of type long long.
[[nodiscard]] std::string integer_literal(std::int64_t value);

}  // namespace warpwright
