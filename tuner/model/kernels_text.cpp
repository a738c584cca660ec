#include "model/kernels_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "output/text/table.h"

namespace warpwright {
namespace {

using Align = Table::Align;

std::string percent(double part, double whole) {
  return fmt::format("{:+.1f}", 100 * (part / whole - 1));
}

// The first cell of the last row is the name of the sum.
std::string compared_operations_text(const StepEstimate& step, const Screen& screen) {
  Table table({middle_column("operation", 12),
               number_column("times", 2),
               number_column("µs by kernels"),
               number_column("µs by ceilings"),
               number_column("more %", 1),
               {"µs a step", Align::kRight},
               {"by ceilings", Align::kRight},
               {"time is", Align::kLeft, 0, Table::Narrow::kWrap, 20}});
  for (const TimedOperation& timed : step.operations) {
    const bool tuned = timed.measured.has_value();
    table.add_row({timed.operation.name, format_thousands(timed.count),
                   tuned ? format_us(timed.us) : "-", format_us(timed.ceiling_us),
                   tuned ? percent(timed.us, timed.ceiling_us) : "-", format_us(timed.step_us()),
                   format_us(timed.count * timed.ceiling_us), source_text(timed)});
  }
  table.add_row({"sum", "", "", "", percent(step.step_us, step.ceiling_step_us),
                 format_us(step.step_us), format_us(step.ceiling_step_us),
                 fmt::format("{:.1f} % of the time from tuned kernels", 100 * step.tuned_share())});
  return table.render(0, screen);
}

std::string compared_steps_text(const std::vector<StepEstimate>& steps, const Screen& screen) {
  Table table({number_column("batch"), number_column("context"), number_column("µs by kernels"),
               number_column("µs by ceilings"), number_column("tokens/s"),
               number_column("by ceilings", 3), number_column("measured %", 1),
               number_column("interpolated %", 1), number_column("modelled %", 2)});
  for (const StepEstimate& step : steps) {
    const auto share = [&](double us) { return fmt::format("{:.1f}", 100 * us / step.step_us); };
    table.add_row({fmt::format("{}", step.work.batch), fmt::format("{}", step.work.context),
                   format_us(step.step_us), format_us(step.ceiling_step_us),
                   format_thousands(step.tokens_per_second),
                   format_thousands(step.ceiling_tokens_per_second), share(step.measured_us),
                   share(step.interpolated_us),
                   share(step.step_us - step.measured_us - step.interpolated_us)});
  }
  return table.render(0, screen);
}

nlohmann::json neighbour_json(const TunedTime::Neighbour& one) {
  return {{"size", one.size}, {"us", one.us}, {"trial", one.trial}};
}

}  // namespace

bool has_kernel_times(const std::vector<StepEstimate>& steps) {
  return std::any_of(steps.begin(), steps.end(), [](const StepEstimate& step) {
    return step.measured_us + step.interpolated_us > 0;
  });
}

std::string source_text(const TimedOperation& timed) {
  const std::string floored =
      timed.measured && timed.us > timed.measured->us
          ? fmt::format(", {} µs raised to the floor", format_us(timed.measured->us))
          : "";
  switch (timed.source()) {
    case TimeSource::kMeasured:
      return fmt::format(
          "measured, trial {} ({}){}{}", timed.measured->trial, timed.measured->protocol,
          timed.measured->others.empty() ? "" : ", with " + timed.measured->others, floored);
    case TimeSource::kInterpolated: {
      const TunedTime& time = *timed.measured;
      return fmt::format("interpolated in {}, {} (trial {}) to {} (trial {}){}", time.along,
                         time.below.size, time.below.trial, time.above.size, time.above.trial,
                         floored);
    }
    case TimeSource::kCovered:
      return fmt::format("in {}", timed.covered_by);
    case TimeSource::kModelled:
      break;
  }
  const std::string& why = timed.operation.without_kernel;
  return why.empty() ? "modelled" : fmt::format("modelled: {}", why);
}

std::string kernels_text(const std::vector<StepEstimate>& steps, const Screen& screen) {
  const StepEstimate& first = steps.front();
  return fmt::format(
             "by tuned kernels where the database has them, beside ceilings; batch {}, context "
             "{}:\n",
             first.work.batch, first.work.context) +
         compared_operations_text(first, screen) + "\n" + compared_steps_text(steps, screen);
}

nlohmann::json source_json(const TimedOperation& timed) {
  const auto optional = [](const std::optional<double>& value) {
    return value ? nlohmann::json(*value) : nlohmann::json(nullptr);
  };
  const auto text = [](const std::string& value) {
    return value.empty() ? nlohmann::json(nullptr) : nlohmann::json(value);
  };
  nlohmann::json json = {{"source", source_name(timed.source())},
                         {"kernel", nullptr},
                         {"covered_by", text(timed.covered_by)},
                         {"without_kernel", text(timed.operation.without_kernel)},
                         {"interpolated", nullptr}};
  if (const auto& kernel = timed.operation.kernel)
    json["kernel"] = {{"name", kernel->kernel}, {"problem", kernel->sizes}, {"idle", kernel->idle}};
  for (const char* key : {"tuned_us", "trial", "protocol", "ci_low_us", "ci_high_us", "tuned_with"})
    json[key] = nullptr;
  if (!timed.measured) return json;
  const TunedTime& time = *timed.measured;
  json["tuned_us"] = time.us;
  json["trial"] = time.trial;
  json["protocol"] = time.protocol;
  json["ci_low_us"] = optional(time.ci_low_us);
  json["ci_high_us"] = optional(time.ci_high_us);
  json["tuned_with"] = text(time.others);
  if (time.interpolated()) {
    json["interpolated"] = {{"along", time.along},
                            {"below", neighbour_json(time.below)},
                            {"above", neighbour_json(time.above)}};
  }
  return json;
}

}  // namespace warpwright
