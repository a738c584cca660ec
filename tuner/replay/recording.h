// A complete recording of a space: the outcome of every configuration, by its index, for look-up by
// replays. Times are in microseconds. A file of any format is read into a RecordingDraft;
// make_recording() checks the draft against the space that it describes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "records/goal_record.h"
#include "records/status.h"
#include "search/known_boards.h"
#include "space/search_space.h"

namespace warpwright {

// Ten times more rows than any published recording has.
inline constexpr std::size_t kMaxRecordedRows = 4'000'000;

struct RecordingHead {
  std::string name;                     // its name in tables and traces
  std::string kernel, problem, device;  // "" if unknown
  std::string file;                     // the file that it comes from
  std::string format;                   // "database", "T4" or "replay"
  std::string kind;                     // of its times: "measured", "modelled" or "imported"
  // Remarks for the reader, a sentence each.
  std::vector<std::string> notes = {};
};

struct RecordedRow {
  SearchSpace::Place place;
  Status status = Status::kOk;
  std::optional<double> us;           // finite and > 0; none: no time
  std::optional<double> at_least_us;  // for a pruned row
};

struct RecordingDraft {
  struct Group {
    std::string variant;  // "" without variants
    std::vector<SearchSpace::Axis> axes;
  };
  RecordingHead head;
  std::vector<Group> groups;
  // If there are none, the rows are the space. Otherwise the rows must be exactly those that the
  // constraints accept.
  std::optional<std::vector<std::string>> constraints;
  std::vector<RecordedRow> rows;
  // A row's name in messages: its number, or the one in `numbers`, between these two.
  std::string row_before = "configs[", row_after = "]";
  std::vector<std::int64_t> numbers = {};

  [[nodiscard]] std::string row_name(std::size_t row) const;
};

struct Recording {
  RecordingHead head;
  std::unique_ptr<SearchSpace> space;
  // By index of the space; 0 for no time.
  std::vector<double> us;
  std::vector<Status> status;
  std::vector<double> at_least_us;  // 0 if no bound is known
  double best_us = 0;
  std::size_t succeeded = 0;  // configurations with a time
  // The prior knowledge that searches receive before their first question, and its sources.
  std::vector<BoardBeliefs> beliefs = {};
  std::vector<KnowledgeSource> sources = {};

  [[nodiscard]] std::size_t count() const { return us.size(); }
  [[nodiscard]] std::size_t with_status(Status wanted) const;
  // The times of the configurations that have one, in order of index.
  [[nodiscard]] std::vector<double> times() const;
  // Values in the order of the parameters; the variant comes first if there are several.
  [[nodiscard]] std::vector<Value> values_at(std::uint64_t index) const;
};

// Throws Error (user): no rows, too many, two that are equal, one that a constraint rejects, rows
// that are missing, or none that has a time. Constraints that core/expr does not understand, or
// that cannot be evaluated, become a note, and the rows are the space.
[[nodiscard]] Recording make_recording(RecordingDraft draft);

}  // namespace warpwright
