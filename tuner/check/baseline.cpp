#include "check/baseline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "core/escape.h"
#include "core/file_bounds.h"
#include "core/files.h"
#include "core/hash.h"
#include "core/words.h"
#include "spec/yaml_document.h"
#include "spec/yaml_reader.h"

namespace warpwright {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kKind = "a baseline";

std::string digits(const YamlReader& reader) {
  std::string text = reader.text();
  const bool hex = text.size() == 64 && all_hex_digits(text);
  if (!hex) throw reader.error(fmt::format("got '{}', expected a SHA-256 of 64 digits", text));
  return text;
}

std::int64_t count_of(const YamlReader& reader) {
  const std::int64_t value = reader.integer();
  if (value < 0) throw reader.error(fmt::format("got {}, expected a count of 0 or more", value));
  return value;
}

double time_of(const YamlReader& reader) {
  const double value = reader.number();
  if (!std::isfinite(value) || value <= 0)
    throw reader.error(fmt::format("got {}, expected a time above 0", reader.text()));
  return value;
}

std::map<std::string, Value> values_of(const YamlReader& reader) {
  std::map<std::string, Value> values;
  for (const auto& [name, value] : reader.entries()) values[name.identifier()] = value.value();
  return values;
}

Configuration configuration_of(const YamlMap& map) {
  return {map.require("variant", "variant: \"plain\"").nonempty_text(),
          values_of(map.require("parameters", "parameters: {THREADS: 256}"))};
}

BaselineTime read_time(const YamlReader& reader) {
  const YamlMap map = reader.map(
      {"device", "driver", "nvrtc", "protocol", "median_us", "ci_low_us", "ci_high_us", "ties"});
  BaselineTime time;
  time.device = map.require("device", "device: \"NVIDIA H200\"").nonempty_text();
  time.driver = map.require("driver", "driver: \"580.159.04\"").text();
  time.nvrtc = map.require("nvrtc", "nvrtc: \"13.0\"").text();
  time.protocol = map.require("protocol", "protocol: \"cold-graph-3\"").nonempty_text();
  time.median_us = time_of(map.require("median_us", "median_us: 12.3"));
  time.ci_low_us = time_of(map.require("ci_low_us", "ci_low_us: 12.2"));
  time.ci_high_us = time_of(map.require("ci_high_us", "ci_high_us: 12.4"));
  if (time.ci_low_us > time.median_us || time.median_us > time.ci_high_us)
    throw reader.error(
        fmt::format("got the interval {:g} to {:g} around {:g}, expected one that "
                    "holds the median",
                    time.ci_low_us, time.ci_high_us, time.median_us));
  if (const auto ties = map.find("ties")) {
    for (const YamlReader& tie : ties->items())
      time.ties.push_back(configuration_of(tie.map({"variant", "parameters"})));
  }
  return time;
}

void read_counts(const YamlReader& reader, const std::string& of, Metrics& metrics) {
  for (const auto& [name, value] : reader.entries())
    metrics[{of, name.identifier()}] = count_of(value);
}

BaselineEntry read_entry(const YamlReader& reader) {
  const YamlMap map = reader.map({"kernel", "problem", "emulated", "variant", "parameters",
                                  "measured", "machine_code", "compiler", "emulator"});
  BaselineEntry entry;
  entry.where = reader.where();
  entry.kernel = map.require("kernel", "kernel: \"softmax_topk\"").nonempty_text();
  if (entry.kernel.find_first_of("/\\") != std::string::npos || entry.kernel.starts_with('.'))
    throw reader.error(fmt::format("got the kernel '{}', expected the name of a folder in kernels/",
                                   entry.kernel));
  entry.problem = values_of(map.require("problem", "problem: {rows: 4}"));
  if (const auto emulated = map.find("emulated")) entry.emulated = values_of(*emulated);
  entry.configuration = configuration_of(map);
  if (const auto measured = map.find("measured")) entry.measured = read_time(*measured);
  if (const auto code = map.find("machine_code")) entry.machine_code = digits(*code);
  if (const auto compiler = map.find("compiler")) {
    for (const auto& [of, values] : compiler->entries())
      read_counts(values, of.nonempty_text(), entry.metrics);
  }
  if (const auto emulator = map.find("emulator")) read_counts(*emulator, "", entry.metrics);
  return entry;
}

// The path must lie below kernels/ in the folder: a text from elsewhere must not name arbitrary
// files.
void check_path(const std::string& path, const YamlReader& reader) {
  const fs::path relative(path);
  const bool inside = relative.is_relative() && path.starts_with("kernels/") &&
                      std::none_of(relative.begin(), relative.end(),
                                   [](const fs::path& part) { return part == ".."; });
  if (!inside)
    throw reader.error(fmt::format("got the file '{}', expected one below kernels/", path));
}

void refuse_twins(const Baseline& baseline) {
  std::set<std::string> seen;
  for (const BaselineEntry& entry : baseline.entries) {
    std::string key = entry.kernel + ' ' + Configuration{"", entry.problem}.to_string() + ' ' +
                      entry.configuration.to_string();
    if (entry.measured) key += " on " + entry.measured->device;
    if (!seen.insert(key).second)
      throw user_error(entry.where, fmt::format("'{}' is there twice; remove one", key));
  }
}

void check_sources(const Baseline& baseline, const FileBounds& bounds) {
  for (const BaselineSource& source : baseline.sources) {
    const fs::path file = baseline.folder / source.path;
    const std::optional<std::string> text =
        bounds.holds(file) ? read_file_if_present(file) : std::nullopt;
    if (!text) {
      throw user_error(
          fmt::format("{}: missing, though {} names it; restore it or make the baseline again",
                      file.string(), (baseline.folder / kBaselineFile).string()));
    }
    if (const std::string hash = sha256_hex(*text); hash != source.sha256) {
      throw user_error(fmt::format(
          "{}: not the file that the baseline was made with: got SHA-256 {}..., expected {}...; "
          "restore it (git may have changed its line ends) or make the baseline again",
          file.string(), hash.substr(0, 12), source.sha256.substr(0, 12)));
    }
  }
}

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

Baseline parse_baseline(std::string_view text, const std::string& file) {
  const YamlDocument document = parse_yaml(text, file, kKind);
  const YamlMap map = YamlReader(document).map(
      {"warpwright_baseline", "arch", "nvrtc", "emulator", "sources", "entries"});
  const YamlReader version = map.require("warpwright_baseline", "warpwright_baseline: 1");
  if (version.integer() != 1) {
    throw version.error(fmt::format(
        "got version {}, this program reads version 1; use the warpwright that made it, or make it "
        "again",
        version.integer()));
  }
  Baseline baseline;
  baseline.arch = map.require("arch", "arch: \"sm_90a\"").nonempty_text();
  baseline.nvrtc = map.require("nvrtc", "nvrtc: \"13.0\"").nonempty_text();
  baseline.emulator = map.require("emulator", "emulator: \"emulator 1\"").nonempty_text();
  for (const YamlReader& item : map.require("sources", "sources: []").items()) {
    const YamlMap source = item.map({"file", "sha256"});
    const YamlReader path = source.require("file", "file: \"kernels/x/x.cu\"");
    baseline.sources.push_back(
        {path.nonempty_text(), digits(source.require("sha256", "sha256: 0123..."))});
    check_path(baseline.sources.back().path, path);
  }
  const YamlReader entries = map.require("entries", "entries: []");
  if (!entries.is_null())
    for (const YamlReader& item : entries.items()) baseline.entries.push_back(read_entry(item));
  if (baseline.entries.empty())
    throw entries.error("got no entry, expected one at least; make the baseline again");
  refuse_twins(baseline);
  return baseline;
}

Baseline read_baseline(const fs::path& folder) {
  const fs::path file = folder / kBaselineFile;
  if (!fs::exists(file)) {
    throw user_error(fmt::format(
        "{}: expected a baseline, a folder with {}, got {}; make one with `warpwright baseline "
        "CONFIG -o {}`",
        folder.string(), kBaselineFile, fs::exists(folder) ? "none in it" : "nothing there",
        folder.string()));
  }
  FileBounds bounds;
  bounds.allow(folder, FolderUse::kOwn);
  static_cast<void>(bounds.holds(file));
  Baseline baseline = parse_baseline(read_yaml_text(file, kKind), file.string());
  baseline.folder = fs::absolute(folder).lexically_normal();
  check_sources(baseline, bounds);
  return baseline;
}

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
