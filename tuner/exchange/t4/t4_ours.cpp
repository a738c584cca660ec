#include "exchange/t4/t4_ours.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "core/error.h"
#include "exchange/t4/t4_subject.h"

namespace warpwright {
namespace {

void require_times(const TrialRecord& trial, const std::string& place) {
  for (const TrialFigure& figure : kTrialFigures) {
    const std::optional<double> value = value_of(trial, figure);
    if (!value || is_usable(figure, *value)) continue;
    throw user_error(fmt::format(
        "{}.warpwright.{}: expected {}, got {}", place, figure.name,
        figure.above_zero ? "a finite positive time" : "a finite number of at least 0", *value));
  }
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
  for (const TrialFigure& figure : kTrialFigures)
    if (figure.group != TrialFigure::Group::kCost) set_value(trial, figure, number(figure.name));
  trial.arithmetic = text_in(ours, "arithmetic");
  require_times(trial, place);
  if (const auto found = ours.find("resources"); found != ours.end() && found->is_array())
    trial.resources = Stored<TrialResources>::of(*found);
}

}  // namespace warpwright
