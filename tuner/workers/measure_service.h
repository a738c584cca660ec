// The interface through which a sweep measures on devices of one kind. It is implemented by the
// measure pool (workers/measure_pool.h), and by a simulation with a clock of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/error.h"
#include "workers/measure_request.h"

namespace warpwright {

// The answer of a device, or the Error that ended the request: a fault of the environment or of the
// user's contract. `device_lost`: the request named a device that is gone, or no device is left.
struct MeasureAnswer {
  Outcome outcome;
  std::optional<Error> error = std::nullopt;
  std::size_t device = 0;  // which of MeasurePoolOptions::devices it was
  bool device_lost = false;
};

// Decides where and when a request runs.
struct MeasurePlace {
  std::optional<std::size_t> device =
      std::nullopt;        // runs only there, before requests for any device
  std::uint64_t turn = 0;  // requests of lower turns are taken first
};

class MeasureService {
 public:
  using Done = std::function<void(std::uint64_t ticket, MeasureAnswer answer)>;

  MeasureService() = default;
  virtual ~MeasureService() = default;
  MeasureService(const MeasureService&) = delete;
  MeasureService& operator=(const MeasureService&) = delete;

  // Never blocks; requests of a turn run in the order given, unless any_order is set. `done` is
  // called once per ticket, from any thread. Failed outcomes carry the number of workers they cost
  // (workers/quarantine.h).
  virtual void submit(std::uint64_t ticket, std::shared_ptr<const MeasureRequest> request,
                      const MeasurePlace& place = {}) = 0;
  // Sets the shortest time of a turn that may win: its trials are taken with this time in place of
  // the one they were submitted with.
  virtual void note_best(std::uint64_t turn, double best_us) = 0;
  // From now on the device takes only requests that name it and requests of this turn; nullopt ends
  // that.
  virtual void reserve(std::size_t device, std::optional<std::uint64_t> turn) = 0;
  // Starts a first worker, so that opening the device and building the reference overlap with
  // making the first request. If that fails, the first request reports it.
  virtual void wake() = 0;
  // Drops requests that no worker has taken; those get no `done`. Returns their tickets.
  virtual std::vector<std::uint64_t> cancel_queued() = 0;
  // The same for one request; false when a worker has already taken it.
  virtual bool cancel(std::uint64_t ticket) = 0;

  struct Statistics {
    double busy_seconds = 0;                  // longest of the slots
    std::vector<double> busy_of_device = {};  // longest slot of each device
    std::uint64_t workers_started = 0;
    std::uint64_t workers_lost = 0;
    std::uint64_t retried = 0;  // trials that were begun again on a fresh worker
  };
  [[nodiscard]] virtual Statistics statistics() const = 0;
};

}  // namespace warpwright
