#include "sweep/run_records.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <map>
#include <set>

#include "core/error.h"
#include "core/files.h"
#include "core/process/file_users.h"
#include "core/words.h"
#include "metrics/trial_metrics.h"
#include "provenance/kernel_sources.h"
#include "provenance/source_commit.h"
#include "provenance/trial_key.h"

namespace warpwright {
namespace {

namespace fs = std::filesystem;

std::string host_name() {
  char name[256] = {};
  return gethostname(name, sizeof(name) - 1) == 0 ? name : "unknown";
}

std::string budget_text(const Budget& budget) {
  std::string text;
  if (budget.trials) text = fmt::format("{} trials", *budget.trials);
  if (budget.time) text += fmt::format("{}{} ms", text.empty() ? "" : ", ", budget.time->count());
  if (budget.until) {
    text += fmt::format("{}until another {:g} % is unlikely", text.empty() ? "" : ", ",
                        100 * *budget.until);
  }
  return text;
}

// Runs `work`; a fault of the environment names the other processes that have the database open.
template <typename Work>
auto naming_other_users(const std::filesystem::path& file, Work work) {
  try {
    return work();
  } catch (Error& error) {
    if (error.fault() != Fault::kEnvironment) throw;
    const std::string name = file.string();
    const std::vector<std::string> users =
        other_users_of({name, name + "-wal", name + "-shm", name + "-journal"});
    if (users.empty()) throw;
    throw error.add_context("open in " + join(users));
  }
}

// Returns the configuration of a variant with the contract's defaults.
std::string default_configuration(const KernelSpec& kernel, const VariantSpec& variant) {
  Configuration configuration;
  configuration.variant = variant.name;
  for (const std::string& name : variant.parameters) {
    const ParameterSpec* parameter = kernel.find_parameter(name);
    WARPWRIGHT_CHECK(parameter != nullptr, "a variant's parameters are the contract's");
    configuration.values[name] = parameter->default_value;
  }
  return configuration.to_string();
}

GoalRecord goal_of(const SweepPlan& plan) {
  GoalRecord goal = goal_record(plan.goal_draft, plan.kernel.name);
  for (const PlannedBoard& board : plan.boards)
    goal.boards.push_back({board.summary.device.fingerprint(), board.summary.problem_text});
  // The boards of the other devices come last, because the entries below refer to the planned
  // boards by position.
  for (const PlannedBoard& board : plan.boards) {
    for (const std::size_t device : plan.groups[board.group].distinct)
      if (device != board.device)
        goal.boards.push_back({plan.devices[device].fingerprint(), board.summary.problem_text});
  }
  if (plan.shard) {
    goal.shard = ShardRecord{plan.shard->index, plan.shard->count, {}};
    for (const PlannedBoard& board : plan.boards) goal.shard->asked.push_back(board.summary.asked);
  }
  for (std::size_t i = 0; i < plan.boards.size(); ++i) {
    const std::vector<KnowledgeSource>& sources = plan.boards[i].summary.began_with;
    if (!sources.empty()) goal.knowledge.push_back({goal.boards[i], sources});
  }
  return goal;
}

// Returns whether another run had a goal for one of the boards. Such a board must record that only
// a short time counts again. Other databases stay as they were before goals existed.
bool had_goal(const Database& database, const SweepPlan& plan) {
  const std::vector<GoalRecord::Board> boards = goal_of(plan).boards;
  for (const auto& [id, run] : database.runs()) {
    const GoalRecord* goal = run.goal.readable();
    if (goal == nullptr || goal->plain() || goal->kernel != plan.kernel.name) continue;
    for (const GoalRecord::Board& board : goal->boards)
      if (std::find(boards.begin(), boards.end(), board) != boards.end()) return true;
  }
  return false;
}

}  // namespace

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

Database open_database(const std::filesystem::path& file) {
  return naming_other_users(file, [&] { return Database(file); });
}

void RunRecords::identify(const SweepPlan& plan) {
  for (const VariantSpec& variant : plan.kernel.variants)
    variant_hashes_[variant.name] =
        warpwright::variant_hash(plan.kernel, variant, plan.include_folders);
}

void RunRecords::open(const SweepOptions& options, const SweepPlan& plan,
                      const std::string& nvrtc_version) {
  if (variant_hashes_.empty()) identify(plan);
  const std::string contract = texts_of(plan.kernel)->require(plan.kernel.file);
  RunRecord run;
  run.config_path = plan.sweep.file.string();
  run.config_text = plan.sweep.text;
  run.seed = options.seed;
  run.strategy = plan.strategy;
  run.budget = budget_text(plan.budget);
  run.version = version_with_commit(options.version, source_commit(plan.kernel.folder));
  run.nvrtc_version = nvrtc_version;
  run.host = host_name();
  run.command_line = options.command_line;
  run.started_utc = utc_now();
  naming_other_users(path(), [&] {
    goal_ = goal_of(plan);
    if (!goal_.plain() || !goal_.knowledge.empty() || goal_.shard || had_goal(database_, plan))
      run.goal = goal_;
    database_.batch([&] {
      for (const VariantSpec& variant : plan.kernel.variants) {
        const std::string& hash = variant_hashes_[variant.name];
        kernel_rows_[hash] = database_.put_kernel(
            {plan.kernel.name, hash, plan.kernel.summary, contract,
             kernel_sources(plan.kernel, variant, plan.include_folders),
             default_configuration(plan.kernel, variant), variant.name == plan.kernel.baseline});
      }
      for (std::size_t i = 0; i < plan.devices.size(); ++i) {
        const DeviceInfo& device = plan.device_there(i);
        device_rows_.push_back(
            database_.put_device({device.fingerprint(), device.id, device.name, device.arch,
                                  device.uuid, device.driver, device.has_clock, device}));
      }
      run_ = database_.start_run(run);
    });
  });
}

void RunRecords::close(RunEnd ended, const std::vector<SearchCourse>& searches) {
  std::optional<GoalRecord> goal;
  if (!searches.empty()) {
    goal = goal_;
    goal->searches = searches;
  }
  const std::string name(run_end_name(ended));
  naming_other_users(path(), [&] { database_.finish_run(run_, name, utc_now(), goal); });
}

bool RunRecords::may_hold(const std::string& problem_text,
                          const std::string& configuration_text) const {
  return naming_other_users(path(),
                            [&] { return database_.may_hold(problem_text, configuration_text); });
}

void RunRecords::begin_group() {
  if (database_.in_group()) return;
  naming_other_users(path(), [&] { database_.begin_group(); });
}

void RunRecords::commit_group() {
  if (!database_.in_group()) return;
  naming_other_users(path(), [&] { database_.commit_group(); });
}

std::optional<TrialRecord> RunRecords::find(const std::string& key) const {
  auto stored = naming_other_users(path(), [&] { return database_.find_trials({key}); });
  const auto found = stored.find(key);
  if (found == stored.end()) return std::nullopt;
  return std::move(found->second);
}

std::optional<RankingRecord> RunRecords::ranking(const std::string& kernel,
                                                 const PlannedBoard& board) const {
  Database::RankingFilter filter;
  filter.kernel = kernel;
  const auto rows = naming_other_users(path(), [&] { return database_.rankings(filter); });
  std::optional<RankingRecord> newest;
  const std::string fingerprint = board.summary.device.fingerprint();
  for (const Database::RankingRow& row : rows) {
    if (row.device_fingerprint == fingerprint &&
        row.ranking.problem_text == board.summary.problem_text &&
        (!newest || row.ranking.id > newest->id))
      newest = row.ranking;
  }
  return newest;
}

std::optional<std::string> RunRecords::configuration_of(RowId trial) const {
  Database::TrialFilter filter;
  filter.trial = trial;
  filter.newest_per_key = false;
  const auto rows = naming_other_users(path(), [&] { return database_.trials(filter); });
  if (rows.empty()) return std::nullopt;
  return rows.front().trial.configuration_text;
}

void RunRecords::add(TrialRecord& trial, std::size_t device, const std::string& variant_hash,
                     const std::string& same_as) {
  (void)add_unless(trial, device, variant_hash, same_as, [] { return std::nullopt; });
}

std::optional<TrialRecord> RunRecords::add_unless(
    TrialRecord& trial, std::size_t device, const std::string& variant_hash,
    const std::string& same_as, const std::function<std::optional<TrialRecord>()>& known) {
  std::optional<TrialRecord> found;
  trial.run = run_;
  trial.device = device_rows_[device];
  trial.kernel = kernel_rows_.at(variant_hash);
  naming_other_users(path(), [&] {
    const auto is_known = [&] {
      found = known();
      if (!found && !same_as.empty()) trial.same_as = database_.find_measured(trial, same_as);
      return found.has_value();
    };
    if (const auto row = database_.add_trial_unless(is_known, trial)) trial.id = *row;
  });
  return found;
}

void RunRecords::put_contract_check(const SweepBoard& board, const std::string& variant_hash,
                                    const std::vector<ContractRemark>& remarks) {
  ContractCheckRecord check;
  check.run = run_;
  check.kernel = kernel_rows_.at(variant_hash);
  check.problem = board.problem;
  check.problem_text = board.problem_text;
  check.remarks = remarks;
  naming_other_users(path(), [&] { database_.put_contract_check(check); });
}

std::vector<Database::ContractCheckRow> RunRecords::contract_checks(
    const std::string& kernel) const {
  return naming_other_users(path(), [&] { return database_.contract_checks(kernel); });
}

void RunRecords::add(RankingRecord& ranking, std::size_t device) {
  ranking.run = run_;
  ranking.device = device_rows_[device];
  naming_other_users(path(), [&] { database_.add_ranking(ranking); });
}

}  // namespace warpwright
