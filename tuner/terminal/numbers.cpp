#include "terminal/numbers.h"

#include <fmt/format.h>

#include <cmath>

namespace warpwright {

std::string format_us(double microseconds) {
  if (!std::isfinite(microseconds)) return "n/a";
  // Each limit is where rounding would carry into the next magnitude: 999.96 is "1,000", not
  // "1000.0".
  const double magnitude = std::abs(microseconds);
  if (magnitude < 0.9995) return fmt::format("{:.3f}", microseconds);
  if (magnitude < 99.995) return fmt::format("{:.2f}", microseconds);
  if (magnitude < 999.95) return fmt::format("{:.1f}", microseconds);
  return format_thousands(microseconds);
}

std::string format_thousands(double value) {
  std::string digits = fmt::format("{:.0f}", std::abs(value));
  for (std::size_t at = digits.size(); at > 3;) {
    at -= 3;
    digits.insert(at, ",");
  }
  return value < 0 ? "-" + digits : digits;
}

std::string counted(std::uint64_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", format_thousands(static_cast<double>(count)),
                     count == 1 ? one : many);
}

std::string format_duration(double seconds) {
  if (!(seconds > 0)) return "0 s";
  // Rounded to the displayed precision first, so that 59.7 s becomes "1 min 0 s" and never "60 s".
  if (seconds < 0.995) return fmt::format("{:.2f} s", seconds);
  if (seconds < 9.95) return fmt::format("{:.2g} s", seconds);
  const double whole = std::round(seconds);
  if (whole < 60) return fmt::format("{:.0f} s", whole);
  if (whole < 3600) {
    return fmt::format("{:.0f} min {:.0f} s", std::floor(whole / 60), std::fmod(whole, 60));
  }
  const double minutes = std::round(seconds / 60);
  return fmt::format("{:.0f} h {:.0f} min", std::floor(minutes / 60), std::fmod(minutes, 60));
}

}  // namespace warpwright
