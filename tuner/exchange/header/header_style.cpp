#include "exchange/header/header_style.h"

#include <fmt/format.h>

#include "core/error.h"
#include "core/escape.h"
#include "core/expr/expr.h"
#include "core/words.h"
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
  return upper(prefix_) + upper(text);
}

std::string HeaderStyle::enumerator(std::string_view type, std::string_view text) const {
  return fmt::format("{}{}_{}", upper(prefix_), upper(type), upper(text));
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
  const std::string capitals = upper(prefix_);
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '$') {
      result += text[i];
      continue;
    }
    const bool in_capitals = i + 1 < text.size() && text[i + 1] >= 'A' && text[i + 1] <= 'Z';
    result += in_capitals ? capitals : prefix_;
  }
  return result;
}

namespace {

// The function of warpwright_select.h that stands for an operator.
std::string_view function_name(ExprOp op) {
  switch (op) {
    case ExprOp::kNegate:
      return "negate";
    case ExprOp::kNot:
      return "not";
    case ExprOp::kInvert:
      return "invert";
    case ExprOp::kOr:
      return "or";
    case ExprOp::kAnd:
      return "and";
    case ExprOp::kBitOr:
      return "bit_or";
    case ExprOp::kBitXor:
      return "bit_xor";
    case ExprOp::kBitAnd:
      return "bit_and";
    case ExprOp::kEqual:
      return "equal";
    case ExprOp::kNotEqual:
      return "not_equal";
    case ExprOp::kLess:
      return "less";
    case ExprOp::kLessEqual:
      return "less_equal";
    case ExprOp::kGreater:
      return "greater";
    case ExprOp::kGreaterEqual:
      return "greater_equal";
    case ExprOp::kShiftLeft:
      return "shift_left";
    case ExprOp::kShiftRight:
      return "shift_right";
    case ExprOp::kAdd:
      return "add";
    case ExprOp::kSubtract:
      return "subtract";
    case ExprOp::kMultiply:
      return "multiply";
    case ExprOp::kDivide:
      return "divide";
    case ExprOp::kRemainder:
      return "remainder";
    case ExprOp::kMin:
      return "smaller";
    case ExprOp::kMax:
      return "larger";
    case ExprOp::kAbs:
      return "magnitude";
    case ExprOp::kCeilDiv:
      return "ceil_div";
    case ExprOp::kAlignUp:
      return "align_up";
    case ExprOp::kIsPow2:
      return "is_pow2";
    case ExprOp::kSizeof:
      return "bytes_of";
    case ExprOp::kLog2:
      return "log2_of";
    case ExprOp::kSqrt:
      return "root_of";
    case ExprOp::kNone:
      break;
  }
  return "choose";
}

std::string literal_code(const Value& value) {
  if (value.is_string()) return fmt::format("ww_text({})", c_literal(value.as_string()));
  if (value.is_real()) return fmt::format("ww_real({})", real_literal(value.as_real()));
  return fmt::format("ww_integer({})", integer_literal(value.as_integer()));
}

}  // namespace

std::string expr_code(const ExprNode& node, const CodeVariables& variables) {
  if (node.kind == ExprKind::kLiteral) return literal_code(node.literal);
  if (node.kind == ExprKind::kName) return variables.at(node.name);
  const std::string name = fmt::format("ww_{}", function_name(node.op));
  // min and max of more than two operands are evaluated pairwise.
  if (node.kind != ExprKind::kConditional && node.children.size() > 2) {
    std::string text = expr_code(node.children[0], variables);
    for (std::size_t i = 1; i < node.children.size(); ++i)
      text = fmt::format("{}({}, {})", name, text, expr_code(node.children[i], variables));
    return text;
  }
  std::string text = name + "(";
  for (std::size_t i = 0; i < node.children.size(); ++i)
    text += (i == 0 ? "" : ", ") + expr_code(node.children[i], variables);
  return text + ")";
}

std::string put_number(const std::string& member, const Expr& expr,
                       const CodeVariables& variables) {
  return fmt::format("      ww_put_number(&out.ok, &out.{}, {});\n", member,
                     expr_code(expr.root(), variables));
}

std::string put_numbers(const std::string& member, const std::vector<Expr>& list,
                        const CodeVariables& variables) {
  std::string text;
  for (std::size_t i = 0; i < list.size(); ++i)
    text += put_number(fmt::format("{}[{}]", member, i), list[i], variables);
  return text;
}

}  // namespace warpwright
