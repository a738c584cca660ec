// Turns a configuration and a problem into jobs for the compiler: macros, options, and the contract
// cases that the configuration can run.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "compile/compile_job.h"
#include "records/configuration.h"
#include "records/device_info.h"
#include "spec/kernel_spec.h"

namespace warpwright {

// The dynamic shared memory that kernel.yaml gives a launch, as macros that its source can check
// against what it needs:
//   #ifdef WARPWRIGHT_SHARED_BYTES
//   static_assert(sizeof(Shared) == WARPWRIGHT_SHARED_BYTES);
//   #endif
// A launch counts when it has `shared` and everything that `shared` depends on is compiled in:
// parameters and problem sizes with a macro. When the counting launches of a variant agree and none
// that has `shared` is left out, the macro has this name; otherwise each entry has a macro of its
// own, WARPWRIGHT_SHARED_BYTES_<entry>, unless two launches of it differ. Whether they agree may
// depend on the configuration, so a difference fails one configuration, like any other error that
// the compiler finds.
inline constexpr const char* kSharedBytesMacro = "WARPWRIGHT_SHARED_BYTES";

// The name and value of a macro; `says` describes its meaning and its place in the contract.
struct SharedBytesDefine {
  std::string name;
  std::string value;
  std::string says;
};

[[nodiscard]] std::vector<SharedBytesDefine> shared_bytes_defines(
    const KernelSpec& kernel, const VariantSpec& variant, const Configuration& configuration,
    const Problem& problem);

// -D macros of a configuration on a problem: parameters, then problem sizes that have a macro.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> compile_defines(
    const KernelSpec& kernel, const Configuration& configuration, const Problem& problem);

// The compile job of a configuration on one problem; its macros are compile_defines() and
// shared_bytes_defines(), which only the tuner's own compilations have. Cases whose macros differ
// from the problem's need jobs of their own.
[[nodiscard]] CompileJob make_compile_job(
    const KernelSpec& kernel, const Configuration& configuration, const Problem& problem,
    const DeviceInfo& device, const std::vector<std::filesystem::path>& include_folders);

// A contract case that this configuration can run (the constraints hold on the case's problem),
// with its compile job.
struct CaseJob {
  std::string name;
  Problem problem;  // completed
  std::map<std::string, std::string> fills;
  CompileJob job;
};
// A case that the constraints exclude.
struct SkippedCase {
  std::string name;
  std::string reason;  // the constraint that does not hold
};
// The cases of the contract in order; `skipped` (when given) receives the others.
[[nodiscard]] std::vector<CaseJob> case_jobs(
    const KernelSpec& kernel, const Configuration& configuration, const DeviceInfo& device,
    const std::vector<std::filesystem::path>& include_folders,
    std::vector<SkippedCase>* skipped = nullptr);

}  // namespace warpwright
