// The references of a board's times, in words: the device's limit, each entry's share of it, and
// the gain of tuning; and the ceilings of a device. A percentage refers to a measured ceiling or to
// the model's, and says which.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "analysis/board/leaderboard.h"
#include "analysis/board/roofline.h"
#include "records/records.h"
#include "terminal/screen.h"

namespace warpwright {

// A table's cell: "90.2 %", "latency", "> limit", "-".
[[nodiscard]] std::string limit_cell(const std::optional<LimitShare>& share);
// Names the limit, and explains the words of limit_cell() that occur; several lines, or "".
[[nodiscard]] std::string limit_lines(const Leaderboard& board);
// "tuning gained 1.31x over the default configuration (...), ...\n", or "".
[[nodiscard]] std::string speedup_line(const Leaderboard& board);
// One line, with the command to measure, for each device of the boards whose limits are unknown
// because nothing was measured. "" if there is none.
[[nodiscard]] std::string calibration_hint(const std::vector<Leaderboard>& boards);

// {"us","bound","ceiling","rate","unit","modelled","memory_us","compute_us","datasheet_gb_per_s"},
// or null.
[[nodiscard]] nlohmann::json limit_json(const Leaderboard& board);
// {"factor","at_least","configuration_text","trial"}, or null.
[[nodiscard]] nlohmann::json speedup_json(const std::optional<Speedup>& speedup);
// "fraction", "latency_bound", "above_limit", or null.
[[nodiscard]] nlohmann::json standing_json(const std::optional<LimitShare>& share);

// 4430 GB/s as "4,430 GB/s", 66908 GFLOP/s as "66.9 TFLOP/s".
[[nodiscard]] std::string format_rate(double value, const std::string& unit);

// A title and a table in the order of core/shared_names.h, memory first; ends in a newline. States
// if rates come from a model, and how to measure them if there are none.
[[nodiscard]] std::string ceilings_text(const DeviceRecord& device, const Roofs& roofs,
                                        const Screen& screen = {});

// {"device":{"id","name","arch","driver","fingerprint","has_clock"},"modelled",
// "datasheet_gb_per_s","ceilings":[{"name","value","unit","ci_low","ci_high","protocol",
// "measured_utc"}...]}; unknown values are null.
[[nodiscard]] nlohmann::json ceilings_json(const DeviceRecord& device, const Roofs& roofs);

}  // namespace warpwright
