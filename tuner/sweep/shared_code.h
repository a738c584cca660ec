// Finds configurations that are equivalent: equal machine code, launch and arguments, for the
// problem and for every case. The first of them is run; the others take its outcome, marked as
// shared. An outcome that a worker's death or an unsteady device left undecided is not shared: the
// next configuration is run instead.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sweep/task_table.h"
#include "trial/launch/outcome.h"
#include "workers/measure_request.h"

namespace warpwright {

// Returns a key that is equal for trials that are equivalent on devices of the same kind. Cases
// that a trial leaves out have passed before and do not matter.
[[nodiscard]] std::string code_identity(const KernelSpec& kernel, const DeviceInfo& device,
                                        const CompiledTrial& trial);

class SharedCode {
 public:
  // How to proceed with a task that is ready to be measured.
  enum class Turn { kRun, kWait, kKnown };
  // kKnown: known() has the outcome. kWait: ended() of the running one will return this task.
  [[nodiscard]] Turn submit(const std::string& identity, std::uint64_t task);
  // True when submit() returned kWait for the task and it still waits.
  [[nodiscard]] bool waits(const std::string& identity, std::uint64_t task) const;
  [[nodiscard]] const Outcome& known(const std::string& identity) const;
  // The device on which the known outcome was measured.
  [[nodiscard]] std::size_t device_of_known(const std::string& identity) const;

  // Records the end of a task. If it was the running one, returns the tasks that waited for it, to
  // be submitted again: when the outcome is shared, they are now kKnown.
  std::vector<std::uint64_t> ended(const std::string& identity, std::uint64_t task,
                                   const std::string& configuration, const Outcome& outcome,
                                   std::size_t device = 0);
  // The configuration whose outcome is known was measured again: the new outcome replaces the old.
  // False when the known outcome is not this configuration's, or the new one cannot be shared.
  bool measured_again(const std::string& identity, const std::string& configuration,
                      const Outcome& outcome);
  // Records that a task was dropped without an outcome; returns the same as ended().
  std::vector<std::uint64_t> dropped(const std::string& identity, std::uint64_t task);

 private:
  struct Entry {
    std::optional<std::uint64_t> running;
    std::vector<std::uint64_t> waiting;
    std::optional<Outcome> outcome;  // with same_as set
    std::size_t device = 0;          // of the outcome
  };
  [[nodiscard]] const Entry& known_entry(const std::string& identity) const;
  std::map<std::string, Entry> entries_;
};

// The trials that took the outcome of another with equal code. They take its new outcome when it is
// measured again.
class Sharers {
 public:
  void add(const TrialTask& task);

  struct Sharer {
    TrialTask task;
    Outcome outcome;
  };
  // Returns the trials that took the outcome of this code, each with `known` as its own outcome.
  [[nodiscard]] std::vector<Sharer> with_outcome(const std::string& code,
                                                 const Outcome& known) const;

  // Returns the outcome that a trial takes.
  [[nodiscard]] static Outcome outcome_of(const TrialTask& task, const Outcome& known);

 private:
  // By code. The requests of the tasks keep only the configuration, the problem and the compiler's
  // figures.
  std::map<std::string, std::vector<TrialTask>> tasks_;
};

}  // namespace warpwright
