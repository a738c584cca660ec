#include "trial/trial_steps.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "core/hash.h"
#include "trial/launch/launch_plan.h"

namespace warpwright {

Reference make_reference(const KernelSpec& kernel, const TrialOptions& options,
                         std::optional<TemporaryFolder>& own_folder) {
  if (kernel.launch_only) return {};
  std::filesystem::path library = options.reference_library;
  if (library.empty()) {
    if (options.cache_folder.empty()) own_folder.emplace("warpwright-reference");
    const std::filesystem::path cache =
        own_folder ? own_folder->path() : options.cache_folder / kObjectsFolder;
    library = build_reference(kernel.reference.source, options.reference_include, cache,
                              texts_of(kernel));
  }
  return {library, kernel.reference.source};
}

std::filesystem::path answers_folder(const TrialOptions& options) {
  return options.cache_folder.empty() ? std::filesystem::path()
                                      : options.cache_folder / kAnswersFolder;
}

void fail(Outcome& outcome, Status status, std::string reason, FailureDetail detail) {
  outcome.status = status;
  outcome.reason = std::move(reason);
  outcome.detail = std::move(detail);
  outcome.time.reset();
}

std::string content_hash(const CompileResult& compiled) {
  return sha256_hex(compiled.cubin.empty() ? compiled.ptx : compiled.cubin);
}

bool compiled_or_fail(const CompileResult& compiled, Outcome& outcome) {
  if (compiled.ok) return true;
  fail(outcome, compiled.by_machine ? Status::kNotCompiled : Status::kCompileFailed,
       compiled.failure.empty() ? "the compiler gave no reason" : compiled.failure);
  return false;
}

bool possible_or_fail(const KernelSpec& kernel, const Configuration& configuration,
                      const Problem& problem, const Device& device, const CompileResult& compiled,
                      Outcome& outcome) {
  const std::optional<Outcome> impossible =
      reject_impossible_launch(kernel, configuration, problem, device.info(), compiled);
  if (impossible) fail(outcome, impossible->status, impossible->reason, impossible->detail);
  return !impossible;
}

std::shared_ptr<const DeviceModule> load_or_fail(Device& device, const CompileResult& compiled,
                                                 Outcome& outcome, const SyncSite* without) {
  Device::Loaded loaded =
      without == nullptr ? device.load(compiled) : device.load_without(*without, compiled);
  if (!loaded.module) {
    fail(outcome, loaded.failure.status, loaded.failure.reason, loaded.failure.detail);
    outcome.worker_lost = loaded.failure.device_lost;
  }
  return loaded.module;
}

ValidationReport verify_other(const KernelSpec& kernel, Device& device,
                              const Configuration& configuration, ProblemInputs& inputs,
                              const std::shared_ptr<const DeviceModule>& module) {
  ProblemData* other = inputs.other();
  if (other == nullptr) return {};
  TrialValidation check(kernel, device, inputs.other_options(), configuration, *other, module);
  ValidationReport report = check.verify_once();
  if (report.status != Status::kOk) {
    report.reason =
        fmt::format("with the inputs of seed {}: {}", inputs.other_options().seed, report.reason);
  }
  return report;
}

}  // namespace warpwright
