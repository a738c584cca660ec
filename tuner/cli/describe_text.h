// The output of `warpwright describe`: what a launch did, as the emulator observed it. Nothing here
// comes from comments or documentation, and what was not observed is left out.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "bench/profile.h"
#include "records/configuration.h"
#include "terminal/screen.h"

namespace warpwright {

struct DescriptionHeading {
  std::string kernel;
  std::string summary;  // of the contract
  std::string problem;
  std::string device;  // "emu:sm_90a"
  std::string device_name;
};

[[nodiscard]] std::string description_text(const DescriptionHeading& heading,
                                           const Configuration& configuration,
                                           const Profile& profile, const Screen& screen = {});

// In describe_json.cpp.
[[nodiscard]] nlohmann::json description_json(const DescriptionHeading& heading,
                                              const Configuration& configuration,
                                              const Profile& profile);

}  // namespace warpwright
