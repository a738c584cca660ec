// Tests what is made of an observed profile, of formulas, and of the ceilings of a GPU.
#include "bench/account.h"

#include <gmock/gmock.h>

#include "core/error.h"

namespace warpwright {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

ArgumentUse array_use(const char* role, std::uint64_t read, std::uint64_t distinct_read,
                      std::uint64_t written) {
  ArgumentUse use;
  use.role = role;
  use.read = read;
  use.distinct_read = distinct_read;
  use.written = use.distinct_written = written;
  return use;
}

// Two launches: one writes scratch, the other reads it three times.
Profile observed_profile() {
  Profile profile;
  profile.launches.resize(2);
  profile.launches[0].arguments = {array_use("in", 300, 100, 0), array_use("scratch", 0, 0, 50)};
  profile.launches[1].arguments = {array_use("scratch", 150, 50, 0), array_use("out", 0, 0, 10)};
  profile.launches[0].counters.fp32_fma_lanes = 20;
  profile.launches[0].counters.fp32_add_lanes = 3;
  profile.launches[1].counters.fp16_mul_lanes = 4;
  profile.launches[1].counters.tensor_bf16_ops = 1000;
  profile.launches[1].counters.special_lanes = 7;
  return profile;
}

GpuFile round_gpu() {
  return {"mine", "My GPU", {{"read", 1, "x"}, {"fma_f32", 1, "x"}, {kSpecialCeiling, 0.1, "x"}}};
}

TEST(CountedAmounts, AddUpLaunchesAndSeparateScratch) {
  const Amounts amounts = counted_amounts(observed_profile());
  EXPECT_EQ(amounts.reads, 150);
  EXPECT_EQ(amounts.writes, 60);
  EXPECT_EQ(amounts.scratch, 100);
  EXPECT_EQ(amounts.requested, 510);
  EXPECT_EQ(amounts.traffic(), 210);
}

TEST(CountedAmounts, AnFmaIsTwoAndAPairOfHalvesTwoAsWell) {
  const Amounts amounts = counted_amounts(observed_profile());
  EXPECT_EQ(amounts.flops, 2 * 20 + 3 + 2 * 4);
  EXPECT_EQ(amounts.tensor, 1000);
  EXPECT_EQ(amounts.special, 7);
  EXPECT_THAT(amounts.by_ceiling, ElementsAre(Pair("fma_f16", 8), Pair("fma_f32", 43),
                                              Pair("special", 7), Pair("tensor_bf16", 1000)));
  EXPECT_DOUBLE_EQ(*amounts.intensity(), 1051.0 / 210);
}

TEST(FormulaAmounts, LeaveOutWhatHasNoFormula) {
  VariantAccounting formulas;
  formulas.reads = Expr::parse("4*n");
  formulas.tensor = Expr::parse("8*n");
  Environment environment;
  environment.set("n", 5);
  const Amounts amounts = formula_amounts(formulas, environment, "wgmma_bf16");
  EXPECT_EQ(amounts.reads, 20);
  EXPECT_FALSE(amounts.writes);
  EXPECT_FALSE(amounts.traffic());
  EXPECT_THAT(amounts.by_ceiling, ElementsAre(Pair("wgmma_bf16", 40)));
}

TEST(FormulaAmounts, BelowZeroAreAnErrorOfTheContract) {
  VariantAccounting formulas;
  formulas.variant = "plain";
  formulas.writes = Expr::parse("n - 6", {"kernel.yaml", 7, 3});
  Environment environment;
  environment.set("n", 5);
  try {
    static_cast<void>(formula_amounts(formulas, environment, ""));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.message(),
              "kernel.yaml:7:3: accounting.plain.writes: got -1, expected an amount of at least 0");
  }
}

TEST(RelativeDifference, IsOfTheCount) {
  EXPECT_EQ(relative_difference(100, 90), 0.1);
  EXPECT_EQ(relative_difference(0, 0), 0);
  EXPECT_EQ(relative_difference(0, 1), std::nullopt);
  EXPECT_EQ(relative_difference(1, std::nullopt), std::nullopt);
}

TEST(CeilingTime, TheLongestPartBounds) {
  const std::optional<CeilingTime> time =
      ceiling_time(counted_amounts(observed_profile()), round_gpu());
  ASSERT_TRUE(time);
  std::vector<std::string> names;
  for (const CeilingTime::Term& term : time->terms) names.push_back(term.name);
  EXPECT_THAT(names, ElementsAre("memory", "special", "fma_f32"));
  EXPECT_EQ(time->bound(), "memory");
  EXPECT_DOUBLE_EQ(time->us(), 0.21);
  EXPECT_DOUBLE_EQ(time->terms[1].us, 0.07);
  EXPECT_DOUBLE_EQ(time->terms[2].us, 0.043);
  EXPECT_THAT(time->missing, ElementsAre("fma_f16", "tensor_bf16"));
}

TEST(CeilingTime, NeedsTheTraffic) { EXPECT_FALSE(ceiling_time(Amounts(), round_gpu())); }

}  // namespace
}  // namespace warpwright
