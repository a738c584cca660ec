#include "check/check.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "check/judge.h"
#include "check/planned_entry.h"
#include "core/error.h"
#include "metrics/peaks.h"
#include "provenance/source_names.h"
#include "provenance/source_place.h"
#include "sweep/trial_record.h"
#include "terminal/progress.h"
#include "workers/device_query.h"
#include "workers/worker_world.h"

namespace warpwright {
namespace {

constexpr std::size_t kMaxTies = 8;

// A tie, treated as an entry that is compared with the candidate's winner.
struct Tie {
  std::size_t of = 0;  // index of the winner's entry
  std::string text;
};

void report_tie(PlannedEntry& winner, const Tie& tie, std::string message) {
  winner.report.findings.push_back(
      {GateFindingKind::kTieSet, fmt::format("{} {}", tie.text, message), std::nullopt});
}

bool settled_well(const PlannedEntry& entry) {
  return entry.outcome && entry.outcome->status == Status::kOk &&
         entry.report.state != CheckState::kIncomparable;
}

void report_answer(const CheckOptions& options, PlannedEntry& winner, const Tie& tie,
                   const MeasureAnswer& answer) {
  if (answer.error) return report_tie(winner, tie, "could not be run: " + answer.error->message());
  if (answer.outcome.status != Status::kOk) {
    return report_tie(winner, tie,
                      fmt::format("is no longer right: {}: {}", status_name(answer.outcome.status),
                                  answer.outcome.reason));
  }
  const GateOutcome& gate = *answer.outcome.gate();
  if (gate.status != Status::kOk)
    return report_tie(winner, tie, "could not be raced: " + gate.reason);
  const RaceLook look = look_at(0, gate, options.rules.least_slowdown());
  if (look.verdict == GateVerdict::kRegression) {
    report_tie(winner, tie,
               fmt::format("is slower than the winner now ({})", percent_of(look.race.median_d)));
  } else if (look.verdict == GateVerdict::kImproved) {
    report_tie(winner, tie,
               fmt::format("is faster than the winner now ({}); tune again",
                           percent_of(look.race.median_d)));
  }
}

using Clock = std::chrono::steady_clock;

constexpr int kNoiseBlocks = 10;
// The report mentions it if the same sources take this much longer here than recorded.
constexpr double kOddMachine = 0.05;

class Check {
 public:
  Check(const WorkerWorld& world, const CheckOptions& options, const Baseline& baseline,
        const Paths& paths)
      : world_(world),
        options_(options),
        baseline_(baseline),
        peaks_(find_peaks(world.device, {})),
        entries_(plan_entries(baseline, paths, world.device)) {}

  CheckReport run() {
    const auto start = Clock::now();
    for (PlannedEntry& entry : entries_) entry.runs_cases = !options_.figures_only;
    world_.step("compiling the baseline and what is there now");
    compile_entries(world_, entries_);
    compiler_ = compiler_release(world_, entries_);
    ask_candidates();
    if (world_.device.has_clock) {
      judge_races();
      check_ties(world_, options_, entries_);
    }
    CheckReport report = finish();
    report.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    return report;
  }

 private:
  [[nodiscard]] bool compares(const PlannedEntry& entry) const {
    return !entry.same || (options_.race_identical && world_.device.has_clock);
  }

  void ask_candidates() {
    std::vector<std::size_t> which;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      if (!entries_[i].open) continue;
      if (entries_[i].same && options_.figures_only)
        accept_same(entries_[i]);
      else if (entries_[i].runs)
        which.push_back(i);
      else
        judge_compiled(entries_[i]);
    }
    world_.step(world_.device.has_clock ? "checking and racing" : "checking and counting");
    std::vector<MeasureAnswer> answers = ask_all(world_, entries_, which, [&](const auto& entry) {
      return request_of(world_, entry, compares(entry), kNoiseBlocks);
    });
    refuse_broken_environment(answers);
    for (std::size_t i = 0; i < which.size(); ++i) {
      PlannedEntry& entry = entries_[which[i]];
      if (!accept_candidate(entry, std::move(answers[i]))) continue;
      if (entry.outcome->gate() == nullptr) {
        accept_same(entry);
      } else {
        judge_compared(entry);
      }
    }
  }

  void accept_same(PlannedEntry& entry) {
    entry.report.state = CheckState::kSame;
    if (!world_.device.has_clock) check_records(entry, nullptr);
    entry.open = false;
  }

  // A single problem may be too large for a device; if none can be run, the device is to blame.
  static void refuse_broken_environment(const std::vector<MeasureAnswer>& answers) {
    if (answers.empty()) return;
    for (const MeasureAnswer& answer : answers)
      if (!answer.error || answer.error->fault() == Fault::kUser) return;
    throw Error(*answers.front().error);
  }

  // Judges an entry that is too large for the emulator and has no smaller problem.
  void judge_compiled(PlannedEntry& entry) {
    if (entry.same) {
      entry.report.state = CheckState::kSame;
    } else {
      judge(entry, nullptr);
    }
    entry.report.findings.push_back(
        {GateFindingKind::kNote,
         "too large for the emulator, and the baseline names no smaller problem: only the "
         "compiler's figures were compared, and whether it is right was not checked",
         std::nullopt});
    entry.open = false;
  }

  void judge_compared(PlannedEntry& entry) {
    const GateOutcome& gate = *entry.outcome->gate();
    if (!gate.note.empty())
      entry.report.findings.push_back({GateFindingKind::kNote, gate.note, std::nullopt});
    if (gate.status == Status::kNoisy) {
      entry.decide(CheckState::kInconclusive, GateFindingKind::kUndecided,
                   "the device was not steady: " + gate.reason);
    } else if (gate.status != Status::kOk) {
      entry.decide(CheckState::kIncomparable, GateFindingKind::kUndecided, gate.reason);
    } else if (!world_.device.has_clock) {
      const double units = work_of(entry).units;
      if (refuse_impossible(entry, gate.candidate.modelled_us / units)) return;
      judge(entry, &gate);
      check_records(entry, &gate);
      entry.open = false;
    }
  }

  [[nodiscard]] Work work_of(const PlannedEntry& entry) const {
    const EntrySide& side = entry.candidate;
    return contract_work(side.of->kernel, side.configuration, side.problem, world_.device);
  }

  // Decides the entry and returns true if the candidate cannot have done its work in this time.
  bool refuse_impossible(PlannedEntry& entry, double us) const {
    if (is_harness_kernel(entry.candidate.of->kernel.name)) return false;
    const std::optional<FailureReason> reason = beyond_peaks(work_of(entry), us, peaks_);
    if (!reason) return false;
    entry.decide(CheckState::kRegression, GateFindingKind::kLost,
                 fmt::format("{}: {}", status_name(Status::kImpossible), reason->text),
                 entry_place(entry));
    return true;
  }

  // Returns the place where the candidate's entry point is defined.
  [[nodiscard]] static std::optional<QuotedLocation> entry_place(const PlannedEntry& entry) {
    const VariantSpec* variant =
        entry.candidate.of->kernel.find_variant(entry.candidate.configuration.variant);
    return entry.candidate_names().entry_place(variant->launches.front().entry.text());
  }

  // Judges by the compiler's figures, and by counters if there are any.
  void judge(PlannedEntry& entry, const GateOutcome* gate) {
    const SourceNames names_then = entry.baseline_names();
    const SourceNames names_now = entry.candidate_names();
    CountedSide then{metrics_of(entry.baseline), nullptr, &names_then, &entry.baseline.compiled};
    CountedSide now{metrics_of(entry.candidate), nullptr, &names_now, &entry.candidate.compiled};
    if (gate != nullptr) {
      add_counters(then.metrics, gate->baseline.counters);
      add_counters(now.metrics, gate->candidate.counters);
      then.lines = &gate->baseline.lines;
      now.lines = &gate->candidate.lines;
    }
    judge_counts(then, now, options_.rules, entry.report);
  }

  [[nodiscard]] Metrics metrics_of(const EntrySide& side) const {
    return compiler_metrics(side.of->kernel, side.configuration, side.problem, world_.device,
                            side.compiled);
  }

  [[nodiscard]] bool same_tools() const {
    return baseline_.nvrtc == compiler_ && baseline_.arch == world_.device.arch &&
           baseline_.emulator == world_.device.driver;
  }

  // With the tools that made the record, the baseline's sources must reproduce its figures.
  void check_records(PlannedEntry& entry, const GateOutcome* gate) {
    if (!same_tools()) return;
    Metrics now = metrics_of(entry.baseline);
    if (gate != nullptr) add_counters(now, gate->baseline.counters);
    Metrics recorded = entry.recorded->metrics;
    if (gate == nullptr)
      std::erase_if(recorded, [](const auto& metric) { return metric.first.first.empty(); });
    std::vector<GateFinding> broken = broken_records(recorded, now);
    if (!entry.recorded->machine_code.empty() &&
        entry.recorded->machine_code != entry.baseline.machine_code) {
      broken.push_back({GateFindingKind::kRecord,
                        "the baseline's sources give other machine code than it records, with the "
                        "same compiler; make it again",
                        std::nullopt});
    }
    if (broken.empty()) return;
    if (!entry.report.fails()) entry.report.state = CheckState::kIncomparable;
    entry.report.findings.insert(entry.report.findings.end(), broken.begin(), broken.end());
  }

  void judge_races() {
    std::vector<RaceLook> looks;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      if (!entries_[i].open) continue;
      looks.push_back(look_at(i, *entries_[i].outcome->gate(), options_.rules.least_slowdown()));
    }
    correct_for_many(looks);
    std::vector<std::size_t> which;
    for (const RaceLook& look : looks)
      if (look.repeat) which.push_back(look.entry);
    if (!which.empty()) world_.step("repeating what has changed in fresh processes");
    const std::vector<MeasureAnswer> answers =
        ask_all(world_, entries_, which,
                [&](const auto& entry) { return request_of(world_, entry, true, 0); });
    std::size_t next = 0;
    for (const RaceLook& look : looks) {
      std::optional<RaceLook> repeated;
      if (look.repeat && !take_repeated(look, answers[next++], repeated)) continue;
      settle_race(look, repeated, looks.size());
    }
  }

  // Returns false if the fresh process found the candidate wrong, which decides the entry.
  bool take_repeated(const RaceLook& look, const MeasureAnswer& answer,
                     std::optional<RaceLook>& repeated) {
    PlannedEntry& entry = entries_[look.entry];
    if (!answer.error && answer.outcome.status != Status::kOk) {
      entry.report.race = look.race;
      return accept_candidate(entry, answer);
    }
    const GateOutcome* gate = answer.error ? nullptr : answer.outcome.gate();
    if (gate == nullptr || gate->status != Status::kOk) return true;
    entry.report.seconds += answer.outcome.validate_seconds + answer.outcome.measure_seconds;
    repeated = look_at(look.entry, *gate, options_.rules.least_slowdown(), look.race.noise);
    return true;
  }

  void settle_race(const RaceLook& look, const std::optional<RaceLook>& repeated,
                   std::size_t comparisons) {
    PlannedEntry& entry = entries_[look.entry];
    entry.report.race = look.race;
    if (refuse_impossible(entry, look.race.candidate_us)) return;
    settle(look, repeated ? &*repeated : nullptr, comparisons, entry.report);
    if (entry.same && entry.report.state == CheckState::kOk) entry.report.state = CheckState::kSame;
    if (entry.report.state == CheckState::kRegression)
      entry.report.findings.back().place = entry_place(entry);
    note_figures(entry);
    note_recorded_time(entry);
    entry.open = false;
  }

  // Time decides on a device with a clock; the compiler's figures may explain it.
  void note_figures(PlannedEntry& entry) const {
    if (entry.same) return;
    entry.report.changes =
        changed_metrics(metrics_of(entry.baseline), metrics_of(entry.candidate), options_.rules);
    std::string text;
    for (const MetricChange& change : entry.report.changes)
      text += (text.empty() ? "" : "; ") + describe_change(change);
    if (!text.empty())
      entry.report.findings.push_back({GateFindingKind::kNote, text, std::nullopt});
  }

  [[nodiscard]] bool same_machine(const BaselineTime& time) const {
    return time.device == world_.device.name && time.driver == world_.device.driver &&
           time.nvrtc == world_.nvrtc;
  }

  void note_recorded_time(PlannedEntry& entry) const {
    const std::optional<BaselineTime>& time = entry.recorded->measured;
    if (!time || !same_machine(*time) || time->protocol != entry.report.race->protocol) return;
    const double ratio = entry.report.race->baseline_us / time->median_us;
    if (std::fabs(std::log(ratio)) <= std::log1p(kOddMachine)) return;
    entry.report.findings.push_back(
        {GateFindingKind::kNote,
         fmt::format("the baseline's own sources take {:.4g} µs here, {} of the {:.4g} recorded, "
                     "though GPU, driver and NVRTC agree: is the GPU free and cool?",
                     entry.report.race->baseline_us, percent_of(std::log(ratio)), time->median_us),
         std::nullopt});
  }

  CheckReport finish() {
    CheckReport report;
    report.baseline = shown_path(baseline_.folder);
    report.device_id = world_.device.id;
    report.device_name = world_.device.name;
    report.driver = world_.device.driver;
    report.nvrtc = world_.nvrtc;
    report.measured = world_.device.has_clock;
    add_notes(report);
    for (PlannedEntry& entry : entries_) {
      sort_findings(entry.report);
      report.entries.push_back(std::move(entry.report));
    }
    return report;
  }

  void add_notes(CheckReport& report) const {
    if (!world_.device.has_clock && !same_tools()) {
      report.notes.push_back(fmt::format(
          "recorded with NVRTC {} for {} and {}, here are NVRTC {}, {} and {}: recorded figures "
          "are not compared, the baseline's sources were compiled and counted here",
          baseline_.nvrtc, baseline_.arch, baseline_.emulator, compiler_, world_.device.arch,
          world_.device.driver));
    }
    if (!world_.device.has_clock) return;
    std::string others;
    for (const PlannedEntry& entry : entries_) {
      const std::optional<BaselineTime>& time = entry.recorded->measured;
      if (!time || same_machine(*time)) continue;
      const std::string of =
          fmt::format("{} with driver {} and NVRTC {}", time->device, time->driver, time->nvrtc);
      if (others.find(of) == std::string::npos) others += (others.empty() ? "" : ", ") + of;
    }
    if (others.empty()) return;
    report.notes.push_back(fmt::format(
        "recorded on {}; this is {} with driver {} and NVRTC {}: recorded times are not compared, "
        "the baseline's sources were built and raced here",
        others, world_.device.name, world_.device.driver, world_.nvrtc));
  }

  const WorkerWorld& world_;
  const CheckOptions& options_;
  const Baseline& baseline_;
  const Peaks peaks_;  // from the driver's figures, or from the model's rates
  std::vector<PlannedEntry> entries_;
  std::string compiler_;  // compiler_release()
};

}  // namespace

void check_ties(const WorkerWorld& world, const CheckOptions& options,
                std::vector<PlannedEntry>& entries) {
  std::vector<Tie> ties;
  std::vector<PlannedEntry> planned;    // each tie now against the current winner
  std::vector<PlannedEntry> unchanged;  // each tie then against now, to see if it changed
  for (std::size_t i = 0; i < entries.size(); ++i) {
    PlannedEntry& winner = entries[i];
    if (!winner.recorded->measured || !settled_well(winner)) continue;
    const std::vector<Configuration>& recorded = winner.recorded->measured->ties;
    for (std::size_t t = 0; t < recorded.size() && t < kMaxTies; ++t) {
      const Tie tie{i, recorded[t].to_string()};
      const KernelSpec& now = winner.candidate.of->kernel;
      Candidate candidate =
          find_candidate(now, recorded[t], winner.candidate.problem, world.device);
      if (candidate.refusal) {
        report_tie(winner, tie, "is no longer possible: " + candidate.refusal->message);
        continue;
      }
      PlannedEntry entry;
      entry.recorded = winner.recorded;
      entry.candidate = {winner.candidate.of, candidate.configuration, candidate.problem, {}, {}};
      entry.baseline = winner.baseline;
      entry.baseline.configuration = recorded[t];
      unchanged.push_back(entry);
      entry.baseline = winner.candidate;
      planned.push_back(std::move(entry));
      ties.push_back(tie);
    }
  }
  if (ties.empty()) return;
  world.step("looking at the ties of the winners");
  compile_entries(world, unchanged);
  std::vector<std::size_t> which;
  for (std::size_t i = 0; i < ties.size(); ++i) {
    PlannedEntry& winner = entries[ties[i].of];
    if (!unchanged[i].open && !unchanged[i].candidate.compiled.ok) {
      report_tie(winner, ties[i],
                 "is no longer possible: " + unchanged[i].report.findings.front().message);
      continue;
    }
    if (winner.same && unchanged[i].same) continue;
    planned[i].candidate = unchanged[i].candidate;
    planned[i].cases = unchanged[i].cases;
    which.push_back(i);
  }
  constexpr int kNoiseBlocks = 10;
  const std::vector<MeasureAnswer> answers = ask_all(world, planned, which, [&](const auto& entry) {
    return request_of(world, entry, true, kNoiseBlocks);
  });
  for (std::size_t i = 0; i < which.size(); ++i)
    report_answer(options, entries[ties[which[i]].of], ties[which[i]], answers[i]);
}

CheckReport check_baseline(const WorkerWorld& world, const CheckOptions& options,
                           const Baseline& baseline, const Paths& paths) {
  return Check(world, options, baseline, paths).run();
}

CheckReport run_check(const CheckOptions& options, const Paths& paths) {
  const Baseline baseline = read_baseline(options.baseline);
  const std::vector<DeviceInfo> devices = select_devices(query_devices(), options.device);
  if (devices.size() != 1) {
    throw user_error(fmt::format(
        "--device {}: expected one device, got {}; check one at a time, such as --device cuda:0",
        options.device, devices.size()));
  }
  if (options.figures_only && devices.front().has_clock) {
    throw user_error(fmt::format(
        "--figures-only: expected a device without a clock, whose counts need no cases, got {}; "
        "add --device emu:{}, or leave the option out to race",
        devices.front().id, baseline.arch));
  }
  options.claim(devices.front());
  Progress progress(stderr_progress("check", options.quiet));
  const WorkerWorld world = make_worker_world(devices.front(), paths, options.workers, progress);
  CheckReport report = check_baseline(world, options, baseline, paths);
  progress.finish();
  return report;
}

}  // namespace warpwright
