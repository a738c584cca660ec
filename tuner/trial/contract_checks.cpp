#include "trial/contract_checks.h"

#include <fmt/format.h>

#include "trial/validation/contract_check.h"

namespace warpwright {
namespace {

// Tolerances may depend on parameters.
std::string limits_text(const OutputView& view) {
  std::string text = fmt::format("\n{} {} {} {} {}", view.name, view.tolerance_abs,
                                 view.tolerance_rel, view.tolerance_rms, view.mismatches);
  if (view.accumulate) {
    text += fmt::format(" {} {}", view.accumulate->terms, dtype_name(view.accumulate->accumulator));
  }
  return text;
}

}  // namespace

const std::vector<ContractRemark>& ContractChecks::remarks(const Environment& environment,
                                                           ProblemInputs& inputs) {
  const ProblemData& first = inputs.first();
  std::string key = first.request().key();
  for (std::size_t i = 0; i < first.question().outputs.size(); ++i)
    key += limits_text(first.output_view(i, environment));
  const auto known = known_.find(key);
  if (known != known_.end()) return known->second;
  return known_.emplace(key, check_contract(kernel_, environment, first, inputs.other()).remarks)
      .first->second;
}

std::string untested_reason(const std::vector<ContractRemark>& remarks) {
  const ContractRemark& first = remarks.front();
  const std::size_t more = remarks.size() - 1;
  return fmt::format(
      "{}{}; a strict contract refuses that: {}, or say on which problems it is right with "
      "`accepts: {{{}: CONDITION}}`",
      describe(first), more == 0 ? "" : fmt::format(" (and {} more like it)", more),
      first.code == RemarkCode::kInputUnused
          ? "give the input a fill that decides the result"
          : "give the output a smaller tolerance, or inputs that decide it",
      remark_code_name(first.code));
}

}  // namespace warpwright
