#include "store/usable_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "records/times.h"

namespace warpwright {
namespace {

bool is_amount(double value) { return std::isfinite(value) && value >= 0; }

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
  for (const TrialFigure& figure : kTrialFigures) {
    const std::optional<double> value = value_of(trial, figure);
    if (value && !is_usable(figure, *value)) set_value(trial, figure, std::nullopt);
  }
}

void leave_out_unusable(std::vector<double>& samples_us) {
  std::erase_if(samples_us, [](double sample) { return !is_amount(sample); });
}

}  // namespace warpwright
