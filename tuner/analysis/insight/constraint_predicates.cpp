#include "analysis/insight/constraint_predicates.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/error.h"
#include "core/expr/expr.h"

namespace warpwright {
namespace {

constexpr double kLargestExact = 0x1p53;  // below it a double holds every integer
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The clarity of a cut, as a ratio.
double ratio(double low, double high) { return low > 0 ? high / low : kInfinity; }

std::string lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

}  // namespace

std::string bound_text(const ConstraintSearch& search, const std::string& term, double last,
                       double first) {
  const std::string said = lower_case(term + "\n" + search.reasons);
  for (const auto& [name, words] :
       {std::pair("device.max_threads", std::vector<std::string>{"thread", "block"}),
        std::pair("device.max_shared", std::vector<std::string>{"shared", "smem"}),
        std::pair("device.registers_per_block", std::vector<std::string>{"register"})}) {
    const auto it = search.limits.find(name);
    if (it == search.limits.end() || !it->second.is_number()) continue;
    const double limit = it->second.as_real();
    const bool given = last <= limit && limit < first &&
                       search.reasons.find(it->second.to_string()) != std::string::npos;
    if (limit != last && !given) continue;
    if (std::any_of(words.begin(), words.end(),
                    [&](const std::string& word) { return said.find(word) != std::string::npos; }))
      return name;
  }
  return number_text(last);
}

// True if enough samples that the term binds ran right; otherwise there is no evidence for it.
bool ConstraintPredicates::believable(const ConstraintColumn& term) const {
  const auto bound = std::count_if(term.right.begin(), term.right.end(),
                                   [](double value) { return !std::isnan(value); });
  return static_cast<std::size_t>(bound) >= restriction_.least_right;
}

// A predicate over problem sizes alone would mean that a problem cannot be run at all. Texts may
// contain characters that the expression language cannot write; such an expression is rejected.
bool ConstraintPredicates::names_a_parameter(const std::string& expression) const {
  try {
    const Expr expr = Expr::parse(expression);
    return std::any_of(expr.names().begin(), expr.names().end(), [&](const std::string& name) {
      const bool size =
          std::find(search_.sizes.begin(), search_.sizes.end(), name) != search_.sizes.end();
      return !size && name != "variant" && !name.starts_with("device.");
    });
  } catch (const Error&) {
    return false;
  }
}

void ConstraintPredicates::add(const ConstraintColumn& term, const std::string& text, double cost,
                               double gap, const std::function<bool(double)>& breaks) {
  ConstraintCandidate candidate;
  candidate.excluded.assign(search_.failures.size(), false);
  std::size_t count = 0;
  for (std::size_t i = 0; i < term.failures.size(); ++i) {
    if (std::isnan(term.failures[i]) || !breaks(term.failures[i])) continue;
    candidate.excluded[table_.failure_index[i]] = true;
    ++count;
  }
  candidate.cost = cost + restriction_.extra;
  if (count < least_excluded(candidate.cost)) return;
  candidate.expression = restriction_.prefix + text;
  candidate.gap = gap;
  if (names_a_parameter(candidate.expression)) add_candidate(pool_, std::move(candidate));
}

void ConstraintPredicates::at_most(const ConstraintColumn& term, double cost) {
  if (!believable(term)) return;
  double last = -kInfinity;
  double first = kInfinity;
  for (const double value : term.right)
    if (!std::isnan(value)) last = std::max(last, value);
  for (const double value : term.failures)
    if (value > last) first = std::min(first, value);
  if (!(first < kLargestExact)) return;
  add(term, term.name + " <= " + bound_text(search_, term.name, last, first), cost,
      ratio(last, first), [&](double value) { return value > last; });
}

void ConstraintPredicates::at_least(const ConstraintColumn& term, double cost) {
  if (!believable(term)) return;
  double last = kInfinity;
  double first = -kInfinity;
  for (const double value : term.right)
    if (!std::isnan(value)) last = std::min(last, value);
  for (const double value : term.failures)
    if (value < last) first = std::max(first, value);
  if (!(first > -kLargestExact)) return;
  add(term, term.name + " >= " + number_text(last), cost, ratio(first, last),
      [&](double value) { return value < last; });
}

void ConstraintPredicates::multiple(const ConstraintColumn& term, double cost) {
  if (!term.integral || !believable(term)) return;
  std::int64_t common = 0;
  for (const std::vector<double>* side : {&term.right, &term.failures})
    for (const double value : *side)
      if (!std::isnan(value) && !(std::abs(value) < kLargestExact)) return;
  for (const double value : term.right)
    if (!std::isnan(value)) common = std::gcd(common, static_cast<std::int64_t>(value));
  const auto leaves_rest = [](double value, std::int64_t divisor) {
    return !std::isnan(value) && static_cast<std::int64_t>(value) % divisor != 0;
  };
  const auto excluded_by = [&](std::int64_t divisor) {
    return std::count_if(term.failures.begin(), term.failures.end(),
                         [&](double value) { return leaves_rest(value, divisor); });
  };
  if (common < 2) return;
  const auto most = excluded_by(common);
  if (most == 0) return;
  std::int64_t divisor = common;
  for (std::int64_t smaller = 2; smaller <= common / smaller; ++smaller) {
    if (common % smaller != 0) continue;
    if (excluded_by(smaller) == most) {
      divisor = smaller;
      break;
    }
    if (excluded_by(common / smaller) == most) divisor = common / smaller;
  }
  add(term, term.name + " % " + std::to_string(divisor) + " == 0", cost, 1,
      [&](double value) { return leaves_rest(value, divisor); });
}

void ConstraintPredicates::power_of_two(const ConstraintColumn& column) {
  const auto is_power = [](double value) {
    return value >= 1 && value == std::exp2(std::round(std::log2(value)));
  };
  if (!column.integral || !believable(column)) return;
  for (const double value : column.right)
    if (!std::isnan(value) && !is_power(value)) return;
  add(column, "is_pow2(" + column.name + ")", 1.4, 1,
      [&](double value) { return !is_power(value); });
}

void ConstraintPredicates::unequal(const ConstraintColumn& column) {
  if (column.constant || !believable(column)) return;
  for (const double level : column.levels()) {
    if (std::find(column.right.begin(), column.right.end(), level) != column.right.end()) continue;
    add(column, column.name + " != " + column.value_text(level),
        column.text || column.boolean ? 1 : 1.6, 1, [&](double value) { return value == level; });
  }
}

void ConstraintPredicates::holds_all(const ConstraintColumn& truth, double cost) {
  if (!believable(truth)) return;
  for (const double value : truth.right)
    if (value == 0) return;
  add(truth, truth.name, cost, 1, [](double value) { return value == 0; });
}

}  // namespace warpwright
