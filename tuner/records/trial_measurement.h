// What was observed besides the samples of a trial. Either part is absent when it was not watched.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "records/validity.h"

namespace warpwright {

struct TrialMeasurement {
  std::optional<double> anchor_drift;  // the fraction by which the anchor configuration moved
  std::optional<Validity> validity;
};
// {"anchor_drift", "validity"}, null for what is absent.
void to_json(nlohmann::json& json, const TrialMeasurement& measurement);
void from_json(const nlohmann::json& json, TrialMeasurement& measurement);

}  // namespace warpwright
