// Protocols end-to-end-1 and end-to-end-uncached-1 (device/timing.h): what a caller waits for, by
// the host's clock. The wait polls, so its own error is under a microsecond. Uncached also encodes
// the tensor maps of the launches anew; cached finds them, as all else, prepared.
#include "core/error.h"
#include "device/cuda/tensor_map_encoder.h"
#include "device/cuda/timing_bench.h"

namespace warpwright::cuda {
namespace {

class EndToEndPlan : public TimingPlan {
 public:
  EndToEndPlan(TimingBench& bench, TimingRequest request)
      : bench_(bench), request_(std::move(request)) {
    WARPWRIGHT_CHECK(request_.rotation.size() == 1, "end-to-end timing takes one sequence");
  }

  Samples take(int samples, std::chrono::milliseconds time_limit) override {
    using Clock = std::chrono::steady_clock;
    const bool cached = request_.mode == TimingMode::kEndToEnd;
    Samples taken;
    taken.protocol = cached ? "end-to-end-1" : "end-to-end-uncached-1";
    const auto start = Clock::now();
    // The first run is not counted: it may load code.
    for (int i = -1; i < samples; ++i) {
      if (i > 0 && Clock::now() - start > time_limit) break;
      CUresult result = bench_.queue_restores(request_.restore);
      if (result == CUDA_SUCCESS && !bench_.finish(taken, kDoing)) return taken;
      const auto called = Clock::now();
      if (!cached || !prepared_) {
        LaunchResult failure;
        if (cached || encode_maps(failure)) {
          prepared_ = bench_.prepare(request_.rotation.front(), failure);
        }
        if (!prepared_) {
          TimingBench::fail(taken, failure);
          return taken;
        }
      }
      if (result == CUDA_SUCCESS) result = bench_.queue(*prepared_);
      if (result != CUDA_SUCCESS) {
        bench_.fail(taken, result, kDoing);
        return taken;
      }
      if (!bench_.finish(taken, kDoing)) return taken;
      if (i >= 0) {
        taken.elapsed_us.push_back(
            std::chrono::duration<double, std::micro>(Clock::now() - called).count());
      }
    }
    return taken;
  }

 private:
  // Encodes into the arguments that the prepared launches point at, so those launches are dropped.
  bool encode_maps(LaunchResult& failure) {
    prepared_.reset();
    for (DeviceLaunch& launch : request_.rotation.front()) {
      if (!encode_tensor_maps(bench_.context()->driver(), launch, failure)) return false;
    }
    return true;
  }

  static constexpr const char* kDoing = "timing the launches from end to end";
  TimingBench& bench_;
  TimingRequest request_;
  std::optional<PreparedSequence> prepared_;
};

}  // namespace

std::unique_ptr<TimingPlan> make_end_to_end_plan(TimingBench& bench, TimingRequest request) {
  return std::make_unique<EndToEndPlan>(bench, std::move(request));
}

}  // namespace warpwright::cuda
