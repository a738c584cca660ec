#include "analysis/failures/constraint_predicates.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>

#include "core/error.h"
#include "core/expr/expr.h"
#include "core/words.h"

namespace warpwright {
namespace {

using Samples = std::vector<const ConstraintSample*>;

constexpr double kAbsent = std::numeric_limits<double>::quiet_NaN();

// Reads the values of one name from all samples. Returns nullopt if they mix texts, bools and
// numbers.
class ColumnReader {
 public:
  explicit ColumnReader(const std::string& name) { column_.name = name; }

  void read(const Samples& samples, std::vector<double>& into) {
    for (const ConstraintSample* sample : samples) {
      const auto it = sample->values.find(column_.name);
      into.push_back(it == sample->values.end() ? kAbsent : number(it->second));
    }
  }
  std::optional<ConstraintColumn> column(const Samples& failures, const Samples& right) {
    read(failures, column_.failures);
    read(right, column_.right);
    column_.text = !texts_.empty();
    if (static_cast<int>(column_.text) + static_cast<int>(column_.boolean) +
            static_cast<int>(numbers_) !=
        1)
      return std::nullopt;
    column_.texts.resize(texts_.size());
    for (const auto& [text, at] : texts_) column_.texts[static_cast<std::size_t>(at)] = text;
    return std::move(column_);
  }

 private:
  double number(const Value& value) {
    if (value.is_string()) {
      const auto next = static_cast<double>(texts_.size());
      return texts_.try_emplace(value.as_string(), next).first->second;
    }
    (value.is_bool() ? column_.boolean : numbers_) = true;
    const double real = value.as_real();
    column_.integral = column_.integral && real == std::floor(real);
    return real;
  }

  ConstraintColumn column_;
  std::map<std::string, double> texts_;
  bool numbers_ = false;
};

template <class Keep>
std::vector<double> kept(const std::vector<double>& values, const std::vector<double>& by,
                         const Keep& keep) {
  std::vector<double> part;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (keep(by[i])) part.push_back(values[i]);
  return part;
}

std::string place_of(const ConstraintSample& sample, const std::vector<std::string>& sizes) {
  std::string place = sample.variant;
  for (const std::string& size : sizes) {
    const auto it = sample.values.find(size);
    place += '\n' + (it == sample.values.end() ? std::string() : it->second.to_string());
  }
  return place;
}

}  // namespace

std::string number_text(double value) {
  // Above 2^53, a double no longer represents every integer.
  if (value == std::floor(value) && std::abs(value) < 0x1p53)
    return Value(static_cast<std::int64_t>(value)).to_string();
  return Value(value).to_string();
}

std::set<double> ConstraintColumn::levels() const {
  std::set<double> levels;
  for (const auto* side : {&failures, &right})
    for (const double value : *side)
      if (!std::isnan(value)) levels.insert(value);
  return levels;
}

std::string ConstraintColumn::value_text(double value) const {
  if (boolean) return value != 0 ? "true" : "false";
  if (!text) return number_text(value);
  std::string quoted = "'";
  for (const char c : texts[static_cast<std::size_t>(value)]) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "'";
}

ConstraintTable ConstraintTable::restricted(const ConstraintColumn& by,
                                            const std::function<bool(double)>& keep) const {
  ConstraintTable part;
  for (std::size_t i = 0; i < by.failures.size(); ++i)
    if (keep(by.failures[i])) part.failure_index.push_back(failure_index[i]);
  for (const ConstraintColumn& column : columns) {
    ConstraintColumn& copy = part.columns.emplace_back();
    copy.name = column.name;
    copy.text = column.text;
    copy.boolean = column.boolean;
    copy.integral = column.integral;
    copy.size = column.size;
    copy.constant = column.constant;
    copy.texts = column.texts;
    copy.failures = kept(column.failures, by.failures, keep);
    copy.right = kept(column.right, by.right, keep);
  }
  return part;
}

ConstraintTable make_constraint_table(const ConstraintSearch& search, const std::string& variant) {
  std::set<std::string> places;  // variants and problems where something ran right
  Samples failures, right;
  for (const ConstraintSample& sample : search.right) {
    if (!variant.empty() && sample.variant != variant) continue;
    places.insert(place_of(sample, search.sizes));
    right.push_back(&sample);
  }
  ConstraintTable table;
  std::set<std::string> names;
  for (std::size_t i = 0; i < search.failures.size(); ++i) {
    if (!places.contains(place_of(search.failures[i], search.sizes))) continue;
    failures.push_back(&search.failures[i]);
    table.failure_index.push_back(i);
    for (const auto& [name, value] : search.failures[i].values) names.insert(name);
  }
  for (const std::string& name : names) {
    std::optional<ConstraintColumn> column = ColumnReader(name).column(failures, right);
    if (!column) continue;
    column->size = std::find(search.sizes.begin(), search.sizes.end(), name) != search.sizes.end();
    column->constant = column->levels().size() < 2;
    if (column->size || !column->constant) table.columns.push_back(std::move(*column));
  }
  return table;
}

namespace {

constexpr double kLargestExact = 0x1p53;  // below it a double holds every integer
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The clarity of a cut, as a ratio.
double ratio(double low, double high) { return low > 0 ? high / low : kInfinity; }

}  // namespace

std::string bound_text(const ConstraintSearch& search, const std::string& term, double last,
                       double first) {
  const std::string said = lower(term + "\n" + search.reasons);
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
