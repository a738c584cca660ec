// Which kernel of kernels/, on which problem, is an operation of a decode step: every size of the
// kernel's contract, as a database has it. nullopt where no kernel does exactly that operation.
#pragma once

#include <cstdint>
#include <optional>

#include "model/decoder_spec.h"
#include "model/operation.h"

namespace warpwright {

// More tokens than these go through a linear layer by a GEMM, which kernels/ does not have.
inline constexpr std::int64_t kMostGemvTokens = 8;

// `rows` tokens through a layer of `out` x `in` weights.
[[nodiscard]] std::optional<KernelProblem> linear_kernel(const DecoderSpec& spec, std::int64_t rows,
                                                         std::int64_t in, std::int64_t out,
                                                         bool bias);

// The norm of `rows` tokens, with a residual addition before it or without; `keeps_sum` when the
// sum is stored as well.
[[nodiscard]] std::optional<KernelProblem> norm_kernel(const DecoderSpec& spec, std::int64_t rows,
                                                       bool residual, bool keeps_sum);

// Heads are those of one GPU; `context` counts the positions attended to, without a window.
struct CacheShape {
  std::int64_t sequences = 1, heads = 1, kv_heads = 1, context = 1;
};
// New keys and values into the cache, rotated where the model rotates them.
[[nodiscard]] std::optional<KernelProblem> append_kernel(const DecoderSpec& spec,
                                                         const CacheShape& shape);
[[nodiscard]] std::optional<KernelProblem> attention_kernel(const DecoderSpec& spec,
                                                            const CacheShape& shape);

}  // namespace warpwright
