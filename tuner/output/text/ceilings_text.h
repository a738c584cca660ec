// The ceilings of a device, as text and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "analysis/board/roofline.h"
#include "core/screen.h"
#include "records/records.h"

namespace warpwright {

// A title and a table in the order of core/ceiling_names.h, memory first; ends in a newline. States
// if rates come from a model, and how to measure them if there are none.
[[nodiscard]] std::string ceilings_text(const DeviceRecord& device, const Roofs& roofs,
                                        const Screen& screen = {});

// {"device":{"id","name","arch","driver","fingerprint","has_clock"},"modelled",
// "datasheet_gb_per_s","ceilings":[{"name","value","unit","ci_low","ci_high","protocol",
// "measured_utc"}...]}; unknown values are null.
[[nodiscard]] nlohmann::json ceilings_json(const DeviceRecord& device, const Roofs& roofs);

}  // namespace warpwright
