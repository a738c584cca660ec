// What a check found: plain data between the check, which fills it, and check/texts, which
// prints it. Times are microseconds and shares are fractions (0.05 is 5 %) unless a name says
// otherwise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpwright {

enum class CheckState {
  kOk,            // compared; nothing that counts has changed
  kSame,          // the machine code and the launch are unchanged
  kImproved,      // better in something, worse in nothing
  kRegression,    // worse, or no longer right
  kInconclusive,  // compared, but too noisy to say
  kIncomparable,  // there was nothing to compare, or no way to
};
// "OK", "SAME", "IMPROVED", "REGRESSION", "INCONCLUSIVE", "INCOMPARABLE".
[[nodiscard]] std::string_view check_state_name(CheckState state);

enum class FindingKind {
  kRegression,   // slower, or more of something that is counted
  kLost,         // it no longer compiles, launches or computes what it must
  kMissing,      // the kernel, the problem or the variant is gone
  kIllegal,      // the configuration is no longer one of the kernel's
  kTieSet,       // different configurations tie with the best than before
  kRecord,       // the baseline's figures are not what its own sources give
  kUndecided,    // why an entry is inconclusive or incomparable
  kImprovement,  // faster, or less of something
  kNote,         // what the reader should know
};
// "regression", "lost correctness", "missing", "not legal", "tie set", "record", "undecided",
// "improvement", "note".
[[nodiscard]] std::string_view finding_name(FindingKind kind);
// Whether a finding of this kind fails the gate.
[[nodiscard]] bool fails_gate(FindingKind kind);

// A line of the candidate's sources.
struct CheckPlace {
  std::string file;  // as an editor or a code host takes it: relative where that is possible
  int line = 0;      // from 1; 0 is the file as a whole
  std::string text;  // of the line, without blanks around it
};

struct Finding {
  FindingKind kind = FindingKind::kNote;
  std::string message;              // one line; it does not repeat the place
  std::optional<CheckPlace> place;  // where to look
};

// Something that is counted and has changed by more than its threshold.
struct MetricChange {
  std::string of;    // the entry point, for the compiler's figures; empty for counters
  std::string name;  // "registers", "global_load_sectors"
  std::string unit;  // "bytes a thread"; may be empty
  std::int64_t before = 0;
  std::int64_t after = 0;
  [[nodiscard]] bool grew() const { return after > before; }
};

// A measured comparison. Logarithms of ratios: above 0 the candidate is slower.
struct CheckRace {
  double median_d = 0;
  double low = 0, high = 0;  // one-sided bounds of 99 % each
  double delta = 0;          // a change that counts, a fraction
  double noise = 0;          // of one side's block medians, a fraction
  double p = 1, p_adjusted = 1;
  double baseline_us = 0, candidate_us = 0;  // medians of the blocks
  std::size_t blocks = 0;
  std::optional<double> repeated_d;  // what a fresh process found, where one was asked
  std::string protocol;
};

struct CheckEntry {
  std::string kernel;
  std::string problem_text;
  std::string configuration_text;
  CheckState state = CheckState::kOk;
  std::vector<Finding> findings;      // the most severe first
  std::vector<MetricChange> changes;  // those beyond their thresholds
  std::optional<CheckRace> race;
  std::string recorded;  // the baseline's own time, for people; empty without one
  double seconds = 0;    // that workers spent on it

  // "softmax_topk rows=8 V=4099 block_row THREADS=256"
  [[nodiscard]] std::string title() const;
  [[nodiscard]] bool fails() const;
};

struct CheckReport {
  std::string baseline;  // the folder
  std::string device_id, device_name, driver, nvrtc;
  bool measured = false;  // raced on a device with a clock; otherwise counted
  std::vector<std::string> notes;
  std::vector<CheckEntry> entries;
  double seconds = 0;

  [[nodiscard]] std::size_t count(CheckState state) const;
  [[nodiscard]] std::size_t failures() const;
  // 0 ok; 1 when an entry fails; 4 when none does but some could not be decided, unless that is
  // allowed.
  [[nodiscard]] int exit_code(bool allow_inconclusive) const;
};

}  // namespace warpwright
