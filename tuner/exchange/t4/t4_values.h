// Reads values as T4 files and people write them: parameters and sizes, time stamps, units of times
// and the times of results.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/expr/value.h"
#include "exchange/t4/t4_file.h"

namespace warpwright {

// "true", "12" and "0.5" become a boolean, an integer and a real; anything else stays a text.
[[nodiscard]] Value read_value(const std::string& text);

// Some programs write numbers as texts: a parameter becomes an integer if every value of it reads
// as one.
void read_integers(std::vector<T4Result>& results);

// Microseconds per unit of a file's times. The unit is its metadata's "timeunit", or milliseconds
// if there is none (`assumed` is set then), as Kernel Tuner writes them. Throws Error (user) for an
// unknown unit.
struct T4Unit {
  double microseconds = 1e3;
  bool assumed = false;
};
[[nodiscard]] T4Unit time_unit_of(const T4File& file, const std::string& name);

// The measurement that is the time: the first objective's if that is a time, else the one named
// "time"; nullptr if there is none.
[[nodiscard]] const T4Measurement* time_measurement(const T4Result& result);

// The published time in microseconds; nullopt if it is not a time, for example Kernel Tuner's 1e20
// for a configuration that failed.
[[nodiscard]] std::optional<double> published_us(const T4Result& result, const T4Unit& unit);

// "2023-12-22 09:54:05.502007+02:00" -> "2023-12-22T07:54:05Z"; "" for anything else. Without a
// zone it is read as UTC.
[[nodiscard]] std::string utc_of_timestamp(const std::string& timestamp);

}  // namespace warpwright
