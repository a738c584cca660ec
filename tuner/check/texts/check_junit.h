// A check as JUnit XML, which CI systems read: one test case per entry. What fails the gate is a
// failure; what could not be decided is skipped; notes are the case's output.
#pragma once

#include <string>

#include "check/check_report.h"

namespace warpwright {

[[nodiscard]] std::string check_junit(const CheckReport& report);

}  // namespace warpwright
