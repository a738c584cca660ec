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
#pragma once

#include <map>
#include <string>
#include <vector>

#include "compile/compile_job.h"
#include "records/configuration.h"
#include "records/problem.h"
#include "spec/kernel_spec.h"

namespace warpwright {

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

}  // namespace warpwright
