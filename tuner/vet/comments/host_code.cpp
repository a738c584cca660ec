#include "vet/comments/host_code.h"

#include <algorithm>
#include <cctype>
#include <map>

#include "vet/comments/cpp_scan.h"
#include "vet/comments/letters.h"

namespace warpwright {

// Offsets into the file's text.
struct Declaration {
  enum class Kind { kScope, kClass, kFunction, kOther };
  Kind kind = Kind::kOther;
  bool is_device = false;
  std::size_t begin = 0, end = 0;
  std::size_t body_begin = 0, body_end = 0;  // its braces, where it has some
  bool is_gone = false, body_is_gone = false;
  std::vector<Declaration> members;
};

namespace {

// Of scopes within scopes.
constexpr int kDeepest = 64;

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && is_word(text[end])) ++end;
    if (end > i) words.push_back(text.substr(i, end - i));
    i = end + 1;
  }
  return words;
}

bool has_any(std::string_view text, const std::set<std::string>& wanted) {
  const std::vector<std::string_view> words = words_of(text);
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return wanted.count(std::string(word)) > 0; });
}

// Without `template <...>` in front.
std::string_view without_template(std::string_view head) {
  while (head.starts_with("template")) {
    std::size_t at = head.find('<');
    int depth = 0;
    for (; at < head.size(); ++at) {
      if (head[at] == '<') ++depth;
      if (head[at] == '>' && --depth == 0) break;
    }
    if (at >= head.size()) return head;
    head.remove_prefix(at + 1);
    while (!head.empty() && is_blank(head.front())) head.remove_prefix(1);
  }
  return head;
}

// Reads the declarations of a scope from code without comments, quotes and directives.
class ScopeReader {
 public:
  ScopeReader(std::string_view code, const std::set<std::string>& device_words)
      : code_(code), device_words_(device_words) {}

  [[nodiscard]] std::vector<Declaration> read(std::size_t begin, std::size_t end,
                                              int depth = 0) const {
    std::vector<Declaration> all;
    // Deeper ones than any program has are left whole.
    if (depth == kDeepest) return all;
    for (std::size_t at = skip(begin, end); at < end; at = skip(at, end)) {
      Declaration one = read_one(at, end, depth);
      at = std::max(one.end, at + 1);
      all.push_back(std::move(one));
    }
    return all;
  }

 private:
  // To the next declaration, past access specifiers.
  [[nodiscard]] std::size_t skip(std::size_t at, std::size_t end) const {
    while (at < end) {
      if (is_blank(code_[at]) || code_[at] == ';' || code_[at] == '}') {
        ++at;
        continue;
      }
      std::size_t word = at;
      while (word < end && is_word(code_[word])) ++word;
      const std::string_view name = code_.substr(at, word - at);
      while (word < end && is_blank(code_[word])) ++word;
      const bool is_access = name == "public" || name == "private" || name == "protected";
      if (!is_access || word >= end || code_[word] != ':') return at;
      at = word + 1;
    }
    return end;
  }

  [[nodiscard]] std::size_t closing_brace(std::size_t open, std::size_t end) const {
    int depth = 0;
    for (std::size_t i = open; i < end; ++i) {
      if (code_[i] == '{') ++depth;
      if (code_[i] == '}' && --depth == 0) return i;
    }
    return end;
  }

  [[nodiscard]] Declaration::Kind kind_of(std::string_view head) const {
    using Kind = Declaration::Kind;
    const bool calls = head.find('(') != kNowhere;
    head = without_template(head);
    const std::vector<std::string_view> words = words_of(head);
    const auto has = [&](std::string_view word) {
      return std::find(words.begin(), words.end(), word) != words.end();
    };
    if (has("namespace") || (has("extern") && words.size() == 1)) return Kind::kScope;
    if (!words.empty()) {
      std::size_t first = 0;
      while (first + 1 < words.size() && (words[first] == "typedef" || words[first] == "static" ||
                                          words[first] == "const" || words[first] == "constexpr"))
        ++first;
      const std::string_view word = words[first];
      const bool names_class = word == "struct" || word == "class" || word == "union";
      // `struct P make(int a) {` is a function; __align__(16) and alignas(16) are not.
      const bool aligned = has("alignas") || has("__align__") || has("__attribute__");
      if ((names_class || word == "enum") && (!calls || aligned))
        return names_class ? Kind::kClass : Kind::kOther;
    }
    // `x = {` or `int x {`, not `operator=(`.
    const std::size_t equals = head.find('=');
    const std::size_t bracket = head.find('(');
    if (!calls || (equals != kNowhere && equals < bracket && !has("operator"))) return Kind::kOther;
    return Kind::kFunction;
  }

  [[nodiscard]] Declaration read_one(std::size_t begin, std::size_t end, int depth_of_scope) const {
    Declaration one;
    one.begin = begin;
    int depth = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const char c = code_[i];
      if (c == '(' || c == '[') ++depth;
      if (c == ')' || c == ']') --depth;
      if (c == ';' && depth <= 0) {
        finish(one, i + 1, i);
        return one;
      }
      if (c != '{') continue;
      const std::size_t close = closing_brace(i, end);
      if (depth > 0) {
        i = close;
        continue;
      }
      const std::string_view head = code_.substr(begin, i - begin);
      one.kind = kind_of(head);
      std::size_t next = close + 1;
      while (next < end && is_blank(code_[next])) ++next;
      // `: a{1}, b{2} {` initialises members.
      const bool initialises =
          one.kind == Declaration::Kind::kFunction && next < end &&
          (code_[next] == ',' || (code_[next] == '{' && head.rfind(':') != kNowhere));
      if (one.kind == Declaration::Kind::kOther || initialises) {
        one.kind = Declaration::Kind::kOther;
        i = close;
        continue;
      }
      one.body_begin = i;
      one.body_end = std::min(close + 1, end);
      if (one.kind != Declaration::Kind::kFunction)
        one.members = read(i + 1, close, depth_of_scope + 1);
      if (one.kind == Declaration::Kind::kClass) {
        const std::size_t semicolon = code_.find(';', close);
        finish(one, semicolon == kNowhere ? end : std::min(semicolon + 1, end), i);
      } else {
        finish(one, one.body_end, i);
      }
      return one;
    }
    finish(one, end, end);
    return one;
  }

  void finish(Declaration& one, std::size_t end, std::size_t head_end) const {
    one.end = end;
    one.is_device = has_any(code_.substr(one.begin, head_end - one.begin), device_words_);
  }

  std::string_view code_;
  const std::set<std::string>& device_words_;
};

bool holds_device_code(const Declaration& one) {
  return one.is_device || std::any_of(one.members.begin(), one.members.end(), holds_device_code);
}

// The name that an #include on this line has, with its delimiters cut; "" for another line.
std::string_view include_on(std::string_view line) {
  const auto skip = [&] {
    while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
  };
  skip();
  if (!line.starts_with('#')) return "";
  line.remove_prefix(1);
  skip();
  constexpr std::string_view kInclude = "include";
  if (!line.starts_with(kInclude)) return "";
  line.remove_prefix(kInclude.size());
  skip();
  if (line.empty() || (line.front() != '<' && line.front() != '"')) return "";
  const std::size_t close = line.find(line.front() == '<' ? '>' : '"', 1);
  return close == kNowhere ? "" : line.substr(1, close - 1);
}

}  // namespace

HostCode::HostCode(std::string text, const std::set<std::string>& device_words)
    : text_(std::move(text)), file_(std::make_unique<Declaration>()) {
  const std::string code = code_alone(text_);
  file_->kind = Declaration::Kind::kScope;
  file_->end = text_.size();
  file_->members = ScopeReader(code, device_words).read(0, code.size());
}
HostCode::~HostCode() = default;
HostCode::HostCode(HostCode&&) noexcept = default;
HostCode& HostCode::operator=(HostCode&&) noexcept = default;

void HostCode::blank(std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end && i < text_.size(); ++i)
    if (text_[i] != '\n' && text_[i] != '\r') text_[i] = ' ';
}

void HostCode::remove_launching() {
  const std::string code = code_alone(text_);
  const auto visit = [&](const auto& self, Declaration& one) -> void {
    for (Declaration& member : one.members) self(self, member);
    if (one.kind != Declaration::Kind::kFunction || one.is_device) return;
    const std::string_view all = code;
    const std::vector<std::string_view> head =
        words_of(all.substr(one.begin, one.body_begin - one.begin));
    const bool is_main = std::find(head.begin(), head.end(), "main") != head.end();
    const std::string_view body = all.substr(one.body_begin, one.body_end - one.body_begin);
    if (!is_main && body.find("<<<") == kNowhere) return;
    blank(one.body_begin + 1, one.body_end - 1);
    one.body_is_gone = true;
  };
  visit(visit, *file_);
}

bool HostCode::remove(Declaration& one, std::size_t begin, std::size_t end) {
  if (one.is_gone || one.end <= begin || one.begin >= end) return false;
  using Kind = Declaration::Kind;
  if (one.kind == Kind::kScope || one.kind == Kind::kClass) {
    bool removed = false;
    for (Declaration& member : one.members) removed = remove(member, begin, end) || removed;
    const bool on_head = one.begin < end && begin < one.body_begin;
    if (removed || one.kind == Kind::kScope || !on_head || holds_device_code(one)) return removed;
  } else if (one.is_device) {
    return false;
  } else if (one.kind == Kind::kFunction && !one.body_is_gone && one.body_begin < end &&
             begin < one.body_end) {
    one.body_is_gone = true;
    blank(one.body_begin + 1, one.body_end - 1);
    return true;
  }
  one.is_gone = true;
  blank(one.begin, one.end);
  return true;
}

bool HostCode::remove_at(int line, int column) {
  std::size_t begin = 0;
  for (int i = 1; i < line; ++i) {
    begin = text_.find('\n', begin);
    if (begin == kNowhere) return false;
    ++begin;
  }
  const std::size_t end = std::min(text_.find('\n', begin), text_.size());
  if (!include_on(std::string_view(text_).substr(begin, end - begin)).empty()) {
    blank(begin, end);
    return true;
  }
  if (column < 1) return remove(*file_, begin, end);
  begin = std::min(begin + static_cast<std::size_t>(column) - 1, end);
  return remove(*file_, begin, begin + 1);
}

bool HostCode::remove_include(std::string_view name) {
  bool removed = false;
  for (std::size_t begin = 0; begin < text_.size();) {
    const std::size_t end = std::min(text_.find('\n', begin), text_.size());
    if (include_on(std::string_view(text_).substr(begin, end - begin)) == name) {
      blank(begin, end);
      removed = true;
    }
    begin = end + 1;
  }
  return removed;
}

std::set<std::string> device_words(const std::vector<std::string_view>& texts) {
  std::set<std::string> words = {"__device__", "__global__", "__constant__", "__shared__",
                                 "__managed__"};
  std::map<std::string, std::string> macros;
  for (const std::string_view text : texts) {
    for (const std::string& directive : find_directives(text)) {
      const std::vector<std::string_view> parts = words_of(directive);
      if (parts.size() < 3 || parts[0] != "define") continue;
      const std::size_t body = static_cast<std::size_t>(parts[1].data() - directive.data());
      // What has parameters is more than an annotation.
      if (directive.compare(body + parts[1].size(), 1, "(") == 0) continue;
      macros[std::string(parts[1])] += " " + directive.substr(body + parts[1].size());
    }
  }
  for (bool grew = true; grew;) {
    grew = false;
    for (const auto& [name, body] : macros)
      if (has_any(body, words)) grew = words.insert(name).second || grew;
  }
  return words;
}

std::vector<std::string> kernel_names(std::string_view text) {
  const std::string code = code_alone(text);
  std::vector<std::string> names;
  constexpr std::string_view kGlobal = "__global__";
  for (std::size_t at = code.find(kGlobal); at != std::string::npos; at = code.find(kGlobal, at)) {
    at += kGlobal.size();
    for (std::size_t open = code.find_first_of("(;{", at);
         open != std::string::npos && code[open] == '('; open = code.find_first_of("(;{", open)) {
      std::size_t end = open;
      while (end > at && is_blank(code[end - 1])) --end;
      std::size_t begin = end;
      while (begin > at && is_word(code[begin - 1])) --begin;
      const std::string name = code.substr(begin, end - begin);
      if (!name.empty() && !name.starts_with("__")) {
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
        break;
      }
      // __launch_bounds__(...): what comes behind its bracket.
      int depth = 0;
      for (; open < code.size(); ++open) {
        if (code[open] == '(') ++depth;
        if (code[open] == ')' && --depth == 0) break;
      }
    }
  }
  return names;
}

}  // namespace warpwright
