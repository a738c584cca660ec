// Configurations that come to the same thing: equal machine code, launch and arguments, for the
// problem and for every case. The first of them is run; the others take its outcome, marked as its.
// What a worker's death or an unsteady device left open is not shared: the next one is run instead.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "run/measure_worker.h"
#include "trial/outcome.h"

namespace warpwright {

// Equal for requests that come to the same thing on this device. Cases that a request leaves out
// have passed before, whatever they were.
[[nodiscard]] std::string code_identity(const KernelSpec& kernel, const DeviceInfo& device,
                                        const MeasureRequest& request);

class SharedCode {
 public:
  // What to do with a task that is ready to be measured.
  enum class Turn { kRun, kWait, kKnown };
  // kKnown: known() has the outcome. kWait: ended() of the one that runs will name this task.
  [[nodiscard]] Turn offer(const std::string& identity, std::uint64_t task);
  // True when the task was told to wait and still does.
  [[nodiscard]] bool waits(const std::string& identity, std::uint64_t task) const;
  [[nodiscard]] const Outcome& known(const std::string& identity) const;

  // A task has ended. If it was the one that runs, returns those that waited for it, to be offered
  // again: when the outcome is shared they are kKnown now.
  std::vector<std::uint64_t> ended(const std::string& identity, std::uint64_t task,
                                   const std::string& configuration, const Outcome& outcome);
  // The configuration whose outcome is known was measured again: from now on the new one is known.
  // False when it is not known as this configuration's, or the new one is not shared.
  bool measured_again(const std::string& identity, const std::string& configuration,
                      const Outcome& outcome);
  // A task is gone without an outcome; returns as ended().
  std::vector<std::uint64_t> dropped(const std::string& identity, std::uint64_t task);

 private:
  struct Entry {
    std::optional<std::uint64_t> running;
    std::vector<std::uint64_t> waiting;
    std::optional<Outcome> outcome;  // with same_as set
  };
  std::map<std::string, Entry> entries_;
};

}  // namespace warpwright
