// A run's entries in the results database: the rows its trials refer to, what is already stored,
// and what is added. Errors come from Database; they name the other processes that have it open.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "store/database.h"
#include "sweep/sweep_plan.h"

namespace warpwright {

class RunBook {
 public:
  explicit RunBook(Database& database) : database_(database) {}

  // Finds what identifies the kernel's variants; open() does where nobody has.
  void identify(const SweepPlan& plan);
  // Adds the kernel, the devices and the run.
  void open(const SweepOptions& options, const SweepPlan& plan, const std::string& nvrtc_version);
  // With how searches went, where there were any.
  void close(const std::string& ended, const std::vector<SearchCourse>& searches = {});

  [[nodiscard]] const std::string& variant_hash(const std::string& variant) const {
    return variant_hashes_.at(variant);
  }
  [[nodiscard]] const std::map<std::string, std::string>& variant_hashes() const {
    return variant_hashes_;
  }
  // False when no trial of the configuration on the problem is there, of any device.
  [[nodiscard]] bool may_hold(const std::string& problem_text,
                              const std::string& configuration_text) const;
  // The newest trial of the key.
  [[nodiscard]] std::optional<TrialRecord> find(const std::string& key) const;
  // The newest final ranking of the board; its trials may be of other runs.
  [[nodiscard]] std::optional<RankingRecord> ranking(const std::string& kernel,
                                                     const PlannedBoard& board) const;
  // Configuration::to_string() of a trial.
  [[nodiscard]] std::optional<std::string> configuration_of(RowId trial) const;
  // Committed when it returns, or by commit_group(). Sets id, run, device and kernel, and same_as
  // from the text of the configuration whose measurement it shares ("" when it has its own).
  void add(TrialRecord& trial, std::size_t device, const std::string& variant_hash,
           const std::string& same_as);
  // The same, unless `known` finds the trial; that is asked in the same transaction, which keeps
  // others out, and what it finds is returned instead.
  [[nodiscard]] std::optional<TrialRecord> add_unless(
      TrialRecord& trial, std::size_t device, const std::string& variant_hash,
      const std::string& same_as, const std::function<std::optional<TrialRecord>()>& known);
  // Likewise; sets run and device.
  void add(RankingRecord& ranking, std::size_t device);
  // Likewise; replaces this run's check of the variant and the problem.
  void put_contract_check(const SweepBoard& board, const std::string& variant_hash,
                          const std::vector<ContractRemark>& remarks);
  // Returns the checks of a kernel in all runs; the newest come last.
  [[nodiscard]] std::vector<Database::ContractCheckRow> contract_checks(
      const std::string& kernel) const;

  // What is added between the two is one transaction; without begin_group(), the second does
  // nothing.
  void begin_group();
  void commit_group();
  // Undoes what was not committed.
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

// Opens the sweep's database, as RunBook would report it.
[[nodiscard]] Database open_database(const std::filesystem::path& file);

// "2026-03-01T12:00:00Z". For people: the wall clock may jump, so nothing is ordered or timed by
// it.
[[nodiscard]] std::string utc_now();

}  // namespace warpwright
