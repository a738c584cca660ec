#include "spec/yaml_document.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/error.h"
#include "core/files.h"
#include "core/utf8.h"

namespace warpwright {
namespace {

constexpr std::string_view kNoYamlAliases =
    "aliases (*name) are not supported; write the value out";

// Turns yaml-cpp's events into YamlNodes and rejects the input that spec/yaml_document.h rules out:
// each handler throws Error (user) through yaml-cpp's parser, which keeps no state that outlives
// it. The depth limit also bounds the parser's recursion, which is one call per level.
class YamlTreeBuilder final : public YAML::EventHandler {
 public:
  // `text` is the parser's input and must outlive the builder.
  YamlTreeBuilder(std::string_view text, std::string file);

  // Called after parsing has succeeded: throws if a key lacked its colon. (Earlier, the same word
  // may be the last one of a list that is not closed.)
  void require_colons() const;
  [[nodiscard]] YamlNode take_root() { return std::move(root_); }
  [[nodiscard]] SourceLocation place(const YAML::Mark& mark) const;
  // If parsing stopped inside brackets: "the '[' at 3:14".
  [[nodiscard]] std::string open_bracket() const;

  void OnDocumentStart(const YAML::Mark& mark) override;
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnAnchor(const YAML::Mark& mark, const std::string& name) override;
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override;
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override;
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override;
  void OnMapEnd() override { close(); }

 private:
  // An open list or map.
  struct Frame {
    YamlNode node;
    bool key_pending = false;  // in a map: the last entry has a key but no value yet
    std::unordered_map<std::string, int> key_lines;  // a map: the line of each key
  };

  void open(const YAML::Mark& mark, const std::string& tag, YamlNode::Kind kind);
  void close();
  void add(YamlNode node);
  void add_key(Frame& frame, YamlNode key);
  void note_missing_colon(const YamlNode& key);
  void require_closed(std::string_view rest, const YAML::Mark& mark) const;
  void refuse_tag(const YAML::Mark& mark, const std::string& tag) const;
  // The text from a position on; `line` and `column` count from 1.
  [[nodiscard]] std::string_view text_from(int line, int column) const;

  std::string_view text_;
  std::string file_;
  std::vector<std::size_t> line_starts_;
  std::vector<Frame> stack_;
  YamlNode root_;
  int documents_ = 0;
  std::optional<Error> missing_colon_;  // the first
};

YamlNode node_at(const YAML::Mark& mark, YamlNode::Kind kind) {
  YamlNode node;
  node.kind = kind;
  node.line = mark.line + 1;
  node.column = mark.column + 1;
  return node;
}

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

SourceLocation YamlTreeBuilder::place(const YAML::Mark& mark) const {
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
  const SourceLocation where{file_, key.line, key.column};
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

// The messages of yaml-cpp state what its scanner missed; these state what the author wrote.
std::string rephrase(const std::string& message, const YamlTreeBuilder& builder) {
  struct Phrase {
    std::string_view theirs;
    std::string_view ours;
  };
  static constexpr std::array<Phrase, 11> kPhrases = {{
      {"illegal map value",
       "a ':' stands where no key can; quote text that holds ': ', and indent keys alike"},
      {"end of map not found",
       "this does not continue the map above; indent keys alike, each as 'key: value'"},
      {"end of sequence not found",
       "this does not continue the list above; start each item with '- '"},
      {"illegal flow end", "a closing bracket has no opening one; remove it"},
      {"illegal block entry",
       "a '- ' item stands where no list can; indent the list under its key"},
      {"illegal EOF in scalar", "a quote is not closed before the end of the file; close it"},
      {"unknown token", "text cannot start with this character; quote the text"},
      {"illegal document indicator in scalar",
       "a quote is not closed before the end of the document; close it"},
      {"the referenced anchor is not defined", kNoYamlAliases},
      {"alias not found after *", "text cannot start with '*'; quote the text"},
      {"anchor not found after &", "text cannot start with '&'; quote the text"},
  }};
  for (const Phrase& phrase : kPhrases) {
    if (message == phrase.theirs) return std::string(phrase.ours);
  }
  if (message == "end of map flow not found" || message == "end of sequence flow not found") {
    return builder.open_bracket() + " is not closed; add what is missing, a bracket or a comma";
  }
  return fmt::format("not valid YAML: {}", message);
}

}  // namespace

// Columns come from yaml-cpp's marks, which count bytes from 0.
YamlDocument parse_yaml(std::string_view text, std::string file, std::string_view kind) {
  check_yaml_text(text, file, kind);
  // A byte-order mark would shift the columns of the first line.
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  YamlTreeBuilder builder(text, file);
  bool any = false;
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    any = parser.HandleNextDocument(builder);
    // The builder throws if there is a second document.
    if (any) parser.HandleNextDocument(builder);
  } catch (const YAML::Exception& error) {
    if (error.mark.is_null()) throw user_error({file, 0, 0}, rephrase(error.msg, builder));
    throw user_error(builder.place(error.mark), rephrase(error.msg, builder));
  }
  builder.require_colons();
  YamlDocument document{std::move(file), builder.take_root()};
  const YamlNode::Kind root = document.root.kind;
  if (!any || root == YamlNode::Kind::kNull) {
    throw user_error({document.file, 0, 0}, fmt::format("is empty, expected {}", kind));
  }
  if (root != YamlNode::Kind::kMap) {
    throw user_error(document.place(document.root),
                     fmt::format("got {} at the top level, expected the 'key: value' lines of {}",
                                 root == YamlNode::Kind::kList ? "a list" : "text", kind));
  }
  return document;
}

std::string read_yaml_text(const std::filesystem::path& file, std::string_view kind) {
  std::error_code failed;
  const auto bytes = std::filesystem::file_size(file, failed);
  // If the size cannot be determined (missing, a folder), read_file reports the error.
  if (!failed) check_yaml_size(bytes, file.string(), kind);
  return read_file(file);
}

namespace {

// Returns true if the tab at `at` is between the start of its line and the line's first word.
bool tab_indents(std::string_view text, std::size_t line_start, std::size_t at) {
  if (text.substr(line_start, at - line_start).find_first_not_of(" \t") != std::string_view::npos) {
    return false;
  }
  const std::size_t word = text.find_first_not_of(" \t", at);
  return word != std::string_view::npos && text[word] != '\n' && text[word] != '\r' &&
         text[word] != '#';
}

}  // namespace

void check_yaml_size(std::size_t bytes, const std::string& file, std::string_view kind) {
  if (bytes <= kMaxYamlBytes) return;
  // Rounded up, so that one byte too many never reads as "1 MB is more than 1 MB".
  const double megabytes = std::ceil(static_cast<double>(bytes) / 1048576.0 * 10.0) / 10.0;
  throw user_error({file, 0, 0}, fmt::format("is {:.10g} MB; {} is at most 1 MB", megabytes, kind));
}

void check_yaml_text(std::string_view text, const std::string& file, std::string_view kind) {
  check_yaml_size(text.size(), file, kind);
  int line = 1;
  std::size_t line_start = 0;
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const SourceLocation where{file, line, static_cast<int>(i - line_start) + 1};
    const std::optional<Utf8Character> character = front_character(text.substr(i));
    if (!character) {
      throw user_error(where,
                       fmt::format("byte 0x{:02x} is not UTF-8; save the file as UTF-8", byte));
    }
    if (byte == '\t' && tab_indents(text, line_start, i)) {
      throw user_error(where, "tabs cannot indent YAML; use spaces");
    }
    if ((byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r') || byte == 0x7F) {
      throw user_error(
          where, fmt::format("control character 0x{:02x} is not allowed in YAML; remove it", byte));
    }
    i += character->bytes;
    if (byte == '\n') {
      ++line;
      line_start = i;
    }
  }
}

}  // namespace warpwright
