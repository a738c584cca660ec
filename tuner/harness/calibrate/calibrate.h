// Measures a device's ceilings: sweeps the ceiling kernels (kernels/harness_bandwidth,
// harness_fma, harness_tensor) with the ordinary machinery, validated, screened and ranked, and
// stores the best of each problem as a ceiling. Then sweeps kernels/harness_latency and stores its
// latencies in the same table, in ns (latencies.h). The boards of these kernels are ordinary
// boards, too. What the device does not support is skipped with a reason. Throws Error as the sweep
// does.
//
// The problems of a ceiling kernel have a choice `ceiling` that names what is measured; the best
// configuration of a board gives that ceiling, and if several variants competed, the best of each
// is also kept under its own name.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analysis/board/leaderboard.h"
#include "device/device.h"
#include "records/records.h"
#include "spec/kernel_spec.h"
#include "spec/sweep_spec.h"
#include "sweep/sweep.h"
#include "workers/device_query.h"
#include "workers/paths.h"

namespace warpwright {

// A ceiling that could not be measured, and why.
struct NoCeiling {
  std::string name;
  std::string reason;
};

// The value of the problem's choice `ceiling`, or the name of its latency; "" when it has neither.
[[nodiscard]] std::string ceiling_of(const Stored<Problem>& problem);

// "tensor_bf16" by variant "mma" is "mma_bf16"; "read" has one way only and is "".
[[nodiscard]] std::string ceiling_by_variant(const std::string& ceiling,
                                             const std::string& variant);

// The board's ceiling, then those of its variants by name. Rates come from the work and the time of
// the final ranking's headline if there is one (the best of many is otherwise a little too good),
// else of the entry. `device` is set by the caller. Empty when nothing passed.
[[nodiscard]] std::vector<CeilingRecord> ceilings_of(const Leaderboard& board,
                                                     const std::string& measured_utc);
// Describes the outcomes of the configurations of a board without entries.
[[nodiscard]] std::string why_none(const Leaderboard& board);

// The reason why no variant can run the problem on the device: the first constraint on device
// limits that does not hold. `constants` are the problem's sizes and the limits as "device.NAME".
[[nodiscard]] std::string why_impossible(const KernelSpec& kernel, const SweepSpec& sweep,
                                         const std::map<std::string, Value>& constants);

// The figures that a calibration measures.
enum class CalibratedPart { kAll, kCeilings, kLatencies };

struct CalibrateOptions {
  CalibratedPart part = CalibratedPart::kAll;
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
