// The true times of harness_spin's space, as the contract computes them, compared with the
// documented series.
#include <gtest/gtest.h>

#include <algorithm>

#include "harness/selftest/sweep_sections.h"
#include "space/search_space.h"
#include "spec/sweep_spec.h"
#include "sweep/sweep_plan.h"

namespace warpwright {
namespace {

const std::filesystem::path kHome = WARPWRIGHT_SOURCE_DIR;
const std::filesystem::path kConfig = kHome / "configs" / "harness_spin.yaml";
const std::filesystem::path kKernel = kHome / "kernels" / "harness_spin" / "kernel.yaml";

Configuration configuration(int a, int b, int c, int label = 0) {
  return {"space", {{"A", a}, {"B", b}, {"C", c}, {"LABEL", label}}};
}

TEST(SpaceTruth, EveryRankHasItsTimeAndOnlyTheBestHasATwin) {
  const SpaceTruth truth(kConfig, kKernel, {});
  const KernelSpec kernel = read_kernel(kKernel);
  const SweepSpec sweep = read_sweep(kConfig);
  const auto space =
      solve_space(define_space(sweep, &kernel, {{"n", 32}, {"base", 4000}}, device_constants({})));
  ASSERT_EQ(space->count(), 201u);
  EXPECT_EQ(truth.count(), 201u);
  std::vector<std::int64_t> steps;
  space->for_each([&](const Configuration& one) {
    steps.push_back(truth.steps(one));
    return true;
  });
  std::sort(steps.begin(), steps.end());
  EXPECT_EQ(steps[0], 4000);
  for (std::int64_t rank = 0; rank < 200; ++rank) {
    EXPECT_EQ(steps[static_cast<std::size_t>(rank + 1)], 4000 + 4000 * rank * (200 + rank) / 40000)
        << "rank " << rank;
  }
}

TEST(SpaceTruth, TheBestAndItsTwinAreOne) {
  const SpaceTruth truth(kConfig, kKernel, {});
  EXPECT_DOUBLE_EQ(truth.relative(configuration(3, 3, 2)), 1);
  EXPECT_DOUBLE_EQ(truth.relative(configuration(3, 3, 2, 1)), 1);
  EXPECT_GT(truth.relative(configuration(3, 3, 3)), 1);
  EXPECT_GT(truth.relative(configuration(4, 3, 2)), 1.1);
}

}  // namespace
}  // namespace warpwright
