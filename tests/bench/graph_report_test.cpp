// The sums of a graph's report, and their form in its text and JSON.
#include "bench/graph/graph_report.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

namespace warpwright::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TimeEstimate cold_of(double us) {
  TimeEstimate time;
  time.median_us = us;
  time.ci_low_us = us - 0.5;
  time.ci_high_us = us + 0.5;
  time.protocol = "cold-graph-1";
  return time;
}

class GraphReportTest : public ::testing::Test {
 protected:
  GraphReportTest() {
    kernel_.name = "scale";
    plan_.sizes = {{"batch", 1}};
    for (const char* name : {"a", "b"}) {
      PlannedStep step;
      step.name = name;
      step.kernel = &kernel_;
      step.problem = {{"n", 8}};
      step.configuration = {"plain", {{"THREADS", 64}}};
      step.origin = "default";
      plan_.steps.push_back(step);
    }
    plan_.steps[1].connected = {"x = a.y"};
    run_.plan = &plan_;
    run_.result.launches = 2;
    run_.result.steps = {cold_of(10), cold_of(20)};
    run_.result.whole = cold_of(25);
    run_.result.hot = cold_of(15);
  }
  [[nodiscard]] GraphReport graph_report(bool modelled = false) const {
    return {"g",      "two", "",    modelled ? "emu:sm_90a" : "cuda:0", "a device", "f",
            modelled, "",    {run_}};
  }

  KernelSpec kernel_;
  GraphPlan plan_;
  GraphRun run_;
};

TEST_F(GraphReportTest, ComparesTheSumWithTheGraph) {
  const std::string text = graph_text(graph_report());
  EXPECT_THAT(text, HasSubstr("g on cuda:0 (a device), measured\n"));
  EXPECT_THAT(text, HasSubstr("one graph of 2 launches, measured cold: 25.00 µs [24.50, 25.50]\n"));
  EXPECT_THAT(text, HasSubstr("sum of the kernels, each measured cold alone: 30.00 µs, 20.0 % more "
                              "than the graph\n"));
  EXPECT_THAT(text,
              HasSubstr("again and again, measured hot: 15.00 µs [14.50, 15.50] each time\n"));
  EXPECT_THAT(text, Not(HasSubstr("sum of the database's times")));
}

TEST_F(GraphReportTest, AddsTheGapsThatNoKernelsTimeHolds) {
  run_.result.gap_us = 1.25;
  EXPECT_THAT(graph_text(graph_report()),
              HasSubstr("the same with 1 gaps of 1.25 µs, the time of an empty kernel in a chain: "
                        "31.25 µs, 25.0 % more than the graph\n"));
  EXPECT_EQ(graph_json(graph_report())["runs"][0]["sum_with_gaps_us"], 31.25);
}

TEST_F(GraphReportTest, ComparesTheDatabaseWhereItHasEveryStep) {
  plan_.steps[0].database = DatabaseTime{5, 7, "cold-graph-1"};
  EXPECT_FALSE(run_.database_sum_us().has_value());
  plan_.steps[1].database = DatabaseTime{15, 8, "cold-graph-1"};
  EXPECT_THAT(graph_text(graph_report()),
              HasSubstr("sum of the database's times: 20.00 µs, 20.0 % less than the graph\n"));
}

TEST_F(GraphReportTest, SaysWhyThereIsNoHotTime) {
  run_.result.hot.reset();
  run_.result.without_hot = "it counts";
  EXPECT_THAT(graph_text(graph_report()), HasSubstr("hot: not measured; it counts\n"));
}

TEST_F(GraphReportTest, AModelledRunIsNotMeasured) {
  run_.result.whole->modelled = true;
  const std::string text = graph_text(graph_report(true));
  EXPECT_THAT(text,
              HasSubstr("g on emu:sm_90a (a device), modelled from counters, not measured\n"));
  EXPECT_THAT(text, HasSubstr("2 launches in sequence, modelled: 25.00 µs, the sum of its "
                              "launches\n"));
  EXPECT_THAT(text, Not(HasSubstr("measured cold")));
}

TEST_F(GraphReportTest, NamesWhatIsNotInTheGraph) {
  plan_.left_out = {{"c", "gemv", "there is no GEMM"}};
  plan_.steps[0].unconnected = {"x = c.y"};
  const std::string text = graph_text(graph_report());
  EXPECT_THAT(text, HasSubstr("not in the graph: c (gemv): there is no GEMM\n"));
  EXPECT_THAT(text, HasSubstr("filled, because its source is not in the graph: x = c.y of a\n"));
}

TEST_F(GraphReportTest, AFailureStandsInThePlaceOfSums) {
  run_.result = {};
  run_.result.status = Status::kWrongResult;
  run_.result.reason = "step 'b' (scale): output 'y' is wrong";
  const std::string text = graph_text(graph_report());
  EXPECT_THAT(text, HasSubstr("wrong_result: step 'b' (scale): output 'y' is wrong\n"));
  EXPECT_THAT(text, Not(HasSubstr("sum of")));
  EXPECT_EQ(graph_json(graph_report())["runs"][0]["sum_us"], nullptr);
}

TEST_F(GraphReportTest, JsonHasEveryFigure) {
  plan_.steps[0].database = DatabaseTime{5, 7, "cold-graph-1"};
  const nlohmann::json run = graph_json(graph_report())["runs"][0];
  EXPECT_EQ(run["sizes"]["batch"], 1);
  EXPECT_EQ(run["steps"][0]["time"]["median_us"], 10);
  EXPECT_EQ(run["steps"][0]["database"]["trial"], 7);
  EXPECT_EQ(run["steps"][1]["connected"], nlohmann::json({"x = a.y"}));
  EXPECT_EQ(run["sum_us"], 30);
  EXPECT_NEAR(run["sum_off_percent"].get<double>(), 20, 1e-9);
  EXPECT_EQ(run["database_sum_us"], nullptr);
  EXPECT_EQ(run["hot"]["median_us"], 15);
}

}  // namespace
}  // namespace warpwright::testing
