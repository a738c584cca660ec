// Protocol cold-graph-3 (device/timing.h). Every sample is a graph of its own; timing_bench.h
// explains why, and describes the placement of graphs. The kernels that prepare memory and sum
// outputs are launched outside the graphs, so that they run while the host records the next graph.
// No graph is recorded while another runs, because readings then spread further than their
// intervals indicate.
#include <optional>

#include "core/error.h"
#include "device/cuda/context.h"
#include "device/cuda/input_sets.h"
#include "device/cuda/timing_bench.h"

namespace warpwright::cuda {
namespace {

constexpr const char* kColdProtocol = "cold-graph-3";
constexpr const char* kOneSetGraphs = "cold-graph-3-one-input-set";
// How often an empty kernel follows a sample.
constexpr int kSamplesPerFloor = 5;
// Readings stay at one level for dozens of samples, then move on to another, and so do the empty
// kernel's in the same graphs: in 40 processes on an H200, blocks of 40 samples and the 8 floors
// among them correlate by 0.6, medians of processes by 0.76. A floor from few recent readings
// therefore cancels most of the level. With 12 to 16 readings, medians of twenty samples less the
// floor have a standard deviation of 0.068 us; with 8 or 24, 0.072; with 256, 0.095.
constexpr std::size_t kFloorWindow = 16;
// A rest remains: medians of twenty still differ by more than the spread of their samples explains.
// With this standard deviation, 95.2 and 95.3 % of such intervals on two H200s contain the median
// of all readings. GPUs differ: on a third run levels lay further apart, and it was 85.2 %.
constexpr double kDriftUs = 0.05;
// Samples of this length and more report the clock that they ran at: only they draw power for long
// enough to be slowed down by it, and compared with them, overwriting L2, which lies between the
// stamps, is short.
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
    taken.drift_us = kDriftUs;
    return taken;
  }

 private:
  // A graph that is ready to be launched: the launches of a set, the empty kernel, or both.
  struct Recorded {
    std::unique_ptr<Graph> graph;
    InputSets::Set* set = nullptr;  // null: the empty kernel alone
    bool stamped = false;
    bool has_floor = false;
    Interval* sample = nullptr;
    Interval* floor = nullptr;
  };

  // Prepares everything on first use. Returns false, with the reason in `taken`, on failure.
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
    while (bench_.floors_known(kColdProtocol) < kFloorWindow) {
      std::optional<Recorded> floor = record(nullptr, true, taken);
      if (!floor || !launch(*floor, taken) || !finish(*floor, taken)) return false;
    }
    return true;
  }

  // Runs the launches once, untimed, to load the code, so that nothing is loaded during a capture
  // or a sample.
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

  bool sample(Samples& taken) {
    InputSets::Set& set = sets_.any(bench_);
    if (!queued(sets_.queue_state(bench_, set), taken)) return false;
    std::optional<Recorded> next = record(&set, ++count_ % kSamplesPerFloor == 0, taken);
    return next && launch(*next, taken) && finish(*next, taken);
  }

  // Returns nullopt after setting a fallback when the launches cannot be captured, or with the
  // reason in `taken`.
  std::optional<Recorded> record(InputSets::Set* set, bool with_floor, Samples& taken) {
    const auto& context = bench_.context();
    Recorded recorded;
    recorded.set = set;
    recorded.stamped = set != nullptr && stamped_;
    recorded.has_floor = with_floor;
    recorded.sample = &bench_.any_interval();
    recorded.floor = &bench_.any_interval();
    CUresult result = CUDA_SUCCESS;
    bench_.make_room();
    recorded.graph = Graph::capture(
        context,
        [&] {
          CUresult queueing = set != nullptr ? queue(recorded) : CUDA_SUCCESS;
          if (queueing == CUDA_SUCCESS && with_floor) queueing = queue_floor(*recorded.floor);
          return queueing;
        },
        result);
    if (recorded.graph) return recorded;
    if (context->lost()) {
      bench_.fail(taken, result, doing());
    } else {
      bench_.drop_checks();
      fallback_ = make_cold_events_plan(bench_, request_);
    }
    return std::nullopt;
  }

  bool launch(Recorded& recorded, Samples& taken) {
    CUresult result = pins_l2_ ? bench_.reset_persisting_lines() : CUDA_SUCCESS;
    if (result == CUDA_SUCCESS) result = recorded.graph->launch();
    return queued(result, taken);
  }

  // Whether work was queued; otherwise the reason is in `taken`.
  bool queued(CUresult result, Samples& taken) {
    if (result == CUDA_SUCCESS) return true;
    bench_.fail(taken, result, doing());
    return abandon();
  }

  // Waits for the launched graph and stores its readings.
  bool finish(Recorded& recorded, Samples& taken) {
    if (!bench_.finish(taken, doing())) return abandon();
    if (recorded.set != nullptr) {
      const double elapsed_us = recorded.sample->us();
      taken.elapsed_us.push_back(elapsed_us);
      taken.clock_mhz.push_back(recorded.stamped ? bench_.clock_between_stamps_mhz() : 0);
      stamped_ = elapsed_us >= kStampedUs;
      const InputSets::Set& set = *recorded.set;
      if (!queued(bench_.queue_checks(*set.sequence, *set.state), taken)) return false;
      if (!sets_.examine(bench_, set, taken)) return abandon();
    }
    if (recorded.has_floor) bench_.note_floor(kColdProtocol, recorded.floor->us(), kFloorWindow);
    bench_.park(std::move(recorded.graph));
    return true;
  }

  // Called after a failure, so that no pending check of this plan affects the next one.
  bool abandon() {
    bench_.drop_checks();
    return false;
  }

  CUresult queue(const Recorded& recorded) {
    CUresult result = CUDA_SUCCESS;
    const auto then = [&](auto queue) { result = result == CUDA_SUCCESS ? queue() : result; };
    if (recorded.stamped) then([&] { return bench_.queue_stamp(TimingBench::Stamp::kBefore); });
    then([&] { return bench_.queue_evict(request_.written_bytes); });
    then([&] { return recorded.sample->start.record_in_graph(); });
    then([&] { return bench_.queue(recorded.set->launches); });
    then([&] { return recorded.sample->end.record_in_graph(); });
    if (recorded.stamped) then([&] { return bench_.queue_stamp(TimingBench::Stamp::kAfter); });
    return result;
  }

  CUresult queue_floor(Interval& floor) {
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
