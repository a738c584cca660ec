// Checks the ties of the baseline: configurations that could not be distinguished from the winner.
// After a source change one may win or fall behind, which calls for tuning again rather than for a
// fix to the kernel.
#include <fmt/format.h>

#include "check/candidate.h"
#include "check/judge_race.h"
#include "check/planned_entry.h"

namespace warpwright {
namespace {

constexpr std::size_t kMostTies = 8;

// A tie, treated as an entry that is compared with the candidate's winner.
struct Tie {
  std::size_t of = 0;  // index of the winner's entry
  std::string text;
};

void report_tie(PlannedEntry& winner, const Tie& tie, std::string message) {
  winner.report.findings.push_back(
      {FindingKind::kTieSet, fmt::format("{} {}", tie.text, message), std::nullopt});
}

bool settled_well(const PlannedEntry& entry) {
  return entry.outcome && entry.outcome->status == Status::kOk &&
         entry.report.state != CheckState::kIncomparable;
}

void report_answer(const CheckOptions& options, PlannedEntry& winner, const Tie& tie,
                   const MeasureAnswer& answer) {
  if (answer.error) return report_tie(winner, tie, "could not be run: " + answer.error->message());
  if (answer.outcome.status != Status::kOk) {
    return report_tie(winner, tie,
                      fmt::format("is no longer right: {}: {}", status_name(answer.outcome.status),
                                  answer.outcome.reason));
  }
  const GateOutcome& gate = *answer.outcome.gate();
  if (gate.status != Status::kOk)
    return report_tie(winner, tie, "could not be raced: " + gate.reason);
  const RaceLook look = look_at(0, gate, options.rules.least_slowdown());
  if (look.verdict == GateVerdict::kRegression) {
    report_tie(winner, tie,
               fmt::format("is slower than the winner now ({})", percent_of(look.race.median_d)));
  } else if (look.verdict == GateVerdict::kImproved) {
    report_tie(winner, tie,
               fmt::format("is faster than the winner now ({}); tune again",
                           percent_of(look.race.median_d)));
  }
}

}  // namespace

void check_ties(const WorkerWorld& world, const CheckOptions& options,
                std::vector<PlannedEntry>& entries) {
  std::vector<Tie> ties;
  std::vector<PlannedEntry> planned;    // each tie now against the current winner
  std::vector<PlannedEntry> unchanged;  // each tie then against now, to see if it changed
  for (std::size_t i = 0; i < entries.size(); ++i) {
    PlannedEntry& winner = entries[i];
    if (!winner.recorded->measured || !settled_well(winner)) continue;
    const std::vector<Configuration>& recorded = winner.recorded->measured->ties;
    for (std::size_t t = 0; t < recorded.size() && t < kMostTies; ++t) {
      const Tie tie{i, recorded[t].to_string()};
      const KernelSpec& now = winner.candidate.of->kernel;
      Candidate candidate =
          find_candidate(now, recorded[t], winner.candidate.problem, world.device);
      if (candidate.refusal) {
        report_tie(winner, tie, "is no longer possible: " + candidate.refusal->message);
        continue;
      }
      PlannedEntry entry;
      entry.recorded = winner.recorded;
      entry.candidate = {winner.candidate.of, candidate.configuration, candidate.problem, {}, {}};
      entry.baseline = winner.baseline;
      entry.baseline.configuration = recorded[t];
      unchanged.push_back(entry);
      entry.baseline = winner.candidate;
      planned.push_back(std::move(entry));
      ties.push_back(tie);
    }
  }
  if (ties.empty()) return;
  world.step("looking at the ties of the winners");
  compile_entries(world, unchanged);
  std::vector<std::size_t> which;
  for (std::size_t i = 0; i < ties.size(); ++i) {
    PlannedEntry& winner = entries[ties[i].of];
    if (!unchanged[i].open && !unchanged[i].candidate.compiled.ok) {
      report_tie(winner, ties[i],
                 "is no longer possible: " + unchanged[i].report.findings.front().message);
      continue;
    }
    if (winner.same && unchanged[i].same) continue;
    planned[i].candidate = unchanged[i].candidate;
    planned[i].cases = unchanged[i].cases;
    which.push_back(i);
  }
  constexpr int kNoiseBlocks = 10;
  const std::vector<MeasureAnswer> answers = ask_all(world, planned, which, [&](const auto& entry) {
    return request_of(world, entry, true, kNoiseBlocks);
  });
  for (std::size_t i = 0; i < which.size(); ++i)
    report_answer(options, entries[ties[which[i]].of], ties[which[i]], answers[i]);
}

}  // namespace warpwright
