// Measures a device's ceilings: sweeps the ceiling kernels (kernels/harness_bandwidth,
// harness_fma, harness_tensor) with the ordinary machinery, validated, screened and ranked, and
// stores the best of each problem as a ceiling. Their boards are ordinary boards, too. Ceilings
// that the device does not support are skipped with a reason. Throws Error as the sweep does.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "device/device.h"
#include "harness/calibrate/ceilings.h"
#include "sweep/sweep.h"
#include "workers/device_query.h"
#include "workers/paths.h"

namespace warpwright {

struct CalibrateOptions {
  std::filesystem::path database;  // empty: the default one
  bool quiet = false;
  std::string command_line;
  std::string version;
};

struct Calibration {
  DeviceInfo device;
  std::filesystem::path database;
  std::vector<CeilingRecord> ceilings;  // as stored, in the order measured
  std::vector<NoCeiling> skipped;       // the device cannot do this
  std::vector<NoCeiling> failed;        // it should have worked
  bool interrupted = false;
  double wall_seconds = 0;
};

// Returns the device to calibrate. Throws Error (user) when `wanted` is unknown, has no clock, or
// matches several devices.
[[nodiscard]] DeviceInfo calibratable_device(const DeviceList& list, const std::string& wanted);

// Runs a sweep: run_sweep() bound to its paths, or the replacement of a test.
using CalibrationSweep = std::function<SweepSummary(const SweepOptions&)>;

[[nodiscard]] Calibration calibrate(const CalibrateOptions& options, const Paths& paths,
                                    const DeviceInfo& device, const CalibrationSweep& sweep);

}  // namespace warpwright
