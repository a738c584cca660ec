// Parses the output of NVRTC and ptxas: resource figures, the first error in one sentence, the
// ptxas remarks which mean that a kernel does not do what its source says, and failed
// static_asserts that compare a source's requirement with a macro that is defined outside of the
// source.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compile/compile_job.h"

namespace warpwright {

// Returns the figures of every entry in the output of `ptxas -v`, in its order.
[[nodiscard]] std::vector<KernelResources> parse_resources(std::string_view log);

// Returns the first error and the number of errors: `a.cu:12: error: identifier "foo" is undefined
// (2 errors in all)`. An error in a header that `source` instantiates ends in `, from a.cu:40`. A
// ptxas error is given at the source line that `ptx`, which may be incomplete or empty, names for
// it. nullopt when the log contains no error.
[[nodiscard]] std::optional<std::string> first_error(std::string_view log, std::string_view source,
                                                     std::string_view ptx);

// Returns the warnings of the front end, each once and without its number: `a.cu:12: warning:
// variable "n" was declared but never referenced`. At most 20, and none in the toolkit's own
// headers.
[[nodiscard]] std::vector<std::string> front_end_warnings(std::string_view log);

// Some kernels are compiled by ptxas with a mere remark although measuring them would measure
// something else: those whose wgmma was serialised (C7510 and related remarks) or whose setmaxnreg
// was ignored (C7508). Returns a sentence, or nullopt when there is no such remark.
[[nodiscard]] std::optional<std::string> broken_promise(std::string_view log);

// Given the log of a failed compilation, returns text to add to the failure: the first of
// `promises` whose macro appears in a failed static_assert, that assertion, and what to do; "" when
// there is none. Files that the log names are looked up among the job's `files` and nowhere else.
[[nodiscard]] std::string broken_assertion(std::string_view log,
                                           const std::vector<MacroPromise>& promises,
                                           const std::vector<SourceFile>& files = {});

}  // namespace warpwright
