// The named queries of Database.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

#include "core/error.h"
#include "records/records.h"
#include "records/times.h"
#include "store/columns.h"
#include "store/database.h"
#include "store/database_impl.h"
#include "store/row_rules.h"
#include "store/row_seal.h"
#include "store/schema.h"

namespace warpwright {
namespace {

// Stored rows may come from any program: a time may be infinite, NaN or 0, and would be the best of
// its board or appear in an exported header. Reading leaves such values out, so that rankings,
// divisions and exports never see one; the trial stays and states why it has no time.

bool is_amount(double value) { return std::isfinite(value) && value >= 0; }

// An ok trial without a reason gets one: "median_us is inf, expected a finite positive time".
void leave_out_unusable(TrialRecord& trial) {
  if (trial.median_us && !is_time(*trial.median_us)) {
    if (trial.status == Status::kOk && trial.reason.empty()) {
      trial.reason =
          fmt::format("median_us is {}, expected a finite positive time", *trial.median_us);
    }
    trial.median_us.reset();
  }
  if (!trial.median_us) trial.ci_low_us = trial.ci_high_us = std::nullopt;
  for (const TrialFigure& figure : kTrialFigures) {
    const std::optional<double> value = value_of(trial, figure);
    if (value && !is_usable(figure, *value)) set_value(trial, figure, std::nullopt);
  }
}

void leave_out_unusable(std::vector<double>& samples_us) {
  std::erase_if(samples_us, [](double sample) { return !is_amount(sample); });
}

// The columns of a trial, in the order in which read_trial() reads them, after its number and the
// results of the checksums of the trial, its problem and its configuration.
constexpr const char* kTrialColumns =
    "t.key, t.run_id, t.kernel_id, t.device_id, p.sizes, p.text, c.variant, c.\"values\", "
    "c.text, "
    "t.status, t.reason, t.modelled, t.protocol, t.resources, t.counters, t.errors, t.cubin_hash, "
    "t.options, t.started_utc, t.same_as, t.measurement, t.arithmetic";
constexpr const char* kTrialTables =
    "trial t JOIN problem p ON p.id = t.problem_id JOIN configuration c ON c.id = "
    "t.configuration_id";

const std::string& trial_columns() {
  static const std::string kAll = [] {
    std::string all = sealed_columns("trial", "t") + sealed_columns("problem", "p") +
                      sealed_columns("configuration", "c") + kTrialColumns;
    for (const TrialFigure& figure : kTrialFigures) all += fmt::format(", t.{}", figure.name);
    return all;
  }();
  return kAll;
}

Status read_status(const Connection& connection, RowId trial, const std::string& name) {
  if (const std::optional<Status> status = parse_status(name)) return *status;
  throw user_error(fmt::format(
      "{}: trial {} has the unknown status '{}', written by another warpwright; update this "
      "one",
      connection.name(), trial, name));
}

TrialRecord read_trial(const Connection& connection, Statement& row) {
  TrialRecord trial;
  trial.id = next_sealed_row(connection, row, "trial");
  for (const char* table : {"problem", "configuration"})
    static_cast<void>(next_sealed_row(connection, row, table));
  const auto read = [&]<class T>(Stored<T>& into, const char* column) {
    into = stored_column<T>(row.next_text(), {"trial", trial.id, column});
  };
  trial.key = row.next_text();
  trial.run = row.next_integer();
  trial.kernel = row.next_integer();
  trial.device = row.next_integer();
  read(trial.problem, "problem");
  trial.problem_text = row.next_text();
  trial.variant = row.next_text();
  read(trial.parameters, "configuration");
  trial.configuration_text = row.next_text();
  trial.status = read_status(connection, trial.id, row.next_text());
  trial.reason = row.next_text();
  trial.modelled = row.next_integer() != 0;
  trial.protocol = row.next_text();
  read(trial.resources, "resources");
  read(trial.counters, "counters");
  read(trial.errors, "errors");
  trial.cubin_hash = row.next_text();
  read(trial.options, "options");
  trial.started_utc = row.next_text();
  if (const RowId same_as = row.next_integer(); same_as != 0) trial.same_as = same_as;
  read(trial.measurement, "measurement");
  trial.arithmetic = row.next_text();
  for (const TrialFigure& figure : kTrialFigures)
    set_value(trial, figure, row.next_optional_real());
  leave_out_unusable(trial);
  return trial;
}

void read_samples(Connection& connection, TrialRecord& trial) {
  static const std::string kFind = fmt::format(
      "SELECT {}, encoding, data FROM sample WHERE trial_id = ?", sealed_sql("sample", ""));
  Statement find(connection, kFind);
  find.bind(trial.id);
  if (!find.step()) return;
  if (find.next_integer() == 0) throw_unsealed(connection, "sample", trial.id);
  const std::string encoding = find.next_text();
  try {
    trial.samples_us = decode_samples(encoding, find.next_blob());
    leave_out_unusable(trial.samples_us);
  } catch (Error& error) {
    throw error.add_context(fmt::format("in trial {} of {}", trial.id, connection.name()));
  }
}

// The WHERE clause of a filter and the values it binds, in order.
struct Condition {
  std::string sql = "1";
  std::vector<std::string> texts;
};

Condition condition_of(const Database::TrialFilter& filter) {
  Condition condition;
  if (filter.run) condition.sql += fmt::format(" AND t.run_id = {}", *filter.run);
  if (filter.trial) condition.sql += fmt::format(" AND t.id = {}", *filter.trial);
  if (filter.kernel) {
    condition.sql += " AND k.name = ?";
    condition.texts.push_back(*filter.kernel);
  }
  if (filter.contract_hash) {
    condition.sql += " AND k.contract_hash = ?";
    condition.texts.push_back(*filter.contract_hash);
  }
  if (filter.device) {
    constexpr std::size_t kShortestPrefix = 6;
    condition.sql += " AND (d.selector = ? OR d.name = ? COLLATE NOCASE";
    condition.texts.insert(condition.texts.end(), 2, *filter.device);
    if (filter.device->size() >= kShortestPrefix) {
      condition.sql += fmt::format(" OR substr(d.fingerprint, 1, {}) = ?", filter.device->size());
      condition.texts.push_back(*filter.device);
    }
    condition.sql += ")";
  }
  return condition;
}

// "ok", or a line for each finding.
std::string integrity_of(Connection& connection) {
  std::string found;
  for (Statement check(connection, "PRAGMA integrity_check"); check.step();) {
    const std::string line = check.next_text();
    if (line != "ok") found += line + "\n";
  }
  for (Statement check(connection, "PRAGMA foreign_key_check"); check.step();) {
    const std::string table = check.next_text();
    const RowId row = check.next_integer();
    found += fmt::format("row {} of table {} refers to a missing row of table {}\n", row, table,
                         check.next_text());
  }
  if (found.empty()) return "ok";
  found.pop_back();
  return found;
}

}  // namespace

std::unordered_map<std::string, TrialRecord> Database::find_trials(
    const std::vector<std::string>& keys) const {
  Connection& connection = impl_->connection();
  std::unordered_map<std::string, TrialRecord> found;
  Statement find(connection, fmt::format("SELECT {} FROM {} WHERE t.key = ? "
                                         "ORDER BY t.status IN {}, t.id DESC LIMIT 1",
                                         trial_columns(), kTrialTables, unsettled_statuses()));
  for (const std::string& key : keys) {
    find.reset();
    find.bind(key);
    if (find.step()) found.insert_or_assign(key, read_trial(connection, find));
  }
  return found;
}

std::uint64_t pair_mark(const std::string& problem_text, const std::string& configuration_text) {
  return std::hash<std::string>()(problem_text + '\n' + configuration_text);
}

// data_version counts the writes of other connections; writes of this one do not change it.
bool Database::may_hold(const std::string& problem_text,
                        const std::string& configuration_text) const {
  Connection& connection = impl_->connection();
  const std::int64_t version = connection.query_integer("PRAGMA data_version");
  if (impl_->data_version != version) {
    Statement select(connection,
                     "SELECT t.id, p.text, c.text FROM trial t JOIN problem p ON p.id = "
                     "t.problem_id JOIN configuration c ON c.id = t.configuration_id "
                     "WHERE t.id > ? ORDER BY t.id");
    select.bind(impl_->seen);
    while (select.step()) {
      impl_->seen = select.next_integer();
      const std::string problem = select.next_text();
      impl_->held.insert(pair_mark(problem, select.next_text()));
    }
    impl_->data_version = version;
  }
  return impl_->held.contains(pair_mark(problem_text, configuration_text));
}

std::vector<Database::TrialRow> Database::trials(const TrialFilter& filter) const {
  Connection& connection = impl_->connection();
  for (const char* table : {"kernel", "device", "run"}) require_sealed(connection, table);
  const Condition condition = condition_of(filter);
  const std::string tables = fmt::format(
      "{} JOIN kernel k ON k.id = t.kernel_id JOIN device d ON d.id = t.device_id "
      "JOIN run r ON r.id = t.run_id",
      kTrialTables);
  const std::string chosen =
      filter.newest_per_key
          ? fmt::format(
                "t.id IN (SELECT ifnull(max(CASE WHEN t.status NOT IN {} THEN t.id END), "
                "max(t.id)) FROM {} WHERE {} GROUP BY t.key)",
                unsettled_statuses(), tables, condition.sql)
          : condition.sql;
  Statement select(
      connection,
      fmt::format("SELECT {}, k.name, k.contract_hash, k.generation, d.selector, d.name, "
                  "d.arch, d.fingerprint, d.driver, d.has_clock, r.started_utc, "
                  "k.default_configuration, k.baseline "
                  "FROM {} WHERE {} ORDER BY t.id",
                  trial_columns(), tables, chosen));
  for (const std::string& text : condition.texts) select.bind(text);

  std::vector<TrialRow> rows;
  while (select.step()) {
    TrialRow row;
    row.trial = read_trial(connection, select);
    row.kernel_name = select.next_text();
    row.contract_hash = select.next_text();
    row.contract_generation = select.next_integer();
    row.device_id = select.next_text();
    row.device_name = select.next_text();
    row.device_arch = select.next_text();
    row.device_fingerprint = select.next_text();
    row.device_driver = select.next_text();
    row.device_has_clock = select.next_integer() != 0;
    row.run_started_utc = select.next_text();
    row.default_configuration = select.next_text();
    row.baseline = select.next_integer() != 0;
    if (filter.with_samples) read_samples(connection, row.trial);
    rows.push_back(std::move(row));
  }
  return rows;
}

std::optional<RowId> Database::find_measured(const TrialRecord& like,
                                             const std::string& configuration_text) const {
  Statement find(impl_->connection(), R"sql(
    SELECT max(t.id) FROM trial t
    JOIN kernel k ON k.id = t.kernel_id JOIN problem p ON p.id = t.problem_id
    JOIN configuration c ON c.id = t.configuration_id
    WHERE c.text = ? AND p.text = ? AND t.device_id = ?
      AND k.name = (SELECT name FROM kernel WHERE id = ?)
      AND (t.median_us IS NOT NULL OR t.status = 'pruned'))sql");
  find.bind(configuration_text).bind(like.problem_text).bind(like.device).bind(like.kernel);
  const RowId row = find.step() ? find.next_integer() : 0;
  return row == 0 ? std::nullopt : std::optional(row);
}

std::vector<std::pair<RowId, RunRecord>> Database::runs() const {
  Statement select(
      impl_->connection(),
      "SELECT " + sealed_columns("run", "run") +
          "config_path, config, seed, strategy, budget, version, nvrtc_version, "
          "host, command_line, started_utc, finished_utc, ended, goal FROM run ORDER BY id");
  std::vector<std::pair<RowId, RunRecord>> rows;
  while (select.step()) {
    const RowId id = next_sealed_row(impl_->connection(), select, "run");
    RunRecord run;
    run.config_path = select.next_text();
    run.config_text = select.next_text();
    const std::string seed = select.next_text();
    std::from_chars(seed.data(), seed.data() + seed.size(), run.seed);
    run.strategy = select.next_text();
    run.budget = select.next_text();
    run.version = select.next_text();
    run.nvrtc_version = select.next_text();
    run.host = select.next_text();
    run.command_line = select.next_text();
    run.started_utc = select.next_text();
    run.finished_utc = select.next_text();
    run.ended = select.next_text();
    run.goal = stored_column<GoalRecord>(select.next_text(), {"run", id, "goal"});
    rows.emplace_back(id, std::move(run));
  }
  return rows;
}

std::vector<std::pair<RowId, DeviceRecord>> Database::devices() const {
  Statement select(impl_->connection(),
                   "SELECT " + sealed_columns("device", "device") +
                       "fingerprint, selector, name, arch, uuid, driver, has_clock, details "
                       "FROM device ORDER BY id");
  std::vector<std::pair<RowId, DeviceRecord>> rows;
  while (select.step()) {
    const RowId id = next_sealed_row(impl_->connection(), select, "device");
    DeviceRecord device;
    device.fingerprint = select.next_text();
    device.id = select.next_text();
    device.name = select.next_text();
    device.arch = select.next_text();
    device.uuid = select.next_text();
    device.driver = select.next_text();
    device.has_clock = select.next_integer() != 0;
    device.details = stored_column<DeviceInfo>(select.next_text(), {"device", id, "details"});
    rows.emplace_back(id, std::move(device));
  }
  return rows;
}

std::vector<std::pair<RowId, KernelRecord>> Database::kernels() const {
  Statement select(impl_->connection(),
                   "SELECT " + sealed_columns("kernel", "kernel") +
                       "name, contract_hash, summary, contract, default_configuration, "
                       "ifnull(baseline, -1) FROM kernel ORDER BY generation");
  std::vector<std::pair<RowId, KernelRecord>> rows;
  while (select.step()) {
    const RowId id = next_sealed_row(impl_->connection(), select, "kernel");
    KernelRecord kernel;
    kernel.name = select.next_text();
    kernel.contract_hash = select.next_text();
    kernel.summary = select.next_text();
    kernel.contract_text = select.next_text();
    if (std::string text = select.next_text(); !text.empty())
      kernel.default_configuration = std::move(text);
    if (const RowId flag = select.next_integer(); flag >= 0) kernel.baseline = flag != 0;
    rows.emplace_back(id, std::move(kernel));
  }
  return rows;
}

std::vector<RowId> Database::tried_devices(std::optional<RowId> run) const {
  Statement select(impl_->connection(),
                   fmt::format("SELECT DISTINCT device_id FROM trial {} ORDER BY device_id",
                               run ? fmt::format("WHERE run_id = {}", *run) : ""));
  std::vector<RowId> devices;
  while (select.step()) devices.push_back(select.next_integer());
  return devices;
}

std::vector<KernelSource> Database::kernel_sources(RowId kernel) const {
  Statement select(impl_->connection(),
                   "SELECT " + sealed_columns("kernel_source", "kernel_source") +
                       "path, text FROM kernel_source WHERE kernel_id = ? ORDER BY path");
  select.bind(kernel);
  std::vector<KernelSource> rows;
  while (select.step()) {
    static_cast<void>(next_sealed_row(impl_->connection(), select, "kernel_source"));
    KernelSource source;
    source.path = select.next_text();
    source.text = select.next_text();
    rows.push_back(std::move(source));
  }
  return rows;
}

std::vector<CeilingRecord> Database::ceilings(RowId device, bool newest_per_name) const {
  Statement select(
      impl_->connection(),
      fmt::format("SELECT {}device_id, name, value, unit, ci_low, ci_high, protocol, measured_utc "
                  "FROM ceiling WHERE id IN (SELECT {} FROM ceiling WHERE device_id = ?{}) "
                  "ORDER BY name, id",
                  sealed_columns("ceiling", "ceiling"), newest_per_name ? "max(id)" : "id",
                  newest_per_name ? " GROUP BY name" : ""));
  select.bind(device);
  std::vector<CeilingRecord> rows;
  while (select.step()) {
    static_cast<void>(next_sealed_row(impl_->connection(), select, "ceiling"));
    CeilingRecord ceiling;
    ceiling.device = select.next_integer();
    ceiling.name = select.next_text();
    ceiling.value = select.next_real();
    ceiling.unit = select.next_text();
    ceiling.ci_low = select.next_optional_real();
    ceiling.ci_high = select.next_optional_real();
    ceiling.protocol = select.next_text();
    ceiling.measured_utc = select.next_text();
    if (!is_time(ceiling.value)) continue;  // it gives no limit
    rows.push_back(std::move(ceiling));
  }
  return rows;
}

std::uint64_t Database::trial_count() const {
  return static_cast<std::uint64_t>(
      impl_->connection().query_integer("SELECT count(*) FROM trial"));
}

std::optional<std::pair<RowId, RowId>> Database::trial_range() const {
  Statement select(impl_->connection(), "SELECT min(id), max(id) FROM trial HAVING count(*) > 0");
  if (!select.step()) return std::nullopt;
  const RowId lowest = select.next_integer();
  return std::pair(lowest, select.next_integer());
}

std::optional<std::string> Database::broken_row() const {
  return find_broken_row(impl_->connection());
}

std::string Database::integrity() const {
  if (!impl_->connection().read_only()) return integrity_of(impl_->connection());
  // SQLite does not evaluate CHECK constraints of read-only tables.
  Connection copy = Connection::in_memory(impl_->connection().name());
  copy.copy_from(impl_->connection());
  return integrity_of(copy);
}

}  // namespace warpwright
