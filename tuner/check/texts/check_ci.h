// Presents a check where code is reviewed: annotations at the lines to blame, which GitHub Actions
// reads from a step's output, a summary in Markdown, and JUnit XML for CI systems. The escapes
// follow GitHub, "Workflow commands for GitHub Actions", and command.ts of actions/toolkit: data
// escapes % CR LF; properties also : and ,.
#pragma once

#include <string>

#include "check/check_report.h"

namespace warpwright {

// Writes one "::error file=...,line=...,title=...::..." per finding; warnings for undecided entries
// and for changed tie sets, notices for improvements. Notes are omitted.
[[nodiscard]] std::string check_annotations(const CheckReport& report);

[[nodiscard]] std::string check_markdown(const CheckReport& report);

// Writes one test case per entry. Findings that fail the gate are failures, undecided entries are
// skipped, and notes are the case's output.
[[nodiscard]] std::string check_junit(const CheckReport& report);

}  // namespace warpwright
