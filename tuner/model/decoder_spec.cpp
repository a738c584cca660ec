#include "model/decoder_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <vector>

#include "core/expr/expr.h"
#include "core/words.h"
#include "spec/yaml_document.h"
#include "spec/yaml_reader.h"

namespace warpwright {
namespace {

constexpr std::string_view kKind = "a model";
// Far above any model; anything larger is a typo, and products stay exact.
constexpr std::int64_t kMaxLayers = 100'000;
constexpr std::int64_t kMaxExperts = 65'536;
constexpr std::int64_t kLargestSize = std::int64_t{1} << 31;

std::int64_t size_in(const YamlReader& reader, std::int64_t most) {
  const std::int64_t value = reader.integer();
  if (value < 1 || value > most)
    throw reader.error(fmt::format("got {}, expected 1 to {}", value, most));
  return value;
}

std::int64_t size_of(const YamlMap& map, const char* key, const char* example,
                     std::int64_t most = kLargestSize) {
  return size_in(map.require(key, example), most);
}

bool flag_of(const YamlMap& map, const char* key) {
  const auto found = map.find(key);
  return found && found->boolean();
}

// The position of the word in `words`.
std::size_t word_of(const YamlReader& reader, std::initializer_list<const char*> words) {
  const std::string text = reader.text();
  const auto found = std::find(words.begin(), words.end(), text);
  if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
  const std::vector<std::string> known(words.begin(), words.end());
  throw reader.error(fmt::format("got '{}', expected {}{}", text, fmt::join(known, " or "),
                                 nearest(text, known) ? suggestion(text, known) : ""));
}

std::string dtype_in(const YamlMap* map, const char* key, std::initializer_list<const char*> words,
                     const char* otherwise) {
  const auto found = map != nullptr ? map->find(key) : std::nullopt;
  if (!found) return otherwise;
  return *(words.begin() + word_of(*found, words));
}

void read_attention(const YamlReader& reader, DecoderSpec& spec) {
  const YamlMap map =
      reader.map({"heads", "kv_heads", "head_size", "window", "qkv_bias", "output_bias"});
  spec.heads = size_of(map, "heads", "heads: 32");
  const auto kv_heads = map.find("kv_heads");
  spec.kv_heads = kv_heads ? size_in(*kv_heads, kLargestSize) : spec.heads;
  if (spec.heads % spec.kv_heads != 0) {
    throw kv_heads->error(
        fmt::format("got {}, expected a divisor of the {} heads", spec.kv_heads, spec.heads));
  }
  if (const auto size = map.find("head_size")) {
    spec.head_size = size_in(*size, kLargestSize);
  } else if (spec.hidden % spec.heads == 0) {
    spec.head_size = spec.hidden / spec.heads;
  } else {
    throw reader.error(fmt::format("hidden {} does not divide by {} heads; add `head_size`",
                                   spec.hidden, spec.heads));
  }
  if (const auto window = map.find("window")) spec.window = size_in(*window, kLargestSize);
  spec.qkv_bias = flag_of(map, "qkv_bias");
  spec.output_bias = flag_of(map, "output_bias");
}

void read_mlp(const YamlReader& reader, DecoderSpec& spec) {
  const YamlMap map = reader.map({"kind", "intermediate", "bias", "activation"});
  spec.gated = word_of(map.require("kind", "kind: gated"), {"plain", "gated"}) == 1;
  spec.intermediate = size_of(map, "intermediate", "intermediate: 14336");
  spec.mlp_bias = flag_of(map, "bias");
  const YamlReader activation = map.require("activation", "activation: silu");
  spec.activation =
      static_cast<DecoderSpec::Activation>(word_of(activation, {"silu", "gelu", "relu"}));
}

void read_experts(const YamlReader& reader, DecoderSpec& spec) {
  const YamlMap map = reader.map({"count", "per_token"});
  spec.experts = size_of(map, "count", "count: 8", kMaxExperts);
  const YamlReader per_token = map.require("per_token", "per_token: 2");
  spec.experts_per_token = size_in(per_token, spec.experts);
}

void read_dtypes(const YamlMap& map, DecoderSpec& spec) {
  const auto section = map.find("dtypes");
  std::optional<YamlMap> dtypes;
  if (section) dtypes = section->map({"weights", "activations", "cache", "logits"});
  const YamlMap* given = dtypes ? &*dtypes : nullptr;
  const auto stored = {"f32", "bf16", "f16", "e4m3", "e5m2", "i8"};
  const auto computed = {"f32", "bf16", "f16"};
  spec.weights = dtype_in(given, "weights", stored, "bf16");
  spec.activations = dtype_in(given, "activations", computed, "bf16");
  spec.cache = dtype_in(given, "cache", stored, spec.activations.c_str());
  spec.logits = dtype_in(given, "logits", computed, "f32");
}

double positive_real(const YamlReader& reader) {
  const double value = reader.number();
  if (!(value > 0) || !std::isfinite(value))
    throw reader.error(fmt::format("got {}, expected more than 0", value));
  return value;
}

void read_interconnect(const YamlReader& reader, DecoderSpec& spec) {
  const YamlMap map = reader.map({"bandwidth", "latency"});
  spec.interconnect.emplace();
  spec.interconnect->bytes_per_second =
      positive_real(map.require("bandwidth", "bandwidth: 450")) * 1e9;
  const YamlReader latency = map.require("latency", "latency: 5");
  spec.interconnect->latency_us = latency.number();
  if (!(spec.interconnect->latency_us >= 0))
    throw latency.error(fmt::format("got {}, expected 0 or more", latency.number()));
}

void check_count(const YamlMap& map, const DecoderSpec& spec) {
  std::int64_t count = 0;
  try {
    count = spec.parameter_count();
  } catch (Error& error) {
    throw user_error(map.reader().where(), error.message());
  }
  const auto given = map.find("parameters");
  if (given && given->integer() != count) {
    throw given->error(
        fmt::format("got {}, but these shapes have {} parameters", given->integer(), count));
  }
}

// Exact arithmetic; throws Error (user) on overflow.
class Count {
 public:
  Count(std::int64_t value) : value_(value) {}  // NOLINT(google-explicit-constructor)
  [[nodiscard]] std::int64_t value() const { return value_; }
  friend Count operator*(Count a, Count b) {
    std::int64_t product = 0;
    if (__builtin_mul_overflow(a.value_, b.value_, &product)) too_many();
    return product;
  }
  friend Count operator+(Count a, Count b) {
    std::int64_t sum = 0;
    if (__builtin_add_overflow(a.value_, b.value_, &sum)) too_many();
    return sum;
  }

 private:
  [[noreturn]] static void too_many() {
    throw user_error("these shapes have more than 2^63 parameters");
  }
  std::int64_t value_;
};

}  // namespace

std::int64_t DecoderSpec::mlp_parameters() const {
  const Count wide = intermediate;
  const Count projections = gated ? 2 : 1;
  const Count biases = mlp_bias ? projections * wide + Count(hidden) : Count(0);
  return ((projections + 1) * wide * hidden + biases).value();
}

std::int64_t DecoderSpec::parameter_count() const {
  const Count qkv = Count(query_width()) + Count(2) * kv_width();
  const Count norm_size = Count(hidden) * (norm == Norm::kLayer ? 2 : 1);
  Count layer = Count(2) * norm_size;
  layer = layer + qkv * hidden + (qkv_bias ? qkv : Count(0));
  layer = layer + Count(query_width()) * hidden + (output_bias ? Count(hidden) : Count(0));
  if (experts > 0) layer = layer + Count(experts) * hidden;  // the router
  layer = layer + Count(std::max<std::int64_t>(1, experts)) * mlp_parameters();
  const Count table = Count(vocabulary) * hidden;
  Count all = Count(layers) * layer + norm_size + table;
  if (!tied_embeddings) all = all + table;
  if (position == Position::kLearned) all = all + Count(max_context) * hidden;
  return all.value();
}

DecoderSpec parse_decoder(std::string_view text, const std::filesystem::path& file) {
  const YamlDocument document = parse_yaml(text, file.string(), kKind);
  const YamlMap map = YamlReader(document).map(
      {"model", "summary", "source", "layers", "hidden", "vocabulary", "context", "attention",
       "mlp", "experts", "norm", "position", "tied_embeddings", "dtypes", "sampling", "parameters",
       "interconnect"});
  DecoderSpec spec;
  spec.file = file;
  spec.name = map.require("model", "model: llama-3-8b").nonempty_text();
  if (const auto summary = map.find("summary")) spec.summary = summary->text();
  if (const auto source = map.find("source")) spec.source = source->text();
  spec.layers = size_of(map, "layers", "layers: 32", kMaxLayers);
  spec.hidden = size_of(map, "hidden", "hidden: 4096");
  spec.vocabulary = size_of(map, "vocabulary", "vocabulary: 128256");
  spec.max_context = size_of(map, "context", "context: 8192");
  read_attention(map.require("attention", "attention: {heads: 32, kv_heads: 8}"), spec);
  read_mlp(map.require("mlp", "mlp: {kind: gated, intermediate: 14336, activation: silu}"), spec);
  if (const auto experts = map.find("experts")) read_experts(*experts, spec);
  spec.norm = static_cast<DecoderSpec::Norm>(
      word_of(map.require("norm", "norm: rmsnorm"), {"rmsnorm", "layernorm"}));
  spec.position = static_cast<DecoderSpec::Position>(
      word_of(map.require("position", "position: rope"), {"rope", "learned"}));
  spec.tied_embeddings = flag_of(map, "tied_embeddings");
  read_dtypes(map, spec);
  const YamlMap sampling = map.require("sampling", "sampling: {top_k: 50}").map({"top_k"});
  spec.top_k = size_of(sampling, "top_k", "top_k: 50", spec.vocabulary);
  if (const auto link = map.find("interconnect")) read_interconnect(*link, spec);
  check_count(map, spec);
  return spec;
}

DecoderSpec read_decoder(const std::filesystem::path& file) {
  return parse_decoder(read_yaml_text(file, kKind), file);
}

double bytes_of(std::string_view dtype) {
  const std::optional<int> bytes = dtype_bytes(dtype);
  WARPWRIGHT_CHECK(bytes.has_value(), "a model's dtypes are checked when it is read");
  return *bytes;
}

}  // namespace warpwright
