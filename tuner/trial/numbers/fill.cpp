#include "trial/numbers/fill.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "core/words.h"
#include "spec/kernel_fills.h"
#include "trial/numbers/fill_plan.h"

namespace warpwright {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// One "name(a, b)" of the text, with the place of every part.
struct Item {
  std::string name;
  SourceLocation where;
  std::vector<std::string> arguments;
  std::vector<SourceLocation> places;
};

struct SourceRule {
  std::string_view name;
  FillSource source;
  std::size_t least;  // the fewest numbers
  std::size_t most;
  std::string_view usage;
};

constexpr std::size_t kMany = 1000;
constexpr std::array<SourceRule, 11> kSources{
    {{"normal", FillSource::kNormal, 2, 2, "normal(mean, stddev)"},
     {"uniform", FillSource::kUniform, 2, 2, "uniform(lo, hi)"},
     {"constant", FillSource::kConstant, 1, 1, "constant(x)"},
     {"zeros", FillSource::kZeros, 0, 0, "zeros"},
     {"ones", FillSource::kOnes, 0, 0, "ones"},
     {"integers", FillSource::kIntegers, 2, 2, "integers(lo, hi)"},
     {"choice", FillSource::kChoice, 1, kMany, "choice(a, b, ...)"},
     {"sequence", FillSource::kSequence, 2, 2, "sequence(start, step)"},
     {"descending", FillSource::kDescending, 2, 2, "descending(start, step)"},
     {"stripe", FillSource::kStripe, 4, 4, "stripe(period, offset, high, low)"},
     {"shuffled_range", FillSource::kShuffledRange, 0, 0, "shuffled_range"}}};

struct ChangeRule {
  std::string_view name;
  FillChange change;
  std::optional<double> planted;  // the value that the name implies
  std::size_t numbers;
  std::string_view usage;
};

constexpr std::array<ChangeRule, 6> kChanges{
    {{"nan", FillChange::kFraction, kNan, 1, "nan(fraction)"},
     {"inf", FillChange::kFraction, kInfinity, 1, "inf(fraction)"},
     {"neg_inf", FillChange::kFraction, -kInfinity, 1, "neg_inf(fraction)"},
     {"value", FillChange::kFraction, std::nullopt, 2, "value(x, fraction)"},
     {"row", FillChange::kRow, std::nullopt, 2, "row(index, x)"},
     {"at", FillChange::kAt, std::nullopt, 2, "at(index, x)"}}};

SourceLocation shifted(SourceLocation where, std::size_t columns) {
  if (where.column > 0) where.column += static_cast<int>(columns);
  return where;
}

// Splits "a(x, y) with b(z)" into items. The arguments stay text: they are expressions.
class Splitter {
 public:
  Splitter(std::string_view text, const SourceLocation& where) : text_(text), where_(where) {}

  std::vector<Item> split() {
    std::vector<Item> items{item()};
    for (skip_space(); at_ < text_.size(); skip_space()) {
      if (text_[at_] == '+') {
        ++at_;
      } else if (const std::size_t start = at_; word() != "with") {
        fail(start, fmt::format("expected 'with' and a modifier, got '{}'", text_.substr(start)));
      }
      items.push_back(item());
    }
    return items;
  }

 private:
  [[noreturn]] void fail(std::size_t at, const std::string& what) const {
    throw user_error(shifted(where_, at), fmt::format("in fill '{}': {}", text_, what));
  }

  void skip_space() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  }

  std::string word() {
    const std::size_t start = at_;
    while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    return std::string(text_.substr(start, at_ - start));
  }

  Item item() {
    skip_space();
    Item item;
    item.where = shifted(where_, at_);
    const std::size_t start = at_;
    item.name = word();
    if (item.name.empty()) {
      fail(start, start == text_.size()
                      ? "expected a name such as normal, got the end"
                      : fmt::format("expected a name such as normal, got '{}'", text_[start]));
    }
    skip_space();
    if (at_ < text_.size() && text_[at_] == '(') arguments(item);
    return item;
  }

  void arguments(Item& item) {
    const std::size_t open = at_++;
    std::size_t start = at_;
    int depth = 1;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '(') ++depth;
      if (c == ')') --depth;
      if (depth == 0 || (depth == 1 && c == ',')) {
        argument(item, start, at_);
        start = at_ + 1;
      }
      if (depth == 0) {
        ++at_;
        // "zeros()" has no argument, as opposed to an empty one.
        if (item.arguments.size() == 1 && item.arguments.front().empty()) item.arguments.clear();
        return;
      }
    }
    fail(open, "this '(' is never closed");
  }

  void argument(Item& item, std::size_t start, std::size_t end) const {
    while (start < end && is_blank(text_[start])) ++start;
    while (start < end && is_blank(text_[end - 1])) --end;
    item.arguments.emplace_back(text_.substr(start, end - start));
    item.places.push_back(shifted(where_, start));
  }

  std::string_view text_;
  SourceLocation where_;
  std::size_t at_ = 0;
};

// Expressions cannot yield infinities or NaN, and -0.0 should not depend on how they negate.
double number(const std::string& text, const SourceLocation& where, const Environment& sizes) {
  if (text == "inf" || text == "+inf") return kInfinity;
  if (text == "-inf") return -kInfinity;
  if (text == "nan") return kNan;
  if (text == "-0.0" || text == "-0") return -0.0;
  return Expr::parse(text, where).evaluate_real(sizes);
}

template <typename Rules>
std::vector<std::string> names_of(const Rules& rules) {
  std::vector<std::string> names;
  for (const auto& rule : rules) names.emplace_back(rule.name);
  return names;
}

// `others` are also allowed, but are parsed elsewhere.
template <typename Rules>
const auto& find_rule(const Rules& rules, const Item& item, std::string_view what,
                      std::span<const std::string_view> others = {}) {
  for (const auto& rule : rules) {
    if (rule.name == item.name) return rule;
  }
  std::vector<std::string> names = names_of(rules);
  names.insert(names.end(), others.begin(), others.end());
  throw user_error(item.where,
                   fmt::format("unknown {} '{}'{}", what, item.name, suggestion(item.name, names)));
}

void check_count(const Item& item, std::size_t least, std::size_t most, std::string_view usage) {
  if (item.arguments.size() >= least && item.arguments.size() <= most) return;
  throw user_error(item.where, fmt::format("'{}' takes {}{}: {}; got {}", item.name,
                                           least == most ? "" : "at least ",
                                           plural(least, "number"), usage, item.arguments.size()));
}

// Beyond 2^53 not every integer is a double.
bool is_exact(double value) { return std::abs(value) <= 0x1p53; }
bool is_integer(double value) { return std::isfinite(value) && value == std::nearbyint(value); }

// `text` holds the evaluated numbers, so that fills written differently with equal content share a
// cache entry.
std::string canonical(const std::string& name, const std::vector<double>& numbers) {
  return numbers.empty() ? name : fmt::format("{}({})", name, fmt::join(numbers, ", "));
}

void check_source(const FillPlan& plan, const SourceLocation& where) {
  const std::vector<double>& n = plan.numbers;
  const auto require = [&](bool holds, std::string_view what) {
    if (!holds) throw user_error(where, fmt::format("{}: {}", plan.text, what));
  };
  switch (plan.source) {
    case FillSource::kNormal:
      return require(n[1] >= 0, "the standard deviation must be at least 0");
    case FillSource::kUniform:
      return require(n[0] <= n[1], "the lower end must not be above the upper");
    case FillSource::kIntegers:
      require(is_integer(n[0]) && is_integer(n[1]), "both ends must be integers");
      require(is_exact(n[0]) && is_exact(n[1]), "both ends must lie within 2^53");
      return require(n[0] <= n[1], "the lower end must not be above the upper");
    case FillSource::kStripe:
      require(is_integer(n[0]) && n[0] >= 1, "the period must be an integer of at least 1");
      require(is_integer(n[1]) && n[1] >= 0, "the offset must be an integer of at least 0");
      return require(is_exact(n[0]) && is_exact(n[1]), "period and offset must lie within 2^53");
    default:
      return;
  }
}

FillModifier make_modifier(const Item& item, const Environment& sizes) {
  const ChangeRule& rule = find_rule(kChanges, item, "fill modifier");
  check_count(item, rule.numbers, rule.numbers, rule.usage);
  std::vector<double> numbers;
  for (std::size_t i = 0; i < rule.numbers; ++i)
    numbers.push_back(number(item.arguments[i], item.places[i], sizes));

  FillModifier modifier;
  modifier.change = rule.change;
  modifier.where = item.where;
  modifier.text = canonical(item.name, numbers);
  if (rule.change == FillChange::kFraction) {
    modifier.value = rule.planted.value_or(numbers.front());
    modifier.fraction = numbers.back();
    if (!(modifier.fraction >= 0 && modifier.fraction <= 1)) {
      throw user_error(item.places.back(),
                       fmt::format("{}: the fraction must lie between 0 and 1, got {}", item.name,
                                   modifier.fraction));
    }
  } else {
    if (!is_integer(numbers.front())) {
      throw user_error(item.places.front(), fmt::format("{}: the index must be an integer, got {}",
                                                        item.name, numbers.front()));
    }
    modifier.index = static_cast<std::int64_t>(numbers.front());
    modifier.value = numbers.back();
  }
  return modifier;
}

}  // namespace

Fill Fill::parse(std::string_view text, const SourceLocation& where, const Environment& sizes) {
  const std::vector<Item> items = Splitter(text, where).split();
  const Item& first = items.front();
  const SourceRule& rule = find_rule(kSources, first, "fill", fill_origin_names());
  check_count(first, rule.least, rule.most, rule.usage);

  auto plan = std::make_shared<FillPlan>();
  plan->source = rule.source;
  for (std::size_t i = 0; i < first.arguments.size(); ++i) {
    plan->numbers.push_back(number(first.arguments[i], first.places[i], sizes));
  }
  plan->text = canonical(first.name, plan->numbers);
  plan->where = first.where;
  check_source(*plan, first.where);
  for (std::size_t i = 1; i < items.size(); ++i)
    plan->modifiers.push_back(make_modifier(items[i], sizes));
  return Fill(std::move(plan));
}

std::string Fill::to_string() const {
  std::string text = plan_->text;
  for (const FillModifier& modifier : plan_->modifiers) text += " with " + modifier.text;
  return text;
}

}  // namespace warpwright
