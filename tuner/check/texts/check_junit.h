// Writes a check as JUnit XML for CI systems, with one test case per entry. Findings that fail the
// gate are failures, undecided entries are skipped, and notes are the case's output.
#pragma once

#include <string>

#include "check/check_report.h"

namespace warpwright {

[[nodiscard]] std::string check_junit(const CheckReport& report);

}  // namespace warpwright
