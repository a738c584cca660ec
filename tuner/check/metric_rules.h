// What is counted without a clock, and by how much it may grow before that is a regression. Each
// metric has a threshold of its own, as in gates that count instructions under valgrind: counts
// are exact, so a threshold says what matters and not what is noise.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "check/check_report.h"

namespace warpwright {

// By (entry point, name); counters of the emulator have no entry point.
using Metrics = std::map<std::pair<std::string, std::string>, std::int64_t>;

struct MetricRule {
  std::string name;
  double relative = 0;        // growth up to this share of the old value is allowed
  std::int64_t absolute = 0;  // and so is growth up to this
  // Of a class of instructions: growth up to this share of all instructions is allowed as well.
  double of_instructions = 0;
  // Values up to this are equally good: below it they limit nothing.
  std::int64_t harmless = 0;
  std::string unit;
  std::string doc;
  bool off = false;
};

class MetricRules {
 public:
  MetricRules();  // the documented defaults
  // "registers=20%", "global_load_sectors=0%", "code_bytes=off". "time=3%" is the least slowdown
  // that counts on a device with a clock. The other allowances of a metric that is named are
  // dropped. Throws Error (user).
  void set(std::string_view assignment);

  [[nodiscard]] const std::vector<MetricRule>& rules() const { return rules_; }
  [[nodiscard]] const MetricRule* find(std::string_view name) const;
  [[nodiscard]] double least_slowdown() const { return least_slowdown_; }

 private:
  std::vector<MetricRule> rules_;
  double least_slowdown_ = 0.02;
};

// Changes beyond the rules, in the order of the rules; a metric that only one side has counts from
// 0. A metric that no rule names is not judged. Those that shrank by more than the same allowance
// are among them.
[[nodiscard]] std::vector<MetricChange> changed_metrics(const Metrics& before, const Metrics& after,
                                                        const MetricRules& rules);

// With commas between thousands; output/ has its own for reals.
[[nodiscard]] std::string grouped(std::int64_t value);

// "registers of 'square' 32 -> 40 (+25 %)", "spill_loads of 'square' 0 -> 128 bytes a thread".
[[nodiscard]] std::string describe_change(const MetricChange& change);

}  // namespace warpwright
