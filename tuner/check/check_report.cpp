#include "check/check_report.h"

#include <algorithm>

namespace warpwright {

std::string_view check_state_name(CheckState state) {
  switch (state) {
    case CheckState::kOk:
      return "OK";
    case CheckState::kSame:
      return "SAME";
    case CheckState::kImproved:
      return "IMPROVED";
    case CheckState::kRegression:
      return "REGRESSION";
    case CheckState::kInconclusive:
      return "INCONCLUSIVE";
    case CheckState::kIncomparable:
      break;
  }
  return "INCOMPARABLE";
}

std::string_view gate_finding_name(GateFindingKind kind) {
  switch (kind) {
    case GateFindingKind::kRegression:
      return "regression";
    case GateFindingKind::kLost:
      return "lost correctness";
    case GateFindingKind::kMissing:
      return "missing";
    case GateFindingKind::kIllegal:
      return "not legal";
    case GateFindingKind::kTieSet:
      return "tie set";
    case GateFindingKind::kRecord:
      return "record";
    case GateFindingKind::kUndecided:
      return "undecided";
    case GateFindingKind::kImprovement:
      return "improvement";
    case GateFindingKind::kNote:
      break;
  }
  return "note";
}

bool fails_gate(GateFindingKind kind) {
  return kind == GateFindingKind::kRegression || kind == GateFindingKind::kLost ||
         kind == GateFindingKind::kMissing || kind == GateFindingKind::kIllegal;
}

std::string CheckEntry::title() const {
  std::string text = kernel;
  for (const std::string* part : {&problem_text, &configuration_text})
    if (!part->empty()) text += ' ' + *part;
  return text;
}

bool CheckEntry::fails() const {
  return std::any_of(findings.begin(), findings.end(),
                     [](const GateFinding& finding) { return fails_gate(finding.kind); });
}

std::size_t CheckReport::count(CheckState state) const {
  return static_cast<std::size_t>(
      std::count_if(entries.begin(), entries.end(),
                    [&](const CheckEntry& entry) { return entry.state == state; }));
}

std::size_t CheckReport::failures() const {
  return static_cast<std::size_t>(std::count_if(
      entries.begin(), entries.end(), [](const CheckEntry& entry) { return entry.fails(); }));
}

int CheckReport::exit_code(bool allow_inconclusive) const {
  if (failures() > 0) return 1;
  const std::size_t undecided = count(CheckState::kInconclusive) + count(CheckState::kIncomparable);
  return undecided > 0 && !allow_inconclusive ? 4 : 0;
}

}  // namespace warpwright
