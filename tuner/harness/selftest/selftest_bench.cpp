#include "harness/selftest/selftest_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "spec/kernel_spec.h"

namespace warpwright {
namespace {

constexpr int kRuns = 2;
constexpr std::chrono::milliseconds kTakeLimit{2000};

const HarnessSetup::Kernel& place_of(const HarnessSetup& setup, const std::string& name) {
  const auto found = setup.kernels.find(name);
  WARPWRIGHT_CHECK(found != setup.kernels.end(), "the setup names every harness kernel");
  return found->second;
}

}  // namespace

void to_json(nlohmann::json& json, const HarnessSetup& setup) {
  json = {{"device", setup.device},
          {"kernels", nlohmann::json::object()},
          {"common_headers", setup.common_headers.string()},
          {"cache_folder", setup.cache_folder.string()}};
  for (const auto& [name, kernel] : setup.kernels) {
    json["kernels"][name] = {{"file", kernel.file.string()},
                             {"reference_library", kernel.reference_library.string()}};
  }
}

void from_json(const nlohmann::json& json, HarnessSetup& setup) {
  setup.device = json.at("device").get<std::string>();
  for (const auto& [name, kernel] : json.at("kernels").items()) {
    setup.kernels[name] = {kernel.at("file").get<std::string>(),
                           kernel.at("reference_library").get<std::string>()};
  }
  setup.common_headers = json.at("common_headers").get<std::string>();
  setup.cache_folder = json.at("cache_folder").get<std::string>();
}

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

}  // namespace warpwright
