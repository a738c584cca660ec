// The results database: SQLite in WAL mode, foreign keys on, schema version in PRAGMA user_version
// with migrations, one transaction per trial. Schema and views are documented in results/README.md;
// people query them directly. Every fault is an Error that gives the file, SQLite's message and the
// remedy; committed trials are never lost. One object belongs to one thread; several processes may
// use one file at the same time.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "records/records.h"

namespace warpwright {

enum class OpenMode {
  kReadWrite,  // created if missing, migrated if older
  kReadOnly,   // must exist; an older schema is read through a migrated copy in memory
};

class Database {
 public:
  // Throws Error (user): not a database, truncated or damaged, a schema newer than this program
  // supports, missing in kReadOnly; Error (environment): locked by another process after `busy_ms`,
  // read-only file or folder, full disk.
  explicit Database(const std::filesystem::path& path, OpenMode mode = OpenMode::kReadWrite,
                    int busy_ms = 5000);
  ~Database();
  Database(Database&&) noexcept;
  Database& operator=(Database&&) noexcept;

  // Each returns the row of an equal record if there is one: devices are equal by fingerprint,
  // kernels by name and contract hash. The first put of a kernel through this object makes its
  // contract the current one of its variants, even if it is an old one that returned; further puts
  // are free. The sources are stored with the first put that has them.
  RowId put_device(const DeviceRecord& record);
  RowId put_kernel(const KernelRecord& record);
  RowId start_run(const RunRecord& record);
  // `goal`, if given, replaces the goal of the run.
  void finish_run(RowId run, const std::string& ended, const std::string& finished_utc,
                  const std::optional<GoalRecord>& goal = std::nullopt);

  // Stores trial and samples in one transaction; durable when it returns.
  RowId add_trial(const TrialRecord& trial);
  // The same, unless `known` returns true because another process has already stored the trial;
  // returns nullopt then. `known` is called inside the transaction, while no other process can
  // write, and may still change `trial`.
  std::optional<RowId> add_trial_unless(const std::function<bool()>& known,
                                        const TrialRecord& trial);
  // Runs several calls as one transaction, for imports: durable when it returns, undone as a whole
  // if `work` throws.
  void batch(const std::function<void()>& work);
  // Makes everything added from here on one transaction, until commit_group(), or drop_group(),
  // which undoes it. Callers must not report any of its trials before the commit.
  void begin_group();
  void commit_group();
  void drop_group() noexcept;
  [[nodiscard]] bool in_group() const;
  RowId add_ceiling(const CeilingRecord& record);
  // Replaces the stored check of the same run, kernel and problem.
  void put_contract_check(const ContractCheckRecord& record);
  // Stores ranking and entries in one transaction. Place 1 is the winner's, and every entry is a
  // trial of the winner's kernel, device, problem and protocol.
  RowId add_ranking(const RankingRecord& record);

  // For merging: these remove records, so that they can be added again in another order. Numbers of
  // trials are never reused.
  // Removes the trials of a kernel, by name, on a device, and their final rankings.
  void remove_trials(const std::string& kernel_name, RowId device);
  void remove_ceilings(RowId device);

  // The newest trial of every key that is in `keys`, without samples; for resuming. Here and below,
  // a trial that settles nothing (records/status.h) counts as the newest only if the key has no
  // other, because it does not supersede an earlier result.
  [[nodiscard]] std::unordered_map<std::string, TrialRecord> find_trials(
      const std::vector<std::string>& keys) const;

  // Returns false if there is no trial of the configuration on the problem, both given as texts,
  // with any sources and device. Reads the file only if other processes have written since the last
  // call.
  [[nodiscard]] bool may_hold(const std::string& problem_text,
                              const std::string& configuration_text) const;

  struct TrialFilter {
    std::optional<std::string> kernel = std::nullopt;  // name
    std::optional<RowId> run = std::nullopt;
    std::optional<RowId> trial = std::nullopt;
    // An id, a name in any case, or at least 6 digits of the fingerprint.
    std::optional<std::string> device = std::nullopt;
    std::optional<std::string> contract_hash = std::nullopt;
    bool newest_per_key = true;  // among the trials that pass the rest of the filter
    bool with_samples = false;
  };
  // A trial with what it refers to, for analysis.
  struct TrialRow {
    TrialRecord trial;
    std::string kernel_name, contract_hash;
    std::int64_t contract_generation = 0;  // the highest of a variant's contracts is current
    std::string device_id, device_name, device_arch, device_fingerprint, device_driver;
    bool device_has_clock = false;
    std::string run_started_utc;
    // The variant's default configuration as text, "" if unknown, and whether the contract names
    // the variant as the baseline.
    std::string default_configuration;
    bool baseline = false;
  };
  // In the order stored.
  [[nodiscard]] std::vector<TrialRow> trials(const TrialFilter& filter) const;
  // The newest timed or pruned trial of a configuration, given as text, on the kernel, device and
  // problem of `like`.
  [[nodiscard]] std::optional<RowId> find_measured(const TrialRecord& like,
                                                   const std::string& configuration_text) const;

  struct RankingFilter {
    std::optional<std::string> kernel = std::nullopt;
    std::optional<RowId> run = std::nullopt;
    bool newest_per_board = true;  // one per kernel, device, problem and protocol of trials
  };
  // A ranking with what it refers to.
  struct RankingRow {
    RankingRecord ranking;
    std::string device_fingerprint;
    std::string board_protocol;  // of the trials it ranks
  };
  // In the order stored.
  [[nodiscard]] std::vector<RankingRow> rankings(const RankingFilter& filter) const;
  // A contract check with the names of its kernel.
  struct ContractCheckRow {
    ContractCheckRecord check;
    std::string kernel_name, contract_hash;
  };
  // Returns the checks of one kernel, by name, or of all kernels; those of newer runs come last.
  [[nodiscard]] std::vector<ContractCheckRow> contract_checks(
      const std::optional<std::string>& kernel = std::nullopt) const;
  [[nodiscard]] std::vector<std::pair<RowId, RunRecord>> runs() const;
  [[nodiscard]] std::vector<std::pair<RowId, DeviceRecord>> devices() const;
  // Sorted so that the kernel that was put last comes last.
  [[nodiscard]] std::vector<std::pair<RowId, KernelRecord>> kernels() const;
  // The devices that have trials, in ascending order; with `run`, only those of its trials.
  [[nodiscard]] std::vector<RowId> tried_devices(std::optional<RowId> run = std::nullopt) const;
  // Sorted by path; empty for a kernel stored by a warpwright before schema 3.
  [[nodiscard]] std::vector<KernelSource> kernel_sources(RowId kernel) const;
  // The newest ceiling of each name, or all of them in the order stored; in order of name.
  [[nodiscard]] std::vector<CeilingRecord> ceilings(RowId device,
                                                    bool newest_per_name = true) const;
  [[nodiscard]] std::uint64_t trial_count() const;
  // The lowest and the highest number of a trial; nullopt if there are none.
  [[nodiscard]] std::optional<std::pair<RowId, RowId>> trial_range() const;

  // "ok", or the findings of PRAGMA integrity_check and foreign_key_check.
  [[nodiscard]] std::string integrity() const;
  // A message about the first row that breaks a rule of row_rules.h; nullopt if none does.
  [[nodiscard]] std::optional<std::string> broken_row() const;
  [[nodiscard]] static int schema_version();  // the version that this program writes
  [[nodiscard]] const std::filesystem::path& path() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace warpwright
