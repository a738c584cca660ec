// The model that a header is written from, for a contract that was never swept: as if each case had
// been tuned with the defaults on an H200, where each variant did equally well.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "analysis/select/selection_model.h"
#include "spec/kernel_spec.h"

namespace warpwright::testing {

inline std::vector<Value> sizes_of_case(const KernelSpec& kernel, const CaseSpec& one) {
  const auto problem = complete_problem(kernel, one.problem, one.where);
  std::vector<Value> sizes;
  for (const ProblemSizeSpec& size : kernel.problem) sizes.push_back(problem.at(size.name));
  return sizes;
}

inline SelectionModel model_of_contract(const KernelSpec& kernel) {
  SelectionModel model;
  model.contract = kernel;
  model.devices = {{"NVIDIA H200", "sm_90a", {{"max_shared", 232448}, {"sm_count", 132}}}};
  for (const CaseSpec& one : kernel.cases) {
    SelectionBoard board;
    board.sizes = sizes_of_case(kernel, one);
    board.problem_text = one.name;
    board.median_us = 1;
    board.version = "warpwright 0.1.0";
    model.boards.push_back(std::move(board));
  }
  for (const bool is_default : {false, true}) {
    for (std::size_t variant = 0; variant < kernel.variants.size(); ++variant) {
      SelectionConfiguration one;
      one.variant = variant;
      one.is_default = is_default;
      for (const ParameterSpec& parameter : kernel.parameters)
        one.values.push_back(parameter.default_value);
      one.text = kernel.variants[variant].name;
      model.configurations.push_back(std::move(one));
    }
  }
  model.fractions.assign(kernel.variants.size(), std::vector<int>(model.boards.size(), 900));
  model.merits = model.fractions;
  return model;
}

}  // namespace warpwright::testing
