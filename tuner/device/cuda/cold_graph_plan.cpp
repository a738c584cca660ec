// Protocol cold-graph-1 (device/timing.h): samples come in graphs of five, or of one for kernels
// that keep lines in L2, because those lines can only be given back between graphs.
#include "core/error.h"
#include "device/cuda/graph.h"
#include "device/cuda/timing_bench.h"

namespace warpwright::cuda {
namespace {

constexpr const char* kProtocol = "cold-graph-1";
constexpr int kBatch = 5;
constexpr std::size_t kFloorCalibration = 32;

// A pair of events around something.
struct Interval {
  explicit Interval(const std::shared_ptr<Context>& context) : start(context), end(context) {}
  [[nodiscard]] double us() const { return end.since_us(start); }
  Event start, end;
};

// One instantiated graph: `samples` timed runs of the sequence, with the empty kernel beside the
// last or beside each.
struct Batch {
  std::vector<std::unique_ptr<Interval>> samples;
  std::vector<std::unique_ptr<Interval>> floors;
  std::unique_ptr<Graph> graph;
};

class ColdGraphPlan : public TimingPlan {
 public:
  ColdGraphPlan(TimingBench& bench, TimingRequest request)
      : bench_(bench), request_(std::move(request)) {
    WARPWRIGHT_CHECK(request_.rotation.size() == 1, "cold timing takes one sequence");
  }

  Samples take(int samples, std::chrono::milliseconds time_limit) override {
    using Clock = std::chrono::steady_clock;
    Samples taken;
    if (fallback_) return fallback_->take(samples, time_limit);
    taken.protocol = kProtocol;
    if (!ready(taken)) return fallback_ ? fallback_->take(samples, time_limit) : taken;
    const auto start = Clock::now();
    while (static_cast<int>(taken.elapsed_us.size()) < samples) {
      const int missing = samples - static_cast<int>(taken.elapsed_us.size());
      Batch& batch = missing >= kBatch && !pins_l2_ ? many_ : one_;
      if (!run(batch, taken)) return taken;
      if (Clock::now() - start > time_limit) break;
    }
    taken.floor_us = request_.close_floor ? median_us(own_floors_us_) : bench_.floor_us(kProtocol);
    return taken;
  }

 private:
  // Prepares everything on first use; false with the reason in `taken`, or with a fallback.
  bool ready(Samples& taken) {
    if (one_.graph) return true;
    LaunchResult failure;
    prepared_ = bench_.prepare(request_.rotation.front(), failure);
    if (!prepared_) {
      TimingBench::fail(taken, failure);
      return false;
    }
    pins_l2_ = TimingBench::pins_l2(request_.rotation.front());
    bench_.allocate_evict_buffer();
    if (!warm_up(taken)) return false;
    const int floors = request_.close_floor ? kBatch : 1;
    if (!build(many_, kBatch, floors, taken) || !build(one_, 1, floors == 1 ? 0 : 1, taken))
      return false;
    return calibrate(taken);
  }

  // Once, untimed: loads the code, so that nothing is loaded during a capture or a sample.
  bool warm_up(Samples& taken) {
    CUresult result = bench_.queue_restores(request_.restore);
    if (result == CUDA_SUCCESS) result = bench_.queue_empty();
    if (result == CUDA_SUCCESS) result = bench_.queue(*prepared_);
    if (result != CUDA_SUCCESS) {
      bench_.fail(taken, result, doing());
      return false;
    }
    return bench_.finish(taken, doing());
  }

  bool build(Batch& batch, int samples, int floors, Samples& taken) {
    const auto& context = bench_.context();
    for (int i = 0; i < samples; ++i) batch.samples.push_back(std::make_unique<Interval>(context));
    for (int i = 0; i < floors; ++i) batch.floors.push_back(std::make_unique<Interval>(context));
    CUresult result = CUDA_SUCCESS;
    batch.graph = Graph::capture(
        context, [&] { return record(batch); }, result);
    if (batch.graph) return true;
    if (context->lost()) {
      bench_.fail(taken, result, doing());
      return false;
    }
    // A launch that cannot be captured can still be timed on the stream.
    fallback_ = make_cold_events_plan(bench_, std::move(request_));
    return false;
  }

  CUresult record(Batch& batch) {
    CUresult result = CUDA_SUCCESS;
    const auto then = [&](CUresult next) { result = result == CUDA_SUCCESS ? next : result; };
    for (std::size_t i = 0; i < batch.samples.size(); ++i) {
      then(bench_.queue_restores(request_.restore));
      then(bench_.queue_evict());
      then(batch.samples[i]->start.record_in_graph());
      then(bench_.queue(*prepared_));
      then(batch.samples[i]->end.record_in_graph());
      if (batch.floors.size() == batch.samples.size())
        then(record_floor(*batch.floors[i]));
      else if (i + 1 == batch.samples.size() && !batch.floors.empty())
        then(record_floor(*batch.floors.front()));
    }
    return result;
  }

  CUresult record_floor(Interval& floor) {
    CUresult result = bench_.queue_evict();
    if (result == CUDA_SUCCESS) result = floor.start.record_in_graph();
    if (result == CUDA_SUCCESS) result = bench_.queue_empty();
    if (result == CUDA_SUCCESS) result = floor.end.record_in_graph();
    return result;
  }

  // The first plan of the process measures the floor alone; later ones only keep it fresh.
  bool calibrate(Samples& taken) {
    if (bench_.floors_known(kProtocol) >= kFloorCalibration) return true;
    Batch floors;
    const auto& context = bench_.context();
    for (std::size_t i = 0; i < kFloorCalibration; ++i)
      floors.floors.push_back(std::make_unique<Interval>(context));
    CUresult result = CUDA_SUCCESS;
    floors.graph = Graph::capture(
        context,
        [&] {
          for (const auto& floor : floors.floors) {
            if (const CUresult one = record_floor(*floor); one != CUDA_SUCCESS) return one;
          }
          return CUDA_SUCCESS;
        },
        result);
    if (!floors.graph) {
      bench_.fail(taken, result, "calibrating with an empty kernel");
      return false;
    }
    const bool measured = run(floors, taken);
    own_floors_us_.clear();
    return measured;
  }

  bool run(Batch& batch, Samples& taken) {
    CUresult result = pins_l2_ ? bench_.reset_persisting_lines() : CUDA_SUCCESS;
    if (result == CUDA_SUCCESS) result = batch.graph->launch();
    if (result != CUDA_SUCCESS) {
      bench_.fail(taken, result, doing());
      return false;
    }
    if (!bench_.finish(taken, doing())) return false;
    for (const auto& sample : batch.samples) taken.elapsed_us.push_back(sample->us());
    for (const auto& floor : batch.floors) {
      bench_.note_floor(kProtocol, floor->us());
      if (request_.close_floor) own_floors_us_.push_back(floor->us());
    }
    return true;
  }

  [[nodiscard]] std::string doing() const {
    return "timing " + (prepared_ && !prepared_->empty() ? prepared_->front().describe()
                                                         : std::string("the launches"));
  }

  TimingBench& bench_;
  TimingRequest request_;
  std::optional<PreparedSequence> prepared_;
  std::vector<double> own_floors_us_;  // with close_floor: those of this plan alone
  bool pins_l2_ = false;
  Batch many_, one_;
  std::unique_ptr<TimingPlan> fallback_;
};

}  // namespace

std::unique_ptr<TimingPlan> make_cold_graph_plan(TimingBench& bench, TimingRequest request) {
  return std::make_unique<ColdGraphPlan>(bench, std::move(request));
}

}  // namespace warpwright::cuda
