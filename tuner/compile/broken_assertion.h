// Explains a failed static_assert that compares a source's requirement with a macro that is defined
// outside of the source: the compiler's message shows only the source's side.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compile/compile_job.h"

namespace warpwright {

// Given the log of a failed compilation, returns text to add to the failure: the first of
// `promises` whose macro appears in a failed static_assert, that assertion, and what to do; "" when
// there is none. Files that the log names are looked up among the job's `files` and nowhere else.
[[nodiscard]] std::string broken_assertion(std::string_view log,
                                           const std::vector<MacroPromise>& promises,
                                           const std::vector<SourceFile>& files = {});

}  // namespace warpwright
