// Timed launches whose outputs were not those of the validated launches: how many there were, and
// the reason that a configuration is given.
#pragma once

#include <cstdint>
#include <string>

#include "device/timing.h"

namespace warpwright {

class WrongLaunches {
 public:
  // One launch sequence that was looked at; `output` is the first wrong one, empty when all are
  // right.
  void note(const std::string& output) {
    ++seen_;
    if (output.empty()) return;
    ++wrong_;
    if (output_.empty()) output_ = output;
  }
  [[nodiscard]] bool none() const { return wrong_ == 0; }
  // Puts kWrongResult and the reason into the samples; always false.
  bool fail(Samples& samples) const;

 private:
  std::uint64_t seen_ = 0;
  std::uint64_t wrong_ = 0;
  std::string output_;
};

}  // namespace warpwright
