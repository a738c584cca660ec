#include "exchange/header/header_style.h"

#include <fmt/format.h>

#include "core/escape.h"
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

HeaderStyle::HeaderStyle(const std::string& prefix, const std::string& kernel)
    : prefix_(prefix + kernel + "_") {}

std::string HeaderStyle::name(std::string_view text) const { return prefix_ + std::string(text); }

std::string HeaderStyle::constant(std::string_view text) const {
  return upper_case(prefix_) + upper_case(text);
}

std::string HeaderStyle::enumerator(std::string_view type, std::string_view text) const {
  return fmt::format("{}{}_{}", upper_case(prefix_), upper_case(type), upper_case(text));
}

std::string HeaderStyle::define(std::string_view result, std::string_view text) const {
  return fmt::format("WW_FN {}{}{}", result, result.ends_with('*') ? "" : " ", name(text));
}

std::string HeaderStyle::define_table(std::string_view type, std::string_view text) const {
  return fmt::format("WW_DATA {} {}", type, name(text));
}

std::string HeaderStyle::constants(
    const std::vector<std::pair<std::string, std::size_t>>& values) const {
  std::string text = "enum {\n";
  for (std::size_t i = 0; i < values.size(); ++i)
    text += fmt::format("  {} = {}{}\n", constant(values[i].first), values[i].second,
                        i + 1 == values.size() ? "" : ",");
  return text + "};\n";
}

std::string HeaderStyle::enumeration(const std::string& type,
                                     const std::vector<std::string>& texts) const {
  std::string list;
  for (const std::string& one : texts) list += (list.empty() ? "" : ", ") + enumerator(type, one);
  std::string text = fmt::format("typedef enum {{ {} }} {};\n", list, name(type));
  if (text.size() <= kColumns + 1) return text;
  text = "typedef enum {\n";
  for (const std::string& one : texts)
    text += fmt::format("  {}{}\n", enumerator(type, one), &one == &texts.back() ? "" : ",");
  return text + fmt::format("}} {};\n", name(type));
}

std::string HeaderStyle::structure(const std::string& type, const std::string& members) const {
  return fmt::format("typedef struct {} {{\n{}}} {};\n", name(type), members, name(type));
}

std::string HeaderStyle::member(std::string_view declaration, std::string_view initial,
                                std::string_view remark) const {
  const std::string code = fmt::format("  {} WW_INIT({});", declaration, initial);
  if (remark.empty()) return code + "\n";
  const std::string line = code + " /* " + c_comment(remark) + " */";
  if (line.size() <= kColumns) return line + "\n";
  return comment(remark, 2) + code + "\n";
}

std::string HeaderStyle::comment(std::string_view text, std::size_t indent) const {
  const std::string margin(indent, ' ');
  const std::vector<std::string> lines = wrap(c_comment(text), kColumns - indent - 6);
  std::string result;
  for (std::size_t i = 0; i < lines.size(); ++i)
    result += fmt::format("{}{}{}{}\n", margin, i == 0 ? "/* " : "   ", lines[i],
                          i + 1 == lines.size() ? " */" : "");
  return result;
}

std::string HeaderStyle::expand(std::string_view text) const {
  const std::string upper = upper_case(prefix_);
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '$') {
      result += text[i];
      continue;
    }
    const bool in_capitals = i + 1 < text.size() && text[i + 1] >= 'A' && text[i + 1] <= 'Z';
    result += in_capitals ? upper : prefix_;
  }
  return result;
}

}  // namespace warpwright
