// A .cu file as a device compiler takes it: host code of it and of its headers is left out, as far
// as the compiler objects to it (host_code.h), and so are headers for the host. All that is left
// out is told, so that nothing is taken for looked at that was not.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "compile/compile_job.h"
#include "core/source_bundle.h"
#include "vet/comments/left_out.h"

namespace warpwright {

// Answers one job; may be asked several times.
using CompileOne = std::function<CompileResult(CompileJob job)>;

struct DeviceSource {
  SourceTexts texts;              // what is left of each file
  std::vector<LeftOut> left_out;  // bodies by the numbers of their marks (host_code.h)
  std::vector<LeftOut> missing;   // headers that nobody has, and that were asked for all the same
  CompileResult compiled;         // the last answer, which may be a failure
};

// `job` names the source, the folders, options and `names`; `behind` is appended to the source for
// the compiler, not to the result. Throws Error (user) when the source is missing.
[[nodiscard]] DeviceSource make_device_source(CompileJob job, const std::string& behind,
                                              const CompileOne& compile);

// Throws Error (user) where the module holds a mark: device code calls a body that was left out.
void require_whole(const CompileResult& compiled, const std::vector<LeftOut>& left_out);

// The option under which functions without an annotation may stay where they compile.
[[nodiscard]] const std::string& unannotated_is_device();

}  // namespace warpwright
