#include "check/metric_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include "core/error.h"
#include "core/words.h"

namespace warpwright {
namespace {

constexpr const char* kTime = "time";
constexpr const char* kInstructions = "warp_instructions";

std::int64_t value_of(const Metrics& metrics, const std::string& of, const std::string& name) {
  const auto found = metrics.find({of, name});
  return found == metrics.end() ? 0 : found->second;
}

// Accepts "5%", "0.5 %" and "off".
bool read_threshold(std::string_view text, double& share, bool& off) {
  if (text == "off") {
    off = true;
    return true;
  }
  if (!text.ends_with('%')) return false;
  text.remove_suffix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  double percent = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), percent);
  if (error != std::errc() || end != text.data() + text.size()) return false;
  if (!std::isfinite(percent) || percent < 0 || percent > 10000) return false;
  share = percent / 100;
  off = false;
  return true;
}

}  // namespace

std::string grouped(std::int64_t value) {
  std::string digits = std::to_string(value < 0 ? -value : value);
  for (std::ptrdiff_t at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3)
    digits.insert(static_cast<std::size_t>(at), ",");
  return (value < 0 ? "-" : "") + digits;
}

MetricRules::MetricRules() {
  const auto add = [this](const char* name, double relative, const char* unit, const char* doc,
                          std::int64_t absolute = 0, double of_instructions = 0) {
    rules_.push_back({name, relative, absolute, of_instructions, 0, unit, doc, false});
  };
  constexpr const char* kBytes = "bytes a thread";
  add("spill_stores", 0, kBytes, "registers that ptxas writes to local memory");
  add("spill_loads", 0, kBytes, "registers that ptxas reads back from there");
  add("stack", 0, kBytes, "local memory: arrays that are indexed at run time, and spills");
  add("global_load_sectors", 0.01, "", "sectors of 32 bytes that loads touch");
  add("global_store_sectors", 0.01, "", "the same of stores");
  add("global_load_requests", 0.05, "",
      "load instructions of warps; more for the same sectors are "
      "narrower ones");
  add("global_store_requests", 0.05, "", "the same of stores");
  add("global_atomic_requests", 0.01, "", "atomic operations of warps on global memory");
  add("shared_wavefronts", 0.02, "", "passes through shared memory; bank conflicts add some");
  add("local_requests", 0, "", "accesses of warps to local memory that the source asks for");
  add("barriers", 0.05, "", "arrivals of warps at barriers");
  add(kInstructions, 0.02, "", "all instructions of PTX, counted once for each warp");
  add("tensor", 0.01, "", "matrix instructions");
  for (const char* name : {"fp32", "fp64", "fp16", "integer", "special", "convert", "load_store",
                           "control", "other"}) {
    add(name, 0.05, "", "instructions of this class", 0, 0.01);
  }
  // An SM has 65,536 registers for 2,048 threads; with this many per thread, no warp has to wait
  // for registers.
  constexpr std::int64_t kRegistersOfAFullSm = 32;
  add("registers", 0.10, "", "of a thread; more of them may mean fewer resident warps");
  rules_.back().harmless = kRegistersOfAFullSm;
  add("static_shared", 0.05, "bytes", "shared memory of a block that the source declares");
  add("dynamic_shared", 0.05, "bytes", "shared memory of a block that the launch asks for");
  add("code_bytes", 0.20, "bytes", "machine code of an entry point", 1024);
}

const MetricRule* MetricRules::find(std::string_view name) const {
  const auto found = std::find_if(rules_.begin(), rules_.end(),
                                  [&](const MetricRule& rule) { return rule.name == name; });
  return found == rules_.end() ? nullptr : &*found;
}

void MetricRules::set(std::string_view assignment) {
  const std::size_t equals = assignment.find('=');
  const std::string name(assignment.substr(0, equals));
  std::vector<std::string> known = {kTime};
  for (const MetricRule& rule : rules_) known.push_back(rule.name);
  double share = 0;
  bool off = false;
  if (equals == std::string_view::npos || name.empty() ||
      !read_threshold(assignment.substr(equals + 1), share, off)) {
    throw user_error(fmt::format(
        "--threshold {}: expected NAME=PERCENT such as registers=10%, or NAME=off", assignment));
  }
  if (name == kTime) {
    if (off || share <= 0)
      throw user_error(
          fmt::format("--threshold {}: expected a slowdown above 0 % that counts, such as time=3%",
                      assignment));
    least_slowdown_ = share;
    return;
  }
  const auto rule = std::find_if(rules_.begin(), rules_.end(),
                                 [&](const MetricRule& one) { return one.name == name; });
  if (rule == rules_.end()) {
    throw user_error(fmt::format("--threshold {}: unknown metric '{}'{}", assignment, name,
                                 suggestion(name, known)));
  }
  rule->relative = share;
  rule->absolute = 0;
  rule->of_instructions = 0;
  rule->harmless = 0;
  rule->off = off;
}

std::vector<MetricChange> changed_metrics(const Metrics& before, const Metrics& after,
                                          const MetricRules& rules) {
  std::set<std::string> entries;
  for (const Metrics* side : {&before, &after})
    for (const auto& [key, value] : *side) entries.insert(key.first);
  const auto instructions = static_cast<double>(value_of(before, "", kInstructions));
  std::vector<MetricChange> changes;
  for (const MetricRule& rule : rules.rules()) {
    if (rule.off) continue;
    for (const std::string& of : entries) {
      const std::int64_t was = value_of(before, of, rule.name);
      const std::int64_t is = value_of(after, of, rule.name);
      const double allowed =
          std::max({rule.relative * static_cast<double>(was), static_cast<double>(rule.absolute),
                    rule.of_instructions * instructions});
      if (std::max(was, is) <= rule.harmless) continue;
      if (std::fabs(static_cast<double>(is - was)) > allowed)
        changes.push_back({of, rule.name, rule.unit, was, is});
    }
  }
  return changes;
}

std::string describe_change(const MetricChange& change) {
  std::string text = change.name;
  if (!change.of.empty()) text += fmt::format(" of '{}'", change.of);
  text += fmt::format(" {} -> {}", grouped(change.before), grouped(change.after));
  if (!change.unit.empty()) text += ' ' + change.unit;
  if (change.before == 0) return text;
  const double share = 100.0 * static_cast<double>(change.after - change.before) /
                       static_cast<double>(change.before);
  return text + (std::fabs(share) < 10 ? fmt::format(" ({:+.2g} %)", share)
                                       : fmt::format(" ({:+.0f} %)", share));
}

}  // namespace warpwright
