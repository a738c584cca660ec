// Measuring workers of one device: one process per GPU, or as many as cores for an emulated device.
// A worker that crashes, hangs or loses its device costs the trial it was running and is replaced.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "run/measure_worker.h"

namespace warpwright {

struct MeasurePoolOptions {
  MeasurerSetup setup;
  int slots = 1;
  std::vector<std::string> worker_command;  // program and arguments that run measure_worker_main()
  std::chrono::milliseconds trial_timeout{600'000};  // after which a silent worker is killed
};

class MeasurePool {
 public:
  // The outcome of a trial, or the Error that ended it: a fault of the environment or of the user's
  // contract.
  using Done =
      std::function<void(std::uint64_t ticket, Outcome outcome, std::optional<Error> error)>;

  MeasurePool(MeasurePoolOptions options, Done done);
  ~MeasurePool();  // kills the workers

  // Never blocks; requests run in the order given. `done` is called once per ticket from the pool's
  // threads.
  void submit(std::uint64_t ticket, std::shared_ptr<const MeasureRequest> request);
  // Drops requests that no worker has taken; those get no `done`. Returns their tickets.
  std::vector<std::uint64_t> cancel_queued();

  struct Statistics {
    double busy_seconds = 0;  // longest of the slots
    std::uint64_t workers_started = 0;
    std::uint64_t workers_lost = 0;
  };
  [[nodiscard]] Statistics statistics() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace warpwright
