// The operations of one decode step with a KV cache: every sequence of a batch gets one token.
//
// Conventions. `context` counts the positions attended to, including the new token: its K and V are
// appended first and then read like all others. Every cached byte is read once, however many blocks
// share a sequence (splitting the keys adds parallelism but saves no traffic); heads that share K
// and V share that read. Operations communicate through memory: each reads what the previous one
// has written. Attention counts 4 * heads * head_size * positions FLOP per sequence.
//
// Parallel ways, multiplied with each other:
//   tensor    columns of QKV, gate and up, rows of output and down projections, the vocabulary;
//             KV heads are replicated where there are fewer of them than GPUs; two all-reduces of
//             the hidden state per layer, one behind the embedding, a gather of top-k candidates
//   pipeline  consecutive layers; the hidden state goes from stage to stage
//   sequence  positions of the cache; each GPU attends to its share, and partial results (output,
//             maximum, sum in f32) are merged by one all-reduce per layer; all else is replicated
//   expert    the experts of a layer, and the sequences of the batch: all that is not an expert
//             runs on a GPU for its own sequences; two all-to-alls per layer
// A router sends every token to `experts_per_token` of `experts`; with independent uniform choices
// a batch of B tokens touches E * (1 - (1 - k/E)^B) distinct experts, whose weights are read once.
#pragma once

#include <cstdint>
#include <vector>

#include "model/decoder_spec.h"
#include "model/operation.h"

namespace warpwright {

struct Workload {
  std::int64_t batch = 1;
  std::int64_t context = 1;
};

struct Parallel {
  int tensor = 1, pipeline = 1, sequence = 1, expert = 1;
  [[nodiscard]] int gpus() const { return tensor * pipeline * sequence * expert; }
};

// Throws Error (user) for sizes that are not positive or absurdly large, a context beyond the
// model's, a parallel layout that does not divide the model, or several GPUs without an
// interconnect.
void check_workload(const DecoderSpec& spec, const Workload& work, const Parallel& parallel);

// The operations in order; `work` and `parallel` must have been checked.
[[nodiscard]] std::vector<Operation> decode_operations(const DecoderSpec& spec,
                                                       const Workload& work,
                                                       const Parallel& parallel);

// The number of times that the operation runs on the stage that has `layers` layers.
[[nodiscard]] double executions(const Operation& operation, std::int64_t layers, bool first_stage,
                                bool last_stage);

// The expected number of distinct experts among `local` of `all` if each of `tokens` chooses
// `per_token`.
[[nodiscard]] double distinct_experts(double local, double all, double per_token, double tokens);

// Bytes of K and V that one layer keeps on one GPU.
[[nodiscard]] double layer_cache_bytes(const DecoderSpec& spec, const Workload& work,
                                       const Parallel& parallel);

}  // namespace warpwright
