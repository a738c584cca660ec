// The results database: SQLite in WAL mode, foreign keys on, schema version in PRAGMA user_version
// with migrations, one transaction per trial. Schema and views are documented in results/README.md;
// people query them directly. Every fault is an Error that names the file, what SQLite said and
// what to do; committed trials are never lost. One object belongs to one thread; several processes
// may use one file at the same time.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "store/records.h"

namespace warpwright {

enum class OpenMode {
  kReadWrite,  // made when missing, migrated when older
  kReadOnly,   // must exist; an older schema is read through a migrated copy in memory
};

class Database {
 public:
  // Throws Error (user): not a database, truncated or damaged, newer schema than this program
  // knows, missing in kReadOnly; Error (environment): locked by another process after `busy_ms`,
  // read-only file or folder, full disk.
  explicit Database(const std::filesystem::path& path, OpenMode mode = OpenMode::kReadWrite,
                    int busy_ms = 5000);
  ~Database();
  Database(Database&&) noexcept;
  Database& operator=(Database&&) noexcept;

  // Each returns the row of an equal record when there is one: devices are equal by fingerprint,
  // kernels by name and contract hash. The first put of a kernel through this object makes its
  // contract the current one of its variants, also when it is an old one that came back; further
  // puts cost nothing.
  RowId put_device(const DeviceRecord& record);
  RowId put_kernel(const KernelRecord& record);
  RowId start_run(const RunRecord& record);
  void finish_run(RowId run, const std::string& ended, const std::string& finished_utc);

  // Stores trial and samples in one transaction; durable when it returns.
  RowId add_trial(const TrialRecord& trial);
  // Several calls as one transaction, for imports: durable when it returns, undone as a whole when
  // `work` throws.
  void batch(const std::function<void()>& work);
  RowId add_ceiling(const CeilingRecord& record);

  // The newest trial of every key that is in `keys`, without samples; for resuming.
  [[nodiscard]] std::unordered_map<std::string, TrialRecord> find_trials(
      const std::vector<std::string>& keys) const;

  struct TrialFilter {
    std::optional<std::string> kernel = std::nullopt;  // name
    std::optional<RowId> run = std::nullopt;
    // An id, a name in any case, or at least 6 digits of the fingerprint.
    std::optional<std::string> device = std::nullopt;
    std::optional<std::string> contract_hash = std::nullopt;
    bool newest_per_key = true;  // among those the rest of the filter lets through
    bool with_samples = false;
  };
  // A trial with what it refers to, for analysis.
  struct TrialRow {
    TrialRecord trial;
    std::string kernel_name, contract_hash;
    std::int64_t contract_generation = 0;  // of a variant's contracts the highest is current
    std::string device_id, device_name, device_arch, device_fingerprint, device_driver;
    bool device_has_clock = false;
    std::string run_started_utc;
  };
  // In the order stored.
  [[nodiscard]] std::vector<TrialRow> trials(const TrialFilter& filter) const;
  [[nodiscard]] std::vector<std::pair<RowId, RunRecord>> runs() const;
  [[nodiscard]] std::vector<std::pair<RowId, DeviceRecord>> devices() const;
  [[nodiscard]] std::vector<std::pair<RowId, KernelRecord>> kernels() const;
  // The newest of each name, in order of name.
  [[nodiscard]] std::vector<CeilingRecord> ceilings(RowId device) const;
  [[nodiscard]] std::uint64_t trial_count() const;

  // "ok", or what PRAGMA integrity_check and foreign_key_check found.
  [[nodiscard]] std::string integrity() const;
  [[nodiscard]] static int schema_version();  // that this program writes
  [[nodiscard]] const std::filesystem::path& path() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace warpwright
