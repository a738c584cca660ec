// complete_problem() for callers that have the position of each size.
#pragma once

#include <map>
#include <string>

#include "core/error.h"
#include "core/expr/value.h"
#include "spec/kernel_spec.h"

namespace warpwright {

// As complete_problem(). Errors about one size point to its entry in `places`, or to `where` if it
// has none.
[[nodiscard]] std::map<std::string, Value> complete_problem_at(
    const KernelSpec& kernel, const std::map<std::string, Value>& given,
    const SourcePosition& where, const std::map<std::string, SourcePosition>& places);

}  // namespace warpwright
