// Tests times of tuned kernels in a decode step: which problem corresponds to which operation, what
// is interpolated, what is covered, and the resulting sums and table.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "model/given_rates.h"
#include "model/model_text.h"
#include "model/tuned_database.h"

namespace warpwright::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class KernelTimes : public TunedDatabase {
 protected:
  void SetUp() override { calibrate(); }

  static std::string attention(int batch, int length) {
    return nlohmann::json({{"batch", batch},
                           {"heads", 32},
                           {"kv_heads", 8},
                           {"q_len", 1},
                           {"kv_len", length},
                           {"d", 128},
                           {"dtype", "bf16"},
                           {"cache", "bf16"},
                           {"scales", "token"},
                           {"page", 0},
                           {"lengths_are", "full"},
                           {"window", 0},
                           {"sinks", 0},
                           {"scale", -1.0},
                           {"sms", 0}})
        .dump();
  }
  static std::string append(int batch, int capacity) {
    return nlohmann::json({{"batch", batch},
                           {"q_len", 1},
                           {"heads", 32},
                           {"kv_heads", 8},
                           {"d", 128},
                           {"capacity", capacity},
                           {"page", 0},
                           {"rope", "halves"},
                           {"base", 10000.0},
                           {"cache", "bf16"},
                           {"dtype", "bf16"}})
        .dump();
  }
  static std::string gemv(int tokens, int outputs, int inputs) {
    return nlohmann::json({{"m", tokens},
                           {"n", outputs},
                           {"k", inputs},
                           {"weight", "bf16"},
                           {"with_bias", 0},
                           {"dtype", "bf16"}})
        .dump();
  }

  StepEstimate step(int batch, int context, const std::string& model = "llama-3-8b") {
    rates_ = read_rates(&database_, {});
    TunedTimes tuned(database_, rates_.fingerprint);
    return estimate_step(model_of(model), {batch, context}, {}, rates_, tuned);
  }
  static const TimedOperation& in(const StepEstimate& step, const std::string& name) {
    for (const TimedOperation& timed : step.operations)
      if (timed.operation.name == name) return timed;
    throw user_error("no operation '" + name + "'");
  }

  Rates rates_;
};

TEST_F(KernelTimes, AttentionIsDecodeAttentionOfThatLength) {
  add_kernel_trial("decode_attention", attention(16, 8192), 555);
  const StepEstimate estimate = step(16, 8192);
  EXPECT_EQ(in(estimate, "attention").us, 555);
  EXPECT_EQ(in(estimate, "attention").source(), TimeSource::kMeasured);
  EXPECT_EQ(in(step(8, 8192), "attention").source(), TimeSource::kModelled);
}

TEST_F(KernelTimes, BetweenTwoLengthsTheyLieOnTheLine) {
  add_kernel_trial("decode_attention", attention(16, 4096), 100);
  add_kernel_trial("decode_attention", attention(16, 8192), 200);
  add_kernel_trial("decode_attention", attention(16, 65536), 9000);
  const StepEstimate estimate = step(16, 5120);
  EXPECT_EQ(in(estimate, "attention").us, 125);
  EXPECT_EQ(in(estimate, "attention").source(), TimeSource::kInterpolated);
  EXPECT_THAT(source_text(in(estimate, "attention")),
              ::testing::MatchesRegex("interpolated in kv_len, 4096 \\(trial [0-9]+\\) to 8192 "
                                      "\\(trial [0-9]+\\)"));
}

TEST_F(KernelTimes, NothingIsExtrapolated) {
  add_kernel_trial("decode_attention", attention(16, 4096), 100);
  add_kernel_trial("decode_attention", attention(16, 8192), 200);
  EXPECT_EQ(in(step(16, 16384), "attention").source(), TimeSource::kModelled);
  EXPECT_EQ(in(step(16, 1024), "attention").source(), TimeSource::kModelled);
}

TEST_F(KernelTimes, ATunedLengthIsNotInterpolated) {
  add_kernel_trial("decode_attention", attention(16, 4096), 100);
  add_kernel_trial("decode_attention", attention(16, 5120), 170);
  add_kernel_trial("decode_attention", attention(16, 8192), 200);
  EXPECT_EQ(in(step(16, 5120), "attention").us, 170);
}

TEST_F(KernelTimes, AnAppendDoesTheRotationToo) {
  add_kernel_trial("kv_append", append(64, 8192), 7);
  const StepEstimate estimate = step(64, 8192);
  EXPECT_EQ(in(estimate, "cache append").us, 7);
  EXPECT_EQ(in(estimate, "rope").us, 0);
  EXPECT_EQ(source_text(in(estimate, "rope")), "in cache append");
  EXPECT_GT(in(estimate, "rope").ceiling_us, 0);
}

TEST_F(KernelTimes, TheCapacityOfACacheMovesNoByte) {
  add_kernel_trial("kv_append", append(64, 512), 7);
  const StepEstimate estimate = step(64, 8192);
  EXPECT_EQ(in(estimate, "cache append").us, 7);
  EXPECT_THAT(source_text(in(estimate, "cache append")), HasSubstr(", with capacity=512"));
  add_kernel_trial("kv_append", append(64, 8192), 9);
  EXPECT_EQ(in(step(64, 8192), "cache append").us, 9);
}

TEST_F(KernelTimes, UpToEightTokensALinearLayerIsAGemv) {
  add_kernel_trial("gemv", gemv(1, 6144, 4096), 20);
  add_kernel_trial("gemv", gemv(16, 6144, 4096), 20);
  EXPECT_EQ(in(step(1, 8192), "qkv projection").us, 20);
  EXPECT_EQ(source_text(in(step(16, 8192), "qkv projection")),
            "modelled: no GEMM of ours for more than 8 tokens");
}

TEST_F(KernelTimes, AHeadOfAnotherTypeIsNoGemv) {
  add_kernel_trial("gemv", gemv(1, 128256, 4096), 20);
  EXPECT_EQ(source_text(in(step(1, 8192), "output head")),
            "modelled: no kernel of ours makes f32 of bf16");
}

TEST_F(KernelTimes, ANormOfGpt2IsALayernorm) {
  add_kernel_trial("layernorm", R"({"rows":4,"d":768,"residual":1,"dtype":"bf16"})", 3);
  const StepEstimate estimate = step(4, 1000, "gpt2");
  EXPECT_EQ(in(estimate, "mlp norm").source(), TimeSource::kMeasured);
  EXPECT_EQ(in(estimate, "first norm").source(), TimeSource::kModelled);
}

TEST_F(KernelTimes, WhatIsRaisedToTheFloorIsTold) {
  add_kernel_trial("kv_append", append(64, 8192), 1.25);
  const StepEstimate estimate = step(64, 8192);
  const TimedOperation& timed = in(estimate, "cache append");
  EXPECT_EQ(timed.us, rates_.floor_us);
  EXPECT_THAT(source_text(timed), HasSubstr("(cold-graph-1), 1.25 µs raised to the floor"));
  EXPECT_EQ(source_json(timed)["tuned_us"], 1.25);
}

TEST_F(KernelTimes, SumsSayWhatTheyAreMadeOf) {
  add_kernel_trial("decode_attention", attention(16, 4096), 100);
  add_kernel_trial("decode_attention", attention(16, 8192), 200);
  add_kernel_trial("kv_append", append(16, 8192), 7);
  const StepEstimate estimate = step(16, 6144);
  EXPECT_EQ(estimate.measured_us, 32 * 7);
  EXPECT_EQ(estimate.interpolated_us, 32 * 150);
  TunedTimes none;
  const StepEstimate ceilings = estimate_step(model_of("llama-3-8b"), {16, 6144}, {}, rates_, none);
  EXPECT_DOUBLE_EQ(estimate.ceiling_step_us, ceilings.step_us);
  EXPECT_NEAR(estimate.tuned_share(), 32 * 157 / estimate.step_us, 1e-12);
}

TEST_F(KernelTimes, TheTextComparesThemWithCeilings) {
  add_kernel_trial("decode_attention", attention(16, 8192), 555);
  ModelReport report{model_of("llama-3-8b"), read_rates(&database_, {}), {step(16, 8192)}};
  const std::string text = model_text(report);
  EXPECT_THAT(text, HasSubstr("by tuned kernels where the database has them, beside ceilings; "
                              "batch 16, context 8192:\n"));
  EXPECT_THAT(text, HasSubstr("% of the time from tuned kernels"));
  EXPECT_THAT(text, HasSubstr("modelled: no GEMM of ours for more than 8 tokens"));
}

TEST_F(KernelTimes, WithoutAnyTheTextIsOfCeilingsAlone) {
  ModelReport report{model_of("llama-3-8b"), read_rates(&database_, {}), {step(16, 8192)}};
  EXPECT_THAT(model_text(report), Not(HasSubstr("by tuned kernels")));
}

TEST_F(KernelTimes, JsonNamesKernelAndNeighbours) {
  add_kernel_trial("decode_attention", attention(16, 4096), 100);
  add_kernel_trial("decode_attention", attention(16, 8192), 200);
  ModelReport report{model_of("llama-3-8b"), read_rates(&database_, {}), {step(16, 6144)}};
  const nlohmann::json json = model_json(report)["steps"][0];
  for (const nlohmann::json& one : json["operations"]) {
    if (one["name"] != "attention") continue;
    EXPECT_EQ(one["source"], "interpolated");
    EXPECT_EQ(one["kernel"]["name"], "decode_attention");
    EXPECT_EQ(one["kernel"]["problem"]["kv_len"], 6144);
    EXPECT_EQ(one["interpolated"]["above"]["size"], 8192);
    EXPECT_EQ(one["interpolated"]["below"]["us"], 100);
  }
  EXPECT_EQ(json["interpolated_us"], 32 * 150);
  EXPECT_NEAR(json["tuned_share"].get<double>(), 4800 / json["step_us"].get<double>(), 1e-12);
}

}  // namespace
}  // namespace warpwright::testing
