// A check as JUnit XML, which CI systems read: one test case per entry. What fails the gate is a
// failure; what could not be decided is skipped; notes are the case's output.
#pragma once

#include <string>
#include <string_view>

#include "check/check_report.h"

namespace warpwright {

[[nodiscard]] std::string check_junit(const CheckReport& report);

// Text as XML 1.0 may hold it, in an attribute or between tags: the five special characters as
// entities, and what XML has no way to write (control characters, broken UTF-8, U+FFFE) as U+FFFD.
// Between tags line ends may stay.
[[nodiscard]] std::string xml_escaped(std::string_view text, bool keep_lines = false);

}  // namespace warpwright
