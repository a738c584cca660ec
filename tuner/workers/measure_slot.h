// A slot for one measuring worker: handles the process, its death, and the wait until it is really
// gone. After a kernel that hung, a GPU's driver may need seconds to tear down a killed process;
// the next worker is not started before that, and only this slot's thread waits.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/process/worker_process.h"
#include "workers/measure_worker.h"

namespace warpwright {

struct MeasureSlotOptions {
  MeasurerSetup setup;
  std::vector<std::string> worker_command;  // program and arguments that run measure_worker_main()
  WorkerLimits limits;
  WorkerLauncher start = launch_here;
  // How long a worker may be silent while it starts, makes inputs or runs the reference.
  std::chrono::milliseconds patience{600'000};
  // Called by the slot's thread with a description of the wait, each time this much of that silence
  // has passed.
  std::function<void(const std::string& line)> on_waiting;
  std::chrono::milliseconds waiting_interval{60'000};
};

// The result of one try at one trial: an outcome, or a worker that died without one.
struct MeasureAttempt {
  std::optional<Outcome> outcome;
  std::optional<TakenSamples> samples;  // of sample()
  std::string death;                    // "killed by signal 9 (Killed) while checking results"
  std::string last_words;
  std::string phase;           // the last one entered; see measure_worker.h
  bool taken = false;          // the worker had been given the trial
  bool first = false;          // it was the worker's first trial
  bool out_of_memory = false;  // it ran into its own limit
  bool place_lost = false;     // the worker's machine is gone; not the trial's fault
};

// Used by one thread, except for stop() and lost().
class MeasureSlot {
 public:
  explicit MeasureSlot(MeasureSlotOptions options);

  // Starts a worker if there is none, for an attempt to come. Throws as attempt() does.
  void prepare();
  // Starts a worker if there is none. A worker that falls silent is killed: the outcome is a
  // timeout. Throws Error as the worker reports it; Error (user) when the reference hangs; Error
  // (environment) when no worker can be started or a dead one does not go away. A slot that was
  // stopped answers with a death.
  [[nodiscard]] MeasureAttempt attempt(const MeasureRequest& request);

  // Takes samples of the last attempt's trial, which was kept and whose worker is alive, and checks
  // that it is still right after them. Silence and deaths are answered as above; a timeout is an
  // outcome.
  [[nodiscard]] MeasureAttempt sample(int samples);
  [[nodiscard]] MeasureAttempt recheck();
  // False once the worker that kept a trial is gone.
  [[nodiscard]] bool alive() const { return process_ != nullptr; }

  // Kills the process and refuses new ones; from any thread.
  void stop();
  [[nodiscard]] std::uint64_t started() const { return started_; }
  [[nodiscard]] std::uint64_t lost() const { return lost_; }

 private:
  // Returns false when the worker died before it was ready; `attempt` then describes how.
  [[nodiscard]] bool start(MeasureAttempt& attempt);
  void await_departure();
  // Ends what is left of the process, without waiting until it is gone, and records how it ended.
  void bury(bool nonsense, MeasureAttempt& attempt);
  // Kills the process, which counts as leaving until it is gone.
  void dismiss();
  [[nodiscard]] MeasureAttempt converse(const nlohmann::json& question,
                                        std::chrono::milliseconds launch_limit);
  // Like WorkerProcess::receive(), and reports the wait meanwhile.
  [[nodiscard]] WorkerProcess::ReadResult await(WorkerProcess& process, const std::string& phase,
                                                std::chrono::milliseconds limit,
                                                nlohmann::json& reply) const;
  void silent(std::chrono::milliseconds limit, MeasureAttempt& attempt);
  [[nodiscard]] std::chrono::milliseconds launch_limit(const MeasureRequest& request) const;

  MeasureSlotOptions options_;
  std::mutex mutex_;  // protects stopped_, and process_ against stop()
  bool stopped_ = false;
  std::shared_ptr<WorkerProcess> process_;
  std::shared_ptr<WorkerProcess> leaving_;  // killed, perhaps not gone
  std::uint64_t trials_of_process_ = 0;
  std::chrono::milliseconds kept_limit_{0};  // launch limit of the trial that is kept
  std::atomic<std::uint64_t> started_ = 0;
  std::atomic<std::uint64_t> lost_ = 0;
};

}  // namespace warpwright
