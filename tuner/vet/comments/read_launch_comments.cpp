#include "vet/comments/read_launch_comments.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/terminal_text.h"
#include "core/words.h"
#include "spec/names.h"
#include "vet/comments/comment_text.h"

namespace warpwright {
namespace {

// Limit for one piece of memory. It exceeds every device's memory, and the product of two such
// sizes does not overflow.
constexpr std::int64_t kMaxElements = 1'000'000'000;
// Limits for one file. Every statement may use every name, so the work grows with their product.
constexpr std::size_t kMaxStatements = 2000;
constexpr std::size_t kMaxNames = 1000;
constexpr const char* kAxes[] = {"x", "y", "z"};

// The names that a statement may use: the file's constants and memory, then those of its comment.
struct Scope {
  std::map<std::string, Value> constants;
  std::map<std::string, SourceLocation> since;  // where this comment's constants were defined
  std::map<std::string, CommentBuffer> buffers;
};

std::string line_of(const SourceLocation& where) { return fmt::format("line {}", where.line); }

// Splits `float x` into the text in front of the name, and the name.
std::pair<Phrase, Phrase> split_name(const Phrase& phrase) {
  const std::string_view text = phrase.text();
  std::size_t begin = text.size();
  while (begin > 0 && is_word(text[begin - 1])) --begin;
  return {phrase.part(0, begin), phrase.part(begin)};
}

class CommentReader {
 public:
  CommentReader(const Scope& file_scope, const std::map<std::string, Value>& given)
      : scope_(file_scope), given_(given) {
    scope_.since.clear();
  }

  void read(const CommentText& statement) {
    const Phrase phrase(statement);
    const std::size_t brackets = phrase.text().find("<<<");
    if (brackets != std::string_view::npos) {
      read_launch(phrase, brackets);
    } else if (phrase.text() == "deterministic") {
      comment_.deterministic = true;
    } else if (const std::size_t equals = phrase.find('='), bracket = phrase.find('[');
               bracket != std::string_view::npos && bracket < equals) {
      CommentBuffer buffer = read_buffer(phrase);
      own_.push_back(buffer.name);
      keep(std::move(buffer));
    } else if (equals != std::string_view::npos) {
      read_constant(phrase, equals);
    } else {
      throw phrase.error(fmt::format(
          "expected a launch, memory or a constant, got '{}'; write kernel<<<grid, block>>>(x[n], "
          "n), float x[1024] or n = 1024",
          shown_name(phrase.text())));
    }
  }

  [[nodiscard]] const Scope& scope() const { return scope_; }
  [[nodiscard]] bool launches() const { return !comment_.launches.empty(); }

  [[nodiscard]] LaunchComment finish() {
    comment_.where = comment_.launches.front().where;
    comment_.constants = scope_.constants;
    for (const std::string& name : own_) {
      const CommentBuffer& buffer = scope_.buffers.at(name);
      if (used_.count(name) == 0 && !buffer.is_constant)
        throw user_error(buffer.where,
                         fmt::format("'{}' is given to no launch of this comment; pass it to one, "
                                     "or remove it",
                                     name));
    }
    for (const auto& [name, buffer] : scope_.buffers)
      if (buffer.is_constant) use(name);
    for (const std::string& name : order_) comment_.buffers.push_back(scope_.buffers.at(name));
    return std::move(comment_);
  }

 private:
  void use(const std::string& name) {
    if (used_.insert(name).second) order_.push_back(name);
  }

  void check_name(const Phrase& name) const {
    if (!name.is_name())
      throw name.error(fmt::format("expected a name, got '{}'", shown_name(name.text())));
    if (scope_.constants.size() + scope_.buffers.size() >= kMaxNames)
      throw name.error(fmt::format(
          "this is the constant or memory after {} others, the most of a file; use fewer",
          kMaxNames));
    if (const auto why = reserved_name(name.text()))
      throw name.error(fmt::format("'{}' cannot be a name: {}; choose another", name.text(), *why));
  }

  void read_constant(const Phrase& phrase, std::size_t equals) {
    // `int n = 1024` means the same as `n = 1024`, because the kernel determines the type.
    const Phrase name = split_name(phrase.part(0, equals)).second;
    check_name(name);
    const Phrase right = phrase.part(equals + 1);
    if (right.empty())
      throw right.error(fmt::format("expected a number behind '{} ='", name.text()));
    const std::string key(name.text());
    if (const auto known = scope_.since.find(key); known != scope_.since.end())
      throw name.error(fmt::format("'{}' is {} since {}; remove one, or choose another name", key,
                                   scope_.constants.at(key).to_string(), line_of(known->second)));
    if (scope_.buffers.count(key) > 0)
      throw name.error(fmt::format("'{}' is memory since {}; choose another name", key,
                                   line_of(scope_.buffers.at(key).where)));
    Value value = right.value(scope_.constants);
    if (const auto other = given_.find(key); other != given_.end()) value = other->second;
    scope_.constants[key] = std::move(value);
    scope_.since[key] = name.where();
  }

  [[nodiscard]] InitialContent read_content(const Phrase& phrase) const {
    InitialContent content;
    content.where = phrase.where();
    const std::string_view text = phrase.text();
    const std::size_t open = text.find('(');
    const std::string word(phrase.part(0, open).text());
    using Kind = InitialContent::Kind;
    static const std::map<std::string, Kind> kWords = {{"random", Kind::kRandom},
                                                       {"iota", Kind::kIota},
                                                       {"permutation", Kind::kPermutation},
                                                       {"unset", Kind::kUnset}};
    const auto known = kWords.find(word);
    if (known == kWords.end()) {
      std::vector<std::string> words;
      for (const auto& [one, kind] : kWords) words.push_back(one);
      if (phrase.empty() || (phrase.is_name() && scope_.constants.count(word) == 0)) {
        throw phrase.error(fmt::format("expected what the memory holds, got '{}'{}; or a number",
                                       shown_name(text), suggestion(word, words)));
      }
      content.kind = Kind::kNumber;
      content.low = phrase.value(scope_.constants);
      return content;
    }
    content.kind = known->second;
    if (open == std::string_view::npos) return content;
    const std::size_t close = phrase.closing(open);
    const std::vector<Phrase> limits = phrase.part(open + 1, close - open - 1).list();
    if (content.kind != Kind::kRandom || close != text.size() - 1 || limits.size() != 2)
      throw phrase.error(fmt::format("expected random(low, high), got '{}'", shown_name(text)));
    content.low = limits[0].value(scope_.constants);
    content.high = limits[1].value(scope_.constants);
    if (content.high->as_real() < content.low->as_real())
      throw phrase.error(fmt::format("random({}, {}) is empty; write the lower limit first",
                                     content.low->to_string(), content.high->to_string()));
    return content;
  }

  [[nodiscard]] CommentBuffer read_buffer(const Phrase& phrase) const {
    std::size_t at = phrase.find('[');
    auto [type, name] = split_name(phrase.part(0, at));
    check_name(name);
    CommentBuffer buffer;
    buffer.where = name.where();
    buffer.name = name.text();
    buffer.type = type.text();
    if (const std::size_t word = buffer.type.find("__constant__"); word != std::string::npos) {
      buffer.is_constant = true;
      buffer.type.erase(word, std::string_view("__constant__").size());
    }
    const std::string_view text = phrase.text();
    while (at < text.size() && text[at] == '[') {
      const std::size_t close = phrase.closing(at);
      if (close == std::string_view::npos)
        throw phrase.part(at).error("expected ']' behind the number of elements");
      buffer.extents.push_back(
          phrase.part(at + 1, close - at - 1)
              .count(scope_.constants, 1, fmt::format("the size of '{}'", buffer.name)));
      if (buffer.extents.back() > kMaxElements || buffer.elements() > kMaxElements)
        throw user_error(buffer.where, fmt::format("'{}' has more than {} elements; choose fewer",
                                                   buffer.name, kMaxElements));
      at = close + 1;
      while (at < text.size() && text[at] == ' ') ++at;
    }
    if (at >= text.size()) return buffer;
    if (text[at] != '=')
      throw phrase.part(at).error(
          fmt::format("expected '=' and what '{}' holds, or its end, got '{}'", buffer.name,
                      shown_name(phrase.part(at).text())));
    buffer.content = read_content(phrase.part(at + 1));
    return buffer;
  }

  void keep(CommentBuffer buffer) {
    const auto known = scope_.buffers.find(buffer.name);
    if (scope_.constants.count(buffer.name) > 0)
      throw user_error(buffer.where,
                       fmt::format("'{}' is the constant {}; choose another name", buffer.name,
                                   scope_.constants[buffer.name].to_string()));
    if (known == scope_.buffers.end()) {
      std::string name = buffer.name;
      scope_.buffers.emplace(std::move(name), std::move(buffer));
    } else if (known->second.extents != buffer.extents) {
      throw user_error(
          buffer.where,
          fmt::format("'{0}' has {1} elements since {2}, got {3}; write '{0}' alone for the same "
                      "memory, or choose another name",
                      buffer.name, known->second.elements(), line_of(known->second.where),
                      buffer.elements()));
    } else if (buffer.content.where.known()) {
      throw user_error(buffer.where,
                       fmt::format("what '{0}' holds is said where it comes first, in {1}; write "
                                   "'{0}' alone for the same memory",
                                   buffer.name, line_of(known->second.where)));
    }
  }

  [[nodiscard]] std::array<std::int64_t, 3> read_extents(const Phrase& phrase,
                                                         const std::string& what) const {
    // `what` is a phrase such as "the grid".
    std::array<std::int64_t, 3> extents{1, 1, 1};
    std::string_view text = phrase.text();
    std::size_t open = text.starts_with("dim3") ? text.find_first_not_of(' ', 4) : 0;
    const bool brackets = open < text.size() && (text[open] == '(' || text[open] == '{') &&
                          phrase.closing(open) == text.size() - 1;
    const std::vector<Phrase> parts =
        brackets ? phrase.part(open + 1, text.size() - open - 2).list() : std::vector{phrase};
    if (parts.empty() || parts.size() > 3)
      throw phrase.error(
          fmt::format("{} has {} extents, expected 1 to 3 (x, y, z)", what, parts.size()));
    for (std::size_t i = 0; i < parts.size(); ++i)
      extents[i] =
          parts[i].count(scope_.constants, 1,
                         parts.size() == 1 ? what : fmt::format("{}.{}", what.substr(4), kAxes[i]));
    return extents;
  }

  // Reads the fourth value of a configuration: a CUDA stream, which is ignored, or a cluster size.
  void read_fourth(const Phrase& phrase, CommentLaunch& launch) const {
    constexpr std::string_view kCluster = "cluster";
    if (phrase.text().starts_with(kCluster) && phrase.text().ends_with(')')) {
      launch.cluster = read_extents(phrase.part(kCluster.size()), "the cluster");
    } else if (!phrase.is_name() && phrase.text() != "0") {
      throw phrase.error(fmt::format(
          "the fourth value is a stream, got '{}'; write cluster(2) for clusters of two blocks",
          shown_name(phrase.text())));
    }
  }

  void read_configuration(const Phrase& phrase, CommentLaunch& launch) const {
    const std::vector<Phrase> parts = phrase.list();
    if (parts.size() < 2 || parts.size() > 4)
      throw phrase.error(
          fmt::format("<<<{}>>> has {}, expected <<<grid, block>>>, then the bytes of "
                      "dynamic shared memory and a stream or cluster(x, y, z) if needed",
                      shown_name(phrase.text()), plural(parts.size(), "value")));
    launch.grid = read_extents(parts[0], "the grid");
    launch.block = read_extents(parts[1], "the block");
    if (parts.size() > 2)
      launch.shared_bytes = parts[2].count(scope_.constants, 0, "the dynamic shared memory");
    if (parts.size() > 3) read_fourth(parts[3], launch);
  }

  // Substitutes constants' values for their names among template arguments.
  [[nodiscard]] std::string entry_of(const Phrase& phrase) const {
    const std::string_view text = phrase.text();
    const std::size_t arguments = std::min(text.find('<'), text.size());
    std::string entry(text.substr(0, arguments));
    const bool is_qualified_name =
        !entry.empty() &&
        std::all_of(entry.begin(), entry.end(),
                    [](char c) { return is_word(c) || c == ':' || c == ' '; }) &&
        !is_digit(entry[0]);
    if (!is_qualified_name || (arguments < text.size() && !text.ends_with('>')))
      throw phrase.error(
          fmt::format("expected a kernel's name before '<<<', got '{}'; such as saxpy or "
                      "reduce<float, 128>",
                      shown_name(text)));
    for (std::size_t at = arguments; at < text.size();) {
      std::size_t end = at;
      while (end < text.size() && is_word(text[end])) ++end;
      const std::string word(text.substr(at, end - at));
      const auto known = scope_.constants.find(word);
      const bool member = at > 0 && (text[at - 1] == ':' || text[at - 1] == '.');
      if (word.empty()) {
        entry += text[at++];
        continue;
      }
      if (known == scope_.constants.end() || member) {
        entry += word;
      } else {
        const std::string value = known->second.to_string();
        entry += value.starts_with('-') ? "(" + value + ")" : value;
      }
      at = end;
    }
    return entry;
  }

  [[nodiscard]] CommentArgument read_argument(const Phrase& phrase) {
    CommentArgument argument;
    argument.where = phrase.where();
    const std::string text(phrase.text());
    if (text.empty()) throw phrase.error("expected an argument: memory such as x[n], or a number");
    if (text == "nullptr" || text == "NULL") {
      argument.kind = CommentArgument::Kind::kNull;
    } else if (phrase.find('[') != std::string_view::npos) {
      CommentBuffer buffer = read_buffer(phrase);
      argument.kind = CommentArgument::Kind::kBuffer;
      argument.name = buffer.name;
      keep(std::move(buffer));
    } else if (scope_.buffers.count(text) > 0) {
      argument.kind = CommentArgument::Kind::kBuffer;
      argument.name = text;
    } else if (phrase.is_name() && scope_.constants.count(text) == 0 && text != "true" &&
               text != "false") {
      std::vector<std::string> known;
      for (const auto& [name, value] : scope_.constants) known.push_back(name);
      for (const auto& [name, buffer] : scope_.buffers) known.push_back(name);
      const auto near = nearest(text, known);
      throw phrase.error(fmt::format(
          "nothing is said about '{0}'{1}; write {0}[1024] for memory, or {0} = 1024 above it for "
          "a number",
          shown_name(text), near ? fmt::format("; did you mean '{}'?", *near) : ""));
    } else {
      argument.value = phrase.value(scope_.constants);
    }
    if (argument.kind == CommentArgument::Kind::kBuffer) use(argument.name);
    return argument;
  }

  void read_launch(const Phrase& phrase, std::size_t brackets) {
    const std::string_view text = phrase.text();
    CommentLaunch launch;
    launch.where = phrase.where();
    launch.entry = entry_of(phrase.part(0, brackets));
    const std::size_t end = text.find(">>>", brackets);
    if (end == std::string_view::npos)
      throw phrase.part(brackets).error(fmt::format(
          "'<<<' has no '>>>'; write {}<<<grid, block>>>(...)", shown_name(launch.entry)));
    read_configuration(phrase.part(brackets + 3, end - brackets - 3), launch);
    const Phrase rest = phrase.part(end + 3);
    const std::size_t close =
        rest.text().starts_with('(') ? rest.closing(0) : std::string_view::npos;
    if (close == std::string_view::npos) {
      throw rest.error(rest.text().starts_with('(')
                           ? "'(' has no ')' in this comment"
                           : fmt::format("expected '(' and the kernel's arguments, got '{}'",
                                         shown_name(rest.text())));
    }
    if (const Phrase more = rest.part(close + 1); !more.empty())
      throw more.error(
          fmt::format("expected the end of the launch, got '{}'; put ';' or a new "
                      "`// vet:` line between statements",
                      shown_name(more.text())));
    for (const Phrase& argument : rest.part(1, close - 1).list())
      launch.arguments.push_back(read_argument(argument));
    comment_.launches.push_back(std::move(launch));
  }

  Scope scope_;
  const std::map<std::string, Value>& given_;
  LaunchComment comment_;
  std::vector<std::string> own_;  // names declared by separate statements
  std::set<std::string> used_;
  std::vector<std::string> order_;
};

}  // namespace

std::int64_t CommentBuffer::elements() const {
  std::int64_t all = 1;
  for (const std::int64_t extent : extents) all *= extent;
  return all;
}

std::vector<LaunchComment> read_launch_comments(std::string_view source, const std::string& file,
                                                const std::map<std::string, Value>& given) {
  std::vector<LaunchComment> comments;
  Scope file_scope;
  std::size_t count = 0;
  for (const std::vector<CommentText>& statements : find_vet_comments(source, file)) {
    CommentReader reader(file_scope, given);
    for (const CommentText& statement : statements) {
      if (++count > kMaxStatements)
        throw user_error(statement.where(0),
                         fmt::format("this is the statement after {} others, the most that the "
                                     "launch comments of a file may hold; divide the file",
                                     kMaxStatements));
      reader.read(statement);
    }
    if (reader.launches()) {
      comments.push_back(reader.finish());
    } else {
      file_scope = reader.scope();
    }
  }
  return comments;
}

}  // namespace warpwright
