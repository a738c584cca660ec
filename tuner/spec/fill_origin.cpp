#include "spec/fill_origin.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <vector>

#include "core/suggest.h"
#include "core/utf8.h"

namespace warpwright {
namespace {

struct OriginRule {
  std::string_view name;
  FillKind kind;
  std::string_view usage;
};

constexpr std::array<OriginRule, 6> kOrigins{
    {{"file", FillKind::kFile, "file(\"filter.npy\")"},
     {"generator", FillKind::kGenerator, "generator or generator(\"name\")"},
     {"copy_of", FillKind::kCopyOf, "copy_of(x)"},
     {"prefix_sum", FillKind::kPrefixSum, "prefix_sum(x)"},
     {"sorted", FillKind::kSorted, "sorted(x)"},
     {"argsort", FillKind::kArgsort, "argsort(x)"}}};

constexpr auto kOriginNames = [] {
  std::array<std::string_view, kOrigins.size()> names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = kOrigins[i].name;
  return names;
}();

constexpr std::size_t kShownBytes = 100;

struct OriginWord {
  std::string text;
  bool quoted = false;
};

bool is_word_byte(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Parses "name" or "name(a, 'b')" with nothing after it.
class OriginParser {
 public:
  OriginParser(std::string_view text, const SourcePosition& where) : text_(text), where_(where) {}

  std::string name() {
    skip_space();
    return word();
  }

  // `first_quoted` shows how to write the first argument if it must be quoted; otherwise "".
  std::vector<OriginWord> arguments(std::string_view first_quoted) {
    std::vector<OriginWord> found;
    if (!take('(')) return found;
    while (!take(')')) {
      if (found.empty() && !first_quoted.empty() && !at_quote())
        fail(fmt::format("expected a name in quotes, as in {}, got {}", first_quoted, here()));
      if (!found.empty() && !take(',')) fail("expected ',' or ')', got " + here());
      found.push_back(argument());
    }
    return found;
  }

  void end() {
    skip_space();
    if (at_ < text_.size())
      fail(fmt::format("expected the end, got {}; only fills of numbers take modifiers", here()));
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw user_error(where_,
                     fmt::format("in fill '{}': {}", shortened_line(text_, kShownBytes), what));
  }

 private:
  void skip_space() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }

  bool take(char c) {
    skip_space();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  [[nodiscard]] std::string here() const {
    if (at_ >= text_.size()) return "the end";
    return fmt::format("'{}'", shortened_line(text_.substr(at_), kShownBytes));
  }

  [[nodiscard]] bool at_quote() const {
    return at_ < text_.size() && (text_[at_] == '"' || text_[at_] == '\'');
  }

  std::string word() {
    const std::size_t start = at_;
    while (at_ < text_.size() && is_word_byte(text_[at_])) ++at_;
    return std::string(text_.substr(start, at_ - start));
  }

  OriginWord argument() {
    skip_space();
    if (at_quote()) {
      const std::size_t end = text_.find(text_[at_], at_ + 1);
      if (end == std::string_view::npos) fail("the quote " + here() + " is never closed");
      OriginWord found{std::string(text_.substr(at_ + 1, end - at_ - 1)), true};
      if (found.text.empty()) fail("expected text in the quotes");
      at_ = end + 1;
      return found;
    }
    OriginWord found{word(), false};
    if (found.text.empty()) fail("expected a word or text in quotes, got " + here());
    return found;
  }

  std::string_view text_;
  const SourcePosition& where_;
  std::size_t at_ = 0;
};

void check_origin_count(const OriginParser& parser, const OriginRule& rule, std::size_t got,
                        std::size_t least, std::size_t most) {
  if (got >= least && got <= most) return;
  parser.fail(fmt::format("'{}' takes {}{} argument{}: {}; got {}", rule.name,
                          least == most ? "" : fmt::format("{} or ", least), most,
                          most == 1 ? "" : "s", rule.usage, got));
}

}  // namespace

FillOrigin parse_fill_origin(std::string_view text, const SourcePosition& where) {
  OriginParser parser(text, where);
  const std::string name = parser.name();
  const auto rule = std::find_if(kOrigins.begin(), kOrigins.end(),
                                 [&](const OriginRule& known) { return known.name == name; });
  FillOrigin origin;
  if (rule == kOrigins.end()) return origin;
  origin.kind = rule->kind;
  const bool file = origin.kind == FillKind::kFile;
  const std::vector<OriginWord> arguments = parser.arguments(file ? rule->usage : "");
  parser.end();
  if (file) {
    check_origin_count(parser, *rule, arguments.size(), 1, 2);
    origin.file = arguments.front().text;
    if (arguments.size() > 1) origin.part = arguments[1].text;
  } else if (origin.kind == FillKind::kGenerator) {
    check_origin_count(parser, *rule, arguments.size(), 0, 1);
    if (!arguments.empty()) origin.name = arguments.front().text;
  } else {
    check_origin_count(parser, *rule, arguments.size(), 1, 1);
    origin.argument = arguments.front().text;
    if (arguments.front().quoted)
      parser.fail(
          fmt::format("expected the name of an argument without quotes, as in {}", rule->usage));
  }
  return origin;
}

std::span<const std::string_view> fill_origin_names() { return kOriginNames; }

InputFormat input_format(const FillOrigin& origin, const SourcePosition& where) {
  const auto refuse = [&](const std::string& what) {
    return user_error(where,
                      fmt::format("'{}': {}", shortened_line(origin.file, kShownBytes), what));
  };
  const std::string extension = std::filesystem::path(origin.file).extension().string();
  if (extension == ".npy" || extension == ".bin" || extension == ".raw") {
    if (!origin.part.empty())
      throw refuse(fmt::format("it holds one array, got '{}' as well; remove that", origin.part));
    return extension == ".npy" ? InputFormat::kNumpy : InputFormat::kRaw;
  }
  if (extension == ".safetensors") {
    if (origin.part.empty())
      throw refuse("it may hold several tensors; name one: file(\"FILE\", \"tensor\")");
    return InputFormat::kSafetensors;
  }
  if (extension == ".mtx") {
    const std::vector<std::string> parts = {"row_offsets", "columns", "values", "rows"};
    if (!origin.part.empty() && std::find(parts.begin(), parts.end(), origin.part) == parts.end())
      throw refuse(fmt::format("unknown part '{}' of a matrix{}", origin.part,
                               suggestion(origin.part, parts)));
    return InputFormat::kMatrixMarket;
  }
  throw refuse("got a file of an unknown kind, expected .npy, .bin, .raw, .safetensors or .mtx");
}

}  // namespace warpwright
