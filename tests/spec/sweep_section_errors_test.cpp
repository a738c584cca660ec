// Tests presets, versions, constraints, searches, budgets and policies that are invalid for every
// kernel.
#include <gtest/gtest.h>

#include "spec/spec_fixture.h"

namespace warpwright {
namespace {

// The lines that precede each text; the text therefore begins on line 3.
constexpr std::string_view kSweepSectionErrorsHeader =
    R"(kernel: k
problems: [{rows: 1}]
)";

class SweepSectionErrors : public testing::TestWithParam<BadText> {};

TEST_P(SweepSectionErrors, SaysPlaceCauseAndFix) {
  EXPECT_EQ(sweep_message(std::string(kSweepSectionErrorsHeader).append(GetParam().text)),
            GetParam().message);
}

const BadText kSweepSectionErrors[] = {
    {"UnknownKeyBesideAKernel", "budgets: 20\n",
     "sweep.yaml:3:1: unknown key 'budgets'; did you mean 'budget'?"},
    {"PresetList", "presets: {V0: [1]}\n",
     "sweep.yaml:3:15: presets.V0: got a list, expected a map"},
    {"PresetEmpty", "presets: {V0: {}}\n",
     "sweep.yaml:3:15: presets.V0: got an empty map, expected at least one value"},
    {"PresetValueList", "presets: {V0: {A: [1, 2]}}\n",
     "sweep.yaml:3:19: presets.V0.A: got a list, expected one value"},
    {"VersionUnknown",
     "presets: {V0: {A: 1}, V1: {A: 2}}\n"
     "version: [0..2]\n",
     "sweep.yaml:4:11: version[0]: unknown preset 'V2'; known: V0, V1"},
    {"VersionNameMisspelt",
     "presets: {wide: {A: 1}}\n"
     "version: [wid]\n",
     "sweep.yaml:4:11: version[0]: unknown preset 'wid'; did you mean 'wide'?"},
    {"VersionWithoutPresets", "version: [0..4]\n",
     "sweep.yaml:3:11: version[0]: unknown preset 'V0', the sweep has none; add `presets`"},
    {"VersionReversed",
     "presets: {V0: {A: 1}}\n"
     "version: [4..0]\n",
     "sweep.yaml:4:11: version[0]: got 4..0, expected the smaller number first"},
    {"VersionHalfRange",
     "presets: {V0: {A: 1}}\n"
     "version: [0..]\n",
     "sweep.yaml:4:11: version[0]: got '0..', expected a range such as 0..4"},
    {"VersionThreeDots",
     "presets: {V0: {A: 1}}\n"
     "version: [0...4]\n",
     "sweep.yaml:4:11: version[0]: got '0...4', expected a range such as 0..4"},
    {"VersionTwice",
     "presets: {V0: {A: 1}, V1: {A: 2}}\n"
     "version: [0..1, V0]\n",
     "sweep.yaml:4:17: version[1]: version 'V0' is selected twice; remove one"},
    {"VersionEmpty",
     "presets: {V0: {A: 1}}\n"
     "version: []\n",
     "sweep.yaml:4:10: version: got an empty list, expected at least one version; leave `version` "
     "out for the free space"},
    {"VersionHugeRange",
     "presets: {V0: {A: 1}}\n"
     "version: 0..2000000000\n",
     "sweep.yaml:4:10: version: unknown preset 'V1'; known: V0"},
    {"ConstraintSyntax",
     "constraints:\n"
     "  - A *\n",
     "sweep.yaml:4:8: expected a value, got the end in \"A *\"\n"
     "  A *\n"
     "     ^"},
    {"ConstraintQuotedSyntax", "constraints: [\"A < 5\", 'B < < 5']\n",
     "sweep.yaml:3:29: expected a value, got '<' in \"B < < 5\"\n"
     "  B < < 5\n"
     "      ^"},
    {"ConstraintList", "constraints: [[A]]\n",
     "sweep.yaml:3:15: constraints[0]: got a list, expected a number or an expression"},
    {"ConstraintsText", "constraints: A < 5\n",
     "sweep.yaml:3:14: constraints: got the string 'A < 5', expected a list"},
    {"SearchWithoutStrategy", "search: {population: 5}\n",
     "sweep.yaml:3:9: search: got no strategy, expected one; add `strategy: exhaustive`"},
    {"SearchOptionsBesideKnowledge", "search: {warm_start: false, population: 5}\n",
     "sweep.yaml:3:9: search: got no strategy, expected one; add `strategy: exhaustive`"},
    {"SearchWarmStart", "search: {strategy: auto, warm_start: perhaps}\n",
     "sweep.yaml:3:38: search.warm_start: got the string 'perhaps', expected true or false"},
    {"SearchPrior", "search: {strategy: auto, prior: oracle}\n",
     "sweep.yaml:3:33: search.prior: got 'oracle', expected none or emulator"},
    {"SearchList", "search: [random]\n", "sweep.yaml:3:9: search: got a list, expected a map"},
    {"SearchOptionList", "search: {strategy: random, seeds: [1]}\n",
     "sweep.yaml:3:35: search.seeds: got a list, expected one value"},
    {"BudgetText", "budget: soon\n",
     "sweep.yaml:3:9: budget 'soon': got 'soon', expected trials (200), a time (90s, 10min), a "
     "gain that is worth going on for (3%), or several of them (200,90s,3%)"},
    {"BudgetUnit", "budget: 10m\n",
     "sweep.yaml:3:9: budget '10m': unknown unit 'm', expected ms, s, min or h; did you mean "
     "'min'?"},
    {"BudgetTimeWithoutUnit", "budget: {time: 90}\n",
     "sweep.yaml:3:16: budget.time: got '90', expected a time; add a unit: ms, s, min or h"},
    {"BudgetTrialsZero", "budget: {trials: 0}\n",
     "sweep.yaml:3:18: budget.trials: got 0, expected at least 1"},
    {"BudgetTrialsReal", "budget: {trials: 1e3}\n",
     "sweep.yaml:3:18: budget.trials: got the real 1000.0, expected an integer; write 1000"},
    {"BudgetTrialsText", "budget: {trials: many}\n",
     "sweep.yaml:3:18: budget.trials: got the string 'many', expected an integer"},
    {"BudgetEmpty", "budget: {}\n",
     "sweep.yaml:3:9: budget: got none of trials, time and until, expected at least one"},
    {"BudgetKey", "budget: {trial: 5}\n",
     "sweep.yaml:3:10: unknown key 'trial' in budget; did you mean 'trials'?"},
    {"BudgetNothing", "budget:\n",
     "sweep.yaml:3:1: budget: got none of trials, time and until, expected at least one"},
    {"HazardsUnknown", "hazards: ignore\n",
     "sweep.yaml:3:10: hazards: got 'ignore', expected reject or warn"},
    {"HazardsMisspelt", "hazards: rejects\n",
     "sweep.yaml:3:10: hazards: got 'rejects', expected reject or warn; did you mean 'reject'?"},
    {"HazardsList", "hazards: [warn]\n", "sweep.yaml:3:10: hazards: got a list, expected text"},
    {"HazardsKeyMisspelt", "hazard: warn\n",
     "sweep.yaml:3:1: unknown key 'hazard'; did you mean 'hazards'?"},
};

INSTANTIATE_TEST_SUITE_P(Texts, SweepSectionErrors, testing::ValuesIn(kSweepSectionErrors),
                         case_name<BadText>);

}  // namespace
}  // namespace warpwright
