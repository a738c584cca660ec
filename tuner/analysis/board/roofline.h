// How fast a device could do a trial's work at best, and how near its time comes to that. What a
// device reaches is measured by `warpwright calibrate` and kept as ceilings: "read", "write",
// "copy", "l2_read" in GB/s, "fma_f32", "tensor_bf16", ... in GFLOP/s. A device without a clock has
// the rates of its model instead, and a limit made of them says so. Times are in microseconds.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "metrics/work.h"
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
// Of one device, from its record and its measured ceilings. Throws Error (user) when the record's
// details are not JSON; what they lack is absent.
[[nodiscard]] Roofs make_roofs(const DeviceRecord& device,
                               const std::vector<CeilingRecord>& measured);
// Of every device of a database, by fingerprint.
using RoofsByDevice = std::map<std::string, Roofs>;
[[nodiscard]] RoofsByDevice read_roofs(const Database& database);

enum class Bound { kMemory, kCompute };

// No implementation can be faster: the longer of what moving the bytes and what the arithmetic
// takes at the ceilings.
struct Limit {
  double us = 0;
  double shortest_us = 0;  // with the upper ends of the ceilings' intervals
  Bound bound = Bound::kMemory;
  std::string ceiling;  // what it is made of: "read", "read and copy", "fma_f32"
  double rate = 0;      // of that: GB/s, or GFLOP/s where bound by arithmetic
  std::optional<double> memory_us, compute_us;
  bool modelled = false;
};
// nullopt when the work or the ceilings say nothing. Bytes take the time per byte between the
// ceilings `read`, `copy` and `write`, linear in the share that is written; where that share is not
// known, the fastest of the three. A part whose ceiling is missing is left out: see
// missing_ceiling().
[[nodiscard]] std::optional<Limit> find_limit(const Work& work, const Roofs& roofs);
// The first ceiling that the limit would need and the device does not have; "" when it has all.
[[nodiscard]] std::string missing_ceiling(const Work& work, const Roofs& roofs);

// Below this a kernel's time is mostly launch and latency, which no ceiling describes.
inline constexpr double kLatencyBoundUs = 10;
// How much a device's clock may drift between the ceiling's measurement and the trial's.
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
