#include "store/usable_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "records/times.h"

namespace warpwright {
namespace {

bool is_amount(double value) { return std::isfinite(value) && value >= 0; }

void keep_time(std::optional<double>& us) {
  if (us && !is_time(*us)) us.reset();
}

void keep_amount(double& value) {
  if (!is_amount(value)) value = 0;
}

}  // namespace

void leave_out_unusable(TrialRecord& trial) {
  if (trial.median_us && !is_time(*trial.median_us)) {
    if (trial.status == Status::kOk && trial.reason.empty()) {
      trial.reason =
          fmt::format("median_us is {}, expected a finite positive time", *trial.median_us);
    }
    trial.median_us.reset();
  }
  if (!trial.median_us) trial.ci_low_us = trial.ci_high_us = std::nullopt;
  keep_time(trial.ci_low_us);
  keep_time(trial.ci_high_us);
  keep_time(trial.raw_median_us);
  keep_time(trial.at_least_us);
  if (trial.floor_us && !is_amount(*trial.floor_us)) trial.floor_us.reset();
  if (trial.work_bytes_written && !is_amount(*trial.work_bytes_written))
    trial.work_bytes_written.reset();
  for (double* amount : {&trial.compile_seconds, &trial.validate_seconds, &trial.measure_seconds,
                         &trial.work_bytes, &trial.work_flops})
    keep_amount(*amount);
}

void leave_out_unusable(std::vector<double>& samples_us) {
  std::erase_if(samples_us, [](double sample) { return !is_amount(sample); });
}

}  // namespace warpwright
