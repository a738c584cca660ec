#include "harness/calibrate/calibrate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <iterator>
#include <optional>
#include <utility>

#include "core/error.h"
#include "core/shared_names.h"
#include "harness/calibrate/latencies.h"
#include "sweep/run_records.h"
#include "sweep/sweep_plan.h"

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

Environment environment_of(const std::map<std::string, Value>& constants) {
  Environment environment;
  for (const auto& [name, value] : constants) environment.set(name, value);
  return environment;
}

bool is_decided(const ConstraintSpec& constraint, const std::map<std::string, Value>& constants) {
  const std::vector<std::string>& names = constraint.expr.names();
  return std::all_of(names.begin(), names.end(),
                     [&](const std::string& name) { return constants.contains(name); });
}

// The first constraint on device limits that uses only `constants` and does not hold.
std::string broken(const std::vector<ConstraintSpec>& constraints,
                   const std::map<std::string, Value>& constants) {
  const Environment environment = environment_of(constants);
  for (const ConstraintSpec& constraint : constraints) {
    if (!is_decided(constraint, constants) || !concerns_device(constraint.expr)) continue;
    if (constraint.expr.evaluate_bool(environment)) continue;
    return constraint.because.empty() ? constraint.expr.text() : constraint.because;
  }
  return "";
}

// Whether the problem excludes the variant on every device.
bool is_for_others(const VariantSpec& variant, const std::map<std::string, Value>& constants) {
  const Environment environment = environment_of(constants);
  return std::any_of(variant.constraints.begin(), variant.constraints.end(),
                     [&](const ConstraintSpec& constraint) {
                       return is_decided(constraint, constants) &&
                              !concerns_device(constraint.expr) &&
                              !constraint.expr.evaluate_bool(environment);
                     });
}

// A sweep of ceilings. A size may grow with the device, so that the work divides evenly over its
// SMs for every configuration.
struct CeilingSweep {
  const char* kernel;       // and its config
  const char* size = "";    // "" when the config's sizes suit every device
  std::int64_t per_sm = 0;  // the size is this times the number of SMs
  // Every variant's best is a ceiling of its own, so no variant may be pruned for being slower.
  bool every_variant = false;
  bool latencies = false;  // every configuration is timed, and none is the best
};

// harness_fma: four waves of 2048 threads with 8 chains, more than the registers hold at once.
// harness_tensor: 12 tiles are shared evenly by 1, 2 or 3 warpgroups.
constexpr std::array kSweeps = {CeilingSweep{"harness_bandwidth"},
                                CeilingSweep{"harness_fma", "n", 65536},
                                CeilingSweep{"harness_tensor", "tiles", 12, true},
                                CeilingSweep{"harness_latency", "", 0, true, true}};

bool belongs(const CeilingSweep& sweep, CalibratedPart part) {
  return part == CalibratedPart::kAll || sweep.latencies == (part == CalibratedPart::kLatencies);
}

SweepOptions options_of(const CeilingSweep& what, const CalibrateOptions& options,
                        const Paths& paths, const DeviceInfo& device) {
  SweepOptions sweep;
  sweep.config = paths.home / "configs" / (std::string(what.kernel) + ".yaml");
  sweep.device = device.id;
  sweep.database = options.database;
  sweep.fresh = true;  // the purpose is to measure now
  sweep.skip_impossible = true;
  sweep.screening = !what.every_variant;
  sweep.rank = !what.latencies;
  sweep.quiet = options.quiet;
  sweep.command_line = options.command_line;
  sweep.version = options.version;
  if (*what.size != '\0')
    sweep.overrides = {fmt::format("{}={}", what.size, what.per_sm * device.sm_count)};
  return sweep;
}

RowId device_row(const Database& database, const DeviceInfo& device) {
  const std::string fingerprint = device.fingerprint();
  for (const auto& [id, record] : database.devices()) {
    if (record.fingerprint == fingerprint) return id;
  }
  WARPWRIGHT_CHECK(false, "a sweep enters its device");
  return 0;
}

void store(const std::filesystem::path& file, const DeviceInfo& device,
           std::vector<CeilingRecord>& ceilings) {
  Database database = open_database(file);
  const RowId row = device_row(database, device);
  database.batch([&] {
    for (CeilingRecord& ceiling : ceilings) {
      ceiling.device = row;
      database.add_ceiling(ceiling);
    }
  });
}

// Collects the results of the sweep, from its own run only.
void collect(const SweepSummary& summary, const DeviceInfo& device, Calibration& result) {
  const Database database(summary.database, OpenMode::kReadOnly);
  Database::TrialFilter filter;
  filter.kernel = summary.kernel.name;
  filter.run = summary.run;
  const std::string fingerprint = device.fingerprint();
  for (const Leaderboard& board :
       make_leaderboards(database.trials(filter),
                         database.rankings({.kernel = filter.kernel, .run = filter.run}))) {
    if (board.device_fingerprint != fingerprint) continue;
    const std::vector<CeilingRecord> found = ceilings_of(board, utc_now());
    result.ceilings.insert(result.ceilings.end(), found.begin(), found.end());
    if (found.empty()) result.failed.push_back({ceiling_of(board.problem), why_none(board)});
  }
}

void collect_latencies(const SweepSummary& summary, const DeviceInfo& device, Calibration& result) {
  const Database database(summary.database, OpenMode::kReadOnly);
  Database::TrialFilter filter;
  filter.kernel = summary.kernel.name;
  filter.run = summary.run;
  std::vector<Database::TrialRow> rows = database.trials(filter);
  std::erase_if(rows, [fingerprint = device.fingerprint()](const Database::TrialRow& row) {
    return row.device_fingerprint != fingerprint;
  });
  Latencies found = latencies_from(rows, utc_now());
  std::move(found.figures.begin(), found.figures.end(), std::back_inserter(result.ceilings));
  for (Latencies::Missing& missing : found.missing)
    result.failed.push_back({std::move(missing.name), std::move(missing.reason)});
}

void note_skipped(const SweepSummary& summary, const SweepOptions& options,
                  const DeviceInfo& device, Calibration& result) {
  if (summary.skipped.empty()) return;
  const SweepSpec sweep = read_sweep(options.config);
  for (const SweepBoard& board : summary.skipped) {
    std::map<std::string, Value> constants = device_constants(device);
    constants.insert(board.problem.begin(), board.problem.end());
    result.skipped.push_back(
        {ceiling_of(board.problem), why_impossible(summary.kernel, sweep, constants)});
  }
}

}  // namespace

std::string ceiling_of(const Stored<Problem>& problem) {
  const Problem* sizes = problem.readable();
  if (sizes == nullptr) return "";
  const auto found = sizes->find("ceiling");
  return found != sizes->end() && found->second.is_string() ? found->second.as_string()
                                                            : latency_of(problem);
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
    if (reason.empty() && !is_for_others(variant, constants))
      reason = broken(variant.constraints, constants);
  }
  return reason.empty() ? "no variant can run it here" : reason;
}

DeviceInfo calibratable_device(const DeviceList& list, const std::string& wanted) {
  const std::vector<DeviceInfo> chosen = select_devices(list, wanted);
  if (chosen.size() != 1) {
    throw user_error(fmt::format(
        "calibrate measures one device at a time, got {} ('{}'); name one, as in `--device cuda:0`",
        chosen.size(), wanted));
  }
  const DeviceInfo& device = chosen.front();
  if (device.has_clock) return device;
  throw user_error(fmt::format(
      "{} has no clock, so there is nothing to measure{}; its modelled results are held against "
      "the "
      "rates of its device model, which `warpwright calibrate --list` shows",
      device.id, list.why_no_cuda.empty() ? "" : " (no CUDA device: " + list.why_no_cuda + ")"));
}

Calibration calibrate(const CalibrateOptions& options, const Paths& paths, const DeviceInfo& device,
                      const CalibrationSweep& sweep) {
  const auto start = std::chrono::steady_clock::now();
  Calibration result;
  result.device = device;
  for (const CeilingSweep& what : kSweeps) {
    if (!belongs(what, options.part)) continue;
    const SweepOptions sweep_options = options_of(what, options, paths, device);
    const SweepSummary summary = sweep(sweep_options);
    result.database = summary.database;
    const std::size_t known = result.ceilings.size();
    if (what.latencies)
      collect_latencies(summary, device, result);
    else
      collect(summary, device, result);
    note_skipped(summary, sweep_options, device, result);
    // Ceilings are stored at once, so that a failure of a later sweep loses nothing.
    std::vector<CeilingRecord> fresh(result.ceilings.begin() + static_cast<std::ptrdiff_t>(known),
                                     result.ceilings.end());
    if (!fresh.empty()) store(summary.database, device, fresh);
    std::move(fresh.begin(), fresh.end(),
              result.ceilings.begin() + static_cast<std::ptrdiff_t>(known));
    if (summary.ended != RunEnd::kInterrupted) continue;
    result.interrupted = true;
    break;
  }
  result.wall_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace warpwright
