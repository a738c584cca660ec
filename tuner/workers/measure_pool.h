// Measuring workers of devices of one kind: one process per GPU, or as many as cores for an
// emulated device. A request goes to whichever device is free, unless it names one. A worker that
// crashes, hangs or loses its device is replaced. A hang or a poisoned context is evidence against
// the trial and costs only that trial; a worker that merely died may have been killed by anything,
// so its trial is tried again on a fresh one, and the third death is its outcome. A device whose
// machine is lost takes nothing more: what it had goes back to the others, uncounted.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/error.h"
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

// What a device answered, or the Error that ended the request: a fault of the environment or of the
// user's contract. `device_lost`: it named a device that is gone, or no device is left.
struct MeasureAnswer {
  Outcome outcome;
  std::optional<Error> error = std::nullopt;
  std::size_t device = 0;  // which of MeasurePoolOptions::devices it was
  bool device_lost = false;
};

// Where and when a request runs.
struct MeasurePlace {
  std::optional<std::size_t> device =
      std::nullopt;        // nowhere else, and before all that may go anywhere
  std::uint64_t turn = 0;  // those of a lower one are taken first
};

class MeasurePool {
 public:
  using Done = std::function<void(std::uint64_t ticket, MeasureAnswer answer)>;

  MeasurePool(MeasurePoolOptions options, Done done);
  ~MeasurePool();  // kills the workers

  // Never blocks; requests of a turn run in the order given, unless any_order. `done` is called
  // once per ticket from the pool's threads. Outcomes that failed carry the workers they cost
  // (workers/quarantine.h).
  void submit(std::uint64_t ticket, std::shared_ptr<const MeasureRequest> request,
              const MeasurePlace& place = {});
  // From now on the device takes nothing but what names it, and what is of this turn; nullopt ends
  // that.
  void reserve(std::size_t device, std::optional<std::uint64_t> turn);
  // A first worker is started, so that opening the device and building the reference go on while
  // the first request is being made. What fails then is told by that request.
  void wake();
  // Drops requests that no worker has taken; those get no `done`. Returns their tickets.
  std::vector<std::uint64_t> cancel_queued();
  // The same for one; false when a worker has taken it already.
  bool cancel(std::uint64_t ticket);

  struct Statistics {
    double busy_seconds = 0;                  // longest of the slots
    std::vector<double> busy_of_device = {};  // likewise, of each
    std::uint64_t workers_started = 0;
    std::uint64_t workers_lost = 0;
    std::uint64_t retried = 0;  // trials that were begun again on a fresh worker
  };
  [[nodiscard]] Statistics statistics() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace warpwright
