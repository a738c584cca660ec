#include "analysis/insight/search_courses.h"

namespace warpwright {

SearchCourses::SearchCourses(const Database& database, std::optional<RowId> run) {
  for (const auto& [id, row] : database.runs()) {
    if (run && id != *run) continue;
    const GoalRecord* goal = row.goal.readable();
    if (goal == nullptr) continue;
    for (const SearchCourse& course : goal->searches) {
      by_board_.insert_or_assign({goal->kernel, course.fingerprint, course.problem_text},
                                 FoundCourse{id, course});
    }
  }
}

const FoundCourse* SearchCourses::find(const Leaderboard& board) const {
  const auto found = by_board_.find({board.kernel, board.device_fingerprint, board.problem_text});
  return found == by_board_.end() ? nullptr : &found->second;
}

}  // namespace warpwright
