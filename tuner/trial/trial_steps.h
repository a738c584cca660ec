// Steps that a trial of a problem and a trial of a case have in common. A step that decides the
// outcome writes the reason into it, and its return value reports this.
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
#include "spec/kernel_spec.h"
#include "trial/data/problem_inputs.h"
#include "trial/launch/outcome.h"
#include "trial/launch/trial_options.h"
#include "trial/reference/reference.h"
#include "trial/validation/trial_validation.h"

namespace warpwright {

// The reference of a kernel; an empty one for a launch contract. It is built in the cache, or in a
// folder of its own, which must outlive it, where there is no cache.
[[nodiscard]] Reference make_reference(const KernelSpec& kernel, const TrialOptions& options,
                                       std::optional<TemporaryFolder>& own_folder);

// The folder in which answers of references are kept; empty without a cache.
[[nodiscard]] std::filesystem::path answers_folder(const TrialOptions& options);

// Turns the outcome into a failure: keeps the data about the configuration and drops the fields
// that belong to a success.
void fail(Outcome& outcome, Status status, std::string reason, FailureDetail detail = {});

// SHA-256 of the code that a device runs: machine code, or PTX if there is none.
[[nodiscard]] std::string content_hash(const CompileResult& compiled);

// Returns false when the compiler did not accept it.
[[nodiscard]] bool compiled_or_fail(const CompileResult& compiled, Outcome& outcome);

// Returns false when the device's limits forbid its launches.
[[nodiscard]] bool possible_or_fail(const KernelSpec& kernel, const Configuration& configuration,
                                    const Problem& problem, const Device& device,
                                    const CompileResult& compiled, Outcome& outcome);

// Returns null when the device does not load it. `without`: a site to leave out.
[[nodiscard]] std::shared_ptr<const DeviceModule> load_or_fail(Device& device,
                                                               const CompileResult& compiled,
                                                               Outcome& outcome,
                                                               const SyncSite* without = nullptr);

// Validates one run on the inputs of another seed, if there are any.
[[nodiscard]] ValidationReport verify_other(const KernelSpec& kernel, Device& device,
                                            const Configuration& configuration,
                                            ProblemInputs& inputs,
                                            const std::shared_ptr<const DeviceModule>& module);

}  // namespace warpwright
