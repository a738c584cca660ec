// The part of ContractCode that builds compiler options and launches.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/error.h"
#include "core/escape.h"
#include "exchange/header/header_contract.h"

namespace warpwright {
namespace {

constexpr std::size_t kMostArguments = 40;  // WW_MOST_ARGUMENTS

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
    if (launch.arguments.size() > kMostArguments)
      throw user_error(fmt::format(
          "kernel '{}': the entry '{}' of variant '{}' takes {} arguments, and exported headers "
          "hold {}; put some into one array, or export JSON",
          contract_.name, launch.entry.text(), fact.name, launch.arguments.size(), kMostArguments));
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

}  // namespace warpwright
