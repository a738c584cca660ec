// The lexical shape of C++: where comments, quotes and directives are. No preprocessor runs, so
// both sides of an #if count.
#pragma once

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
// Directives alone, each with its continued lines joined by a blank: "#define HD __device__".
[[nodiscard]] std::vector<std::string> find_directives(std::string_view source);

}  // namespace warpwright
