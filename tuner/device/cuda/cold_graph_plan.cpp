// Protocol cold-graph-3 (device/timing.h). Every sample is a graph of its own; timing_bench.h says
// why, and about the places of graphs.
#include "core/error.h"
#include "device/cuda/graph.h"
#include "device/cuda/input_sets.h"
#include "device/cuda/timing_bench.h"

namespace warpwright::cuda {
namespace {

constexpr const char* kColdProtocol = "cold-graph-3";
constexpr const char* kOneSetGraphs = "cold-graph-3-one-input-set";
// How often an empty kernel follows a sample.
constexpr int kSamplesPerFloor = 5;
constexpr std::size_t kFloorCalibration = 32;
// Readings stay at one level for dozens of samples, then move on to another, and processes differ:
// medians of twenty differ by more than the spread of their samples explains. With this much (as a
// standard deviation) intervals of 20 samples of kernels of 13 and 53 us hold the median of all as
// often as they say: 0.055 to 0.070 us in five sets of ten and forty processes on three H200s. The
// levels do not go far, so that it is less than their standard deviation within a process and
// between them, 0.06 and 0.04 us.
constexpr double kWanderUs = 0.065;
// Samples from this length on tell the clock that they ran at: only such draw power for long enough
// to be slowed down by it, and beside them overwriting L2, which lies between the stamps, is short.
constexpr double kStampedUs = 500;

class ColdGraphPlan : public TimingPlan {
 public:
  ColdGraphPlan(TimingBench& bench, TimingRequest request)
      : bench_(bench), request_(std::move(request)) {
    WARPWRIGHT_CHECK(!request_.rotation.empty(), "cold timing needs something to launch");
  }

  Samples take(int samples, std::chrono::milliseconds time_limit) override {
    using Clock = std::chrono::steady_clock;
    Samples taken;
    if (!fallback_ && !ready(taken)) return taken;
    const auto start = Clock::now();
    while (!fallback_ && static_cast<int>(taken.elapsed_us.size()) < samples) {
      if (!sample(taken)) {
        if (!fallback_) return taken;
        break;
      }
      if (bench_.checks_full() && !bench_.checks_hold(taken)) return taken;
      if (Clock::now() - start > time_limit) break;
    }
    if (!bench_.checks_hold(taken)) return taken;
    if (fallback_ && taken.elapsed_us.empty()) return fallback_->take(samples, time_limit);
    taken.protocol = sets_.count() > 1 ? kColdProtocol : kOneSetGraphs;
    taken.floor_us = bench_.floor_us(kColdProtocol);
    taken.wander_us = kWanderUs;
    return taken;
  }

 private:
  // Prepares everything on first use; false with the reason in `taken`.
  bool ready(Samples& taken) {
    if (sets_.ready()) return true;
    if (!sets_.prepare(bench_, request_.rotation, taken)) return false;
    pins_l2_ = TimingBench::pins_l2(request_.rotation.front().launches);
    bench_.allocate_buffers();
    stamped_ = request_.expected_us >= kStampedUs;
    if (!TimingBench::have_run(request_.rotation.front().launches) && !warm_up(taken)) return false;
    return calibrate(taken);
  }

  // The first plan of a process measures the floor alone; later ones only keep it fresh.
  bool calibrate(Samples& taken) {
    while (bench_.floors_known(kColdProtocol) < kFloorCalibration) {
      if (!run(false, true, taken)) return false;
    }
    return true;
  }

  // Once, untimed: loads the code, so that nothing is loaded during a capture or a sample.
  bool warm_up(Samples& taken) {
    InputSets::Set& set = sets_.first();
    CUresult result = sets_.queue_state(bench_, set);
    if (result == CUDA_SUCCESS) result = bench_.queue_empty();
    if (result == CUDA_SUCCESS) result = bench_.queue(set.launches);
    if (result != CUDA_SUCCESS) {
      bench_.fail(taken, result, doing());
      return false;
    }
    return bench_.finish(taken, doing());
  }

  bool sample(Samples& taken) { return run(true, ++count_ % kSamplesPerFloor == 0, taken); }

  // One graph: the launches, the empty kernel, or both. False with the reason in `taken`, or with a
  // fallback when the launches cannot be captured.
  bool run(bool with_launches, bool with_floor, Samples& taken) {
    const auto& context = bench_.context();
    Interval& sample = bench_.any_interval();
    Interval& floor = bench_.any_interval();
    InputSets::Set* set = with_launches ? &sets_.any(bench_) : nullptr;
    CUresult result = CUDA_SUCCESS;
    bench_.make_room();
    std::unique_ptr<Graph> graph = Graph::capture(
        context,
        [&] {
          CUresult queued = with_launches ? record(*set, sample) : CUDA_SUCCESS;
          if (queued == CUDA_SUCCESS && with_floor) queued = record_floor(floor);
          return queued;
        },
        result);
    if (!graph) {
      if (context->lost()) {
        bench_.fail(taken, result, doing());
      } else {
        bench_.drop_checks();
        fallback_ = make_cold_events_plan(bench_, request_);
      }
      return false;
    }
    if (pins_l2_) result = bench_.reset_persisting_lines();
    if (result == CUDA_SUCCESS) result = graph->launch();
    if (result != CUDA_SUCCESS) {
      bench_.fail(taken, result, doing());
      return false;
    }
    if (!bench_.finish(taken, doing())) return false;
    if (with_launches) {
      taken.elapsed_us.push_back(sample.us());
      taken.clock_mhz.push_back(stamped_ ? bench_.clock_between_stamps_mhz() : 0);
      stamped_ = sample.us() >= kStampedUs;
      if (!sets_.examine(bench_, *set, taken)) return false;
    }
    if (with_floor) bench_.note_floor(kColdProtocol, floor.us());
    bench_.park(std::move(graph));
    return true;
  }

  CUresult record(InputSets::Set& set, Interval& sample) {
    CUresult result = sets_.queue_state(bench_, set);
    const auto then = [&](auto queue) { result = result == CUDA_SUCCESS ? queue() : result; };
    if (stamped_) then([&] { return bench_.queue_stamp(TimingBench::Stamp::kBefore); });
    then([&] { return bench_.queue_evict(request_.written_bytes); });
    then([&] { return sample.start.record_in_graph(); });
    then([&] { return bench_.queue(set.launches); });
    then([&] { return sample.end.record_in_graph(); });
    if (stamped_) then([&] { return bench_.queue_stamp(TimingBench::Stamp::kAfter); });
    then([&] { return bench_.queue_checks(*set.sequence, *set.state); });
    return result;
  }

  CUresult record_floor(Interval& floor) {
    CUresult result = bench_.queue_evict(0);
    if (result == CUDA_SUCCESS) result = floor.start.record_in_graph();
    if (result == CUDA_SUCCESS) result = bench_.queue_empty();
    if (result == CUDA_SUCCESS) result = floor.end.record_in_graph();
    return result;
  }

  [[nodiscard]] std::string doing() const { return "timing " + sets_.describe(); }

  TimingBench& bench_;
  TimingRequest request_;
  InputSets sets_;
  bool pins_l2_ = false;
  int count_ = 0;
  bool stamped_ = false;  // the next sample
  std::unique_ptr<TimingPlan> fallback_;
};

}  // namespace

void calibrate_cold(TimingBench& bench) {
  TimingRequest nothing;
  nothing.rotation.emplace_back();
  // Its result does not matter: a device that fails here fails in every trial, with its reason.
  (void)make_cold_graph_plan(bench, std::move(nothing))->take(0, std::chrono::milliseconds(0));
}

std::unique_ptr<TimingPlan> make_cold_graph_plan(TimingBench& bench, TimingRequest request) {
  return std::make_unique<ColdGraphPlan>(bench, std::move(request));
}

}  // namespace warpwright::cuda
