// Writes the text of baseline.yaml. JSON scalars are valid YAML scalars.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>

#include "check/baseline.h"
#include "core/escape.h"

namespace warpwright {
namespace {

// Values keep their types: reals have a decimal point, strings have quotes.
std::string value_text(const Value& value) {
  return value.is_string() ? yaml_text(value.as_string()) : nlohmann::json(value).dump();
}

std::string flow_map(const std::map<std::string, Value>& values) {
  std::string text;
  for (const auto& [name, value] : values)
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", yaml_word(name), value_text(value));
  return "{" + text + "}";
}

void add_metrics(std::string& text, const Metrics& metrics) {
  std::map<std::string, std::map<std::string, std::int64_t>> by_entry;
  for (const auto& [key, value] : metrics) by_entry[key.first][key.second] = value;
  const auto counters = by_entry.find("");
  if (by_entry.size() > (counters == by_entry.end() ? 0u : 1u)) text += "    compiler:\n";
  for (const auto& [of, values] : by_entry) {
    if (of.empty()) continue;
    text += fmt::format("      {}:\n", yaml_text(of));
    for (const auto& [name, value] : values)
      text += fmt::format("        {}: {}\n", yaml_word(name), value);
  }
  if (counters == by_entry.end()) return;
  text += "    emulator:\n";
  for (const auto& [name, value] : counters->second)
    text += fmt::format("      {}: {}\n", yaml_word(name), value);
}

void add_time(std::string& text, const BaselineTime& time) {
  text += fmt::format(
      "    measured:\n      device: {}\n      driver: {}\n      nvrtc: {}\n      protocol: {}\n"
      "      median_us: {:.4g}\n      ci_low_us: {:.4g}\n      ci_high_us: {:.4g}\n",
      yaml_text(time.device), yaml_text(time.driver), yaml_text(time.nvrtc),
      yaml_text(time.protocol), time.median_us, time.ci_low_us, time.ci_high_us);
  if (time.ties.empty()) return;
  text += "      ties:\n";
  for (const Configuration& tie : time.ties)
    text += fmt::format("        - {{variant: {}, parameters: {}}}\n", yaml_text(tie.variant),
                        flow_map(tie.values));
}

void add_entry(std::string& text, const BaselineEntry& entry) {
  text += fmt::format("  - kernel: {}\n    problem: {}\n", yaml_text(entry.kernel),
                      flow_map(entry.problem));
  if (entry.emulated) text += fmt::format("    emulated: {}\n", flow_map(*entry.emulated));
  text += fmt::format("    variant: {}\n    parameters: {}\n",
                      yaml_text(entry.configuration.variant), flow_map(entry.configuration.values));
  if (entry.measured) add_time(text, *entry.measured);
  if (!entry.machine_code.empty())
    text += fmt::format("    machine_code: {}\n", entry.machine_code);
  add_metrics(text, entry.metrics);
}

// The key that identifies an entry.
auto key_of(const BaselineEntry& entry) {
  return std::tuple(entry.kernel, entry.problem,
                    entry.measured ? entry.measured->device : std::string(), entry.configuration);
}

}  // namespace

std::string baseline_text(Baseline baseline, const std::string& made_by) {
  std::sort(baseline.sources.begin(), baseline.sources.end(),
            [](const BaselineSource& a, const BaselineSource& b) { return a.path < b.path; });
  std::sort(baseline.entries.begin(), baseline.entries.end(),
            [](const BaselineEntry& a, const BaselineEntry& b) { return key_of(a) < key_of(b); });
  std::string text = fmt::format(
      "# What kernels were when they were good; `warpwright check` holds the present ones against "
      "it.\n# Not to be edited: `{}` makes it anew; review the difference.\n"
      "warpwright_baseline: 1\narch: {}\nnvrtc: {}\nemulator: {}\nsources:\n",
      made_by, yaml_text(baseline.arch), yaml_text(baseline.nvrtc), yaml_text(baseline.emulator));
  for (const BaselineSource& source : baseline.sources)
    text += fmt::format("  - {{file: {}, sha256: {}}}\n", yaml_text(source.path), source.sha256);
  text += "entries:\n";
  for (const BaselineEntry& entry : baseline.entries) add_entry(text, entry);
  return text;
}

}  // namespace warpwright
