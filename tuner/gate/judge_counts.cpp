#include "gate/judge_counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "compile/machine_code.h"
#include "core/error.h"
#include "trial/launch_plan.h"

namespace warpwright {
namespace {

std::string grouped(std::int64_t value) {
  std::string digits = std::to_string(value);
  for (std::ptrdiff_t at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3)
    digits.insert(static_cast<std::size_t>(at), ",");
  return digits;
}

LineValues line_values(const CountedSide& side, const std::string& counter) {
  LineValues values;
  for (const LineCounters& line : *side.lines) {
    const auto found = line.counters.find(counter);
    if (found == line.counters.end() || line.line == 0) continue;
    values[{side.names->name_of(line.file), line.line}] += static_cast<std::int64_t>(found->second);
  }
  return values;
}

std::int64_t figure(const CountedSide& side, const std::string& of, const char* name) {
  const auto found = side.metrics.find({of, name});
  return found == side.metrics.end() ? 0 : found->second;
}

// What ptxas alone knows has no line of its own; the entry, its registers and their limits say
// where to look.
Finding compiler_finding(const MetricChange& change, const CountedSide& baseline,
                         const CountedSide& candidate) {
  Finding finding{FindingKind::kRegression, describe_change(change), std::nullopt};
  finding.place = candidate.names->entry_place(change.of);
  if (change.name == "registers") return finding;
  const std::int64_t was = figure(baseline, change.of, "registers");
  const std::int64_t is = figure(candidate, change.of, "registers");
  finding.message += fmt::format("; registers {} -> {}", was, is);
  const std::string limits_then = register_limits(baseline.compiled->ptx, change.of);
  const std::string limits_now = register_limits(candidate.compiled->ptx, change.of);
  if (!limits_now.empty()) {
    finding.message += limits_then == limits_now
                           ? ", " + limits_now
                           : fmt::format(", {} -> {}", limits_then, limits_now);
  }
  return finding;
}

Finding counter_finding(const MetricChange& change, const CountedSide& baseline,
                        const CountedSide& candidate) {
  Finding finding{FindingKind::kRegression, describe_change(change), std::nullopt};
  if (baseline.lines == nullptr || candidate.lines == nullptr) return finding;
  const std::vector<LineGrowth> grown =
      grown_lines(baseline.names->texts(), candidate.names->texts(),
                  line_values(baseline, change.name), line_values(candidate, change.name));
  for (std::size_t i = 0; i < grown.size(); ++i) {
    const LineGrowth& line = grown[i];
    const GatePlace place = candidate.names->place(line.file, line.line);
    if (i == 0) {
      finding.place = place;
      if (line.before != change.before || line.after != change.after)
        finding.message +=
            fmt::format(", this line {} -> {}", grouped(line.before), grouped(line.after));
    } else {
      finding.message += fmt::format(", {}:{} {} -> {}", place.file, place.line,
                                     grouped(line.before), grouped(line.after));
    }
  }
  return finding;
}

// One change of a source moves many counters: what is at one place is one finding.
void add_by_place(std::vector<Finding>& findings, Finding finding) {
  for (Finding& known : findings) {
    if (known.kind != finding.kind || !known.place || !finding.place) continue;
    if (known.place->file != finding.place->file || known.place->line != finding.place->line)
      continue;
    known.message += "; " + finding.message;
    return;
  }
  findings.push_back(std::move(finding));
}

}  // namespace

Metrics compiler_metrics(const KernelSpec& kernel, const Configuration& configuration,
                         const std::map<std::string, Value>& problem, const DeviceInfo& device,
                         const CompileResult& compiled) {
  const MachineCode code = read_machine_code(compiled.cubin);
  const Environment environment = trial_environment(kernel, configuration, problem, device);
  Metrics metrics;
  for (const PlannedLaunch& launch :
       plan_launches(kernel, variant_of(kernel, configuration), environment)) {
    const std::string& of = launch.spec->entry;
    const auto set = [&](const char* name, std::int64_t value) { metrics[{of, name}] = value; };
    if (const KernelResources* known = compiled.find(of)) {
      set("registers", known->registers);
      set("stack", known->stack);
      set("spill_stores", known->spill_stores);
      set("spill_loads", known->spill_loads);
      set("static_shared", known->static_shared);
    }
    set("dynamic_shared", launch.shared_bytes);
    const auto bytes = code.code_bytes.find(of);
    if (bytes != code.code_bytes.end()) set("code_bytes", bytes->second);
  }
  return metrics;
}

void add_counters(Metrics& metrics, const std::map<std::string, std::uint64_t>& counters) {
  for (const auto& [name, value] : counters) metrics[{"", name}] = static_cast<std::int64_t>(value);
}

void judge_counts(const CountedSide& baseline, const CountedSide& candidate,
                  const MetricRules& rules, GateEntry& entry) {
  entry.changes = changed_metrics(baseline.metrics, candidate.metrics, rules);
  std::string improved;
  bool grew = false;
  for (const MetricChange& change : entry.changes) {
    if (!change.grew()) {
      improved += (improved.empty() ? "" : "; ") + describe_change(change);
      continue;
    }
    grew = true;
    add_by_place(entry.findings, change.of.empty() ? counter_finding(change, baseline, candidate)
                                                   : compiler_finding(change, baseline, candidate));
  }
  entry.state = grew               ? GateState::kRegression
                : improved.empty() ? GateState::kOk
                                   : GateState::kImproved;
  if (!improved.empty())
    entry.findings.push_back({FindingKind::kImprovement, improved, std::nullopt});
}

std::vector<Finding> broken_records(const Metrics& recorded, const Metrics& now) {
  std::vector<Finding> findings;
  for (const auto& [key, value] : recorded) {
    const auto found = now.find(key);
    const std::int64_t is = found == now.end() ? 0 : found->second;
    if (is == value) continue;
    const std::string of = key.first.empty() ? "" : fmt::format(" of '{}'", key.first);
    findings.push_back({FindingKind::kRecord,
                        fmt::format("the baseline records {}{} {}, its own sources give {} with "
                                    "the same compiler and emulator; make it again",
                                    key.second, of, grouped(value), grouped(is)),
                        std::nullopt});
  }
  return findings;
}

void sort_findings(GateEntry& entry) {
  std::stable_sort(entry.findings.begin(), entry.findings.end(),
                   [](const Finding& a, const Finding& b) {
                     return static_cast<int>(a.kind) < static_cast<int>(b.kind);
                   });
}

}  // namespace warpwright
