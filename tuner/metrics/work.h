// The work that the contract counts for one problem must be done by every implementation. Limits
// and peaks (metrics/peaks.h) are both computed from it.
#pragma once

#include <optional>
#include <string>

#include "records/records.h"

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

}  // namespace warpwright
