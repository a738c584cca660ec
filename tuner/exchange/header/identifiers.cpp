#include "exchange/header/identifiers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>

#include "core/words.h"

namespace warpwright {
namespace {

// Keywords of C99 to C++20 and of CUDA, sorted, with names that common platforms define as macros.
constexpr std::string_view kReserved[] = {"EOF",         "FALSE",      "INFINITY",
                                          "NAN",         "NULL",       "TRUE",
                                          "alignas",     "alignof",    "and",
                                          "and_eq",      "asm",        "assert",
                                          "auto",        "bitand",     "bitor",
                                          "bool",        "break",      "case",
                                          "catch",       "char",       "char16_t",
                                          "char32_t",    "char8_t",    "class",
                                          "co_await",    "co_return",  "co_yield",
                                          "compl",       "complex",    "concept",
                                          "const",       "const_cast", "consteval",
                                          "constexpr",   "constinit",  "continue",
                                          "decltype",    "default",    "delete",
                                          "do",          "double",     "dynamic_cast",
                                          "else",        "enum",       "errno",
                                          "explicit",    "export",     "extern",
                                          "false",       "far",        "float",
                                          "for",         "friend",     "goto",
                                          "if",          "imaginary",  "inline",
                                          "int",         "interface",  "linux",
                                          "long",        "major",      "max",
                                          "min",         "minor",      "mutable",
                                          "namespace",   "near",       "new",
                                          "noexcept",    "not",        "not_eq",
                                          "nullptr",     "operator",   "or",
                                          "or_eq",       "private",    "protected",
                                          "public",      "register",   "reinterpret_cast",
                                          "requires",    "restrict",   "return",
                                          "short",       "signed",     "sizeof",
                                          "small",       "static",     "static_assert",
                                          "static_cast", "stderr",     "stdin",
                                          "stdout",      "struct",     "switch",
                                          "template",    "this",       "thread_local",
                                          "throw",       "true",       "try",
                                          "typedef",     "typeid",     "typename",
                                          "union",       "unix",       "unsigned",
                                          "using",       "virtual",    "void",
                                          "volatile",    "wchar_t",    "while",
                                          "xor",         "xor_eq"};

// Words of the written headers that appear in the same scopes as names of contracts.
constexpr std::string_view kOwn[] = {"configuration",
                                     "problem",
                                     "device",
                                     "limits",
                                     "detail",
                                     "variant",
                                     "source",
                                     "launch_count",
                                     "launches",
                                     "resources",
                                     "text",
                                     "a",
                                     "b",
                                     "v",
                                     "index",
                                     "result",
                                     "out",
                                     "integers",
                                     "numbers",
                                     "holds",
                                     "same_text",
                                     "choose",
                                     "smaller",
                                     "larger",
                                     "magnitude",
                                     "ceil_div",
                                     "align_up",
                                     "is_pow2",
                                     "bytes_of",
                                     "log2_of",
                                     "root_of",
                                     "log2",
                                     "root",
                                     "size_scale",
                                     "Board",
                                     "Configuration",
                                     "Device",
                                     "LaunchFacts",
                                     "LaunchPlan",
                                     "Limits",
                                     "Match",
                                     "Options",
                                     "Place",
                                     "Problem",
                                     "Resources",
                                     "Selection",
                                     "Value",
                                     "Variant",
                                     "chosen",
                                     "at",
                                     "place",
                                     "work"};

template <std::size_t N>
bool listed(const std::string_view (&words)[N], std::string_view text) {
  return std::find(std::begin(words), std::end(words), text) != std::end(words);
}

// Names of types, functions and tables of the written headers; a type of the contract must not have
// any of these names.
std::set<std::string> own_types() {
  std::set<std::string> taken;
  for (const char* word : {"problem",
                           "defaultproblem",
                           "configuration",
                           "configurations",
                           "board",
                           "boards",
                           "resources",
                           "options",
                           "compileoptions",
                           "variant",
                           "variantname",
                           "place",
                           "placeof",
                           "valid",
                           "allowed",
                           "select",
                           "launch",
                           "tensor",
                           "tensormap",
                           "devices",
                           "fractions",
                           "merits",
                           "files",
                           "includes",
                           "othersizes",
                           "otherchoices",
                           "samesizes",
                           "limitsof",
                           "vote",
                           "contractdefault",
                           "squareddistance",
                           "boardweight",
                           "boardscore",
                           "put",
                           "putinteger",
                           "putreal",
                           "putdefine",
                           "count"})
    taken.insert(word);
  return taken;
}

// Keeps letters, digits and single underscores; the result begins with a letter.
std::string clean(std::string_view wanted) {
  std::string text;
  for (const char c : wanted) {
    const bool good = is_letter(c) || is_digit(c);
    if (good) {
      text += c;
    } else if (!text.empty() && text.back() != '_') {
      text += '_';
    }
  }
  while (!text.empty() && text.back() == '_') text.pop_back();
  if (text.empty() || is_digit(text.front())) text.insert(0, "v");
  return text;
}

// Names the type and the enumerators of a list of texts.
void name_values(const std::vector<Value>& values, const std::string& member,
                 IdentifierScope& types, const std::set<std::string>& macros,
                 std::vector<std::string>& type_names,
                 std::vector<std::vector<std::string>>& value_names) {
  std::string type;
  std::vector<std::string> names;
  if (is_enumeration(values)) {
    // "Choice" is also appended if a member has this very name, which would then change its
    // meaning.
    type = pascal_case(member);
    type = type == member || types.refuses(type) ? types.add(type + "Choice") : types.add(type);
    IdentifierScope scope(macros);
    for (const Value& value : values) names.push_back(scope.add(value.as_string()));
  }
  type_names.push_back(std::move(type));
  value_names.push_back(std::move(names));
}

}  // namespace

IdentifierScope IdentifierScope::of_members(std::set<std::string> macros,
                                            const std::vector<std::string>& beside) {
  IdentifierScope scope(std::move(macros));
  scope.own_words_ = false;
  for (const std::string& name : beside) scope.taken_.insert(lower(name));
  return scope;
}

bool IdentifierScope::refuses(const std::string& text) const {
  // Enumerators become upper case in C, so names must differ by more than case.
  return macros_.contains(text) || listed(kReserved, text) || (own_words_ && listed(kOwn, text)) ||
         taken_.contains(lower(text));
}

std::string IdentifierScope::add(std::string_view wanted) {
  std::string text = clean(wanted);
  if (refuses(text)) text = lower(text);
  for (int number = 1; refuses(text); ++number)
    text = fmt::format("{}_{}", lower(clean(wanted)), number == 1 ? "" : std::to_string(number));
  taken_.insert(lower(text));
  return text;
}

bool is_enumeration(const std::vector<Value>& values) {
  return !values.empty() && std::all_of(values.begin(), values.end(),
                                        [](const Value& value) { return value.is_string(); });
}

ContractNames name_contract(const KernelSpec& contract) {
  ContractNames names;
  for (const ProblemSizeSpec& size : contract.problem) {
    if (!size.macro.empty()) names.macros.insert(size.macro);
  }
  for (const ParameterSpec& parameter : contract.parameters) names.macros.insert(parameter.name);
  names.kernel = IdentifierScope(names.macros).add(contract.name);
  IdentifierScope members(names.macros);
  IdentifierScope types(names.macros, own_types());
  for (const ProblemSizeSpec& size : contract.problem) {
    names.sizes.push_back(members.add(size.name));
    name_values(size.values, names.sizes.back(), types, names.macros, names.size_types,
                names.size_values);
  }
  for (const ParameterSpec& parameter : contract.parameters) {
    names.parameters.push_back(members.add(parameter.name));
    name_values(parameter.values, names.parameters.back(), types, names.macros,
                names.parameter_types, names.parameter_values);
  }
  IdentifierScope variants(names.macros);
  for (const VariantSpec& variant : contract.variants)
    names.variants.push_back(variants.add(variant.name));
  return names;
}

std::string pascal_case(std::string_view text) {
  std::string result;
  bool start = true;
  for (const char c : text) {
    if (c == '_') {
      start = true;
      continue;
    }
    result += start ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    start = false;
  }
  return result.empty() ? "Value" : result;
}

std::string snake_case(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool upper = std::isupper(static_cast<unsigned char>(c)) != 0;
    if (upper && !result.empty() && result.back() != '_') result += '_';
    result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return result;
}

std::string rename_macros(const std::string& code, const std::set<std::string>& macros,
                          std::set<std::string>& renamed) {
  std::string result;
  const auto copy_to = [&](std::size_t& at, std::size_t end) {
    end = std::min(end, code.size());
    result.append(code, at, end - at);
    at = end;
  };
  for (std::size_t at = 0; at < code.size();) {
    const char c = code[at];
    if (code.compare(at, 2, "//") == 0) {
      copy_to(at, code.find('\n', at));
    } else if (code.compare(at, 2, "/*") == 0) {
      copy_to(at, code.find("*/", at));
    } else if (c == '"' || c == '\'') {
      std::size_t end = at + 1;
      while (end < code.size() && code[end] != c) end += code[end] == '\\' ? 2 : 1;
      copy_to(at, end + 1);
    } else if (is_word(c)) {
      std::size_t end = at;
      while (end < code.size() && is_word(code[end])) ++end;
      const std::string word = code.substr(at, end - at);
      result += word;
      if (macros.contains(word)) {
        result += "_here";
        renamed.insert(word);
      }
      at = end;
    } else {
      copy_to(at, at + 1);
    }
  }
  return result;
}

std::string time_literal(double value) {
  return Value(std::stod(fmt::format("{:.7g}", value))).to_string();
}

std::string real_literal(double value) { return Value(value).to_string(); }

std::string integer_literal(std::int64_t value) {
  if (value == std::numeric_limits<std::int64_t>::min()) return "(-9223372036854775807LL - 1)";
  const bool small = value >= -2147483647 && value <= 2147483647;
  return fmt::format("{}{}", value, small ? "" : "LL");
}

}  // namespace warpwright
