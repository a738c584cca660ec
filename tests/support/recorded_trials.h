// The times and results of a recorded sweep, trial by trial, from which a simulated sweep
// (simulated_host.h) is made.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "records/records.h"
#include "trial/launch/outcome.h"

namespace warpwright::testing {

// Seconds are seconds of a compiler, and of a GPU.
struct RecordedTrial {
  Outcome outcome;  // with times, resources and samples as they were stored
  double compile_seconds = 0;
  double device_seconds = 0;  // validating and timing, without what the board costs
};

struct RecordedBoard {
  std::map<std::string, RecordedTrial> trials;  // by Configuration::to_string()
  double input_seconds = 0;  // making inputs and asking the reference, once on every GPU

  // Returns the trial of another configuration of the board where this one was not recorded.
  [[nodiscard]] const RecordedTrial& find(const std::string& configuration) const;
};

class RecordedTrials {
 public:
  RecordedTrials() = default;
  // The newest trial of every configuration of a kernel, on the device that most of them are of.
  // Throws Error (user) where there is none.
  RecordedTrials(const std::filesystem::path& database, const std::string& kernel);

  void add(const std::string& problem_text, const std::string& configuration, RecordedTrial trial);
  void set_input_seconds(const std::string& problem_text, double seconds) {
    boards_[problem_text].input_seconds = seconds;
  }

  // Throws Error (user) where the problem was not recorded.
  [[nodiscard]] const RecordedBoard& board(const std::string& problem_text) const;
  // The configuration of the shortest time; "" where nothing was timed.
  [[nodiscard]] std::string best(const std::string& problem_text) const;
  [[nodiscard]] const std::optional<DeviceInfo>& device() const { return device_; }
  [[nodiscard]] std::size_t size() const;

 private:
  std::map<std::string, RecordedBoard> boards_;
  std::optional<DeviceInfo> device_;
};

}  // namespace warpwright::testing
