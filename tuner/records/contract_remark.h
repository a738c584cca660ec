// What a contract lets pass on one problem although it computes nothing of it, or leaves untested:
// found by trial/validation/contract_check, stored once for a run, kernel and problem.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/remark_code.h"

namespace warpwright {

// Numbers are of one output on the units that the reference was asked for.
struct ContractRemark {
  RemarkCode code = RemarkCode::kZerosPass;
  std::string output;  // of kInputUnused the one in which the input comes closest to mattering
  std::string input;   // of kInputCopyPasses and kInputUnused
  int axis = 0;        // of kConstantAlongAxis, counted from the outermost
  double largest_expected = 0;  // the largest finite size of an expected value
  double allowed = 0;           // the error that is allowed there; 0 where values have to be equal
  // Of kInputUnused: the largest change of an expected value that the other content made.
  double change = 0;

  friend bool operator==(const ContractRemark&, const ContractRemark&) = default;
};
// {"code", "output", "input", "axis", "largest_expected", "allowed", "change", "text"}: `input`,
// `axis` and `change` only where the code has them; `text` is describe(), for those who read JSON.
void to_json(nlohmann::json& json, const ContractRemark& remark);
// Throws Error (user) on a code that this program does not know.
void from_json(const nlohmann::json& json, ContractRemark& remark);

// A remark as a sentence without its full stop: "zeros pass for output 'y': its largest expected
// value is 0.000296, and an error of 0.01 is allowed there".
[[nodiscard]] std::string describe(const ContractRemark& remark);

// The same of several: what passes for one output is one sentence, "zeros and a copy of input 'x'
// pass for output 'y': ...".
[[nodiscard]] std::vector<std::string> describe(const std::vector<ContractRemark>& remarks);

// Whether both say the same of the same output, input and axis, with whatever numbers.
[[nodiscard]] bool same_subject(const ContractRemark& a, const ContractRemark& b);
// Adds those of `more` that have no remark of the same subject in `remarks` yet.
void add_remarks(std::vector<ContractRemark>& remarks, const std::vector<ContractRemark>& more);

}  // namespace warpwright
