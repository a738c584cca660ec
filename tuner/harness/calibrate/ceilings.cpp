#include "harness/calibrate/ceilings.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/ceiling_names.h"

namespace warpwright {
namespace {

// The time of a configuration, and its interval if it was measured.
struct Time {
  double us = 0;
  std::optional<double> low_us, high_us;
  std::string protocol;
};

Time time_of(const Leaderboard& board, const LeaderboardEntry& entry) {
  const bool won = board.ranking && entry.row.trial.id == board.ranking->winner;
  if (won && board.headline.cold && board.headline.cold->median_us > 0) {
    const Headline::Cold& cold = *board.headline.cold;
    return {cold.median_us, cold.ci_low_us, cold.ci_high_us, cold.protocol};
  }
  return {entry.median_us, entry.ci_low_us, entry.ci_high_us, entry.row.trial.protocol};
}

CeilingRecord make_ceiling(const std::string& name, const Leaderboard& board,
                           const LeaderboardEntry& entry, const std::string& measured_utc) {
  const TrialRecord& trial = entry.row.trial;
  const double work = is_arithmetic_ceiling(name) ? trial.work_flops : trial.work_bytes;
  const Time time = time_of(board, entry);
  // Bytes per µs are MB/s; a thousand of those are GB/s. The same holds for FLOP.
  const auto rate = [work](double us) { return work / us / 1e3; };
  CeilingRecord ceiling;
  ceiling.name = name;
  ceiling.value = rate(time.us);
  ceiling.unit = ceiling_unit(name);
  if (time.low_us && time.high_us && *time.low_us > 0) {
    ceiling.ci_low = rate(*time.high_us);
    ceiling.ci_high = rate(*time.low_us);
  }
  ceiling.protocol = time.protocol;
  ceiling.measured_utc = measured_utc;
  return ceiling;
}

bool concerns_device(const Expr& expr) {
  return std::any_of(expr.names().begin(), expr.names().end(),
                     [](const std::string& name) { return name.starts_with("device."); });
}

// The first constraint on device limits that uses only `constants` and does not hold.
std::string broken(const std::vector<ConstraintSpec>& constraints,
                   const std::map<std::string, Value>& constants) {
  Environment environment;
  for (const auto& [name, value] : constants) environment.set(name, value);
  for (const ConstraintSpec& constraint : constraints) {
    const std::vector<std::string>& names = constraint.expr.names();
    const bool decided = std::all_of(names.begin(), names.end(), [&](const std::string& name) {
      return constants.contains(name);
    });
    if (!decided || !concerns_device(constraint.expr)) continue;
    if (constraint.expr.evaluate_bool(environment)) continue;
    return constraint.because.empty() ? constraint.expr.text() : constraint.because;
  }
  return "";
}

}  // namespace

std::string ceiling_of(const Stored<Problem>& problem) {
  const Problem* sizes = problem.readable();
  if (sizes == nullptr) return "";
  const auto found = sizes->find("ceiling");
  return found != sizes->end() && found->second.is_string() ? found->second.as_string() : "";
}

std::string ceiling_by_variant(const std::string& ceiling, const std::string& variant) {
  const std::size_t operand = ceiling.find('_');
  if (operand == std::string::npos) return "";
  std::string name = variant + ceiling.substr(operand);
  return is_arithmetic_ceiling(name) && name != ceiling ? name : "";
}

std::vector<CeilingRecord> ceilings_of(const Leaderboard& board, const std::string& measured_utc) {
  const std::string name = ceiling_of(board.problem);
  if (name.empty() || board.entries.empty()) return {};
  std::vector<CeilingRecord> ceilings;
  std::map<std::string, CeilingRecord> by_variant;
  for (const LeaderboardEntry& entry : board.entries) {
    const TrialRecord& trial = entry.row.trial;
    if (!(entry.median_us > 0)) continue;
    if (ceilings.empty()) ceilings.push_back(make_ceiling(name, board, entry, measured_utc));
    const std::string own = ceiling_by_variant(name, trial.variant);
    if (!own.empty() && !by_variant.contains(own))
      by_variant.emplace(own, make_ceiling(own, board, entry, measured_utc));
  }
  for (auto& [own, ceiling] : by_variant) ceilings.push_back(std::move(ceiling));
  return ceilings;
}

std::string why_none(const Leaderboard& board) {
  if (!board.failures.empty()) {
    const FailureGroup& most = board.failures.front();
    return fmt::format("{}: {} ({} of {} configurations)", status_name(most.status), most.cause,
                       most.count, board.trials);
  }
  if (board.noisy > 0) {
    return fmt::format("the device was not steady ({} of {} configurations noisy)", board.noisy,
                       board.trials);
  }
  return "nothing was timed";
}

std::string why_impossible(const KernelSpec& kernel, const SweepSpec& sweep,
                           const std::map<std::string, Value>& constants) {
  std::string reason = broken(kernel.constraints, constants);
  if (reason.empty()) reason = broken(sweep.constraints, constants);
  for (const VariantSpec& variant : kernel.variants) {
    if (reason.empty()) reason = broken(variant.constraints, constants);
  }
  return reason.empty() ? "no variant can run it here" : reason;
}

}  // namespace warpwright
