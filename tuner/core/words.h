// Words, lines and lists as people type and read them: kinds of characters, trimming and splitting,
// plurals and lists, "did you mean", assignments, sizes in bytes, and the order of texts that
// contain numbers.
#pragma once

#include <fmt/format.h>

#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpwright {

// Kinds of characters; only ASCII has letters, digits and blanks, whatever the locale.

[[nodiscard]] constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
[[nodiscard]] constexpr bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
// True for the characters of names in most languages: letters, digits and '_'.
[[nodiscard]] constexpr bool is_word(char c) { return is_letter(c) || is_digit(c) || c == '_'; }
// True for spaces, tabs and all characters that end a line.
[[nodiscard]] constexpr bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
// True for one or more digits and nothing else.
[[nodiscard]] bool all_digits(std::string_view text);
// The same for hexadecimal digits in lower case, as hashes have.
[[nodiscard]] bool all_hex_digits(std::string_view text);

// ASCII letters in lower and in upper case; all other bytes are unchanged.
[[nodiscard]] std::string lower(std::string_view text);
[[nodiscard]] std::string upper(std::string_view text);

// The text without the blanks at its start and its end.
[[nodiscard]] std::string_view trim(std::string_view text);
// The parts between the separators, one more than there are separators.
[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);
// The lines without their line ends. No empty line follows the last line end.
[[nodiscard]] std::vector<std::string_view> split_lines(std::string_view text);
// The text up to its first line end: an error's message without the source line below it.
[[nodiscard]] std::string first_line(std::string_view text);

// "1 problem", "3 problems".
template <std::integral Count>
[[nodiscard]] std::string plural(Count count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}
template <std::integral Count>
[[nodiscard]] std::string plural(Count count, std::string_view one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

// "a, b, c".
template <typename Range>
[[nodiscard]] std::string join(const Range& items, std::string_view separator = ", ") {
  return fmt::format("{}", fmt::join(items, separator));
}
// "a, b and c".
[[nodiscard]] std::string join_with_and(std::span<const std::string> items);

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

// Parses "1500000000", "800MiB", "2G" (K, M, G; B or iB may follow); nullopt for anything else.
[[nodiscard]] std::optional<std::uint64_t> parse_byte_count(std::string_view text);

// Compares texts that contain numbers in the order that people expect: "rows=64" before
// "rows=8192". Runs of digits compare by value, at any length; everything else compares by bytes.
// This is a strict weak order in which only equal texts are equivalent.
[[nodiscard]] bool natural_before(std::string_view a, std::string_view b);

}  // namespace warpwright
