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

std::string_view finding_name(FindingKind kind) {
  switch (kind) {
    case FindingKind::kRegression:
      return "regression";
    case FindingKind::kLost:
      return "lost correctness";
    case FindingKind::kMissing:
      return "missing";
    case FindingKind::kIllegal:
      return "not legal";
    case FindingKind::kTieSet:
      return "tie set";
    case FindingKind::kRecord:
      return "record";
    case FindingKind::kUndecided:
      return "undecided";
    case FindingKind::kImprovement:
      return "improvement";
    case FindingKind::kNote:
      break;
  }
  return "note";
}

bool fails_gate(FindingKind kind) {
  return kind == FindingKind::kRegression || kind == FindingKind::kLost ||
         kind == FindingKind::kMissing || kind == FindingKind::kIllegal;
}

std::string CheckEntry::title() const {
  std::string text = kernel;
  for (const std::string* part : {&problem_text, &configuration_text})
    if (!part->empty()) text += ' ' + *part;
  return text;
}

bool CheckEntry::fails() const {
  return std::any_of(findings.begin(), findings.end(),
                     [](const Finding& finding) { return fails_gate(finding.kind); });
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
