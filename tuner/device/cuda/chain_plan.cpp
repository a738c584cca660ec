// Protocols hot-graph-1 and slope-graph-2 (device/timing.h): launches back to back in one graph,
// between two events. Nothing is restored or evicted in between: before the chains of one call, all
// memory is put into the state in which samples begin, and every sequence runs once untimed; after
// them, the outputs are compared with their expected checksums.
#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "device/cuda/context.h"
#include "device/cuda/input_sets.h"
#include "device/cuda/timing_bench.h"
#include "stats/median.h"

namespace warpwright::cuda {
namespace {

// A chain is long enough that effects at its ends have little weight, and short enough to be cheap.
constexpr double kHotChainUs = 1000;
constexpr double kSlopeChainUs = 150;
constexpr int kLongestChain = 256;
constexpr int kSlopeFactor = 4;

// A graph of `length` sequences between two events.
class Chain {
 public:
  Chain(TimingBench& bench, int length)
      : bench_(bench), length_(length), start_(bench.context()), end_(bench.context()) {}

  // `queue_one(i)` queues the i-th sequence. Returns false, with the reason in `taken`, when it
  // cannot be captured.
  template <typename QueueOne>
  bool build(QueueOne queue_one, Samples& taken) {
    CUresult result = CUDA_SUCCESS;
    graph_ = Graph::capture(
        bench_.context(),
        [&] {
          CUresult queued = start_.record_in_graph();
          for (int i = 0; i < length_ && queued == CUDA_SUCCESS; ++i) queued = queue_one(i);
          return queued == CUDA_SUCCESS ? end_.record_in_graph() : queued;
        },
        result);
    if (!graph_) bench_.fail(taken, result, "recording a chain of launches");
    return graph_ != nullptr;
  }

  // Measures the time of the whole chain. Returns false, with the reason in `taken`, when it
  // failed.
  bool run(double& elapsed_us, Samples& taken) {
    const CUresult result = graph_->launch();
    if (result != CUDA_SUCCESS) {
      bench_.fail(taken, result, "launching a chain of launches");
      return false;
    }
    if (!bench_.finish(taken, "running a chain of launches")) return false;
    elapsed_us = end_.since_us(start_);
    return true;
  }

  [[nodiscard]] int length() const { return length_; }

 private:
  TimingBench& bench_;
  int length_;
  Event start_, end_;
  std::unique_ptr<Graph> graph_;
};

class ChainPlan : public TimingPlan {
 public:
  ChainPlan(TimingBench& bench, TimingRequest request)
      : bench_(bench), request_(std::move(request)) {
    WARPWRIGHT_CHECK(!request_.rotation.empty(), "a chain needs something to launch");
    for (const TimedSequence& sequence : request_.rotation)
      WARPWRIGHT_CHECK(sequence.restore.empty(), "a chain restores nothing between its launches");
  }

  Samples take(int samples, std::chrono::milliseconds time_limit) override {
    using Clock = std::chrono::steady_clock;
    Samples taken;
    if (!ready(taken) || !begin(taken)) return taken;
    const auto start = Clock::now();
    for (int i = 0; i < samples; ++i) {
      if (i > 0 && Clock::now() - start > time_limit) break;
      double elapsed_us = 0;
      if (!sample(elapsed_us, taken)) return taken;
      taken.elapsed_us.push_back(elapsed_us);
      taken.sequences += sequences_per_sample();
    }
    taken.protocol = protocol();
    taken.floor_us = floor_us();
    (void)end(taken);
    return taken;
  }

 protected:
  [[nodiscard]] virtual const char* protocol() const = 0;
  [[nodiscard]] virtual double floor_us() const { return 0; }
  [[nodiscard]] virtual std::uint64_t sequences_per_sample() const = 0;
  // Called once, when sequences are prepared and the time of one, about `one_us`, was measured.
  [[nodiscard]] virtual bool build(double one_us, Samples& taken) = 0;
  [[nodiscard]] virtual bool sample(double& elapsed_us, Samples& taken) = 0;

  // The length of whole turns of the rotation that take about `total_us`.
  [[nodiscard]] int chain_length(double one_us, double total_us, int fewest) const {
    const int sets = static_cast<int>(sets_.count());
    const double wanted = one_us > 0 ? std::ceil(total_us / one_us) : fewest;
    const int length = static_cast<int>(std::clamp(wanted, 1.0 * fewest, 1.0 * kLongestChain));
    return (length + sets - 1) / sets * sets;
  }
  CUresult queue_turn(int i) {
    return bench_.queue(sets_.at(static_cast<std::size_t>(i) % sets_.count()).launches);
  }

  TimingBench& bench_;

 private:
  bool ready(Samples& taken) {
    if (ready_) return true;
    if (!sets_.ready()) {
      bench_.allocate_buffers();
      if (!sets_.prepare(bench_, request_.rotation, taken)) return false;
    }
    // Two launches: the first loads the code, the second determines the length of a chain.
    double one_us = 0;
    for (int i = 0; i < 2; ++i) {
      Event start(bench_.context());
      Event end(bench_.context());
      CUresult result = start.record();
      if (result == CUDA_SUCCESS) result = bench_.queue_empty();
      if (result == CUDA_SUCCESS) result = queue_turn(i);
      if (result == CUDA_SUCCESS) result = end.record();
      if (result != CUDA_SUCCESS) {
        bench_.fail(taken, result, "timing the launches");
        return false;
      }
      if (!bench_.finish(taken, "timing the launches")) return false;
      one_us = end.since_us(start);
    }
    ready_ = build(one_us, taken);
    return ready_;
  }

  // Puts every sequence into the state in which samples begin and runs it once untimed, so that the
  // first timed launches find the caches in the same state as the later ones.
  bool begin(Samples& taken) {
    CUresult result = CUDA_SUCCESS;
    for (std::size_t i = 0; i < sets_.count() && result == CUDA_SUCCESS; ++i) {
      result = sets_.queue_state(bench_, sets_.at(i));
      if (result == CUDA_SUCCESS) result = bench_.queue(sets_.at(i).launches);
    }
    if (result == CUDA_SUCCESS) return bench_.finish(taken, kPreparing);
    bench_.fail(taken, result, kPreparing);
    return false;
  }

  bool end(Samples& taken) {
    for (std::size_t i = 0; i < sets_.count(); ++i) {
      if (const CUresult result =
              bench_.queue_checks(request_.rotation[i], *sets_.at(i).state, true);
          result != CUDA_SUCCESS) {
        bench_.fail(taken, result, "summing outputs");
        return false;
      }
      if (bench_.checks_full() && !bench_.checks_hold(taken)) return false;
    }
    return bench_.checks_hold(taken);
  }

  static constexpr const char* kPreparing = "preparing a chain of launches";
  TimingRequest request_;
  InputSets sets_;
  bool ready_ = false;
};

class HotPlan : public ChainPlan {
 public:
  using ChainPlan::ChainPlan;

 protected:
  const char* protocol() const override { return "hot-graph-1"; }
  std::uint64_t sequences_per_sample() const override {
    return static_cast<std::uint64_t>(chain_->length());
  }
  bool build(double one_us, Samples& taken) override {
    chain_.emplace(bench_, chain_length(one_us, kHotChainUs, 4));
    if (!chain_->build([this](int i) { return queue_turn(i); }, taken)) return false;
    double warm_up_us = 0;
    return chain_->run(warm_up_us, taken);
  }
  bool sample(double& elapsed_us, Samples& taken) override {
    if (!chain_->run(elapsed_us, taken)) return false;
    elapsed_us /= chain_->length();
    return true;
  }

 private:
  std::optional<Chain> chain_;
};

// Two chains, of m and 4m sequences.
class ChainPair {
 public:
  template <typename QueueOne>
  bool build(TimingBench& bench, int length, QueueOne queue_one, Samples& taken) {
    for (const int m : {length, kSlopeFactor * length}) {
      chains_.push_back(std::make_unique<Chain>(bench, m));
      if (!chains_.back()->build(queue_one, taken)) return false;
    }
    double warm_up_us = 0;
    return slope(warm_up_us, taken);
  }
  // Measures what one sequence adds to a chain.
  bool slope(double& slope_us, Samples& taken) {
    double shorter_us = 0;
    double longer_us = 0;
    if (!chains_[0]->run(shorter_us, taken) || !chains_[1]->run(longer_us, taken)) return false;
    slope_us = (longer_us - shorter_us) / (chains_[1]->length() - chains_[0]->length());
    return true;
  }
  [[nodiscard]] std::uint64_t sequences() const {
    return static_cast<std::uint64_t>(chains_[0]->length() + chains_[1]->length());
  }

 private:
  std::vector<std::unique_ptr<Chain>> chains_;
};

class SlopePlan : public ChainPlan {
 public:
  using ChainPlan::ChainPlan;

 protected:
  const char* protocol() const override { return "slope-graph-2"; }
  std::uint64_t sequences_per_sample() const override { return pair_.sequences(); }
  double floor_us() const override { return median(store_us_); }

  bool build(double one_us, Samples& taken) override {
    const int length = chain_length(one_us, kSlopeChainUs, 8);
    // A kernel that has written ends later than an empty one, by 0.17 us on an H200. Whatever comes
    // after it in a chain waits for that.
    const auto store = [this](int i) { return bench_.queue_store(static_cast<std::size_t>(i)); };
    return pair_.build(
               bench_, length, [this](int i) { return queue_turn(i); }, taken) &&
           stores_.build(bench_, length, store, taken);
  }

  bool sample(double& elapsed_us, Samples& taken) override {
    double store_us = 0;
    if (!pair_.slope(elapsed_us, taken) || !stores_.slope(store_us, taken)) return false;
    store_us_.push_back(store_us);
    return true;
  }

 private:
  ChainPair pair_, stores_;
  std::vector<double> store_us_;
};

// The slope of an empty kernel: what lies between two kernels of a chain that is in no kernel's own
// time.
class GapPlan : public ChainPlan {
 public:
  using ChainPlan::ChainPlan;

 protected:
  const char* protocol() const override { return "slope-graph-2"; }
  std::uint64_t sequences_per_sample() const override { return pair_.sequences(); }
  bool build(double, Samples& taken) override {
    return pair_.build(
        bench_, kGapChain, [this](int) { return bench_.queue_empty(); }, taken);
  }
  bool sample(double& elapsed_us, Samples& taken) override {
    return pair_.slope(elapsed_us, taken);
  }

 private:
  static constexpr int kGapChain = 64;
  ChainPair pair_;
};

}  // namespace

std::unique_ptr<TimingPlan> make_hot_plan(TimingBench& bench, TimingRequest request) {
  return std::make_unique<HotPlan>(bench, std::move(request));
}

std::unique_ptr<TimingPlan> make_gap_plan(TimingBench& bench, TimingRequest request) {
  return std::make_unique<GapPlan>(bench, std::move(request));
}

std::unique_ptr<TimingPlan> make_slope_plan(TimingBench& bench, TimingRequest request) {
  return std::make_unique<SlopePlan>(bench, std::move(request));
}

}  // namespace warpwright::cuda
