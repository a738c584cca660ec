// The part of ContractCode that builds compiler options and launches, and sizes the room they need.
#include <fmt/format.h>

#include <algorithm>

#include "exchange/header/header_contract.h"

namespace warpwright {

std::vector<const Expr*> launch_expressions(const LaunchSpec& launch) {
  std::vector<const Expr*> list;
  for (const auto* extents : {&launch.grid, &launch.block, &launch.cluster}) {
    for (const Expr& expr : *extents) list.push_back(&expr);
  }
  list.push_back(&launch.shared_bytes);
  return list;
}

std::vector<const Expr*> constraint_expressions(const KernelSpec& contract,
                                                const VariantSpec& variant) {
  std::vector<const Expr*> list;
  for (const ConstraintSpec* constraint : constraints_of(contract, variant))
    list.push_back(&constraint->expr);
  return list;
}

std::string ContractCode::defines() const {
  const std::string list = dialect_.type("Options");
  const std::string put = (dialect_.c() ? "" : "detail::") + dialect_.function("put_define");
  const std::string self = dialect_.c() ? "&out" : "out";
  std::string text = dialect_.comment(
      "What NVRTC or nvcc is given to compile the configuration's source for the problem, one "
      "option "
      "an entry.");
  text += fmt::format("{}({}) {{\n  {} out{};\n", dialect_.define(list, "defines"),
                      dialect_.c()
                          ? fmt::format("{} configuration, {} problem",
                                        dialect_.type("Configuration"), dialect_.type("Problem"))
                          : "const Configuration& configuration, const Problem& problem",
                      list, dialect_.c() ? "" : "{}");
  if (dialect_.c()) text += "  out.count = 0;\n";
  const std::string value_space = dialect_.c() ? "" : "detail::";
  text += "  switch (configuration.variant) {\n";
  for (std::size_t v = 0; v < contract_.variants.size(); ++v) {
    text += fmt::format("    case {}:\n", dialect_.enumerator("Variant", names_.variants[v]));
    const std::vector<std::string>& own = contract_.variants[v].parameters;
    for (std::size_t i = 0; i < contract_.parameters.size(); ++i) {
      const std::string& name = contract_.parameters[i].name;
      if (std::find(own.begin(), own.end(), name) == own.end()) continue;
      const std::string macro = source_macro(contract_, contract_.variants[v], name);
      if (macro.empty()) continue;
      text += fmt::format("      {}({}, {}, {}{});\n", put, self, text_literal(macro), value_space,
                          parameter_value(i));
    }
    text += "      break;\n";
  }
  text += "  }\n";
  bool macros = false;
  for (std::size_t i = 0; i < contract_.problem.size(); ++i) {
    if (contract_.problem[i].macro.empty()) continue;
    macros = true;
    text +=
        fmt::format("  {}({}, {}, {}{});\n", put, self, text_literal(contract_.problem[i].macro),
                    value_space, size_value(i, "problem"));
  }
  if (!macros) text += "  (void)problem;\n";
  return text + "  return out;\n}\n";
}

std::string ContractCode::launch_variant(std::size_t variant) const {
  const VariantSpec& fact = contract_.variants[variant];
  const std::string plan = dialect_.type("LaunchPlan");
  std::vector<const Expr*> expressions;
  for (const LaunchSpec& launch : fact.launches) {
    const auto more = launch_expressions(launch);
    expressions.insert(expressions.end(), more.begin(), more.end());
  }
  std::string text =
      fmt::format("{}({}, int index) {{\n",
                  dialect_.define(plan, "launch_" + names_.variants[variant]), arguments());
  CodeVariables variables;
  text += locals(expressions, /*with_configuration=*/true, variables);
  text +=
      fmt::format("  {} out = {}();\n  switch (index) {{\n", plan, dialect_.function("no_launch"));
  const char* self = dialect_.c() ? "&out" : "out";
  const char* reference = dialect_.c() ? "&" : "";
  for (std::size_t i = 0; i < fact.launches.size(); ++i) {
    const LaunchSpec& launch = fact.launches[i];
    text += fmt::format("    case {}:\n      out.ok = {};\n      out.entry = {};\n", i,
                        dialect_.boolean(true), text_literal(launch.entry.text()));
    const auto set = [&](const std::string& member, const Expr& expr) {
      text += fmt::format("      {}({}, {}out.{}, {});\n", dialect_.function("set_extent"), self,
                          reference, member, code(expr, variables));
    };
    const auto set_all = [&](const char* member, const std::vector<Expr>& list) {
      for (std::size_t axis = 0; axis < list.size(); ++axis)
        set(fmt::format("{}[{}]", member, axis), list[axis]);
    };
    set_all("grid", launch.grid);
    set_all("block", launch.block);
    set_all("cluster", launch.cluster);
    const ExprNode& shared = launch.shared_bytes.root();
    const bool none = shared.kind == ExprKind::kLiteral && shared.literal == Value(0);
    if (!none) set("shared_bytes", launch.shared_bytes);
    text += "      break;\n";
  }
  return text + "    default:\n      break;\n  }\n  return out;\n}\n";
}

std::string ContractCode::launches() const {
  const std::string plan = dialect_.type("LaunchPlan");
  const bool c = dialect_.c();
  std::string text = c ? "" : "namespace detail {\n";
  text += fmt::format("{}({}) {{\n  {} out{};\n", dialect_.define(plan, "no_launch"),
                      c ? "void" : "", plan, c ? "" : "{}");
  if (c) {
    text +=
        "  int i;\n  out.ok = 0;\n  out.entry = 0;\n  out.shared_bytes = 0;\n"
        "  for (i = 0; i < 3; ++i) out.grid[i] = out.block[i] = out.cluster[i] = 1;\n";
  }
  text += "  return out;\n}\n";
  for (std::size_t i = 0; i < contract_.variants.size(); ++i) text += "\n" + launch_variant(i);
  if (!c) text += "}  // namespace detail\n";
  text += "\n" +
          dialect_.comment(
              "Launch `index` of configuration.launch_count, in stream order. Give it the limits "
              "of the selection.") +
          filled_scratch();
  text += fmt::format("{}({}, int index) {{\n  switch (configuration.variant) {{\n",
                      dialect_.define(plan, "launch"), arguments());
  for (const std::string& variant : names_.variants) {
    text += fmt::format("    case {}:\n      return {}(configuration, problem, limits, index);\n",
                        dialect_.enumerator("Variant", variant),
                        (c ? "" : "detail::") + dialect_.function("launch_" + variant));
  }
  return text + fmt::format("  }}\n  return {}();\n}}\n",
                            (c ? "" : "detail::") + dialect_.function("no_launch"));
}

std::string ContractCode::filled_scratch() const {
  std::string text;
  for (const VariantSpec& variant : contract_.variants) {
    for (const ArgumentSpec* scratch : filled_scratch_of(contract_, variant)) {
      std::string shape;
      for (const Expr& axis : scratch->shape)
        shape += (shape.empty() ? "" : ", ") + axis.to_string();
      text += dialect_.comment(fmt::format(
          "Before the first launch of {}, set its scratch `{}` ({} [{}]) to `{}`; every launch "
          "leaves it ready for the next.",
          variant.name, scratch->name, scratch->dtype, shape, scratch->fill));
    }
  }
  return text;
}

std::set<ExprOp> ContractCode::operators() const {
  std::set<ExprOp> operators;
  collect_operators(contract_.work.bytes.root(), operators);
  for (const VariantSpec& variant : contract_.variants) {
    for (const Expr* expr : constraint_expressions(contract_, variant))
      collect_operators(expr->root(), operators);
    for (const LaunchSpec& launch : variant.launches) {
      for (const Expr* expr : launch_expressions(launch))
        collect_operators(expr->root(), operators);
    }
  }
  for (const std::vector<TensorMapFact>& maps : tensor_maps_) {
    for (const TensorMapFact& map : maps) {
      for (const Expr* expr : tensor_map_expressions(map))
        collect_operators(expr->root(), operators);
    }
  }
  return operators;
}

std::size_t ContractCode::axes() const {
  return static_cast<std::size_t>(
      std::count_if(contract_.problem.begin(), contract_.problem.end(),
                    [](const ProblemSizeSpec& size) { return !is_categorical(size); }));
}

std::size_t ContractCode::most_defines() const {
  std::size_t most = 0;
  for (const VariantSpec& variant : contract_.variants)
    most = std::max(most, variant.parameters.size());
  for (const ProblemSizeSpec& size : contract_.problem) most += !size.macro.empty();
  return std::max<std::size_t>(1, most);
}

std::size_t ContractCode::longest_define() const {
  constexpr std::size_t kNumber = 28;     // a real in hexadecimal
  constexpr std::size_t kFreeText = 200;  // texts that no list bounds
  std::size_t longest = 1;
  const auto consider = [&](const std::string& macro, const Value& sample,
                            const std::vector<Value>& values) {
    std::size_t length = sample.is_string() && values.empty() ? kFreeText : kNumber;
    for (const Value& value : values) length = std::max(length, value.to_string().size());
    longest = std::max(longest, macro.size() + length + 4);
  };
  for (const ParameterSpec& parameter : contract_.parameters)
    consider(parameter.name, parameter.default_value, parameter.values);
  for (const ProblemSizeSpec& size : contract_.problem) {
    if (!size.macro.empty()) consider(size.macro, sample_of(size), size.values);
  }
  return longest;
}

std::size_t ContractCode::most_launches() const {
  std::size_t most = 1;
  for (const VariantSpec& variant : contract_.variants)
    most = std::max(most, variant.launches.size());
  return most;
}

}  // namespace warpwright
