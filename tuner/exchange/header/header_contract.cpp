#include "exchange/header/header_contract.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace warpwright {
namespace {

constexpr std::string_view kDevice = "device.";

// A limit as the literal of a member's type.
std::string limit_literal(double limit, const Value& sample) {
  if (sample.is_real()) return real_literal(limit);
  return integer_literal(static_cast<std::int64_t>(limit));
}

// What the contract says of a size: "1 to 65535", "at least 1".
std::string range_text(const ProblemSizeSpec& size) {
  if (is_categorical(size) || !sample_of(size).is_number()) return "";
  const bool counts = sample_of(size).is_integer() && !size.min;
  const auto text = [&](double limit) { return fmt::format("{}", limit); };
  const std::string low = size.min ? text(*size.min) : counts ? "1" : "";
  if (!low.empty() && size.max) return fmt::format("{} to {}", low, text(*size.max));
  if (size.max) return fmt::format("at most {}", text(*size.max));
  return low.empty() ? "" : "at least " + low;
}

}  // namespace

ContractCode::ContractCode(const KernelSpec& contract, const ContractNames& names,
                           const HeaderDialect& dialect)
    : contract_(contract), names_(names), dialect_(dialect) {
  std::set<std::string> limits = {"max_shared", "sm_count"};
  const auto collect = [&](const std::vector<const Expr*>& list) {
    for (const Expr* expr : list) {
      for (const std::string& name : expr->names()) {
        if (name.starts_with(kDevice)) limits.insert(name.substr(kDevice.size()));
      }
    }
  };
  for (const VariantSpec& variant : contract.variants) {
    collect(constraint_expressions(contract, variant));
    for (const LaunchSpec& launch : variant.launches) collect(launch_expressions(launch));
    std::vector<TensorMapFact>& maps = tensor_maps_.emplace_back();
    for (const ArgumentSpec* map : tensor_maps_of(contract, variant)) {
      maps.push_back(tensor_map_fact(contract, *map));
      collect(tensor_map_expressions(maps.back()));
    }
  }
  limits_.assign(limits.begin(), limits.end());
}

std::string ContractCode::member_type(const Value& sample, const std::string& enumeration) const {
  if (!enumeration.empty()) return dialect_.type(enumeration) + " ";
  if (sample.is_string()) return std::string(dialect_.text_type());
  if (sample.is_bool()) return std::string(dialect_.boolean_type()) + " ";
  return sample.is_real() ? "double " : "long long ";
}

std::string ContractCode::literal(const Value& value, const std::vector<Value>& values,
                                  const std::string& type,
                                  const std::vector<std::string>& names) const {
  if (!type.empty()) {
    const auto at = std::find(values.begin(), values.end(), value);
    const auto index = at == values.end() ? 0 : at - values.begin();
    return dialect_.enumerator(type, names[static_cast<std::size_t>(index)]);
  }
  if (value.is_string()) return text_literal(value.as_string());
  if (value.is_bool()) return dialect_.boolean(value.as_bool());
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

std::string ContractCode::named_values(const std::string& type,
                                       const std::vector<std::string>& names,
                                       const std::vector<std::string>& texts) const {
  std::string text = dialect_.enumeration(type, names);
  text += fmt::format("{}({} v) {{\n  switch (v) {{\n",
                      dialect_.define(dialect_.text_type(), snake_case(type) + "_name"),
                      dialect_.type(type));
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += fmt::format("    case {}:\n      return {};\n", dialect_.enumerator(type, names[i]),
                        text_literal(texts[i]));
  }
  return text + fmt::format("  }}\n  return {};\n}}\n", dialect_.null());
}

std::string ContractCode::enumerations() const {
  std::string text;
  const auto add = [&](const std::string& type, const std::vector<std::string>& names,
                       const std::vector<Value>& values) {
    if (type.empty()) return;
    std::vector<std::string> texts;
    for (const Value& value : values) texts.push_back(value.as_string());
    text += named_values(type, names, texts) + "\n";
  };
  for (std::size_t i = 0; i < contract_.problem.size(); ++i)
    add(names_.size_types[i], names_.size_values[i], contract_.problem[i].values);
  for (std::size_t i = 0; i < contract_.parameters.size(); ++i)
    add(names_.parameter_types[i], names_.parameter_values[i], contract_.parameters[i].values);
  std::vector<std::string> variants;
  for (const VariantSpec& variant : contract_.variants) variants.push_back(variant.name);
  return text + named_values("Variant", names_.variants, variants);
}

std::string ContractCode::problem_struct() const {
  std::string text = dialect_.begin_struct("Problem");
  for (std::size_t i = 0; i < contract_.problem.size(); ++i) {
    const ProblemSizeSpec& size = contract_.problem[i];
    std::string remark = size.doc;
    const std::string range = range_text(size);
    if (!range.empty()) remark += (remark.empty() ? "" : "; ") + range;
    const std::string initial =
        size.default_value || is_categorical(size) ? size_literal(i, sample_of(size)) : "0";
    text += dialect_.remarked(
        fmt::format("  {}{}{};", member_type(sample_of(size), names_.size_types[i]),
                    names_.sizes[i], dialect_.initial(initial)),
        remark);
  }
  return text + dialect_.end_struct("Problem");
}

std::string ContractCode::limits_struct() const {
  std::string text = dialect_.comment(
      "Limits of a device that constraints and launches depend on; 0 is taken from the tuned "
      "device "
      "that is consulted.");
  text += dialect_.begin_struct("Limits");
  for (const std::string& limit : limits_)
    text += fmt::format("  long long {}{};\n", limit, dialect_.initial("0"));
  return text + dialect_.end_struct("Limits");
}

std::string ContractCode::parameter_members() const {
  std::string text;
  for (std::size_t i = 0; i < contract_.parameters.size(); ++i) {
    const ParameterSpec& parameter = contract_.parameters[i];
    const std::string initial = parameter_literal(i, parameter.default_value);
    text += dialect_.remarked(
        fmt::format("  {}{}{};", member_type(parameter.default_value, names_.parameter_types[i]),
                    names_.parameters[i], dialect_.initial(initial)),
        parameter.doc.empty() ? parameter.name : parameter.name + ": " + parameter.doc);
  }
  return text;
}

std::string ContractCode::size_value(std::size_t size, const std::string& of) const {
  const Value& sample = sample_of(contract_.problem[size]);
  const std::string member = of + "." + names_.sizes[size];
  const std::string& type = names_.size_types[size];
  if (!type.empty()) {
    return dialect_.value(
        "text", fmt::format("{}({})", dialect_.function(snake_case(type) + "_name"), member));
  }
  if (sample.is_string()) return dialect_.value("text", member);
  return dialect_.value(sample.is_real() ? "real" : "integer", member);
}

std::string ContractCode::parameter_value(std::size_t parameter) const {
  const Value& sample = contract_.parameters[parameter].default_value;
  const std::string member = "configuration." + names_.parameters[parameter];
  const std::string& type = names_.parameter_types[parameter];
  if (!type.empty()) {
    return dialect_.value(
        "text", fmt::format("{}({})", dialect_.function(snake_case(type) + "_name"), member));
  }
  if (sample.is_string()) return dialect_.value("text", member);
  return dialect_.value(sample.is_real() ? "real" : "integer", member);
}

std::string ContractCode::locals(const std::vector<const Expr*>& expressions,
                                 bool with_configuration, CodeVariables& variables) const {
  std::set<std::string> used;
  for (const Expr* expr : expressions) used.insert(expr->names().begin(), expr->names().end());
  IdentifierScope scope(names_.macros);
  // Members keep their names; limits come after them and are renamed on a clash.
  for (const std::string& name : names_.sizes) static_cast<void>(scope.add(name));
  for (const std::string& name : names_.parameters) static_cast<void>(scope.add(name));
  const std::string type = dialect_.type("Value");
  std::string text;
  const auto define = [&](const std::string& name, const std::string& variable,
                          const std::string& value) {
    variables[name] = variable;
    text += fmt::format("  const {} {} = {};\n", type, variable, value);
  };
  bool problem = false;
  bool configuration = false;
  bool device = false;
  for (std::size_t i = 0; i < contract_.problem.size(); ++i) {
    if (!used.contains(contract_.problem[i].name)) continue;
    define(contract_.problem[i].name, names_.sizes[i], size_value(i, "problem"));
    problem = true;
  }
  for (std::size_t i = 0; with_configuration && i < contract_.parameters.size(); ++i) {
    if (!used.contains(contract_.parameters[i].name)) continue;
    define(contract_.parameters[i].name, names_.parameters[i], parameter_value(i));
    configuration = true;
  }
  for (const std::string& limit : limits_) {
    const std::string name = std::string(kDevice) + limit;
    if (!used.contains(name)) continue;
    define(name, scope.add("device_" + limit), dialect_.value("integer", "limits." + limit));
    device = true;
  }
  // Signatures are the same even where a contract needs less.
  if (!problem) text += "  (void)problem;\n";
  if (with_configuration && !configuration) text += "  (void)configuration;\n";
  if (with_configuration && !device) text += "  (void)limits;\n";
  return text;
}

std::string ContractCode::arguments() const {
  if (dialect_.c()) {
    return fmt::format("{} configuration, {} problem,\n    {} limits",
                       dialect_.type("Configuration"), dialect_.type("Problem"),
                       dialect_.type("Limits"));
  }
  return "const Configuration& configuration, const Problem& problem,\n    const Limits& limits";
}

std::string ContractCode::code(const Expr& expr, const CodeVariables& variables) const {
  return expr_code(expr.root(), variables, dialect_.language(), dialect_.prefix());
}

std::string ContractCode::valid() const {
  const std::string problem =
      dialect_.c() ? dialect_.type("Problem") + " problem" : "const Problem& problem";
  std::string text = dialect_.comment("The contract's types and limits of every size.");
  text += fmt::format("{}({}) {{\n", dialect_.define(dialect_.boolean_type(), "valid"), problem);
  const auto refuse = [&](const std::string& condition) {
    text += fmt::format("  if ({}) return {};\n", condition, dialect_.boolean(false));
  };
  for (std::size_t i = 0; i < contract_.problem.size(); ++i) {
    const ProblemSizeSpec& size = contract_.problem[i];
    const std::string member = "problem." + names_.sizes[i];
    if (!names_.size_types[i].empty()) {
      refuse(fmt::format("{}({}) == {}",
                         dialect_.function(snake_case(names_.size_types[i]) + "_name"), member,
                         dialect_.null()));
    } else if (sample_of(size).is_string()) {
      refuse(fmt::format("{} == {}", member, dialect_.null()));
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
  }
  return text + fmt::format("  return {};\n}}\n", dialect_.boolean(true));
}

std::string ContractCode::compared(const char* name, bool all) const {
  const std::string type = dialect_.c() ? dialect_.type("Problem") : "const Problem&";
  std::string conditions;
  for (std::size_t i = 0; i < contract_.problem.size(); ++i) {
    const ProblemSizeSpec& size = contract_.problem[i];
    if (!all && !is_categorical(size)) continue;
    const bool text = sample_of(size).is_string() && names_.size_types[i].empty();
    const std::string& member = names_.sizes[i];
    if (!conditions.empty()) conditions += " &&\n         ";
    conditions +=
        text ? fmt::format("{}(a.{}, b.{})", dialect_.function("same_text"), member, member)
             : fmt::format("a.{} == b.{}", member, member);
  }
  std::string body;
  if (conditions.empty()) {
    body = "  (void)a;\n  (void)b;\n";
    conditions = dialect_.boolean(true);
  }
  return fmt::format("{}({} a, {} b) {{\n{}  return {};\n}}\n",
                     dialect_.define(dialect_.boolean_type(), name), type, type, body, conditions);
}

std::string ContractCode::place_of() const {
  const std::string result = dialect_.type("Place");
  std::string text = fmt::format("{}({} problem) {{\n", dialect_.define(result, "place_of"),
                                 dialect_.c() ? dialect_.type("Problem") : "const Problem&");
  CodeVariables variables;
  text += locals({&contract_.work.bytes}, /*with_configuration=*/false, variables);
  text += dialect_.comment("Bytes that the contract counts.", 2);
  text += fmt::format("  const {} work = {};\n", dialect_.type("Value"),
                      code(contract_.work.bytes, variables));
  text += fmt::format("  {} place{};\n", result, dialect_.c() ? "" : "{}");
  std::size_t axis = 0;
  for (std::size_t i = 0; i < contract_.problem.size(); ++i) {
    if (is_categorical(contract_.problem[i])) continue;
    const std::string member = "problem." + names_.sizes[i];
    const std::string number =
        dialect_.c() ? "(double)" + member : "static_cast<double>(" + member + ")";
    text += fmt::format("  place.axes[{}] = {}({});\n", axis++, dialect_.function("size_scale"),
                        number);
  }
  if (axis == 0) text += "  place.axes[0] = 0;\n";
  const std::string is_number =
      dialect_.c() ? fmt::format("{}number(work)", dialect_.prefix()) : "work.number()";
  const std::string real =
      dialect_.c() ? fmt::format("{}as_real(work)", dialect_.prefix()) : "work.as_real()";
  text += fmt::format("  place.counted = {};\n", is_number);
  text += fmt::format("  place.work = place.counted ? {}({}) : 0;\n  return place;\n}}\n",
                      dialect_.function("size_scale"), real);
  return text;
}

std::string ContractCode::complete() const {
  const std::string type = dialect_.type("Limits");
  std::string text =
      fmt::format("{}({} given, {} tuned) {{\n", dialect_.define(type, "complete"), type, type);
  for (const std::string& limit : limits_)
    text += fmt::format("  if (given.{} == 0) given.{} = tuned.{};\n", limit, limit, limit);
  return text + "  return given;\n}\n";
}

std::string ContractCode::allowed_variant(std::size_t variant) const {
  const VariantSpec& fact = contract_.variants[variant];
  std::string text = fmt::format(
      "{}({}) {{\n",
      dialect_.define(dialect_.boolean_type(), "allowed_" + names_.variants[variant]), arguments());
  CodeVariables variables;
  text += locals(constraint_expressions(contract_, fact), /*with_configuration=*/true, variables);
  for (const ConstraintSpec* constraint : constraints_of(contract_, fact)) {
    if (!constraint->because.empty()) text += dialect_.comment(constraint->because, 2);
    text += fmt::format("  if (!{}({})) return {};\n", dialect_.function("holds"),
                        code(constraint->expr, variables), dialect_.boolean(false));
  }
  return text + fmt::format("  return {};\n}}\n", dialect_.boolean(true));
}

std::string ContractCode::rules() const {
  std::string text = compared("same_category", /*all=*/false);
  text += compared("same_sizes", /*all=*/true);
  text +=
      "\n" + dialect_.comment(
                 "Where a problem lies: distances are Euclidean in log2(1 + size) and in twice the "
                 "log2 of the contract's traffic.");
  text += dialect_.begin_struct("Place");
  text += fmt::format("  double axes[{}];\n  {} counted;\n  double work;\n",
                      std::max<std::size_t>(1, axes()), dialect_.boolean_type());
  text += dialect_.end_struct("Place");
  text += place_of() + "\n" + complete();
  for (std::size_t i = 0; i < contract_.variants.size(); ++i) text += "\n" + allowed_variant(i);
  return text;
}

std::string ContractCode::allowed() const {
  std::string text = valid() + "\n";
  text += dialect_.comment(
      "Every constraint of the contract and of the variant holds for this problem on a device with "
      "these limits.");
  text += fmt::format("{}({}) {{\n  switch (configuration.variant) {{\n",
                      dialect_.define(dialect_.boolean_type(), "allowed"), arguments());
  for (const std::string& variant : names_.variants) {
    text += fmt::format("    case {}:\n      return {}(configuration, problem, limits);\n",
                        dialect_.enumerator("Variant", variant),
                        (dialect_.c() ? "" : "detail::") + dialect_.function("allowed_" + variant));
  }
  return text + fmt::format("  }}\n  return {};\n}}\n", dialect_.boolean(false));
}

}  // namespace warpwright
