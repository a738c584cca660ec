// Steps that a trial of a problem and one of a case have in common. What decides the outcome is
// written into it; the step's value says so.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "compile/compile_job.h"
#include "core/expr/value.h"
#include "core/files.h"
#include "device/device.h"
#include "records/configuration.h"
#include "records/problem.h"
#include "spec/kernel_spec.h"
#include "trial/data/problem_inputs.h"
#include "trial/outcome.h"
#include "trial/reference/reference.h"
#include "trial/trial_runner.h"
#include "trial/validation/trial_validation.h"

namespace warpwright {

// The reference of a kernel, without one for a launch contract. It is built in the cache, or in a
// folder of its own, which must outlive it, where there is no cache.
[[nodiscard]] Reference make_reference(const KernelSpec& kernel, const TrialOptions& options,
                                       std::optional<TemporaryFolder>& own_folder);

// Where answers of references are kept; empty where there is no cache.
[[nodiscard]] std::filesystem::path answers_folder(const TrialOptions& options);

// Keeps what is known of the configuration and drops what belongs to an outcome that succeeded.
void fail(Outcome& outcome, Status status, std::string reason, FailureDetail detail = {});

// SHA-256 of what a device runs: machine code, or PTX where there is none.
[[nodiscard]] std::string content_hash(const CompileResult& compiled);

// False when no compiler accepted it.
[[nodiscard]] bool compiled_or_fail(const CompileResult& compiled, Outcome& outcome);

// False when the device's limits forbid its launches.
[[nodiscard]] bool possible_or_fail(const KernelSpec& kernel, const Configuration& configuration,
                                    const Problem& problem, const Device& device,
                                    const CompileResult& compiled, Outcome& outcome);

// Null when the device does not take it.
[[nodiscard]] std::shared_ptr<const DeviceModule> load_or_fail(Device& device,
                                                               const CompileResult& compiled,
                                                               Outcome& outcome);

// What inputs of another seed show, where there are any.
[[nodiscard]] ValidationReport verify_other(const KernelSpec& kernel, Device& device,
                                            const Configuration& configuration,
                                            ProblemInputs& inputs,
                                            const std::shared_ptr<const DeviceModule>& module);

}  // namespace warpwright
