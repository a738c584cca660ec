// Finds the comments of a .cu file that are addressed to `vet`:
//
//     // vet: n = 1024
//     // vet: saxpy<<<4, 256>>>(x[n],
//     //                        y[n], n)
//
// Consecutive lines that hold only a comment form one comment. A line without `vet:` continues the
// statement above it while that has an open bracket or ends in a comma; otherwise it is prose. All
// of /* vet: ... */ is addressed to `vet`.
// Its readers split a statement into phrases: stretches of text with their source positions.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/expr/value.h"

namespace warpwright {

// One statement, with the source position of each of its characters.
class CommentText {
 public:
  explicit CommentText(std::string file) : file_(std::move(file)) {}
  void add(std::string_view text, int line, int column);

  [[nodiscard]] const std::string& text() const { return text_; }
  // The position of the character at `offset`, or just behind the last character for larger
  // offsets.
  [[nodiscard]] SourceLocation where(std::size_t offset) const;
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

// A stretch of a statement, trimmed of blanks. The statement must outlive it.
class Phrase {
 public:
  explicit Phrase(const CommentText& whole) : Phrase(whole, 0, whole.text().size()) {}
  Phrase(const CommentText& whole, std::size_t begin, std::size_t end);

  [[nodiscard]] std::string_view text() const {
    return std::string_view(whole_->text()).substr(begin_, end_ - begin_);
  }
  [[nodiscard]] bool empty() const { return begin_ == end_; }
  [[nodiscard]] SourceLocation where(std::size_t offset = 0) const {
    return whole_->where(begin_ + offset);
  }
  // The part from `first` on, at most `count` characters long.
  [[nodiscard]] Phrase part(std::size_t first, std::size_t count = std::string_view::npos) const;
  // Splits at commas outside of brackets; an empty phrase gives an empty list.
  [[nodiscard]] std::vector<Phrase> list() const;
  // The first occurrence of `wanted` outside of brackets, or npos.
  [[nodiscard]] std::size_t find(char wanted) const;
  // The position of the bracket that closes the one at `open`, or npos.
  [[nodiscard]] std::size_t closing(std::size_t open) const;
  [[nodiscard]] bool is_name() const;

  // Evaluates the phrase as an expression over `names`. Throws Error (user) at its place.
  [[nodiscard]] Value value(const std::map<std::string, Value>& names) const;
  // As value(), for an integer of at least `least`; messages call it `what`.
  [[nodiscard]] std::int64_t count(const std::map<std::string, Value>& names, std::int64_t least,
                                   const std::string& what) const;
  [[nodiscard]] Error error(const std::string& message) const {
    return user_error(where(), message);
  }

 private:
  const CommentText* whole_;
  std::size_t begin_, end_;
};

}  // namespace warpwright
