#include "records/records.h"

#include <utility>

namespace warpwright {

FailureDetail failure_of(const TrialRecord& trial) {
  const TrialMeasurement* measurement = trial.measurement.readable();
  if (measurement != nullptr && measurement->failure) return *measurement->failure;
  return detail_of_old_reason(trial.status, trial.reason);
}

void set_failure(TrialRecord& trial, Status status, FailureReason reason) {
  trial.status = status;
  trial.reason = std::move(reason.text);
  const TrialMeasurement* known = trial.measurement.readable();
  TrialMeasurement measurement = known != nullptr ? *known : TrialMeasurement{};
  measurement.failure.reset();
  if (reason.detail.code != FailureCode::kNone) measurement.failure = std::move(reason.detail);
  if (known != nullptr ? measurement.failure != known->failure : measurement.failure.has_value())
    trial.measurement = std::move(measurement);
}

}  // namespace warpwright
