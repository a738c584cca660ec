#include "device/wrong_launches.h"

#include <fmt/format.h>

namespace warpwright {

bool WrongLaunches::fail(Samples& samples) const {
  samples.status = Status::kWrongResult;
  samples.reason = fmt::format(
      "while being timed: output '{}' was not what the validated launches had written, in {} of {} "
      "timed launches that were checked; every timed launch begins with poisoned outputs, restored "
      "module variables and inputs drawn at random, and must do all of the work",
      output_, wrong_, seen_);
  return false;
}

}  // namespace warpwright
