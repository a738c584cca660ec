// Timed launches whose outputs differed from those of the validated launches: their number, and the
// failure reason of the configuration.
#pragma once

#include <cstdint>
#include <string>

#include "device/timing.h"

namespace warpwright {

class WrongLaunches {
 public:
  // Records one launch sequence that was checked; `output` is the first wrong one, empty when all
  // are right.
  void note(const std::string& output) {
    ++seen_;
    if (output.empty()) return;
    ++wrong_;
    if (output_.empty()) output_ = output;
  }
  [[nodiscard]] bool none() const { return wrong_ == 0; }
  // Stores kWrongResult and the reason in the samples; always returns false.
  bool fail(Samples& samples) const;

 private:
  std::uint64_t seen_ = 0;
  std::uint64_t wrong_ = 0;
  std::string output_;
};

}  // namespace warpwright
