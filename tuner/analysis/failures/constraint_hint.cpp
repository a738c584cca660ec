#include "analysis/failures/constraint_hint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/failures/constraint_families.h"
#include "core/error.h"
#include "core/expr/expr.h"

namespace warpwright {
namespace {

// Candidates are searched for in at most this many samples of either kind, and verified on all.
constexpr std::size_t kMaxSamples = 2000;
constexpr std::size_t kMaxHints = 3;
constexpr double kOfferedCost = 0.5;
// Limits for pairs of predicates that together explain all failures: only simple ones, and not too
// many of them.
constexpr double kMaxPairCost = 2.5;
constexpr std::size_t kMaxPaired = 400;

// Takes every k-th sample, so that all parts of the space are represented.
std::vector<ConstraintSample> even_part(const std::vector<ConstraintSample>& samples) {
  std::vector<ConstraintSample> part;
  const std::size_t step = (samples.size() + kMaxSamples - 1) / kMaxSamples;
  for (std::size_t i = 0; i < samples.size(); i += step) part.push_back(samples[i]);
  return part;
}

// Evaluates an expression on samples; rejects it if it cannot be evaluated.
class Judge {
 public:
  explicit Judge(const ConstraintSearch& search) : search_(search) {
    for (const auto& [name, value] : search.limits) limits_.set(name, value);
  }

  // Returns nullopt if a sample that ran right is excluded, or if the expression does not parse or
  // evaluate.
  [[nodiscard]] std::optional<std::vector<bool>> excluded_failures(
      const std::string& expression) const {
    try {
      const Expr expr = Expr::parse(expression);
      for (const ConstraintSample& sample : search_.right)
        if (excludes(expr, sample)) return std::nullopt;
      std::vector<bool> excluded;
      for (const ConstraintSample& sample : search_.failures)
        excluded.push_back(excludes(expr, sample));
      return excluded;
    } catch (const Error&) {
      return std::nullopt;
    }
  }

 private:
  // A constraint binds a configuration that has all of its names.
  [[nodiscard]] bool excludes(const Expr& expr, const ConstraintSample& sample) const {
    Environment environment(&limits_);
    for (const auto& [name, value] : sample.values) environment.set(name, value);
    environment.set("variant", sample.variant);
    for (const std::string& name : expr.names())
      if (environment.find(name) == nullptr) return false;
    return !expr.evaluate_bool(environment);
  }

  const ConstraintSearch& search_;
  Environment limits_;
};

std::size_t count_true(const std::vector<bool>& bits) {
  return static_cast<std::size_t>(std::count(bits.begin(), bits.end(), true));
}

void unite(std::vector<bool>& into, const std::vector<bool>& other) {
  for (std::size_t i = 0; i < into.size(); ++i)
    if (other[i]) into[i] = true;
}

bool cover_all(const std::vector<bool>& a, const std::vector<bool>& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!a[i] && !b[i]) return false;
  return true;
}

using Keys = std::vector<const std::vector<bool>*>;  // of the pool

// The cheapest one or two predicates that exclude every failure; empty if there are none.
Keys cheapest_cover(const CandidatePool& pool) {
  Keys best;
  double best_cost = 0;
  std::vector<std::pair<double, const std::vector<bool>*>> simple;
  for (const auto& [excluded, same] : pool) {
    if (count_true(excluded) == excluded.size()) {
      best = {&excluded};
      best_cost = same.front().cost;
    } else if (same.front().cost <= kMaxPairCost) {
      simple.emplace_back(same.front().cost, &excluded);
    }
  }
  std::stable_sort(simple.begin(), simple.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  if (simple.size() > kMaxPaired) simple.resize(kMaxPaired);
  for (std::size_t i = 0; i < simple.size(); ++i) {
    for (std::size_t j = i + 1; j < simple.size(); ++j) {
      const double cost = simple[i].first + simple[j].first + 1;
      if (!best.empty() && cost >= best_cost) break;
      if (!cover_all(*simple[i].second, *simple[j].second)) continue;
      best = {simple[i].second, simple[j].second};
      best_cost = cost;
    }
  }
  return best;
}

// Repeatedly picks the predicate that excludes most of the remaining failures; each must exclude at
// least a tenth of all.
Keys greedy_cover(const CandidatePool& pool, std::size_t failures) {
  Keys chosen;
  std::vector<bool> done(failures, false);
  while (chosen.size() < kMaxHints) {
    const std::vector<bool>* best = nullptr;
    std::size_t most = 0;
    double best_cost = 0;
    for (const auto& [excluded, same] : pool) {
      std::size_t more = 0;
      for (std::size_t i = 0; i < failures; ++i) more += excluded[i] && !done[i];
      const double cost = same.front().cost;
      if (10 * more < failures || more < least_excluded(cost)) continue;
      if (more < most || (more == most && cost >= best_cost)) continue;
      best = &excluded;
      most = more;
      best_cost = cost;
    }
    if (best == nullptr) break;
    unite(done, *best);
    chosen.push_back(best);
  }
  return chosen;
}

// Drops candidates that do not hold on all samples, since they come from a part of them.
bool prove(CandidatePool& pool, const Keys& keys, const Judge& judge) {
  bool all = true;
  for (const std::vector<bool>* key : keys) {
    std::vector<ConstraintCandidate>& same = pool.find(*key)->second;
    const std::size_t before = same.size();
    std::erase_if(same, [&](const ConstraintCandidate& candidate) {
      return !judge.excluded_failures(candidate.expression);
    });
    all = all && same.size() == before;
  }
  for (const std::vector<bool>* key : keys) {
    if (const auto it = pool.find(*key); it->second.empty()) pool.erase(it);
  }
  return all;
}

FoundConstraints make_found(const CandidatePool& pool, const Keys& keys, const Judge& judge,
                            const ConstraintSearch& search) {
  FoundConstraints found;
  const std::size_t failures = search.failures.size();
  std::vector<bool> excluded(failures, false);
  for (const std::vector<bool>* key : keys) {
    const std::vector<ConstraintCandidate>& same = pool.at(*key);
    const std::string& expression = same.front().expression;
    const std::vector<bool> here = judge.excluded_failures(expression).value();
    const std::size_t count = count_true(here);
    const bool documented =
        std::find(search.offered.begin(), search.offered.end(), expression) != search.offered.end();
    if (search.needs_support && !documented &&
        !enough_support(count, failures, search.right.size()))
      continue;
    ConstraintHint& hint = found.hints.emplace_back();
    hint.expression = Expr::parse(expression).to_string();
    hint.excludes = count;
    hint.documented = documented;
    for (std::size_t i = 1; i < same.size(); ++i)
      hint.alternatives.push_back(Expr::parse(same[i].expression).to_string());
    unite(excluded, here);
  }
  found.excluded = count_true(excluded);
  std::stable_sort(found.hints.begin(), found.hints.end(),
                   [](const auto& a, const auto& b) { return a.excludes > b.excludes; });
  return found;
}

double log_choose(std::size_t n, std::size_t k) {
  const auto log_factorial = [](std::size_t m) { return std::lgamma(static_cast<double>(m) + 1); };
  return log_factorial(n) - log_factorial(k) - log_factorial(n - k);
}

// Constraints that the reasons themselves propose take precedence over all found here, if the data
// agree.
void add_offered(const ConstraintSearch& search, CandidatePool& pool) {
  const Judge judge(search);
  for (const std::string& expression : search.offered) {
    const auto excluded = judge.excluded_failures(expression);
    if (excluded && count_true(*excluded) > 0)
      add_candidate(pool, {expression, kOfferedCost, *excluded});
  }
}

std::optional<double> number(const std::map<std::string, Value>& values, const std::string& name) {
  const auto it = values.find(name);
  return it != values.end() && it->second.is_number() ? std::optional(it->second.as_real())
                                                      : std::nullopt;
}

// The range of resource * parameters over samples; nullopt if a sample lacks any of them.
struct Range {
  double low = 0, high = 0;
};
std::optional<Range> range_of(const std::vector<ConstraintSample>& samples,
                              const std::string& resource,
                              const std::vector<std::string>& parameters) {
  std::optional<Range> range;
  for (const ConstraintSample& sample : samples) {
    std::optional<double> value = number(sample.resources, resource);
    for (const std::string& parameter : parameters) {
      const std::optional<double> factor = number(sample.values, parameter);
      if (!value || !factor) return std::nullopt;
      *value *= *factor;
    }
    if (!value) return std::nullopt;
    if (!range) range = Range{*value, *value};
    range = Range{std::min(range->low, *value), std::max(range->high, *value)};
  }
  return range;
}

// All products of no, one or two names.
std::vector<std::vector<std::string>> small_products(const std::vector<std::string>& names) {
  std::vector<std::vector<std::string>> products = {{}};
  for (const std::string& name : names) products.push_back({name});
  for (std::size_t i = 0; i < names.size(); ++i)
    for (std::size_t j = i + 1; j < names.size(); ++j) products.push_back({names[i], names[j]});
  return products;
}

}  // namespace

bool enough_support(std::size_t excludes, std::size_t failures, std::size_t right) {
  constexpr std::size_t kLeastExcluded = 3;
  const double kChance = std::log(0.01);
  return excludes >= kLeastExcluded &&
         log_choose(failures, excludes) - log_choose(failures + right, excludes) <= kChance;
}

FoundConstraints find_offered(const ConstraintSearch& search) {
  if (search.failures.empty()) return {};
  CandidatePool pool;
  add_offered(search, pool);
  Keys keys = cheapest_cover(pool);
  if (keys.empty()) keys = greedy_cover(pool, search.failures.size());
  return make_found(pool, keys, Judge(search), search);
}

FoundConstraints find_constraints(const ConstraintSearch& search) {
  const std::size_t failures = search.failures.size();
  if (failures == 0 || search.right.size() < kLeastRight) return {};
  ConstraintSearch part = search;
  part.failures = even_part(search.failures);
  part.right = even_part(search.right);
  CandidatePool pool = constraint_candidates(part);
  add_offered(part, pool);
  const Judge judge(search);
  // Terminates: every iteration without proof removes a candidate.
  while (true) {
    Keys keys = cheapest_cover(pool);
    if (keys.empty()) keys = greedy_cover(pool, part.failures.size());
    if (prove(pool, keys, judge)) return make_found(pool, keys, judge, search);
  }
}

std::optional<std::string> find_resource_bound(const ConstraintSearch& search) {
  struct Bound {
    const char* resource;
    const char* limit;
    bool per_thread;
  };
  if (search.failures.empty() || search.right.size() < kLeastRight) return std::nullopt;
  std::vector<std::string> names;
  for (const auto& [name, value] : search.failures.front().values) {
    const bool size =
        std::find(search.sizes.begin(), search.sizes.end(), name) != search.sizes.end();
    if (value.is_number() && !size) names.push_back(name);
  }
  for (const Bound& bound : {Bound{"shared_bytes", "device.max_shared", false},
                             Bound{"registers", "device.registers_per_block", true}}) {
    const std::optional<double> limit = number(search.limits, bound.limit);
    if (!limit) continue;
    for (const std::vector<std::string>& factors : small_products(names)) {
      if (factors.empty() == bound.per_thread) continue;
      const auto failed = range_of(search.failures, bound.resource, factors);
      const auto kept = range_of(search.right, bound.resource, factors);
      if (!failed || !kept || kept->high > *limit || failed->low <= *limit) continue;
      return fmt::format("{}{}{} <= {}", bound.resource, factors.empty() ? "" : " * ",
                         fmt::join(factors, " * "), bound.limit);
    }
  }
  return std::nullopt;
}

}  // namespace warpwright
