// Whether a source leaves the macros alone that a job gives it. One that defines a tunable itself
// compiles to the same code whatever the tunable's value is, and would be measured as if it did
// not.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compile/compile_job.h"

namespace warpwright {

// Directives to put after the source: they fail where a macro whose value is an integer has another
// one by then. Makes no code. A macro that the source has undefined by its end is not looked at.
[[nodiscard]] std::string macro_checks(const CompileJob& job);

// From the log of a compilation with macro_checks(): the failure, with the line of the #define;
// nullopt when every macro is as it was given. `files` are the job's.
[[nodiscard]] std::optional<std::string> replaced_macro(std::string_view log, const CompileJob& job,
                                                        const std::vector<SourceFile>& files);

// The failure when a macro of the job has broken the compiler's own headers, which use short names
// themselves; nullopt when the log says nothing of the kind.
[[nodiscard]] std::optional<std::string> broken_headers(std::string_view log,
                                                        const CompileJob& job);

}  // namespace warpwright
