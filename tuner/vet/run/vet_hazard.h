// A finding of a worker as reports show it.
#pragma once

#include <string>

#include "provenance/source_names.h"
#include "trial/validation/vet_schedules.h"
#include "vet/run/vet_plan.h"
#include "vet/vet_report.h"

namespace warpwright {

// The location with the file as editors and code hosts expect it, and its text.
[[nodiscard]] QuotedLocation quoted(const SourceNames& names, const QuotedLocation& location);

// `found` is one of the findings of `vetted`, which is a case of `run`. `replay_prefix` is the
// beginning of the command that reproduces it.
[[nodiscard]] VetHazard hazard_of(const VetFinding& found, const VettedCase& vetted,
                                  const VetRun& run, const SourceNames& names,
                                  const std::string& replay_prefix, bool of_launch_comment);

}  // namespace warpwright
