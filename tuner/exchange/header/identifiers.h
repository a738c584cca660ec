// Names of contracts as identifiers of C and C++. Kernels are compiled with -D<parameter>=<value>,
// so an identifier must never be the name of such a macro; nor may it be a keyword, a word that the
// written header uses itself, or reserved. Results depend on the contract only, so that headers
// diff well.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/select/selection_model.h"

namespace warpwright {

// Makes identifiers that are unequal within one scope.
class IdentifierScope {
 public:
  // `macros` are never given out, nor is anything that in lower case is one of `taken`.
  explicit IdentifierScope(std::set<std::string> macros, std::set<std::string> taken = {})
      : macros_(std::move(macros)), taken_(std::move(taken)) {}
  // For members that stand beside no local variable: the headers' own words are given out.
  // `beside` are names that stand among them as they are, such as ContractNames::sizes.
  [[nodiscard]] static IdentifierScope of_members(std::set<std::string> macros,
                                                  const std::vector<std::string>& beside);
  // `wanted` when possible; else in lower case, else with underscores after it.
  [[nodiscard]] std::string add(std::string_view wanted);
  // add() would return a different name.
  [[nodiscard]] bool refuses(const std::string& text) const;

 private:
  std::set<std::string> macros_;
  std::set<std::string> taken_;
  bool own_words_ = true;  // refused
};

// What a written header calls the things of a contract.
struct ContractNames {
  std::string kernel;                   // of the namespace, or after the prefix
  std::vector<std::string> sizes;       // members, as KernelSpec::problem
  std::vector<std::string> parameters;  // members, as KernelSpec::parameters
  std::vector<std::string> variants;    // enumerators
  // Of sizes and parameters with listed texts: the type, and an enumerator per value; else empty.
  std::vector<std::string> size_types, parameter_types;
  std::vector<std::vector<std::string>> size_values, parameter_values;
  std::set<std::string> macros;  // what the kernel is compiled with
};
[[nodiscard]] ContractNames name_contract(const KernelSpec& contract);

// Every value is text from a list, so that an enumeration can hold it.
[[nodiscard]] bool is_enumeration(const std::vector<Value>& values);

// "tile_size" -> "TileSize"; "tile_size" -> "TILE_SIZE"; "TileSize" -> "tile_size".
[[nodiscard]] std::string pascal_case(std::string_view text);
[[nodiscard]] std::string upper_case(std::string_view text);
[[nodiscard]] std::string snake_case(std::string_view text);

// Code (of C or C++, formatted as the headers are) in which every identifier that is one of
// `macros` ends in `_here`; what was changed is added to `renamed`. Comments and texts stay.
[[nodiscard]] std::string rename_macros(const std::string& code,
                                        const std::set<std::string>& macros,
                                        std::set<std::string>& renamed);

// A literal of type double, rounded to seven digits: times are binary32.
[[nodiscard]] std::string time_literal(double value);
// A literal of type double that reads back exactly.
[[nodiscard]] std::string real_literal(double value);
// Of type int where it fits, else long long.
[[nodiscard]] std::string integer_literal(std::int64_t value);

}  // namespace warpwright
