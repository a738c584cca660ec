#include "spec/yaml_tree_builder.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpwright {
namespace {

YamlNode node_at(const YAML::Mark& mark, YamlNode::Kind kind) {
  YamlNode node;
  node.kind = kind;
  node.line = mark.line + 1;
  node.column = mark.column + 1;
  return node;
}

}  // namespace

YamlTreeBuilder::YamlTreeBuilder(std::string_view text, std::string file)
    : text_(text), file_(std::move(file)) {
  line_starts_.push_back(0);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') line_starts_.push_back(i + 1);
  }
}

void YamlTreeBuilder::require_colons() const {
  if (missing_colon_) throw *missing_colon_;
}

SourcePosition YamlTreeBuilder::place(const YAML::Mark& mark) const {
  return {file_, mark.line + 1, mark.column + 1};
}

std::string YamlTreeBuilder::open_bracket() const {
  if (stack_.empty()) return "a bracket";
  const YamlNode& node = stack_.back().node;
  return fmt::format("the '{}' at {}:{}", node.kind == YamlNode::Kind::kList ? '[' : '{', node.line,
                     node.column);
}

void YamlTreeBuilder::OnDocumentStart(const YAML::Mark& mark) {
  if (documents_++ > 0) {
    throw user_error(place(mark), "a second document starts here; a file holds one");
  }
}

void YamlTreeBuilder::OnNull(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) {
  add(node_at(mark, YamlNode::Kind::kNull));
}

void YamlTreeBuilder::OnAnchor(const YAML::Mark& mark, const std::string& name) {
  throw user_error(
      place(mark),
      fmt::format("anchors (&{}) are not supported; write the value out where it is used", name));
}

void YamlTreeBuilder::OnAlias(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) {
  throw user_error(place(mark), std::string(kNoYamlAliases));
}

void YamlTreeBuilder::OnScalar(const YAML::Mark& mark, const std::string& tag,
                               YAML::anchor_t /*anchor*/, const std::string& value) {
  refuse_tag(mark, tag);
  YamlNode node = node_at(mark, YamlNode::Kind::kScalar);
  const std::string_view rest = text_from(node.line, node.column);
  const char first = rest.empty() ? '\0' : rest[0];
  if (first == '"' || first == '\'') node.style = YamlNode::Style::kQuoted;
  if (first == '|' || first == '>') node.style = YamlNode::Style::kBlock;
  if (node.style == YamlNode::Style::kQuoted) require_closed(rest, mark);
  const std::size_t quote = node.style == YamlNode::Style::kQuoted ? 1 : 0;
  node.verbatim = node.style != YamlNode::Style::kBlock && rest.size() >= quote &&
                  rest.substr(quote).starts_with(value);
  node.text = value;
  add(std::move(node));
}

void YamlTreeBuilder::OnSequenceStart(const YAML::Mark& mark, const std::string& tag,
                                      YAML::anchor_t /*anchor*/,
                                      YAML::EmitterStyle::value /*style*/) {
  open(mark, tag, YamlNode::Kind::kList);
}

void YamlTreeBuilder::OnMapStart(const YAML::Mark& mark, const std::string& tag,
                                 YAML::anchor_t /*anchor*/, YAML::EmitterStyle::value /*style*/) {
  open(mark, tag, YamlNode::Kind::kMap);
}

void YamlTreeBuilder::open(const YAML::Mark& mark, const std::string& tag, YamlNode::Kind kind) {
  refuse_tag(mark, tag);
  if (stack_.size() == kMaxYamlDepth) {
    throw user_error(place(mark), fmt::format("lists and maps are nested more than {} levels deep",
                                              kMaxYamlDepth));
  }
  Frame frame;
  frame.node = node_at(mark, kind);
  stack_.push_back(std::move(frame));
}

void YamlTreeBuilder::close() {
  YamlNode node = std::move(stack_.back().node);
  stack_.pop_back();
  add(std::move(node));
}

void YamlTreeBuilder::add(YamlNode node) {
  if (stack_.empty()) {
    root_ = std::move(node);
    return;
  }
  Frame& frame = stack_.back();
  if (frame.node.kind == YamlNode::Kind::kList) {
    frame.node.items.push_back(std::move(node));
  } else if (frame.key_pending) {
    YamlNode& key = frame.node.entries.back().key;
    if (node.kind == YamlNode::Kind::kNull) {
      note_missing_colon(key);
      // yaml-cpp places a missing value at the next token, which may be several lines below.
      node.line = key.line;
      node.column = key.column;
    }
    frame.node.entries.back().value = std::move(node);
    frame.key_pending = false;
  } else {
    add_key(frame, std::move(node));
  }
}

void YamlTreeBuilder::add_key(Frame& frame, YamlNode key) {
  const SourcePosition where{file_, key.line, key.column};
  if (key.kind != YamlNode::Kind::kScalar) {
    const char* got = key.kind == YamlNode::Kind::kList  ? "a list"
                      : key.kind == YamlNode::Kind::kMap ? "a map"
                                                         : "nothing";
    throw user_error(where, fmt::format("got {} as a key, expected a name", got));
  }
  if (key.text == "<<") {
    throw user_error(where, "merge keys (<<) are not supported; write the keys out");
  }
  const auto [first, inserted] = frame.key_lines.try_emplace(key.text, key.line);
  if (!inserted) {
    throw user_error(where, fmt::format("duplicate key '{}', first given on line {}; keep one",
                                        key.text, first->second));
  }
  frame.node.entries.push_back({std::move(key), YamlNode{}});
  frame.key_pending = true;
}

// yaml-cpp reads a lone word at the end of a map as a key without a value; the cause is a forgotten
// colon or dash.
void YamlTreeBuilder::note_missing_colon(const YamlNode& key) {
  if (!key.verbatim || missing_colon_) return;
  const std::size_t quotes = key.style == YamlNode::Style::kQuoted ? 2 : 0;
  const std::string_view rest = text_from(key.line, key.column).substr(key.text.size() + quotes);
  const std::size_t next = rest.find_first_not_of(" \t");
  if (next != std::string_view::npos && rest[next] == ':') return;
  missing_colon_ =
      user_error({file_, key.line, key.column},
                 fmt::format("got '{}' without a ':', expected '{}: VALUE'", key.text, key.text));
}

// yaml-cpp treats the end of the file as the missing quote.
void YamlTreeBuilder::require_closed(std::string_view rest, const YAML::Mark& mark) const {
  const char quote = rest[0];
  std::size_t i = 1;
  while (i < rest.size()) {
    const bool escape = quote == '"' ? rest[i] == '\\' : rest.substr(i, 2) == "''";
    if (!escape && rest[i] == quote) return;
    i += escape ? 2 : 1;
  }
  throw user_error(place(mark), "a quote is not closed before the end of the file; close it");
}

// yaml-cpp reports "?" for a node without a tag and "!" for a quoted one.
void YamlTreeBuilder::refuse_tag(const YAML::Mark& mark, const std::string& tag) const {
  if (tag.empty() || tag == "?" || tag == "!") return;
  const std::string_view rest = text_from(mark.line + 1, mark.column + 1);
  throw user_error(
      place(mark),
      fmt::format("the tag '{}' is not supported; remove it, and quote the value if it "
                  "is text",
                  rest.substr(0, rest.find_first_of(" \t\r\n,"))));
}

std::string_view YamlTreeBuilder::text_from(int line, int column) const {
  const auto row = static_cast<std::size_t>(line - 1);
  if (row >= line_starts_.size()) return {};
  return text_.substr(
      std::min(line_starts_[row] + static_cast<std::size_t>(column - 1), text_.size()));
}

}  // namespace warpwright
