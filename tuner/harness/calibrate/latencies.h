// Latencies of a device from the trials of kernels/harness_latency: the difference between the
// times of two numbers of steps, divided by the difference of the steps. What a launch costs, and
// first accesses, are the same in both and cancel. In ns under the names of the contract's choice
// `latency`: "latency_shared". Lines of L2 that were read one by one give six figures:
//   latency_l2                           the median over lines
//   latency_l2_near, latency_l2_far      medians of the two clusters that divide them best
//   latency_l2_nearest, latency_l2_farthest
//   latency_l2_lines                     how many there were, a plain number
// "latency_clock" is the median SM clock of these trials, in MHz: ns * MHz / 1000 are cycles.
#pragma once

#include <string>
#include <vector>

#include "records/records.h"
#include "store/database.h"

namespace warpwright {

// "latency_shared" of {latency: shared, ...}; "" for a problem without this choice.
[[nodiscard]] std::string latency_of(const Stored<Problem>& problem);

struct Latencies {
  struct Missing {
    std::string name, reason;
  };
  std::vector<CeilingRecord> figures;  // in order of name; `device` is set by the caller
  std::vector<Missing> missing;        // tried without success
};
// `rows` are the trials of one run on one device.
[[nodiscard]] Latencies latencies_from(const std::vector<Database::TrialRow>& rows,
                                       const std::string& measured_utc);

}  // namespace warpwright
