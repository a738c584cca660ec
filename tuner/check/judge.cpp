#include "check/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "check/line_growth.h"
#include "check/metric_rules.h"
#include "check/register_limits.h"
#include "compile/machine_code.h"
#include "core/error.h"
#include "provenance/source_names.h"
#include "provenance/source_place.h"
#include "stats/hypothesis_tests.h"
#include "stats/median.h"
#include "trial/launch/launch_plan.h"

namespace warpwright {
namespace {

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

// The figures of ptxas have no source line; the entry, its registers and their limits show where to
// look.
GateFinding compiler_finding(const MetricChange& change, const CountedSide& baseline,
                             const CountedSide& candidate) {
  GateFinding finding{GateFindingKind::kRegression, describe_change(change), std::nullopt};
  finding.place = candidate.names->entry_place(change.of);
  if (change.name == "registers") return finding;
  const std::int64_t was = figure(baseline, change.of, "registers");
  const std::int64_t is = figure(candidate, change.of, "registers");
  finding.message += fmt::format("; registers {} -> {}", was, is);
  const std::string limits_then =
      register_limits(baseline.compiled->ptx, baseline.compiled->symbol(change.of));
  const std::string limits_now =
      register_limits(candidate.compiled->ptx, candidate.compiled->symbol(change.of));
  if (!limits_now.empty()) {
    finding.message += limits_then == limits_now
                           ? ", " + limits_now
                           : fmt::format(", {} -> {}", limits_then, limits_now);
  }
  return finding;
}

// Formats where a counter grew: ", of which this line 128 -> 256, k.cu:30 0 -> 96".
std::string lines_text(const MetricChange& change, const std::vector<LineGrowth>& grown,
                       const SourceNames& names) {
  std::string text;
  for (std::size_t i = 0; i < grown.size(); ++i) {
    const LineGrowth& line = grown[i];
    if (grown.size() == 1 && line.before == change.before && line.after == change.after) break;
    const QuotedLocation place = names.place(line.file, line.line);
    text += fmt::format("{} {} -> {}",
                        i == 0 ? std::string(", of which this line")
                               : fmt::format(", {}:{}", place.file, place.line),
                        grouped(line.before), grouped(line.after));
  }
  return text;
}

std::string short_change(const MetricChange& change) {
  if (change.before == 0) return fmt::format("{} 0 -> {}", change.name, grouped(change.after));
  return fmt::format("{} {:+.0f} %", change.name,
                     100.0 * static_cast<double>(change.after - change.before) /
                         static_cast<double>(change.before));
}

// Collects the counters that grew. A single source change affects many counters, so the first one,
// by the order of the rules, is reported in full at its line, and the others that also grew there
// are appended to it.
class CounterFindings {
 public:
  CounterFindings(const CountedSide& baseline, const CountedSide& candidate,
                  std::vector<GateFinding>& findings)
      : baseline_(baseline), candidate_(candidate), findings_(findings) {}

  void add(const MetricChange& change) {
    if (baseline_.lines == nullptr || candidate_.lines == nullptr) {
      findings_.push_back({GateFindingKind::kRegression, describe_change(change), std::nullopt});
      return;
    }
    const std::vector<LineGrowth> grown =
        grown_lines(baseline_.names->texts(), candidate_.names->texts(),
                    line_values(baseline_, change.name), line_values(candidate_, change.name));
    for (const LineGrowth& line : grown) {
      const auto known = at_.find({line.file, line.line});
      if (known == at_.end()) continue;
      std::string& message = findings_[known->second].message;
      message += (told_.insert(known->second).second ? "; also " : ", ") + short_change(change);
      return;
    }
    GateFinding finding{GateFindingKind::kRegression,
                        describe_change(change) + lines_text(change, grown, *candidate_.names),
                        std::nullopt};
    if (!grown.empty()) {
      finding.place = candidate_.names->place(grown.front().file, grown.front().line);
      at_[{grown.front().file, grown.front().line}] = findings_.size();
    }
    findings_.push_back(std::move(finding));
  }

 private:
  const CountedSide& baseline_;
  const CountedSide& candidate_;
  std::vector<GateFinding>& findings_;
  std::map<std::pair<std::string, int>, std::size_t> at_;  // place to finding
  std::set<std::size_t> told_;                             // findings with appended counters
};

constexpr double kFalseDiscoveries = 0.05;
// If the noise is so large that only changes of more than this many times the threshold would
// count, an unchanged result proves nothing.
constexpr double kBlunt = 3;

double median_of(const std::vector<AbbaBlock>& blocks, double AbbaBlock::*side) {
  std::vector<double> values;
  for (const AbbaBlock& block : blocks) values.push_back(block.*side);
  return values.empty() ? 0 : median_in_place(values);
}

bool is_change(GateVerdict verdict) {
  return verdict == GateVerdict::kRegression || verdict == GateVerdict::kImproved;
}

std::string_view direction(GateVerdict verdict) {
  return verdict == GateVerdict::kRegression ? "slower" : "faster";
}

std::string bounds_text(const CheckRace& race) {
  return fmt::format("{} (99 % bounds {} and {}), {:.4g} -> {:.4g} µs", percent_of(race.median_d),
                     percent_of(race.low), percent_of(race.high), race.baseline_us,
                     race.candidate_us);
}

void undecided(CheckEntry& entry, std::string message) {
  entry.state = CheckState::kInconclusive;
  entry.findings.push_back({GateFindingKind::kUndecided, std::move(message), std::nullopt});
}

}  // namespace

Metrics compiler_metrics(const KernelSpec& kernel, const Configuration& configuration,
                         const Problem& problem, const DeviceInfo& device,
                         const CompileResult& compiled) {
  const MachineCode code = read_machine_code(compiled.cubin);
  const Environment environment = trial_environment(kernel, configuration, problem, device);
  Metrics metrics;
  for (const PlannedLaunch& launch :
       plan_launches(kernel, variant_of(kernel, configuration), environment)) {
    const std::string& of = launch.entry;
    const auto set = [&](const char* name, std::int64_t value) { metrics[{of, name}] = value; };
    if (const KernelResources* known = compiled.find(of)) {
      set("registers", known->registers);
      set("stack", known->stack);
      set("spill_stores", known->spill_stores);
      set("spill_loads", known->spill_loads);
      set("static_shared", known->static_shared);
    }
    set("dynamic_shared", launch.shared_bytes);
    const auto bytes = code.code_bytes.find(compiled.symbol(of));
    if (bytes != code.code_bytes.end()) set("code_bytes", bytes->second);
  }
  return metrics;
}

void add_counters(Metrics& metrics, const std::map<std::string, std::uint64_t>& counters) {
  for (const auto& [name, value] : counters) metrics[{"", name}] = static_cast<std::int64_t>(value);
}

void judge_counts(const CountedSide& baseline, const CountedSide& candidate,
                  const MetricRules& rules, CheckEntry& entry) {
  entry.changes = changed_metrics(baseline.metrics, candidate.metrics, rules);
  std::string improved;
  bool grew = false;
  CounterFindings counters(baseline, candidate, entry.findings);
  for (const MetricChange& change : entry.changes) {
    if (!change.grew()) {
      improved += (improved.empty() ? "" : "; ") + describe_change(change);
      continue;
    }
    grew = true;
    if (change.of.empty()) {
      counters.add(change);
    } else {
      entry.findings.push_back(compiler_finding(change, baseline, candidate));
    }
  }
  entry.state = grew               ? CheckState::kRegression
                : improved.empty() ? CheckState::kOk
                                   : CheckState::kImproved;
  if (!improved.empty())
    entry.findings.push_back({GateFindingKind::kImprovement, improved, std::nullopt});
}

std::vector<GateFinding> broken_records(const Metrics& recorded, const Metrics& now) {
  std::vector<GateFinding> findings;
  for (const auto& [key, value] : recorded) {
    const auto found = now.find(key);
    const std::int64_t is = found == now.end() ? 0 : found->second;
    if (is == value) continue;
    const std::string of = key.first.empty() ? "" : fmt::format(" of '{}'", key.first);
    findings.push_back({GateFindingKind::kRecord,
                        fmt::format("the baseline records {}{} {}, its own sources give {} with "
                                    "the same compiler and emulator; make it again",
                                    key.second, of, grouped(value), grouped(is)),
                        std::nullopt});
  }
  return findings;
}

void sort_findings(CheckEntry& entry) {
  std::stable_sort(entry.findings.begin(), entry.findings.end(),
                   [](const GateFinding& a, const GateFinding& b) {
                     return static_cast<int>(a.kind) < static_cast<int>(b.kind);
                   });
}

std::string percent_of(double d) { return fmt::format("{:+.2f} %", 100 * std::expm1(d)); }

RaceLook look_at(std::size_t entry, const GateOutcome& outcome, double least_slowdown,
                 double noise) {
  GateOptions options;
  options.least_delta = least_slowdown;
  RaceLook look;
  look.entry = entry;
  if (!outcome.noise_blocks.empty()) noise = aa_noise(outcome.noise_blocks);
  const GateResult result = judge_blocks(outcome.blocks, noise, options);
  look.verdict = result.verdict;
  look.blunt = result.delta > kBlunt * least_slowdown;
  CheckRace& race = look.race;
  race.median_d = result.median_d;
  race.low = result.low_bound;
  race.high = result.high_bound;
  race.delta = result.delta;
  race.noise = noise;
  race.p = race.p_adjusted = result.p;
  race.blocks = outcome.blocks.size();
  race.protocol = outcome.protocol;
  race.baseline_us = median_of(outcome.blocks, &AbbaBlock::baseline_us);
  race.candidate_us = median_of(outcome.blocks, &AbbaBlock::candidate_us);
  return look;
}

void correct_for_many(std::span<RaceLook> looks) {
  std::vector<double> p;
  for (const RaceLook& look : looks) p.push_back(look.race.p);
  const std::vector<double> adjusted = benjamini_hochberg_adjusted(p);
  for (std::size_t i = 0; i < looks.size(); ++i) {
    looks[i].race.p_adjusted = adjusted[i];
    looks[i].repeat = is_change(looks[i].verdict) && adjusted[i] <= kFalseDiscoveries;
  }
}

void settle(const RaceLook& look, const RaceLook* repeated, std::size_t comparisons,
            CheckEntry& entry) {
  entry.race = look.race;
  if (repeated != nullptr) entry.race->repeated_d = repeated->race.median_d;
  const CheckRace& race = look.race;
  if (look.verdict == GateVerdict::kInconclusive ||
      (look.verdict == GateVerdict::kOk && look.blunt)) {
    undecided(entry, fmt::format("too noisy to say: {}; a change of {:.2g} % counts, and the noise "
                                 "of one side is {:.2g} %",
                                 bounds_text(race), 100 * race.delta, 100 * race.noise));
    return;
  }
  if (!is_change(look.verdict)) {
    entry.state = CheckState::kOk;
    return;
  }
  if (!look.repeat) {
    undecided(entry, fmt::format("{}: {}, but among {} comparisons that may be chance (adjusted p "
                                 "{:.2g})",
                                 direction(look.verdict), bounds_text(race), comparisons,
                                 race.p_adjusted));
    return;
  }
  if (repeated == nullptr) {
    undecided(entry, fmt::format("{}: {}, and no fresh process could look again",
                                 direction(look.verdict), bounds_text(race)));
    return;
  }
  if (repeated->verdict == look.verdict) {
    const bool slower = look.verdict == GateVerdict::kRegression;
    entry.state = slower ? CheckState::kRegression : CheckState::kImproved;
    entry.findings.push_back(
        {slower ? GateFindingKind::kRegression : GateFindingKind::kImprovement,
         fmt::format("{}: {}; a fresh process found {}", direction(look.verdict), bounds_text(race),
                     percent_of(repeated->race.median_d)),
         std::nullopt});
    return;
  }
  const std::string overturned =
      fmt::format("one process found {}, a fresh one {}", percent_of(race.median_d),
                  percent_of(repeated->race.median_d));
  if (repeated->verdict == GateVerdict::kOk) {
    entry.state = CheckState::kOk;
    entry.findings.push_back({GateFindingKind::kNote, "not repeated: " + overturned, std::nullopt});
  } else {
    undecided(entry, "not repeated: " + overturned);
  }
}

}  // namespace warpwright
