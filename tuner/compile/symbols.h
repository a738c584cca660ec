// The C++ names of the entries and variables in a module, and their symbols there.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace warpwright {

// Maps the name of a function or a variable in the source ("blas::axpy<float, 4>") to its symbol in
// the PTX and the cubin, where the two differ. Overloads are named with their parameters
// ("add(float*)"), since the name alone would be ambiguous.
using SymbolNames = std::map<std::string, std::string>;

// Covers every entry and every variable with a C++ name in the PTX.
[[nodiscard]] SymbolNames find_symbols(std::string_view ptx);

// Returns the C++ name of a symbol, with parameters; other symbols are returned unchanged.
[[nodiscard]] std::string demangle(const std::string& symbol);

// Returns "blas::axpy" for "void blas::axpy(float*, int)"; text that is not a function's name is
// returned unchanged.
[[nodiscard]] std::string without_parameters(std::string_view demangled);

}  // namespace warpwright
