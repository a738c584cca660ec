// Scans the lexical structure of C++ as device compilers read it: the positions of comments, quotes
// and directives, with support for joined lines, digraphs and raw strings. No preprocessor runs,
// so both branches of an #if count. If compilers disagree on whether something is a directive, it
// counts as one. Takes linear time.
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

// In source order.
[[nodiscard]] std::vector<CppComment> find_comments(std::string_view source);

// Replaces comments, the content of quotes, and directives by blanks. The result has the same
// length and the same line ends as the source.
[[nodiscard]] std::string code_alone(std::string_view source);

// A directive as one line, without comments and joined line ends, each of which leaves at most one
// blank.
struct CppDirective {
  std::string text;               // "#define HD __device__"; a digraph counts as #
  std::vector<std::size_t> from;  // source offset of each character of `text`, and of its end

  // The first word, such as "define"; "" if there is none.
  [[nodiscard]] std::string_view word() const;
  // The text after the first word, without leading blanks.
  [[nodiscard]] std::string_view rest() const;
  // Maps a part of `text` to its position in the source.
  [[nodiscard]] std::size_t place(std::string_view part) const {
    return from[static_cast<std::size_t>(part.data() - text.data())];
  }
};
[[nodiscard]] std::vector<CppDirective> find_directives(std::string_view source);

// Replaces by a blank every slash that looks like the start of a comment within a comment:
// compilers warn about each one and quote its line. The result has the same length and the same
// line ends as the source.
[[nodiscard]] std::string without_nested_comments(std::string_view source);

// Decodes the text between the quotes of a C or PTX string literal: "M\\303\\274ller" contains a u
// with two dots.
[[nodiscard]] std::string without_escapes(std::string_view quoted);

}  // namespace warpwright
