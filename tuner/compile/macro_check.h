// Checks that a source does not redefine the macros that a job passes to it. A source that defines
// a tunable itself compiles to the same code for every value of it, and would be measured as if it
// did not.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compile/compile_job.h"

namespace warpwright {

// Returns directives to append to the source, which fail if a macro with an integer value has
// another value by then. They generate no code. A macro that is undefined at the end of the source
// is not checked.
[[nodiscard]] std::string macro_checks(const CompileJob& job);

// Given the log of a compilation with macro_checks(), returns the failure with the line of the
// #define, or nullopt if every macro kept its value. `files` are the job's files.
[[nodiscard]] std::optional<std::string> replaced_macro(std::string_view log, const CompileJob& job,
                                                        const std::vector<SourceFile>& files);

// Returns the failure if a macro of the job has broken the compiler's own headers, which use short
// names themselves; nullopt if the log shows nothing of the kind.
[[nodiscard]] std::optional<std::string> broken_headers(std::string_view log,
                                                        const CompileJob& job);

}  // namespace warpwright
