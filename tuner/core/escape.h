// Text of others on its way into files in another language: names, remarks, units and paths may
// hold any bytes, and what is written must hold them as values and as nothing else. Every language
// that is written has its functions here and nowhere else; JSON is nlohmann's, what a terminal
// obeys is terminal_text.h's. tests/fuzz/escape_fuzz_test.cpp has compilers, shells and parsers
// read back what they write.
#pragma once

#include <string>
#include <string_view>

namespace warpwright {

// C and C++, and JSON of characters below 127. In double quotes: reads back whatever it holds.
[[nodiscard]] std::string c_literal(std::string_view text);
// What stands within a comment of either kind: on one line, and unable to end or continue it.
[[nodiscard]] std::string c_comment(std::string_view text);
// JSON for a block comment, which stays the same JSON.
[[nodiscard]] std::string c_comment_json(std::string_view json);
// A C++ literal of several lines for people to read: raw where that holds the text, else as
// c_literal() writes it. The delimiter begins with `delimiter`, of at most 12 characters.
[[nodiscard]] std::string cpp_raw_literal(std::string_view text, std::string_view delimiter);

// An argument of a CMake command: as it is where CMake leaves it alone, else in double quotes,
// where nothing is expanded. A NUL, which CMake cannot hold, is left out.
[[nodiscard]] std::string cmake_word(std::string_view text);
// The value of a line of a .pc file.
[[nodiscard]] std::string pkg_config_text(std::string_view text);

// A word of a POSIX shell: as it is where a shell leaves it alone, else in single quotes. A NUL,
// which no word can hold, is left out.
[[nodiscard]] std::string shell_word(std::string_view text);

// A string of YAML in double quotes. What is not UTF-8, which YAML cannot hold, becomes U+FFFD.
[[nodiscard]] std::string yaml_text(std::string_view text);
// The same without quotes where it is an identifier that YAML takes for nothing else.
[[nodiscard]] std::string yaml_word(std::string_view text);

// Within a line, a heading or a cell of a table: one line that shows as it is, without links,
// mentions and HTML. A line that begins with it may still be taken for a list.
[[nodiscard]] std::string markdown_text(std::string_view text);
// A code span; ends at no row of backticks within the text.
[[nodiscard]] std::string markdown_code(std::string_view text);
// A block of code, each line after `margin`.
[[nodiscard]] std::string markdown_block(std::string_view text, std::string_view margin = "");

// XML and HTML, in content and in attributes with double quotes. `keep_lines` leaves line ends as
// they are, which only content keeps.
[[nodiscard]] std::string xml_text(std::string_view text, bool keep_lines = false);

// Workflow commands of GitHub Actions: the message, or the value of a property.
[[nodiscard]] std::string workflow_text(std::string_view text);
[[nodiscard]] std::string workflow_property(std::string_view text);

}  // namespace warpwright
