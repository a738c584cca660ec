// The distance of one output from the reference. Errors may be infinite, which is null in JSON.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace warpwright {

// The error of one output over the validated units of the problem, for inputs of both seeds.
struct OutputError {
  std::string output;
  std::uint64_t checked = 0;  // elements
  std::uint64_t wrong = 0;
  double max_abs = 0;
  double max_rel = 0;      // |out - ref| / |ref| where ref != 0
  double worst_ratio = 0;  // error / allowed error; <= 1 passes
};
void to_json(nlohmann::json& json, const OutputError& error);
void from_json(const nlohmann::json& json, OutputError& error);

}  // namespace warpwright
