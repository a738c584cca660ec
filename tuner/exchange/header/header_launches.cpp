// The part of ContractCode that builds compiler options and launches, and that describes arrays and
// tensor maps.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "core/error.h"
#include "core/escape.h"
#include "exchange/header/header_contract.h"

namespace warpwright {
namespace {

constexpr std::size_t kMaxArguments = 40;  // WW_MOST_ARGUMENTS

// Room for the longest "-DNAME=VALUE" with its terminator.
std::size_t longest_option(const KernelSpec& contract) {
  constexpr std::size_t kNumber = 28;     // a real in hexadecimal
  constexpr std::size_t kFreeText = 200;  // a text without a list of values
  std::size_t longest = 12;               // "--std=c++20"
  const auto consider = [&](const std::string& macro, const Value& sample,
                            const std::vector<Value>& values) {
    std::size_t length = sample.is_string() && values.empty() ? kFreeText : kNumber;
    for (const Value& value : values) length = std::max(length, value.to_string().size());
    longest = std::max(longest, macro.size() + length + 4);
  };
  for (const ParameterSpec& parameter : contract.parameters)
    consider(parameter.macro.value_or(parameter.name), parameter.default_value, parameter.values);
  for (const ProblemSizeSpec& size : contract.problem) {
    if (!size.macro.empty()) consider(size.macro, sample_of(size), size.values);
  }
  return longest;
}

std::size_t most_options(const KernelSpec& contract) {
  std::size_t most = 0;
  for (const VariantSpec& variant : contract.variants)
    most = std::max(most, variant.parameters.size());
  for (const ProblemSizeSpec& size : contract.problem) most += !size.macro.empty();
  return 1 + most;
}

constexpr std::string_view kPutOptions =
    R"(WW_FN void $put($options *out, int *at, const char *text) {
  for (; *text != '\0' && *at < $OPTION_LENGTH - 1; ++text) out->option[out->count][(*at)++] = *text;
  out->option[out->count][*at] = '\0';
}
WW_FN void $put_integer($options *out, int *at, long long v) {
  char digits[24] = WW_ZERO;
  int first = 23;
  const int negative = v < 0;
  do {
    const int digit = (int)(v % 10);
    digits[--first] = (char)('0' + (digit < 0 ? -digit : digit));
    v /= 10;
  } while (v != 0);
  if (negative) digits[--first] = '-';
  $put(out, at, digits + first);
}
/* In hexadecimal, which is exact. */
WW_FN void $put_real($options *out, int *at, double v) {
  int exponent = 0;
  char digit[2] = WW_ZERO;
  if (v < 0) $put(out, at, "-");
  if (v < 0) v = -v;
  for (; v >= 2; v /= 2) ++exponent;
  for (; v > 0 && v < 1; v *= 2) --exponent;
  $put(out, at, v > 0 ? "0x1." : "0x0.");
  v -= v > 0 ? 1 : 0;
  for (int i = 0; i < 13; ++i) {
    const int hex = (int)(v *= 16);
    digit[0] = "0123456789abcdef"[hex];
    $put(out, at, digit);
    v -= hex;
  }
  $put(out, at, "p");
  $put_integer(out, at, exponent);
}
WW_FN void $put_define($options *out, const char *macro, ww_value v) {
  int at = 0;
  $put(out, &at, "-D");
  $put(out, &at, macro);
  $put(out, &at, "=");
  if (v.kind == WW_INTEGER) $put_integer(out, &at, v.integer);
  if (v.kind == WW_REAL) $put_real(out, &at, v.real);
  if (v.kind == WW_TEXT) $put(out, &at, v.text);
  ++out->count;
}
)";

// The declaration of an argument in a comment: "const float *x".
std::string declaration(const ArgumentSpec& argument) {
  switch (argument.role) {
    case ArgumentRole::kIn:
      return fmt::format("const {} *{}", argument.dtype, argument.name);
    case ArgumentRole::kValue:
      return fmt::format("{} {} = {}", argument.dtype, argument.name, argument.value.to_string());
    case ArgumentRole::kTensorMap:
      return fmt::format("tensor map {} of {}", argument.name, argument.map->tensor);
    default:
      return fmt::format("{} *{}", argument.dtype, argument.name);
  }
}

}  // namespace

std::string ContractCode::options() const {
  std::string text = style_.constants({{"option_length", longest_option(contract_)}});
  text += style_.structure(
      "options", fmt::format("  int count WW_INIT(0);\n  char option[{}][{}] WW_INIT({{}});\n",
                             most_options(contract_), style_.constant("option_length")));
  text += style_.expand(kPutOptions) + "\n";
  text += style_.comment(
      "What NVRTC or nvcc is given to compile the configuration's source for the problem beside "
      "the architecture and folders of headers, one option an entry.");
  text += fmt::format(
      "{}(ww_selection chosen, {} problem) {{\n  {} out = WW_ZERO;\n  int at = 0;\n"
      "  if (chosen.configuration < 0 || chosen.configuration >= {}) return out;\n"
      "  const {} configuration = {}[chosen.configuration];\n"
      "  {}(&out, &at, \"--std=c++20\");\n  ++out.count;\n  switch (configuration.variant) {{\n",
      style_.define(style_.name("options"), "compile_options"), type_of_problem(),
      style_.name("options"), style_.constant("configuration_count"), style_.name("configuration"),
      style_.name("configurations"), style_.name("put"));
  const std::string put = style_.name("put_define");
  for (std::size_t v = 0; v < contract_.variants.size(); ++v) {
    text += fmt::format("    case {}:\n", style_.enumerator("variant", names_.variants[v]));
    const std::vector<std::string>& own = contract_.variants[v].parameters;
    for (std::size_t i = 0; i < contract_.parameters.size(); ++i) {
      const std::string& name = contract_.parameters[i].name;
      if (std::find(own.begin(), own.end(), name) == own.end()) continue;
      const std::string macro = source_macro(contract_, contract_.variants[v], name);
      if (macro.empty()) continue;
      text += fmt::format("      {}(&out, {}, {});\n", put, c_literal(macro), parameter_value(i));
    }
    text += "      break;\n";
  }
  text += "  }\n";
  bool macros = false;
  for (std::size_t i = 0; i < contract_.problem.size(); ++i) {
    if (contract_.problem[i].macro.empty()) continue;
    macros = true;
    text += fmt::format("  {}(&out, {}, {});\n", put, c_literal(contract_.problem[i].macro),
                        size_value(i));
  }
  if (!macros) text += "  (void)problem;\n";
  return text + "  return out;\n}\n";
}

std::string ContractCode::signatures() const {
  std::string text;
  for (const VariantSpec& variant : contract_.variants) {
    for (const LaunchSpec& launch : variant.launches) {
      std::string list;
      for (const std::string& name : launch.arguments)
        list += (list.empty() ? "" : ", ") + declaration(*contract_.find_argument(name));
      text += style_.comment(fmt::format("{}: {}({})", variant.name, launch.entry.text(), list));
    }
  }
  return text;
}

std::string ContractCode::launch_variant(std::size_t variant) const {
  const VariantSpec& fact = contract_.variants[variant];
  std::vector<const Expr*> expressions;
  for (const LaunchSpec& launch : fact.launches) {
    for (const auto* extents : {&launch.grid, &launch.block, &launch.cluster}) {
      for (const Expr& expr : *extents) expressions.push_back(&expr);
    }
    expressions.push_back(&launch.shared_bytes);
    for (const std::string& name : launch.arguments)
      expressions.push_back(&contract_.find_argument(name)->value);
  }
  std::string text =
      fmt::format("{}({}, int index) {{\n",
                  style_.define("ww_launch_plan", "launch_" + names_.variants[variant]),
                  parameters_of_internal());
  CodeVariables variables;
  text += locals(expressions, /*with_configuration=*/true, variables);
  text += "  ww_launch_plan out = ww_no_launch();\n  switch (index) {\n";
  for (std::size_t i = 0; i < fact.launches.size(); ++i) {
    const LaunchSpec& launch = fact.launches[i];
    if (launch.arguments.size() > kMaxArguments)
      throw user_error(fmt::format(
          "kernel '{}': the entry '{}' of variant '{}' takes {} arguments, and exported headers "
          "hold {}; put some into one array, or export JSON",
          contract_.name, launch.entry.text(), fact.name, launch.arguments.size(), kMaxArguments));
    text += fmt::format("    case {}:\n      out.ok = 1;\n      out.entry = {};\n", i,
                        c_literal(launch.entry.text()));
    text += put_numbers("grid", launch.grid, variables);
    text += put_numbers("block", launch.block, variables);
    text += put_numbers("cluster", launch.cluster, variables);
    const ExprNode& shared = launch.shared_bytes.root();
    const bool none = shared.kind == ExprKind::kLiteral && shared.literal == Value(0);
    if (!none) text += put_number("shared_bytes", launch.shared_bytes, variables);
    for (const std::string& name : launch.arguments) {
      const ArgumentSpec& argument = *contract_.find_argument(name);
      const std::string quoted = c_literal(name);
      if (argument.role == ArgumentRole::kValue) {
        text +=
            fmt::format("      ww_put_scalar(&out, {}, {}, {});\n", quoted,
                        dtype_code(argument.dtype), expr_code(argument.value.root(), variables));
        continue;
      }
      const bool map = argument.role == ArgumentRole::kTensorMap;
      std::size_t index = 0;
      if (map) {
        while (tensor_maps_[variant][index].argument != name) ++index;
      } else {
        while (tensors_[index] != &argument) ++index;
      }
      text += fmt::format("      ww_put_argument(&out, {}, {}, {}, {});\n", quoted,
                          map ? "WW_TENSOR_MAP" : "WW_TENSOR", index, dtype_code(argument.dtype));
    }
    text += "      break;\n";
  }
  return text + "    default:\n      break;\n  }\n  return out;\n}\n";
}

std::string ContractCode::launches() const {
  std::string text;
  for (std::size_t i = 0; i < contract_.variants.size(); ++i) text += launch_variant(i) + "\n";
  text += style_.comment(
      "Launch `index` of the configuration's launch_count, in stream order. The entries, with "
      "their "
      "arguments in order and what scalars are computed from:");
  text += signatures();
  return text + by_variant("ww_launch_plan", "launch",
                           std::vector<bool>(contract_.variants.size(), true), "ww_no_launch()");
}

// Describes arrays and the inputs of tensor maps, in the terms of
// cuTensorMapEncodeTiled, so that a program needs only the driver.

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
