// The operations of a decode step: one entry per kind of operation, as one GPU executes it. All
// amounts are for one execution on the busiest GPU: bytes, floating-point operations (a
// multiplication and an addition count as two), parameters. They are real numbers because some are
// expectations (of distinct experts).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "core/expr/value.h"
#include "model/decoder_spec.h"
#include "model/network.h"

namespace warpwright {

// The position in the stack; a pipeline stage has kFirst or kLast operations only if it is that
// stage.
enum class Place { kFirst, kLayer, kLayerButFirst, kLast, kBetweenStages };

// The kernel and problem in a database that correspond exactly to this operation.
struct KernelProblem {
  std::string kernel;
  std::map<std::string, Value> sizes;  // all sizes that the contract has
  // The size with which the bytes grow linearly while all others stay fixed: between two tuned
  // values of it, a time may be interpolated. "" if there is none.
  std::string along = {};
  // Sizes that change neither bytes nor work: a problem that differs only in them is equivalent.
  std::set<std::string> idle = {};
};

struct Operation {
  std::string name;
  Place place = Place::kLayer;
  double parameters = 0;    // stored on this GPU
  double weight_bytes = 0;  // read; only the requested rows of an embedding table
  double activation_read = 0, activation_write = 0;
  double cache_read = 0, cache_write = 0;
  double flops = 0;
  std::string arithmetic;            // the ceiling that bounds the flops
  std::optional<Exchange> exchange;  // set if this is an exchange between GPUs and nothing else
  std::optional<KernelProblem> kernel;
  // The same under the name used in older databases, for when the database has no results for
  // `kernel`.
  std::optional<KernelProblem> former_kernel;
  std::string covers;          // another operation of this step that `kernel` includes
  std::string without_kernel;  // why there is no kernel, if one might be expected

  [[nodiscard]] double read_bytes() const { return weight_bytes + activation_read + cache_read; }
  [[nodiscard]] double write_bytes() const { return activation_write + cache_write; }
  [[nodiscard]] double bytes() const { return read_bytes() + write_bytes(); }
};

// The kernel in kernels/ and the problem that an operation corresponds to: every size of the
// kernel's contract, as stored in a database. nullopt if no kernel does exactly that operation.

// With more tokens than this, a linear layer is a GEMM, for which kernels/ has no kernel.
inline constexpr std::int64_t kMaxGemvTokens = 8;

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
