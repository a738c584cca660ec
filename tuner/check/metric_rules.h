// The metrics that are counted without a clock, and how much each may grow before that is a
// regression. As in gates that count instructions under valgrind, each metric has its own
// threshold: counts are exact, so a threshold expresses significance and not noise.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "check/check_report.h"

namespace warpwright {

// The key is (entry point, name); counters of the emulator have no entry point.
using Metrics = std::map<std::pair<std::string, std::string>, std::int64_t>;

struct MetricRule {
  std::string name;
  double relative = 0;        // growth up to this share of the old value is allowed
  std::int64_t absolute = 0;  // growth up to this amount is allowed as well
  // For classes of instructions: growth up to this share of all instructions is allowed as well.
  double of_instructions = 0;
  // Values up to this are equally good, because they do not limit anything.
  std::int64_t harmless = 0;
  std::string unit;
  std::string doc;
  bool off = false;
};

class MetricRules {
 public:
  MetricRules();  // has the documented defaults
  // Accepts "registers=20%", "global_load_sectors=0%" and "code_bytes=off"; "time=3%" is the least
  // slowdown that counts on a device with a clock. The metric's other allowances are dropped.
  // Throws Error (user).
  void set(std::string_view assignment);

  [[nodiscard]] const std::vector<MetricRule>& rules() const { return rules_; }
  [[nodiscard]] const MetricRule* find(std::string_view name) const;
  [[nodiscard]] double least_slowdown() const { return least_slowdown_; }

 private:
  std::vector<MetricRule> rules_;
  double least_slowdown_ = 0.02;
};

// Returns the changes beyond the rules, in the order of the rules, including decreases by more than
// the allowance. A metric that only one side has counts from 0. A metric without a rule is not
// judged.
[[nodiscard]] std::vector<MetricChange> changed_metrics(const Metrics& before, const Metrics& after,
                                                        const MetricRules& rules);

// Separates thousands by commas; output/ has a version for reals.
[[nodiscard]] std::string grouped(std::int64_t value);

// Examples are "registers of 'square' 32 -> 40 (+25 %)" and "spill_loads of 'square' 0 -> 128 bytes
// a thread".
[[nodiscard]] std::string describe_change(const MetricChange& change);

}  // namespace warpwright
