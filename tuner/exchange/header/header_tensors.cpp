// The part of ContractCode that describes arrays and the inputs of tensor maps, in the terms of
// cuTensorMapEncodeTiled, so that a program needs only the driver.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "core/error.h"
#include "core/escape.h"
#include "exchange/header/header_contract.h"

namespace warpwright {
namespace {

std::vector<const Expr*> tensor_map_expressions(const TensorMapFact& map) {
  std::vector<const Expr*> list = {&map.data_type, &map.offset_bytes, &map.swizzle,
                                   &map.l2_promotion, &map.fill};
  for (const auto* axes : {&map.sizes, &map.stride_bytes, &map.box, &map.element_strides}) {
    for (const Expr& expr : *axes) list.push_back(&expr);
  }
  return list;
}

std::string_view role_name(ArgumentRole role) {
  switch (role) {
    case ArgumentRole::kIn:
      return "WW_IN";
    case ArgumentRole::kOut:
      return "WW_OUT";
    case ArgumentRole::kInOut:
      return "WW_INOUT";
    default:
      return "WW_WORKSPACE";
  }
}

// The number that every element is: 0 of "zeros", 7 of "constant(7)".
Value initial_value(const KernelSpec& contract, const ArgumentSpec& argument) {
  constexpr std::string_view kConstant = "constant(";
  const std::string& fill = argument.fill;
  if (fill == "zeros") return 0;
  if (fill == "ones") return 1;
  if (fill.starts_with(kConstant) && fill.ends_with(")")) {
    const std::string text = fill.substr(kConstant.size(), fill.size() - kConstant.size() - 1);
    char* end = nullptr;
    const double number = std::strtod(text.c_str(), &end);
    if (end != text.c_str() && *end == '\0') {
      const auto whole = static_cast<std::int64_t>(number);
      return static_cast<double>(whole) == number ? Value(whole) : Value(number);
    }
  }
  throw user_error(
      argument.fill_where,
      fmt::format("kernel '{}': its scratch '{}' begins as `{}`, and exported headers support "
                  "only `zeros`, `ones` and `constant(NUMBER)`; export JSON",
                  contract.name, argument.name, fill));
}

}  // namespace

// Tensors are addressed by index because programs iterate over them; the names are for those that
// do not.
std::string ContractCode::tensors() const {
  std::vector<std::pair<std::string, std::size_t>> numbers;
  std::vector<const Expr*> expressions;
  for (std::size_t i = 0; i < tensors_.size(); ++i) {
    numbers.emplace_back("tensor_" + tensors_[i]->name, i);
    for (const Expr& axis : tensors_[i]->shape) expressions.push_back(&axis);
  }
  numbers.emplace_back("tensor_count", tensors_.size());
  std::string text = style_.constants(numbers) + "\n";
  text += style_.comment(
      "Tensor `index` of WW_..._TENSOR_COUNT. Workspaces belong to the launches of one stream; a "
      "`used` of 0 needs none.");
  for (const ArgumentSpec* tensor : tensors_) {
    if (!tensor->doc.empty())
      text += style_.comment(fmt::format("{}: {}", tensor->name, tensor->doc));
  }
  text += fmt::format(
      "{}(ww_selection chosen, {} problem, int index) {{\n  ww_tensor out = WW_ZERO;\n"
      "  if (chosen.configuration < 0 || chosen.configuration >= {}) return out;\n"
      "  const {} configuration = {}[chosen.configuration];\n  const ww_limits limits = "
      "chosen.limits;\n",
      style_.define("ww_tensor", "tensor"), type_of_problem(),
      style_.constant("configuration_count"), style_.name("configuration"),
      style_.name("configurations"));
  CodeVariables variables;
  std::string definitions = locals(expressions, /*with_configuration=*/true, variables);
  text += definitions + "  switch (index) {\n";
  for (const ArgumentSpec* tensor : tensors_) {
    std::string used;
    std::size_t users = 0;
    for (std::size_t v = 0; v < contract_.variants.size(); ++v) {
      if (!passes_array(contract_, contract_.variants[v], tensor->name)) continue;
      ++users;
      used += fmt::format("{}configuration.variant == {}", used.empty() ? "" : " || ",
                          style_.enumerator("variant", names_.variants[v]));
    }
    if (users == contract_.variants.size()) used = "1";
    if (users == 0) used = "0";
    text += fmt::format("    case {}:\n      ww_put_tensor(&out, {}, {}, {}, {});\n",
                        style_.constant("tensor_" + tensor->name), c_literal(tensor->name),
                        role_name(tensor->role), used, dtype_code(tensor->dtype));
    // The shape of scratch may use parameters that the variant does not have.
    const bool scratch = tensor->role == ArgumentRole::kScratch;
    if (scratch && used != "1") {
      text += "      if (!out.used) out.bytes = 0;\n      if (!out.used) break;\n";
    }
    for (const Expr& axis : tensor->shape)
      text += fmt::format("      ww_put_axis(&out, {});\n", expr_code(axis.root(), variables));
    if (scratch && !tensor->fill.empty()) {
      const Value value = initial_value(contract_, *tensor);
      text +=
          fmt::format("      out.initial = {};\n      out.initial_bits = ww_bits(out.dtype, {});\n",
                      c_literal(tensor->fill), expr_code(Expr::literal(value).root(), {}));
    }
    text += "      break;\n";
  }
  return text + "    default:\n      break;\n  }\n  return out;\n}\n";
}

// A function per variant, because a map may use parameters that other variants do not have.
std::string ContractCode::tensor_map_variant(std::size_t variant) const {
  const std::vector<TensorMapFact>& maps = tensor_maps_[variant];
  std::vector<const Expr*> expressions;
  for (const TensorMapFact& map : maps) {
    const auto more = tensor_map_expressions(map);
    expressions.insert(expressions.end(), more.begin(), more.end());
  }
  std::string text =
      fmt::format("{}({}, int index) {{\n",
                  style_.define("ww_tensor_map", "tensor_map_" + names_.variants[variant]),
                  parameters_of_internal());
  CodeVariables variables;
  text += locals(expressions, /*with_configuration=*/true, variables);
  text += "  ww_tensor_map out = ww_no_tensor_map();\n  switch (index) {\n";
  for (std::size_t i = 0; i < maps.size(); ++i) {
    const TensorMapFact& map = maps[i];
    text += fmt::format(
        "    case {}:\n      out.ok = 1;\n      out.argument = {};\n      out.tensor = {};\n"
        "      out.rank = {};\n",
        i, c_literal(map.argument), style_.constant("tensor_" + map.tensor), map.sizes.size());
    text += put_number("offset_bytes", map.offset_bytes, variables);
    text += put_number("data_type", map.data_type, variables);
    text += put_numbers("sizes", map.sizes, variables);
    text += put_numbers("stride_bytes", map.stride_bytes, variables);
    text += put_numbers("box", map.box, variables);
    text += put_numbers("element_strides", map.element_strides, variables);
    text += put_number("swizzle", map.swizzle, variables);
    text += put_number("l2_promotion", map.l2_promotion, variables);
    text += put_number("fill", map.fill, variables);
    text += "      break;\n";
  }
  return text + "    default:\n      break;\n  }\n  return out;\n}\n";
}

std::string ContractCode::tensor_maps() const {
  std::string text;
  std::vector<bool> has;
  for (std::size_t i = 0; i < contract_.variants.size(); ++i) {
    has.push_back(!tensor_maps_[i].empty());
    if (has.back()) text += tensor_map_variant(i) + "\n";
  }
  // Nothing is written if no launch passes a map.
  if (text.empty()) return "";
  text += style_.comment(
      "Tensor map `index` of the configuration's launches, from 0 on until one is not ok.");
  return text + by_variant("ww_tensor_map", "tensor_map", has, "ww_no_tensor_map()");
}

}  // namespace warpwright
