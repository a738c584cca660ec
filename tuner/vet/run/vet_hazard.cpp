#include "vet/run/vet_hazard.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

namespace warpwright {

QuotedLocation quoted(const SourceNames& names, const QuotedLocation& location) {
  QuotedLocation place = names.place(names.name_of(location.file), location.line);
  place.column = location.column;
  return place;
}

namespace {

std::optional<FindingSide> quoted(const SourceNames& names, std::optional<FindingSide> side) {
  if (!side || !side->where.known()) return std::nullopt;
  side->where = quoted(names, side->where);
  for (QuotedLocation& call : side->callers) call = quoted(names, call);
  return side;
}

// The finding as VetHazard has it.
Finding quoted(const SourceNames& names, Finding finding) {
  finding.here = quoted(names, std::move(finding.here));
  finding.other = quoted(names, std::move(finding.other));
  // The message of a fault names its place, but here the line already begins with the place.
  if (finding.here && !finding.unplaced.empty()) finding.message = finding.unplaced;
  return finding;
}

}  // namespace

VetHazard hazard_of(const VetFinding& found, const VettedCase& vetted, const VetRun& run,
                    const SourceNames& names, const std::string& replay_prefix,
                    bool of_launch_comment) {
  VetHazard hazard;
  hazard.finding = quoted(names, found.finding);
  hazard.configuration_text = run.configuration.to_string();
  hazard.case_name = vetted.name;
  hazard.problem_text = vetted.problem_text;
  hazard.seen_in = found.seeds.size();
  hazard.schedules = vetted.schedules;
  hazard.seed = found.seeds.front();
  // Reproducing a difference needs the schedule that it differs from.
  const char* which =
      found.finding.kind == FindingKind::kDiffersBetweenSchedules ? "schedules" : "seed";
  // A launch comment's variant adds no information to its case.
  const std::string variant = of_launch_comment      ? ""
                              : !run.version.empty() ? " --version " + run.version
                                                     : " --variant " + run.configuration.variant;
  hazard.replay =
      fmt::format("{}{}{} --{} {}", replay_prefix, variant,
                  vetted.name.empty() ? "" : " --case '" + vetted.name + "'", which, hazard.seed);
  return hazard;
}

}  // namespace warpwright
