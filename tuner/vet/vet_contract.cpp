#include "vet/vet_contract.h"

#include "check/source_names.h"

namespace warpwright {

VetContract::VetContract(const KernelSpec& kernel, const VetOptions& options)
    : kernel_(kernel), looks_(!kernel.launch_only && options.case_name.empty()) {}

bool VetContract::wants(const std::string& case_name) {
  return looks_ && asked_.insert(case_name).second;
}

std::vector<VetContractRemark> VetContract::remarks() const {
  std::vector<VetContractRemark> remarks;
  for (const ContractRemark& remark : unrefuted(cases_)) {
    const bool is_of_input = remark.code == RemarkCode::kInputUnused;
    const ArgumentSpec* argument =
        kernel_.find_argument(is_of_input ? remark.input : remark.output);
    const int line = argument == nullptr ? 0 : argument->where.line;
    remarks.push_back({{shown_path(kernel_.file), line, ""}, remark});
  }
  return remarks;
}

}  // namespace warpwright
