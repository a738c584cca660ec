#include "metrics/resource_summary.h"

#include <algorithm>
#include <limits>

namespace warpwright {
namespace {

// No compiler reports values that overflow, but a column may hold any number.
int add_up(int sum, int value) {
  int result = 0;
  return __builtin_add_overflow(sum, value, &result) ? std::numeric_limits<int>::max() : result;
}

// The sum of the known values.
std::optional<int> sum_of(const std::optional<int>& one, const std::optional<int>& other) {
  if (!one && !other) return std::nullopt;
  return add_up(one.value_or(0), other.value_or(0));
}

void take_largest(std::optional<int>& largest, const std::optional<int>& value) {
  if (value) largest = std::max(largest.value_or(0), *value);
}

}  // namespace

ResourceSummary summarise_resources(const TrialResources& resources) {
  ResourceSummary summary;
  for (const EntryResources& entry : resources) {
    take_largest(summary.registers, entry.registers);
    take_largest(summary.shared_bytes, sum_of(entry.static_shared, entry.dynamic_shared));
    if (const std::optional<int> spills = sum_of(entry.spill_stores, entry.spill_loads))
      summary.spill_bytes = add_up(summary.spill_bytes.value_or(0), *spills);
  }
  return summary;
}

}  // namespace warpwright
