// Recordings from trials, as databases and T4 files hold them: nobody wrote down the space, so the
// configurations that were tried are the space. Parameters are in alphabetical order, values in
// that of value_before(), and a variant is a group of its own.
#pragma once

#include <string>
#include <vector>

#include "records/records.h"
#include "replay/recording.h"

namespace warpwright {

// Trials that another tuner's constraints rejected are no part of a space.
[[nodiscard]] bool is_rejected(const TrialRecord& trial);

// `draft` has head and names of rows; groups and rows are added here. Throws Error (user) when two
// configurations of a variant do not have the same parameters.
void add_trials(const std::vector<const TrialRecord*>& trials, RecordingDraft& draft);

}  // namespace warpwright
