// Computes how fast a device could do a trial's work at best, and how close its time comes to that.
// The rates that a device reaches are measured by `warpwright calibrate` and kept as ceilings:
// "read", "write", "copy", "l2_read" in GB/s, "fma_f32", "tensor_bf16", ... in GFLOP/s. A device
// without a clock has the rates of its model instead, and a limit made of them is marked as
// modelled. Times are in microseconds.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "metrics/peaks.h"
#include "store/database.h"

namespace warpwright {

// The ceilings of one device.
struct Roofs {
  bool modelled = false;                          // rates of the model, not measurements
  std::map<std::string, CeilingRecord> ceilings;  // by name, the newest of each
  std::optional<double> datasheet_gb_per_s;       // memory clock x bus width, two transfers a clock
  double l2_bytes = 0;                            // 0 when not known

  [[nodiscard]] const CeilingRecord* find(const std::string& name) const;
};
// The roofs of one device, computed from its record and its measured ceilings. Throws Error (user)
// if the record's details are not JSON; missing details leave members empty.
[[nodiscard]] Roofs make_roofs(const DeviceRecord& device,
                               const std::vector<CeilingRecord>& measured);
// The roofs of every device of a database, by fingerprint.
using RoofsByDevice = std::map<std::string, Roofs>;
[[nodiscard]] RoofsByDevice read_roofs(const Database& database);

enum class Bound { kMemory, kCompute };

// A time that no implementation can beat: the longer of the time to move the bytes and the time for
// the arithmetic at the ceilings.
struct Limit {
  double us = 0;
  double shortest_us = 0;  // with the upper ends of the ceilings' intervals
  Bound bound = Bound::kMemory;
  std::string ceiling;  // the ceilings used: "read", "read and copy", "fma_f32"
  double rate = 0;      // of that: GB/s, or GFLOP/s where bound by arithmetic
  std::optional<double> memory_us, compute_us;
  bool modelled = false;
};
// Returns nullopt if the work or the ceilings are unknown. Bytes take the time per byte between the
// ceilings `read`, `copy` and `write`, linear in the share that is written; where that share is not
// known, the fastest of the three. A part whose ceiling is missing is left out: see
// missing_ceiling().
[[nodiscard]] std::optional<Limit> find_limit(const Work& work, const Roofs& roofs);
// The first ceiling that the limit would need and the device does not have; "" when it has all.
[[nodiscard]] std::string missing_ceiling(const Work& work, const Roofs& roofs);

// A shorter kernel time is mostly launch and latency, which no ceiling describes.
inline constexpr double kLatencyBoundUs = 10;
// The drift of a device's clock that is tolerated between the ceiling's measurement and the
// trial's.
inline constexpr double kCeilingTolerance = 0.02;

enum class Standing {
  kFraction,      // `fraction` of the limit, at most 1
  kLatencyBound,  // shorter than kLatencyBoundUs: a percentage would mislead
  kAboveLimit,    // faster than possible: work is counted wrongly, or never left L2
};
struct LimitShare {
  Standing standing = Standing::kFraction;
  double fraction = 0;       // limit / time as computed, even where it is not shown
  bool l2_resident = false;  // kAboveLimit of a hot time whose bytes fit into L2
};
// `slowest_us` is the upper end of the time's interval (the time itself when there is none).
[[nodiscard]] LimitShare share_of_limit(const Limit& limit, double median_us, double slowest_us,
                                        bool hot, const Work& work, const Roofs& roofs);

}  // namespace warpwright
