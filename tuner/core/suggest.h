// "did you mean": the nearest known word by edit distance, for messages.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace warpwright {

// Optimal-string-alignment distance: insertions, deletions, substitutions and swaps of neighbours
// cost one each.
[[nodiscard]] int edit_distance(std::string_view a, std::string_view b);

// The nearest of `known` if it is close enough to be a plausible typo, ignoring case; the first one
// in case of ties.
[[nodiscard]] std::optional<std::string> nearest(std::string_view word,
                                                 std::span<const std::string> known);

// "; did you mean 'THREADS'?" or, if nothing is near, "; known: a, b, c" (at most 12, then "..."),
// or "".
[[nodiscard]] std::string suggestion(std::string_view word, std::span<const std::string> known);

}  // namespace warpwright
