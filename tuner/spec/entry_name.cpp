#include "spec/entry_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <utility>

#include "core/utf8.h"
#include "spec/names.h"
#include "spec/yaml_reader.h"

namespace warpwright {
namespace {

constexpr std::size_t kMaxEntryName = 1000;

bool begins_word(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool continues_word(char c) {
  return begins_word(c) || std::isdigit(static_cast<unsigned char>(c));
}

std::size_t end_of_word(std::string_view text, std::size_t at) {
  while (at < text.size() && continues_word(text[at])) ++at;
  return at;
}

std::size_t skip_spaces(std::string_view text, std::size_t at) {
  while (at < text.size() && text[at] == ' ') ++at;
  return at;
}

// The end of "name" or "outer::name" at the beginning; 0 if there is none.
std::size_t end_of_function(std::string_view text) {
  std::size_t at = text.starts_with("::") ? 2 : 0;
  while (true) {
    if (at >= text.size() || !begins_word(text[at])) return 0;
    at = end_of_word(text, at);
    if (text.substr(at, 2) != "::") return at;
    at += 2;
  }
}

// Returns true for one '<' that closes at the very end, whatever is in between.
bool is_argument_list(std::string_view text) {
  if (text.size() < 2 || text.front() != '<' || text.back() != '>') return false;
  int round = 0;
  for (const char c : text) {
    if (c == '(') ++round;
    if (c == ')') --round;
    if (c == ';' || c == '{' || c == '}' || c == '#' || c == '\\' || c == '\n' || round < 0)
      return false;
  }
  return round == 0;
}

}  // namespace

std::optional<std::string> cpp_type(std::string_view dtype) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 15> kTypes = {
      {{"f64", "double"},
       {"f32", "float"},
       {"f16", "__half"},
       {"bf16", "__nv_bfloat16"},
       {"i64", "long long"},
       {"u64", "unsigned long long"},
       {"i32", "int"},
       {"u32", "unsigned int"},
       {"i16", "short"},
       {"u16", "unsigned short"},
       {"i8", "signed char"},
       {"u8", "unsigned char"},
       {"e4m3", "__nv_fp8_e4m3"},
       {"e5m2", "__nv_fp8_e5m2"},
       {"bool", "bool"}}};
  const auto found = std::find_if(kTypes.begin(), kTypes.end(),
                                  [&](const auto& type) { return type.first == dtype; });
  if (found == kTypes.end()) return std::nullopt;
  return std::string(found->second);
}

EntryName EntryName::read(const YamlReader& reader, const ExprScope& scope) {
  EntryName name;
  name.text_ = reader.text();
  const std::string_view text = name.text_;
  const std::size_t end = end_of_function(text);
  const bool whole = end == text.size() && end > 0;
  if (text.size() > kMaxEntryName || end == 0 || (!whole && !is_argument_list(text.substr(end)))) {
    throw reader.error(
        fmt::format("got '{}', expected the name of a function, with namespaces and template "
                    "arguments where it "
                    "has them: saxpy, blas::axpy, reduce<float, THREADS>",
                    whole_characters(text, 60)));
  }
  if (!whole) name.split(reader, scope);
  return name;
}

void EntryName::split(const YamlReader& reader, const ExprScope& scope) {
  const std::string_view text = text_;
  std::size_t done = 0;
  for (std::size_t at = end_of_function(text); at < text.size();) {
    if (!begins_word(text[at])) {
      // The letters in 0x10 or 4u are not names.
      at = continues_word(text[at]) ? end_of_word(text, at) : at + 1;
      continue;
    }
    const std::size_t end = end_of_word(text, at);
    const std::string word(text.substr(at, end - at));
    // A name that is qualified by a namespace or a class, or that qualifies another, belongs to
    // C++.
    const bool scoped = (at >= 2 && text.substr(at - 2, 2) == "::") ||
                        (at >= 1 && text[at - 1] == '.') ||
                        text.substr(skip_spaces(text, end), 2) == "::";
    if (!scoped && scope.concerns(word)) {
      Expr value = reader.expression_in(at, end - at);
      scope.check(value);
      names_.insert(value.names().begin(), value.names().end());
      parts_.push_back({std::string(text.substr(done, at - done)), std::move(value)});
      done = end;
    }
    at = end;
  }
  parts_.push_back({std::string(text.substr(done)), std::nullopt});
}

bool EntryName::is_plain() const { return is_identifier(text_); }

std::string EntryName::evaluate(const Environment& environment) const {
  if (parts_.empty()) return text_;
  std::string result;
  for (const Part& part : parts_) {
    result += part.text;
    if (!part.value) continue;
    const Value value = part.value->evaluate(environment);
    if (value.is_bool()) {
      result += value.as_bool() ? "true" : "false";
    } else if (value.is_string()) {
      result += cpp_type(value.as_string()).value_or(value.as_string());
    } else {
      const std::string number = value.to_string();
      result += number.starts_with('-') ? '(' + number + ')' : number;
    }
  }
  return result;
}

}  // namespace warpwright
