// Reads the time stamps, units of times and result times of T4 files.
#pragma once

#include <optional>
#include <string>

#include "exchange/t4/t4_file.h"

namespace warpwright {

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
