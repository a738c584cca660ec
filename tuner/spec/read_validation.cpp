// Reads how an output of kernel.yaml is judged: `match`, `tolerance` and `mismatches`.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/expr/expr_node.h"
#include "core/suggest.h"
#include "spec/kernel_sections.h"

namespace warpwright {
namespace {

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

}  // namespace warpwright
