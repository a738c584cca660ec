// Finds the comments of a .cu file that are addressed to `vet`:
//
//     // vet: n = 1024
//     // vet: saxpy<<<4, 256>>>(x[n],
//     //                        y[n], n)
//
// Consecutive lines that hold only a comment form one comment. A line without `vet:` continues the
// statement above it while that has an open bracket or ends in a comma; otherwise it is prose. All
// of /* vet: ... */ is addressed to `vet`.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"

namespace warpwright {

// One statement, with the source position of each of its characters.
class CommentText {
 public:
  explicit CommentText(std::string file) : file_(std::move(file)) {}
  void add(std::string_view text, int line, int column);

  [[nodiscard]] const std::string& text() const { return text_; }
  // The position of the character at `offset`, or just behind the last character for larger
  // offsets.
  [[nodiscard]] SourcePosition where(std::size_t offset) const;
  // True if the text ends inside brackets or with a comma, so that the statement continues.
  [[nodiscard]] bool is_open() const;
  [[nodiscard]] bool empty() const { return text_.empty(); }

 private:
  struct Piece {
    std::size_t offset = 0;
    int line = 0;
    int column = 0;
  };
  std::string file_;
  std::string text_;
  std::vector<Piece> pieces_;
};

// Returns the statements of each comment, in the file's order. Messages refer to the file as
// `file`.
[[nodiscard]] std::vector<std::vector<CommentText>> find_vet_comments(std::string_view source,
                                                                      const std::string& file);

}  // namespace warpwright
