// Escapes untrusted text for files in other languages: names, remarks, units and paths may contain
// any bytes, and the output must carry them as values and as nothing else. The functions for every
// output language are here and nowhere else, except that nlohmann writes JSON and terminal_text.h
// handles terminal control characters. tests/fuzz/escape_fuzz_test.cpp has compilers, shells and
// parsers read back what these functions write.
#pragma once

#include <string>
#include <string_view>

namespace warpwright {

// A string literal for C, C++ and, if all characters are below 127, JSON, with its double quotes.
// Any content reads back unchanged.
[[nodiscard]] std::string c_literal(std::string_view text);
// Text for a comment of either kind: it stays on one line and can neither end nor continue the
// comment.
[[nodiscard]] std::string c_comment(std::string_view text);
// Escapes JSON for a block comment without changing its value.
[[nodiscard]] std::string c_comment_json(std::string_view json);
// A readable C++ literal of several lines: a raw string if that can hold the text, otherwise as
// c_literal() writes it. The raw string's delimiter begins with `delimiter`, which has at most 12
// characters.
[[nodiscard]] std::string cpp_raw_literal(std::string_view text, std::string_view delimiter);

// An argument of a CMake command: unquoted if CMake reads it unchanged, otherwise in double quotes
// without expansion. NUL characters, which CMake cannot represent, are dropped.
[[nodiscard]] std::string cmake_word(std::string_view text);
// The value in a line of a .pc file.
[[nodiscard]] std::string pkg_config_text(std::string_view text);

// A word of a POSIX shell: unquoted if a shell reads it unchanged, otherwise in single quotes. NUL
// characters, which no word can contain, are dropped.
[[nodiscard]] std::string shell_word(std::string_view text);

// A double-quoted YAML string. Bytes that are not UTF-8, which YAML cannot represent, become
// U+FFFD.
[[nodiscard]] std::string yaml_text(std::string_view text);
// The same, but without quotes if the text is an identifier that YAML reads as a string.
[[nodiscard]] std::string yaml_word(std::string_view text);

// Text for a line, a heading or a table cell: one line that is displayed literally, without links,
// mentions or HTML. A line that begins with it may still be read as a list item.
[[nodiscard]] std::string markdown_text(std::string_view text);
// A code span; its fence is longer than any run of backticks in the text.
[[nodiscard]] std::string markdown_code(std::string_view text);
// A code block; each line is preceded by `margin`.
[[nodiscard]] std::string markdown_block(std::string_view text, std::string_view margin = "");

// XML and HTML, for content and for attributes in double quotes. With `keep_lines`, line ends are
// written unchanged, which only content preserves.
[[nodiscard]] std::string xml_text(std::string_view text, bool keep_lines = false);

// Workflow commands of GitHub Actions: the message, or the value of a property.
[[nodiscard]] std::string workflow_text(std::string_view text);
[[nodiscard]] std::string workflow_property(std::string_view text);

}  // namespace warpwright
