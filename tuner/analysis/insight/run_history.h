// The history of a database's runs: the best time of each on a board, the course of searches, and
// the parts of sweeps that were split into shards.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "analysis/board/leaderboard.h"
#include "records/goal_record.h"
#include "store/database.h"

namespace warpwright {

// The best time of every run on a board, oldest run first: the course of a kernel over dates and
// commits, including its older sources. A run counts only the configurations that it timed itself,
// which may be few if it resumed another. If it ended in a final ranking, its best is that
// ranking's winner.

struct RunBest {
  RowId run = 0;
  RowId trial = 0;
  double median_us = 0;
  std::optional<double> ci_low_us, ci_high_us;
  std::size_t timed = 0;  // configurations that passed and were timed by this run
  bool ranked = false;    // the best is from the run's final ranking
  std::string configuration_text;
};

class RunHistories {
 public:
  RunHistories() = default;
  // `rows` and `rankings` must hold all stored ones, not only the newest of each key or board.
  // Times beyond `peaks` are ignored.
  RunHistories(const std::vector<Database::TrialRow>& rows,
               const std::vector<Database::RankingRow>& rankings, const PeaksByDevice& peaks = {});

  // Returns an empty list for a board on which no run timed anything.
  [[nodiscard]] const std::vector<RunBest>& of(const Leaderboard& board) const;

 private:
  struct Subject {
    std::string kernel, problem_text, fingerprint, protocol;
    friend auto operator<=>(const Subject&, const Subject&) = default;
  };
  std::map<Subject, std::vector<RunBest>> by_subject_;
};

// The course of searches by board, as stored by the newest run that searched the board.

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

// Finds sweeps that were split into shards, as far as a database holds them: which parts are
// missing, and how many of the configurations are present. Shards run on several GPUs, so boards of
// GPUs with the same name are counted together.

struct ShardsHere {
  std::string kernel, problem_text, device_name;
  std::uint64_t count = 0;        // of shards
  std::set<std::uint64_t> begun;  // from 1 to count
  std::uint64_t asked = 0;        // configurations of all shards together
  std::uint64_t known = 0;        // of the newest version of each variant, shards or not

  [[nodiscard]] bool complete() const { return known >= asked; }
};

// Sorted by kernel, problem and device. Unreadable records are left out.
[[nodiscard]] std::vector<ShardsHere> shards_here(
    const Database& database, const std::optional<std::string>& kernel = std::nullopt);

}  // namespace warpwright
