#include "exchange/t4/t4_ours.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/error.h"
#include "exchange/t4/t4_subject.h"

namespace warpwright {
namespace {

void require_times(const TrialRecord& trial, const std::string& place) {
  const auto require = [&](const char* member, const std::optional<double>& value, double least,
                           const char* expected) {
    if (!value || (std::isfinite(*value) && *value >= least)) return;
    throw user_error(
        fmt::format("{}.warpwright.{}: expected {}, got {}", place, member, expected, *value));
  };
  constexpr double kAboveZero = std::numeric_limits<double>::denorm_min();
  constexpr const char* kTime = "a finite positive time";
  constexpr const char* kAmount = "a finite number of at least 0";
  require("median_us", trial.median_us, kAboveZero, kTime);
  require("ci_low_us", trial.ci_low_us, kAboveZero, kTime);
  require("ci_high_us", trial.ci_high_us, kAboveZero, kTime);
  require("raw_median_us", trial.raw_median_us, kAboveZero, kTime);
  require("at_least_us", trial.at_least_us, kAboveZero, kTime);
  require("floor_us", trial.floor_us, 0, kAmount);
  require("work_bytes", trial.work_bytes, 0, kAmount);
  require("work_flops", trial.work_flops, 0, kAmount);
  require("work_bytes_written", trial.work_bytes_written, 0, kAmount);
  const double median = trial.median_us.value_or(0);
  if (!trial.median_us ||
      (trial.ci_low_us.value_or(median) <= median && trial.ci_high_us.value_or(median) >= median))
    return;
  throw user_error(fmt::format(
      "{}.warpwright: expected ci_low_us <= median_us <= ci_high_us, got {}, {} and {}", place,
      trial.ci_low_us.value_or(median), median, trial.ci_high_us.value_or(median)));
}

}  // namespace

void read_ours(const nlohmann::json& ours, const std::string& place, TrialRecord& trial) {
  if (!ours.is_object()) return;
  const auto number = [&](const char* member) -> std::optional<double> {
    const auto found = ours.find(member);
    if (found == ours.end() || found->is_null()) return std::nullopt;
    if (!found->is_number()) {
      throw user_error(
          fmt::format("{}.warpwright.{}: expected a number, got {}", place, member, found->dump()));
    }
    return found->get<double>();
  };
  const std::string status = text_in(ours, "status");
  const auto known = parse_status(status);
  if (!known) throw user_error(fmt::format("{}.warpwright.status: unknown '{}'", place, status));
  trial.status = *known;
  trial.reason = text_in(ours, "reason");
  trial.median_us = number("median_us");
  trial.ci_low_us = number("ci_low_us");
  trial.ci_high_us = number("ci_high_us");
  trial.raw_median_us = number("raw_median_us");
  trial.floor_us = number("floor_us");
  trial.at_least_us = number("at_least_us");
  trial.work_bytes = number("work_bytes").value_or(0);
  trial.work_flops = number("work_flops").value_or(0);
  trial.work_bytes_written = number("work_bytes_written");
  trial.arithmetic = text_in(ours, "arithmetic");
  require_times(trial, place);
  if (const auto found = ours.find("resources"); found != ours.end() && found->is_array())
    trial.resources = Stored<TrialResources>::of(*found);
}

}  // namespace warpwright
