// The workers of a sweep: compilers, the measurers of every group of devices, and the processes
// that compute references ahead. They report to the queue of events.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "compile/compile_pool.h"
#include "sweep/event_queue.h"
#include "sweep/sweep_host.h"
#include "sweep/sweep_plan.h"
#include "workers/measure_pool.h"
#include "workers/paths.h"
#include "workers/reference_ahead.h"

namespace warpwright {

class SweepWorkers {
 public:
  // Starts the pools. All arguments must outlive this.
  SweepWorkers(const SweepOptions& options, const Paths& paths, const SweepPlan& plan,
               SweepHost& host, EventQueue& events);
  // Closes the queue first, since a measurer may wait for an event to be handled.
  ~SweepWorkers();
  SweepWorkers(const SweepWorkers&) = delete;
  SweepWorkers& operator=(const SweepWorkers&) = delete;

  [[nodiscard]] CompileService& compilers() { return *compilers_; }

  // What keeps the workers of a group busy.
  struct Demand {
    std::size_t tasks = 0;      // in progress
    std::size_t questions = 0;  // unanswered, of a search that learns from answers
  };
  [[nodiscard]] const Demand& demand(std::size_t group) const { return demand_[group]; }

  // Prepares for trials of the board: a first measurer starts, and the reference of its problem is
  // computed.
  void expect_trials(std::size_t board);
  // Sends a request to a device of the plan; nullopt for any of the board's group.
  void measure(std::uint64_t task, std::size_t board, std::shared_ptr<const MeasureRequest> request,
               std::optional<std::size_t> device);
  // Takes back a request that no measurer has begun; false if one has.
  [[nodiscard]] bool cancel(std::uint64_t task, std::size_t board);
  // Takes back all compile jobs and requests that no worker has begun; returns the requests' tasks.
  [[nodiscard]] std::vector<std::uint64_t> cancel_queued();
  // As MeasureService::note_best(), for the board's trials.
  void note_best(std::size_t board, double best_us);
  // Keeps the device that ranks the board free for it, until release().
  void reserve(std::size_t board);
  void release(std::size_t board);

  [[nodiscard]] MeasureService::Statistics statistics(std::size_t group) const {
    return measurers_[group]->statistics();
  }

 private:
  [[nodiscard]] MeasureService& measurer_of(std::size_t board) {
    return *measurers_[plan_.boards[board].group];
  }
  void start_group(std::size_t group, MeasurePoolOptions measure);
  void start_references(std::size_t group, const MeasurePoolOptions& measure);

  const SweepPlan& plan_;
  WorkerNodes* const nodes_;  // null: this machine
  SweepHost& host_;
  EventQueue& events_;
  std::vector<Demand> demand_;  // by group
  std::unique_ptr<CompileService> compilers_;
  std::vector<std::unique_ptr<MeasureService>> measurers_;  // by group
  // By group: one on each host; none for emulated devices.
  std::vector<std::vector<std::unique_ptr<ReferenceAhead>>> references_;
};

}  // namespace warpwright
