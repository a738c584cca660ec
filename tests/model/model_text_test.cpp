#include "model/model_text.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "model/given_rates.h"
#include "output/golden.h"
#include "terminal/narrow.h"
#include "terminal/numbers.h"
#include "terminal/screen.h"

namespace warpwright::testing {
namespace {

ModelReport report_of(const std::string& model, const std::vector<Parallel>& ways) {
  ModelReport report;
  report.spec = connected(model_of(model));
  report.rates = round_rates(4000, 800'000);
  report.rates.floor_us = 1.5;
  report.rates.floor_origin = "given";
  for (const Parallel& parallel : ways) {
    for (const std::int64_t batch : {1, 64})
      report.steps.push_back(estimate(report.spec, {batch, 4096}, parallel, report.rates));
  }
  return report;
}

TEST(ModelText, OneGpuAndSeveral) {
  expect_golden("model_llama.txt",
                model_text(report_of("llama-3-8b", {{1, 1, 1, 1}, {8, 1, 1, 1}, {1, 1, 4, 1}})));
}

TEST(ModelText, ExpertsAndAPipeline) {
  expect_golden("model_mixtral.txt",
                model_text(report_of("mixtral-8x7b", {{1, 1, 1, 8}, {2, 4, 1, 1}})));
}

TEST(ModelText, EveryTerminalShowsTimesAndTheirKind) {
  const ModelReport report = report_of("mixtral-8x7b", {{1, 1, 1, 8}, {2, 4, 1, 1}});
  std::vector<std::string> whole = {"modelled", "step µs", "µs a step"};
  for (const StepEstimate& step : report.steps) whole.push_back(format_us(step.step_us));
  expect_fits([&](const Screen& screen) { return model_text(report, screen); }, whole);
}

TEST(ModelText, AMeasuredOperationIsMarked) {
  ModelReport report = report_of("gpt2", {});
  report.steps = {estimate(report.spec, {1, 100}, {}, report.rates)};
  report.steps[0].operations.back().measured = TunedTime{9.5, 9.4, 9.6, "cold-graph-1", 12};
  EXPECT_NE(model_text(report).find("measured, trial 12 (cold-graph-1)"), std::string::npos);
  const nlohmann::json operation = model_json(report)["steps"][0]["operations"].back();
  EXPECT_EQ(operation["source"], "measured");
  EXPECT_EQ(operation["ci_high_us"], 9.6);
}

TEST(ModelText, JsonHasEverySumAndSaysModelled) {
  const nlohmann::json json = model_json(report_of("gpt2", {}));
  EXPECT_EQ(json["parameters"], 124'439'808);
  EXPECT_EQ(json["rates"]["origin"], "given");
  ModelReport emulated = report_of("gpt2", {});
  emulated.rates.given = false;
  emulated.rates.roofs.modelled = true;
  EXPECT_EQ(model_json(emulated)["rates"]["origin"], "modelled");
  const ModelReport report = report_of("llama-3-8b", {{2, 1, 1, 1}});
  const nlohmann::json step = model_json(report)["steps"][0];
  EXPECT_EQ(step["modelled"], true);
  EXPECT_EQ(step["gpus"], 2);
  double us = 0;
  for (const nlohmann::json& one : step["operations"]) us += one["step_us"].get<double>();
  EXPECT_NEAR(us, step["step_us"].get<double>(), 1e-6);
}

TEST(ModelText, BytesInDecimalUnits) {
  EXPECT_EQ(format_bytes(0), "0 B");
  EXPECT_EQ(format_bytes(999), "999 B");
  EXPECT_EQ(format_bytes(1'646'821'376), "1.647 GB");
  EXPECT_EQ(format_bytes(16.06e9), "16.06 GB");
  EXPECT_EQ(format_bytes(141e9), "141.0 GB");
  EXPECT_EQ(format_bytes(1e21), "1000000.0 PB");
}

}  // namespace
}  // namespace warpwright::testing
