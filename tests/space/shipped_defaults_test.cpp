// Speedups are measured against the contract's defaults, so the shipped sweeps must try them: a
// variant's default configuration is in the space of every problem for which its contract allows
// it.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>

#include "space/search_space.h"

namespace warpwright {
namespace {

const std::filesystem::path kHome = WARPWRIGHT_SOURCE_DIR;

std::map<std::string, Value> h200_limits() {
  return {{"device.max_shared", 232448},
          {"device.max_shared_per_block", 232448},
          {"device.max_threads", 1024},
          {"device.warp_size", 32},
          {"device.sm_count", 132},
          {"device.registers_per_sm", 65536},
          {"device.registers_per_block", 65536},
          {"device.l2_bytes", 62914560},
          {"device.compute_capability", 90},
          {"device.global_bytes", 150109880320}};
}

Configuration defaults_of(const KernelSpec& kernel, const VariantSpec& variant) {
  Configuration configuration;
  configuration.variant = variant.name;
  for (const std::string& name : variant.parameters)
    configuration.values[name] = kernel.find_parameter(name)->default_value;
  return configuration;
}

bool contract_allows(const KernelSpec& kernel, const Configuration& configuration,
                     const std::map<std::string, Value>& constants) {
  Environment environment;
  for (const auto& [name, value] : constants) environment.set(name, value);
  for (const auto& [name, value] : configuration.values) environment.set(name, value);
  const auto hold = [&](const std::vector<ConstraintSpec>& constraints) {
    for (const ConstraintSpec& constraint : constraints)
      if (!constraint.expr.evaluate_bool(environment)) return false;
    return true;
  };
  return hold(kernel.constraints) && hold(kernel.find_variant(configuration.variant)->constraints);
}

class ShippedSweep : public ::testing::TestWithParam<const char*> {};

TEST_P(ShippedSweep, TriesTheDefaultsOfItsVariants) {
  const SweepSpec sweep = read_sweep(kHome / "configs" / (std::string(GetParam()) + ".yaml"));
  const KernelSpec kernel = read_kernel(kHome / "kernels" / sweep.kernel);
  EXPECT_NE(kernel.baseline, "");
  std::vector<ProblemChoice> problems = sweep.problems;
  problems.insert(problems.end(), sweep.emulated.begin(), sweep.emulated.end());
  std::size_t tried = 0;
  for (const ProblemChoice& choice : problems) {
    const auto problem = complete_problem(kernel, choice.sizes, choice.where);
    const auto space = solve_space(define_space(sweep, &kernel, problem, h200_limits()));
    std::map<std::string, Value> constants = h200_limits();
    constants.insert(problem.begin(), problem.end());
    for (const std::string& name : space->variants()) {
      const Configuration defaults = defaults_of(kernel, *kernel.find_variant(name));
      if (!contract_allows(kernel, defaults, constants)) continue;
      EXPECT_TRUE(space->index_of(defaults).has_value())
          << defaults.to_string() << " on " << describe_problem(kernel, problem);
      ++tried;
    }
  }
  // Every problem has at least one.
  EXPECT_GE(tried, problems.size());
}

INSTANTIATE_TEST_SUITE_P(Configs, ShippedSweep,
                         ::testing::Values("softmax_topk", "softmax_topk_quick", "gated_activation",
                                           "rmsnorm_residual"));

}  // namespace
}  // namespace warpwright
