// The launches of a configuration on a problem, evaluated to numbers: shared by the checks before
// the device is touched and by the trial itself.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compile/compile_job.h"
#include "core/error.h"
#include "core/expr/expr.h"
#include "device/device.h"
#include "records/configuration.h"
#include "records/status.h"
#include "spec/kernel_spec.h"
#include "trial/launch/outcome.h"
#include "trial/numbers/dtype.h"

namespace warpwright {

// The names that every expression of a contract may use: the problem, the parameters (contract
// defaults for those the variant does not have), and `device.<limit>`.
[[nodiscard]] Environment trial_environment(const KernelSpec& kernel,
                                            const Configuration& configuration,
                                            const Problem& problem, const DeviceInfo& device);

// The problem together with the parameters that decide what is computed. Inputs, outputs and
// references are made for it.
[[nodiscard]] Problem shaped_problem(const KernelSpec& kernel, const Configuration& configuration,
                                     const Problem& problem);

// WorkSpec::per, 1 without one. Throws Error (user) unless it is finite and positive.
[[nodiscard]] double units_of_work(const KernelSpec& kernel, const Environment& environment);

// The variant of a configuration. Throws Error (user) when the kernel has no variant of that name.
[[nodiscard]] const VariantSpec& variant_of(const KernelSpec& kernel,
                                            const Configuration& configuration);

// The first constraint that does not hold, with its reason and its place, or nullopt. Throws Error
// (user) when a constraint cannot be evaluated.
[[nodiscard]] std::optional<Error> constraint_error(const KernelSpec& kernel,
                                                    const Configuration& configuration,
                                                    const Problem& problem,
                                                    const DeviceInfo& device);
// Its message.
[[nodiscard]] std::optional<std::string> broken_constraint(const KernelSpec& kernel,
                                                           const Configuration& configuration,
                                                           const Problem& problem,
                                                           const DeviceInfo& device);

struct PlannedLaunch {
  const LaunchSpec* spec = nullptr;
  std::string entry;  // with its template arguments
  std::array<std::int64_t, 3> grid{1, 1, 1};
  std::array<std::int64_t, 3> block{1, 1, 1};
  std::array<std::int64_t, 3> cluster{1, 1, 1};
  std::int64_t shared_bytes = 0;  // dynamic
  std::vector<const ArgumentSpec*> arguments;
  std::vector<const ArgumentSpec*> symbols;  // variables of the module that it reads

  [[nodiscard]] std::int64_t threads() const { return block[0] * block[1] * block[2]; }
};

// Throws Error (user) when an expression cannot be evaluated: a fault of the contract.
[[nodiscard]] std::vector<PlannedLaunch> plan_launches(const KernelSpec& kernel,
                                                       const VariantSpec& variant,
                                                       const Environment& environment);

// The failure reason of a launch that a device cannot run: the limit that was exceeded, and the
// constraint that would have excluded it from the space; `otherwise` ends the advice.
[[nodiscard]] FailureReason limited(const std::string& what, const std::string& constraint,
                                    const std::string& otherwise = "");

// Why the device cannot run this launch, with the constraint that would exclude it; nullopt when it
// can. `resources` may be null when the compiler gave no figures.
[[nodiscard]] std::optional<FailureReason> impossible_launch(const PlannedLaunch& launch,
                                                             const DeviceInfo& device,
                                                             const KernelResources* resources);

// The launches of a configuration, checked against the device's limits before the device is touched
// (block size, shared memory, grid, registers per block). Returns the reason as an Outcome of
// kInvalid, or nullopt when it may run.
[[nodiscard]] std::optional<Outcome> reject_impossible_launch(const KernelSpec& kernel,
                                                              const Configuration& configuration,
                                                              const Problem& problem,
                                                              const DeviceInfo& device,
                                                              const CompileResult& compiled);

// True for arguments that are arrays shared by every configuration of a problem: neither scratch,
// nor a value, nor a tensor map of another array.
[[nodiscard]] bool is_problem_array(ArgumentRole role);
// True for arguments whose content is compared with the reference's: outputs and in-outs.
[[nodiscard]] bool is_validated(ArgumentRole role);

// Whether the contract accepts this remark about the argument on this problem. Throws Error (user)
// when its condition cannot be evaluated.
[[nodiscard]] bool accepts(const ArgumentSpec& argument, RemarkCode code,
                           const Environment& environment);

// A dtype literal, or the choice of the problem that it names. Throws Error (user).
[[nodiscard]] DType argument_dtype(const ArgumentSpec& argument, const Environment& environment);
// The bytes of a kValue argument. Throws Error (user) when the value does not fit its dtype.
[[nodiscard]] std::vector<std::byte> value_bytes(const ArgumentSpec& argument,
                                                 const Environment& environment);

// Everything except the code that a launch of this configuration is given and checked against:
// grid, block, cluster, shared memory, argument values, tensor maps, array shapes, fills of scratch
// and tolerances. Configurations whose code and identity are equal behave identically. Throws Error
// (user) like the functions above.
[[nodiscard]] std::string launch_identity(const KernelSpec& kernel,
                                          const Configuration& configuration,
                                          const Problem& problem, const DeviceInfo& device);

}  // namespace warpwright
