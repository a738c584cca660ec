// The measuring workers of devices of one kind: one process per GPU, or as many as cores for an
// emulated device. A request goes to any free device, unless it names one. A worker that crashes,
// hangs or loses its device is replaced. A hang or a poisoned context is evidence against the trial
// and costs only that trial. A worker that merely died may have been killed by anything, so its
// trial is tried again on a fresh worker, and the third death is its outcome. A device whose
// machine is lost takes nothing more: its trial goes back to the other devices and is not counted.
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
  int slots = 0;                   // 0: the pool's number
  WorkerLauncher start = nullptr;  // null: the pool's launcher and limits
  WorkerLimits limits = {};
};

struct MeasurePoolOptions : MeasureSlotOptions {
  int slots = 1;                            // of each device
  std::vector<MeasureDevice> devices = {};  // empty: setup.device alone
  // Requests run in random order, the same each time. Neighbours in a space are similar, and a good
  // configuration that is found early saves sampling the slower ones.
  bool any_order = false;
};

class MeasurePool : public MeasureService {
 public:
  MeasurePool(MeasurePoolOptions options, Done done);  // `done` is called by the pool's threads
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
