// What the checkers found in a kernel: plain data between the vetting, which fills it, and
// vet_text, which prints it as a compiler prints its errors.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "records/contract_remark.h"
#include "vet/comments/left_out.h"

namespace warpwright {

struct VetPlace {
  std::string file;  // as an editor or a code host takes it: relative where that is possible
  int line = 0;
  std::string text;      // of the line, without blanks around it
  std::string who = {};  // "store of 4 bytes by thread (3,0,0) of block (0,0,0)"
  // Where the line's function was called, through inlining, innermost first; `who` is empty there.
  std::vector<VetPlace> callers = {};
};

// One mistake, however many schedules, cases and configurations show it.
struct VetHazard {
  std::string kind;       // "shared race", "deadlock", "wrong result"
  bool is_fault = false;  // it ended the launch
  std::string message;
  std::string advice;                                       // the fix in words; may be empty
  std::optional<VetPlace> here;                             // absent when no line is known
  std::optional<VetPlace> other;                            // the other side of a conflict
  std::string configuration_text, case_name, problem_text;  // the first that shows it
  std::uint64_t seen_in = 0;                                // of `schedules` under that case
  std::uint64_t schedules = 0;
  std::uint64_t seed = 0;       // the first that shows it
  std::string replay;           // a command that shows it again
  std::uint64_t elsewhere = 0;  // further cases and configurations that show it
};

// A case that could not be run, or a configuration that no case allows.
struct VetFailure {
  std::string configuration_text;
  std::string case_name;  // empty for all of them
  std::string reason;
};

// Cases that the contract's constraints exclude for a configuration, by the same constraint.
struct VetExclusion {
  std::string configuration_text;
  std::vector<std::string> case_names;
  std::string reason;  // the constraint that does not hold
};

// What ptxas remarked of a configuration that sweeps do not run for it.
struct VetRemark {
  std::string configuration_text;
  std::string text;
};

// A remark on the contract that no case refutes, with the line that it is about.
struct VetContractRemark {
  VetPlace here;
  ContractRemark remark;
};

struct VetReport {
  std::string kernel;
  std::string device;
  std::uint64_t configurations = 0, cases = 0, schedules = 0;
  std::uint64_t runs = 0;  // of a case of a configuration; fewer than all where cases are excluded
  // Of these, those for which not all schedules were run, because one showed that no other can do
  // or find anything else.
  std::uint64_t same_under_all = 0;
  // Comments of a .cu file that say how it is launched; 0 for a contract. Each is a case.
  std::uint64_t launch_comments = 0;
  bool validated = true;  // values were compared with a reference
  std::vector<VetHazard> hazards;
  std::vector<VetFailure> failures;
  std::vector<VetFailure> undecided;  // cases that met a limit, which is no finding
  std::vector<VetRemark> remarks;
  std::vector<VetExclusion> exclusions;  // of configurations that other cases allow
  std::vector<VetContractRemark> contract;
  // Of a file with launch comments: what the device compiler was not given.
  std::vector<LeftOut> left_out;
  bool strict = false;  // `contract` counts as found

  [[nodiscard]] bool clean() const { return !found() && undecided.empty(); }
  [[nodiscard]] bool found() const {
    return !hazards.empty() || !failures.empty() || (strict && !contract.empty());
  }
};

}  // namespace warpwright
