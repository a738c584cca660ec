#include "model/model_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/terminal_text.h"
#include "terminal/numbers.h"
#include "terminal/screen.h"
#include "terminal/table.h"

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

namespace {

using Align = Table::Align;

std::string with_unit(double value, std::array<const char*, 6> units) {
  std::size_t unit = 0;
  while (std::abs(value) >= 1000 && unit + 1 < units.size()) {
    value /= 1000;
    ++unit;
  }
  return unit == 0 ? fmt::format("{:.4g} {}", value, units[0])
                   : fmt::format("{:.{}f} {}", value,
                                 value >= 100  ? 1
                                 : value >= 10 ? 2
                                               : 3,
                                 units[unit]);
}

std::string format_flops(double flops) {
  return with_unit(flops, {"FLOP", "kFLOP", "MFLOP", "GFLOP", "TFLOP", "PFLOP"});
}

std::string dash_or(double amount, const std::string& text) { return amount > 0 ? text : "-"; }

double per_byte(double flops, double bytes) { return bytes > 0 ? flops / bytes : 0; }

// "tensor 8", "tensor 2, pipeline 4", "1 GPU".
std::string ways(const Parallel& parallel) {
  std::string text;
  const auto add = [&](const char* name, int count) {
    if (count > 1) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, count);
  };
  add("tensor", parallel.tensor);
  add("pipeline", parallel.pipeline);
  add("sequence", parallel.sequence);
  add("expert", parallel.expert);
  return text.empty() ? "1 GPU" : text;
}

std::string head_text(const ModelReport& report) {
  const DecoderSpec& spec = report.spec;
  const auto parameters = static_cast<double>(spec.parameter_count());
  std::string text = fmt::format(
      "{}: {} parameters, {} in {}; {} layers, hidden {}, {} heads of {}", terminal_line(spec.name),
      format_thousands(parameters), format_bytes(parameters * bytes_of(spec.weights)), spec.weights,
      spec.layers, spec.hidden, spec.heads, spec.head_size);
  if (spec.kv_heads != spec.heads) text += fmt::format(" over {} of K and V", spec.kv_heads);
  if (spec.window) text += fmt::format(", window {}", *spec.window);
  if (spec.experts > 0) {
    text += fmt::format(", {} experts of which {} per token", spec.experts, spec.experts_per_token);
  }
  return text + "\n";
}

std::string rates_text(const Rates& rates) {
  std::string text =
      fmt::format("on {}{}: modelled from {} ceilings:", terminal_line(rates.device_name),
                  rates.memory_bytes ? ", " + format_bytes(*rates.memory_bytes)
                                     : std::string(", memory not known"),
                  rates.given            ? "given"
                  : rates.roofs.modelled ? "the emulator's"
                                         : "measured");
  bool first = true;
  for (const auto& [name, ceiling] : rates.roofs.ceilings) {
    text += fmt::format("{} {} {} {}", first ? "" : ",", terminal_line(name),
                        format_thousands(ceiling.value), terminal_line(ceiling.unit));
    first = false;
  }
  return text + fmt::format("\nan operation takes at least {} µs ({}); no two overlap\n",
                            format_us(rates.floor_us), terminal_line(rates.floor_origin));
}

std::string operations_text(const StepEstimate& step, const Screen& screen) {
  Table table({middle_column("operation", 12),
               number_column("times", 4),
               number_column("weights", 5),
               number_column("cache", 6),
               number_column("other", 8),
               number_column("FLOP", 7),
               number_column("FLOP/byte", 9),
               number_column("µs"),
               {"µs a step", Align::kRight},
               number_column("%", 2),
               word_column("bound", 1),
               {"time is", Align::kLeft, 0, Table::Narrow::kMiddle, 8}});
  for (const TimedOperation& timed : step.operations) {
    const Operation& one = timed.operation;
    const double cache = one.cache_read + one.cache_write;
    const double other =
        one.exchange ? one.exchange->bytes : one.activation_read + one.activation_write;
    table.add_row({one.name, format_thousands(timed.count),
                   dash_or(one.weight_bytes, format_bytes(one.weight_bytes)),
                   dash_or(cache, format_bytes(cache)), dash_or(other, format_bytes(other)),
                   dash_or(one.flops, format_flops(one.flops)),
                   dash_or(one.flops, fmt::format("{:.3g}", per_byte(one.flops, one.bytes()))),
                   format_us(timed.us), format_us(timed.step_us()),
                   fmt::format("{:.1f}", 100 * timed.step_us() / step.step_us),
                   bound_name(timed.bound),
                   // The comparison of kernels with ceilings gives the reasons.
                   timed.source() == TimeSource::kModelled ? "modelled" : source_text(timed)});
  }
  return table.render(0, screen);
}

std::string step_head(const StepEstimate& step) {
  return fmt::format("one step, batch {}, context {}, {}: {} µs, {} tokens/s; each GPU of it:\n",
                     step.work.batch, step.work.context, ways(step.parallel),
                     format_us(step.step_us), format_thousands(step.tokens_per_second));
}

std::string fits_text(const std::optional<bool>& fits) {
  return !fits ? "?" : *fits ? "yes" : "no";
}

std::string share_text(const StepEstimate& step, StepBound bound) {
  const auto found = step.us_by_bound.find(bound);
  const double us = found == step.us_by_bound.end() ? 0 : found->second;
  return us > 0 ? fmt::format("{:.0f}", 100 * us / step.step_us) : "-";
}

bool has_pipeline(const ModelReport& report) {
  for (const StepEstimate& step : report.steps)
    if (step.parallel.pipeline > 1) return true;
  return false;
}

std::string summary_text(const ModelReport& report, const Screen& screen) {
  const bool pipeline = has_pipeline(report);
  std::vector<Table::Column> columns = {{"ways"},
                                        number_column("batch", 1),
                                        number_column("context", 1),
                                        number_column("step µs"),
                                        number_column("tokens/s"),
                                        number_column("per GPU", 4)};
  if (pipeline) {
    columns.push_back(number_column("pipeline full", 5));
    columns.push_back(number_column("idle %", 6));
  }
  const std::vector<Table::Column> rest = {
      word_column("bound", 3),       number_column("memory %", 7),  number_column("compute %", 7),
      number_column("latency %", 7), number_column("network %", 7), number_column("weights", 6),
      number_column("cache", 6),     word_column("fits", 2)};
  columns.insert(columns.end(), rest.begin(), rest.end());
  Table table(columns);
  for (const StepEstimate& step : report.steps) {
    std::vector<std::string> cells = {
        ways(step.parallel),
        fmt::format("{}", step.work.batch),
        fmt::format("{}", step.work.context),
        format_us(step.step_us),
        format_thousands(step.tokens_per_second),
        format_thousands(step.tokens_per_second / step.parallel.gpus())};
    if (pipeline) {
      cells.push_back(step.full_tokens_per_second ? format_thousands(*step.full_tokens_per_second)
                                                  : "does not fit");
      cells.push_back(fmt::format("{:.0f}", 100 * step.bubble));
    }
    cells.emplace_back(bound_name(step.bound));
    for (const StepBound bound :
         {StepBound::kMemory, StepBound::kCompute, StepBound::kLatency, StepBound::kNetwork})
      cells.push_back(share_text(step, bound));
    cells.push_back(format_bytes(step.weights_kept_bytes));
    cells.push_back(format_bytes(step.cache_kept_bytes));
    cells.push_back(fits_text(step.fits));
    table.add_row(cells);
  }
  return table.render(0, screen);
}

nlohmann::json operation_json(const TimedOperation& timed) {
  const Operation& one = timed.operation;
  const auto optional = [](const std::optional<double>& value) {
    return value ? nlohmann::json(*value) : nlohmann::json(nullptr);
  };
  nlohmann::json json = {{"name", one.name},
                         {"count", timed.count},
                         {"us", timed.us},
                         {"step_us", timed.step_us()},
                         {"bound", bound_name(timed.bound)},
                         {"ceiling_us", timed.ceiling_us},
                         {"ceiling_step_us", timed.count * timed.ceiling_us},
                         {"weight_bytes", one.weight_bytes},
                         {"activation_read", one.activation_read},
                         {"activation_write", one.activation_write},
                         {"cache_read", one.cache_read},
                         {"cache_write", one.cache_write},
                         {"network_bytes", one.exchange ? one.exchange->bytes : 0.0},
                         {"bytes", one.bytes()},
                         {"flops", one.flops},
                         {"flops_per_byte", per_byte(one.flops, one.bytes())},
                         {"arithmetic", one.arithmetic.empty() ? nlohmann::json(nullptr)
                                                               : nlohmann::json(one.arithmetic)},
                         {"memory_us", optional(timed.memory_us)},
                         {"compute_us", optional(timed.compute_us)},
                         {"parameters", one.parameters}};
  json.update(source_json(timed));
  return json;
}

nlohmann::json step_json(const StepEstimate& step) {
  const auto known = [](const auto& value) {
    return value ? nlohmann::json(*value) : nlohmann::json(nullptr);
  };
  nlohmann::json json = {
      {"modelled", true},
      {"batch", step.work.batch},
      {"context", step.work.context},
      {"tensor", step.parallel.tensor},
      {"pipeline", step.parallel.pipeline},
      {"sequence", step.parallel.sequence},
      {"expert", step.parallel.expert},
      {"gpus", step.parallel.gpus()},
      {"step_us", step.step_us},
      {"ceiling_step_us", step.ceiling_step_us},
      {"measured_us", step.measured_us},
      {"interpolated_us", step.interpolated_us},
      {"modelled_us", step.step_us - step.measured_us - step.interpolated_us},
      {"tuned_share", step.tuned_share()},
      {"ceiling_tokens_per_second", step.ceiling_tokens_per_second},
      {"tokens_per_second", step.tokens_per_second},
      {"tokens_per_second_per_gpu", step.tokens_per_second / step.parallel.gpus()},
      {"full_pipeline_tokens_per_second", known(step.full_tokens_per_second)},
      {"bubble", step.bubble},
      {"bound", bound_name(step.bound)},
      {"bytes", step.bytes},
      {"flops", step.flops},
      {"flops_per_byte", per_byte(step.flops, step.bytes)},
      {"weight_bytes_read", step.weight_bytes_read},
      {"cache_bytes_read", step.cache_bytes_read},
      {"network_bytes", step.network_bytes},
      {"weights_kept_bytes", step.weights_kept_bytes},
      {"cache_kept_bytes", step.cache_kept_bytes},
      {"fits", known(step.fits)},
      {"full_pipeline_fits", known(step.full_fits)},
      {"us_by_bound", nlohmann::json::object()},
      {"operations", nlohmann::json::array()}};
  for (const auto& [bound, us] : step.us_by_bound) json["us_by_bound"][bound_name(bound)] = us;
  for (const TimedOperation& timed : step.operations)
    json["operations"].push_back(operation_json(timed));
  return json;
}

}  // namespace

std::string format_bytes(double bytes) {
  return with_unit(bytes, {"B", "kB", "MB", "GB", "TB", "PB"});
}

std::string model_text(const ModelReport& report, const Screen& screen) {
  std::string text = head_text(report) + rates_text(report.rates) + "\n";
  text += step_head(report.steps.front()) + operations_text(report.steps.front(), screen) + "\n";
  text += summary_text(report, screen);
  if (has_kernel_times(report.steps)) text += "\n" + kernels_text(report.steps, screen);
  return text;
}

nlohmann::json model_json(const ModelReport& report) {
  const DecoderSpec& spec = report.spec;
  const auto parameters = spec.parameter_count();
  nlohmann::json ceilings = nlohmann::json::object();
  for (const auto& [name, ceiling] : report.rates.roofs.ceilings)
    ceilings[name] = {{"value", ceiling.value}, {"unit", ceiling.unit}};
  nlohmann::json json = {
      {"model", spec.name},
      {"summary", spec.summary},
      {"source", spec.source},
      {"parameters", parameters},
      {"weight_bytes", static_cast<double>(parameters) * bytes_of(spec.weights)},
      {"dtypes",
       {{"weights", spec.weights},
        {"activations", spec.activations},
        {"cache", spec.cache},
        {"logits", spec.logits}}},
      {"rates",
       {{"device", report.rates.device_name},
        {"fingerprint", report.rates.fingerprint},
        {"origin", report.rates.given            ? "given"
                   : report.rates.roofs.modelled ? "modelled"
                                                 : "measured"},
        {"ceilings", std::move(ceilings)},
        {"floor_us", report.rates.floor_us},
        {"floor_origin", report.rates.floor_origin},
        {"memory_bytes", report.rates.memory_bytes ? nlohmann::json(*report.rates.memory_bytes)
                                                   : nlohmann::json(nullptr)}}},
      {"steps", nlohmann::json::array()}};
  for (const StepEstimate& step : report.steps) json["steps"].push_back(step_json(step));
  return json;
}

}  // namespace warpwright
