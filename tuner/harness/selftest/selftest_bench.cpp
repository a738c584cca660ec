#include "harness/selftest/selftest_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "records/codec.h"
#include "spec/kernel_spec.h"
#include "stats/median.h"
#include "trial/launch/jobs.h"

namespace warpwright {
namespace {

constexpr int kRuns = 2;
constexpr std::chrono::milliseconds kTakeLimit{2000};

const HarnessSetup::Kernel& place_of(const HarnessSetup& setup, const std::string& name) {
  const auto found = setup.kernels.find(name);
  WARPWRIGHT_CHECK(found != setup.kernels.end(), "the setup names every harness kernel");
  return found->second;
}

using std::chrono::milliseconds;

class Spin : public Subject {
 public:
  Spin(const Bench& bench, double target_us, std::optional<std::int64_t> size) {
    kernel_ = std::make_unique<HarnessKernel>(
        bench, "harness_spin", std::map<std::string, Value>{{"n", 32}}, of_steps(1000));
    const double short_us = kernel_->rough_us(of_steps(kShortSteps));
    const double long_us = kernel_->rough_us(of_steps(kLongSteps));
    rough_step_us_ = (long_us - short_us) / static_cast<double>(kLongSteps - kShortSteps);
    if (!(rough_step_us_ > 0))
      throw environment_error("harness_spin takes no longer with more steps; is this a GPU?");
    size_ = size.value_or(std::max<std::int64_t>(1, std::llround(target_us / rough_step_us_)));
    about_us_ = static_cast<double>(size_) * rough_step_us_;
  }

  Configuration configuration(int slower_permille) const override {
    return of_steps(slower_steps(slower_permille));
  }

  double true_slowdown(int slower_permille) override {
    return static_cast<double>(slower_steps(slower_permille)) / static_cast<double>(size_) - 1;
  }

  // (t(8M) - t(2M)) / 6M with M steps of about 1 ms. The two take turns, so that drift cancels.
  std::vector<double> step_us(int pairs) override {
    const std::int64_t steps_per_ms = std::llround(1000 / rough_step_us_);
    const auto shorter = kernel_->plan(of_steps(2 * steps_per_ms));
    const auto longer = kernel_->plan(of_steps(8 * steps_per_ms));
    std::vector<double> steps_us;
    for (int pair = 0; pair < pairs; ++pair) {
      const double short_us = take_or_throw(*shorter, 1).elapsed_us.front();
      const double long_us = take_or_throw(*longer, 1).elapsed_us.front();
      steps_us.push_back((long_us - short_us) / static_cast<double>(6 * steps_per_ms));
    }
    return steps_us;
  }

 private:
  static constexpr std::int64_t kShortSteps = 20'000;
  static constexpr std::int64_t kLongSteps = 200'000;

  static Configuration of_steps(std::int64_t steps) {
    return {"plain", {{"STEPS", steps}, {"LABEL", 0}}};
  }
  std::int64_t slower_steps(int permille) const {
    return std::llround(static_cast<double>(size_) * (1 + permille / 1000.0));
  }

  double rough_step_us_ = 0;
};

class Stream : public Subject {
 public:
  Stream(const Bench& bench, double target_us, std::optional<std::int64_t> size) {
    size_ = size ? *size : rows_for(bench, target_us);
    kernel_ = open(bench, size_);
    about_us_ = target_us;
  }

  Configuration configuration(int slower_permille) const override {
    return slower(slower_permille);
  }

  double true_slowdown(int slower_permille) override {
    constexpr double kHalfWidth = 0.001;
    constexpr int kMax = 1000;
    constexpr milliseconds kTime{1000};
    const auto median_us = [&](int permille) {
      const auto plan = kernel_->plan(slower(permille));
      return measure_or_throw(kernel_->device(), *plan, kHalfWidth, kMax, kTime).time->median_us;
    };
    const double before_us = median_us(0);
    const double slower_us = median_us(slower_permille);
    // The mean of the readings before and after also contains the drift.
    return slower_us / (0.5 * (before_us + median_us(0))) - 1;
  }

 private:
  // Both sizes are far larger than any L2, so that an extra row costs memory bandwidth.
  static constexpr std::int64_t kFewRows = 1 << 15;
  static constexpr std::int64_t kManyRows = 1 << 17;

  static Configuration slower(int permille) {
    return {"copy", {{"THREADS", 512}, {"BLOCKS_PER_SM", 2}, {"EXTRA", permille}}};
  }
  static std::unique_ptr<HarnessKernel> open(const Bench& bench, std::int64_t rows) {
    return std::make_unique<HarnessKernel>(bench, "harness_stream",
                                           std::map<std::string, Value>{{"rows", rows}}, slower(0));
  }
  static std::int64_t rows_for(const Bench& bench, double target_us) {
    constexpr int kSamples = 10;
    const auto median_us = [&](std::int64_t rows) {
      const auto kernel = open(bench, rows);
      return median(take_or_throw(*kernel->plan(slower(0)), kSamples).elapsed_us);
    };
    const double row_us =
        (median_us(kManyRows) - median_us(kFewRows)) / static_cast<double>(kManyRows - kFewRows);
    if (!(row_us > 0))
      throw environment_error("harness_stream takes no longer with more rows; is this a GPU?");
    return std::max<std::int64_t>(1, std::llround(target_us / row_us));
  }
};

}  // namespace

WARPWRIGHT_CODEC(HarnessSetup::Kernel, file, reference_library)
WARPWRIGHT_CODEC(HarnessSetup, device, kernels, common_headers, cache_folder)

HarnessKernel::HarnessKernel(const Bench& bench, const std::string& name, const Problem& problem,
                             const Configuration& as)
    : device_(bench.device), kernel_(read_kernel(place_of(bench.setup, name).file)) {
  const HarnessSetup& setup = bench.setup;
  options_.reference_include = setup.common_headers;
  options_.cache_folder = setup.cache_folder;
  std::filesystem::path library = place_of(setup, name).reference_library;
  if (library.empty()) {
    library = build_reference(kernel_.reference.source, setup.common_headers,
                              setup.cache_folder / kObjectsFolder);
  }
  reference_ = std::make_unique<Reference>(library, kernel_.reference.source);
  store_ = std::make_unique<ReferenceStore>(setup.cache_folder / kAnswersFolder);

  ProblemRequest request;
  request.problem = complete_problem(kernel_, problem, {});
  request.title = describe_problem(kernel_, request.problem);
  const CompileResult compiled = bench.compile(make_compile_job(
      kernel_, as, request.problem, device_.info(), {kernel_.folder, setup.common_headers}));
  if (!compiled.ok)
    throw environment_error(fmt::format("{} does not compile: {}", name, compiled.failure));
  Device::Loaded loaded = device_.load(compiled);
  if (!loaded.module)
    throw environment_error(fmt::format("{} cannot be loaded: {}", name, loaded.failure.reason));
  module_ = std::move(loaded.module);
  data_ = std::make_unique<ProblemData>(kernel_, device_, options_, *reference_, *store_,
                                        std::move(request));
}

const LaunchSequence& HarnessKernel::launches(const Configuration& configuration) {
  std::unique_ptr<TrialValidation>& check = checks_[configuration];
  if (!check) {
    check = std::make_unique<TrialValidation>(kernel_, device_, options_, configuration, *data_,
                                              module_);
    const ValidationReport report = check->verify(kRuns);
    if (report.status != Status::kOk) {
      throw environment_error(fmt::format("{} {} on {}: {}: {}", kernel_.name,
                                          configuration.to_string(), device_.info().id,
                                          status_name(report.status), report.reason));
    }
    check->note_outputs();
  }
  return check->launches();
}

std::unique_ptr<TimingPlan> HarnessKernel::plan(const Configuration& configuration,
                                                TimingMode mode) {
  (void)launches(configuration);  // checked
  TimingRequest request = checks_.at(configuration)->cold_request();
  request.mode = mode;
  // The harness' kernels have no in-out arguments, so chains of them have nothing to restore.
  if (mode == TimingMode::kHot || mode == TimingMode::kSlope)
    for (TimedSequence& sequence : request.rotation) sequence.restore.clear();
  return device_.plan_timing(std::move(request));
}

double HarnessKernel::rough_us(const Configuration& configuration) {
  const LaunchSequence& sequence = launches(configuration);
  double shortest_us = std::numeric_limits<double>::infinity();
  for (int run = 0; run < kRuns; ++run) {
    const LaunchResult result = device_.launch(sequence, {options_.launch_time_limit, 0, 1});
    if (result.status != Status::kOk) throw environment_error(result.reason);
    shortest_us = std::min(shortest_us, result.elapsed_us);
  }
  return shortest_us;
}

Samples take_or_throw(TimingPlan& plan, int samples) {
  Samples taken = plan.take(samples, kTakeLimit);
  if (taken.status != Status::kOk)
    throw environment_error("taking samples of time: " + taken.reason);
  return taken;
}

Measurement measure_or_throw(Device& device, TimingPlan& plan, double half_width, int most,
                             std::chrono::milliseconds time_limit) {
  Measurement measured = measure_steadily(device, plan, half_width, most, time_limit);
  if (measured.status == Status::kNoisy)
    measured = measure_steadily(device, plan, half_width, most, time_limit);
  if (measured.status != Status::kOk)
    throw environment_error(fmt::format("no time could be taken: {}: {}",
                                        status_name(measured.status), measured.reason));
  return measured;
}

std::unique_ptr<Subject> Subject::make(const Bench& bench, const std::string& kernel,
                                       double target_us, std::optional<std::int64_t> size) {
  bench.device.warm_up();
  if (kernel == "spin") return std::make_unique<Spin>(bench, target_us, size);
  WARPWRIGHT_CHECK(kernel == "stream", "a subject is spin or stream");
  return std::make_unique<Stream>(bench, target_us, size);
}

}  // namespace warpwright
