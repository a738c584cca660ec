// Reads `// vet:` comments into launches:
//
//     // vet: n = 1024                         a constant; --set n=17 changes it
//     // vet: float x[n] = iota                memory, with its content before the first launch
//     // vet: saxpy<<<(n + 255) / 256, 256>>>(x, y[n], 2.0f, n)
//     // vet: deterministic                    results must not depend on the schedule
//
// Each comment that launches something has its own memory; the statements of a comment without
// launches apply to all comments below it. The full syntax is in tuner/vet/comments/README.md.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "vet/comments/launch_comment.h"

namespace warpwright {

// Messages refer to the source as `file`; `given` replaces the constants of these names. The result
// is empty when the source has no launch comment. Throws Error (user) at the place of anything that
// it cannot read.
[[nodiscard]] std::vector<LaunchComment> read_launch_comments(
    std::string_view source, const std::string& file, const std::map<std::string, Value>& given);

// Replaces the suffixes of numbers ("2.5f", "10ull"), which expressions do not support, with
// blanks.
[[nodiscard]] std::string without_suffixes(std::string_view text);

}  // namespace warpwright
