#include "core/natural_order.h"

#include <algorithm>
#include <cstddef>

namespace warpwright {
namespace {

bool is_decimal_digit(char c) { return c >= '0' && c <= '9'; }

// The digits at the start, without leading zeros; `text` continues after them.
std::string_view take_number(std::string_view& text) {
  const auto end = static_cast<std::size_t>(
      std::find_if_not(text.begin(), text.end(), is_decimal_digit) - text.begin());
  std::string_view digits = text.substr(0, end);
  text.remove_prefix(end);
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
  return digits;
}

}  // namespace

bool natural_before(std::string_view a, std::string_view b) {
  std::string_view rest_a = a, rest_b = b;
  while (!rest_a.empty() && !rest_b.empty()) {
    if (is_decimal_digit(rest_a.front()) && is_decimal_digit(rest_b.front())) {
      const std::string_view x = take_number(rest_a), y = take_number(rest_b);
      if (x.size() != y.size()) return x.size() < y.size();
      if (x != y) return x < y;
      continue;
    }
    if (rest_a.front() != rest_b.front()) {
      return static_cast<unsigned char>(rest_a.front()) <
             static_cast<unsigned char>(rest_b.front());
    }
    rest_a.remove_prefix(1);
    rest_b.remove_prefix(1);
  }
  if (rest_a.empty() != rest_b.empty()) return rest_a.empty();
  return a < b;  // they differ at most in leading zeros
}

}  // namespace warpwright
