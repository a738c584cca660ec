// The timing protocols of a GPU, versioned by name:
//   cold-events-1  [restore in-out] [write 2 x L2] [spin] [event] [launches] [event]
//   hot-events-1   [restore in-out]                [spin] [event] [launches] [event]
// The spin keeps the GPU busy until the host has queued everything after it, so that no launch
// latency of the host lies between the events; a sample whose queueing took longer than its spin is
// taken again. The launches run once untimed first, which also loads them. Nothing is subtracted:
// the floor is the same protocol around an empty kernel.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "device/cuda/context.h"
#include "device/cuda/module.h"
#include "device/cuda/nvml.h"

namespace warpwright::cuda {

class Sampler {
 public:
  // `helpers` is the module of helper_kernels.h.
  Sampler(std::shared_ptr<Context> context, std::shared_ptr<const Module> helpers, Nvml::Gpu gpu,
          std::size_t l2_bytes);

  Sampler(const Sampler&) = delete;
  Sampler& operator=(const Sampler&) = delete;

  [[nodiscard]] Samples sample(std::span<const DeviceLaunch> launches,
                               const SampleRequest& request);

 private:
  using Clock = std::chrono::steady_clock;
  struct Timed {
    std::unique_ptr<Event> start;
    std::unique_ptr<Event> end;
    Clock::duration queueing{};  // from before the spin to after the last event
    Clock::duration spin{};
  };

  // The samples alone: protocol, floor and clock are left to sample().
  [[nodiscard]] Samples collect(std::span<const DeviceLaunch> launches,
                                const SampleRequest& request);
  [[nodiscard]] double floor_us(bool evict_l2);
  // Queues one sample; the result is the first error, which may be the fault of an earlier sample.
  [[nodiscard]] CUresult queue_one(std::vector<PreparedLaunch>& launches,
                                   const SampleRequest& request, Timed& timed);
  [[nodiscard]] CUresult queue_spin(Clock::duration length);
  // Waits for what is queued; false, with status and reason in `samples`, when it failed or hung.
  [[nodiscard]] bool finish(Samples& samples, std::chrono::milliseconds limit);

  std::shared_ptr<Context> context_;
  std::shared_ptr<const Module> helpers_;
  DeviceLaunch spin_launch_;
  std::optional<PreparedLaunch> spin_prepared_;  // refers to spin_launch_
  Nvml::Gpu gpu_;
  std::size_t evict_bytes_;
  std::unique_ptr<Buffer> evict_;     // made on first use
  std::map<bool, double> floors_us_;  // by evict_l2
  Clock::duration spin_ = std::chrono::microseconds(30);
  std::optional<int> clock_mhz_;  // seen during the current call
};

}  // namespace warpwright::cuda
