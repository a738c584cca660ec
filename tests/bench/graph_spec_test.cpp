// Graphs as YAML: the values that are read, and the errors.
#include "bench/graph/graph_spec.h"

#include <gmock/gmock.h>

#include "core/error.h"

namespace warpwright::testing {
namespace {

using ::testing::HasSubstr;

std::string graph_with(const std::string& step, const std::string& head = "") {
  return "graph: g\n" + head + "steps:\n  - " + step + "\n";
}

std::string graph_fault(const std::string& text) {
  try {
    (void)parse_graph(text, "g.yaml");
    return "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::kUser);
    return error.message();
  }
}

TEST(GraphSpec, HoldsStepsInTheirOrder) {
  const GraphSpec graph = parse_graph(
      "graph: g\nsummary: two\nsizes: {n: [1, 2], m: 3}\nsteps:\n"
      "  - {name: a, kernel: first, problem: {rows: n*m}}\n"
      "  - {name: b, kernel: second, problem: {}, configuration: variant=x,\n"
      "     fills: {w: zeros}, inputs: {x: a.y, z: 'a.y[n : 2*n]'}}\n",
      "g.yaml");
  ASSERT_EQ(graph.steps.size(), 2u);
  EXPECT_EQ(graph.steps[0].problem[0].value.text(), "n*m");
  const GraphStep& second = graph.steps[1];
  EXPECT_EQ(second.configuration, "variant=x");
  EXPECT_EQ(second.fills.at("w"), "zeros");
  EXPECT_EQ(second.inputs[0].step, "a");
  EXPECT_EQ(second.inputs[0].output, "y");
  EXPECT_FALSE(second.inputs[0].from.has_value());
  EXPECT_EQ(second.inputs[1].output, "y");
  EXPECT_EQ(second.inputs[1].to->to_string(), "2 * n");
}

TEST(GraphSpec, ListsOfSizesMultiply) {
  const GraphSpec graph = parse_graph(
      graph_with("{name: a, kernel: k, problem: {}}", "sizes: {n: [1, 2], m: [3, 4], l: 5}\n"),
      "g.yaml");
  const std::vector<Problem> all = graph_sizes(graph, false);
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[1], (Problem{{"n", 1}, {"m", 4}, {"l", 5}}));
}

TEST(GraphSpec, ADeviceWithoutAClockHasSizesOfItsOwn) {
  const GraphSpec graph = parse_graph(graph_with("{name: a, kernel: k, problem: {}}",
                                                 "sizes: {n: [1, 2], m: 3}\nemulated: {n: 7}\n"),
                                      "g.yaml");
  EXPECT_EQ(graph_sizes(graph, true), (std::vector<Problem>{{{"n", 7}, {"m", 3}}}));
  EXPECT_EQ(graph_sizes(graph, false).size(), 2u);
}

TEST(GraphSpec, WithoutSizesThereIsOneRun) {
  EXPECT_EQ(
      graph_sizes(parse_graph(graph_with("{name: a, kernel: k, problem: {}}"), "g.yaml"), false),
      std::vector<Problem>{{}});
}

TEST(GraphSpec, MalformedInputsAreTold) {
  const auto fault_of = [](const std::string& input) {
    return graph_fault(
        graph_with("{name: a, kernel: k, problem: {}, inputs: {x: '" + input + "'}}"));
  };
  for (const char* wrong :
       {"norm", ".y", "norm.", "norm.y[1]", "norm.y[:2]", "norm.y[1:]", "norm.y[1:2", "[1:2].y"}) {
    EXPECT_EQ(fault_of(wrong), "g.yaml:3:51: steps[0].inputs.x: got '" + std::string(wrong) +
                                   "', expected STEP.OUTPUT or STEP.OUTPUT[FIRST:END], as in "
                                   "norm.y");
  }
}

TEST(GraphSpec, AnUnknownKeyHasItsPlace) {
  EXPECT_THAT(
      graph_fault(graph_with("{name: a, kernel: k, problems: {}}")),
      HasSubstr("g.yaml:3:26: unknown key 'problems' in steps[0]; did you mean 'problem'?"));
}

TEST(GraphSpec, AStepNeedsAName) {
  EXPECT_THAT(graph_fault(graph_with("{kernel: k, problem: {}}")), HasSubstr("name: qkv"));
}

TEST(GraphSpec, TwoStepsOfOneNameAreOneTooMany) {
  EXPECT_EQ(graph_fault(graph_with("{name: a, kernel: k, problem: {}}\n"
                                   "  - {name: a, kernel: k, problem: {}}")),
            "g.yaml:4:5: steps[1]: two steps are called 'a'");
}

TEST(GraphSpec, WithoutStepsThereIsNothingToRun) {
  EXPECT_EQ(graph_fault("graph: g\nsteps: []\n"),
            "g.yaml:2:8: steps: is empty, expected at least one step");
}

TEST(GraphSpec, AReasonNeedsACondition) {
  EXPECT_EQ(graph_fault(graph_with("{name: a, kernel: k, problem: {}, because: of that}")),
            "g.yaml:3:48: steps[0].because: says why a step is left out; add `when: CONDITION`");
}

TEST(GraphSpec, AnArgumentIsFilledOrConnected) {
  EXPECT_EQ(graph_fault(graph_with(
                "{name: a, kernel: k, problem: {}, fills: {x: zeros}, inputs: {x: n.y}}")),
            "g.yaml:3:70: steps[0].inputs.x: 'x' has a fill as well; it is either filled or "
            "connected");
}

TEST(GraphSpec, EmulatedSizesAreAmongTheSizes) {
  EXPECT_EQ(graph_fault(graph_with("{name: a, kernel: k, problem: {}}",
                                   "sizes: {batch: 1}\nemulated: {bach: 1}\n")),
            "g.yaml:3:12: emulated.bach: unknown size 'bach'; did you mean 'batch'?");
}

TEST(GraphSpec, TooManyChoicesAreRefused) {
  EXPECT_THAT(graph_fault(graph_with("{name: a, kernel: k, problem: {}}",
                                     "sizes: {a: [1, 2, 3, 4, 5, 6, 7, 8, 9], b: [1, 2, 3, 4, 5, "
                                     "6, 7, 8]}\n")),
              HasSubstr("sizes.b: makes 72 choices of sizes, expected at most 64"));
}

}  // namespace
}  // namespace warpwright::testing
