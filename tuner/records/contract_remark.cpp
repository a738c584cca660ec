#include "records/contract_remark.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/error.h"
#include "core/words.h"
#include "records/codec.h"

namespace warpwright {
namespace {

// Names the candidate that passes for an output.
std::string candidate_of(const ContractRemark& remark) {
  switch (remark.code) {
    case RemarkCode::kZerosPass:
      return "zeros";
    case RemarkCode::kMeanPasses:
      return "the mean of the expected values in every element";
    case RemarkCode::kOtherSeedPasses:
      return "the result for another seed's inputs";
    case RemarkCode::kInputCopyPasses:
      return remark.input == remark.output ? std::string("what it held before the launch")
                                           : fmt::format("a copy of input '{}'", remark.input);
    case RemarkCode::kConstantAlongAxis:
      return fmt::format("one value repeated along axis {}", remark.axis);
    case RemarkCode::kInputUnused:
      break;  // it concerns an input
  }
  return "";
}

std::string limits_of(const ContractRemark& remark) {
  return fmt::format(
      "its largest expected value is {:.3g}, and {} is allowed there", remark.largest_expected,
      remark.allowed == 0 ? "no error" : fmt::format("an error of {:.3g}", remark.allowed));
}

std::string unused_text(const ContractRemark& remark) {
  if (remark.change == 0) {
    return fmt::format(
        "input '{}' does not matter: another seed's content of it changes no expected value",
        remark.input);
  }
  return fmt::format(
      "input '{}' hardly matters: another seed's content of it changes output '{}' by at most "
      "{:.3g}, {}",
      remark.input, remark.output, remark.change, limits_of(remark));
}

// All remarks concern one output.
std::string passing_text(const std::vector<ContractRemark>& remarks) {
  std::vector<std::string> candidates;
  for (const ContractRemark& remark : remarks) candidates.emplace_back(candidate_of(remark));
  const bool one = remarks.size() == 1 && remarks.front().code != RemarkCode::kZerosPass;
  return fmt::format("{} {} for output '{}': {}", join_with_and(candidates),
                     one ? "passes" : "pass", remarks.front().output, limits_of(remarks.front()));
}

}  // namespace

std::string describe(const ContractRemark& remark) {
  return remark.code == RemarkCode::kInputUnused ? unused_text(remark) : passing_text({remark});
}

std::vector<std::string> describe(const std::vector<ContractRemark>& remarks) {
  std::vector<std::string> texts;
  std::vector<std::vector<ContractRemark>> outputs;  // in the order in which they first appear
  for (const ContractRemark& remark : remarks) {
    if (remark.code == RemarkCode::kInputUnused) continue;
    auto known = std::find_if(outputs.begin(), outputs.end(), [&](const auto& of_output) {
      return of_output.front().output == remark.output;
    });
    if (known == outputs.end()) known = outputs.emplace(outputs.end());
    known->push_back(remark);
  }
  for (const std::vector<ContractRemark>& of_output : outputs)
    texts.push_back(passing_text(of_output));
  for (const ContractRemark& remark : remarks)
    if (remark.code == RemarkCode::kInputUnused) texts.push_back(unused_text(remark));
  return texts;
}

bool same_subject(const ContractRemark& a, const ContractRemark& b) {
  // For an unused input the output is a detail, like the numbers.
  const bool same_output = a.code == RemarkCode::kInputUnused || a.output == b.output;
  return a.code == b.code && same_output && a.input == b.input && a.axis == b.axis;
}

void add_remarks(std::vector<ContractRemark>& remarks, const std::vector<ContractRemark>& more) {
  for (const ContractRemark& remark : more) {
    const bool known = std::any_of(remarks.begin(), remarks.end(), [&](const ContractRemark& one) {
      return same_subject(one, remark);
    });
    if (!known) remarks.push_back(remark);
  }
}

void to_json(nlohmann::json& json, const ContractRemark& remark) {
  json = {{"code", remark_code_name(remark.code)},
          {"output", remark.output},
          {"largest_expected", remark.largest_expected},
          {"allowed", remark.allowed},
          {"text", describe(remark)}};
  if (!remark.input.empty()) json["input"] = remark.input;
  if (remark.code == RemarkCode::kConstantAlongAxis) json["axis"] = remark.axis;
  if (remark.code == RemarkCode::kInputUnused) json["change"] = remark.change;
}

void from_json(const nlohmann::json& json, ContractRemark& remark) {
  remark = {};
  std::string name;
  read_member(json, "code", name);
  const std::optional<RemarkCode> code = parse_remark_code(name);
  if (!code) throw user_error(fmt::format("a remark has the unknown code '{}'", name));
  remark.code = *code;
  read_member(json, "output", remark.output);
  read_member(json, "input", remark.input);
  read_member(json, "axis", remark.axis);
  read_member(json, "largest_expected", remark.largest_expected);
  read_member(json, "allowed", remark.allowed);
  read_member(json, "change", remark.change);
}

}  // namespace warpwright
