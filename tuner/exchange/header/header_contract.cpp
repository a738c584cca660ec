// The part of ContractCode that writes types and rules; launches and arguments are in
// header_launches.cpp.
#include "exchange/header/header_contract.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "analysis/select/launch_rules.h"
#include "core/escape.h"
#include "core/words.h"

namespace warpwright {
namespace {

// Writes a limit as a literal of the member's type.
std::string limit_literal(double limit, const Value& sample) {
  if (sample.is_real()) return real_literal(limit);
  return integer_literal(static_cast<std::int64_t>(limit));
}

// The range that the contract allows for a size: "1 to 65535", "at least 1".
std::string range_text(const ProblemSizeSpec& size) {
  if (is_categorical(size) || !sample_of(size).is_number()) return "";
  const bool counts = sample_of(size).is_integer() && !size.min;
  const auto text = [&](double limit) { return fmt::format("{}", limit); };
  const std::string low = size.min ? text(*size.min) : counts ? "1" : "";
  if (!low.empty() && size.max) return fmt::format("{} to {}", low, text(*size.max));
  if (size.max) return fmt::format("at most {}", text(*size.max));
  return low.empty() ? "" : "at least " + low;
}

// The limits that expressions may name, as members of ww_limits.
std::string limit_member(const std::string& limit) {
  return limit == "max_shared_per_block" ? "max_shared" : limit;
}

}  // namespace

ContractCode::ContractCode(const KernelSpec& contract, const ContractNames& names,
                           const HeaderStyle& style)
    : contract_(contract), names_(names), style_(style) {
  for (const VariantSpec& variant : contract.variants) {
    std::vector<TensorMapFact>& maps = tensor_maps_.emplace_back();
    for (const ArgumentSpec* map : tensor_maps_of(contract, variant))
      maps.push_back(tensor_map_fact(contract, *map));
  }
  for (const ArgumentSpec& argument : contract.arguments) {
    if (argument.role != ArgumentRole::kValue && argument.role != ArgumentRole::kTensorMap)
      tensors_.push_back(&argument);
  }
}

std::string ContractCode::member_type(const Value& sample, const std::string& enumeration) const {
  if (!enumeration.empty()) return style_.name(snake_case(enumeration)) + " ";
  if (sample.is_string()) return "const char *";
  if (sample.is_bool()) return "int ";
  return sample.is_real() ? "double " : "long long ";
}

std::string ContractCode::literal(const Value& value, const std::vector<Value>& values,
                                  const std::string& type,
                                  const std::vector<std::string>& names) const {
  if (!type.empty()) {
    const auto at = std::find(values.begin(), values.end(), value);
    const auto index = at == values.end() ? 0 : at - values.begin();
    return style_.enumerator(snake_case(type), names[static_cast<std::size_t>(index)]);
  }
  if (value.is_string()) return c_literal(value.as_string());
  if (value.is_bool()) return value.as_bool() ? "1" : "0";
  return value.is_real() ? real_literal(value.as_real()) : integer_literal(value.as_integer());
}

std::string ContractCode::size_literal(std::size_t size, const Value& value) const {
  return literal(value, contract_.problem[size].values, names_.size_types[size],
                 names_.size_values[size]);
}

std::string ContractCode::parameter_literal(std::size_t parameter, const Value& value) const {
  return literal(value, contract_.parameters[parameter].values, names_.parameter_types[parameter],
                 names_.parameter_values[parameter]);
}

std::string ContractCode::enumerations() const {
  std::string text;
  const auto add = [&](const std::string& pascal, const std::vector<std::string>& names,
                       const std::vector<std::string>& texts) {
    const std::string type = snake_case(pascal);
    text += style_.enumeration(type, names);
    text += fmt::format("{}({} v) {{\n  switch (v) {{\n",
                        style_.define("const char *", type + "_name"), style_.name(type));
    for (std::size_t i = 0; i < names.size(); ++i)
      text += fmt::format("    case {}:\n      return {};\n", style_.enumerator(type, names[i]),
                          c_literal(texts[i]));
    text += "  }\n  return 0;\n}\n\n";
  };
  const auto add_choice = [&](const std::string& type, const std::vector<std::string>& names,
                              const std::vector<Value>& values) {
    if (type.empty()) return;
    std::vector<std::string> texts;
    for (const Value& value : values) texts.push_back(value.as_string());
    add(type, names, texts);
  };
  for (std::size_t i = 0; i < contract_.problem.size(); ++i)
    add_choice(names_.size_types[i], names_.size_values[i], contract_.problem[i].values);
  for (std::size_t i = 0; i < contract_.parameters.size(); ++i)
    add_choice(names_.parameter_types[i], names_.parameter_values[i],
               contract_.parameters[i].values);
  std::vector<std::string> variants;
  for (const VariantSpec& variant : contract_.variants) variants.push_back(variant.name);
  add("Variant", names_.variants, variants);
  return text;
}

std::string ContractCode::problem_struct() const {
  std::string members;
  std::string defaults;
  for (std::size_t i = 0; i < contract_.problem.size(); ++i) {
    const ProblemSizeSpec& size = contract_.problem[i];
    std::string remark = size.doc;
    const std::string range = range_text(size);
    if (!range.empty()) remark += (remark.empty() ? "" : "; ") + range;
    const std::string initial =
        size.default_value || is_categorical(size) ? size_literal(i, sample_of(size)) : "0";
    members += style_.member(member_type(sample_of(size), names_.size_types[i]) + names_.sizes[i],
                             initial, remark);
    defaults += fmt::format("  problem.{} = {};\n", names_.sizes[i], initial);
  }
  std::string text = style_.structure("problem", members);
  text += style_.comment(
      "With the contract's defaults, which C++ has where sizes are left out; 0 "
      "where there is none.");
  return text + fmt::format("{}(void) {{\n  {} problem = WW_ZERO;\n{}  return problem;\n}}\n",
                            style_.define(type_of_problem(), "default_problem"), type_of_problem(),
                            defaults);
}

std::string ContractCode::parameter_members() const {
  std::string text;
  for (std::size_t i = 0; i < contract_.parameters.size(); ++i) {
    const ParameterSpec& parameter = contract_.parameters[i];
    text += style_.member(
        member_type(parameter.default_value, names_.parameter_types[i]) + names_.parameters[i],
        parameter_literal(i, parameter.default_value),
        parameter.doc.empty() ? parameter.name : parameter.name + ": " + parameter.doc);
  }
  return text;
}

std::string ContractCode::value_of(const std::string& member, const Value& sample,
                                   const std::string& type) const {
  if (!type.empty())
    return fmt::format("ww_text({}({}))", style_.name(snake_case(type) + "_name"), member);
  if (sample.is_string()) return fmt::format("ww_text({})", member);
  // Every nonzero value counts as true and becomes 1.
  if (sample.is_bool()) return fmt::format("ww_integer({} != 0)", member);
  return fmt::format("{}({})", sample.is_real() ? "ww_real" : "ww_integer", member);
}

std::string ContractCode::size_value(std::size_t size) const {
  return value_of("problem." + names_.sizes[size], sample_of(contract_.problem[size]),
                  names_.size_types[size]);
}

std::string ContractCode::parameter_value(std::size_t parameter) const {
  return value_of("configuration." + names_.parameters[parameter],
                  contract_.parameters[parameter].default_value, names_.parameter_types[parameter]);
}

std::string ContractCode::dtype_code(const std::string& dtype) const {
  for (std::size_t i = 0; i < contract_.problem.size(); ++i) {
    if (contract_.problem[i].name != dtype) continue;
    const std::string member = "problem." + names_.sizes[i];
    if (names_.size_types[i].empty()) return fmt::format("ww_dtype_of({})", member);
    return fmt::format("ww_dtype_of({}({}))",
                       style_.name(snake_case(names_.size_types[i]) + "_name"), member);
  }
  return "WW_" + upper(dtype);
}

std::string ContractCode::locals(const std::vector<const Expr*>& expressions,
                                 bool with_configuration, CodeVariables& variables) const {
  std::set<std::string> used;
  for (const Expr* expr : expressions) used.insert(expr->names().begin(), expr->names().end());
  IdentifierScope scope(names_.macros);
  // Members keep their names; limits come after them and are renamed on a clash.
  for (const std::string& name : names_.sizes) static_cast<void>(scope.add(name));
  for (const std::string& name : names_.parameters) static_cast<void>(scope.add(name));
  std::string text;
  const auto define = [&](const std::string& name, const std::string& variable,
                          const std::string& value) {
    variables[name] = variable;
    text += fmt::format("  const ww_value {} = {};\n", variable, value);
    used.erase(name);
  };
  bool problem = false;
  bool configuration = false;
  for (std::size_t i = 0; i < contract_.problem.size(); ++i) {
    if (!used.contains(contract_.problem[i].name)) continue;
    define(contract_.problem[i].name, names_.sizes[i], size_value(i));
    problem = true;
  }
  for (std::size_t i = 0; with_configuration && i < contract_.parameters.size(); ++i) {
    if (!used.contains(contract_.parameters[i].name)) continue;
    define(contract_.parameters[i].name, names_.parameters[i], parameter_value(i));
    configuration = true;
  }
  constexpr std::string_view kDevice = "device.";
  std::vector<std::string> limits;
  for (const std::string& name : used) {
    if (name.starts_with(kDevice)) limits.push_back(name.substr(kDevice.size()));
  }
  for (const std::string& limit : limits)
    define(std::string(kDevice) + limit, scope.add("device_" + limit),
           fmt::format("ww_integer(limits.{})", limit_member(limit)));
  // Signatures stay the same for contracts that do not need every parameter.
  if (!problem) text += "  (void)problem;\n";
  if (with_configuration && !configuration) text += "  (void)configuration;\n";
  if (with_configuration && limits.empty()) text += "  (void)limits;\n";
  return text;
}

std::string ContractCode::parameters_of_internal() const {
  return fmt::format("{} configuration, {} problem,\n    ww_limits limits",
                     style_.name("configuration"), type_of_problem());
}

std::string ContractCode::valid() const {
  std::string text = style_.comment("The contract's types and limits of every size.");
  text += fmt::format("{}({} problem) {{\n", style_.define("int", "valid"), type_of_problem());
  const auto refuse = [&](const std::string& condition) {
    text += fmt::format("  if ({}) return 0;\n", condition);
  };
  bool any = false;
  for (std::size_t i = 0; i < contract_.problem.size(); ++i) {
    const ProblemSizeSpec& size = contract_.problem[i];
    const std::string member = "problem." + names_.sizes[i];
    const std::size_t before = text.size();
    if (!names_.size_types[i].empty()) {
      refuse(fmt::format("{}({}) == 0", style_.name(snake_case(names_.size_types[i]) + "_name"),
                         member));
    } else if (sample_of(size).is_string()) {
      refuse(member + " == 0");
    } else if (!size.values.empty()) {
      std::string others;
      for (const Value& value : size.values)
        others +=
            fmt::format("{}{} != {}", others.empty() ? "" : " && ", member, size_literal(i, value));
      refuse(others);
    } else if (!sample_of(size).is_bool()) {
      if (sample_of(size).is_real()) refuse(fmt::format("!({} - {} == 0)", member, member));
      if (size.min)
        refuse(fmt::format("{} < {}", member, limit_literal(*size.min, sample_of(size))));
      if (!size.min && sample_of(size).is_integer()) refuse(member + " < 1");
      if (size.max)
        refuse(fmt::format("{} > {}", member, limit_literal(*size.max, sample_of(size))));
    }
    any |= text.size() > before;
  }
  if (!any) text += "  (void)problem;\n";
  return text + "  return 1;\n}\n";
}

std::string ContractCode::same_sizes() const {
  std::string conditions;
  for (std::size_t i = 0; i < contract_.problem.size(); ++i) {
    const ProblemSizeSpec& size = contract_.problem[i];
    const std::string& member = names_.sizes[i];
    const bool text = sample_of(size).is_string() && names_.size_types[i].empty();
    if (!conditions.empty()) conditions += " &&\n         ";
    if (text) {
      conditions += fmt::format("ww_same_text(a.{}, b.{})", member, member);
    } else if (sample_of(size).is_bool()) {
      conditions += fmt::format("(a.{} != 0) == (b.{} != 0)", member, member);
    } else {
      conditions += fmt::format("a.{} == b.{}", member, member);
    }
  }
  return fmt::format("{}({} a, {} b) {{\n  return {};\n}}\n", style_.define("int", "same_sizes"),
                     type_of_problem(), type_of_problem(), conditions);
}

std::string ContractCode::other_choices() const {
  std::string text =
      style_.comment("How many sizes that have no distance, such as dtypes, differ.") +
      fmt::format("{}({} a, {} b) {{\n  int count = 0;\n", style_.define("int", "other_choices"),
                  type_of_problem(), type_of_problem());
  bool any = false;
  for (std::size_t i = 0; i < contract_.problem.size(); ++i) {
    const ProblemSizeSpec& size = contract_.problem[i];
    if (!is_categorical(size)) continue;
    any = true;
    const std::string& member = names_.sizes[i];
    const bool plain = sample_of(size).is_string() && names_.size_types[i].empty();
    const std::string differ = plain ? fmt::format("!ww_same_text(a.{}, b.{})", member, member)
                               : sample_of(size).is_bool()
                                   ? fmt::format("(a.{} != 0) != (b.{} != 0)", member, member)
                                   : fmt::format("a.{} != b.{}", member, member);
    text += fmt::format("  if ({}) ++count;\n", differ);
  }
  if (!any) text += "  (void)a;\n  (void)b;\n";
  return text + "  return count;\n}\n";
}

std::string ContractCode::place_of() const {
  std::size_t axes = 0;
  std::string body;
  for (std::size_t i = 0; i < contract_.problem.size(); ++i) {
    if (is_categorical(contract_.problem[i])) continue;
    body += fmt::format("  place.axes[{}] = ww_size_scale((double)problem.{});\n", axes++,
                        names_.sizes[i]);
  }
  std::string text = style_.constants({{"axis_count", std::max<std::size_t>(1, axes)}});
  text += style_.comment(
      "Where a problem lies: distances are Euclidean in log2(1 + size) and in twice the log2 of "
      "the contract's traffic.");
  text += style_.structure(
      "place", fmt::format("  double axes[{}] WW_INIT({{}});\n  int counted WW_INIT(0);\n  double "
                           "work WW_INIT(0);\n",
                           style_.constant("axis_count")));
  text += fmt::format("{}({} problem) {{\n", style_.define(style_.name("place"), "place_of"),
                      type_of_problem());
  CodeVariables variables;
  const std::string definitions =
      locals({&contract_.work.bytes}, /*with_configuration=*/false, variables);
  text += axes > 0 && definitions == "  (void)problem;\n" ? "" : definitions;
  text += style_.comment("Bytes that the contract counts.", 2);
  text += fmt::format("  const ww_value work = {};\n",
                      expr_code(contract_.work.bytes.root(), variables));
  text += fmt::format("  {} place = WW_ZERO;\n{}", style_.name("place"), body);
  return text +
         "  place.counted = ww_number(work);\n"
         "  place.work = place.counted ? ww_size_scale(ww_as_real(work)) : 0;\n"
         "  return place;\n}\n";
}

std::string ContractCode::allowed_variant(std::size_t variant) const {
  const std::vector<ConstraintSpec> rules = selection_rules(contract_, contract_.variants[variant]);
  std::vector<const Expr*> expressions;
  for (const ConstraintSpec& rule : rules) expressions.push_back(&rule.expr);
  std::string text =
      fmt::format("{}({}) {{\n", style_.define("int", "allowed_" + names_.variants[variant]),
                  parameters_of_internal());
  CodeVariables variables;
  text += locals(expressions, /*with_configuration=*/true, variables);
  for (const ConstraintSpec& rule : rules) {
    if (!rule.because.empty()) text += style_.comment(rule.because, 2);
    text += fmt::format("  if (!ww_holds({})) return 0;\n", expr_code(rule.expr.root(), variables));
  }
  return text + "  return 1;\n}\n";
}

std::string ContractCode::rules() const {
  std::string text = valid() + "\n" + same_sizes() + other_choices() + "\n" + place_of();
  for (std::size_t i = 0; i < contract_.variants.size(); ++i) text += "\n" + allowed_variant(i);
  text += "\n" + style_.comment(
                     "Every constraint of the contract and of the variant holds for this problem "
                     "on a device with these limits, and its launches are within CUDA's.");
  text += fmt::format("{}({}) {{\n  switch (configuration.variant) {{\n",
                      style_.define("int", "allowed"), parameters_of_internal());
  for (const std::string& variant : names_.variants)
    text += fmt::format("    case {}:\n      return {}(configuration, problem, limits);\n",
                        style_.enumerator("variant", variant), style_.name("allowed_" + variant));
  return text + "  }\n  return 0;\n}\n";
}

std::string ContractCode::by_variant(const std::string& type, const std::string& function,
                                     const std::vector<bool>& has,
                                     const std::string& result) const {
  std::string text = fmt::format(
      "{}(ww_selection chosen, {} problem, int index) {{\n"
      "  if (chosen.configuration < 0 || chosen.configuration >= {}) return {};\n"
      "  const {} configuration = {}[chosen.configuration];\n  switch (configuration.variant) {{\n",
      style_.define(type, function), type_of_problem(), style_.constant("configuration_count"),
      result, style_.name("configuration"), style_.name("configurations"));
  for (std::size_t i = 0; i < contract_.variants.size(); ++i) {
    text += fmt::format("    case {}:\n", style_.enumerator("variant", names_.variants[i]));
    text += has[i] ? fmt::format("      return {}(configuration, problem, chosen.limits, index);\n",
                                 style_.name(function + "_" + names_.variants[i]))
                   : "      break;\n";
  }
  return text + fmt::format("  }}\n  return {};\n}}\n", result);
}

std::vector<std::string> ContractCode::include_folders() const {
  const std::filesystem::path roof = contract_.folder.parent_path();
  std::vector<std::string> folders = {contract_.folder.filename().string()};
  for (const std::filesystem::path& folder : contract_.include_folders) {
    const std::filesystem::path below = folder.lexically_relative(roof);
    folders.push_back(below.empty() ? folder.string() : below.generic_string());
  }
  folders.emplace_back("common");
  return folders;
}

}  // namespace warpwright
