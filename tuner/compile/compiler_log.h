// Reads what NVRTC and ptxas say: resource figures, the first error in one sentence, and ptxas
// remarks which mean that a kernel does not do what its source says.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compile/compile_job.h"

namespace warpwright {

// The figures of every entry in the output of `ptxas -v`, in its order.
[[nodiscard]] std::vector<KernelResources> parse_resources(std::string_view log);

// The first error and how many there are: `a.cu:12: error: identifier "foo" is undefined (2 errors
// in all)`. An error in a header that `source` instantiates ends in `, from a.cu:40`. An error of
// ptxas is given at the source line that `ptx` (as far as it got; may be empty) names for it.
// nullopt when the log names no error.
[[nodiscard]] std::optional<std::string> first_error(std::string_view log, std::string_view source,
                                                     std::string_view ptx);

// What the front end warns about, each once, without its numbers: `a.cu:12: warning: variable "n"
// was declared but never referenced`. At most 20, and none of the toolkit's own headers.
[[nodiscard]] std::vector<std::string> front_end_warnings(std::string_view log);

// ptxas compiles these with a mere remark, and the kernel then measures something else: wgmma that
// was serialised (C7510 and its kin) and setmaxnreg that was ignored (C7508). A sentence, or
// nullopt when there is none.
[[nodiscard]] std::optional<std::string> broken_promise(std::string_view log);

}  // namespace warpwright
