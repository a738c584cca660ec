// Reads `// vet:` comments into launches:
//
//     // vet: n = 1024                         a constant; --set n=17 changes it
//     // vet: float x[n] = iota                memory, with what it holds before the first launch
//     // vet: saxpy<<<(n + 255) / 256, 256>>>(x, y[n], 2.0f, n)
//     // vet: deterministic                    results must not depend on the schedule
//
// Each comment that launches something has memory of its own; what a comment without launches says
// holds for those below it. tuner/vet/comments/README.md has the whole of it.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "vet/comments/launch_comment.h"

namespace warpwright {

// `file` is what messages name; `given` replaces constants of these names. Empty when the source
// has no launch comment. Throws Error (user) at the place of what it cannot read.
[[nodiscard]] std::vector<LaunchComment> read_launch_comments(
    std::string_view source, const std::string& file, const std::map<std::string, Value>& given);

// Numbers without the letters behind them that expressions do not know ("2.5f", "10ull"), blanks in
// their place.
[[nodiscard]] std::string without_suffixes(std::string_view text);

}  // namespace warpwright
