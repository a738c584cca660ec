// Published search spaces, restated as JSON (`parameters`, `parameter_order`, `constraints`, counts
// and checksums). They are stored outside the repository; the environment variable
// WARPWRIGHT_PUBLIC_DATA names the parent folder.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "space/search_space.h"

namespace warpwright::testing {

// The folder of the reference spaces; empty if there is none.
inline std::filesystem::path reference_folder() {
  const char* root = std::getenv("WARPWRIGHT_PUBLIC_DATA");
  if (root == nullptr || *root == '\0') return {};
  return std::filesystem::path(root) / "spaces";
}

inline SpaceDefinition definition_of(const nlohmann::json& reference) {
  SpaceDefinition definition;
  SpaceDefinition::Group& group = definition.groups.emplace_back();
  for (const std::string name : reference.at("parameter_order")) {
    SearchSpace::Axis& axis = group.axes.emplace_back();
    axis.name = name;
    for (const nlohmann::json& value : reference.at("parameters").at(name)) {
      axis.values.push_back(value.get<Value>());
    }
  }
  for (const std::string text : reference.at("constraints")) {
    group.constraints.push_back({Expr::parse(text), ""});
  }
  return definition;
}

}  // namespace warpwright::testing
