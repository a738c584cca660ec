// The state that a module can keep from one launch to the next, as its PTX declares it. Timed and
// validated launches put that state back to what it was after loading, so that no launch can use
// the work of an earlier one.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace warpwright {

// A variable in global memory that some function of the module uses.
struct StateVariable {
  std::string name;         // as the PTX spells it
  bool write_only = false;  // no instruction reads it or takes its address
};

struct ModuleState {
  std::vector<StateVariable> variables;  // in the order of their declarations
  // Why more than these variables outlives a launch: "it calls malloc() on the device, ...". Empty
  // when nothing does.
  std::string unrestorable;
};
void to_json(nlohmann::json& json, const ModuleState& state);
void from_json(const nlohmann::json& json, ModuleState& state);

// Reads the declarations and the uses of variables. Text that is not PTX yields an empty state:
// the driver refuses it with a better message.
[[nodiscard]] ModuleState find_module_state(std::string_view ptx);

}  // namespace warpwright
