#include "trial/sequence/sequence.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "core/error.h"
#include "core/files.h"
#include "core/parallel.h"
#include "records/codec.h"
#include "stats/median.h"
#include "trial/data/problem_data.h"
#include "trial/data/problem_inputs.h"
#include "trial/numbers/dtype.h"
#include "trial/timing/hot_rotation.h"
#include "trial/timing/measure.h"
#include "trial/timing/paced_plan.h"
#include "trial/trial_steps.h"
#include "trial/validation/trial_validation.h"

namespace warpwright {
namespace {

using std::chrono::milliseconds;

// The same precision as for a winner's headline.
constexpr double kSequenceHalfWidth = 0.005;
constexpr int kMaxSequenceColdSamples = 400;
constexpr milliseconds kSequenceColdTime{400};
constexpr int kMaxSequenceHotSamples = 40;
constexpr milliseconds kSequenceHotTime{100};
constexpr int kSequenceGapSamples = 20;
constexpr std::uint64_t kFiniteShare = std::uint64_t{1} << 20;  // elements at a time
constexpr const char* kSequence = "the sequence";

std::optional<std::size_t> first_not_finite(DType dtype, std::span<const std::byte> content) {
  if (!is_floating(dtype)) return std::nullopt;
  const std::size_t elements = content.size() / dtype_size(dtype);
  std::atomic<std::size_t> first = elements;
  parallel_ranges(elements, kFiniteShare, 0, [&](std::uint64_t from, std::uint64_t to) {
    for (std::size_t i = from; i < std::min<std::size_t>(to, first); ++i) {
      if (std::isfinite(load_element(dtype, content.data(), i))) continue;
      std::size_t known = first;
      while (i < known && !first.compare_exchange_weak(known, i)) {
      }
      return;
    }
  });
  return first == elements ? std::nullopt : std::optional<std::size_t>(first);
}

// A step with its resources on the device.
struct Live {
  explicit Live(const SequenceStep& the_step)
      : step(the_step), reference(make_reference(*step.kernel, step.options, folder)) {}

  const SequenceStep& step;
  std::optional<TemporaryFolder> folder;  // for a reference that is compiled without a cache
  Reference reference;
  std::unique_ptr<ProblemData> data;
  std::unique_ptr<TrialValidation> check;
  LaunchSequence launches;  // on the connected arrays
  double rough_us = 0;
};

class SequenceRunner {
 public:
  SequenceRunner(Device& device, const std::vector<SequenceStep>& steps)
      : device_(device), steps_(steps) {}

  SequenceResult run() {
    for (const SequenceStep& step : steps_) {
      live_.push_back(std::make_unique<Live>(step));
      if (!prove(*live_.back())) return std::move(result_);
    }
    for (const auto& live : live_)
      all_.insert(all_.end(), live->launches.begin(), live->launches.end());
    result_.launches = all_.size();
    if (!run_whole()) return std::move(result_);
    if (device_.info().has_clock) (void)(time_steps() && time_gap() && time_whole() && time_hot());
    return std::move(result_);
  }

 private:
  // Stores the reason in the result and returns false.
  bool fail(const SequenceStep& step, Status status, const std::string& reason,
            bool device_lost = false) {
    result_.status = status;
    result_.reason = fmt::format("step '{}' ({}): {}", step.name, step.kernel->name, reason);
    result_.device_lost = device_lost;
    return false;
  }
  bool fail_whole(Status status, const std::string& reason, bool device_lost) {
    result_.status = status;
    result_.reason = fmt::format("the sequence: {}", reason);
    result_.device_lost = device_lost;
    return false;
  }
  bool passed(const SequenceStep& step, const ValidationReport& report) {
    return report.status == Status::kOk ||
           fail(step, report.status, report.reason, report.device_lost);
  }

  // Returns an output as its step wrote it.
  static std::pair<const TensorPlan&, std::vector<std::byte>> output_of(const Live& live,
                                                                        const std::string& name) {
    for (std::size_t i = 0; i < live.data->outputs(); ++i) {
      const TensorPlan& plan = live.data->output_plan(i);
      if (plan.spec->name == name) return {plan, live.data->download_output(i)};
    }
    throw Error(Fault::kInternal, "every connected output is one");
  }

  // Reads the content of a connected input; fails and returns false if an element is not finite.
  bool content_of(const SequenceStep& step, const SequenceInput& input, std::size_t wanted,
                  std::vector<std::byte>& content) {
    const Live& from = *live_.at(input.step);
    auto [plan, bytes] = output_of(from, input.output);
    const std::size_t width = dtype_size(plan.dtype);
    const std::size_t begin = static_cast<std::size_t>(input.first) * width;
    WARPWRIGHT_CHECK(begin + wanted <= bytes.size(), "a connected input lies in its output");
    content.assign(bytes.begin() + static_cast<std::ptrdiff_t>(begin),
                   bytes.begin() + static_cast<std::ptrdiff_t>(begin + wanted));
    const std::optional<std::size_t> at = first_not_finite(plan.dtype, content);
    if (!at) return true;
    return fail(
        from.step, Status::kWrongResult,
        fmt::format("'{}' flows to '{}' of step '{}' and is not finite at {}: {}", input.output,
                    input.argument, step.name, static_cast<std::size_t>(input.first) + *at,
                    load_element(plan.dtype, content.data(), *at)));
  }

  bool prove(Live& live) {
    const SequenceStep& step = live.step;
    Outcome outcome;
    std::shared_ptr<const DeviceModule> module;
    if (!compiled_or_fail(step.compiled, outcome) ||
        !possible_or_fail(*step.kernel, step.configuration, step.problem, device_, step.compiled,
                          outcome) ||
        !(module = load_or_fail(device_, step.compiled, outcome)))
      return fail(step, outcome.status, outcome.reason, outcome.worker_lost);

    ProblemRequest request;
    request.problem = shaped_problem(*step.kernel, step.configuration, step.problem);
    request.fills = step.fills;
    request.title =
        fmt::format("step '{}' ({})", step.name, describe_problem(*step.kernel, step.problem));
    const Environment environment =
        trial_environment(*step.kernel, step.configuration, step.problem, device_.info());
    for (const SequenceInput& input : step.inputs) {
      const std::size_t bytes =
          plan_tensor(*step.kernel->find_argument(input.argument), environment).bytes;
      if (!content_of(step, input, bytes, request.contents[input.argument])) return false;
    }
    require_memory(*step.kernel, device_, step.configuration, request);
    live.data = std::make_unique<ProblemData>(*step.kernel, device_, step.options, live.reference,
                                              ReferenceStore(answers_folder(step.options)),
                                              std::move(request));
    live.check = std::make_unique<TrialValidation>(*step.kernel, device_, step.options,
                                                   step.configuration, *live.data, module);
    const ValidationReport report = live.check->verify(step.options.determinism_runs);
    if (!passed(step, report)) return false;
    live.check->note_outputs();
    live.launches = moved_launches(device_, live.check->launches(), connections(live));
    if (!device_.info().has_clock) {
      result_.steps.push_back(modelled_time(report.launch));
    } else if (!report.launch_us.empty()) {
      live.rough_us = report.launch_us.back();
    }
    return true;
  }

  // Maps the addresses of the step's own arrays to the addresses of the connected outputs.
  [[nodiscard]] std::map<std::uint64_t, std::uint64_t> connections(const Live& live) const {
    std::map<std::uint64_t, std::uint64_t> moved;
    for (const SequenceInput& input : live.step.inputs) {
      const ProblemData& from = *live_[input.step]->data;
      std::size_t width = 0;
      for (std::size_t i = 0; i < from.outputs(); ++i)
        if (from.output_plan(i).spec->name == input.output)
          width = dtype_size(from.output_plan(i).dtype);
      moved[live.data->address(input.argument).value()] =
          from.address(input.output).value() + static_cast<std::uint64_t>(input.first) * width;
    }
    return moved;
  }

  void prepare() {
    for (const auto& live : live_) live->data->prepare(poison_of_sequence());
  }
  static int poison_of_sequence() { return 0; }

  // Every output must equal the result of its step alone. If its kernel or an earlier one may write
  // different bits each time, the output must instead pass validation.
  bool outputs_hold(const std::string& after) {
    bool repeats = true;
    for (const auto& live : live_) {
      repeats = repeats && live->step.kernel->deterministic;
      const ValidationReport report = live->check->verify_after(after);
      if (report.status == Status::kNondeterministic && !repeats) continue;
      if (!passed(live->step, report)) return false;
    }
    return true;
  }

  bool run_whole() {
    const TrialOptions& options = steps_.back().options;
    options.enter("validate");
    prepare();
    LaunchLimits limits;
    limits.emulated_seed = options.seed;
    limits.emulated_instructions = options.emulated_instruction_limit;
    for (const SequenceStep& step : steps_)
      limits.time = std::max(limits.time, step.options.launch_time_limit);
    const LaunchResult launched = device_.launch(all_, limits);
    if (launched.status != Status::kOk)
      return fail_whole(launched.status, launched.reason, launched.device_lost);
    if (!outputs_hold(kSequence)) return false;
    if (!device_.info().has_clock) {
      result_.whole = modelled_time(launched);
      result_.without_hot = "modelled times are those of cold launches";
    }
    return true;
  }

  // The cold time of some launches; nullopt, with the reason in the result, when they fail.
  std::optional<TimeEstimate> cold(TimingRequest request, double about_us,
                                   const std::function<void(const Measurement&)>& on_failure) {
    request.expected_us = about_us;
    const auto plan = plan_paced(device_, std::move(request), about_us);
    const Measurement measured = measure_steadily(device_, *plan, kSequenceHalfWidth,
                                                  kMaxSequenceColdSamples, kSequenceColdTime);
    if (measured.status == Status::kOk) return measured.time;
    on_failure(measured);
    return std::nullopt;
  }

  bool time_steps() {
    for (const auto& live : live_) {
      live->step.options.enter("measure");
      TimingRequest request = live->check->cold_request();
      request.rotation.front().launches = live->launches;
      const auto time = cold(std::move(request), live->rough_us, [&](const Measurement& failed) {
        (void)fail(live->step, failed.status, failed.reason, failed.device_lost);
      });
      if (!time) return false;
      result_.steps.push_back(*time);
    }
    return true;
  }

  // The plan needs a sequence to prepare, though it times only empty kernels; the shortest step
  // takes the least time.
  bool time_gap() {
    std::size_t shortest = 0;
    for (std::size_t i = 1; i < live_.size(); ++i)
      if (result_.steps[i].median_us < result_.steps[shortest].median_us) shortest = i;
    TimingRequest request;
    request.mode = TimingMode::kGap;
    request.rotation = {live_[shortest]->launches};
    const Samples taken =
        device_.plan_timing(std::move(request))->take(kSequenceGapSamples, kSequenceHotTime);
    if (taken.device_lost)
      return fail(live_[shortest]->step, taken.status, taken.reason, taken.device_lost);
    if (taken.status == Status::kOk) result_.gap_us = median(taken.elapsed_us);
    prepare();  // in-outs of that step
    return true;
  }

  bool time_whole() {
    steps_.back().options.enter("measure");
    TimingRequest request;
    request.written_bytes = 0;
    TimedSequence whole(all_);
    double about_us = 0;
    bool repeats = true;
    for (const auto& live : live_) {
      about_us += live->rough_us;
      request.written_bytes += live->check->written_bytes();
      repeats = repeats && live->step.kernel->deterministic;
      const TimedSequence step = live->check->timed_sequence();
      whole.restore.insert(whole.restore.end(), step.restore.begin(), step.restore.end());
      whole.poison.insert(whole.poison.end(), step.poison.begin(), step.poison.end());
      whole.outputs.insert(whole.outputs.end(), step.outputs.begin(), step.outputs.end());
    }
    if (!repeats) whole.outputs.clear();
    request.rotation.push_back(std::move(whole));
    result_.whole = cold(std::move(request), about_us, [&](const Measurement& failed) {
      (void)fail_whole(failed.status, failed.reason, failed.device_lost);
    });
    return result_.whole && outputs_hold("timing");
  }

  // Nothing restores in-out arguments in a chain. The outputs show whether that matters.
  bool time_hot() {
    steps_.back().options.enter("measure");
    prepare();
    TimingRequest request;
    request.mode = TimingMode::kHot;
    request.rotation = {all_};
    const auto plan = device_.plan_timing(std::move(request));
    const Measurement measured = measure_steadily(device_, *plan, kSequenceHalfWidth,
                                                  kMaxSequenceHotSamples, kSequenceHotTime);
    if (measured.device_lost) return fail_whole(measured.status, measured.reason, true);
    if (measured.status != Status::kOk) {
      result_.without_hot = measured.reason;
      return true;
    }
    if (outputs_hold("running it again and again")) {
      result_.hot = measured.time;
      return true;
    }
    if (result_.device_lost) return false;
    result_.without_hot = std::exchange(result_.reason, "");
    result_.status = Status::kOk;
    return true;
  }

  Device& device_;
  const std::vector<SequenceStep>& steps_;
  std::vector<std::unique_ptr<Live>> live_;
  LaunchSequence all_;
  SequenceResult result_;
};

}  // namespace

SequenceResult run_sequence(Device& device, const std::vector<SequenceStep>& steps) {
  WARPWRIGHT_CHECK(!steps.empty(), "a sequence has steps");
  return SequenceRunner(device, steps).run();
}

// Serialization of a sequence for the pipe between processes.

WARPWRIGHT_CODEC(SequenceInput, argument, step, output, first)

WARPWRIGHT_MEMBERS(SequenceResult, io, result) {
  io.named("status", result.status, status_name, parse_status);
  io("reason", result.reason);
  io("device_lost", result.device_lost);
  io("steps", result.steps);
  io("whole", result.whole);
  io("hot", result.hot);
  io("without_hot", result.without_hot);
  io("launches", result.launches);
  io("gap_us", result.gap_us);
}
WARPWRIGHT_CODEC_OF(SequenceResult)

}  // namespace warpwright
