// Measuring workers of one device: one process per GPU, or as many as cores for an emulated device.
// A worker that crashes, hangs or loses its device is replaced. A hang or a poisoned context is
// evidence against the trial and costs only that trial; a worker that merely died may have been
// killed by anything, so its trial is tried again on a fresh one, and the third death is its
// outcome.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/error.h"
#include "workers/measure_slot.h"

namespace warpwright {

struct MeasurePoolOptions : MeasureSlotOptions {
  int slots = 1;
  // Requests run in random order, the same each time: neighbours in a space are alike, and a good
  // configuration found early saves what is slower from being sampled.
  bool any_order = false;
};

class MeasurePool {
 public:
  // The outcome of a trial, or the Error that ended it: a fault of the environment or of the user's
  // contract.
  using Done =
      std::function<void(std::uint64_t ticket, Outcome outcome, std::optional<Error> error)>;

  MeasurePool(MeasurePoolOptions options, Done done);
  ~MeasurePool();  // kills the workers

  // Never blocks; requests run in the order given, unless any_order. `done` is called once per
  // ticket from the pool's threads. Outcomes that failed carry the workers they cost
  // (workers/quarantine.h).
  void submit(std::uint64_t ticket, std::shared_ptr<const MeasureRequest> request);
  // A first worker is started, so that opening the device and building the reference go on while
  // the first request is being made. What fails then is told by that request.
  void wake();
  // Drops requests that no worker has taken; those get no `done`. Returns their tickets.
  std::vector<std::uint64_t> cancel_queued();
  // The same for one; false when a worker has taken it already.
  bool cancel(std::uint64_t ticket);

  struct Statistics {
    double busy_seconds = 0;  // longest of the slots
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
