#include "exchange/t4/t4_values.h"

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "core/error.h"
#include "records/times.h"

namespace warpwright {

Value read_value(const std::string& text) {
  if (text == "true" || text == "false") return text == "true";
  const char* end = text.data() + text.size();
  std::int64_t integer = 0;
  if (const auto got = std::from_chars(text.data(), end, integer);
      got.ec == std::errc() && got.ptr == end) {
    return integer;
  }
  double real = 0;
  if (const auto got = std::from_chars(text.data(), end, real);
      got.ec == std::errc() && got.ptr == end && std::isfinite(real)) {
    return real;
  }
  return text;
}

void read_integers(std::vector<T4Result>& results) {
  std::set<std::string> others;
  const auto as_integer = [](const Value& value) -> std::optional<std::int64_t> {
    if (value.is_integer()) return value.as_integer();
    if (!value.is_string()) return std::nullopt;
    const Value read = read_value(value.as_string());
    if (!read.is_integer() || read.to_string() != value.as_string()) return std::nullopt;
    return read.as_integer();
  };
  for (const T4Result& result : results) {
    for (const auto& [name, value] : result.configuration)
      if (!as_integer(value)) others.insert(name);
  }
  for (T4Result& result : results) {
    for (auto& [name, value] : result.configuration)
      if (!others.contains(name)) value = *as_integer(value);
  }
}

namespace {

constexpr double kKernelTunerFailed = 1e20;

bool is_time(const T4Measurement& measurement) {
  if (!measurement.unit.empty()) return microseconds_per(measurement.unit).has_value();
  return measurement.name == "time";
}

}  // namespace

T4Unit time_unit_of(const T4File& file, const std::string& name) {
  const auto found = file.metadata.find("timeunit");
  if (found == file.metadata.end() || found->is_null()) return {1e3, true};
  const std::string unit = found->is_string() ? found->get<std::string>() : found->dump();
  const auto microseconds = microseconds_per(unit);
  if (!microseconds) {
    throw user_error(
        fmt::format("{}: metadata.timeunit: unknown unit '{}'; known: seconds, "
                    "milliseconds, microseconds, nanoseconds",
                    name, unit));
  }
  return {*microseconds, false};
}

const T4Measurement* time_measurement(const T4Result& result) {
  const auto find = [&](const std::string& name) -> const T4Measurement* {
    for (const T4Measurement& measurement : result.measurements)
      if (measurement.name == name && is_time(measurement)) return &measurement;
    return nullptr;
  };
  if (!result.objectives.empty()) {
    if (const T4Measurement* objective = find(result.objectives.front())) return objective;
  }
  return find("time");
}

std::optional<double> published_us(const T4Result& result, const T4Unit& unit) {
  const T4Measurement* time = time_measurement(result);
  if (time == nullptr || !time->value) return std::nullopt;
  if (*time->value <= 0 || *time->value >= kKernelTunerFailed) return std::nullopt;
  const double us = *time->value * microseconds_per(time->unit).value_or(unit.microseconds);
  return is_time(us) ? std::optional(us) : std::nullopt;  // a small one may become 0
}

std::string utc_of_timestamp(const std::string& timestamp) {
  int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, read = 0;
  char divider = 0;
  // NOLINTBEGIN(cert-err34-c): four digits fit into any integer
  if (std::sscanf(timestamp.c_str(), "%4d-%2d-%2d%c%2d:%2d:%2d%n", &year, &month, &day, &divider,
                  &hour, &minute, &second, &read) != 7 ||
      (divider != ' ' && divider != 'T')) {
    return "";
  }
  std::string rest = timestamp.substr(static_cast<std::size_t>(read));
  if (rest.starts_with('.')) rest.erase(0, rest.find_first_not_of("0123456789", 1));
  int zone_minutes = 0;
  if (!rest.empty() && rest != "Z") {
    char sign = 0;
    int zone_hour = 0, zone_minute = 0, taken = 0;
    const bool colon =
        std::sscanf(rest.c_str(), "%c%2d:%2d%n", &sign, &zone_hour, &zone_minute, &taken) == 3;
    if (!colon &&
        std::sscanf(rest.c_str(), "%c%2d%2d%n", &sign, &zone_hour, &zone_minute, &taken) != 3)
      return "";
    if ((sign != '+' && sign != '-') || static_cast<std::size_t>(taken) != rest.size()) return "";
    zone_minutes = (sign == '-' ? -1 : 1) * (zone_hour * 60 + zone_minute);
  }
  // NOLINTEND(cert-err34-c)
  using namespace std::chrono;
  const year_month_day date{std::chrono::year(year),
                            std::chrono::month(static_cast<unsigned>(month)),
                            std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok() || hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60)
    return "";
  const auto utc = sys_days(date) + hours(hour) + minutes(minute - zone_minutes) + seconds(second);
  const auto whole_days = floor<days>(utc);
  const year_month_day on{whole_days};
  const hh_mm_ss at{utc - whole_days};
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", static_cast<int>(on.year()),
                     static_cast<unsigned>(on.month()), static_cast<unsigned>(on.day()),
                     at.hours().count(), at.minutes().count(), at.seconds().count());
}

}  // namespace warpwright
