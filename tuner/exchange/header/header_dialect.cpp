#include "exchange/header/header_dialect.h"

#include <fmt/format.h>

#include <vector>

#include "exchange/header/identifiers.h"

namespace warpwright {
namespace {

constexpr std::size_t kColumns = 100;

std::vector<std::string> wrap(std::string_view text, std::size_t width) {
  std::vector<std::string> lines(1);
  std::size_t at = 0;
  while (at < text.size()) {
    std::size_t end = text.find(' ', at);
    if (end == std::string_view::npos) end = text.size();
    const std::string_view word = text.substr(at, end - at);
    if (!lines.back().empty() && lines.back().size() + 1 + word.size() > width)
      lines.emplace_back();
    if (!lines.back().empty()) lines.back() += ' ';
    lines.back() += word;
    at = end + 1;
  }
  return lines;
}

}  // namespace

HeaderDialect::HeaderDialect(CodeLanguage language, const std::string& kernel)
    : c_(language == CodeLanguage::kC),
      prefix_("ww_" + kernel + "_"),
      macro_prefix_(upper_case(prefix_)) {}

std::string HeaderDialect::type(std::string_view name) const {
  return c_ ? prefix_ + snake_case(name) : std::string(name);
}

std::string HeaderDialect::enumerator(std::string_view type, std::string_view name) const {
  if (!c_) return fmt::format("{}::{}", type, name);
  return macro_prefix_ + upper_case(snake_case(type)) + "_" + upper_case(name);
}

std::string HeaderDialect::function(std::string_view name) const {
  return c_ ? prefix_ + std::string(name) : std::string(name);
}

std::string HeaderDialect::define(std::string_view result, std::string_view name) const {
  const std::string_view gap = result.ends_with('*') || result.ends_with(' ') ? "" : " ";
  return fmt::format("{}{}{}{}", c_ ? "static inline " : "WARPWRIGHT_FN ", result, gap,
                     function(name));
}

std::string HeaderDialect::table(std::string_view name) const {
  return c_ ? prefix_ + snake_case(name.substr(1)) : std::string(name);
}

std::string HeaderDialect::define_table(std::string_view type, std::string_view name) const {
  return fmt::format("{} {} {}", c_ ? "static const" : "WARPWRIGHT_DATA", type, table(name));
}

std::string HeaderDialect::constant(std::string_view name) const {
  return c_ ? macro_prefix_ + upper_case(snake_case(name.substr(1))) : std::string(name);
}

std::string HeaderDialect::define_constant(std::string_view name, std::string_view value) const {
  if (c_) return fmt::format("#define {} {}\n", constant(name), value);
  return fmt::format("WARPWRIGHT_DATA int {} = {};\n", name, value);
}

std::string HeaderDialect::enumeration(std::string_view name,
                                       const std::vector<std::string>& enumerators) const {
  std::string list;
  for (const std::string& one : enumerators) {
    if (!list.empty()) list += ", ";
    list += c_ ? enumerator(name, one) : one;
  }
  std::string text = c_ ? fmt::format("typedef enum {{ {} }} {};\n", list, type(name))
                        : fmt::format("enum class {} {{ {} }};\n", name, list);
  if (text.size() <= kColumns + 1) return text;
  text = c_ ? "typedef enum {\n" : fmt::format("enum class {} {{\n", name);
  for (const std::string& one : enumerators)
    text += fmt::format("  {}{}\n", c_ ? enumerator(name, one) : one,
                        &one == &enumerators.back() ? "" : ",");
  return text + (c_ ? fmt::format("}} {};\n", type(name)) : "};\n");
}

std::string HeaderDialect::comment(std::string_view text, std::size_t indent) const {
  const std::string margin(indent, ' ');
  const std::vector<std::string> lines = wrap(comment_text(text), kColumns - indent - 6);
  std::string result;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!c_) {
      result += fmt::format("{}// {}\n", margin, lines[i]);
      continue;
    }
    result += fmt::format("{}{}{}{}\n", margin, i == 0 ? "/* " : "   ", lines[i],
                          i + 1 == lines.size() ? " */" : "");
  }
  return result;
}

std::string HeaderDialect::remarked(const std::string& code, std::string_view remark) const {
  if (remark.empty()) return code + "\n";
  const std::string text = comment_text(remark);
  const std::string line = code + (c_ ? "  /* " + text + " */" : "  // " + text);
  if (line.size() <= kColumns) return line + "\n";
  const std::size_t indent = code.find_first_not_of(' ');
  return comment(remark, indent == std::string::npos ? 0 : indent) + code + "\n";
}

std::string HeaderDialect::boolean(bool value) const {
  if (c_) return value ? "1" : "0";
  return value ? "true" : "false";
}

std::string HeaderDialect::initial(std::string_view value) const {
  return c_ ? "" : fmt::format(" = {}", value);
}

std::string HeaderDialect::begin_struct(std::string_view name) const {
  return c_ ? "typedef struct {\n" : fmt::format("struct {} {{\n", name);
}

std::string HeaderDialect::end_struct(std::string_view name) const {
  return c_ ? fmt::format("}} {};\n", type(name)) : "};\n";
}

std::string HeaderDialect::value(std::string_view kind, std::string_view code) const {
  return c_ ? fmt::format("{}{}({})", prefix_, kind, code) : fmt::format("Value({})", code);
}

}  // namespace warpwright
