// Explains a failed static_assert that compares what a source needs with what a macro says from
// outside: the compiler only knows the source's side.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compile/compile_job.h"

namespace warpwright {

// From the log of a failed compilation: text to add to the failure, with the first of `promises`
// whose macro appears in a failed static_assert, that assertion, and what to do; "" when there is
// none. Files that the log names are looked up among the `files` of the job, and nowhere else.
[[nodiscard]] std::string broken_assertion(std::string_view log,
                                           const std::vector<MacroPromise>& promises,
                                           const std::vector<SourceFile>& files = {});

}  // namespace warpwright
