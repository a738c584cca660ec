#include "analysis/failures/constraint_families.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/failures/constraint_predicates.h"

namespace warpwright {
namespace {

using Column = ConstraintColumn;
using Numbers = std::vector<double>;

constexpr std::size_t kMaxAlternatives = 2;
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

// Searches the families over one table.
class Families {
 public:
  Families(const ConstraintSearch& search, const ConstraintTable& table,
           const ConstraintRestriction& restriction, CandidatePool& pool)
      : table_(table), predicates_(search, table, restriction, pool) {
    for (const Column& column : table.columns) {
      if (column.text || column.boolean) continue;
      (column.constant ? constants_ : numbers_).push_back(&column);
    }
  }

  void one_name() {
    for (const Column* column : numbers_) {
      predicates_.at_most(*column, 1);
      predicates_.at_least(*column, 1.1);
      predicates_.multiple(*column, 1.2);
      predicates_.power_of_two(*column);
    }
    for (const Column& column : table_.columns) predicates_.unequal(column);
  }

  void two_names() {
    for_pairs([&](const Column& p, const Column& q) {
      const Column both = times(p, q);
      predicates_.at_most(both, 2);
      predicates_.at_least(both, 2.2);
      predicates_.multiple(both, 2.4);
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
        // Columns lie in one array, so this makes each product of three or four only once, in its
        // order.
        const bool in_order = r > &q;
        const Column three = in_order ? times(both, *r) : Column();
        if (in_order) predicates_.at_most(three, 3);
        for (const Column* s : numbers_) {
          if (s <= r || s == &p || s == &q) continue;
          predicates_.at_most(times(scaled, *s), 4);
          if (in_order) predicates_.at_most(times(three, *s), 4);
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
    predicates_.holds_all(combine(both, r, both.name + " <= " + r.name,
                                  [](double a, double b) { return a <= b ? 1 : 0; }),
                          2.8);
    divides(r, both, "(" + both.name + ")", 2.8);
    divides(both, r, r.name, 2.8);
    predicates_.at_most(times(either, r), 3.2);
    sum_at_most(combine(both, r, both.name + " + " + r.name, sum), 3.5);
  }

  // Sums of elements and threads are meaningless: with a problem size in it, a sum would only rank
  // the problems.
  void sum_at_most(const Column& term, double cost) {
    if (!term.size) predicates_.at_most(term, cost);
  }

  // `a >= k * b`: for example, at least k threads per row.
  void ordered(const Column& a, const Column& b) {
    for (const double factor : {1.0, 2.0, 4.0, 8.0, 16.0, 32.0}) {
      const std::string text = factor == 1 ? b.name + " <= " + a.name
                                           : a.name + " >= " + number_text(factor) + " * " + b.name;
      predicates_.holds_all(
          combine(a, b, text, [&](double x, double y) { return x >= factor * y ? 1 : 0; }),
          factor == 1 ? 2 : 2.5);
    }
  }

  void divides(const Column& dividend, const Column& divisor, const std::string& divisor_text,
               double cost) {
    if (!dividend.integral || !divisor.integral) return;
    predicates_.holds_all(combine(dividend, divisor, dividend.name + " % " + divisor_text + " == 0",
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

  const ConstraintTable& table_;
  ConstraintPredicates predicates_;
  std::vector<const Column*> numbers_, constants_;
};

// Adds `P != v || ...` and `P <= v || ...`: a bound on another parameter where P is v, or above v.
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

// True if predicates of at most this cost exclude every failure.
bool all_explained(const CandidatePool& pool, std::size_t failures, double cost) {
  const auto it = pool.find(std::vector<bool>(failures, true));
  return it != pool.end() && it->second.front().cost <= cost;
}

}  // namespace

std::size_t least_excluded(double cost) {
  return static_cast<std::size_t>(std::max(1.0, std::ceil(cost - 0.5)));
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
  if (same.size() > 1 + kMaxAlternatives) same.pop_back();
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
    ConstraintRestriction restriction;
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
  // More complex predicates are only tried if no simple one explains all failures.
  if (all_explained(pool, failures, 3)) return pool;
  for (const Part& part : parts) Families(search, part.table, part.restriction, pool).more_names();
  add_conditional(search, parts.front().table, pool);
  return pool;
}

}  // namespace warpwright
