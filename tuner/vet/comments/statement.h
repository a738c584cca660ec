// One statement of a launch comment as its readers use it, split into stretches of text with their
// source positions.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/expr/value.h"
#include "vet/comments/comment_text.h"

namespace warpwright {

// A stretch of a statement, trimmed of blanks. The statement must outlive it.
class Phrase {
 public:
  explicit Phrase(const CommentText& whole) : Phrase(whole, 0, whole.text().size()) {}
  Phrase(const CommentText& whole, std::size_t begin, std::size_t end);

  [[nodiscard]] std::string_view text() const {
    return std::string_view(whole_->text()).substr(begin_, end_ - begin_);
  }
  [[nodiscard]] bool empty() const { return begin_ == end_; }
  [[nodiscard]] SourcePosition where(std::size_t offset = 0) const {
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
