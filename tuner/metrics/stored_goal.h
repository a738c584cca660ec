// Converts goals to their stored form (records/goal_record.h), and back.
#pragma once

#include "records/goal_record.h"
#include "spec/goal.h"

namespace warpwright {

// The result has no boards.
[[nodiscard]] GoalRecord goal_record(const GoalDraft& draft, const std::string& kernel);
// Throws Error (user) for a text that is no longer a valid expression.
[[nodiscard]] GoalDraft draft_of(const GoalRecord& record);

}  // namespace warpwright
