// Maps an operation of a decode step to a kernel in kernels/ and a problem: every size of the
// kernel's contract, as stored in a database. Returns nullopt if no kernel does exactly that
// operation.
#pragma once

#include <cstdint>
#include <optional>

#include "model/decoder_spec.h"
#include "model/operation.h"

namespace warpwright {

// With more tokens than this, a linear layer is a GEMM, for which kernels/ has no kernel.
inline constexpr std::int64_t kMostGemvTokens = 8;

// `rows` tokens through a layer with `out` x `in` weights.
[[nodiscard]] std::optional<KernelProblem> linear_kernel(const DecoderSpec& spec, std::int64_t rows,
                                                         std::int64_t in, std::int64_t out,
                                                         bool bias);

// The norm of `rows` tokens, with or without a preceding residual addition; `keeps_sum` if the sum
// is stored as well.
[[nodiscard]] std::optional<KernelProblem> norm_kernel(const DecoderSpec& spec, std::int64_t rows,
                                                       bool residual, bool keeps_sum);

// Heads are those on one GPU; `context` counts the positions attended to, without a window.
struct CacheShape {
  std::int64_t sequences = 1, heads = 1, kv_heads = 1, context = 1;
};
// Appends new keys and values to the cache, rotated if the model rotates them.
[[nodiscard]] std::optional<KernelProblem> append_kernel(const DecoderSpec& spec,
                                                         const CacheShape& shape);
[[nodiscard]] std::optional<KernelProblem> attention_kernel(const DecoderSpec& spec,
                                                            const CacheShape& shape);

}  // namespace warpwright
