// The state that a module can keep from one launch to the next, according to the declarations in
// its PTX. Timed and validated launches restore that state to its value after loading, so that no
// launch can reuse the work of an earlier one.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace warpwright {

// A variable in global memory that a function of the module uses.
struct StateVariable {
  std::string name;         // as spelled in the PTX
  bool write_only = false;  // no instruction reads it or takes its address
};

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
