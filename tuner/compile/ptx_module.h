// Reads the declarations in a module's PTX: the C++ names of its entries and variables, and the
// state that it can keep from one launch to the next. Timed and validated launches restore that
// state to its value after loading, so that no launch can reuse the work of an earlier one.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

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

// A variable in global memory that a function of the module uses.
struct StateVariable {
  std::string name;         // as spelled in the PTX
  bool write_only = false;  // no instruction reads it or takes its address
};
void to_json(nlohmann::json& json, const StateVariable& variable);
void from_json(const nlohmann::json& json, StateVariable& variable);

struct ModuleState {
  std::vector<StateVariable> variables;  // in order of declaration
  // Why state other than these variables outlives a launch: "it calls malloc() on the device, ...".
  // Empty if there is none.
  std::string unrestorable;
};
void to_json(nlohmann::json& json, const ModuleState& state);
void from_json(const nlohmann::json& json, ModuleState& state);

// Reads the declarations and the uses of variables. Text that is not PTX yields an empty state,
// since the driver rejects it with a better message.
[[nodiscard]] ModuleState find_module_state(std::string_view ptx);

}  // namespace warpwright
