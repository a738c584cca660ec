// A remark states that a contract leaves an output or an input untested on one problem.
// trial/validation/contract_check finds remarks; a database stores them once for a run, a kernel
// and a problem.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/shared_names.h"

namespace warpwright {

// The numbers describe one output on the units that the reference computed.
struct ContractRemark {
  RemarkCode code = RemarkCode::kZerosPass;
  // With kInputUnused, the output in which the input comes closest to mattering.
  std::string output;
  std::string input;            // kInputCopyPasses and kInputUnused only
  int axis = 0;                 // kConstantAlongAxis only; counted from the outermost
  double largest_expected = 0;  // the largest absolute value among the finite expected values
  double allowed = 0;           // the allowed error there; 0 if values must be equal
  // kInputUnused only: the largest change of an expected value under the other content.
  double change = 0;

  friend bool operator==(const ContractRemark&, const ContractRemark&) = default;
};
// {"code", "output", "input", "axis", "largest_expected", "allowed", "change", "text"}: `input`,
// `axis` and `change` only if the code has them; `text` is describe(), for readers of the JSON.
void to_json(nlohmann::json& json, const ContractRemark& remark);
// Throws Error (user) on an unknown code.
void from_json(const nlohmann::json& json, ContractRemark& remark);

// A remark as a sentence without its full stop: "zeros pass for output 'y': its largest expected
// value is 0.000296, and an error of 0.01 is allowed there".
[[nodiscard]] std::string describe(const ContractRemark& remark);

// Several remarks as such sentences. The candidates that pass for one output share a sentence:
// "zeros and a copy of input 'x' pass for output 'y': ...".
[[nodiscard]] std::vector<std::string> describe(const std::vector<ContractRemark>& remarks);

// Whether two remarks have the same code, output, input and axis; their numbers may differ.
[[nodiscard]] bool same_subject(const ContractRemark& a, const ContractRemark& b);
// Adds every remark of `more` unless `remarks` has one of the same subject.
void add_remarks(std::vector<ContractRemark>& remarks, const std::vector<ContractRemark>& more);

}  // namespace warpwright
