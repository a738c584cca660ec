// Tests the way from operations to times: sums, bounds, scaling, and rejected input.
#include "model/step_time.h"

#include <gmock/gmock.h>

#include <limits>

#include "model/given_rates.h"

namespace warpwright::testing {
namespace {

using ::testing::HasSubstr;

std::string refusal(const DecoderSpec& spec, Workload work, Parallel parallel = {}) {
  try {
    (void)estimate(spec, work, parallel);
    return "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::kUser);
    return error.message();
  }
}

class EveryModel : public ::testing::TestWithParam<const char*> {
 protected:
  const DecoderSpec spec_ = model_of(GetParam());
};
INSTANTIATE_TEST_SUITE_P(Models, EveryModel,
                         ::testing::Values("gpt2", "llama-3-8b", "mixtral-8x7b"));

TEST_P(EveryModel, OperationsKeepEveryParameterOnce) {
  double parameters = 0;
  for (const TimedOperation& timed : estimate(spec_, {1, 1}).operations)
    parameters += timed.count * timed.operation.parameters;
  EXPECT_EQ(parameters, static_cast<double>(spec_.parameter_count()));
}

TEST_P(EveryModel, PartsSumToTheWhole) {
  const StepEstimate step = estimate(connected(spec_), {16, 512}, {2, 2, 2, 1});
  double us = 0, bytes = 0, flops = 0;
  for (const TimedOperation& timed : step.operations) {
    us += timed.step_us();
    bytes += timed.count * timed.operation.bytes();
    flops += timed.count * timed.operation.flops;
  }
  EXPECT_NEAR(us, step.step_us, 1e-9 * us);
  EXPECT_NEAR(bytes, step.bytes, 1e-9 * bytes);
  EXPECT_NEAR(flops, step.flops, 1e-9 * flops);
  double by_bound = 0;
  for (const auto& [bound, part] : step.us_by_bound) by_bound += part;
  EXPECT_NEAR(by_bound, step.step_us, 1e-9 * us);
}

TEST_P(EveryModel, MoreBandwidthNeverTakesLonger) {
  double before = std::numeric_limits<double>::infinity();
  for (const double gb_per_s : {100.0, 500.0, 1000.0, 5000.0, 50'000.0}) {
    const double us = estimate(spec_, {32, 1000}, {}, round_rates(gb_per_s)).step_us;
    EXPECT_LE(us, before);
    before = us;
  }
}

TEST_P(EveryModel, AFasterNetworkNeverTakesLonger) {
  double before = std::numeric_limits<double>::infinity();
  for (const double gb_per_s : {1.0, 10.0, 100.0, 1000.0}) {
    const double us = estimate(connected(spec_, gb_per_s), {32, 1000}, {4, 1, 1, 1}).step_us;
    EXPECT_LT(us, before);
    before = us;
  }
}

TEST_P(EveryModel, GrowsWithBatchAndContext) {
  double before = 0;
  for (const std::int64_t batch : {1, 2, 3, 16, 64, 1000}) {
    const double us = estimate(spec_, {batch, 700}).step_us;
    EXPECT_GT(us, before);
    before = us;
  }
  before = 0;
  for (const std::int64_t context : {1, 2, 100, 700, 1024}) {
    const double us = estimate(spec_, {4, context}).step_us;
    EXPECT_GT(us, before);
    before = us;
  }
}

TEST_P(EveryModel, OneGpuHasNoNetwork) {
  const StepEstimate step = estimate(spec_, {4, 100});
  EXPECT_EQ(step.network_bytes, 0);
  EXPECT_FALSE(step.us_by_bound.contains(StepBound::kNetwork));
  EXPECT_EQ(step.bubble, 0);
  EXPECT_EQ(step.full_tokens_per_second, step.tokens_per_second);
}

TEST_P(EveryModel, AFloorIsTheLeastThatAnyOperationTakes) {
  Rates rates = round_rates();
  rates.floor_us = 1e6;
  const StepEstimate step = estimate(spec_, {1, 1}, {}, rates);
  double count = 0;
  for (const TimedOperation& timed : step.operations) count += timed.count;
  EXPECT_EQ(step.step_us, count * 1e6);
  EXPECT_EQ(step.bound, StepBound::kLatency);
}

TEST(StepTime, WeightsThatAreReadByHand) {
  // Only the tokens' rows of embedding tables are read: GPT-2 has two tables, and its head reads
  // one in full.
  EXPECT_EQ(estimate(model_of("gpt2"), {1, 1024}).weight_bytes_read, 247'309'824);
  EXPECT_EQ(estimate(model_of("llama-3-8b"), {64, 8192}).weight_bytes_read, 15'010'373'632);
  EXPECT_EQ(estimate(model_of("llama-3-8b"), {64, 8192}).cache_bytes_read, 68'719'476'736);
}

TEST(StepTime, IsBytesOverBandwidthWhereMemoryBounds) {
  const StepEstimate step = estimate(model_of("llama-3-8b"), {1, 8192});
  EXPECT_EQ(step.bound, StepBound::kMemory);
  EXPECT_NEAR(step.step_us, step.bytes / 1e6, 1e-6 * step.step_us);  // 1 TB/s
  EXPECT_NEAR(step.tokens_per_second, 1e6 / step.step_us, 1e-9);
}

TEST(StepTime, ALargeBatchIsBoundByArithmetic) {
  const StepEstimate step = estimate(model_of("llama-3-8b"), {4096, 16});
  EXPECT_EQ(step.bound, StepBound::kCompute);
}

TEST(StepTime, TheWeightsDecideWhetherItFits) {
  const DecoderSpec mixtral = connected(model_of("mixtral-8x7b"));
  EXPECT_EQ(estimate(mixtral, {1, 100}).fits, false);  // 93 GB on 80
  EXPECT_EQ(estimate(mixtral, {1, 100}, {2, 1, 1, 1}).fits, true);
  EXPECT_EQ(estimate(mixtral, {1, 100}, {1, 2, 1, 1}).fits, true);
  EXPECT_EQ(estimate(mixtral, {4, 100}, {1, 1, 1, 4}).fits, true);
  EXPECT_EQ(estimate(mixtral, {1, 100}).weights_kept_bytes, 2 * 46'702'792'704.0);
  Rates unknown = round_rates();
  unknown.memory_bytes.reset();
  EXPECT_FALSE(estimate(mixtral, {1, 100}, {}, unknown).fits.has_value());
}

TEST(StepTime, TheCacheDecidesWhetherItFits) {
  const DecoderSpec llama = model_of("llama-3-8b");
  // 131,072 bytes a position; 80 GB less 16.06 GB of weights hold 487,819.
  EXPECT_EQ(estimate(llama, {1, 487'819}).fits, true);
  EXPECT_EQ(estimate(llama, {1, 487'820}).fits, false);
  EXPECT_EQ(estimate(llama, {64, 8192}).cache_kept_bytes, 68'719'476'736);
}

TEST(StepTime, APipelineIsNoFasterForOneTokenAndIdleButForOneStage) {
  const DecoderSpec llama = connected(model_of("llama-3-8b"));
  const StepEstimate one = estimate(llama, {8, 1000});
  const StepEstimate four = estimate(llama, {8, 1000}, {1, 4, 1, 1});
  // Three sends of 8 rows: 5 us and 65,536 bytes at 100 GB/s.
  EXPECT_NEAR(four.step_us, one.step_us + 3 * (5 + 0.65536), 1e-6);
  EXPECT_EQ(four.bubble, 0.75);
  ASSERT_TRUE(four.full_tokens_per_second.has_value());
  EXPECT_GT(*four.full_tokens_per_second, 3 * one.tokens_per_second);
  EXPECT_LT(*four.full_tokens_per_second, 4 * one.tokens_per_second);
}

TEST(StepTime, ATiedTableIsKeptByBothEndsOfAPipeline) {
  const DecoderSpec gpt2 = connected(model_of("gpt2"));
  // Six layers, the final norm and the table; or six layers and both tables.
  const StepEstimate two = estimate(gpt2, {1, 10}, {1, 2, 1, 1});
  EXPECT_EQ(two.weights_kept_bytes, 2.0 * (39'383'808 + 6.0 * 7'087'872));
}

TEST(StepTime, StagesTakeLayersThatDoNotDivide) {
  const DecoderSpec llama = connected(model_of("llama-3-8b"));
  double layers = 0;
  for (const TimedOperation& timed : estimate(llama, {1, 10}, {1, 5, 1, 1}).operations)
    if (timed.operation.name == "attention") layers = timed.count;
  EXPECT_EQ(layers, 32);
}

TEST(StepTime, SaysWhichWaysDoNotDivideTheModel) {
  const DecoderSpec llama = connected(model_of("llama-3-8b"));
  EXPECT_EQ(refusal(llama, {1, 1}, {3, 1, 1, 1}),
            "--tensor 3: the model has 32 heads, which do not divide by 3");
  EXPECT_EQ(refusal(llama, {1, 1}, {1, 33, 1, 1}), "--pipeline 33: the model has 32 layers");
  EXPECT_EQ(refusal(llama, {1, 7}, {1, 1, 8, 1}), "--sequence 8: there are 7 positions");
  EXPECT_EQ(refusal(llama, {1, 1}, {1, 1, 1, 2}), "--expert 2: llama-3-8b has no experts");
  EXPECT_EQ(refusal(connected(model_of("mixtral-8x7b")), {1, 1}, {1, 1, 1, 3}),
            "--expert 3: the model has 8 experts, which do not divide by 3");
  DecoderSpec odd = llama;
  odd.heads = 12;
  odd.kv_heads = 6;
  EXPECT_EQ(refusal(odd, {1, 1}, {4, 1, 1, 1}),
            "--tensor 4: 6 KV heads can be neither split nor replicated");
}

TEST(StepTime, RefusesSizesThatMeanNothing) {
  const DecoderSpec llama = model_of("llama-3-8b");
  EXPECT_EQ(refusal(llama, {0, 1}), "--batch: got 0, expected 1 to 1000000000");
  EXPECT_EQ(refusal(llama, {-5, 1}), "--batch: got -5, expected 1 to 1000000000");
  EXPECT_EQ(refusal(llama, {1, 0}), "--context: got 0, expected 1 to 1000000000000");
  EXPECT_EQ(refusal(llama, {1, std::numeric_limits<std::int64_t>::max()}),
            "--context: got 9223372036854775807, expected 1 to 1000000000000");
  EXPECT_EQ(refusal(llama, {1, 1}, {0, 1, 1, 1}), "--tensor: got 0, expected 1 to 1000000");
  EXPECT_EQ(refusal(llama, {1, 1}, {1'000'000, 1'000'000, 1'000'000, 1}),
            "got 1000000000000000000 GPUs in all, expected at most 1000000");
  EXPECT_EQ(refusal(model_of("gpt2"), {1, 1025}),
            "--context 1025: gpt2 has 1024 learned positions");
  EXPECT_THAT(refusal(llama, {1, 1}, {2, 1, 1, 1}),
              HasSubstr("2 GPUs exchange data, and nothing says how fast; give --interconnect"));
}

TEST(StepTime, TheLargestSizesStayFinite) {
  const StepEstimate step = estimate(model_of("llama-3-8b"), {1'000'000'000, 1'000'000'000'000});
  EXPECT_TRUE(std::isfinite(step.step_us));
  EXPECT_EQ(step.fits, false);
}

TEST(StepTime, SaysWhichCeilingIsMissing) {
  Rates rates = round_rates();
  rates.roofs.ceilings.erase("tensor_bf16");
  try {
    (void)estimate(model_of("gpt2"), {1, 1}, {}, rates);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.message(),
              "no ceiling 'tensor_bf16' of a round device, which 'qkv projection' needs; add it to "
              "--ceilings: tensor_bf16=...");
  }
}

}  // namespace
}  // namespace warpwright::testing
