#include "sweep/contract_watch.h"

#include <algorithm>

#include "trial/validation/contract_check.h"

namespace warpwright {
namespace {

bool limits_use_parameters(const KernelSpec& kernel, const ArgumentSpec& argument) {
  const auto uses = [&](const Expr& limit) {
    const std::vector<std::string>& names = limit.names();
    return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
      return kernel.find_parameter(name) != nullptr;
    });
  };
  return uses(argument.tolerance_abs) || uses(argument.tolerance_rel) ||
         uses(argument.tolerance_rms) ||
         (argument.tolerance_accumulate && uses(argument.tolerance_accumulate->terms)) ||
         (argument.mismatches && uses(*argument.mismatches));
}

bool tests_differ(const KernelSpec& kernel) {
  return !kernel.shaping.empty() || std::any_of(kernel.arguments.begin(), kernel.arguments.end(),
                                                [&](const ArgumentSpec& argument) {
                                                  return limits_use_parameters(kernel, argument);
                                                });
}

}  // namespace

ContractWatch::ContractWatch(const SweepPlan& plan, RunRecords& records)
    : plan_(plan), records_(records), configurations_differ_(tests_differ(plan.kernel)) {}

void ContractWatch::recall() {
  for (const Database::ContractCheckRow& row : records_.contract_checks(plan_.kernel.name)) {
    // A row that is damaged, or that a newer warpwright wrote, is skipped.
    const std::vector<ContractRemark>* remarks = row.check.remarks.readable();
    if (remarks != nullptr) known_[{row.contract_hash, row.check.problem_text}] = *remarks;
  }
}

std::vector<ContractRemark> ContractWatch::record(std::size_t board, const std::string& variant,
                                                  const std::vector<ContractRemark>& remarks) {
  const Subject about = subject(board, variant);
  const bool first = stored_.insert(about).second;
  if (first) known_[about].clear();
  std::vector<ContractRemark>& known = known_[about];
  const std::size_t before = known.size();
  add_remarks(known, remarks);
  if (first || known.size() > before)
    records_.put_contract_check(plan_.boards[board].summary, about.first, known);
  std::vector<ContractRemark>& told = told_[about.second];
  const std::size_t told_before = told.size();
  add_remarks(told, remarks);
  return {told.begin() + static_cast<std::ptrdiff_t>(told_before), told.end()};
}

bool ContractWatch::is_tested(std::size_t board, const std::string& variant) const {
  const auto known = known_.find(subject(board, variant));
  return known != known_.end() && known->second.empty() && !configurations_differ_;
}

std::optional<std::string> ContractWatch::refusal(std::size_t board,
                                                  const std::string& variant) const {
  if (!plan_.strict || configurations_differ_) return std::nullopt;
  const auto known = known_.find(subject(board, variant));
  if (known == known_.end() || known->second.empty()) return std::nullopt;
  return untested_reason(known->second);
}

}  // namespace warpwright
