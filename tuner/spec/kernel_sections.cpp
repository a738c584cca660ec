#include "spec/kernel_sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/expr/expr_node.h"
#include "core/words.h"
#include "spec/compiler_inputs.h"
#include "spec/value_rule.h"

namespace warpwright {
namespace {

// Reads the problem sizes and parameters of kernel.yaml.

// Sizes and parameters share one namespace: both are names in expressions.
std::string read_name(const YamlReader& key) {
  std::string name = key.identifier();
  if (const auto why = reserved_name(name)) {
    throw key.error(fmt::format("'{}' cannot be a name: {}; rename it", name, *why));
  }
  return name;
}

// Checks a name that becomes -D<name>. Contracts in databases are not checked, since they cannot
// change.
void refuse_harmful_macro(const YamlReader& place, const std::string& name, const char* kind,
                          bool stored) {
  const auto harm = stored ? std::nullopt : harmful_macro(name);
  if (!harm) return;
  throw place.error(
      fmt::format("'{0}' cannot be {1}: the source is compiled with -D{0}=..., which "
                  "{2}; rename it, for example to {3}",
                  name, kind, *harm, harmless_name(name)));
}

std::string read_doc(const YamlMap& map) {
  const std::optional<YamlReader> doc = map.find("doc");
  return doc ? doc->text() : std::string();
}

// Reads a name, or `none`.
std::string read_macro(const YamlReader& reader) {
  return reader.is_scalar() && reader.text() == "none" ? "" : reader.identifier();
}

// Two names with the same macro are indistinguishable in the source.
void check_macros(const std::vector<ParameterSpec>& parameters, const KernelSpec& kernel) {
  std::map<std::string, std::string> known;
  for (const ProblemSizeSpec& size : kernel.problem)
    if (!size.macro.empty()) known.emplace(size.macro, "size '" + size.name + "'");
  for (const ParameterSpec& parameter : parameters) {
    const std::string macro = parameter.macro.value_or(parameter.name);
    if (macro.empty()) continue;
    const auto [other, is_new] = known.emplace(macro, "parameter '" + parameter.name + "'");
    if (!is_new) {
      throw user_error(
          parameter.where,
          fmt::format("'{}', the macro of parameter '{}', is that of {} too; rename one", macro,
                      parameter.name, other->second));
    }
  }
}

}  // namespace

std::vector<ProblemSizeSpec> read_sizes(const YamlReader& section, const KernelSpec& kernel) {
  std::vector<ProblemSizeSpec> sizes;
  std::set<std::string> macros;
  for (const auto& [key, reader] : section.entries()) {
    ProblemSizeSpec size;
    size.name = read_name(key);
    size.where = key.where();
    const YamlMap map = reader.map({"doc", "default", "values", "min", "max", "macro"});
    size.doc = read_doc(map);
    ValueLimits limits = read_limits(map);
    size.default_value = std::move(limits.default_value);
    size.values = std::move(limits.values);
    size.min = limits.min;
    size.max = limits.max;
    // read_limits() does not apply the implied minimum of 1.
    if (size.default_value) {
      if (const auto wrong = rule_of(size).violation(*size.default_value)) {
        throw map.find("default")->error(*wrong + "; give `min` if less makes sense");
      }
    }
    if (const auto macro = map.find("macro")) {
      size.macro = macro->identifier();
      refuse_harmful_macro(*macro, size.macro, "a macro", kernel.stored);
      if (!macros.insert(size.macro).second) {
        throw macro->error(
            fmt::format("'{}' is the macro of another size; rename one", size.macro));
      }
    }
    sizes.push_back(std::move(size));
  }
  if (sizes.empty()) throw section.error("got an empty map, expected at least one size");
  return sizes;
}

std::vector<ParameterSpec> read_parameters(const YamlReader& section, const KernelSpec& kernel) {
  std::vector<ParameterSpec> parameters;
  if (section.is_null()) return parameters;
  for (const auto& [key, reader] : section.entries()) {
    ParameterSpec parameter;
    parameter.name = read_name(key);
    refuse_harmful_macro(key, parameter.name, "a parameter", kernel.stored);
    parameter.where = key.where();
    // Parameters reach the compiler as -D<name>, which must not collide with the macro of a size.
    for (const ProblemSizeSpec& size : kernel.problem) {
      if (size.name == parameter.name || size.macro == parameter.name) {
        throw key.error(fmt::format("'{}' is already {} size '{}'; rename one", parameter.name,
                                    size.name == parameter.name ? "the problem" : "the macro of",
                                    size.name));
      }
    }
    const YamlMap map = reader.map({"doc", "default", "values", "min", "max", "macro"});
    if (const auto macro = map.find("macro")) parameter.macro = read_macro(*macro);
    parameter.doc = read_doc(map);
    static_cast<void>(map.require("default", "default: 256"));
    ValueLimits limits = read_limits(map);
    parameter.default_value = *std::move(limits.default_value);
    parameter.values = std::move(limits.values);
    parameter.min = limits.min;
    parameter.max = limits.max;
    parameters.push_back(std::move(parameter));
  }
  check_macros(parameters, kernel);
  return parameters;
}

namespace {

// Reads the constraints of a kernel.yaml and of a sweep.

// Returns true if the expression compares or combines comparisons. A plain number would hold unless
// it is 0, which is never intended.
bool is_condition(const ExprNode& node) {
  switch (node.kind) {
    case ExprKind::kLiteral:
      return node.literal.is_bool();
    case ExprKind::kName:
      return false;
    case ExprKind::kUnary:
      return node.op == ExprOp::kNot;
    case ExprKind::kCall:
      return node.op == ExprOp::kIsPow2;
    case ExprKind::kConditional:
      return is_condition(node.children[1]) && is_condition(node.children[2]);
    case ExprKind::kBinary:
      break;
  }
  switch (node.op) {
    case ExprOp::kOr:
    case ExprOp::kAnd:
    case ExprOp::kEqual:
    case ExprOp::kNotEqual:
    case ExprOp::kLess:
    case ExprOp::kLessEqual:
    case ExprOp::kGreater:
    case ExprOp::kGreaterEqual:
      return true;
    case ExprOp::kBitOr:
    case ExprOp::kBitXor:
    case ExprOp::kBitAnd:
      return is_condition(node.children[0]) && is_condition(node.children[1]);
    default:
      return false;
  }
}

// Arithmetic and operators that bind tighter may be the left side of a comparison without
// parentheses.
std::string as_operand(const Expr& expr) {
  const ExprNode& root = expr.root();
  const bool looser = root.kind == ExprKind::kConditional ||
                      (root.kind == ExprKind::kBinary && root.op <= ExprOp::kGreaterEqual);
  return looser ? "(" + expr.text() + ")" : expr.text();
}

}  // namespace

std::vector<ConstraintSpec> read_constraints(const YamlReader& section) {
  std::vector<ConstraintSpec> constraints;
  for (const YamlReader& item : section.items()) {
    ConstraintSpec constraint;
    if (item.is_map()) {
      const YamlMap map = item.map({"expr", "because"});
      constraint.expr = map.require("expr", "expr: \"THREADS % 32 == 0\"").expression();
      if (const auto because = map.find("because")) constraint.because = because->text();
    } else {
      constraint.expr = item.expression();
    }
    if (!is_condition(constraint.expr.root())) {
      throw user_error(constraint.expr.where(),
                       fmt::format("the constraint '{}' is not a condition; compare it with "
                                   "something, as in `{} != 0`",
                                   constraint.expr.text(), as_operand(constraint.expr)));
    }
    constraints.push_back(std::move(constraint));
  }
  return constraints;
}

namespace {

// Reads how an output of kernel.yaml is judged: `match`, `tolerance` and `mismatches`.

bool all_integer(const ArgumentSpec& argument, const KernelSpec& kernel) {
  const std::vector<std::string> dtypes = dtypes_of(argument.dtype, kernel);
  return std::all_of(dtypes.begin(), dtypes.end(),
                     [](const std::string& dtype) { return is_integer_dtype(dtype); });
}

bool is_real_dtype(const std::string& dtype) { return !is_integer_dtype(dtype) && dtype != "bool"; }

Match read_match(const YamlReader& reader) {
  const std::string word = reader.text();
  if (word == "close") return Match::kClose;
  if (word == "exact") return Match::kExact;
  if (word == "ranked") return Match::kRanked;
  const std::vector<std::string> known = {"close", "exact", "ranked"};
  throw reader.error(fmt::format("unknown match '{}'{}", word, suggestion(word, known)));
}

// Reads an expression over sizes and parameters: results are judged the same on every device.
Expr read_judging_expr(const YamlReader& reader, const KernelSpec& kernel) {
  ExprScope scope = parameter_scope(kernel);
  scope.forbid_device();
  Expr expr = reader.expression();
  scope.check(expr);
  return expr;
}

// The value of a limit if it is known without a problem; nullopt if it depends on one.
std::optional<double> literal_number(const Expr& expr) {
  const ExprNode& root = expr.root();
  if (root.kind != ExprKind::kLiteral || !root.literal.is_number()) return std::nullopt;
  return root.literal.as_real();
}

AccumulateSpec read_accumulate(const YamlReader& reader, const KernelSpec& kernel,
                               const ArgumentSpec& argument) {
  static constexpr std::string_view kAccumulators[] = {"f64", "f32", "f16", "bf16"};
  AccumulateSpec sum;
  YamlReader terms = reader;
  if (reader.is_map()) {
    const YamlMap map = reader.map({"terms", "in"});
    terms = map.require("terms", "terms: k");
    if (const auto in = map.find("in")) {
      sum.in = in->text();
      if (std::find(std::begin(kAccumulators), std::end(kAccumulators), sum.in) ==
          std::end(kAccumulators)) {
        throw in->error(fmt::format(
            "got '{}', expected the dtype of the accumulator: f64, f32, f16 or bf16", sum.in));
      }
    }
  }
  sum.terms = read_judging_expr(terms, kernel);
  const std::optional<double> number = literal_number(sum.terms);
  if (number && !(*number >= 1 && std::isfinite(*number))) {
    throw terms.error(
        fmt::format("got {}, expected how many products are summed, at least 1", sum.terms.text()));
  }
  const std::vector<std::string> dtypes = dtypes_of(argument.dtype, kernel);
  if (!std::all_of(dtypes.begin(), dtypes.end(), is_real_dtype)) {
    throw reader.error(fmt::format(
        "got {}, whose sums do not round, expected a real dtype; remove it", argument.dtype));
  }
  return sum;
}

void read_tolerance(const YamlReader& tolerance, const KernelSpec& kernel, ArgumentSpec& argument) {
  struct Part {
    const char* key;
    Expr* expr;
  };
  const YamlMap limits = tolerance.map({"abs", "rel", "rms", "accumulate"});
  bool any = false;
  for (const Part& part :
       {Part{"abs", &argument.tolerance_abs}, Part{"rel", &argument.tolerance_rel},
        Part{"rms", &argument.tolerance_rms}}) {
    const auto limit = limits.find(part.key);
    if (!limit) continue;
    any = true;
    *part.expr = read_judging_expr(*limit, kernel);
    const std::optional<double> number = literal_number(*part.expr);
    if (number && !(*number >= 0 && std::isfinite(*number))) {
      throw limit->error(
          fmt::format("got {}, expected a finite tolerance of at least 0", part.expr->text()));
    }
  }
  // Ties are between scores, but the reference's row holds indices.
  for (const char* key : {"rms", "accumulate"}) {
    if (argument.match == Match::kRanked && limits.find(key))
      throw limits.error_at_key(key, "has no meaning with `match: ranked`; remove it");
  }
  if (const auto sum = limits.find("accumulate")) {
    any = true;
    argument.tolerance_accumulate = read_accumulate(*sum, kernel, argument);
  }
  if (!any) {
    throw tolerance.error(
        "got none of abs, rel, rms and accumulate, expected at least one; add `abs: 1e-6`");
  }
}

// `mismatches` allows a few elements to differ by any amount; it requires a match by equality.
void read_mismatches(const YamlMap& map, const KernelSpec& kernel, ArgumentSpec& argument) {
  const auto share = map.find("mismatches");
  if (!share) return;
  const std::vector<std::string> dtypes = dtypes_of(argument.dtype, kernel);
  if (std::any_of(dtypes.begin(), dtypes.end(), is_real_dtype)) {
    throw map.error_at_key(
        "mismatches",
        fmt::format("got a share for {}, expected an integer dtype; write a `tolerance`",
                    argument.dtype));
  }
  if (argument.match == Match::kClose) {
    throw map.error_at_key("mismatches",
                           "has no meaning with `match: close`; write `match: exact`, or remove "
                           "it");
  }
  argument.mismatches = read_judging_expr(*share, kernel);
  const std::optional<double> number = literal_number(*argument.mismatches);
  if (number && !(*number >= 0 && *number < 1)) {
    throw share->error(
        fmt::format("got {}, expected a share of the elements, at least 0 and below "
                    "1",
                    argument.mismatches->text()));
  }
}

}  // namespace

// The rule for judging an output must be written down: a default tolerance would accept results
// that no author has considered.
void read_validation(const YamlMap& map, const KernelSpec& kernel, ArgumentSpec& argument) {
  const auto match = map.find("match");
  const auto tolerance = map.find("tolerance");
  const bool integers = all_integer(argument, kernel);
  if (match) {
    argument.match = read_match(*match);
  } else if (integers && !tolerance) {
    argument.match = Match::kExact;
  }
  if (argument.match == Match::kRanked && !integers) {
    throw match->error(
        fmt::format("got ranked for {}, expected an integer dtype; ranked compares "
                    "indices",
                    argument.dtype));
  }
  if (argument.match == Match::kExact && tolerance) {
    throw map.error_at_key("tolerance", "has no effect with `match: exact`; remove one");
  }
  read_mismatches(map, kernel, argument);
  if (!tolerance) {
    if (argument.match == Match::kClose && !kernel.launch_only) {
      throw map.reader().error(
          fmt::format("output '{}' has no tolerance; add `tolerance: {{abs: 1e-6, rel: 1e-5}}` or "
                      "`match: exact`",
                      argument.name));
    }
    return;
  }
  read_tolerance(*tolerance, kernel, argument);
}

namespace {

// Reads `accepts`: the remarks that the contract accepts about an argument.

bool is_about(RemarkCode code, ArgumentRole role) {
  if (role == ArgumentRole::kInOut) return true;
  return (code == RemarkCode::kInputUnused) == (role == ArgumentRole::kIn);
}

}  // namespace

void read_acceptance(const YamlMap& map, const KernelSpec& kernel, ArgumentSpec& argument) {
  const auto section = map.find("accepts");
  if (!section) return;
  const YamlMap accepted =
      section->map({"zeros_pass", "mean_passes", "other_seed_passes", "input_copy_passes",
                    "input_unused", "constant_along_axis"});
  for (const RemarkCode code : all_remark_codes()) {
    const std::string_view name = remark_code_name(code);
    const auto condition = accepted.find(name);
    if (!condition) continue;
    if (!is_about(code, argument.role)) {
      throw accepted.error_at_key(
          name,
          fmt::format("is about {}, and '{}' is {}; remove it",
                      code == RemarkCode::kInputUnused ? "an input" : "an output", argument.name,
                      argument.role == ArgumentRole::kIn ? "an input" : "an output"));
    }
    Expr expr = condition->expression();
    size_scope(kernel, "size").check(expr);
    argument.accepts.emplace(code, std::move(expr));
  }
  if (argument.accepts.empty()) {
    throw section->error(
        "got nothing, expected what is accepted and where; write `accepts: {input_unused: \"page "
        "== 0\"}`, or remove it");
  }
}

std::vector<Preset> read_presets(const YamlReader& section) {
  std::vector<Preset> presets;
  for (const auto& [key, reader] : section.entries()) {
    Preset preset;
    preset.name = key.identifier();
    preset.where = key.where();
    for (const auto& [name, value] : reader.entries()) {
      preset.value_where[name.identifier()] = value.where();
      preset.values[name.identifier()] = value.value();
    }
    if (preset.values.empty()) throw reader.error("got an empty map, expected at least one value");
    presets.push_back(std::move(preset));
  }
  return presets;
}

}  // namespace warpwright
