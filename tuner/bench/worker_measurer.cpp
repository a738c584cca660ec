// BenchMeasurer over the workers that sweeps use.
#include <fmt/format.h>

#include <map>
#include <optional>
#include <utility>

#include "bench/run_benchmarks.h"
#include "core/error.h"
#include "trial/timing/measure.h"
#include "workers/measure_slot.h"
#include "workers/watchdog.h"
#include "workers/worker_recipe.h"
#include "workers/worker_world.h"

namespace warpwright {
namespace {

// The number of consecutive workers that may die before one of them accepts a case.
constexpr int kFalseStarts = 3;

// A device has one measuring process here, emulated or not.
WorkerOptions one_measurer() {
  WorkerOptions options;
  options.emulator_workers = 1;
  return options;
}

class WorkerMeasurer : public BenchMeasurer {
 public:
  WorkerMeasurer(const Paths& paths, const DeviceInfo& device)
      : paths_(paths), device_(device), recipe_(paths_, {device_}, one_measurer()) {}

  std::string prepare(const BenchCase& wanted) override {
    if (const auto known = failed_.find(wanted.name); known != failed_.end()) return known->second;
    if (wanted.name == ready_ && (modelled_ || (slot_ && slot_->alive()))) return "";
    ready_.clear();
    modelled_.reset();
    std::string failure = wanted.refused.empty() ? validate(wanted) : wanted.refused;
    if (failure.empty()) {
      ready_ = wanted.name;
    } else {
      failed_[wanted.name] = failure;
    }
    return failure;
  }

  BenchBatch take(int samples) override {
    BenchBatch batch;
    if (modelled_) {
      batch.modelled = true;
      batch.times_us = {modelled_->median_us};
      batch.protocol = modelled_->protocol;
      return batch;
    }
    const MeasureAttempt attempt = slot_->sample(samples);
    batch.failure = failure_of(attempt);
    if (!batch.failure.empty()) return fail(std::move(batch));
    batch.floor_us = attempt.samples->floor_us;
    batch.protocol = attempt.samples->protocol;
    for (const double raw_us : attempt.samples->raw_us)
      batch.times_us.push_back(without_floor(raw_us, batch.floor_us));
    return batch;
  }

  std::string recheck() override {
    if (modelled_) return "";
    const MeasureAttempt attempt = slot_->recheck();
    std::string failure = failure_of(attempt);
    if (!failure.empty()) failed_[ready_] = failure;
    return failure;
  }

 private:
  // "" when the attempt succeeded.
  static std::string failure_of(const MeasureAttempt& attempt) {
    if (attempt.samples) {
      if (attempt.samples->status == Status::kOk) return "";
      return fmt::format("{}: {}", status_name(attempt.samples->status), attempt.samples->reason);
    }
    if (attempt.outcome) {
      if (attempt.outcome->status == Status::kOk) return "";
      return fmt::format("{}: {}", status_name(attempt.outcome->status), attempt.outcome->reason);
    }
    return fmt::format("crashed: the measuring process {}{}", attempt.death,
                       attempt.last_words.empty() ? "" : "; it said: " + attempt.last_words);
  }

  BenchBatch fail(BenchBatch batch) {
    failed_[ready_] = batch.failure;
    return batch;
  }

  // A device has one measuring process, and a process one kernel.
  void open(const KernelSpec& kernel) {
    if (slot_ && kernel_.file == kernel.file) return;
    slot_.reset();
    kernel_ = kernel;
    slot_ = std::make_unique<MeasureSlot>(recipe_.measurers(kernel_, device_));
  }

  std::optional<MeasureRequest> compile(const BenchCase& wanted, std::string& failure) {
    if (!compiler_) {
      compiler_ = std::make_unique<BlockingCompiler>(recipe_.compilers());
    }
    const std::vector<std::filesystem::path> folders = {kernel_.folder, paths_.common_headers()};
    MeasureRequest request;
    CompiledTrial& trial = request.what.emplace<TrialToKeep>().trial;
    trial.configuration = wanted.configuration;
    trial.problem = wanted.problem;
    request.launch_time_limit = launch_time_limit(device_, std::nullopt);
    std::vector<CompileJob> jobs = {
        make_compile_job(kernel_, wanted.configuration, wanted.problem, device_, folders)};
    for (CaseJob& test : case_jobs(kernel_, wanted.configuration, device_, folders)) {
      jobs.push_back(test.job);
      trial.cases.push_back({std::move(test), {}});
    }
    std::vector<CompileResult> results = compiler_->compile(std::move(jobs));
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (!results[i].ok) {
        failure = fmt::format("compile_failed: {}", results[i].failure);
        return std::nullopt;
      }
      strip_for(device_, results[i]);
      (i == 0 ? trial.compiled : trial.cases[i - 1].compiled) = std::move(results[i]);
    }
    return request;
  }

  std::string validate(const BenchCase& wanted) {
    open(*wanted.kernel);
    std::string failure;
    const std::optional<MeasureRequest> request = compile(wanted, failure);
    if (!request) return failure;
    for (int start = 1;; ++start) {
      const MeasureAttempt attempt = slot_->attempt(*request);
      if (!attempt.taken && !attempt.outcome) {
        if (start < kFalseStarts) continue;
        throw environment_error(fmt::format(
            "{} measuring processes died before they took a configuration: {}{}", start,
            attempt.death,
            attempt.last_words.empty() ? "" : "; the last one said: " + attempt.last_words));
      }
      failure = failure_of(attempt);
      if (failure.empty() && attempt.outcome->time) modelled_ = attempt.outcome->time;
      return failure;
    }
  }

  const Paths paths_;
  const DeviceInfo device_;
  const WorkerRecipe recipe_;
  KernelSpec kernel_;  // the kernel of the slot
  std::unique_ptr<BlockingCompiler> compiler_;
  std::unique_ptr<MeasureSlot> slot_;
  std::string ready_;  // name of the kept case
  std::optional<TimeEstimate> modelled_;
  std::map<std::string, std::string> failed_;  // by name
};

}  // namespace

std::unique_ptr<BenchMeasurer> make_worker_measurer(const Paths& paths, const DeviceInfo& device) {
  return std::make_unique<WorkerMeasurer>(paths, device);
}

std::string ask_nvrtc_version(const Paths& paths) {
  WorkerOptions one_compiler;
  one_compiler.compile_workers = 1;
  return CompilePool(WorkerRecipe(paths, {}, one_compiler).compilers(),
                     [](std::uint64_t, CompileResult) {})
      .nvrtc_version();
}

}  // namespace warpwright
