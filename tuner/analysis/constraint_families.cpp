#include "analysis/constraint_families.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <numeric>

#include "analysis/constraint_table.h"
#include "core/expr.h"

namespace warpwright {
namespace {

using Column = ConstraintColumn;
using Numbers = std::vector<double>;

constexpr std::size_t kMostAlternatives = 2;
constexpr double kLargestExact = 0x1p53;  // below it a double holds every integer
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

double product(double a, double b) { return a * b; }
double sum(double a, double b) { return a + b; }

template <class Together>
Column combine(const Column& a, const Column& b, const std::string& name,
               const Together& together) {
  Column result;
  result.name = name;
  result.integral = a.integral && b.integral;
  result.size = a.size || b.size;
  const auto side = [&](const Numbers& from_a, const Numbers& from_b, Numbers& into) {
    into.reserve(from_a.size());
    for (std::size_t i = 0; i < from_a.size(); ++i) {
      const bool both = !std::isnan(from_a[i]) && !std::isnan(from_b[i]);
      into.push_back(both ? together(from_a[i], from_b[i]) : kNaN);
    }
  };
  side(a.failures, b.failures, result.failures);
  side(a.right, b.right, result.right);
  return result;
}

Column times(const Column& a, const Column& b) {
  return combine(a, b, a.name + " * " + b.name, product);
}

// Looks through the families over one table. `prefix`, its `extra` cost and the least that must
// have run right are those of a restriction: "THREADS != 64 || ".
class Families {
 public:
  struct Restriction {
    std::string prefix;
    double extra = 0;
    std::size_t least_right = kLeastRight;
  };
  Families(const ConstraintSearch& search, const ConstraintTable& table, Restriction restriction,
           CandidatePool& pool)
      : search_(search), table_(table), restriction_(std::move(restriction)), pool_(pool) {
    for (const Column& column : table.columns) {
      if (column.text || column.boolean) continue;
      (column.constant ? constants_ : numbers_).push_back(&column);
    }
  }

  void one_name() {
    for (const Column* column : numbers_) {
      at_most(*column, 1);
      at_least(*column, 1.1);
      multiple(*column, 1.2);
      power_of_two(*column);
    }
    for (const Column& column : table_.columns) unequal(column);
  }

  void two_names() {
    for_pairs([&](const Column& p, const Column& q) {
      const Column both = times(p, q);
      at_most(both, 2);
      at_least(both, 2.2);
      multiple(both, 2.4);
      sum_at_most(combine(p, q, p.name + " + " + q.name, sum), 2.4);
      for (const auto& [a, b] : {std::pair(&p, &q), std::pair(&q, &p)}) {
        ordered(*a, *b);
        divides(*a, *b, b->name, 2);
        weighted_sums(*a, *b);
      }
    });
    for (const Column* size : constants_)
      for (const Column* q : numbers_) divides(*size, *q, q->name, 2);
  }

  void more_names() {
    for_pairs([&](const Column& p, const Column& q) {
      const Column both = times(p, q);
      const Column either = combine(p, q, "(" + p.name + " + " + q.name + ")", sum);
      for (const Column* size : constants_) divides(*size, both, "(" + both.name + ")", 2.8);
      for (const Column* r : numbers_) {
        if (r == &p || r == &q) continue;
        three_names(both, either, *r);
        const Column scaled = times(either, *r);
        // Columns lie in one array: each product of three or four is made once, in its order.
        const bool in_order = r > &q;
        const Column three = in_order ? times(both, *r) : Column();
        if (in_order) at_most(three, 3);
        for (const Column* s : numbers_) {
          if (s <= r || s == &p || s == &q) continue;
          at_most(times(scaled, *s), 4);
          if (in_order) at_most(times(three, *s), 4);
        }
      }
    });
  }

 private:
  template <class Work>
  void for_pairs(const Work& work) {
    for (std::size_t i = 0; i < numbers_.size(); ++i)
      for (std::size_t j = i + 1; j < numbers_.size(); ++j) work(*numbers_[i], *numbers_[j]);
  }

  void three_names(const Column& both, const Column& either, const Column& r) {
    holds_all(combine(both, r, both.name + " <= " + r.name,
                      [](double a, double b) { return a <= b ? 1 : 0; }),
              2.8);
    divides(r, both, "(" + both.name + ")", 2.8);
    divides(both, r, r.name, 2.8);
    at_most(times(either, r), 3.2);
    sum_at_most(combine(both, r, both.name + " + " + r.name, sum), 3.5);
  }

  // Whether enough ran right that the term binds; else nothing speaks for it.
  [[nodiscard]] bool believable(const Column& term) const {
    const auto bound = std::count_if(term.right.begin(), term.right.end(),
                                     [](double value) { return !std::isnan(value); });
    return static_cast<std::size_t>(bound) >= restriction_.least_right;
  }

  // A predicate of problem sizes alone would say that a problem cannot be run at all. Texts may
  // hold what the language cannot write; then there is no such expression.
  [[nodiscard]] bool names_a_parameter(const std::string& expression) const {
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

  template <class Breaks>
  void add(const Column& term, const std::string& text, double cost, double gap,
           const Breaks& breaks) {
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

  void at_most(const Column& term, double cost) {
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

  // Elements and threads do not add up: with a size in it, a sum would only rank the problems.
  void sum_at_most(const Column& term, double cost) {
    if (!term.size) at_most(term, cost);
  }

  void at_least(const Column& term, double cost) {
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

  // By the smallest divisor of all that ran right which excludes as much as the largest does.
  void multiple(const Column& term, double cost) {
    if (!term.integral || !believable(term)) return;
    std::int64_t common = 0;
    for (const Numbers* side : {&term.right, &term.failures})
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

  void power_of_two(const Column& column) {
    const auto is_power = [](double value) {
      return value >= 1 && value == std::exp2(std::round(std::log2(value)));
    };
    if (!column.integral || !believable(column)) return;
    for (const double value : column.right)
      if (!std::isnan(value) && !is_power(value)) return;
    add(column, "is_pow2(" + column.name + ")", 1.4, 1,
        [&](double value) { return !is_power(value); });
  }

  void unequal(const Column& column) {
    if (column.constant || !believable(column)) return;
    for (const double level : column.levels()) {
      if (std::find(column.right.begin(), column.right.end(), level) != column.right.end())
        continue;
      add(column, column.name + " != " + column.value_text(level),
          column.text || column.boolean ? 1 : 1.6, 1, [&](double value) { return value == level; });
    }
  }

  // A predicate, named, of 1 (holds) and 0 that everything keeps which ran right.
  void holds_all(const Column& truth, double cost) {
    if (!believable(truth)) return;
    for (const double value : truth.right)
      if (value == 0) return;
    add(truth, truth.name, cost, 1, [](double value) { return value == 0; });
  }

  // `a >= k * b`: as many threads as a row needs, say.
  void ordered(const Column& a, const Column& b) {
    for (const double factor : {1.0, 2.0, 4.0, 8.0, 16.0, 32.0}) {
      const std::string text = factor == 1 ? b.name + " <= " + a.name
                                           : a.name + " >= " + number_text(factor) + " * " + b.name;
      holds_all(combine(a, b, text, [&](double x, double y) { return x >= factor * y ? 1 : 0; }),
                factor == 1 ? 2 : 2.5);
    }
  }

  void divides(const Column& dividend, const Column& divisor, const std::string& divisor_text,
               double cost) {
    if (!dividend.integral || !divisor.integral) return;
    holds_all(combine(dividend, divisor, dividend.name + " % " + divisor_text + " == 0",
                      [](double x, double y) {
                        return y == 0 ? kNaN : std::fmod(x, y) == 0 ? 1.0 : 0.0;
                      }),
              cost);
  }

  void weighted_sums(const Column& a, const Column& b) {
    for (const double factor : {2.0, 4.0, 8.0}) {
      sum_at_most(combine(a, b, number_text(factor) + " * " + a.name + " + " + b.name,
                          [&](double x, double y) { return factor * x + y; }),
                  3.4);
    }
  }

  [[nodiscard]] static double ratio(double low, double high) {
    return low > 0 ? high / low : kInfinity;
  }

  const ConstraintSearch& search_;
  const ConstraintTable& table_;
  Restriction restriction_;
  CandidatePool& pool_;
  std::vector<const Column*> numbers_, constants_;
};

// `P != v || ...` and `P <= v || ...`: a bound on another parameter where P is v, or above it.
void add_conditional(const ConstraintSearch& search, const ConstraintTable& table,
                     CandidatePool& pool) {
  constexpr double kExtra = 2;
  constexpr std::size_t kRight = 2;
  for (const Column& column : table.columns) {
    if (column.constant) continue;
    const std::set<double> levels = column.levels();
    for (const double level : levels) {
      const std::string value = column.value_text(level);
      const ConstraintTable equal = table.restricted(column, [&](double v) { return v == level; });
      Families(search, equal, {column.name + " != " + value + " || ", kExtra, kRight}, pool)
          .one_name();
      if (column.text || column.boolean || level == *levels.rbegin()) continue;
      const ConstraintTable above = table.restricted(column, [&](double v) { return v > level; });
      Families(search, above, {column.name + " <= " + value + " || ", kExtra, kRight}, pool)
          .one_name();
    }
  }
}

std::string lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// Something of at most this cost excludes every failure.
bool all_explained(const CandidatePool& pool, std::size_t failures, double cost) {
  const auto it = pool.find(std::vector<bool>(failures, true));
  return it != pool.end() && it->second.front().cost <= cost;
}

}  // namespace

std::size_t least_excluded(double cost) {
  return static_cast<std::size_t>(std::max(1.0, std::ceil(cost - 0.5)));
}

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

void add_candidate(CandidatePool& pool, ConstraintCandidate candidate) {
  std::vector<ConstraintCandidate>& same = pool[candidate.excluded];
  if (!same.empty() && candidate.cost > same.front().cost) return;
  if (!same.empty() && candidate.cost < same.front().cost) same.clear();
  const auto before = [](const ConstraintCandidate& a, const ConstraintCandidate& b) {
    if (a.gap != b.gap) return a.gap > b.gap;
    if (a.expression.size() != b.expression.size())
      return a.expression.size() < b.expression.size();
    return a.expression < b.expression;
  };
  const auto at = std::upper_bound(same.begin(), same.end(), candidate, before);
  same.insert(at, std::move(candidate));
  if (same.size() > 1 + kMostAlternatives) same.pop_back();
}

CandidatePool constraint_candidates(const ConstraintSearch& search) {
  constexpr double kVariantExtra = 0.5;
  const std::size_t failures = search.failures.size();
  CandidatePool pool;
  std::set<std::string> variants, others;
  for (const ConstraintSample& sample : search.failures) variants.insert(sample.variant);
  for (const ConstraintSample& sample : search.right) others.insert(sample.variant);
  struct Part {
    ConstraintTable table;
    Families::Restriction restriction;
  };
  std::vector<Part> parts;
  parts.push_back({make_constraint_table(search, ""), {}});
  for (const std::string& variant : variants) {
    if (others.size() < 2 || variant.empty() || !others.contains(variant)) continue;
    parts.push_back({make_constraint_table(search, variant),
                     {"variant != '" + variant + "' || ", kVariantExtra}});
  }
  for (const Part& part : parts) {
    Families(search, part.table, part.restriction, pool).one_name();
    Families(search, part.table, part.restriction, pool).two_names();
  }
  // What is less simple is only looked for when nothing simple will do.
  if (all_explained(pool, failures, 3)) return pool;
  for (const Part& part : parts) Families(search, part.table, part.restriction, pool).more_names();
  add_conditional(search, parts.front().table, pool);
  return pool;
}

}  // namespace warpwright
