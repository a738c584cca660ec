// A .cu file as a device compiler takes it: host code of it and of its headers is left out, as far
// as the compiler objects to it (host_code.h), and so are headers that nobody has.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "compile/compile_job.h"
#include "core/source_bundle.h"

namespace warpwright {

// Answers one job; may be asked several times.
using CompileOne = std::function<CompileResult(CompileJob job)>;

struct DeviceSource {
  SourceTexts texts;                 // what is left of each file
  std::vector<std::string> without;  // headers that were left out, as named
  CompileResult compiled;            // the last answer, which may be a failure
};

// `job` names the source, the folders, options and `names`; `behind` is appended to the source for
// the compiler, not to the result. Throws Error (user) when the source is missing.
[[nodiscard]] DeviceSource make_device_source(CompileJob job, const std::string& behind,
                                              const CompileOne& compile);

// The option under which functions without an annotation may stay where they compile.
[[nodiscard]] const std::string& unannotated_is_device();

}  // namespace warpwright
