// Prepares a .cu file for a device compiler: host code in the file and its headers is removed where
// the compiler objects to it (host_code.h), and so are host headers. Everything that was removed is
// reported, so that code that was not checked never passes as checked.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "compile/compile_job.h"
#include "core/source_bundle.h"
#include "vet/vet_report.h"

namespace warpwright {

// Compiles one job; may be called several times.
using CompileOne = std::function<CompileResult(CompileJob job)>;

struct DeviceSource {
  SourceTexts texts;              // remaining text of each file
  std::vector<LeftOut> left_out;  // bodies in the order of their marks' numbers (host_code.h)
  std::vector<LeftOut> missing;   // headers that were not found although they are not host headers
  CompileResult compiled;         // result of the last compilation, which may be a failure
};

// `job` gives the source, the folders, the options and `names`; `behind` is appended to the source
// for the compiler only, not to the result. Throws Error (user) when the source is missing.
[[nodiscard]] DeviceSource make_device_source(CompileJob job, const std::string& behind,
                                              const CompileOne& compile);

// Throws Error (user) if the module holds a mark, which means that device code calls a removed
// body.
void require_whole(const CompileResult& compiled, const std::vector<LeftOut>& left_out);

// The compiler option that makes functions without an annotation device functions if they compile.
[[nodiscard]] const std::string& unannotated_is_device();

}  // namespace warpwright
