// Finds the comments of a .cu file that are for `vet`:
//
//     // vet: n = 1024
//     // vet: saxpy<<<4, 256>>>(x[n],
//     //                        y[n], n)
//
// Consecutive lines that are comments alone make one comment. A line without `vet:` goes on with
// the statement above it while that has an open bracket or ends in a comma, and is prose otherwise.
// Everything within /* vet: ... */ is for `vet`.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"

namespace warpwright {

// One statement, with the place of each of its characters.
class CommentText {
 public:
  explicit CommentText(std::string file) : file_(std::move(file)) {}
  void add(std::string_view text, int line, int column);

  [[nodiscard]] const std::string& text() const { return text_; }
  // Of the character at `offset`; of the one behind the last for what lies beyond.
  [[nodiscard]] SourcePosition where(std::size_t offset) const;
  // Brackets that are open at the end, or a comma there: more is to come.
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

// The statements of each comment, in the file's order. `file` is what messages name.
[[nodiscard]] std::vector<std::vector<CommentText>> find_vet_comments(std::string_view source,
                                                                      const std::string& file);

}  // namespace warpwright
