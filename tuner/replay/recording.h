// A complete recording of a space: how every configuration ended, by its index, as replays look it
// up. Times are in microseconds. What a file says becomes a RecordingDraft, whatever its format;
// make_recording() holds the draft against the space that it describes.
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

// More rows than any published recording has, by a factor of ten.
inline constexpr std::size_t kMostRecordedRows = 4'000'000;

struct RecordingHead {
  std::string name;                     // what tables and traces call it
  std::string kernel, problem, device;  // "" where it is not known
  std::string file;                     // it comes from
  std::string format;                   // "database", "T4" or "replay"
  std::string kind;                     // of its times: "measured", "modelled" or "imported"
  // What a reader should know, a sentence each.
  std::vector<std::string> notes = {};
};

struct RecordedRow {
  SearchSpace::Place place;
  Status status = Status::kOk;
  std::optional<double> us;           // finite and > 0; none: it has no time
  std::optional<double> at_least_us;  // of a pruned one
};

struct RecordingDraft {
  struct Group {
    std::string variant;  // "" where there are none
    std::vector<SearchSpace::Axis> axes;
  };
  RecordingHead head;
  std::vector<Group> groups;
  // None: the rows are the space. Otherwise the rows must be all that they accept.
  std::optional<std::vector<std::string>> constraints;
  std::vector<RecordedRow> rows;
  // What messages call a row: its number, or that of `numbers`, between these.
  std::string row_before = "configs[", row_after = "]";
  std::vector<std::int64_t> numbers = {};

  [[nodiscard]] std::string row_name(std::size_t row) const;
};

struct Recording {
  RecordingHead head;
  std::unique_ptr<SearchSpace> space;
  // By index of the space; 0 where there is no time.
  std::vector<double> us;
  std::vector<Status> status;
  std::vector<double> at_least_us;  // 0 where no bound is known
  double best_us = 0;
  std::size_t succeeded = 0;  // have a time
  // What searches are told before their first question, and who says so.
  std::vector<BoardBeliefs> beliefs = {};
  std::vector<KnowledgeSource> sources = {};

  [[nodiscard]] std::size_t count() const { return us.size(); }
  [[nodiscard]] std::size_t with_status(Status wanted) const;
  // Of those that have one, in order of index.
  [[nodiscard]] std::vector<double> times() const;
  // In the order of the parameters; the variant goes first where there are several.
  [[nodiscard]] std::vector<Value> values_at(std::uint64_t index) const;
};

// Throws Error (user): no rows, too many, two that are equal, one that a constraint rejects, rows
// that are missing, or none that has a time. Constraints that core/expr does not understand, or
// that cannot be evaluated, become a note, and the rows are the space.
[[nodiscard]] Recording make_recording(RecordingDraft draft);

}  // namespace warpwright
