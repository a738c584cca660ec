// Compares the bytes and FLOP of every operation with numbers computed by hand from the models'
// shapes.
#include "model/decode_step.h"

#include <gtest/gtest.h>

#include "model/given_rates.h"
#include "model/model_text.h"

namespace warpwright::testing {
namespace {

constexpr Workload kOneToken{1, 1024};

// name, parameters, weight bytes, activations read and written, FLOP
struct Expected {
  const char* name;
  double parameters, weights, read, written, flops;
};

void expect_operations(const DecoderSpec& spec, Workload work, const std::vector<Expected>& all) {
  for (const Expected& expected : all) {
    const Operation one = operation(spec, work, expected.name);
    EXPECT_EQ(one.parameters, expected.parameters) << expected.name;
    EXPECT_EQ(one.weight_bytes, expected.weights) << expected.name;
    EXPECT_EQ(one.activation_read, expected.read) << expected.name;
    EXPECT_EQ(one.activation_write, expected.written) << expected.name;
    EXPECT_EQ(one.flops, expected.flops) << expected.name;
  }
}

TEST(DecodeStep, Gpt2ByHand) {
  expect_operations(model_of("gpt2"), kOneToken,
                    {{"embedding", 39'383'808, 3072, 0, 1536, 768},
                     {"first norm", 1536, 3072, 1536, 1536, 6144},
                     {"attention norm", 1536, 3072, 3072, 3072, 6912},
                     {"qkv projection", 1'771'776, 3'543'552, 1536, 4608, 3'541'248},
                     {"output projection", 590'592, 1'181'184, 1536, 1536, 1'180'416},
                     {"up projection", 2'362'368, 4'724'736, 1536, 6144, 4'721'664},
                     {"activation", 0, 0, 6144, 6144, 24'576},
                     {"down projection", 2'360'064, 4'720'128, 6144, 1536, 4'719'360},
                     {"final norm", 1536, 3072, 3072, 1536, 6912},
                     {"output head", 0, 77'194'752, 1536, 201'028, 77'194'752},
                     {"softmax and top-k", 0, 0, 201'028, 400, 201'028}});
}

TEST(DecodeStep, Gpt2ReadsItsCacheOnceAndWritesOnePosition) {
  const DecoderSpec gpt2 = model_of("gpt2");
  EXPECT_EQ(operation(gpt2, kOneToken, "attention").cache_read, 3'145'728);  // 1024 * 2 * 768 * 2
  EXPECT_EQ(operation(gpt2, kOneToken, "attention").flops, 3'145'728);       // 4 * 768 * 1024
  EXPECT_EQ(operation(gpt2, kOneToken, "cache append").cache_write, 3072);
}

TEST(DecodeStep, LlamaByHand) {
  const Workload work{64, 8192};
  expect_operations(
      model_of("llama-3-8b"), work,
      {{"embedding", 525'336'576, 524'288, 0, 524'288, 0},
       {"mlp norm", 4096, 8192, 1'048'576, 1'048'576, 1'310'720},
       {"qkv projection", 25'165'824, 50'331'648, 524'288, 786'432, 3'221'225'472},
       {"rope", 0, 0, 655'360, 655'360, 983'040},
       {"output projection", 16'777'216, 33'554'432, 524'288, 524'288, 2'147'483'648},
       {"gate and up projection", 117'440'512, 234'881'024, 524'288, 3'670'016, 15'032'385'536},
       {"activation", 0, 0, 3'670'016, 1'835'008, 5'505'024},
       {"down projection", 58'720'256, 117'440'512, 1'835'008, 524'288, 7'516'192'768},
       {"final norm", 4096, 8192, 1'048'576, 524'288, 1'310'720},
       {"output head", 525'336'576, 1'050'673'152, 524'288, 32'833'536, 67'243'081'728},
       {"softmax and top-k", 0, 0, 32'833'536, 25'600, 32'833'536}});
  const Operation attention = operation(model_of("llama-3-8b"), work, "attention");
  EXPECT_EQ(attention.cache_read, 2'147'483'648);  // 64 * 8192 * 2 * 1024 * 2
  EXPECT_EQ(attention.flops, 8'589'934'592);       // 4 * 64 * 4096 * 8192
}

// Heads that share K and V share the read: four FLOP per byte with four heads per KV head, one with
// MHA.
TEST(DecodeStep, GroupedHeadsRaiseTheIntensityOfAttentionByTheGroup) {
  const Operation grouped = operation(model_of("llama-3-8b"), kOneToken, "attention");
  EXPECT_EQ(grouped.flops / grouped.cache_read, 4);
  const Operation plain = operation(model_of("gpt2"), kOneToken, "attention");
  EXPECT_EQ(plain.flops / plain.cache_read, 1);
}

TEST(DecodeStep, AWindowBoundsWhatIsReadAndKept) {
  DecoderSpec spec = model_of("llama-3-8b");
  spec.window = 1000;
  EXPECT_EQ(operation(spec, {1, 8192}, "attention").cache_read, 4'096'000);
  EXPECT_EQ(layer_cache_bytes(spec, {1, 8192}, {}), 4'096'000);
  EXPECT_EQ(operation(spec, {1, 10}, "attention").cache_read, 40'960);
}

TEST(DecodeStep, ACacheOfBytesHalvesWhatIsRead) {
  DecoderSpec spec = model_of("llama-3-8b");
  spec.cache = "e4m3";
  EXPECT_EQ(operation(spec, {64, 8192}, "attention").cache_read, 1'073'741'824);
  EXPECT_EQ(operation(spec, {64, 8192}, "cache append").cache_write, 64 * 2 * 1024);
  EXPECT_EQ(operation(spec, {64, 8192}, "cache append").activation_read, 64 * 2 * 1024 * 2);
}

TEST(DecodeStep, MixtralByHand) {
  const DecoderSpec mixtral = model_of("mixtral-8x7b");
  // Two tokens touch 8 * (1 - (3/4)^2) = 3.5 experts; each has 2 * 4096 * 14336 columns and rows.
  const Operation in = operation(mixtral, {2, 4096}, "experts, gate and up");
  EXPECT_DOUBLE_EQ(in.weight_bytes, 3.5 * 234'881'024);
  EXPECT_EQ(in.parameters, 8.0 * 117'440'512);
  EXPECT_EQ(in.flops, 4.0 * 28'672 * 2 * 4096);  // four pairs of token and expert
  const Operation out = operation(mixtral, {2, 4096}, "experts, down");
  EXPECT_DOUBLE_EQ(out.weight_bytes, 3.5 * 117'440'512);
  EXPECT_EQ(out.parameters, 8.0 * 58'720'256);
  EXPECT_EQ(operation(mixtral, {2, 4096}, "router").parameters, 32'768);
  EXPECT_EQ(operation(mixtral, {2, 4096}, "weighted sum of experts").activation_read,
            2 * 2 * 4096 * 2);
}

TEST(DecodeStep, DistinctExpertsByHand) {
  EXPECT_DOUBLE_EQ(distinct_experts(8, 8, 2, 1), 2);
  EXPECT_DOUBLE_EQ(distinct_experts(8, 8, 2, 2), 3.5);
  EXPECT_DOUBLE_EQ(distinct_experts(8, 8, 2, 8), 7.1990966796875);
  EXPECT_DOUBLE_EQ(distinct_experts(2, 8, 2, 1), 0.5);  // of a quarter of them
  EXPECT_DOUBLE_EQ(distinct_experts(8, 8, 8, 1), 8);    // all tokens choose all experts
  EXPECT_DOUBLE_EQ(distinct_experts(8, 8, 2, 1e9), 8);
  EXPECT_NEAR(distinct_experts(1e4, 1e4, 1, 1), 1, 1e-9);  // no cancellation
}

TEST(DecodeStep, OneMmaOf16By16By16Is8192Flop) {
  DecoderSpec spec = model_of("llama-3-8b");
  spec.hidden = spec.vocabulary = 16;
  EXPECT_EQ(operation(spec, {16, 1}, "output head").flops, 8192);
}

TEST(DecodeStep, SamplingReadsTheLogitsOfBatch64AndLength128Once) {
  // 64 * 128 * 50257 * 4 bytes; a softmax in memory would write and read them again.
  const Operation one = operation(model_of("gpt2"), {64 * 128, 1}, "softmax and top-k");
  EXPECT_EQ(one.activation_read, 1'646'821'376);
  EXPECT_EQ(format_bytes(one.activation_read), "1.647 GB");
  EXPECT_EQ(format_bytes(3 * one.activation_read), "4.940 GB");
}

TEST(DecodeStep, TensorParallelSplitsColumnsAndRows) {
  const DecoderSpec llama = connected(model_of("llama-3-8b"));
  const Parallel four{4, 1, 1, 1};
  const auto part = [&](const char* name) { return operation(llama, kOneToken, name, four); };
  EXPECT_EQ(part("qkv projection").parameters, 4096.0 * 6144 / 4);
  EXPECT_EQ(part("output projection").parameters, 4096.0 * 4096 / 4);
  EXPECT_EQ(part("gate and up projection").parameters, 117'440'512.0 / 4);
  EXPECT_EQ(part("attention").cache_read, 1024.0 * 2 * 1024 * 2 / 4);
  EXPECT_EQ(part("output head").parameters, 525'336'576.0 / 4);
  EXPECT_EQ(part("mlp norm").parameters, 4096);  // every GPU normalises the whole row
}

TEST(DecodeStep, KvHeadsAreReplicatedWhereThereAreFewerThanGpus) {
  const DecoderSpec llama = connected(model_of("llama-3-8b"));
  const Parallel sixteen{16, 1, 1, 1};
  // Each GPU holds one of the 8 heads of 128, so pairs of GPUs hold the same one.
  EXPECT_EQ(operation(llama, kOneToken, "attention", sixteen).cache_read, 1024.0 * 2 * 128 * 2);
  EXPECT_EQ(operation(llama, kOneToken, "qkv projection", sixteen).parameters,
            4096.0 * (256 + 2 * 128));
}

TEST(DecodeStep, SequenceParallelSplitsTheReadsOfTheCacheAndSavesNone) {
  const DecoderSpec llama = connected(model_of("llama-3-8b"));
  const double whole = operation(llama, {1, 8192}, "attention").cache_read;
  for (const int gpus : {2, 4, 8}) {
    const Parallel parallel{1, 1, gpus, 1};
    EXPECT_EQ(operation(llama, {1, 8192}, "attention", parallel).cache_read * gpus, whole);
    EXPECT_TRUE(has_operation(llama, {1, 8192}, "merge of partial softmaxes", parallel));
  }
  // Output, maximum and sum of 32 heads in f32, from one GPU to the other.
  EXPECT_EQ(operation(llama, {1, 8192}, "merge of partial softmaxes", {1, 1, 2, 1}).exchange->bytes,
            (4096 + 64) * 4);
}

TEST(DecodeStep, ExpertParallelSharesExpertsAndBatch) {
  const DecoderSpec mixtral = connected(model_of("mixtral-8x7b"));
  const Parallel four{1, 1, 1, 4};
  EXPECT_EQ(operation(mixtral, {8, 4096}, "experts, gate and up", four).parameters,
            2.0 * 117'440'512);
  EXPECT_EQ(operation(mixtral, {8, 4096}, "attention", four).cache_read, 2.0 * 4096 * 4096);
  // Two sequences send two rows each, three quarters of them to other GPUs.
  EXPECT_EQ(operation(mixtral, {8, 4096}, "dispatch to experts", four).exchange->bytes,
            2 * 2 * 4096 * 2 * 0.75);
}

TEST(DecodeStep, SomeGpuReadsAWholeExpertHoweverFewTokensThereAre) {
  const DecoderSpec mixtral = connected(model_of("mixtral-8x7b"));
  // On average a quarter of an expert runs on each of 8 GPUs; two of them have one, and all wait
  // for them.
  const Operation in = operation(mixtral, {1, 4096}, "experts, gate and up", {1, 1, 1, 8});
  EXPECT_EQ(in.weight_bytes, 234'881'024);
  EXPECT_EQ(in.activation_read, 4096 * 2);
}

TEST(DecodeStep, OneGpuExchangesNothing) {
  for (const char* name : {"gpt2", "llama-3-8b", "mixtral-8x7b"}) {
    for (const Operation& one : decode_operations(model_of(name), kOneToken, {}))
      EXPECT_FALSE(one.exchange.has_value()) << name << ": " << one.name;
  }
}

TEST(DecodeStep, NamesTheKernelsThatAreItsOperations) {
  const DecoderSpec llama = model_of("llama-3-8b");
  const Workload work{8, 100};
  const auto kernel = [&](const char* name) { return *operation(llama, work, name).kernel; };
  EXPECT_EQ(kernel("softmax and top-k").kernel, "softmax_topk");
  EXPECT_EQ(
      kernel("softmax and top-k").sizes,
      (std::map<std::string, Value>{{"rows", 8}, {"V", 128256}, {"K", 50}, {"dtype", "f32"}}));
  EXPECT_EQ(kernel("activation").kernel, "gated_activation");
  EXPECT_EQ(kernel("activation").sizes,
            (std::map<std::string, Value>{
                {"rows", 8}, {"d", 14336}, {"dtype", "bf16"}, {"activation", "silu"}}));
  EXPECT_EQ(kernel("final norm").sizes.at("write_z"), Value(0));
  EXPECT_EQ(kernel("mlp norm").sizes.at("write_z"), Value(1));
  EXPECT_FALSE(operation(llama, work, "first norm").kernel.has_value());  // it has no addition
  // A layernorm kernel stores every sum that it computes, and the last one is not needed.
  EXPECT_EQ(operation(model_of("gpt2"), work, "mlp norm").kernel->kernel, "layernorm");
  EXPECT_FALSE(operation(model_of("gpt2"), work, "final norm").kernel.has_value());
  EXPECT_FALSE(operation(model_of("gpt2"), work, "activation").kernel.has_value());  // not gated
}

}  // namespace
}  // namespace warpwright::testing
