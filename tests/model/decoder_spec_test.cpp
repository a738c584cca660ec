// Tests reading models from YAML: the exact parameter counts of public models, and every error
// message.
#include "model/decoder_spec.h"

#include <gtest/gtest.h>

#include "model/given_rates.h"

namespace warpwright::testing {
namespace {

constexpr const char* kSmall = R"(model: small
layers: 2
hidden: 8
vocabulary: 10
context: 16
attention: {heads: 2}
mlp: {kind: gated, intermediate: 12, activation: silu}
norm: rmsnorm
position: rope
sampling: {top_k: 3}
)";

std::string small_with(const std::string& from, const std::string& to) {
  std::string text = kSmall;
  text.replace(text.find(from), from.size(), to);
  return text;
}

std::string fault_of(const std::string& text) {
  try {
    (void)parse_decoder(text, "m.yaml");
    return "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::kUser);
    return error.message();
  }
}

TEST(DecoderSpec, CountsTheParametersOfPublicModels) {
  EXPECT_EQ(model_of("gpt2").parameter_count(), 124'439'808);
  EXPECT_EQ(model_of("llama-3-8b").parameter_count(), 8'030'261'248);
  EXPECT_EQ(model_of("mixtral-8x7b").parameter_count(), 46'702'792'704);
}

TEST(DecoderSpec, CountsASmallModelByHand) {
  // 2 tables of 80, a final norm of 8; per layer 2 norms, 4 squares of 64, 3 matrices of 96.
  EXPECT_EQ(parse_decoder(kSmall, "m.yaml").parameter_count(), 160 + 8 + 2 * (16 + 256 + 288));
  EXPECT_EQ(
      parse_decoder(std::string(kSmall) + "tied_embeddings: true\n", "m.yaml").parameter_count(),
      80 + 8 + 2 * (16 + 256 + 288));
}

TEST(DecoderSpec, FillsInWhatIsLeftOut) {
  const DecoderSpec spec = parse_decoder(kSmall, "m.yaml");
  EXPECT_EQ(spec.kv_heads, 2);
  EXPECT_EQ(spec.head_size, 4);
  EXPECT_EQ(spec.weights, "bf16");
  EXPECT_EQ(spec.cache, "bf16");
  EXPECT_EQ(spec.logits, "f32");
  EXPECT_EQ(spec.experts, 0);
  EXPECT_FALSE(spec.interconnect.has_value());
}

TEST(DecoderSpec, ReadsTheInterconnect) {
  const DecoderSpec spec = parse_decoder(
      std::string(kSmall) + "interconnect: {bandwidth: 450, latency: 2.5}\n", "m.yaml");
  EXPECT_EQ(spec.interconnect->bytes_per_second, 450e9);
  EXPECT_EQ(spec.interconnect->latency_us, 2.5);
}

TEST(DecoderSpec, ACountThatTheShapesDoNotGiveIsRefused) {
  EXPECT_EQ(fault_of(std::string(kSmall) + "parameters: 1289\n"),
            "m.yaml:11:13: parameters: got 1289, but these shapes have 1288 parameters");
}

TEST(DecoderSpec, SaysWhereASizeIsWrong) {
  EXPECT_EQ(fault_of(small_with("layers: 2", "layers: 0")),
            "m.yaml:2:9: layers: got 0, expected 1 to 100000");
  EXPECT_EQ(fault_of(small_with("hidden: 8", "hidden: -8")),
            "m.yaml:3:9: hidden: got -8, expected 1 to 2147483648");
  EXPECT_EQ(fault_of(small_with("{heads: 2}", "{heads: 3}")),
            "m.yaml:6:12: attention: hidden 8 does not divide by 3 heads; add `head_size`");
  EXPECT_EQ(fault_of(small_with("{heads: 2}", "{heads: 4, kv_heads: 3}")),
            "m.yaml:6:33: attention.kv_heads: got 3, expected a divisor of the 4 heads");
  EXPECT_EQ(fault_of(small_with("{top_k: 3}", "{top_k: 11}")),
            "m.yaml:10:19: sampling.top_k: got 11, expected 1 to 10");
  EXPECT_EQ(fault_of(std::string(kSmall) + "experts: {count: 4, per_token: 5}\n"),
            "m.yaml:11:32: experts.per_token: got 5, expected 1 to 4");
  EXPECT_EQ(fault_of(std::string(kSmall) + "interconnect: {bandwidth: 0, latency: 1}\n"),
            "m.yaml:11:27: interconnect.bandwidth: got 0, expected more than 0");
}

TEST(DecoderSpec, SaysWhichWordWasMeant) {
  EXPECT_EQ(fault_of(small_with("norm: rmsnorm", "norm: rmsnrom")),
            "m.yaml:8:7: norm: got 'rmsnrom', expected rmsnorm or layernorm; did you mean "
            "'rmsnorm'?");
  EXPECT_EQ(fault_of(small_with("activation: silu", "activation: tanh")),
            "m.yaml:7:50: mlp.activation: got 'tanh', expected silu or gelu or relu");
  EXPECT_EQ(fault_of(std::string(kSmall) + "dtypes: {weights: fp8}\n"),
            "m.yaml:11:19: dtypes.weights: got 'fp8', expected f32 or bf16 or f16 or e4m3 or e5m2 "
            "or i8");
}

TEST(DecoderSpec, AnUnknownOrMissingKeyIsRefused) {
  EXPECT_EQ(fault_of(std::string(kSmall) + "layer: 2\n").substr(0, 36),
            "m.yaml:11:1: unknown key 'layer'; di");
  EXPECT_NE(fault_of(small_with("norm: rmsnorm\n", "")).find("norm"), std::string::npos);
}

TEST(DecoderSpec, MoreParametersThanANumberHoldsIsAnError) {
  std::string text = small_with("hidden: 8", "hidden: 2147483648");
  text.replace(text.find("intermediate: 12"), 16, "intermediate: 2147483648");
  EXPECT_EQ(fault_of(text), "m.yaml:1:1: these shapes have more than 2^63 parameters");
}

}  // namespace
}  // namespace warpwright::testing
