#include <gtest/gtest.h>

#include "spec/spec_fixture.h"

namespace warpwright {
namespace {

SweepSpec sweep_of(const std::string& rest) {
  return parse_sweep(
      "kernel: softmax_topk\nproblems: [{rows: [1, 2], V: 10, K: 1}]\nemulated: [{rows: 3, V: 10, "
      "K: 1}]\n" +
          rest,
      "sweep.yaml");
}

SweepSpec overridden(const std::string& rest, const char* assignment) {
  SweepSpec sweep = sweep_of(rest);
  apply_override(sweep, fixture_kernel(), assignment);
  check_sweep(sweep, fixture_kernel());
  return sweep;
}

TEST(ApplyOverride, SetsASizeInEveryProblemAndMergesEqualOnes) {
  const SweepSpec sweep = overridden("", "rows=64");
  ASSERT_EQ(sweep.problems.size(), 1U);
  EXPECT_EQ(sweep.problems[0].sizes.at("rows"), Value(64));
  EXPECT_EQ(sweep.problems[0].size_where.at("rows").to_string(), "--set rows=64");
  ASSERT_EQ(sweep.emulated.size(), 1U);
  EXPECT_EQ(sweep.emulated[0].sizes.at("rows"), Value(64));
}

TEST(ApplyOverride, SetsASizeThatTheSweepLeavesToItsDefault) {
  EXPECT_EQ(overridden("", "dtype=bf16").problems.at(1).sizes.at("dtype"), Value("bf16"));
  EXPECT_EQ(overridden("", "scale=2").problems.at(0).sizes.at("scale"), Value(2.0));
}

TEST(ApplyOverride, PinsAParameterOfTheSpace) {
  const SweepSpec sweep =
      overridden("space: {THREADS: [32, 64], LOCAL_K: [1, 2]}\n", "THREADS=128");
  ASSERT_EQ(sweep.space.size(), 2U);
  EXPECT_EQ(sweep.space[0].values, (std::vector<Value>{Value(128)}));
  EXPECT_EQ(sweep.space[1].values.size(), 2U);
}

TEST(ApplyOverride, PinsAParameterThatTheSpaceDoesNotList) {
  const SweepSpec sweep = overridden("", "ORDER=column");
  ASSERT_EQ(sweep.space.size(), 1U);
  EXPECT_EQ(sweep.space[0].name, "ORDER");
  EXPECT_EQ(sweep.space[0].values, (std::vector<Value>{Value("column")}));
}

TEST(ApplyOverride, SelectsAVariantAndDropsParametersOfTheOthers) {
  const SweepSpec sweep =
      overridden("space: {THREADS: [32, 64], LOCAL_K: [1, 2]}\n", "variant=warp_row");
  EXPECT_EQ(sweep.variants, (std::vector<std::string>{"warp_row"}));
  ASSERT_EQ(sweep.space.size(), 1U);
  EXPECT_EQ(sweep.space[0].name, "THREADS");
}

TEST(ApplyOverride, SelectsEveryVariant) {
  EXPECT_FALSE(overridden("space: {variant: warp_row}\n", "variant=all").variants.has_value());
}

class ApplyOverrideErrors : public testing::TestWithParam<BadText> {};

TEST_P(ApplyOverrideErrors, SayCauseAndFix) {
  SweepSpec sweep = sweep_of("presets: {V0: {THREADS: 64}}\nversion: [0]\n");
  EXPECT_EQ(message_of([&] { apply_override(sweep, fixture_kernel(), GetParam().text); }),
            GetParam().message);
}

const BadText kApplyOverrideErrors[] = {
    {"Nothing", "", "--set : expected NAME=VALUE, as in `--set rows=1024`"},
    {"NoValue", "rows=", "--set rows=: expected NAME=VALUE, as in `--set rows=1024`"},
    {"NoName", "=4", "--set =4: expected NAME=VALUE, as in `--set rows=1024`"},
    {"NoEquals", "rows", "--set rows: expected NAME=VALUE, as in `--set rows=1024`"},
    {"UnknownName", "row=4",
     "--set row=4: unknown problem size or parameter 'row' of kernel 'softmax_topk'; did you mean "
     "'rows'?"},
    {"UnknownVariant", "variant=wrap_row",
     "--set variant=wrap_row: unknown variant 'wrap_row' of kernel 'softmax_topk'; did you mean "
     "'warp_row'?"},
    {"SizeBelowOne", "rows=0", "--set rows=0: problem size 'rows': got 0, expected at least 1"},
    {"SizeText", "rows=many",
     "--set rows=many: problem size 'rows': got the string 'many', expected an integer"},
    {"SizeReal", "rows=1e3",
     "--set rows=1e3: problem size 'rows': got the real 1000.0, expected an integer; write 1000"},
    {"SizeOctal", "rows=010",
     "--set rows=010: '010' is ambiguous, it is 8 to readers that take it as octal; write 10 or 8"},
    {"List", "rows=1,2",
     "--set rows=1,2: '1,2' is neither a number nor a name; quote it if it is text"},
    {"ParameterNotListed", "LOCAL_K=3",
     "--set LOCAL_K=3: parameter 'LOCAL_K': got 3, expected one of 1, 2, 4, 8, 16"},
    {"ParameterAboveMax", "THREADS=2048",
     "--set THREADS=2048: parameter 'THREADS': got 2048, expected at most 1024"},
    {"ParameterOfAPreset", "THREADS=128",
     "--set THREADS=128: parameter 'THREADS' is fixed by the preset 'V0' that `version` selects; "
     "change the preset, or drop `version`"},
};

INSTANTIATE_TEST_SUITE_P(Assignments, ApplyOverrideErrors, testing::ValuesIn(kApplyOverrideErrors),
                         case_name<BadText>);

}  // namespace
}  // namespace warpwright
