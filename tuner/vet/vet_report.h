// The findings of the checkers in a kernel, as plain data: filled by the vetting and printed by
// vet_text in the style of compiler errors.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/finding.h"
#include "records/contract_remark.h"

namespace warpwright {

// Code of a file with launch comments that was withheld from the device compiler: host headers, and
// bodies and declarations that it rejects.
struct LeftOut {
  enum class What { kHeader, kBody, kLaunchingBody, kDeclaration };
  What what = What::kHeader;
  std::string name;  // as written; "" if it has none
  SourceLocation where;
  std::string why;  // compiler message; "" if it was not asked
};

// One mistake, regardless of how many schedules, cases and configurations show it.
struct VetHazard {
  // As the first one shows it. Its locations are quoted, with files as editors and code hosts
  // expect them, relative where possible; a side is absent if its line is unknown. The message does
  // not repeat the place of `here`.
  Finding finding;
  std::string configuration_text, case_name, problem_text;  // the first ones that show it
  std::uint64_t seen_in = 0;                                // how many of `schedules` show it
  std::uint64_t schedules = 0;
  std::uint64_t seed = 0;       // the first one that shows it
  std::string replay;           // a command that reproduces it
  std::uint64_t elsewhere = 0;  // further cases and configurations that show it
};

// A case that could not be run, or a configuration that no case allows.
struct VetFailure {
  std::string configuration_text;
  std::string case_name;  // empty if it concerns all cases
  std::string reason;
};

// The cases that one constraint of the contract excludes for a configuration.
struct VetExclusion {
  std::string configuration_text;
  std::vector<std::string> case_names;
  std::string reason;  // the constraint that does not hold
};

// A ptxas remark that keeps sweeps from running a configuration.
struct VetRemark {
  std::string configuration_text;
  std::string text;
};

// A remark on the contract that no case refutes, with its line.
struct VetContractRemark {
  SourceLocation here;
  ContractRemark remark;
};

struct VetReport {
  std::string kernel;
  std::string device;
  std::uint64_t configurations = 0, cases = 0, schedules = 0;
  std::uint64_t runs = 0;  // pairs of a configuration and a case, without excluded cases
  // Runs for which not all schedules were run, because one of them showed that no other schedule
  // can behave differently or find anything else.
  std::uint64_t same_under_all = 0;
  // The number of launch comments in a .cu file, each of which is a case; 0 for a contract.
  std::uint64_t launch_comments = 0;
  bool validated = true;  // values were compared with a reference
  std::vector<VetHazard> hazards;
  std::vector<VetFailure> failures;
  std::vector<VetFailure> undecided;  // cases that reached a limit; these are not findings
  std::vector<VetRemark> remarks;
  std::vector<std::string> version_changes;  // "V4 with STAGES=3 (V4 has 2)"
  std::vector<VetExclusion> exclusions;      // configurations that still have other cases
  std::vector<VetContractRemark> contract;
  // The code of a file with launch comments that was withheld from the device compiler.
  std::vector<LeftOut> left_out;
  bool strict = false;  // remarks in `contract` count as findings

  [[nodiscard]] bool clean() const { return !found() && undecided.empty(); }
  [[nodiscard]] bool found() const {
    return !hazards.empty() || !failures.empty() || (strict && !contract.empty());
  }
};

}  // namespace warpwright
