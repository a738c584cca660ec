// When and how long, as T4 files say it: units of times, and the time that a result claims.
#pragma once

#include <optional>
#include <string>

#include "exchange/t4/t4_file.h"

namespace warpwright {

// Microseconds per unit of a file's times: its metadata's "timeunit", milliseconds when it gives
// none (`assumed` is set then), as Kernel Tuner writes them. Throws Error (user) for a unit that is
// not known.
struct T4Unit {
  double microseconds = 1e3;
  bool assumed = false;
};
[[nodiscard]] T4Unit time_unit_of(const T4File& file, const std::string& name);

// The measurement that is the time: of the first objective when that is a time, else the one named
// "time"; nullptr without any.
[[nodiscard]] const T4Measurement* time_measurement(const T4Result& result);

// What it says in microseconds; nullopt when it is not a time, for example Kernel Tuner's 1e20 for
// a configuration that failed.
[[nodiscard]] std::optional<double> published_us(const T4Result& result, const T4Unit& unit);

// "2023-12-22 09:54:05.502007+02:00" -> "2023-12-22T07:54:05Z"; "" for anything else. Without a
// zone it is taken for UTC.
[[nodiscard]] std::string utc_of_timestamp(const std::string& timestamp);

}  // namespace warpwright
