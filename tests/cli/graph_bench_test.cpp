// Tests `warpwright bench --graph` end to end on the emulator.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "support/square_sweep.h"

namespace warpwright::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;

// The graph squares squares.
class GraphBench : public SquareSweep {
 protected:
  [[nodiscard]] ProgramResult graph(const std::string& steps, std::vector<std::string> more = {},
                                    const std::string& database = "") const {
    const auto file = folder_.path() / "graph.yaml";
    write_text(file, "graph: squares\nsizes: {n: [500, 700]}\nsteps:\n" + steps);
    std::vector<std::string> all = {
        "bench",    "--graph",   file.string(), "--kernels", (folder_.path() / "kernels").string(),
        "--device", "emu:sm_90a"};
    if (!database.empty()) all.insert(all.end(), {"--db", (folder_.path() / database).string()});
    all.insert(all.end(), more.begin(), more.end());
    return run_program(all);
  }
  static nlohmann::json parse(const ProgramResult& result) {
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return nlohmann::json::parse(result.out);
  }
  static constexpr const char* kTwo =
      "  - {name: first, kernel: square, problem: {n: n}, fills: {x: 'uniform(1, 2)'}}\n"
      "  - {name: second, kernel: square, problem: {n: n}, inputs: {x: first.y}}\n";
};

TEST_F(GraphBench, RunsEveryChoiceOfSizesInSequence) {
  const nlohmann::json json = parse(graph(kTwo, {"--json"}));
  EXPECT_EQ(json["modelled"], true);
  ASSERT_EQ(json["runs"].size(), 2u);
  const nlohmann::json& run = json["runs"][1];
  EXPECT_EQ(run["sizes"]["n"], 700);
  EXPECT_EQ(run["status"], "ok");
  EXPECT_EQ(run["launches"], 2);
  EXPECT_EQ(run["steps"][1]["connected"], nlohmann::json({"x = first.y"}));
  EXPECT_EQ(run["steps"][1]["origin"], "default");
  EXPECT_TRUE(run["whole"]["modelled"]);
  EXPECT_NEAR(run["whole"]["median_us"].get<double>(), run["sum_us"].get<double>(), 1e-6);
}

TEST_F(GraphBench, TheTextSaysThatTimesAreModelled) {
  const ProgramResult result = graph(kTwo);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("modelled from counters, not measured\n"));
  EXPECT_THAT(result.out, HasSubstr("µs modelled"));
  EXPECT_THAT(result.out, HasSubstr("right: every step by its reference on the inputs that it has "
                                    "here, the sequence by its steps\n"));
}

TEST_F(GraphBench, TakesTheBestOfTheDatabase) {
  write_text(folder_.path() / "square.yaml",
             "kernel: square\nproblems: [{n: 500}]\nspace:\n  THREADS: [64, 256]\n");
  (void)finish("results.db");
  const nlohmann::json json = parse(graph(kTwo, {"--json"}, "results.db"));
  const nlohmann::json& step = json["runs"][0]["steps"][0];
  EXPECT_THAT(step["origin"].get<std::string>(),
              MatchesRegex("best of the database, trial [0-9]+"));
  EXPECT_NEAR(step["database"]["us"].get<double>(), step["time"]["median_us"].get<double>(), 1e-9);
  EXPECT_NE(json["runs"][0]["database_sum_us"], nullptr);
  EXPECT_EQ(json["runs"][1]["database_sum_us"], nullptr);
}

TEST_F(GraphBench, AStepThatIsLeftOutIsNamed) {
  const ProgramResult result = graph(
      "  - {name: first, kernel: square, problem: {n: n}, when: 'n > 600', because: it is small}\n"
      "  - {name: second, kernel: square, problem: {n: n}, inputs: {x: first.y}}\n");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("not in the graph: first (square): it is small\n"));
  EXPECT_THAT(result.out,
              HasSubstr("filled, because its source is not in the graph: x = first.y of "
                        "second\n"));
}

TEST_F(GraphBench, ShapesThatDoNotFitAreToldWithBoth) {
  const ProgramResult result = graph(
      "  - {name: first, kernel: square, problem: {n: 600}}\n"
      "  - {name: second, kernel: square, problem: {n: n}, inputs: {x: first.y}}\n");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(
      result.err,
      HasSubstr("graph.yaml:5:65: got first.y of step 'first' (square), which is f32 [600]; "
                "expected f32 [500], the 'x' of step 'second' (square)\n"));
  EXPECT_THAT(result.err, HasSubstr("while planning step 'second' of squares with n=500"));
}

TEST_F(GraphBench, AStepThatDoesNotComeBeforeIsNoSource) {
  const ProgramResult result = graph(
      "  - {name: first, kernel: square, problem: {n: n}, inputs: {x: secnd.y}}\n"
      "  - {name: second, kernel: square, problem: {n: n}}\n");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("graph.yaml:4:64: no step 'secnd' comes before 'first'"));
}

TEST_F(GraphBench, AnUnknownKernelHasItsPlace) {
  const ProgramResult result = graph("  - {name: first, kernel: squares, problem: {n: n}}\n");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("'squares'"));
  EXPECT_THAT(result.err, HasSubstr("graph.yaml:4:27"));
}

TEST_F(GraphBench, AWrongStepEndsWithOne) {
  write_text(folder_.path() / "kernels" / "square" / "plain.cu",
             "extern \"C\" __global__ void square(const float* x, float* y, int n) {\n"
             "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
             "  if (i < n) y[i] = x[i] > 4 ? 0 : x[i] * x[i];\n}\n");
  const ProgramResult result = graph(
      "  - {name: first, kernel: square, problem: {n: n}, fills: {x: 'constant(3)'}}\n"
      "  - {name: second, kernel: square, problem: {n: n}, inputs: {x: first.y}}\n");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, HasSubstr("wrong_result: step 'second' (square): output 'y' is wrong at "
                                    "[0]: got 0, "));
}

TEST_F(GraphBench, TheFileAloneSaysWhatRuns) {
  const ProgramResult result = graph(kTwo, {"square"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err,
              HasSubstr("got square as well, expected none; the file says what runs\n"));
}

// The output of each kernel is the input of the next.
TEST_F(GraphBench, ALayerOfAModelFlowsThroughTheTreesKernels) {
  const nlohmann::json json = parse(
      run_program({"bench", "--graph",
                   std::string(WARPWRIGHT_SOURCE_DIR) + "/configs/graphs/llama-3-8b-layer.yaml",
                   "--device", "emu:sm_90a", "--json"}));
  ASSERT_EQ(json["runs"].size(), 2u);
  EXPECT_EQ(json["runs"][0]["steps"].size(), 9u);
  EXPECT_EQ(json["runs"][0]["left_out"].size(), 0u);
  EXPECT_EQ(json["runs"][1]["steps"].size(), 7u);
  EXPECT_EQ(json["runs"][1]["left_out"].size(), 2u);
}

}  // namespace
}  // namespace warpwright::testing
