#include "trial/timing/gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/files.h"
#include "records/codec.h"
#include "spec/kernel_fills.h"
#include "stats/median.h"
#include "trial/launch/launch_plan.h"
#include "trial/reference/reference.h"
#include "trial/timing/measure.h"
#include "trial/timing/paced_plan.h"
#include "trial/timing/validity.h"

namespace warpwright {
namespace {

using Clock = std::chrono::steady_clock;

// The limit on one turn, which ends a plan that hangs.
constexpr std::chrono::milliseconds kTurnLimit{10'000};

// The samples of both sides in one block.
struct Sides {
  std::vector<double> first_us;
  std::vector<double> second_us;
  bool disturbed = false;
};

// Returns false when the plan failed; `run` then holds the reason.
bool take_turn(TimingPlan& plan, int samples, std::vector<double>& into, bool& disturbed,
               AbbaRun& run) {
  const Samples taken = plan.take(samples, kTurnLimit);
  run.protocol = taken.protocol;
  if (taken.status != Status::kOk) {
    run.status = taken.status;
    run.reason = taken.reason;
    run.device_lost = taken.device_lost;
    return false;
  }
  disturbed |= taken.disturbed;
  for (const double sample : taken.elapsed_us)
    into.push_back(without_floor(sample, taken.floor_us, taken.units));
  return true;
}

bool take_block(TimingPlan& first, TimingPlan& second, int samples, Sides& sides, AbbaRun& run) {
  const auto turn_of_second = [&] {
    run.second_failed = !take_turn(second, samples, sides.second_us, sides.disturbed, run);
    return !run.second_failed;
  };
  return take_turn(first, samples, sides.first_us, sides.disturbed, run) && turn_of_second() &&
         turn_of_second() && take_turn(first, samples, sides.first_us, sides.disturbed, run);
}

constexpr int kRuns = 2;
constexpr int kSamplesToLook = 3;
constexpr std::chrono::milliseconds kLookLimit{10'000};
// The limit on one comparison: long kernels are judged by fewer blocks.
constexpr std::chrono::milliseconds kTimeLimit{15'000};
// Each sample is a graph of its own, which must be created and launched in addition to overwriting
// L2.
constexpr double kBetweenSamplesUs = 150;
// Noise from few blocks is itself uncertain; if it might set the limit, more blocks are taken.
constexpr double kNoiseThatMatters = 0.004;

// The part of a fill's meaning that its text does not show: two contracts may use the same name for
// different files, and generated inputs depend on the reference.
std::string meaning_of(const KernelSpec& kernel, const ArgumentSpec& argument) {
  const FillOrigin origin = parse_fill_origin(argument.fill, argument.fill_where);
  if (origin.kind == FillKind::kFile) return input_hash(kernel, input_path(kernel, origin));
  return origin.kind == FillKind::kGenerator ? kernel.file.string() : "";
}

// Whether both sides can share their arrays: everything that determines the content and the
// expected results is equal.
bool same_arrays(const KernelSpec& baseline, const Environment& baseline_environment,
                 const KernelSpec& candidate, const Environment& candidate_environment) {
  const auto describe = [](const KernelSpec& kernel, const Environment& environment) {
    std::map<std::string, std::string> arrays;
    for (const ArgumentSpec& argument : kernel.arguments) {
      if (!is_problem_array(argument.role)) continue;
      std::string text = fmt::format("{} {} {} {}", static_cast<int>(argument.role),
                                     dtype_name(argument_dtype(argument, environment)),
                                     argument.fill, meaning_of(kernel, argument));
      for (const Expr& axis : argument.shape)
        text += fmt::format(" {}", axis.evaluate_integer(environment));
      arrays[argument.name] = std::move(text);
    }
    return arrays;
  };
  // Parameters that do not appear in a shape may also decide what is right.
  const auto shaping = [](const KernelSpec& kernel, const Environment& environment) {
    std::map<std::string, std::string> values;
    for (const std::string& name : kernel.shaping)
      values[name] = environment.find(name)->to_string();
    return values;
  };
  return describe(baseline, baseline_environment) == describe(candidate, candidate_environment) &&
         shaping(baseline, baseline_environment) == shaping(candidate, candidate_environment);
}

// The baseline side of the comparison: it runs under its own contract, on the candidate's data if
// possible.
class BaselineSide {
 public:
  BaselineSide(const KernelSpec& candidate, const Configuration& candidate_configuration,
               Device& device, const TrialOptions& options, ProblemInputs& inputs,
               const GateRequest& request)
      : device_(device),
        options_(options),
        request_(request),
        kernel_(read_kernel(request.kernel_file, bundle_of(request.texts))),
        inputs_(&inputs) {
    const Problem& problem = inputs.first().request().problem;
    if (!same_arrays(
            kernel_,
            trial_environment(kernel_, request.configuration, request.problem, device.info()),
            candidate,
            trial_environment(candidate, candidate_configuration, problem, device.info()))) {
      make_own_inputs();
    }
  }

  // Loads another instance of the baseline, with its own module, scratch and launches. Null, with
  // the reason in `outcome`, when it cannot run.
  std::unique_ptr<ValidatedLaunches> load(GateOutcome& outcome) {
    Device::Loaded loaded = device_.load(request_.compiled);
    if (!loaded.module) {
      fail(outcome, loaded.failure.status, loaded.failure.reason, loaded.failure.device_lost);
      return nullptr;
    }
    auto check = std::make_unique<ValidatedLaunches>(
        kernel_, device_, options_, request_.configuration, *inputs_, loaded.module);
    const ValidationReport report = check->verify(kRuns);
    const bool only_wrong =
        report.status == Status::kWrongResult || report.status == Status::kNondeterministic;
    if (report.status != Status::kOk && !only_wrong) {
      fail(outcome, report.status, report.reason, report.device_lost);
      return nullptr;
    }
    if (only_wrong)
      outcome.note = "the baseline is wrong under the current contract: " + report.reason;
    return check;
  }

  [[nodiscard]] std::unique_ptr<TimingPlan> plan(const ValidatedLaunches& check) const {
    return per_unit(plan_paced(device_, check.cold_request()), check.units());
  }
  [[nodiscard]] ProblemData& data() { return inputs_->first(); }

 private:
  static void fail(GateOutcome& outcome, Status status, const std::string& reason, bool lost) {
    outcome.status = status;
    outcome.reason =
        fmt::format("the baseline does not run here: {}: {}", status_name(status), reason);
    outcome.worker_lost = lost;
  }

  void make_own_inputs() {
    if (options_.cache_folder.empty()) own_folder_.emplace("warpwright-gate");
    const std::filesystem::path cache = own_folder_ ? own_folder_->path() : options_.cache_folder;
    reference_.emplace(build_reference(kernel_.reference.source, request_.reference_include,
                                       cache / kObjectsFolder, kernel_.texts),
                       kernel_.reference.source);
    store_.emplace(own_folder_ ? std::filesystem::path() : cache / kAnswersFolder);
    ProblemRequest problem;
    problem.problem = shaped_problem(kernel_, request_.configuration, request_.problem);
    problem.title = describe_problem(kernel_, request_.problem) + " of the baseline";
    own_inputs_ = std::make_unique<ProblemInputs>(kernel_, device_, options_, *reference_, *store_,
                                                  std::move(problem));
    inputs_ = own_inputs_.get();
  }

  Device& device_;
  const TrialOptions& options_;
  const GateRequest& request_;
  const KernelSpec kernel_;
  std::optional<TemporaryFolder> own_folder_;
  std::optional<Reference> reference_;
  std::optional<ReferenceStore> store_;
  std::unique_ptr<ProblemInputs> own_inputs_;
  ProblemInputs* inputs_;
};

// Records the failure that ended a comparison. `side` is "baseline" or "candidate".
void fail(GateOutcome& outcome, Status status, const std::string& reason, bool lost,
          const std::string& side, const char* doing) {
  outcome.status = status;
  outcome.worker_lost = lost;
  outcome.candidate_failed = side == "candidate";
  outcome.reason =
      fmt::format("while the {} was {}: {}: {}", side, doing, status_name(status), reason);
}

// Returns false, with the reason in the outcome, when the run did not yield blocks.
bool accept(const AbbaRun& run, bool second_is_candidate, GateOutcome& outcome) {
  outcome.protocol = run.protocol;
  if (run.status == Status::kOk) return true;
  if (run.status == Status::kNoisy) {
    outcome.status = run.status;
    outcome.reason = run.reason;
  } else {
    fail(outcome, run.status, run.reason, run.device_lost,
         run.second_failed && second_is_candidate ? "candidate" : "baseline", "timed");
  }
  return false;
}

// The approximate time of one sample, which determines the length of turns.
std::optional<double> look(TimingPlan& plan, const char* side, GateOutcome& outcome) {
  const Samples taken = plan.take(kSamplesToLook, kLookLimit);
  if (taken.status == Status::kOk)
    return taken.units * without_floor(median(taken.elapsed_us), taken.floor_us, taken.units);
  fail(outcome, taken.status, taken.reason, taken.device_lost, side, "timed");
  return std::nullopt;
}

void race(Device& device, const TrialOptions& options, ValidatedLaunches& candidate,
          BaselineSide& side, const ValidatedLaunches& baseline, const GateRequest& request,
          GateOutcome& outcome) {
  options.enter("measure");
  device.warm_up();
  AbbaOptions abba;
  abba.between_samples_us = kBetweenSamplesUs;
  abba.time_limit = kTimeLimit;
  abba.before_block = [&options] { options.enter("measure"); };
  const auto baseline_plan = side.plan(baseline);
  const std::optional<double> about_us = look(*baseline_plan, "baseline", outcome);
  if (!about_us) return;
  if (request.noise_blocks > 0) {
    // The baseline is loaded once more, so that the effect of the placement of code and graphs is
    // part of the noise.
    options.enter("validate");
    const auto again = side.load(outcome);
    if (!again) return;
    const auto again_plan = side.plan(*again);
    if (!look(*again_plan, "baseline", outcome)) return;
    abba.blocks = request.noise_blocks;
    do {
      const AbbaRun run = take_abba_blocks(device, *baseline_plan, *again_plan, *about_us, abba);
      if (!accept(run, false, outcome)) return;
      outcome.noise_blocks.insert(outcome.noise_blocks.end(), run.blocks.begin(), run.blocks.end());
    } while (aa_noise(outcome.noise_blocks) > kNoiseThatMatters &&
             static_cast<int>(outcome.noise_blocks.size()) < 2 * request.noise_blocks);
  }
  const auto candidate_plan =
      per_unit(plan_paced(device, candidate.cold_request()), candidate.units());
  if (!look(*candidate_plan, "candidate", outcome)) return;
  abba.blocks = request.blocks;
  const AbbaRun run = take_abba_blocks(device, *baseline_plan, *candidate_plan, *about_us, abba);
  outcome.blocks = run.blocks;
  (void)accept(run, true, outcome);
}

// Runs one launch of each entry with counting by line, which also yields the modelled time.
GateCounts count(Device& device, const TrialOptions& options, ProblemData& data,
                 const ValidatedLaunches& check, const char* side, GateOutcome& outcome) {
  options.enter("validate");
  data.prepare(0);
  LaunchLimits limits;
  limits.time = options.launch_time_limit;
  limits.emulated_instructions = options.emulated_instruction_limit;
  limits.count_lines = true;
  LaunchResult result = device.launch(check.launches(), limits);
  if (result.status != Status::kOk)
    fail(outcome, result.status, result.reason, result.device_lost, side, "counted");
  return {std::move(result.counters), std::move(result.lines), result.modelled_us};
}

using nlohmann::json;

json lines_json(const std::vector<LineCounters>& lines) {
  json list = json::array();
  for (const LineCounters& line : lines) list.push_back({line.file, line.line, line.counters});
  return list;
}

std::vector<LineCounters> read_lines(const json& from) {
  std::vector<LineCounters> lines;
  for (const json& line : from) {
    lines.push_back({line.at(0).get<std::string>(), line.at(1).get<int>(),
                     line.at(2).get<std::map<std::string, std::uint64_t>>()});
  }
  return lines;
}

}  // namespace

AbbaRun take_abba_blocks(Device& device, TimingPlan& first, TimingPlan& second, double about_us,
                         const AbbaOptions& options) {
  const double sample_us = about_us + options.between_samples_us;
  const int samples = static_cast<int>(std::max(1.0, std::ceil(options.turn_us / sample_us)));
  AbbaRun run;
  ValidityWatch watch(device);
  const auto start = Clock::now();
  const auto taken = [&] { return static_cast<int>(run.blocks.size()); };
  while (taken() < options.blocks) {
    const bool late = options.time_limit.count() > 0 && Clock::now() - start > options.time_limit;
    if (late && taken() >= options.fewest) break;
    if (options.before_block) options.before_block();
    Sides sides;
    watch.begin_block();
    if (!take_block(first, second, samples, sides, run)) return run;
    if (watch.end_block(sides.disturbed)) {
      if (watch.risen()) run.blocks.clear();
      run.blocks.push_back({median(sides.first_us), median(sides.second_us)});
    }
    if (!watch.noisy()) continue;
    run.status = Status::kNoisy;
    run.reason = watch.describe();
    break;
  }
  run.validity = watch.seen();
  return run;
}

GateOutcome run_gate_comparison(const KernelSpec& kernel, Device& device,
                                const TrialOptions& options, const Configuration& configuration,
                                ValidatedLaunches& candidate, const GateRequest& request) {
  GateOutcome outcome;
  ProblemData& data = candidate.inputs().first();
  BaselineSide side(kernel, configuration, device, options, candidate.inputs(), request);
  const auto baseline = side.load(outcome);
  if (!baseline) return outcome;
  if (device.info().has_clock) {
    race(device, options, candidate, side, *baseline, request, outcome);
    return outcome;
  }
  outcome.baseline = count(device, options, side.data(), *baseline, "baseline", outcome);
  if (outcome.status != Status::kOk) return outcome;
  outcome.candidate = count(device, options, data, candidate, "candidate", outcome);
  return outcome;
}

// Serialization of a comparison for the pipe between processes.

void to_json(json& to, const AbbaBlock& block) { to = {block.baseline_us, block.candidate_us}; }

void from_json(const json& from, AbbaBlock& block) {
  from.at(0).get_to(block.baseline_us);
  from.at(1).get_to(block.candidate_us);
}

WARPWRIGHT_MEMBERS(GateRequest, io, request) {
  io("compare", request.compare);
  io("kernel_file", request.kernel_file);
  io.as("texts", request.texts, texts_to_json, texts_from_json);
  io("reference_include", request.reference_include);
  io("variant", request.configuration.variant);
  io("values", request.configuration.values);
  io("problem", request.problem);
  io("compiled", request.compiled);
  io("blocks", request.blocks);
  io("noise_blocks", request.noise_blocks);
  io("emulated_instruction_limit", request.emulated_instruction_limit);
}
WARPWRIGHT_CODEC_OF(GateRequest)

WARPWRIGHT_MEMBERS(GateCounts, io, counts) {
  io("counters", counts.counters);
  io.as("lines", counts.lines, lines_json, read_lines);
  io("modelled_us", counts.modelled_us);
}
WARPWRIGHT_CODEC_OF(GateCounts)

WARPWRIGHT_MEMBERS(GateOutcome, io, outcome) {
  io.named("status", outcome.status, status_name, parse_status);
  io("reason", outcome.reason);
  io("candidate_failed", outcome.candidate_failed);
  io("worker_lost", outcome.worker_lost);
  io("note", outcome.note);
  io("noise_blocks", outcome.noise_blocks);
  io("blocks", outcome.blocks);
  io("protocol", outcome.protocol);
  io("baseline", outcome.baseline);
  io("candidate", outcome.candidate);
}
WARPWRIGHT_CODEC_OF(GateOutcome)

}  // namespace warpwright
