// The names that C++ gives to what is in a module, and the symbols that stand for them there.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace warpwright {

// What a source calls a function or a variable ("blas::axpy<float, 4>"), to its symbol in the PTX
// and the cubin. Only those that differ. Overloads have their parameters in the name
// ("add(float*)"), since it would name several otherwise.
using SymbolNames = std::map<std::string, std::string>;

// Of every entry and every variable with a C++ name in the PTX.
[[nodiscard]] SymbolNames find_symbols(std::string_view ptx);

// What C++ calls the symbol, with parameters; other symbols are returned as they are.
[[nodiscard]] std::string demangle(const std::string& symbol);

// "blas::axpy" from "void blas::axpy(float*, int)"; what is no function's name is returned as it
// is.
[[nodiscard]] std::string without_parameters(std::string_view demangled);

}  // namespace warpwright
