#include "model/operation.h"

namespace warpwright {
namespace {

bool has_16_bits(const std::string& dtype) { return dtype == "bf16" || dtype == "f16"; }

// Returns true if the kernels that use a cache support its types.
bool is_cache_of(const DecoderSpec& spec) {
  return has_16_bits(spec.activations) &&
         (spec.cache == spec.activations || spec.cache == "i8" || spec.cache == "e4m3");
}

}  // namespace

std::optional<KernelProblem> linear_kernel(const DecoderSpec& spec, std::int64_t rows,
                                           std::int64_t in, std::int64_t out, bool bias) {
  const bool weights = spec.weights == spec.activations || spec.weights == "e4m3";
  if (rows > kMaxGemvTokens || !has_16_bits(spec.activations) || !weights) return std::nullopt;
  return KernelProblem{"gemv",
                       {{"m", rows},
                        {"n", out},
                        {"k", in},
                        {"weight", spec.weights},
                        {"with_bias", bias ? 1 : 0},
                        {"dtype", spec.activations}}};
}

std::optional<KernelProblem> norm_kernel(const DecoderSpec& spec, std::int64_t rows, bool residual,
                                         bool keeps_sum) {
  if (spec.weights != spec.activations) return std::nullopt;
  if (spec.norm == DecoderSpec::Norm::kLayer) {
    if (residual != keeps_sum) return std::nullopt;  // it stores every sum that it makes
    return KernelProblem{"layernorm",
                         {{"rows", rows},
                          {"d", spec.hidden},
                          {"residual", residual ? 1 : 0},
                          {"dtype", spec.activations}},
                         "rows"};
  }
  if (!residual) return std::nullopt;
  return KernelProblem{"rmsnorm_residual",
                       {{"rows", rows},
                        {"d", spec.hidden},
                        {"write_z", keeps_sum ? 1 : 0},
                        {"dtype", spec.activations}},
                       "rows"};
}

std::optional<KernelProblem> append_kernel(const DecoderSpec& spec, const CacheShape& shape) {
  if (!is_cache_of(spec)) return std::nullopt;
  const bool rotates = spec.position == DecoderSpec::Position::kRope;
  return KernelProblem{"kv_append",
                       {{"batch", shape.sequences},
                        {"q_len", 1},
                        {"heads", shape.heads},
                        {"kv_heads", shape.kv_heads},
                        {"d", spec.head_size},
                        {"capacity", shape.context},
                        {"page", 0},
                        {"rope", rotates ? "halves" : "none"},
                        {"base", 10000.0},
                        {"cache", spec.cache},
                        {"dtype", spec.activations}},
                       "batch",
                       // Only the places of new tokens are touched, and every angle costs the same.
                       {"capacity", "base"}};
}

std::optional<KernelProblem> attention_kernel(const DecoderSpec& spec, const CacheShape& shape) {
  if (!is_cache_of(spec)) return std::nullopt;
  const bool windowed = spec.window && *spec.window < shape.context;
  return KernelProblem{"decode_attention",
                       {{"batch", shape.sequences},
                        {"heads", shape.heads},
                        {"kv_heads", shape.kv_heads},
                        {"q_len", 1},
                        {"kv_len", shape.context},
                        {"d", spec.head_size},
                        {"dtype", spec.activations},
                        {"cache", spec.cache},
                        {"scales", "token"},
                        {"page", 0},
                        {"lengths_are", "full"},
                        {"window", windowed ? *spec.window : std::int64_t{0}},
                        {"sinks", 0},
                        {"scale", -1.0},
                        {"sms", 0}},
                       // With a window, the bytes do not grow with the length.
                       windowed ? "" : "kv_len"};
}

}  // namespace warpwright
