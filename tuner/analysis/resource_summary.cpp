#include "analysis/resource_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <nlohmann/json.hpp>

#include "core/error.h"

namespace warpwright {
namespace {

// The sum of those members that are there.
std::optional<int> sum_of(const nlohmann::json& entry, std::initializer_list<const char*> names) {
  std::optional<int> sum;
  for (const char* name : names) {
    if (const auto it = entry.find(name); it != entry.end() && it->is_number_integer())
      sum = sum.value_or(0) + it->get<int>();
  }
  return sum;
}

void take_largest(std::optional<int>& largest, const std::optional<int>& value) {
  if (value) largest = std::max(largest.value_or(0), *value);
}

}  // namespace

ResourceSummary summarise_resources(const std::string& resources_json) {
  ResourceSummary summary;
  if (resources_json.empty()) return summary;
  const auto entries = nlohmann::json::parse(resources_json, nullptr, /*allow_exceptions=*/false);
  if (entries.is_discarded()) {
    throw user_error(
        fmt::format("resources of a trial are not JSON: {:.60}; measure it again with --fresh",
                    resources_json));
  }
  for (const nlohmann::json& entry : entries) {
    if (!entry.is_object()) continue;
    take_largest(summary.registers, sum_of(entry, {"registers"}));
    take_largest(summary.shared_bytes, sum_of(entry, {"static_shared", "dynamic_shared"}));
    if (const std::optional<int> spills = sum_of(entry, {"spill_stores", "spill_loads"}))
      summary.spill_bytes = summary.spill_bytes.value_or(0) + *spills;
  }
  return summary;
}

}  // namespace warpwright
