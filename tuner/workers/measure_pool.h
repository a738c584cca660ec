// The interface through which a sweep measures on devices of one kind, which a simulation
// implements with a clock of its own, and the pool of measuring workers behind it: one process per
// GPU, or as many as cores for an emulated device. A request goes to any free device, unless it
// names one. A worker that crashes, hangs or loses its device is replaced. A hang or a poisoned
// context is evidence against the trial and costs only that trial. A worker that merely died may
// have been killed by anything, so its trial is tried again on a fresh worker, and the third death
// is its outcome. A device whose machine is lost takes nothing more: its trial goes back to the
// other devices and is not counted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/error.h"
#include "workers/measure_request.h"
#include "workers/measure_slot.h"

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
  // (workers/watchdog.h).
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
