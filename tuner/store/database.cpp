#include "store/database.h"

#include <fmt/format.h>

#include "core/error.h"
#include "store/columns.h"
#include "store/database_impl.h"
#include "store/row_seal.h"
#include "store/schema.h"

namespace warpwright {

RowId seal_inserted(Connection& connection, std::string_view table) {
  const RowId row = connection.last_insert_id();
  seal_row(connection, table, row);
  return row;
}

// Most trials of a sweep refer to problems and configurations that are already stored.
RowId put_problem(Connection& connection, const std::string& sizes_json, const std::string& text) {
  Statement find(connection, "SELECT id FROM problem WHERE sizes = ? AND text = ?");
  find.bind(sizes_json).bind(text);
  if (find.step()) return find.next_integer();
  Statement(connection, "INSERT INTO problem (sizes, text) VALUES (?, ?)")
      .bind(sizes_json)
      .bind(text)
      .run();
  return seal_inserted(connection, "problem");
}

namespace {

RowId put_configuration(Connection& connection, const TrialRecord& trial) {
  Statement find(connection,
                 R"(SELECT id FROM configuration WHERE text = ? AND variant = ? AND "values" = ?)");
  find.bind(trial.configuration_text).bind(trial.variant).bind(trial.parameters.text());
  if (find.step()) return find.next_integer();
  Statement(connection, R"(INSERT INTO configuration (text, variant, "values") VALUES (?, ?, ?))")
      .bind(trial.configuration_text)
      .bind(trial.variant)
      .bind(trial.parameters.text())
      .run();
  return seal_inserted(connection, "configuration");
}

std::string insert_sql() {
  std::string columns =
      "key, run_id, kernel_id, device_id, problem_id, configuration_id, status, reason, modelled, "
      "protocol, resources, counters, errors, cubin_hash, options, arithmetic, started_utc, "
      "measurement, same_as";
  std::string values = "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, nullif(?, 0)";
  for (const TrialFigure& figure : kTrialFigures) {
    columns += fmt::format(", {}", figure.name);
    values += ", ?";
  }
  return fmt::format("INSERT INTO trial ({}) VALUES ({})", columns, values);
}

void bind_figure(Statement& insert, int value) { insert.bind(RowId{value}); }
void bind_figure(Statement& insert, const auto& value) { insert.bind(value); }

RowId insert_trial(Connection& connection, const TrialRecord& trial) {
  static const std::string kInsert = insert_sql();
  Statement insert(connection, kInsert);
  insert.bind(trial.key).bind(trial.run).bind(trial.kernel).bind(trial.device);
  insert.bind(put_problem(connection, trial.problem.text(), trial.problem_text));
  insert.bind(put_configuration(connection, trial));
  insert.bind(status_name(trial.status)).bind(trial.reason);
  insert.bind(RowId{trial.modelled}).bind(trial.protocol);
  insert.bind_text_or_null(trial.resources.text()).bind_text_or_null(trial.counters.text());
  insert.bind_text_or_null(trial.errors.text()).bind(trial.cubin_hash);
  insert.bind_text_or_null(trial.options.text()).bind(trial.arithmetic).bind(trial.started_utc);
  insert.bind_text_or_null(trial.measurement.text()).bind(trial.same_as.value_or(0));
  for (const TrialFigure& figure : kTrialFigures)
    std::visit([&](auto member) { bind_figure(insert, trial.*member); }, figure.member);
  insert.run();
  return seal_inserted(connection, "trial");
}

void insert_samples(Connection& connection, RowId trial, const std::vector<double>& samples_us) {
  if (samples_us.empty()) return;
  const std::vector<std::byte> data = encode_samples(samples_us);
  Statement(connection, "INSERT INTO sample (trial_id, count, encoding, data) VALUES (?, ?, ?, ?)")
      .bind(trial)
      .bind(static_cast<RowId>(samples_us.size()))
      .bind(kSampleEncoding)
      .bind(std::span<const std::byte>(data))
      .run();
  seal_row(connection, "sample", trial);
}

void insert_sources(Connection& connection, RowId kernel,
                    const std::vector<KernelSource>& sources) {
  Statement known(connection, "SELECT 1 FROM kernel_source WHERE kernel_id = ? LIMIT 1");
  if (known.bind(kernel).step()) return;
  for (const KernelSource& source : sources) {
    Statement(connection, "INSERT INTO kernel_source (kernel_id, path, text) VALUES (?, ?, ?)")
        .bind(kernel)
        .bind(source.path)
        .bind(source.text)
        .run();
    seal_inserted(connection, "kernel_source");
  }
}

}  // namespace

Database::Database(const std::filesystem::path& path, OpenMode mode, int busy_ms)
    : impl_(std::make_unique<Impl>(path, mode == OpenMode::kReadWrite
                                             ? open_for_writing(path, busy_ms)
                                             : open_for_reading(path, busy_ms))) {
  if (mode == OpenMode::kReadWrite) {
    impl_->committed = trial_count();
    impl_->connection().note_committed(impl_->committed);
    impl_->connection().keep_statements();
  }
}

Database::~Database() = default;
Database::Database(Database&&) noexcept = default;
Database& Database::operator=(Database&&) noexcept = default;

RowId Database::put_device(const DeviceRecord& record) {
  Connection& connection = impl_->connection();
  Transaction transaction(connection);
  Statement find(connection, "SELECT id, details FROM device WHERE fingerprint = ?");
  find.bind(record.fingerprint);
  if (find.step()) {
    const RowId known = find.next_integer();
    // A newer warpwright may store more details of the same device.
    if (find.next_text() != record.details.text() && record.details.known()) {
      require_sealed(connection, "device", fmt::format("id = {}", known));
      Statement(connection, "UPDATE device SET details = ? WHERE id = ?")
          .bind(record.details.text())
          .bind(known)
          .run();
      seal_row(connection, "device", known);
      transaction.commit();
    }
    return known;
  }
  Statement(
      connection,
      "INSERT INTO device (fingerprint, selector, name, arch, uuid, driver, has_clock, details) "
      "VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
      .bind(record.fingerprint)
      .bind(record.id)
      .bind(record.name)
      .bind(record.arch)
      .bind(record.uuid)
      .bind(record.driver)
      .bind(RowId{record.has_clock})
      .bind_text_or_null(record.details.text())
      .run();
  const RowId row = seal_inserted(connection, "device");
  transaction.commit();
  return row;
}

RowId Database::put_kernel(const KernelRecord& record) {
  const std::pair key(record.name, record.contract_hash);
  if (const auto it = impl_->put_kernels.find(key); it != impl_->put_kernels.end())
    return it->second;
  Connection& connection = impl_->connection();
  Transaction transaction(connection);
  Statement find(connection, "SELECT id FROM kernel WHERE name = ? AND contract_hash = ?");
  find.bind(record.name).bind(record.contract_hash);
  if (find.step())
    require_sealed(connection, "kernel", fmt::format("id = {}", find.next_integer()));
  Statement(
      connection,
      "INSERT INTO kernel (name, contract_hash, summary, contract, default_configuration, "
      "baseline, generation) "
      "VALUES (?, ?, ?, ?, nullif(?, ''), nullif(?, -1), "
      "(SELECT ifnull(max(generation), 0) + 1 FROM kernel)) "
      "ON CONFLICT (name, contract_hash) DO UPDATE SET generation = excluded.generation, "
      // Contracts of one hash may differ in their presets.
      "contract = excluded.contract, "
      "default_configuration = ifnull(excluded.default_configuration, default_configuration), "
      "baseline = ifnull(excluded.baseline, baseline)")
      .bind(record.name)
      .bind(record.contract_hash)
      .bind(record.summary)
      .bind(record.contract_text)
      .bind(record.default_configuration.value_or(""))
      .bind(record.baseline ? RowId{*record.baseline} : RowId{-1})
      .run();
  find.reset();
  find.bind(record.name).bind(record.contract_hash);
  WARPWRIGHT_CHECK(find.step(), "a kernel that was just put is there");
  const RowId row = find.next_integer();
  seal_row(connection, "kernel", row);
  insert_sources(connection, row, record.sources);
  transaction.commit();
  impl_->put_kernels.emplace(key, row);
  return row;
}

RowId Database::start_run(const RunRecord& record) {
  Connection& connection = impl_->connection();
  Transaction transaction(connection);
  Statement(connection,
            "INSERT INTO run (config_path, config, seed, strategy, budget, version, nvrtc_version, "
            "host, command_line, started_utc, finished_utc, ended, goal) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
      .bind(record.config_path)
      .bind(record.config_text)
      .bind(std::to_string(record.seed))
      .bind(record.strategy)
      .bind(record.budget)
      .bind(record.version)
      .bind(record.nvrtc_version)
      .bind(record.host)
      .bind(record.command_line)
      .bind(record.started_utc)
      .bind(record.finished_utc)
      .bind(record.ended)
      .bind_text_or_null(record.goal.text())
      .run();
  const RowId row = seal_inserted(connection, "run");
  transaction.commit();
  return row;
}

void Database::finish_run(RowId run, const std::string& ended, const std::string& finished_utc,
                          const std::optional<GoalRecord>& goal) {
  Transaction transaction(impl_->connection());
  require_sealed(impl_->connection(), "run", fmt::format("id = {}", run));
  if (goal) {
    Statement(impl_->connection(), "UPDATE run SET goal = ? WHERE id = ?")
        .bind(Stored<GoalRecord>(*goal).text())
        .bind(run)
        .run();
  }
  Statement(impl_->connection(), "UPDATE run SET ended = ?, finished_utc = ? WHERE id = ?")
      .bind(ended)
      .bind(finished_utc)
      .bind(run)
      .run();
  seal_row(impl_->connection(), "run", run);
  transaction.commit();
}

RowId Database::add_trial(const TrialRecord& trial) {
  return *add_trial_unless([] { return false; }, trial);
}

std::optional<RowId> Database::add_trial_unless(const std::function<bool()>& known,
                                                const TrialRecord& trial) {
  Connection& connection = impl_->connection();
  Transaction transaction(connection);
  if (known()) return std::nullopt;
  const RowId row = insert_trial(connection, trial);
  insert_samples(connection, row, trial.samples_us);
  transaction.commit();
  if (impl_->data_version)
    impl_->held.insert(pair_mark(trial.problem_text, trial.configuration_text));
  if (impl_->group) ++impl_->grouped;
  // Trials inside a batch are not safe yet.
  if (!connection.in_transaction()) connection.note_committed(++impl_->committed);
  return row;
}

void Database::begin_group() {
  WARPWRIGHT_CHECK(!impl_->group, "one group at a time");
  impl_->grouped = 0;
  impl_->group.emplace(impl_->connection());
}

void Database::commit_group() {
  WARPWRIGHT_CHECK(impl_->group, "a group was begun");
  try {
    impl_->group->commit();
  } catch (...) {
    impl_->group.reset();
    throw;
  }
  impl_->group.reset();
  impl_->connection().note_committed(impl_->committed += impl_->grouped);
}

void Database::drop_group() noexcept { impl_->group.reset(); }

bool Database::in_group() const { return impl_->group.has_value(); }

void Database::batch(const std::function<void()>& work) {
  Transaction transaction(impl_->connection());
  try {
    work();
    transaction.commit();
  } catch (...) {
    impl_->put_kernels.clear();  // some of those rows are about to be undone
    throw;
  }
  if (impl_->connection().in_transaction()) return;
  impl_->committed = trial_count();
  impl_->connection().note_committed(impl_->committed);
}

RowId Database::add_ceiling(const CeilingRecord& record) {
  Connection& connection = impl_->connection();
  Transaction transaction(connection);
  Statement(
      connection,
      "INSERT INTO ceiling (device_id, name, value, unit, ci_low, ci_high, protocol, measured_utc) "
      "VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
      .bind(record.device)
      .bind(record.name)
      .bind(record.value)
      .bind(record.unit)
      .bind(record.ci_low)
      .bind(record.ci_high)
      .bind(record.protocol)
      .bind(record.measured_utc)
      .run();
  const RowId row = seal_inserted(connection, "ceiling");
  transaction.commit();
  return row;
}

void Database::remove_trials(const std::string& kernel_name, RowId device) {
  Transaction transaction(impl_->connection());
  const auto remove = [&](const char* sql) {
    Statement(impl_->connection(), sql).bind(kernel_name).bind(device).run();
  };
  // Without these indices, each removed trial would need a scan of every row that may refer to it.
  impl_->connection().execute(
      "CREATE INDEX removal_twin ON trial (same_as);"
      "CREATE INDEX removal_entry ON ranking_entry (trial_id);"
      "CREATE INDEX removal_winner ON ranking (winner_id)");
  remove("DELETE FROM ranking WHERE kernel_name = ? AND device_id = ?");  // and its entries
  // A trial and the one whose measurement it shares are removed together, in any order.
  remove(
      "UPDATE trial SET same_as = NULL WHERE same_as IS NOT NULL "
      "AND kernel_id IN (SELECT id FROM kernel WHERE name = ?) AND device_id = ?");
  remove(
      "DELETE FROM trial WHERE kernel_id IN (SELECT id FROM kernel WHERE name = ?) "
      "AND device_id = ?");
  impl_->connection().execute(
      "DROP INDEX removal_twin; DROP INDEX removal_entry; DROP INDEX removal_winner");
  transaction.commit();
}

void Database::remove_ceilings(RowId device) {
  Transaction transaction(impl_->connection());
  Statement(impl_->connection(), "DELETE FROM ceiling WHERE device_id = ?").bind(device).run();
  transaction.commit();
}

int Database::schema_version() { return current_schema_version(); }

const std::filesystem::path& Database::path() const { return impl_->path; }

void Database::put_contract_check(const ContractCheckRecord& record) {
  Connection& connection = impl_->connection();
  Transaction transaction(connection);
  const RowId problem = put_problem(connection, record.problem.text(), record.problem_text);
  const std::string same = fmt::format("run_id = {} AND kernel_id = {} AND problem_id = {}",
                                       record.run, record.kernel, problem);
  require_sealed(connection, "contract_check", same);
  Statement(connection,
            "INSERT INTO contract_check (run_id, kernel_id, problem_id, remarks) "
            "VALUES (?, ?, ?, ?) ON CONFLICT (run_id, kernel_id, problem_id) "
            "DO UPDATE SET remarks = excluded.remarks")
      .bind(record.run)
      .bind(record.kernel)
      .bind(problem)
      .bind(record.remarks.text())
      .run();
  seal_row(connection, "contract_check",
           connection.query_integer("SELECT rowid FROM contract_check WHERE " + same));
  transaction.commit();
}

std::vector<Database::ContractCheckRow> Database::contract_checks(
    const std::optional<std::string>& kernel) const {
  Statement select(impl_->connection(), "SELECT " + sealed_columns("contract_check", "c") +
                                            sealed_columns("problem", "p") +
                                            sealed_columns("kernel", "k") + R"sql(
           c.run_id, c.kernel_id, p.sizes, p.text, c.remarks, k.name, k.contract_hash
    FROM contract_check c
    JOIN kernel k ON k.id = c.kernel_id
    JOIN problem p ON p.id = c.problem_id
    WHERE ? = '' OR k.name = ?
    ORDER BY c.run_id, c.rowid)sql");
  const std::string name = kernel.value_or("");
  select.bind(name).bind(name);
  std::vector<ContractCheckRow> rows;
  while (select.step()) {
    ContractCheckRow row;
    const RowId number = next_sealed_row(impl_->connection(), select, "contract_check");
    for (const char* table : {"problem", "kernel"})
      static_cast<void>(next_sealed_row(impl_->connection(), select, table));
    row.check.run = select.next_integer();
    row.check.kernel = select.next_integer();
    row.check.problem =
        stored_column<Problem>(select.next_text(), {"contract check", number, "problem"});
    row.check.problem_text = select.next_text();
    row.check.remarks = stored_column<std::vector<ContractRemark>>(
        select.next_text(), {"contract check", number, "remarks"});
    row.kernel_name = select.next_text();
    row.contract_hash = select.next_text();
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace warpwright
