// A run's entries in the results database: the rows its trials refer to, the trials that are
// already stored, and those that are added. Errors come from Database; they name the other
// processes that have the database open.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "store/database.h"
#include "sweep/sweep_plan.h"

namespace warpwright {

class RunRecords {
 public:
  explicit RunRecords(Database& database) : database_(database) {}

  // Computes the hashes of the kernel's variants; open() does this if it was not called.
  void identify(const SweepPlan& plan);
  // Adds the kernel, the devices and the run.
  void open(const SweepOptions& options, const SweepPlan& plan, const std::string& nvrtc_version);
  // Stores how the run ended and, if there were searches, their course.
  void close(RunEnd ended, const std::vector<SearchCourse>& searches = {});

  [[nodiscard]] const std::string& variant_hash(const std::string& variant) const {
    return variant_hashes_.at(variant);
  }
  [[nodiscard]] const std::map<std::string, std::string>& variant_hashes() const {
    return variant_hashes_;
  }
  // Returns false when no trial of the configuration on the problem is stored, for any device.
  [[nodiscard]] bool may_hold(const std::string& problem_text,
                              const std::string& configuration_text) const;
  // Returns the newest trial with the key.
  [[nodiscard]] std::optional<TrialRecord> find(const std::string& key) const;
  // Returns the newest final ranking of the board; its trials may belong to other runs.
  [[nodiscard]] std::optional<RankingRecord> ranking(const std::string& kernel,
                                                     const PlannedBoard& board) const;
  // Returns Configuration::to_string() of a trial.
  [[nodiscard]] std::optional<std::string> configuration_of(RowId trial) const;
  // Adds a trial, which is committed on return or, within a group, by commit_group(). Sets id, run,
  // device and kernel, and same_as from the text of the configuration whose measurement it shares
  // ("" when it has its own).
  void add(TrialRecord& trial, std::size_t device, const std::string& variant_hash,
           const std::string& same_as);
  // The same, unless `known` finds the trial. `known` is called in the same transaction, which
  // keeps other writers out; the trial that it finds is returned instead.
  [[nodiscard]] std::optional<TrialRecord> add_unless(
      TrialRecord& trial, std::size_t device, const std::string& variant_hash,
      const std::string& same_as, const std::function<std::optional<TrialRecord>()>& known);
  // Adds a ranking in the same way; sets run and device.
  void add(RankingRecord& ranking, std::size_t device);
  // Adds a contract check in the same way; replaces this run's check of the variant and the
  // problem.
  void put_contract_check(const SweepBoard& board, const std::string& variant_hash,
                          const std::vector<ContractRemark>& remarks);
  // Returns the checks of a kernel in all runs; the newest come last.
  [[nodiscard]] std::vector<Database::ContractCheckRow> contract_checks(
      const std::string& kernel) const;

  // Additions between the two calls form one transaction; without begin_group(), commit_group()
  // does nothing.
  void begin_group();
  void commit_group();
  // Undoes additions that were not committed.
  void drop_group() noexcept { database_.drop_group(); }

  [[nodiscard]] RowId run() const { return run_; }
  [[nodiscard]] const std::filesystem::path& path() const { return database_.path(); }

 private:
  Database& database_;
  RowId run_ = 0;
  GoalRecord goal_;
  std::vector<RowId> device_rows_;
  std::map<std::string, RowId> kernel_rows_;           // by variant hash
  std::map<std::string, std::string> variant_hashes_;  // by variant name
};

// Opens the sweep's database; reports errors as RunRecords does.
[[nodiscard]] Database open_database(const std::filesystem::path& file);

// "2026-03-01T12:00:00Z". For display only: the wall clock may jump, so nothing is ordered or timed
// by it.
[[nodiscard]] std::string utc_now();

}  // namespace warpwright
