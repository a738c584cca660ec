// Protocols end-to-end-1 and end-to-end-uncached-1 (device/timing.h): the time that a caller waits,
// by the host's clock. The wait polls, so its own error is under a microsecond. The uncached
// protocol also encodes the tensor maps of the launches anew; the cached one uses prepared maps and
// launches.
#include "core/error.h"
#include "device/cuda/cuda_module.h"
#include "device/cuda/input_sets.h"
#include "device/cuda/timing_bench.h"

namespace warpwright::cuda {
namespace {

class EndToEndPlan : public TimingPlan {
 public:
  EndToEndPlan(TimingBench& bench, TimingRequest request)
      : bench_(bench), request_(std::move(request)) {
    WARPWRIGHT_CHECK(!request_.rotation.empty(), "end-to-end timing needs something to launch");
  }

  Samples take(int samples, std::chrono::milliseconds time_limit) override {
    using Clock = std::chrono::steady_clock;
    Samples taken;
    taken.protocol = cached() ? "end-to-end-1" : "end-to-end-uncached-1";
    if (!sets_.ready()) {
      bench_.allocate_buffers();
      if (!sets_.prepare(bench_, request_.rotation, taken)) return taken;
    }
    const auto start = Clock::now();
    // The first run is not counted: it may load code.
    for (int i = -1; i < samples; ++i) {
      if (i > 0 && Clock::now() - start > time_limit) break;
      double elapsed_us = 0;
      if (!run(sets_.any(bench_), elapsed_us, taken)) return taken;
      if (i >= 0) taken.elapsed_us.push_back(elapsed_us);
    }
    (void)bench_.checks_hold(taken);
    return taken;
  }

 private:
  [[nodiscard]] bool cached() const { return request_.mode == TimingMode::kEndToEnd; }

  // Runs the set once. Returns false, with the reason in `taken`, when it failed.
  bool run(InputSets::Set& set, double& elapsed_us, Samples& taken) {
    using Clock = std::chrono::steady_clock;
    CUresult result = sets_.queue_state(bench_, set);
    if (result == CUDA_SUCCESS && !bench_.finish(taken, kDoing)) return false;
    const auto called = Clock::now();
    if (!cached() && !resolve_anew(set, taken)) return false;
    if (result == CUDA_SUCCESS) result = bench_.queue(set.launches);
    if (result != CUDA_SUCCESS) {
      bench_.fail(taken, result, kDoing);
      return false;
    }
    if (!bench_.finish(taken, kDoing)) return false;
    elapsed_us = std::chrono::duration<double, std::micro>(Clock::now() - called).count();
    result = bench_.queue_checks(*set.sequence, *set.state);
    if (result != CUDA_SUCCESS) {
      bench_.fail(taken, result, kDoing);
      return false;
    }
    if (!sets_.examine(bench_, set, taken)) return false;
    return !bench_.checks_full() || bench_.checks_hold(taken);
  }

  // Encodes the tensor maps, looks functions up and prepares the launches as a first call does.
  bool resolve_anew(InputSets::Set& set, Samples& taken) {
    // Maps are encoded into the arguments that the prepared launches point at.
    set.launches.clear();
    LaunchSequence& launches =
        request_.rotation[static_cast<std::size_t>(set.sequence - request_.rotation.data())]
            .launches;
    LaunchResult failure;
    for (DeviceLaunch& launch : launches) {
      if (encode_tensor_maps(bench_.context()->driver(), launch, failure)) continue;
      TimingBench::fail(taken, failure);
      return false;
    }
    std::optional<PreparedSequence> prepared = bench_.prepare(launches, failure);
    if (!prepared) {
      TimingBench::fail(taken, failure);
      return false;
    }
    set.launches = std::move(*prepared);
    return true;
  }

  static constexpr const char* kDoing = "timing the launches from end to end";
  TimingBench& bench_;
  TimingRequest request_;
  InputSets sets_;
};

}  // namespace

std::unique_ptr<TimingPlan> make_end_to_end_plan(TimingBench& bench, TimingRequest request) {
  return std::make_unique<EndToEndPlan>(bench, std::move(request));
}

}  // namespace warpwright::cuda
