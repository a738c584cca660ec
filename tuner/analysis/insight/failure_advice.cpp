#include "analysis/insight/failure_advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "analysis/failures/constraint_hint.h"
#include "metrics/trial_metrics.h"

namespace warpwright {
namespace {

constexpr std::size_t kMaxOffered = 8;
constexpr std::size_t kMaxReasons = 4096;  // searched for limits, in bytes

// The limits that can name bounds, spelled as in expressions.
std::map<std::string, Value> device_limits(const DeviceRecord& device) {
  std::map<std::string, Value> limits;
  // Advice works without the details.
  const DeviceInfo* details = device.details.readable();
  if (details == nullptr) return limits;
  for (const auto& [name, limit] :
       {std::pair("device.max_threads", details->max_threads_per_block),
        std::pair("device.max_shared", details->max_shared_per_block),
        std::pair("device.registers_per_block", details->registers_per_block),
        std::pair("device.warp_size", details->warp_size)}) {
    if (limit > 0) limits[name] = limit;
  }
  return limits;
}

std::map<std::string, Value> resources_of(const TrialRecord& trial) {
  const ResourceSummary summary = summarise_resources(*trial.resources);
  std::map<std::string, Value> resources;
  if (summary.registers) resources["registers"] = *summary.registers;
  if (summary.shared_bytes) resources["shared_bytes"] = *summary.shared_bytes;
  return resources;
}

ConstraintSample make_sample(const TrialRecord& trial) {
  ConstraintSample sample{trial.variant, *trial.problem, resources_of(trial)};
  for (const auto& [name, value] : *trial.parameters) sample.values.insert_or_assign(name, value);
  return sample;
}

// Adds the constraint that would have excluded a launch that the device cannot run.
void add_offer(const TrialRecord& trial, std::vector<std::string>& offered) {
  const FailureDetail detail = failure_of(trial);
  if (detail.code != FailureCode::kLaunchLimit || detail.operand.empty()) return;
  if (offered.size() >= kMaxOffered) return;
  if (std::find(offered.begin(), offered.end(), detail.operand) == offered.end())
    offered.push_back(detail.operand);
}

bool holds_offer(const TrialRecord* trial) {
  const FailureDetail detail = failure_of(*trial);
  return detail.code == FailureCode::kLaunchLimit && !detail.operand.empty();
}

// The boards of one kernel and device: its problems, and its protocols if there are several.
struct Family {
  std::vector<Leaderboard*> boards;
  std::vector<ConstraintSample> right;
  std::vector<std::string> sizes;
  std::size_t problems = 0;
  bool emulated = false;
  std::map<std::string, Value> limits;
};

void collect(Family& family) {
  std::set<std::string> problems;
  std::set<std::string> sizes;
  for (const Leaderboard* board : family.boards) {
    problems.insert(board->problem_text);
    family.emulated = family.emulated || (board->modelled && !board->imported);
    for (const auto& [name, value] : *board->problem) sizes.insert(name);
    for (const LeaderboardEntry& entry : board->entries)
      family.right.push_back(make_sample(entry.row.trial));
    for (const Database::TrialRow& row : board->untimed)
      if (ran_right(row.trial.status)) family.right.push_back(make_sample(row.trial));
  }
  family.problems = problems.size();
  family.sizes.assign(sizes.begin(), sizes.end());
}

using Trials = std::vector<const TrialRecord*>;

Trials trials_of(const Family& family, Status status, const std::string& cause) {
  Trials trials;
  for (const Leaderboard* board : family.boards) {
    const auto group = std::find_if(
        board->failures.begin(), board->failures.end(),
        [&](const FailureGroup& one) { return one.status == status && one.cause == cause; });
    if (group == board->failures.end()) continue;
    const std::set<RowId> members(group->trials.begin(), group->trials.end());
    for (const Database::TrialRow& row : board->untimed)
      if (members.contains(row.trial.id)) trials.push_back(&row.trial);
  }
  return trials;
}

// Explains why the data propose nothing.
std::string why_none(const ConstraintSearch& search) {
  std::set<std::string> failed, right;
  bool any_parameter = false;
  for (const ConstraintSample& sample : search.failures) {
    failed.insert(sample.variant);
    any_parameter = any_parameter || sample.values.size() > search.sizes.size();
  }
  for (const ConstraintSample& sample : search.right) right.insert(sample.variant);
  if (std::none_of(failed.begin(), failed.end(),
                   [&](const std::string& variant) { return right.contains(variant); })) {
    const std::string of = failed.size() == 1 && !failed.begin()->empty()
                               ? fmt::format("of {} ", *failed.begin())
                               : std::string();
    return fmt::format("no configuration {}ran right: nothing to tell these apart from", of);
  }
  if (!any_parameter) return "";
  if (search.right.size() < kLeastRight) {
    return fmt::format("too few configurations ran right ({}) to learn a constraint from",
                       search.right.size());
  }
  constexpr std::size_t kFew = 3;
  if (search.failures.size() < kFew) {
    return fmt::format("too few failed ({}) to learn a constraint from", search.failures.size());
  }
  return "no simple constraint tells these from the configurations that ran right";
}

bool any_has(const Trials& trials, FailureCode code) {
  return std::any_of(trials.begin(), trials.end(),
                     [&](const TrialRecord* trial) { return failure_of(*trial).code == code; });
}

bool all_have(const Trials& trials, FailureCode code) {
  return std::all_of(trials.begin(), trials.end(),
                     [&](const TrialRecord* trial) { return failure_of(*trial).code == code; });
}

// Explains failures that no constraint can fix; "" for others. A wrong result may also be the fault
// of the tolerance or the reference.
std::string note_without_constraint(const Family& family, Status status, const Trials& trials) {
  switch (status) {
    case Status::kWrongResult:
      if (all_have(trials, FailureCode::kRounding)) {
        return "see whether the tolerance is meant so before changing the kernel: a constraint "
               "would only hide it";
      }
      return "the kernel, the tolerance or the reference is to be corrected: a constraint would "
             "only hide it";
    case Status::kNondeterministic:
      return "a race, or rounding that depends on the order, which `deterministic: false` allows: "
             "a constraint would only hide it";
    case Status::kHazard:
      return "a fault in the kernel, to be fixed: a constraint would only hide it";
    case Status::kImpossible:
      if (any_has(trials, FailureCode::kDriverPeak)) {
        return "the contract's `work` or the kernel is to be corrected: a constraint would only "
               "hide it; should the driver be wrong about this GPU, `warpwright calibrate` "
               "measures "
               "what it reaches";
      }
      return "the contract's `work` or the kernel is to be corrected: a constraint would only hide "
             "it";
    case Status::kCrashed:
      return "the process died, and why is to be found out: a constraint would only hide it";
    case Status::kLaunchFailed:
      // The emulator rejects launches that cannot run as `invalid`; a GPU's driver names the
      // operation that failed.
      if (!family.emulated && !any_has(trials, FailureCode::kRuntimeFault)) return "";
      return "a fault while it runs, of the kernel or of what the contract passes to it: a "
             "constraint would only hide it";
    case Status::kNotCompiled:
      return "the machine's doing, not the source's: no constraint follows from it, and the same "
             "sweep tries it again";
    case Status::kTimeout:
      if (!family.emulated) return "";
      return "the emulator's limit, which need not be the kernel's fault: no constraint follows "
             "from it, and a smaller problem may end in time";
    case Status::kInvalid:
      if (!any_has(trials, FailureCode::kEmulatorLacks)) return "";
      return "the emulator's limit, not the kernel's fault: no constraint follows from it";
    default:
      return "";
  }
}

// A known cause decides: the constraint that the reasons name, then a limit that was exceeded.
// Common properties of the failures are only searched if no cause is known.
void advise_on_cause(const ConstraintSearch& search, bool all_offer, FailureAdvice& advice) {
  FoundConstraints found = find_offered(search);
  const auto bound = find_resource_bound(search);
  if (found.excluded < advice.failures && !bound && !all_offer) found = find_constraints(search);
  advice.constraints = std::move(found.hints);
  advice.excluded = found.excluded;
  if (advice.excluded == advice.failures) return;
  if (bound) {
    advice.note = fmt::format(
        "all of them break {}, which no constraint can test before compiling: "
        "__launch_bounds__ may help",
        *bound);
  } else if (advice.constraints.empty()) {
    advice.note = all_offer ? "the constraints that their reasons name would exclude what ran right"
                            : why_none(search);
  }
}

FailureAdvice advise(const Family& family, Status status, const std::string& cause) {
  FailureAdvice advice;
  const Trials trials = trials_of(family, status, cause);
  advice.failures = trials.size();
  advice.kept = family.right.size();
  advice.problems = family.problems;
  if (status == Status::kOk) return advice;
  advice.note = note_without_constraint(family, status, trials);
  if (!advice.note.empty()) return advice;
  ConstraintSearch search{{}, family.right, family.sizes, family.limits, {}, {}};
  search.needs_support = true;
  for (const TrialRecord* trial : trials) {
    search.failures.push_back(make_sample(*trial));
    add_offer(*trial, search.offered);
    // A reason without a code comes from a compiler or a driver, whose messages name limits.
    const bool foreign = failure_of(*trial).code == FailureCode::kNone;
    if (foreign && search.reasons.size() < kMaxReasons) search.reasons += trial->reason + "\n";
  }
  advise_on_cause(search, std::all_of(trials.begin(), trials.end(), holds_offer), advice);
  return advice;
}

}  // namespace

void advise_on_failures(std::vector<Leaderboard>& boards,
                        const std::vector<std::pair<RowId, DeviceRecord>>& devices) {
  std::map<std::pair<std::string, std::string>, Family> families;  // by kernel and fingerprint
  for (Leaderboard& board : boards)
    families[{board.kernel, board.device_fingerprint}].boards.push_back(&board);
  for (auto& [key, family] : families) {
    const bool any = std::any_of(family.boards.begin(), family.boards.end(),
                                 [](const Leaderboard* board) { return !board->failures.empty(); });
    if (!any) continue;
    for (const auto& [id, device] : devices)
      if (device.fingerprint == key.second) family.limits = device_limits(device);
    collect(family);
    std::map<std::pair<Status, std::string>, FailureAdvice> known;
    for (Leaderboard* board : family.boards) {
      for (FailureGroup& group : board->failures) {
        const auto [it, added] = known.try_emplace({group.status, group.cause});
        if (added) it->second = advise(family, group.status, group.cause);
        group.advice = it->second;
      }
    }
  }
}

}  // namespace warpwright
