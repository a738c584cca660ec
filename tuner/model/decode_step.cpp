#include "model/decode_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/error.h"
#include "model/operation.h"

namespace warpwright {
namespace {

// FLOP per element, as the contracts in kernels/ count them.
constexpr double kRmsnormFlops = 4;  // square, add, scale, weight
constexpr double kLayernormFlops = 8;
constexpr double kResidualFlops = 1;
constexpr double kSiluFlops = 5;
constexpr double kGeluFlops = 8;
constexpr double kRopeFlops = 3;  // four multiplications and two additions turn a pair
constexpr double kSoftmaxTopkFlops = 4;
// The float in which partial softmaxes are kept, and the index of a candidate.
constexpr double kPartialBytes = 4;
constexpr double kIndexBytes = 4;

constexpr std::int64_t kLargestBatch = 1'000'000'000;
constexpr std::int64_t kLargestContext = 1'000'000'000'000;
constexpr int kMaxGpus = 1'000'000;

double ceil_div(std::int64_t a, std::int64_t b) {
  const std::int64_t rounded_up = (a + b - 1) / b;
  return static_cast<double>(rounded_up);
}

// Exact: the parts divide the whole evenly.
double part_of(std::int64_t whole, std::int64_t parts) {
  const std::int64_t part = whole / parts;
  return static_cast<double>(part);
}

class Builder {
 public:
  Builder(const DecoderSpec& spec, const Workload& work, const Parallel& parallel)
      : spec_(spec),
        parallel_(parallel),
        link_(spec.interconnect.value_or(Interconnect{})),
        rows_(ceil_div(work.batch, parallel.expert)),
        tokens_(static_cast<double>(work.batch)),
        context_(work.context),
        hidden_(static_cast<double>(spec.hidden)),
        queries_(part_of(spec.query_width(), parallel.tensor)),
        kv_(static_cast<double>(std::max<std::int64_t>(1, spec.kv_heads / parallel.tensor) *
                                spec.head_size)),
        words_(ceil_div(spec.vocabulary, parallel.tensor)),
        positions_(ceil_div(std::min(work.context, spec.window.value_or(work.context)),
                            parallel.sequence)),
        weight_(bytes_of(spec.weights)),
        activation_(bytes_of(spec.activations)),
        cache_(bytes_of(spec.cache)),
        logit_(bytes_of(spec.logits)) {}

  std::vector<Operation> build() {
    begin();
    attention();
    if (spec_.experts > 0) {
      experts();
    } else {
      dense_mlp();
    }
    exchange("all-reduce of the mlp", Place::kLayer, parallel_.tensor, all_reduce,
             rows_ * hidden_ * activation_);
    end();
    return std::move(all_);
  }

 private:
  Operation& add(std::string name, Place place) {
    all_.push_back({});
    all_.back().name = std::move(name);
    all_.back().place = place;
    return all_.back();
  }

  template <typename Collective>
  void exchange(std::string name, Place place, int gpus, Collective collective, double bytes) {
    if (gpus > 1) add(std::move(name), place).exchange = collective(link_, gpus, bytes);
  }

  [[nodiscard]] std::string matrix_unit() const {
    return spec_.activations == "f32" ? "fma_f32" : "tensor_" + spec_.activations;
  }

  // rows x times in x out; `weights_touched` of the `weights_kept` weights are read.
  Operation& matmul(std::string name, Place place, double rows, double in, double out,
                    double biases, double copies = 1, double touched = 1) {
    Operation& one = add(std::move(name), place);
    one.parameters = copies * (in * out + biases);
    one.weight_bytes = touched * (in * out + biases) * weight_;
    one.activation_read = rows * in * activation_;
    one.activation_write = rows * out * activation_;
    one.flops = rows * out * 2 * in + (biases > 0 ? rows * out : 0);
    one.arithmetic = matrix_unit();
    if (copies > 1) {
      one.without_kernel = "no kernel of ours multiplies by the weights of several experts";
    } else if (rows > kMaxGemvTokens) {
      one.without_kernel = fmt::format("no GEMM of ours for more than {} tokens", kMaxGemvTokens);
    } else if (rows == std::floor(rows)) {
      one.kernel = linear_kernel(spec_, count(rows), count(in), count(out), biases > 0);
    }
    return one;
  }

  // None of our kernels writes a type other than that of its input.
  void writes_logits(Operation& one, double elements) const {
    one.activation_write = elements * logit_;
    if (spec_.logits == spec_.activations || !one.kernel) return;
    one.kernel.reset();
    one.without_kernel =
        fmt::format("no kernel of ours makes {} of {}", spec_.logits, spec_.activations);
  }

  void norm(std::string name, Place place, bool residual, bool keeps_sum) {
    const bool layernorm = spec_.norm == DecoderSpec::Norm::kLayer;
    Operation& one = add(std::move(name), place);
    one.parameters = hidden_ * (layernorm ? 2 : 1);
    one.weight_bytes = one.parameters * weight_;
    one.activation_read = rows_ * hidden_ * activation_ * (residual ? 2 : 1);
    one.activation_write = rows_ * hidden_ * activation_ * (keeps_sum ? 2 : 1);
    one.flops = rows_ * hidden_ *
                ((layernorm ? kLayernormFlops : kRmsnormFlops) + (residual ? kResidualFlops : 0));
    one.arithmetic = "fma_f32";
    one.kernel = norm_kernel(spec_, count(rows_), residual, keeps_sum);
  }

  static std::int64_t count(double whole) { return static_cast<std::int64_t>(whole); }
  static Value whole(double number) { return count(number); }

  // The part of the cache on this GPU.
  [[nodiscard]] CacheShape cache_shape() const {
    const auto size = static_cast<double>(spec_.head_size);
    return {count(rows_), count(queries_ / size), count(kv_ / size), context_};
  }

  void begin() {
    const double row = hidden_ * weight_;
    Operation& gather = add("embedding", Place::kFirst);
    gather.parameters = words_ * hidden_;
    gather.weight_bytes = rows_ * row;
    gather.activation_write = rows_ * hidden_ * activation_;
    if (spec_.position == DecoderSpec::Position::kLearned) {
      gather.parameters += static_cast<double>(spec_.max_context) * hidden_;
      gather.weight_bytes += rows_ * row;
      gather.flops = rows_ * hidden_;
      gather.arithmetic = "fma_f32";
    }
    exchange("all-reduce of the embedding", Place::kFirst, parallel_.tensor, all_reduce,
             rows_ * hidden_ * activation_);
    norm("first norm", Place::kFirst, false, false);
  }

  void attention() {
    norm("attention norm", Place::kLayerButFirst, true, true);
    const double qkv = queries_ + 2 * kv_;
    matmul("qkv projection", Place::kLayer, rows_, hidden_, qkv, spec_.qkv_bias ? qkv : 0);
    if (spec_.position == DecoderSpec::Position::kRope) {
      Operation& rope = add("rope", Place::kLayer);
      rope.activation_read = rope.activation_write = rows_ * (queries_ + kv_) * activation_;
      rope.flops = kRopeFlops * rows_ * (queries_ + kv_);
      rope.arithmetic = "fma_f32";
    }
    Operation& append = add("cache append", Place::kLayer);
    append.activation_read = rows_ * 2 * kv_ * activation_;
    append.cache_write = rows_ * 2 * kv_ * cache_;
    append.kernel = append_kernel(spec_, cache_shape());
    if (spec_.position == DecoderSpec::Position::kRope) append.covers = "rope";
    cached_attention();
    matmul("output projection", Place::kLayer, rows_, queries_, hidden_,
           spec_.output_bias ? hidden_ : 0);
    exchange("all-reduce of attention", Place::kLayer, parallel_.tensor, all_reduce,
             rows_ * hidden_ * activation_);
    norm("mlp norm", Place::kLayer, true, true);
  }

  void cached_attention() {
    const bool split = parallel_.sequence > 1;
    const double local_heads = queries_ / static_cast<double>(spec_.head_size);
    // The output, maximum and sum of each head.
    const double partial = rows_ * (queries_ + 2 * local_heads) * kPartialBytes;
    Operation& one = add("attention", Place::kLayer);
    one.activation_read = rows_ * queries_ * activation_;
    one.activation_write = split ? partial : rows_ * queries_ * activation_;
    one.cache_read = rows_ * positions_ * 2 * kv_ * cache_;
    one.flops = 4 * rows_ * queries_ * positions_;
    one.arithmetic = matrix_unit();
    if (!split) one.kernel = attention_kernel(spec_, cache_shape());
    exchange("merge of partial softmaxes", Place::kLayer, parallel_.sequence, all_reduce, partial);
  }

  // `rows` rows of the MLP's hidden layer, and the number of its columns on this GPU.
  void activation(double rows) {
    const double wide = part_of(spec_.intermediate, parallel_.tensor);
    const bool silu = spec_.activation == DecoderSpec::Activation::kSilu;
    const bool gelu = spec_.activation == DecoderSpec::Activation::kGelu;
    Operation& one = add("activation", Place::kLayer);
    one.activation_read = rows * wide * (spec_.gated ? 2 : 1) * activation_;
    one.activation_write = rows * wide * activation_;
    one.flops = rows * wide * ((silu ? kSiluFlops : gelu ? kGeluFlops : 1) + (spec_.gated ? 1 : 0));
    one.arithmetic = "fma_f32";
    if (!spec_.gated || !(silu || gelu) || rows != std::floor(rows)) return;
    std::map<std::string, Value> sizes = {{"rows", whole(rows)},
                                          {"d", spec_.intermediate / parallel_.tensor},
                                          {"dtype", spec_.activations}};
    // Each activation was a separate kernel until they were merged into one.
    one.former_kernel = {silu ? "swiglu" : "geglu", sizes};
    sizes["activation"] = silu ? "silu" : "gelu_tanh";
    one.kernel = {"gated_activation", std::move(sizes), "rows"};
  }

  void dense_mlp() {
    const double wide = part_of(spec_.intermediate, parallel_.tensor);
    const double in = wide * (spec_.gated ? 2 : 1);
    matmul(spec_.gated ? "gate and up projection" : "up projection", Place::kLayer, rows_, hidden_,
           in, spec_.mlp_bias ? in : 0);
    activation(rows_);
    matmul("down projection", Place::kLayer, rows_, wide, hidden_, spec_.mlp_bias ? hidden_ : 0);
  }

  void experts() {
    const auto all = static_cast<double>(spec_.experts);
    const auto chosen = static_cast<double>(spec_.experts_per_token);
    const double local = all / parallel_.expert;
    // All wait for the busiest GPU, and at least one GPU has an expert to run for one token.
    const double touched = std::max(1.0, distinct_experts(local, all, chosen, tokens_));
    const double pairs = std::max(1.0, tokens_ * chosen / parallel_.expert);
    const double wide = part_of(spec_.intermediate, parallel_.tensor);
    const double in = wide * (spec_.gated ? 2 : 1);

    Operation& router = matmul("router", Place::kLayer, rows_, hidden_, all, 0);
    writes_logits(router, rows_ * all);
    Operation& choice = add("choice of experts", Place::kLayer);
    choice.activation_read = rows_ * all * logit_;
    choice.activation_write = rows_ * chosen * (logit_ + kIndexBytes);
    choice.flops = rows_ * all;
    choice.arithmetic = "fma_f32";
    const double sent = rows_ * chosen * hidden_ * activation_;
    exchange("dispatch to experts", Place::kLayer, parallel_.expert, all_to_all, sent);
    matmul(spec_.gated ? "experts, gate and up" : "experts, up", Place::kLayer, pairs, hidden_, in,
           spec_.mlp_bias ? in : 0, local, touched);
    activation(pairs);
    matmul("experts, down", Place::kLayer, pairs, wide, hidden_, spec_.mlp_bias ? hidden_ : 0,
           local, touched);
    exchange("return from experts", Place::kLayer, parallel_.expert, all_to_all, sent);
    Operation& combine = add("weighted sum of experts", Place::kLayer);
    combine.activation_read = sent;
    combine.activation_write = rows_ * hidden_ * activation_;
    combine.flops = rows_ * chosen * 2 * hidden_;
    combine.arithmetic = "fma_f32";
  }

  void end() {
    norm("final norm", Place::kLast, true, false);
    Operation& head = matmul("output head", Place::kLast, rows_, hidden_, words_, 0);
    writes_logits(head, rows_ * words_);
    // The table is on the first stage, which is also the last one if there is only one.
    if (spec_.tied_embeddings && parallel_.pipeline == 1) head.parameters = 0;
    const double candidates = std::min(static_cast<double>(spec_.top_k), words_);
    Operation& sampling = add("softmax and top-k", Place::kLast);
    sampling.activation_read = rows_ * words_ * logit_;
    sampling.activation_write = rows_ * candidates * (kPartialBytes + kIndexBytes);
    sampling.flops = kSoftmaxTopkFlops * rows_ * words_;
    sampling.arithmetic = "fma_f32";
    if (parallel_.tensor == 1) {
      sampling.kernel = {"softmax_topk",
                         {{"rows", whole(rows_)},
                          {"V", spec_.vocabulary},
                          {"K", spec_.top_k},
                          {"dtype", spec_.logits}},
                         "rows"};
    }
    // The candidates, with the maximum and sum of each part.
    exchange("gather of candidates", Place::kLast, parallel_.tensor, all_gather,
             rows_ * (candidates * (kPartialBytes + kIndexBytes) + 2 * kPartialBytes));
    if (parallel_.pipeline > 1)
      add("to the next stage", Place::kBetweenStages).exchange =
          send(link_, rows_ * hidden_ * activation_);
  }

  const DecoderSpec& spec_;
  const Parallel& parallel_;
  const Interconnect link_;
  const double rows_;    // sequences of this GPU
  const double tokens_;  // of all GPUs that share experts
  const std::int64_t context_;
  const double hidden_, queries_, kv_, words_, positions_;
  const double weight_, activation_, cache_, logit_;
  std::vector<Operation> all_;
};

void check_ways(const char* option, int ways) {
  if (ways < 1 || ways > kMaxGpus)
    throw user_error(fmt::format("--{}: got {}, expected 1 to {}", option, ways, kMaxGpus));
}

void check_divides(const char* option, int ways, std::int64_t whole, const char* of) {
  if (whole % ways != 0) {
    throw user_error(fmt::format("--{} {}: the model has {} {}, which do not divide by {}", option,
                                 ways, whole, of, ways));
  }
}

}  // namespace

void check_workload(const DecoderSpec& spec, const Workload& work, const Parallel& parallel) {
  if (work.batch < 1 || work.batch > kLargestBatch)
    throw user_error(fmt::format("--batch: got {}, expected 1 to {}", work.batch, kLargestBatch));
  if (work.context < 1 || work.context > kLargestContext) {
    throw user_error(
        fmt::format("--context: got {}, expected 1 to {}", work.context, kLargestContext));
  }
  if (spec.position == DecoderSpec::Position::kLearned && work.context > spec.max_context) {
    throw user_error(fmt::format("--context {}: {} has {} learned positions", work.context,
                                 spec.name, spec.max_context));
  }
  check_ways("tensor", parallel.tensor);
  check_ways("pipeline", parallel.pipeline);
  check_ways("sequence", parallel.sequence);
  check_ways("expert", parallel.expert);
  const double gpus = static_cast<double>(parallel.tensor) * parallel.pipeline * parallel.sequence *
                      parallel.expert;
  if (gpus > kMaxGpus)
    throw user_error(fmt::format("got {:.0f} GPUs in all, expected at most {}", gpus, kMaxGpus));
  check_divides("tensor", parallel.tensor, spec.heads, "heads");
  check_divides("tensor", parallel.tensor, spec.intermediate, "columns in its MLP");
  if (spec.kv_heads % parallel.tensor != 0 && parallel.tensor % spec.kv_heads != 0) {
    throw user_error(fmt::format("--tensor {}: {} KV heads can be neither split nor replicated",
                                 parallel.tensor, spec.kv_heads));
  }
  if (parallel.pipeline > spec.layers) {
    throw user_error(
        fmt::format("--pipeline {}: the model has {} layers", parallel.pipeline, spec.layers));
  }
  if (parallel.sequence > work.context) {
    throw user_error(
        fmt::format("--sequence {}: there are {} positions", parallel.sequence, work.context));
  }
  if (parallel.expert > 1 && spec.experts == 0)
    throw user_error(fmt::format("--expert {}: {} has no experts", parallel.expert, spec.name));
  if (spec.experts > 0) check_divides("expert", parallel.expert, spec.experts, "experts");
  if (gpus > 1 && !spec.interconnect) {
    throw user_error(fmt::format(
        "{} GPUs exchange data, and nothing says how fast; give --interconnect GB/s,US or "
        "`interconnect: {{bandwidth: 450, latency: 5}}` in {}",
        parallel.gpus(), spec.file.string()));
  }
}

std::vector<Operation> decode_operations(const DecoderSpec& spec, const Workload& work,
                                         const Parallel& parallel) {
  return Builder(spec, work, parallel).build();
}

double executions(const Operation& operation, std::int64_t layers, bool first_stage,
                  bool last_stage) {
  switch (operation.place) {
    case Place::kFirst:
      return first_stage ? 1 : 0;
    case Place::kLayer:
      return static_cast<double>(layers);
    case Place::kLayerButFirst:
      return static_cast<double>(layers - (first_stage ? 1 : 0));
    case Place::kLast:
      return last_stage ? 1 : 0;
    case Place::kBetweenStages:
      return last_stage ? 0 : 1;
  }
  return 0;
}

double distinct_experts(double local, double all, double per_token, double tokens) {
  if (per_token >= all) return local;
  // 1 - (1 - k/E)^B without cancellation.
  return local * -std::expm1(tokens * std::log1p(-per_token / all));
}

double layer_cache_bytes(const DecoderSpec& spec, const Workload& work, const Parallel& parallel) {
  const double kept =
      ceil_div(std::min(work.context, spec.window.value_or(work.context)), parallel.sequence);
  const double width = static_cast<double>(
      std::max<std::int64_t>(1, spec.kv_heads / parallel.tensor) * spec.head_size);
  return ceil_div(work.batch, parallel.expert) * kept * 2 * width * bytes_of(spec.cache);
}

}  // namespace warpwright
