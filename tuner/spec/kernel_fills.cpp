#include "spec/kernel_fills.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "core/hash.h"
#include "core/utf8.h"
#include "core/words.h"
#include "spec/kernel_sections.h"

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

// Parses "name" or "name(a, 'b')" with nothing after it.
class OriginParser {
 public:
  OriginParser(std::string_view text, const SourceLocation& where) : text_(text), where_(where) {}

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
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
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
    while (at_ < text_.size() && is_word(text_[at_])) ++at_;
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
  const SourceLocation& where_;
  std::size_t at_ = 0;
};

void check_origin_count(const OriginParser& parser, const OriginRule& rule, std::size_t got,
                        std::size_t least, std::size_t most) {
  if (got >= least && got <= most) return;
  parser.fail(fmt::format("'{}' takes {}{}: {}; got {}", rule.name,
                          least == most ? "" : fmt::format("{} or ", least),
                          plural(most, "argument"), rule.usage, got));
}

}  // namespace

FillOrigin parse_fill_origin(std::string_view text, const SourceLocation& where) {
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

InputFormat input_format(const FillOrigin& origin, const SourceLocation& where) {
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

namespace {

namespace fs = std::filesystem;

bool is_input(const ArgumentSpec& argument) {
  return argument.role == ArgumentRole::kIn || argument.role == ArgumentRole::kInOut;
}

// Why `argument` cannot be derived from the argument that its fill names; nullopt if it can.
std::optional<std::string> order_fault(const std::vector<ArgumentSpec>& arguments,
                                       const std::map<std::string, std::string>& fills,
                                       const ArgumentSpec& argument, const FillOrigin& origin) {
  if (origin.argument == argument.name)
    return fmt::format("'{}' cannot be made from itself", argument.name);
  std::vector<std::string> inputs;
  const ArgumentSpec* from = nullptr;
  for (const ArgumentSpec& other : arguments) {
    if (!is_input(other) || &other == &argument) continue;
    inputs.push_back(other.name);
    if (other.name == origin.argument) from = &other;
  }
  if (from == nullptr)
    return fmt::format("unknown input '{}'{}", origin.argument,
                       suggestion(origin.argument, inputs));
  const bool later = from > &argument;
  if (later && parse_fill_origin(fill_of(*from, fills), from->fill_where).is_made_later())
    return fmt::format(
        "'{}' is made after '{}': it is further down and made from others itself; "
        "move it above",
        from->name, argument.name);
  return std::nullopt;
}

}  // namespace

void check_fill(const YamlReader& at, const std::string& fill, const KernelSpec& kernel,
                const ArgumentSpec& argument) {
  const FillOrigin origin = parse_fill_origin(fill, at.where());
  if (origin.kind == FillKind::kNumbers) return;
  if (!is_input(argument))
    throw at.error(fmt::format(
        "'{}' is for inputs; scratch holds numbers, such as zeros or sequence(0, 1)", fill));
  if (origin.kind == FillKind::kFile) {
    static_cast<void>(input_format(origin, at.where()));
    existing_input(at, origin.file, kernel);
  }
  if (origin.kind == FillKind::kGenerator && kernel.launch_only)
    throw at.error("needs a reference, which a launch contract does not have");
}

void check_fill_order(const std::vector<ArgumentSpec>& arguments,
                      const std::map<std::string, std::string>& fills, const YamlReader* at) {
  for (const ArgumentSpec& argument : arguments) {
    if (!is_input(argument)) continue;
    const std::string& text = fill_of(argument, fills);
    const FillOrigin origin = parse_fill_origin(text, argument.fill_where);
    if (!origin.is_derived()) continue;
    const std::optional<std::string> fault = order_fault(arguments, fills, argument, origin);
    if (!fault) continue;
    const std::string what =
        fmt::format("argument '{}', fill '{}': {}", argument.name, text, *fault);
    throw at != nullptr ? at->error(what) : user_error(argument.fill_where, what);
  }
}

const std::string& fill_of(const ArgumentSpec& argument,
                           const std::map<std::string, std::string>& fills) {
  const auto replaced = fills.find(argument.name);
  return replaced == fills.end() ? argument.fill : replaced->second;
}

std::vector<const ArgumentSpec*> inputs_in_order(const std::vector<ArgumentSpec>& arguments,
                                                 const std::map<std::string, std::string>& fills) {
  std::vector<const ArgumentSpec*> order;
  for (const ArgumentSpec& argument : arguments)
    if (is_input(argument)) order.push_back(&argument);
  std::stable_partition(order.begin(), order.end(), [&](const ArgumentSpec* argument) {
    return !parse_fill_origin(fill_of(*argument, fills), argument->fill_where).is_made_later();
  });
  return order;
}

fs::path input_path(const KernelSpec& kernel, const FillOrigin& origin) {
  return (kernel.folder / origin.file).lexically_normal();
}

std::vector<fs::path> input_files(const KernelSpec& kernel) {
  std::set<fs::path> files;
  const auto add = [&](const std::string& fill, const SourceLocation& where) {
    const FillOrigin origin = parse_fill_origin(fill, where);
    if (origin.kind == FillKind::kFile) files.insert(input_path(kernel, origin));
  };
  for (const ArgumentSpec& argument : kernel.arguments) add(argument.fill, argument.fill_where);
  for (const CaseSpec& test : kernel.cases)
    for (const auto& [argument, fill] : test.fills) add(fill, test.where);
  return {files.begin(), files.end()};
}

std::string input_hash(const KernelSpec& kernel, const fs::path& file) {
  const std::shared_ptr<SourceBundle> texts = texts_of(kernel);
  const InputText found = texts->find_input(file);
  if (found.large != nullptr) return found.large->sha256;
  return sha256_hex(found.text != nullptr ? *found.text : texts->require(file));
}

bool uses_generator(const KernelSpec& kernel) {
  return std::any_of(kernel.arguments.begin(), kernel.arguments.end(), [](const ArgumentSpec& one) {
    return parse_fill_origin(one.fill, one.fill_where).kind == FillKind::kGenerator;
  });
}

}  // namespace warpwright
