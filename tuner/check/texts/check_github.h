// A check where code is reviewed: annotations at the lines that are to blame, as GitHub
// Actions reads them from a step's output, and a summary in Markdown.
// Source of the escapes: GitHub, "Workflow commands for GitHub Actions", and actions/toolkit's
// command.ts: data escapes % CR LF; properties also : and ,.
#pragma once

#include <string>

#include "check/check_report.h"

namespace warpwright {

// One "::error file=...,line=...,title=...::..." per finding; warnings for what could not be
// decided and for changed tie sets, notices for improvements. Notes are left out.
[[nodiscard]] std::string check_annotations(const CheckReport& report);

[[nodiscard]] std::string check_markdown(const CheckReport& report);

}  // namespace warpwright
