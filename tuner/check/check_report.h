// The results of a check, as plain data: filled by the check and printed by check/texts. Times are
// microseconds and shares are fractions (0.05 is 5 %) unless a name says otherwise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/source_location.h"
#include "provenance/source_place.h"
namespace warpwright {

enum class CheckState {
  kOk,            // compared; nothing relevant has changed
  kSame,          // the machine code and the launch are unchanged
  kImproved,      // better in some respect, worse in none
  kRegression,    // worse, or no longer correct
  kInconclusive,  // compared, but too noisy to decide
  kIncomparable,  // nothing to compare with, or no way to compare
};
// Returns "OK", "SAME", "IMPROVED", "REGRESSION", "INCONCLUSIVE" or "INCOMPARABLE".
[[nodiscard]] std::string_view check_state_name(CheckState state);

enum class GateFindingKind {
  kRegression,   // slower, or a counter grew
  kLost,         // no longer compiles, launches or computes correct results
  kMissing,      // the kernel, the problem or the variant is gone
  kIllegal,      // the configuration is no longer one of the kernel's
  kTieSet,       // other configurations than before tie with the best
  kRecord,       // the baseline's own sources give other figures
  kUndecided,    // the reason why an entry is inconclusive or incomparable
  kImprovement,  // faster, or a counter shrank
  kNote,         // information for the reader
};
// Returns "regression", "lost correctness", "missing", "not legal", "tie set", "record",
// "undecided", "improvement" or "note".
[[nodiscard]] std::string_view gate_finding_name(GateFindingKind kind);
// Whether a finding of this kind fails the gate.
[[nodiscard]] bool fails_gate(GateFindingKind kind);

// One result of the gate about an entry.
struct GateFinding {
  GateFindingKind kind = GateFindingKind::kNote;
  std::string message;  // one line, without the place
  // Where to look in the candidate's sources. The file is named as editors and code hosts expect
  // it: relative where possible; line 0 means the whole file.
  std::optional<QuotedLocation> place;
};

// A figure or counter that has changed by more than its threshold.
struct MetricChange {
  std::string of;    // the entry point of a compiler figure; empty for counters
  std::string name;  // "registers", "global_load_sectors"
  std::string unit;  // such as "bytes a thread"; may be empty
  std::int64_t before = 0;
  std::int64_t after = 0;
  [[nodiscard]] bool grew() const { return after > before; }
};

// A measured comparison. Differences are logarithms of ratios: above 0 the candidate is slower.
struct CheckRace {
  double median_d = 0;
  double low = 0, high = 0;  // one-sided 99 % bounds
  double delta = 0;          // the smallest change that counts, a fraction
  double noise = 0;          // of one side's block medians, a fraction
  double p = 1, p_adjusted = 1;
  double baseline_us = 0, candidate_us = 0;  // medians of the blocks
  std::size_t blocks = 0;
  std::optional<double> repeated_d;  // result of a fresh process, if one was asked
  std::string protocol;
};

struct CheckEntry {
  std::string kernel;
  std::string problem_text;
  std::string configuration_text;
  CheckState state = CheckState::kOk;
  std::vector<GateFinding> findings;  // most severe first
  std::vector<MetricChange> changes;  // changes beyond their thresholds
  std::optional<CheckRace> race;
  std::string recorded;  // the baseline's own time as text; empty if it has none
  double seconds = 0;    // time that workers spent on it

  // An example is "softmax_topk rows=8 V=4099 block_row THREADS=256".
  [[nodiscard]] std::string title() const;
  [[nodiscard]] bool fails() const;
};

struct CheckReport {
  std::string baseline;  // the folder
  std::string device_id, device_name, driver, nvrtc;
  bool measured = false;  // true: raced on a device with a clock; false: counted
  std::vector<std::string> notes;
  std::vector<CheckEntry> entries;
  double seconds = 0;

  [[nodiscard]] std::size_t count(CheckState state) const;
  [[nodiscard]] std::size_t failures() const;
  // 0 if all entries pass; 1 if an entry fails; 4 if none fails but some could not be decided,
  // unless that is allowed.
  [[nodiscard]] int exit_code(bool allow_inconclusive) const;
};

}  // namespace warpwright
