// Words as people type them and expect them: "did you mean", assignments, and the order of texts
// that contain numbers.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpwright {

// "did you mean": the nearest known word by edit distance, for messages.

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

// Parses sizes and parameters as people type them: "rows=8192 V=50257" and "rows=8192,V=50257".

// Splits the text at blanks, and at commas followed by NAME= or nothing; any other comma belongs to
// a value. The caller decides whether a word is a valid NAME=VALUE.
[[nodiscard]] std::vector<std::string> assignment_words(std::string_view text);
// Splits all texts, in order. A text without a word is kept unchanged, so that its parser rejects
// it.
[[nodiscard]] std::vector<std::string> assignment_words(const std::vector<std::string>& texts);

// Compares texts that contain numbers in the order that people expect: "rows=64" before
// "rows=8192". Runs of digits compare by value, at any length; everything else compares by bytes.
// This is a strict weak order in which only equal texts are equivalent.
[[nodiscard]] bool natural_before(std::string_view a, std::string_view b);

}  // namespace warpwright
