// Goals as runs keep them (records/goal_record.h), and back.
#pragma once

#include "records/goal_record.h"
#include "spec/goal.h"

namespace warpwright {

// Without the boards.
[[nodiscard]] GoalRecord goal_record(const GoalDraft& draft, const std::string& kernel);
// Throws Error (user) on what is no expression any more.
[[nodiscard]] GoalDraft draft_of(const GoalRecord& record);

}  // namespace warpwright
