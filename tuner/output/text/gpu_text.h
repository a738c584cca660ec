// The page of `warpwright gpu`: the memories of a device with their sizes, latencies and rates, the
// latencies of waiting, the rates of arithmetic, the other GPUs of the machine, and figures that
// are often stated otherwise. Figures are those of the database; a device without a clock has none,
// and the page says so. Sizes are in bytes, latencies in ns and cycles of the SM clock that was
// read while they were measured.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "analysis/board/roofline.h"
#include "records/device_info.h"
#include "records/records.h"
#include "terminal/screen.h"

namespace warpwright {

struct GpuPage {
  DeviceRecord device;
  Roofs roofs;                   // with latencies
  std::vector<DeviceInfo> gpus;  // all GPUs of this machine
};

// Ends in a newline. Missing figures are "-", and a line says which command measures them.
[[nodiscard]] std::string gpu_text(const GpuPage& page, const Screen& screen = {});

// {"device":{...},"clock_mhz","memories":[{"name","per_sm_bytes","chip_bytes","latency"}],
// "waits":[latency...],"rates":[{"name","value","unit","ci_low","ci_high"}],"l2_lines":{...},
// "gpus":[{"id","name"}],"stated":[{"statement","measured","holds"}]}. A latency is
// {"name","ns","cycles","ci_low_ns","ci_high_ns"}; unknown values are null.
[[nodiscard]] nlohmann::json gpu_json(const GpuPage& page);

// Whether any latency, and any rate, has been measured.
[[nodiscard]] bool has_latencies(const Roofs& roofs);
[[nodiscard]] bool has_rates(const Roofs& roofs);

}  // namespace warpwright
