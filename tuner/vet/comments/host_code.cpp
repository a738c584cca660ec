#include "vet/comments/host_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "core/cpp_scan.h"
#include "core/words.h"

namespace warpwright {

// Offsets into the file's text.
struct Declaration {
  enum class Kind { kScope, kClass, kFunction, kOther };
  Kind kind = Kind::kOther;
  bool is_device = false;
  std::size_t begin = 0, end = 0;
  std::size_t body_begin = 0, body_end = 0;  // positions of its braces, if it has any
  std::size_t removal = 0;                   // index of its body's removal among those of the file
  bool is_gone = false, body_is_gone = false;
  std::vector<Declaration> members;
};

namespace {

// Limit on the nesting of scopes.
constexpr int kDeepest = 64;
// Limits on the text in front of a body, and on the braces in it that initialise members.
constexpr std::size_t kLongestHead = std::size_t{16} << 10;
constexpr int kMaxBraces = 100;
// Limits on the kernel names that are suggested, and on the text between __global__ and the
// parameters.
constexpr std::size_t kMaxKernelNames = 1000;
constexpr std::size_t kLongestDeclarator = 2000;

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

// Strips leading `template <...>` clauses.
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

// Reads the declarations of a scope from code whose comments, quotes and directives are blanked
// out.
class ScopeReader {
 public:
  ScopeReader(std::string_view code, const std::set<std::string>& device_words)
      : code_(code), device_words_(device_words) {}

  [[nodiscard]] std::vector<Declaration> read(std::size_t begin, std::size_t end,
                                              int depth = 0) const {
    std::vector<Declaration> all;
    // Scopes nested deeper than in any real program are left as they are.
    if (depth == kDeepest) return all;
    for (std::size_t at = skip(begin, end); at < end; at = skip(at, end)) {
      Declaration one = read_one(at, end, depth);
      at = std::max(one.end, at + 1);
      all.push_back(std::move(one));
    }
    return all;
  }

 private:
  // Skips access specifiers up to the next declaration.
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
    const bool calls = head.find('(') != std::string_view::npos;
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
    if (!calls || (equals != std::string_view::npos && equals < bracket && !has("operator")))
      return Kind::kOther;
    return Kind::kFunction;
  }

  [[nodiscard]] Declaration read_one(std::size_t begin, std::size_t end, int depth_of_scope) const {
    Declaration one;
    one.begin = begin;
    int depth = 0;
    int braces = 0;
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
      // Each brace rescans the head, so a head longer than in any real program counts as data.
      if (head.size() > kLongestHead || ++braces > kMaxBraces) {
        one.kind = Declaration::Kind::kOther;
        i = close;
        continue;
      }
      one.kind = kind_of(head);
      std::size_t next = close + 1;
      while (next < end && is_blank(code_[next])) ++next;
      // `: a{1}, b{2} {` initialises members.
      const bool initialises =
          one.kind == Declaration::Kind::kFunction && next < end &&
          (code_[next] == ',' || (code_[next] == '{' && head.rfind(':') != std::string_view::npos));
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
        finish(one, semicolon == std::string_view::npos ? end : std::min(semicolon + 1, end), i);
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

// Returns the name in an #include without its delimiters; "" for any other directive.
std::string_view include_name(const CppDirective& directive) {
  if (directive.word() != "include") return "";
  const std::string_view rest = directive.rest();
  if (rest.empty() || (rest.front() != '<' && rest.front() != '"')) return "";
  const std::size_t close = rest.find(rest.front() == '<' ? '>' : '"', 1);
  return close == std::string_view::npos ? "" : rest.substr(1, close - 1);
}

constexpr std::string_view kBodyMark = "//warpwright left out ";

std::string mark_of(std::size_t number) { return fmt::format("asm(\"{}{}\");", kBodyMark, number); }

// Returns the declared name: `f` for "static int A::f(int a)", `x` for "int x[3] = {".
std::string declared_name(std::string_view head) {
  head = without_template(head);
  const std::size_t end = std::min(head.find_first_of("([=;{"), head.size());
  std::size_t last = end;
  while (last > 0 && is_blank(head[last - 1])) --last;
  std::size_t first = last;
  while (first > 0 && (is_word(head[first - 1]) || head[first - 1] == '~')) --first;
  return std::string(head.substr(first, last - first));
}

}  // namespace

HostCode::HostCode(std::string text, const std::set<std::string>& device_words)
    : text_(std::move(text)), file_(std::make_unique<Declaration>()) {
  const std::string code = code_alone(text_);
  file_->kind = Declaration::Kind::kScope;
  file_->end = text_.size();
  file_->members = ScopeReader(code, device_words).read(0, code.size());
  lines_.push_back(0);
  for (std::size_t i = 0; i < text_.size(); ++i)
    if (text_[i] == '\n') lines_.push_back(i + 1);
}
HostCode::~HostCode() = default;
HostCode::HostCode(HostCode&&) noexcept = default;
HostCode& HostCode::operator=(HostCode&&) noexcept = default;

int HostCode::line_of(std::size_t offset) const {
  return static_cast<int>(std::upper_bound(lines_.begin(), lines_.end(), offset) - lines_.begin());
}

void HostCode::blank(std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end && i < text_.size(); ++i)
    if (text_[i] != '\n' && text_[i] != '\r') text_[i] = ' ';
}

void HostCode::note(const Declaration& declaration, bool is_body, bool is_asked) {
  const std::size_t head_end =
      declaration.body_begin > declaration.begin ? declaration.body_begin : declaration.end;
  const std::string head = text_.substr(declaration.begin, head_end - declaration.begin);
  if (is_body) marks_.push_back({declaration.body_begin + 1, removed_.size()});
  removed_.push_back({declared_name(head), line_of(declaration.begin), is_body, is_asked});
}

void HostCode::number_from(std::size_t first) {
  first_ = first;
  seen_ = removed_.size();
  for (Mark& mark : marks_) mark.is_seen = true;
}

std::string HostCode::marked_text() const {
  std::vector<Mark> marks = marks_;
  std::sort(marks.begin(), marks.end(),
            [](const Mark& a, const Mark& b) { return a.offset < b.offset; });
  std::string text;
  std::size_t done = 0;
  for (const Mark& mark : marks) {
    text.append(text_, done, mark.offset - done).append(mark_of(first_ + mark.removed));
    done = mark.offset;
  }
  return text.append(text_, done);
}

void HostCode::remove_launching() {
  const std::string code = code_alone(text_);
  const auto visit = [&](const auto& self, Declaration& one) -> void {
    for (Declaration& member : one.members) self(self, member);
    if (one.kind != Declaration::Kind::kFunction || one.is_device) return;
    const std::string_view all = code;
    const std::string_view head = all.substr(one.begin, one.body_begin - one.begin);
    const std::string_view body = all.substr(one.body_begin, one.body_end - one.body_begin);
    if (declared_name(head) != "main" && body.find("<<<") == std::string_view::npos) return;
    note(one, true, false);
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
    one.removal = removed_.size();
    note(one, true, true);
    blank(one.body_begin + 1, one.body_end - 1);
    return true;
  } else if (one.body_is_gone && begin > one.body_begin && one.removal >= seen_) {
    return true;  // a further error in a body that is already being removed
  }
  if (std::string_view(text_).substr(one.begin).starts_with("static_assert")) return false;
  one.is_gone = true;
  std::erase_if(marks_,
                [&](const Mark& mark) { return one.begin < mark.offset && mark.offset < one.end; });
  note(one, false, true);
  blank(one.begin, one.end);
  return true;
}

bool HostCode::remove_at(int line, int column) {
  if (line < 1 || static_cast<std::size_t>(line) > lines_.size()) return false;
  const std::size_t begin = lines_[static_cast<std::size_t>(line) - 1];
  const std::size_t end = std::min(text_.find('\n', begin), text_.size());
  if (column < 1) return remove(*file_, begin, end);
  // The compiler's columns include the marks earlier on the line.
  std::size_t ahead = 0;
  std::vector<Mark> marks = marks_;
  std::sort(marks.begin(), marks.end(),
            [](const Mark& a, const Mark& b) { return a.offset < b.offset; });
  const std::size_t marked = begin + static_cast<std::size_t>(column) - 1;
  for (const Mark& mark : marks) {
    const std::size_t length = mark_of(first_ + mark.removed).size();
    if (!mark.is_seen || mark.offset < begin || mark.offset + ahead >= marked) continue;
    ahead += std::min(length, marked - mark.offset - ahead);
  }
  const std::size_t at = std::min(marked - ahead, end);
  return remove(*file_, at, at + 1);
}

std::vector<int> HostCode::remove_include(std::string_view name) {
  std::vector<int> lines;
  for (const CppDirective& directive : find_directives(text_)) {
    if (include_name(directive) != name) continue;
    lines.push_back(line_of(directive.from.front()));
    blank(directive.from.front(), directive.from.back());
  }
  return lines;
}

std::map<int, std::string> HostCode::inner_includes() const {
  std::map<int, std::string> includes;
  const auto is_within = [](const auto& self, const Declaration& one, std::size_t at) -> bool {
    const auto next = std::upper_bound(
        one.members.begin(), one.members.end(), at,
        [](std::size_t offset, const Declaration& member) { return offset < member.begin; });
    if (next == one.members.begin()) return false;
    const Declaration& last = *(next - 1);
    if (at >= last.end || last.is_gone) return false;
    return last.kind != Declaration::Kind::kScope || self(self, last, at);
  };
  for (const CppDirective& directive : find_directives(text_))
    if (directive.word() == "include" && is_within(is_within, *file_, directive.from.front()))
      includes.emplace(line_of(directive.from.front()), directive.text);
  return includes;
}

std::set<std::size_t> marks_in(std::string_view ptx) {
  std::set<std::size_t> numbers;
  for (std::size_t at = ptx.find(kBodyMark); at != std::string_view::npos;
       at = ptx.find(kBodyMark, at)) {
    at += kBodyMark.size();
    std::size_t number = 0;
    std::from_chars(ptx.data() + at, ptx.data() + ptx.size(), number);
    numbers.insert(number);
  }
  return numbers;
}

std::set<std::string> device_words(const std::vector<std::string_view>& texts) {
  std::set<std::string> words = {"__device__", "__global__", "__constant__", "__shared__",
                                 "__managed__"};
  std::map<std::string, std::string> macros;
  for (const std::string_view text : texts) {
    for (const CppDirective& directive : find_directives(text)) {
      const std::vector<std::string_view> parts = words_of(directive.text);
      if (parts.size() < 3 || parts[0] != "define") continue;
      const auto body = static_cast<std::size_t>(parts[1].data() - directive.text.data());
      // A macro with parameters is more than an annotation.
      if (directive.text.compare(body + parts[1].size(), 1, "(") == 0) continue;
      macros[std::string(parts[1])] += " " + directive.text.substr(body + parts[1].size());
    }
  }
  // Propagates from the known words to the macros that expand to them, visiting each once.
  std::map<std::string, std::vector<std::string>, std::less<>> users;
  for (const auto& [name, body] : macros)
    for (const std::string_view word : words_of(body)) users[std::string(word)].push_back(name);
  std::vector<std::string> left(words.begin(), words.end());
  while (!left.empty()) {
    const auto found = users.find(left.back());
    left.pop_back();
    if (found == users.end()) continue;
    for (const std::string& name : found->second)
      if (words.insert(name).second) left.push_back(name);
  }
  return words;
}

std::vector<std::string> kernel_names(std::string_view text) {
  const std::string all = code_alone(text);
  std::vector<std::string> names;
  constexpr std::string_view kGlobal = "__global__";
  for (std::size_t next = all.find(kGlobal);
       next != std::string::npos && names.size() < kMaxKernelNames;
       next = all.find(kGlobal, next + 1)) {
    std::size_t at = kGlobal.size();
    const std::string code = all.substr(next, kLongestDeclarator);
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
      // Skip the arguments of __launch_bounds__(...).
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
