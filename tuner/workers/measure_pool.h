// Measuring workers of devices of one kind: one process per GPU, or as many as cores for an
// emulated device. A request goes to whichever device is free, unless it names one. A worker that
// crashes, hangs or loses its device is replaced. A hang or a poisoned context is evidence against
// the trial and costs only that trial; a worker that merely died may have been killed by anything,
// so its trial is tried again on a fresh one, and the third death is its outcome. A device whose
// machine is lost takes nothing more: what it had goes back to the others, uncounted.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "workers/measure_service.h"
#include "workers/measure_slot.h"

namespace warpwright {

// One of a pool's devices, and where its workers run.
struct MeasureDevice {
  std::string id;                  // for open_device
  int slots = 0;                   // 0: as many as the pool says
  WorkerLauncher start = nullptr;  // null: as the pool says, with its limits
  WorkerLimits limits = {};
};

struct MeasurePoolOptions : MeasureSlotOptions {
  int slots = 1;                            // of each device
  std::vector<MeasureDevice> devices = {};  // empty: setup.device alone
  // Requests run in random order, the same each time: neighbours in a space are alike, and a good
  // configuration found early saves what is slower from being sampled.
  bool any_order = false;
};

class MeasurePool : public MeasureService {
 public:
  MeasurePool(MeasurePoolOptions options, Done done);  // `done`: from the pool's threads
  ~MeasurePool() override;                             // kills the workers

  void submit(std::uint64_t ticket, std::shared_ptr<const MeasureRequest> request,
              const MeasurePlace& place = {}) override;
  void note_best(std::uint64_t turn, double best_us) override;
  void reserve(std::size_t device, std::optional<std::uint64_t> turn) override;
  void wake() override;
  std::vector<std::uint64_t> cancel_queued() override;
  bool cancel(std::uint64_t ticket) override;
  [[nodiscard]] Statistics statistics() const override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace warpwright
