// Stored rows may come from any program: a time may be infinite, NaN or 0, and would be the best of
// its board or appear in an exported header. Reading leaves such values out, so that rankings,
// divisions and exports never see one; the trial stays and states why it has no time.
#pragma once

#include <vector>

#include "records/records.h"

namespace warpwright {

// An ok trial without a reason gets one: "median_us is inf, expected a finite positive time".
void leave_out_unusable(TrialRecord& trial);
void leave_out_unusable(std::vector<double>& samples_us);

}  // namespace warpwright
