#include "metrics/work.h"

#include <cmath>

namespace warpwright {

Work work_of(const TrialRecord& trial) {
  return {trial.work_bytes, trial.work_bytes_written, trial.work_flops, trial.arithmetic};
}

double units_of(const TrialRecord& trial) {
  const TrialMeasurement* seen = trial.measurement.readable();
  const double units = seen == nullptr ? 1 : seen->units.value_or(1);
  return std::isfinite(units) && units > 0 ? units : 1;
}

}  // namespace warpwright
