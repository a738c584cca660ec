// Protocol cold-events-3 (device/timing.h), for launches that cannot be captured in a graph:
//   [prepare] [evict] [spin] [event] [launches] [event] [checksum]
// The spin keeps the GPU busy until the host has queued everything after it, so that no launch
// latency of the host lies between the events; a sample whose queueing took longer than its spin is
// taken again.
#include <algorithm>

#include "core/error.h"
#include "device/cuda/input_sets.h"
#include "device/cuda/timing_bench.h"

namespace warpwright::cuda {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr const char* kProtocol = "cold-events-3";
constexpr const char* kOneSetEvents = "cold-events-3-one-input-set";
constexpr Clock::duration kShortestSpin = microseconds(20);
constexpr Clock::duration kLongestSpin = milliseconds(2);
// Far below the length of the driver's queue (about 1024 entries); a full queue would stall the
// host.
constexpr int kBatch = 8;
constexpr int kFloorSamples = 32;

class ColdEventsPlan : public TimingPlan {
 public:
  ColdEventsPlan(TimingBench& bench, TimingRequest request)
      : bench_(bench), request_(std::move(request)) {
    WARPWRIGHT_CHECK(!request_.rotation.empty(), "cold timing needs something to launch");
  }

  Samples take(int samples, milliseconds time_limit) override {
    Samples taken;
    if (!ready(taken)) return taken;
    taken.protocol = sets_.count() > 1 ? kProtocol : kOneSetEvents;
    std::vector<double> doubtful;  // queued too slowly; used only as a last resort
    if (!collect(samples, time_limit, false, taken, taken.elapsed_us, doubtful)) return taken;
    if (!bench_.checks_hold(taken)) return taken;
    if (taken.elapsed_us.empty()) taken.elapsed_us = std::move(doubtful);
    taken.floor_us = bench_.floor_us(kProtocol);
    return taken;
  }

 private:
  struct Timed {
    explicit Timed(const std::shared_ptr<Context>& context) : start(context), end(context) {}
    Event start, end;
    InputSets::Set* set = nullptr;
    Clock::duration queueing{};  // from before the spin to after the last event
    Clock::duration spin{};
  };

  bool ready(Samples& taken) {
    if (sets_.ready()) return true;
    if (!sets_.prepare(bench_, request_.rotation, taken)) return false;
    bench_.allocate_buffers();
    for (int i = 0; i < kBatch; ++i) batch_.push_back(std::make_unique<Timed>(bench_.context()));
    // The first sample loads the kernels and is discarded.
    std::vector<double> ignored;
    if (!collect(1, milliseconds(0), false, taken, ignored, ignored)) return false;
    if (bench_.floors_known(kProtocol) >= kFloorSamples) return true;
    std::vector<double> floors;
    if (!collect(kFloorSamples, milliseconds(1000), true, taken, floors, ignored)) return false;
    for (const double floor : floors) bench_.note_floor(kProtocol, floor, kFloorSamples);
    return true;
  }

  // `empty` times the empty kernel instead of the launches.
  bool collect(int samples, milliseconds time_limit, bool empty, Samples& taken,
               std::vector<double>& good, std::vector<double>& doubtful) {
    const auto start = Clock::now();
    int attempts_left = 2 * samples + kBatch;
    while (static_cast<int>(good.size()) < samples && attempts_left > 0) {
      const int size = std::min(samples - static_cast<int>(good.size()), kBatch);
      for (int i = 0; i < size; ++i) {
        Timed& timed = *batch_[static_cast<std::size_t>(i)];
        timed.spin = spin_;
        if (const CUresult result = queue_one(timed, empty); result != CUDA_SUCCESS) {
          bench_.fail(taken, result, kDoing);
          return false;
        }
        // The next spin is twice the slowest queueing seen, and shrinks slowly, so that one slow
        // call is not forgotten.
        const auto wanted =
            std::max<Clock::duration>(2 * timed.queueing + microseconds(10), spin_ * 9 / 10);
        spin_ = std::clamp(wanted, kShortestSpin, kLongestSpin);
      }
      if (!bench_.finish(taken, kDoing)) return false;
      if (!empty && !sets_.examine(bench_, *batch_[static_cast<std::size_t>(size - 1)]->set, taken))
        return false;
      if (bench_.checks_full() && !bench_.checks_hold(taken)) return false;
      attempts_left -= size;
      for (int i = 0; i < size; ++i) {
        const Timed& timed = *batch_[static_cast<std::size_t>(i)];
        (timed.queueing <= timed.spin ? good : doubtful).push_back(timed.end.since_us(timed.start));
      }
      if (Clock::now() - start > time_limit && !(good.empty() && doubtful.empty())) break;
    }
    return true;
  }

  CUresult queue_one(Timed& timed, bool empty) {
    CUresult result = bench_.reset_persisting_lines();
    const auto then = [&](auto queue) { result = result == CUDA_SUCCESS ? queue() : result; };
    timed.set = &sets_.any(bench_);
    then([&] { return sets_.queue_state(bench_, *timed.set); });
    then([&] { return bench_.queue_evict(empty ? 0 : request_.written_bytes); });
    const auto queued_from = Clock::now();
    then([&] { return bench_.queue_spin(timed.spin); });
    then([&] { return timed.start.record(); });
    then([&] { return empty ? bench_.queue_empty() : bench_.queue(timed.set->launches); });
    then([&] { return timed.end.record(); });
    timed.queueing = Clock::now() - queued_from;
    if (!empty) then([&] { return bench_.queue_checks(*timed.set->sequence, *timed.set->state); });
    return result;
  }

  static constexpr const char* kDoing = "timing the launches";
  TimingBench& bench_;
  TimingRequest request_;
  InputSets sets_;
  std::vector<std::unique_ptr<Timed>> batch_;
  Clock::duration spin_ = microseconds(30);
};

}  // namespace

std::unique_ptr<TimingPlan> make_cold_events_plan(TimingBench& bench, TimingRequest request) {
  return std::make_unique<ColdEventsPlan>(bench, std::move(request));
}

}  // namespace warpwright::cuda
