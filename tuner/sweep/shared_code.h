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

}  // namespace warpwright
