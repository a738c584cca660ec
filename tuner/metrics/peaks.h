// The work that the contract counts for one problem, and the peaks that a device cannot exceed when
// it does that work. Every implementation must do the work; lower limits of a time are computed
// from it as well.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "records/records.h"
#include "records/status.h"

namespace warpwright {

struct Work {
  double bytes = 0;                     // 0 when the contract does not count them
  std::optional<double> written_bytes;  // of `bytes`; absent in databases before schema 4
  double flops = 0;
  std::string arithmetic = {};  // the ceiling that bounds the flops; "" for none
  // The number of units of a launch, if times are per unit (WorkSpec::per), as the bytes and flops
  // above are.
  double units = 1;
};
// The units are left out here: they are in a column that takes time to read.
[[nodiscard]] Work work_of(const TrialRecord& trial);
[[nodiscard]] double units_of(const TrialRecord& trial);

// The microseconds that bytes take at a rate in GB/s, or flops at one in GFLOP/s.
[[nodiscard]] constexpr double us_at(double amount, double rate) { return amount / (rate * 1e3); }

// The kernels that the harness measures and tests itself with are not results that people look for:
// overviews leave them out, a request by name shows them, and they are not compared with ceilings.
[[nodiscard]] constexpr bool is_harness_kernel(std::string_view kernel) {
  return kernel.starts_with("harness_");
}

// A device cannot exceed its peaks, whatever runs on it, and a time that would exceed them is not a
// result: either the contract counts too much work, or the launch does less than it should. Peaks
// are generous, so that no valid time is refused: the memory's peak is that of the fastest
// direction, and the arithmetic peak belongs to the narrowest type, whatever types the contract
// has.

// A device can do a little more than a measured ceiling has reached.
inline constexpr double kCeilingHeadroom = 1.05;

struct Peak {
  double rate = 0;     // in GB/s or GFLOP/s
  double most = 0;     // no kernel exceeds this: the rate, with the headroom for a ceiling
  std::string source;  // "measured: read", "by its memory clock and bus width"; "" for a model
  bool from_driver = false;  // from clocks and widths, which a driver may report wrongly
};

struct Peaks {
  bool modelled = false;  // the device has no clock, and these are the rates of its model
  double l2_bytes = 0;    // this number of bytes may not reach memory
  std::optional<Peak> memory, compute;  // absent if unknown
};

// Peaks come from the measured ceilings if the relevant ones exist (`read` for memory, one in 8
// bits for arithmetic), else from the clocks and widths that the driver reports and, for
// arithmetic, the architecture. The memory's peak is unknown unless the size of L2 is known.
[[nodiscard]] Peaks find_peaks(const DeviceInfo& device,
                               const std::vector<CeilingRecord>& measured);

// Peaks by the fingerprint of the device. A device whose details cannot be read has none.
using PeaksByDevice = std::map<std::string, Peaks>;
[[nodiscard]] PeaksByDevice find_peaks(
    const std::vector<std::pair<RowId, DeviceRecord>>& devices,
    const std::function<std::vector<CeilingRecord>(RowId)>& ceilings_of);

// Explains why this work cannot have been done in `us`, with both figures; nullopt when it can.
// Bytes that fit into L2 need not have moved, since those that a launch has written may still lie
// there when it ends. Callers leave out the harness's own kernels: they measure ceilings, including
// the ceiling of L2.
[[nodiscard]] std::optional<FailureReason> beyond_peaks(const Work& work, double us,
                                                        const Peaks& peaks);
// The same for the work and the units of a trial.
[[nodiscard]] std::optional<FailureReason> beyond_peaks(const TrialRecord& trial, double us,
                                                        const Peaks& peaks);

}  // namespace warpwright
