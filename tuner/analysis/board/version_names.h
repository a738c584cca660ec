// Which stored configurations are named versions: those of the sweeps and contracts in a database.
// A trial is named by its own run first, then by the newest run that defines the name; on a board a
// name belongs to one configuration.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/board/leaderboard.h"
#include "spec/kernel_spec.h"
#include "spec/sweep_spec.h"
#include "store/database.h"

namespace warpwright {

struct NamedVersion {
  std::string name;  // "V0"
  ParameterValues values;
  std::vector<std::string> variants = {};  // that it may be of; empty: any
  // Values of the other parameters. Trials of older contracts may lack some of them.
  ParameterValues others = {};
};

// True if the trial is of the version's configuration.
[[nodiscard]] bool is_version(const TrialRecord& trial, const NamedVersion& version);

// The versions of a sweep and of its contract, the contract's first. Either may be null.
[[nodiscard]] std::vector<NamedVersion> named_versions(const SweepSpec* sweep,
                                                       const KernelSpec* kernel);

// A changed version is not stored under the name of another: "V4 with STAGES=3" is stored as
// "V4_with_STAGES_3", a preset of its own.
[[nodiscard]] std::string stored_version_name(std::string title);
// The title that the version was stored for, found among the changes of versions in `known`; its
// name if it is a version of its own.
[[nodiscard]] std::string version_title(const NamedVersion& version,
                                        const std::vector<NamedVersion>& known);

class VersionNames {
 public:
  // Sweeps and contracts that can no longer be read have no names.
  explicit VersionNames(const Database& database);

  // The versions that a run could name; empty for an unknown run.
  [[nodiscard]] const std::vector<NamedVersion>& of_run(RowId run) const;
  // Each name once, as the newest run defines it.
  [[nodiscard]] std::vector<NamedVersion> of_kernel(const std::string& kernel) const;
  // Sets `version` of entries.
  void add_to(std::vector<Leaderboard>& boards) const;
  void add_to(Leaderboard& board) const;

 private:
  std::map<RowId, std::vector<NamedVersion>> runs_;
  std::map<std::string, std::vector<RowId>> of_kernels_;          // newest first
  std::map<std::string, std::vector<NamedVersion>> of_contract_;  // by kernel
};

}  // namespace warpwright
