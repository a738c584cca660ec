// Tests sweeps that do not fit the contract in tests/fixtures/yaml/softmax_topk.
#include <gtest/gtest.h>

#include "spec/spec_fixture.h"

namespace warpwright {
namespace {

// The lines that precede each text; the text therefore begins on line 3.
constexpr std::string_view kCheckSweepErrorsHeader =
    R"(kernel: softmax_topk
problems: [{rows: 1, V: 10, K: 1}]
)";

class CheckSweepErrors : public testing::TestWithParam<BadText> {};

TEST_P(CheckSweepErrors, SaysPlaceCauseAndFix) {
  EXPECT_EQ(checked_message(std::string(kCheckSweepErrorsHeader).append(GetParam().text)),
            GetParam().message);
}

const BadText kCheckSweepErrors[] = {
    {"SizeMissingInEmulated", "emulated: [{rows: 1, V: 10}]\n",
     "sweep.yaml:3:12: the problem does not give 'K' (values kept per row); add `K: ...`"},
    {"VariantUnknown", "space: {variant: [block_row, wrap_row]}\n",
     "sweep.yaml:3:30: unknown variant 'wrap_row' of kernel 'softmax_topk'; did you mean "
     "'warp_row'?"},
    {"ParameterUnknown", "space: {THREDS: 32}\n",
     "sweep.yaml:3:9: unknown parameter 'THREDS' of kernel 'softmax_topk'; did you mean "
     "'THREADS'?"},
    {"ParameterOfNoSelectedVariant", "space: {variant: warp_row, LOCAL_K: 8}\n",
     "sweep.yaml:3:28: parameter 'LOCAL_K' is used by no selected variant (warp_row); remove it or "
     "select a variant that has it"},
    {"ValueBelowMin", "space: {THREADS: [16, 32]}\n",
     "sweep.yaml:3:19: parameter 'THREADS': got 16, expected at least 32"},
    {"ValueAboveMax", "space: {THREADS: [32, 2048]}\n",
     "sweep.yaml:3:23: parameter 'THREADS': got 2048, expected at most 1024"},
    {"RangeAboveMax", "space: {THREADS: {pow2: [32, 2048]}}\n",
     "sweep.yaml:3:9: parameter 'THREADS': got 2048, expected at most 1024"},
    {"ValueNotListed", "space: {LOCAL_K: [1, 3]}\n",
     "sweep.yaml:3:22: parameter 'LOCAL_K': got 3, expected one of 1, 2, 4, 8, 16"},
    {"ValueText", "space: {THREADS: many}\n",
     "sweep.yaml:3:18: parameter 'THREADS': got the string 'many', expected an integer"},
    {"ValueMisspelt", "space: {ORDER: [row, colum]}\n",
     "sweep.yaml:3:22: parameter 'ORDER': got colum, expected one of row, column; did you mean "
     "'column'?"},
    {"PresetParameterUnknown", "presets: {V0: {THREDS: 32}}\n",
     "sweep.yaml:3:24: unknown parameter 'THREDS' of kernel 'softmax_topk'; did you mean "
     "'THREADS'?"},
    {"PresetValueAboveMax",
     "presets:\n"
     "  V0: {THREADS: 32}\n"
     "  V1: {THREADS: 2048}\n",
     "sweep.yaml:5:17: parameter 'THREADS': got 2048, expected at most 1024"},
    {"PresetOfTwoVariants", "presets: {V0: {LOCAL_K: 8, ORDER: row}}\n",
     "sweep.yaml:3:11: preset 'V0': no selected variant (block_row, warp_row) has all of its "
     "parameters; split it"},
    {"ConstraintNameUnknown", "constraints: [\"THREADS * LOCALK < 100\"]\n",
     "sweep.yaml:3:26: unknown parameter 'LOCALK' in \"THREADS * LOCALK < 100\"; did you mean "
     "'LOCAL_K'?\n"
     "  THREADS * LOCALK < 100\n"
     "            ^"},
    {"ConstraintOfNoSelectedVariant",
     "space: {variant: warp_row}\n"
     "constraints: [\"THREADS * LOCAL_K < 100\"]\n",
     "sweep.yaml:4:26: 'LOCAL_K' is a parameter of no selected variant (warp_row); remove the "
     "constraint"},
    {"ConstraintOfTwoVariants", "constraints: [\"ORDER == 'row' || LOCAL_K < 8\"]\n",
     "sweep.yaml:3:16: no selected variant (block_row, warp_row) has all of LOCAL_K, ORDER; the "
     "constraint would bind nothing, remove or split it"},
};

INSTANTIATE_TEST_SUITE_P(Texts, CheckSweepErrors, testing::ValuesIn(kCheckSweepErrors),
                         case_name<BadText>);

}  // namespace
}  // namespace warpwright
