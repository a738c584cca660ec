// The course of searches by board, as stored by the newest run that searched the board.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "analysis/board/leaderboard.h"
#include "records/search_course.h"

namespace warpwright {

struct FoundCourse {
  RowId run = 0;
  SearchCourse course;
};

class SearchCourses {
 public:
  SearchCourses() = default;
  // Reads the courses of one run, or of all. Unreadable ones are left out.
  explicit SearchCourses(const Database& database, std::optional<RowId> run = std::nullopt);

  // Returns nullptr for a board that was not searched.
  [[nodiscard]] const FoundCourse* find(const Leaderboard& board) const;

 private:
  std::map<std::tuple<std::string, std::string, std::string>, FoundCourse> by_board_;
};

}  // namespace warpwright
