// Tests spaces of sweeps that are invalid for every kernel.
#include <gtest/gtest.h>

#include "spec/spec_fixture.h"

namespace warpwright {
namespace {

// The lines that precede each text; the text therefore begins on line 3.
constexpr std::string_view kSweepSpaceErrorsHeader =
    R"(kernel: k
problems: [{rows: 1}]
)";

class SweepSpaceErrors : public testing::TestWithParam<BadText> {};

TEST_P(SweepSpaceErrors, SaysPlaceCauseAndFix) {
  EXPECT_EQ(sweep_message(std::string(kSweepSpaceErrorsHeader).append(GetParam().text)),
            GetParam().message);
}

const BadText kSweepSpaceErrors[] = {
    {"EmptyValueList", "space: {A: []}\n",
     "sweep.yaml:3:12: space.A: got an empty list, expected at least one value"},
    {"NestedValueList", "space: {A: [[1, 2]]}\n",
     "sweep.yaml:3:13: space.A[0]: got a list, expected one value"},
    {"MissingValue", "space: {A: }\n",
     "sweep.yaml:3:9: space.A: got nothing, expected a value, a list, {range: ...} or {pow2: ...}"},
    {"DuplicateValue", "space: {A: [16, 32, 0x10]}\n",
     "sweep.yaml:3:21: space.A[2]: got 16 twice; list each value once"},
    {"DuplicateReal", "space: {A: [0.5, 1, 1.0]}\n",
     "sweep.yaml:3:21: space.A[2]: got 1.0 twice; list each value once"},
    {"MixedValues", "space: {A: [1, two]}\n",
     "sweep.yaml:3:16: space.A[1]: got the string 'two', expected an integer like the values "
     "before it"},
    {"MixedBooleans", "space: {A: [true, 1]}\n",
     "sweep.yaml:3:19: space.A[1]: got the integer 1, expected true or false like the values "
     "before it"},
    {"AmbiguousValue", "space: {A: [yes, no]}\n",
     "sweep.yaml:3:13: space.A[0]: 'yes' is ambiguous, expected true or false; quote it if it is "
     "text"},
    {"CapitalTrue", "space: {A: [True]}\n",
     "sweep.yaml:3:13: space.A[0]: 'True' is ambiguous, expected true or false; quote it if it is "
     "text"},
    {"Date", "space: {A: [2020-01-01]}\n",
     "sweep.yaml:3:13: space.A[0]: '2020-01-01' is neither a number nor a name; quote it if it is "
     "text"},
    {"SpaceKeyNoName", "space: {2A: [1]}\n",
     "sweep.yaml:3:9: space.2A: got '2A', expected a name of letters, digits and '_' that does not "
     "start with a digit"},
    {"SpaceIsAList", "space: [A]\n", "sweep.yaml:3:8: space: got a list, expected a map"},
    {"RangeUnknownForm", "space: {A: {rang: [1, 2]}}\n",
     "sweep.yaml:3:13: unknown key 'rang' in space.A; did you mean 'range'?"},
    {"RangeAndPow2", "space: {A: {range: [1, 2], pow2: [1, 2]}}\n",
     "sweep.yaml:3:12: space.A: expected either {range: [first, last, step]} or {pow2: [first, "
     "last]}"},
    {"RangeEmptyMap", "space: {A: {}}\n",
     "sweep.yaml:3:12: space.A: expected either {range: [first, last, step]} or {pow2: [first, "
     "last]}"},
    {"RangeOneNumber", "space: {A: {range: [1]}}\n",
     "sweep.yaml:3:20: space.A.range: got a list of 1, expected [first, last] or [first, last, "
     "step]"},
    {"RangeNoList", "space: {A: {range: 5}}\n",
     "sweep.yaml:3:20: space.A.range: got the integer 5, expected [first, last] or [first, last, "
     "step]"},
    {"RangeReversed", "space: {A: {range: [9, 1]}}\n",
     "sweep.yaml:3:20: space.A.range: got 9 to 1, expected the smaller number first"},
    {"RangeStepZero", "space: {A: {range: [1, 9, 0]}}\n",
     "sweep.yaml:3:20: space.A.range: got step 0, expected at least 1"},
    {"RangeReal", "space: {A: {range: [1, 9, 0.5]}}\n",
     "sweep.yaml:3:27: space.A.range[2]: got the real 0.5, expected an integer"},
    {"RangeExponent", "space: {A: {range: [1, 1e3]}}\n",
     "sweep.yaml:3:24: space.A.range[1]: got the real 1000.0, expected an integer; write 1000"},
    {"RangeHuge", "space: {A: {range: [1, 100001]}}\n",
     "sweep.yaml:3:20: space.A.range: got more than 100000 values, expected fewer; take a larger "
     "step"},
    {"RangeWholeInt64", "space: {A: {range: [-9223372036854775808, 9223372036854775807]}}\n",
     "sweep.yaml:3:20: space.A.range: got more than 100000 values, expected fewer; take a larger "
     "step"},
    {"Pow2NoPower", "space: {A: {pow2: [32, 1000]}}\n",
     "sweep.yaml:3:19: space.A.pow2: got 1000, expected a power of two"},
    {"Pow2Zero", "space: {A: {pow2: [0, 8]}}\n",
     "sweep.yaml:3:19: space.A.pow2: got 0, expected a power of two"},
    {"VariantTwice", "space: {variant: [a, b, a]}\n",
     "sweep.yaml:3:25: space.variant[2]: variant 'a' is listed twice; remove one"},
    {"VariantEmpty", "space: {variant: []}\n",
     "sweep.yaml:3:18: space.variant: got an empty list, expected at least one variant; write "
     "`all` for every one"},
    {"VariantAllInAList", "space: {variant: [a, all]}\n",
     "sweep.yaml:3:22: space.variant[1]: got 'all' in a list; write `variant: all`"},
    {"VariantMap", "space: {variant: {a: 1}}\n",
     "sweep.yaml:3:18: space.variant: got a map, expected a list"},
};

INSTANTIATE_TEST_SUITE_P(Texts, SweepSpaceErrors, testing::ValuesIn(kSweepSpaceErrors),
                         case_name<BadText>);

}  // namespace
}  // namespace warpwright
