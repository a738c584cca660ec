// Recordings from trials, as databases and T4 files hold them: they do not describe the space, so
// the configurations that were tried are the space. Parameters are in alphabetical order, values in
// the order of value_before(), and each variant is a group of its own.
#pragma once

#include <string>
#include <vector>

#include "records/records.h"
#include "replay/recording.h"

namespace warpwright {

// True for a trial that another tuner's constraints rejected; it is not part of the space.
[[nodiscard]] bool is_rejected(const TrialRecord& trial);

// `draft` must have the head and the names of rows; groups and rows are added here. Throws Error
// (user) when two configurations of a variant do not have the same parameters.
void add_trials(const std::vector<const TrialRecord*>& trials, RecordingDraft& draft);

}  // namespace warpwright
