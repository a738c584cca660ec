// The lexical shape of C++ as device compilers read it: where comments, quotes and directives are,
// through spliced lines, digraphs and raw strings. No preprocessor runs, so both sides of an #if
// count. Where compilers differ, what may be a directive counts as one. Linear in the source.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace warpwright {

struct CppComment {
  std::string_view text;  // between its delimiters
  int line = 0;           // of the text's first character, counted from 1
  int column = 0;
  bool is_block = false;      // /* */
  bool stands_alone = false;  // nothing but blanks before it on its line
};

// In the file's order.
[[nodiscard]] std::vector<CppComment> find_comments(std::string_view source);

// The text with blanks in the place of comments, of what stands in quotes and of directives; as
// long as the source, with its line ends.
[[nodiscard]] std::string code_alone(std::string_view source);

// A directive as one line: without comments and spliced line ends, which leave a blank, if any.
struct CppDirective {
  std::string text;               // "#define HD __device__"; a digraph counts as #
  std::vector<std::size_t> from;  // where each character of `text` stands, and its end, in source

  // The first word, "define"; "" where there is none.
  [[nodiscard]] std::string_view word() const;
  // What follows the first word, without blanks in front.
  [[nodiscard]] std::string_view rest() const;
  // Where a part of `text` stands in the source.
  [[nodiscard]] std::size_t place(std::string_view part) const {
    return from[static_cast<std::size_t>(part.data() - text.data())];
  }
};
[[nodiscard]] std::vector<CppDirective> find_directives(std::string_view source);

// The text with a blank in the place of every slash that seems to begin a comment within a comment:
// compilers warn of each, and quote its line. As long as the source, with its line ends.
[[nodiscard]] std::string without_nested_comments(std::string_view source);

// What the text between the quotes of a string of C or PTX stands for: "M\\303\\274ller" has a u
// with two dots.
[[nodiscard]] std::string without_escapes(std::string_view quoted);

}  // namespace warpwright
