#include "vet/comments/comment_text.h"

#include <algorithm>

#include "core/cpp_scan.h"
#include "vet/comments/letters.h"

namespace warpwright {
namespace {

constexpr std::string_view kMark = "vet:";
constexpr std::size_t kLongestStatement = 10000;

std::string_view without_lead(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  return text;
}

// Splits a line at `;`, which separates statements, and starts new statements or continues the
// last.
void add_statements(std::string_view text, int line, int column, const std::string& file,
                    std::vector<CommentText>& all) {
  bool open = !all.empty() && all.back().is_open();
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t end = std::min(text.find(';', from), text.size());
    const std::string_view part = text.substr(from, end - from);
    const std::string_view words = without_lead(part);
    if (!words.empty()) {
      if (!open) all.emplace_back(file);
      all.back().add(words, line, column + static_cast<int>(from + part.size() - words.size()));
      open = all.back().is_open();
    }
    if (end < text.size()) open = false;
    from = end + 1;
  }
}

void add_block(const CppComment& comment, const std::string& file,
               std::vector<CommentText>& statements) {
  std::string_view rest = comment.text;
  int column = comment.column;
  for (int line = comment.line;; ++line) {
    const std::string_view whole = rest.substr(0, rest.find('\n'));
    std::string_view text = without_lead(whole);
    // Some block comments start every line with a `*`.
    if (line > comment.line && text.starts_with('*')) text = without_lead(text.substr(1));
    if (text.starts_with(kMark)) text.remove_prefix(kMark.size());
    add_statements(text, line, column + static_cast<int>(text.data() - whole.data()), file,
                   statements);
    if (whole.size() == rest.size()) return;
    rest.remove_prefix(whole.size() + 1);
    column = 1;
  }
}

}  // namespace

void CommentText::add(std::string_view text, int line, int column) {
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  if (!text_.empty()) text_ += ' ';
  pieces_.push_back({text_.size(), line, column});
  text_ += text;
}

SourcePosition CommentText::where(std::size_t offset) const {
  SourcePosition place{file_, 0, 0};
  for (const Piece& piece : pieces_) {
    if (piece.offset > offset && place.line != 0) break;
    place.line = piece.line;
    place.column = piece.column + static_cast<int>(offset - std::min(offset, piece.offset));
  }
  return place;
}

bool CommentText::is_open() const {
  // A statement whose brackets never close is ignored, however long the comment is.
  if (text_.size() > kLongestStatement) return false;
  int depth = 0;
  for (const char c : text_) {
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
  }
  const std::size_t configuration = text_.find("<<<");
  const bool in_configuration =
      configuration != std::string::npos && text_.find(">>>", configuration) == std::string::npos;
  return depth > 0 || in_configuration || (!text_.empty() && text_.back() == ',');
}

std::vector<std::vector<CommentText>> find_vet_comments(std::string_view source,
                                                        const std::string& file) {
  std::vector<std::vector<CommentText>> all;
  int last_line = -1;  // last line of the comment that is being extended
  for (const CppComment& comment : find_comments(source)) {
    const std::string_view text = without_lead(comment.text);
    const bool marked = text.starts_with(kMark);
    if (comment.is_block) {
      last_line = -1;
      if (marked) add_block(comment, file, all.emplace_back());
      continue;
    }
    const bool goes_on = comment.stands_alone && comment.line == last_line + 1;
    last_line = comment.stands_alone ? comment.line : -1;
    if (!goes_on) all.emplace_back();
    std::vector<CommentText>& statements = all.back();
    const bool open = !statements.empty() && statements.back().is_open();
    if (!marked && !open) continue;
    const std::string_view words = marked ? text.substr(kMark.size()) : text;
    add_statements(words, comment.line,
                   comment.column + static_cast<int>(words.data() - comment.text.data()), file,
                   statements);
  }
  std::erase_if(all, [](const std::vector<CommentText>& one) { return one.empty(); });
  return all;
}

}  // namespace warpwright
