#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

#include "core/suggest.h"
#include "spec/sweep_spec.h"

namespace warpwright {
namespace {

constexpr std::string_view kForm =
    "expected trials (200), a time (90s, 10min), a gain that is worth going on for (3%), or "
    "several "
    "of them (200,90s,3%)";
// A longer time is a mistake in the unit; the limit also keeps deadlines far from overflow.
constexpr double kMaxMilliseconds = 365.0 * 24 * 3600 * 1000;

// A smaller gain is within the noise of any timer; a larger one is not a useful target.
constexpr double kLeastPercent = 0.1;
constexpr double kMostPercent = 50;

struct Unit {
  std::string_view name;
  double milliseconds;
};
constexpr std::array<Unit, 4> kUnits = {{{"ms", 1}, {"s", 1e3}, {"min", 60e3}, {"h", 3600e3}}};

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

// Parses budgets such as "200,90s", so that errors quote the whole text.
class BudgetReader {
 public:
  BudgetReader(std::string_view text, const SourcePosition& where) : text_(text), where_(where) {}

  Budget read() {
    std::string_view rest = text_;
    while (true) {
      const std::size_t comma = rest.find(',');
      read_part(trim(rest.substr(0, comma)));
      if (comma == std::string_view::npos) return budget_;
      rest.remove_prefix(comma + 1);
    }
  }

 private:
  [[nodiscard]] Error error(const std::string& message) const {
    return user_error(where_, fmt::format("budget '{}': {}", text_, message));
  }

  // Digits alone are a number of trials; digits with a unit are a time or a percentage.
  void read_part(std::string_view part) {
    const std::size_t digits = std::min(part.find_first_not_of("0123456789."), part.size());
    const std::string_view number = part.substr(0, digits);
    const std::string_view unit = trim(part.substr(digits));
    if (number.empty()) throw error(fmt::format("got '{}', {}", part, kForm));
    if (unit.empty()) {
      read_trials(number);
    } else if (unit == "%") {
      read_until(number);
    } else {
      read_time(number, unit);
    }
  }

  void read_trials(std::string_view number) {
    std::int64_t trials = 0;
    const auto result = std::from_chars(number.data(), number.data() + number.size(), trials);
    if (result.ec == std::errc::result_out_of_range) {
      throw error(fmt::format("{} trials do not fit a 64-bit integer", number));
    }
    if (result.ptr != number.data() + number.size()) {
      throw error(fmt::format("got {} trials, expected an integer; a time needs a unit, as in {}s",
                              number, number));
    }
    if (trials < 1) throw error("got 0 trials, expected at least 1");
    if (budget_.trials) throw error("got two numbers of trials, expected one; a time needs a unit");
    budget_.trials = trials;
  }

  void read_time(std::string_view number, std::string_view unit) {
    double milliseconds = 0;
    for (const Unit& known : kUnits) {
      if (known.name == unit) milliseconds = known.milliseconds;
    }
    if (milliseconds == 0) {
      throw error(fmt::format("unknown unit '{}', expected ms, s, min or h{}", unit,
                              unit == "m" ? "; did you mean 'min'?" : ""));
    }
    double amount = 0;
    const auto result = std::from_chars(number.data(), number.data() + number.size(), amount);
    if (result.ec != std::errc() || result.ptr != number.data() + number.size()) {
      throw error(fmt::format("got '{}', expected a number before '{}'", number, unit));
    }
    milliseconds = std::round(milliseconds * amount);
    if (milliseconds < 1) throw error("got no time, expected at least 1ms");
    if (milliseconds > kMaxMilliseconds) {
      throw error("got more than a year, expected less; leave the budget out for no limit");
    }
    if (budget_.time) throw error("got two times, expected one");
    budget_.time = std::chrono::milliseconds(static_cast<std::int64_t>(milliseconds));
  }

  void read_until(std::string_view number) {
    double percent = 0;
    const auto result = std::from_chars(number.data(), number.data() + number.size(), percent);
    if (result.ec != std::errc() || result.ptr != number.data() + number.size())
      throw error(fmt::format("got '{}', expected a number before '%'", number));
    if (percent < kLeastPercent || percent > kMostPercent) {
      throw error(fmt::format("got a gain of {}%, expected {}% to {}%", number, kLeastPercent,
                              kMostPercent));
    }
    if (budget_.until) throw error("got two gains, expected one");
    budget_.until = percent / 100;
  }

  std::string_view text_;
  SourcePosition where_;
  Budget budget_;
};

}  // namespace

Budget parse_budget(std::string_view text, const SourcePosition& where) {
  return BudgetReader(text, where).read();
}

}  // namespace warpwright
