// Graphs: every one that is in the repository, mutated.
#include <gtest/gtest.h>

#include "bench/graph/graph_spec.h"
#include "fuzz/corpus.h"
#include "fuzz/fuzz.h"
#include "fuzz/mutator.h"

namespace warpwright::fuzz {
namespace {

// A graph that was read is used as well: sizes multiply, conditions and cuts are evaluated.
void check_graph_text(const std::string& text) {
  const GraphSpec graph = parse_graph(text, source_folder() / "configs/graphs/fuzzed.yaml");
  for (const bool emulated : {false, true}) {
    for (const Problem& sizes : graph_sizes(graph, emulated)) {
      Environment environment;
      for (const auto& [name, value] : sizes) environment.set(name, value);
      for (const GraphStep& step : graph.steps) {
        if (step.when && !step.when->evaluate_bool(environment)) continue;
        for (const GraphSize& size : step.problem) {
          if (environment.find(size.value.text()) != nullptr)
            (void)size.value.evaluate(environment);
        }
        for (const GraphInput& input : step.inputs) {
          if (!input.from) continue;
          (void)input.from->evaluate_integer(environment);
          (void)input.to->evaluate_integer(environment);
        }
      }
    }
  }
}

TEST(Fuzz, Graphs) {
  const std::vector<std::string> pieces = {"[",
                                           "]",
                                           "{",
                                           "}",
                                           ": ",
                                           ", ",
                                           "\n  - ",
                                           "\n    ",
                                           "'",
                                           "\"",
                                           "\t",
                                           "null",
                                           "0",
                                           "-1",
                                           "1 / 0",
                                           "a.b[",
                                           "x.y",
                                           "[0 : 1]",
                                           "[1:0]",
                                           ".",
                                           ":",
                                           "batch",
                                           "heads*d",
                                           "[1, 2, 3, 4]",
                                           "when: ",
                                           "because: ",
                                           "fills:",
                                           "inputs: ",
                                           "9223372036854775807",
                                           "\xFF"};
  const Mutator mutator(read_all(corpus_files("configs/graphs", ".yaml")), pieces, "[]{}()");
  FuzzTarget target;
  target.name = "graph";
  target.inputs = 2000;
  target.make = [&](Random& random) { return mutator.make(random); };
  target.check = check_graph_text;
  target.least_taken = target.least_refused = target.inputs / 20;
  run_fuzz(target);
}

}  // namespace
}  // namespace warpwright::fuzz
