// Tests sweeps that are invalid for every kernel: missing keys, problems, bare spaces.
#include <gtest/gtest.h>

#include "spec/spec_fixture.h"

namespace warpwright {
namespace {

class SweepErrors : public testing::TestWithParam<BadText> {};

TEST_P(SweepErrors, SaysPlaceCauseAndFix) {
  EXPECT_EQ(sweep_message(GetParam().text), GetParam().message);
}

const BadText kSweepErrors[] = {
    {"UnknownKey", "kernal: k\n", "sweep.yaml:1:1: unknown key 'kernal'; did you mean 'kernel'?"},
    {"MissingProblems", "kernel: k\n",
     "sweep.yaml:1:1: missing key 'problems'; add `problems: [{rows: 1024}]`"},
    {"MissingSpace", "constraints: [\"1 < 2\"]\n",
     "sweep.yaml:1:1: missing key 'space'; add `space: {THREADS: [128, 256]}`"},
    {"KernelIsAMap", "kernel: {name: k}\n",
     "sweep.yaml:1:9: kernel: got a map, expected a name of letters, digits and '_' that does not "
     "start with a digit"},
    {"KernelIsANumber",
     "kernel: 5\n"
     "problems: []\n",
     "sweep.yaml:1:9: kernel: got the integer 5, expected a name of letters, digits and '_' that "
     "does not start with a digit"},
    {"NoProblems",
     "kernel: k\n"
     "problems: []\n",
     "sweep.yaml:2:11: problems: got an empty list, expected at least one problem"},
    {"ProblemsIsAMap",
     "kernel: k\n"
     "problems: {rows: 1}\n",
     "sweep.yaml:2:11: problems: got a map, expected a list"},
    {"ProblemIsANumber",
     "kernel: k\n"
     "problems: [5]\n",
     "sweep.yaml:2:12: problems[0]: got the integer 5, expected a map"},
    {"SameProblemTwice",
     "kernel: k\n"
     "problems:\n"
     "  - {rows: [1, 2]}\n"
     "  - {rows: 2}\n",
     "sweep.yaml:4:5: problems: the same problem is given twice; remove one"},
    {"ProblemListEmpty",
     "kernel: k\n"
     "problems: [{rows: []}]\n",
     "sweep.yaml:2:19: problems[0].rows: got an empty list, expected at least one value"},
    {"ProblemOctal",
     "kernel: k\n"
     "problems: [{rows: 010}]\n",
     "sweep.yaml:2:19: problems[0].rows: '010' is ambiguous, it is 8 to readers that take it as "
     "octal; write 10 or 8"},
    {"ProblemWithAFill",
     "kernel: k\n"
     "problems: [{rows: 1, fill: {x: ones}}]\n",
     "sweep.yaml:2:28: problems[0].fill: problems are filled as kernel.yaml says; write the fill "
     "there, under `arguments`, or under `cases` for a case alone"},
    {"TooManyProblems",
     "kernel: k\n"
     "problems: [{a: {range: [1, 1000]}, b: {range: [1, 1000]}}]\n",
     "sweep.yaml:2:39: problems[0].b: the lists multiply out to more than 10000 problems"},
    {"BareSpaceWithProblems",
     "space: {A: 1}\n"
     "problems: [{rows: 1}]\n",
     "sweep.yaml:2:1: problems: needs a kernel; add `kernel: NAME` (a bare space has only `space` "
     "and `constraints`)"},
    {"BareSpaceWithHazards",
     "space: {A: 1}\n"
     "hazards: warn\n",
     "sweep.yaml:2:1: hazards: needs a kernel; add `kernel: NAME` (a bare space has only `space` "
     "and `constraints`)"},
    {"BareSpaceWithVariant", "space: {variant: all, A: 1}\n",
     "sweep.yaml:1:9: space.variant: a bare space has no variants; remove it"},
    {"BareSpaceEmpty", "space: {}\n",
     "sweep.yaml:1:8: space: got an empty map, expected at least one parameter"},
    {"BareSpaceUnknownName",
     "space: {THREADS: [1, 2]}\n"
     "constraints: [\"THREDS < 2\"]\n",
     "sweep.yaml:2:16: unknown parameter 'THREDS' in \"THREDS < 2\"; did you mean 'THREADS'?\n"
     "  THREDS < 2\n"
     "  ^"},
};

INSTANTIATE_TEST_SUITE_P(Texts, SweepErrors, testing::ValuesIn(kSweepErrors), case_name<BadText>);

}  // namespace
}  // namespace warpwright
