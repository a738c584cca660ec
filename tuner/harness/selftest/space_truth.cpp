#include "harness/selftest/space_truth.h"

#include <algorithm>

#include "core/error.h"
#include "space/search_space.h"
#include "spec/sweep_spec.h"
#include "sweep/sweep_plan.h"
#include "trial/launch_plan.h"

namespace warpwright {

SpaceTruth::SpaceTruth(const std::filesystem::path& config,
                       const std::filesystem::path& kernel_file, const DeviceInfo& device)
    : kernel_(read_kernel(kernel_file)), device_(device) {
  const SweepSpec sweep = read_sweep(config);
  check_sweep(sweep, kernel_);
  const ProblemChoice& choice = sweep.problems.front();
  problem_ = complete_problem(kernel_, choice.sizes, choice.where);
  const auto space =
      solve_space(define_space(sweep, &kernel_, problem_, device_constants(device_)));
  count_ = space->count();
  best_steps_ = std::numeric_limits<std::int64_t>::max();
  space->for_each([&](const Configuration& configuration) {
    best_steps_ = std::min(best_steps_, steps(configuration));
    return true;
  });
}

std::int64_t SpaceTruth::steps(const Configuration& configuration) const {
  const auto found =
      std::find_if(kernel_.arguments.begin(), kernel_.arguments.end(),
                   [](const ArgumentSpec& argument) { return argument.name == "cost_steps"; });
  if (found == kernel_.arguments.end()) {
    throw user_error({kernel_.file.string(), 0, 0},
                     "expected an argument 'cost_steps' that gives the true time of a "
                     "configuration, got none");
  }
  return found->value.evaluate_integer(
      trial_environment(kernel_, configuration, problem_, device_));
}

double SpaceTruth::relative(const Configuration& configuration) const {
  return static_cast<double>(steps(configuration)) / static_cast<double>(best_steps_);
}

}  // namespace warpwright
