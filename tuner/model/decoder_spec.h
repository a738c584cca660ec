// The properties of a decoder-only transformer that its decode step depends on, read from
// configs/models/<name>.yaml and checked. configs/models/README.md documents every key. Every error
// has the form `file:line:col: what, got, expected`.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "core/error.h"
#include "model/network.h"

namespace warpwright {

struct DecoderSpec {
  enum class Norm { kRms, kLayer };         // a layernorm has a bias as well
  enum class Position { kRope, kLearned };  // learned: a table of max_context rows
  enum class Activation { kSilu, kGelu, kRelu };

  std::string name, summary, source;  // source: origin of the shapes
  std::filesystem::path file;
  std::int64_t layers = 0, hidden = 0, vocabulary = 0;
  std::int64_t max_context = 0;
  std::int64_t heads = 0, kv_heads = 0, head_size = 0;
  std::optional<std::int64_t> window;  // most positions that a token attends to, including itself
  bool qkv_bias = false, output_bias = false;
  bool gated = false;  // two projections into the hidden layer of the MLP instead of one
  std::int64_t intermediate = 0;
  bool mlp_bias = false;
  Activation activation = Activation::kSilu;
  std::int64_t experts = 0;  // 0: one dense MLP
  std::int64_t experts_per_token = 0;
  Norm norm = Norm::kRms;
  Position position = Position::kRope;
  bool tied_embeddings = false;
  std::string weights, activations, cache, logits;  // dtypes
  std::int64_t top_k = 0;
  std::optional<Interconnect> interconnect;

  // The widths of all query heads, and of all heads of K (or of V).
  [[nodiscard]] std::int64_t query_width() const { return heads * head_size; }
  [[nodiscard]] std::int64_t kv_width() const { return kv_heads * head_size; }
  // The weights of one MLP, or of one expert.
  [[nodiscard]] std::int64_t mlp_parameters() const;
  // Counts every weight once: a table that is both embedding and output projection counts once.
  [[nodiscard]] std::int64_t parameter_count() const;
};

// Throws Error (user), also if `parameters` in the file is not the count that its shapes imply.
[[nodiscard]] DecoderSpec read_decoder(const std::filesystem::path& file);
[[nodiscard]] DecoderSpec parse_decoder(std::string_view text, const std::filesystem::path& file);

// Bytes of one element. The dtype was checked when it was read.
[[nodiscard]] double bytes_of(std::string_view dtype);

}  // namespace warpwright
