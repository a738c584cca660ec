#include "bench/graph/graph_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "core/terminal_text.h"
#include "core/words.h"
#include "records/status.h"
#include "terminal/numbers.h"
#include "terminal/screen.h"
#include "terminal/table.h"

namespace warpwright {
namespace {

constexpr const char* kChecked =
    "right: every step by its reference on the inputs that it has here, the sequence by its "
    "steps\n";

double off_percent(double sum_us, double whole_us) { return 100 * (sum_us / whole_us - 1); }

// "12.3 % more than the graph".
std::string against(double sum_us, double whole_us) {
  const double off = off_percent(sum_us, whole_us);
  return fmt::format("{:.1f} % {} the graph", std::abs(off), off < 0 ? "less than" : "more than");
}

std::string with_interval(const TimeEstimate& time) {
  return time.modelled ? format_us(time.median_us) + " µs"
                       : fmt::format("{} µs [{}, {}]", format_us(time.median_us),
                                     format_us(time.ci_low_us), format_us(time.ci_high_us));
}

std::string steps_text(const GraphRun& run, bool modelled, const Screen& screen) {
  Table table(
      {middle_column("step", 10), middle_column("kernel", 10),
       middle_column("configuration", 16, 1), number_column(modelled ? "µs modelled" : "µs alone"),
       number_column("database µs", 2), word_column("connected", 3), middle_column("from", 12, 4)});
  for (std::size_t i = 0; i < run.plan->steps.size(); ++i) {
    const PlannedStep& step = run.plan->steps[i];
    table.add_row({step.name, step.kernel->name, step.configuration.to_string(),
                   i < run.result.steps.size() ? format_us(run.result.steps[i].median_us) : "-",
                   step.database ? format_us(step.database->us) : "-",
                   step.connected.empty() ? "-" : join(step.connected), step.origin});
  }
  return table.render(0, screen);
}

std::string sums_text(const GraphRun& run) {
  const TimeEstimate& whole = *run.result.whole;
  if (whole.modelled) {
    return fmt::format("{} launches in sequence, modelled: {} µs, the sum of its launches\n",
                       run.result.launches, format_us(whole.median_us));
  }
  std::string text = fmt::format("one graph of {} launches, measured cold: {}\n",
                                 run.result.launches, with_interval(whole));
  text += fmt::format("sum of the kernels, each measured cold alone: {} µs, {}\n",
                      format_us(run.sum_us()), against(run.sum_us(), whole.median_us));
  if (const auto sum = run.sum_with_gaps_us()) {
    text += fmt::format(
        "the same with {} gaps of {} µs, the time of an empty kernel in a chain: {} µs, {}\n",
        run.result.launches - 1, format_us(*run.result.gap_us), format_us(*sum),
        against(*sum, whole.median_us));
  }
  if (const auto sum = run.database_sum_us()) {
    text += fmt::format("sum of the database's times: {} µs, {}\n", format_us(*sum),
                        against(*sum, whole.median_us));
  }
  if (run.result.hot) {
    text += fmt::format("the same launches again and again, measured hot: {} each time\n",
                        with_interval(*run.result.hot));
  } else {
    text += fmt::format("hot: not measured; {}\n", run.result.without_hot);
  }
  return text;
}

std::string missing_text(const GraphPlan& plan) {
  std::string text;
  for (const LeftOutStep& step : plan.left_out)
    text += fmt::format("not in the graph: {} ({}): {}\n", step.name, step.kernel, step.because);
  for (const PlannedStep& step : plan.steps) {
    if (step.unconnected.empty()) continue;
    text += fmt::format("filled, because its source is not in the graph: {} of {}\n",
                        fmt::join(step.unconnected, ", "), step.name);
  }
  return text;
}

std::string run_text(const GraphRun& run, bool modelled, const Screen& screen) {
  std::string text = run.plan->sizes.empty() ? "" : describe_sizes(run.plan->sizes) + "\n";
  text += steps_text(run, modelled, screen);
  text += run.ok() ? sums_text(run) + kChecked
                   : fmt::format("{}: {}\n", status_name(run.result.status),
                                 terminal_line(run.result.reason));
  return text + missing_text(*run.plan);
}

template <typename T>
nlohmann::json or_null(const std::optional<T>& value) {
  return value ? nlohmann::json(*value) : nlohmann::json(nullptr);
}

nlohmann::json planned_json(const GraphRun& run, std::size_t index) {
  const PlannedStep& step = run.plan->steps[index];
  nlohmann::json json = {{"name", step.name},
                         {"kernel", step.kernel->name},
                         {"problem", step.problem},
                         {"configuration", step.configuration.to_string()},
                         {"origin", step.origin},
                         {"time", nullptr},
                         {"database", nullptr},
                         {"connected", step.connected},
                         {"unconnected", step.unconnected}};
  if (index < run.result.steps.size()) json["time"] = run.result.steps[index];
  if (const auto& known = step.database) {
    json["database"] = {{"us", known->us}, {"trial", known->trial}, {"protocol", known->protocol}};
  }
  return json;
}

nlohmann::json run_json(const GraphRun& run) {
  nlohmann::json json = {{"sizes", run.plan->sizes},
                         {"status", status_name(run.result.status)},
                         {"reason", run.result.reason},
                         {"launches", run.result.launches},
                         {"steps", nlohmann::json::array()},
                         {"left_out", nlohmann::json::array()},
                         {"whole", or_null(run.result.whole)},
                         {"hot", or_null(run.result.hot)},
                         {"without_hot", run.result.without_hot},
                         {"gap_us", or_null(run.result.gap_us)},
                         {"sum_us", nullptr},
                         {"sum_with_gaps_us", nullptr},
                         {"database_sum_us", or_null(run.database_sum_us())},
                         {"sum_off_percent", nullptr},
                         {"sum_with_gaps_off_percent", nullptr},
                         {"database_off_percent", nullptr}};
  for (std::size_t i = 0; i < run.plan->steps.size(); ++i)
    json["steps"].push_back(planned_json(run, i));
  for (const LeftOutStep& step : run.plan->left_out)
    json["left_out"].push_back(
        {{"name", step.name}, {"kernel", step.kernel}, {"because", step.because}});
  if (!run.ok()) return json;
  json["sum_us"] = run.sum_us();
  json["sum_off_percent"] = off_percent(run.sum_us(), run.result.whole->median_us);
  if (const auto sum = run.sum_with_gaps_us()) {
    json["sum_with_gaps_us"] = *sum;
    json["sum_with_gaps_off_percent"] = off_percent(*sum, run.result.whole->median_us);
  }
  if (const auto sum = run.database_sum_us())
    json["database_off_percent"] = off_percent(*sum, run.result.whole->median_us);
  return json;
}

}  // namespace

double GraphRun::sum_us() const {
  return std::accumulate(result.steps.begin(), result.steps.end(), 0.0,
                         [](double sum, const TimeEstimate& time) { return sum + time.median_us; });
}

std::optional<double> GraphRun::sum_with_gaps_us() const {
  if (!result.gap_us || result.launches == 0) return std::nullopt;
  return sum_us() + *result.gap_us * static_cast<double>(result.launches - 1);
}

std::optional<double> GraphRun::database_sum_us() const {
  double sum = 0;
  for (const PlannedStep& step : plan->steps) {
    if (!step.database) return std::nullopt;
    sum += step.database->us;
  }
  return sum;
}

std::string graph_text(const GraphReport& report, const Screen& screen) {
  std::string text =
      fmt::format("{} on {} ({}), {}\n", terminal_line(report.graph), report.device_id,
                  terminal_line(report.device_name),
                  report.modelled ? "modelled from counters, not measured" : "measured");
  for (const GraphRun& run : report.runs) text += "\n" + run_text(run, report.modelled, screen);
  return text;
}

nlohmann::json graph_json(const GraphReport& report) {
  nlohmann::json json = {
      {"graph", report.graph},
      {"summary", report.summary},
      {"model", report.model.empty() ? nlohmann::json(nullptr) : nlohmann::json(report.model)},
      {"device", report.device_id},
      {"device_name", report.device_name},
      {"fingerprint", report.fingerprint},
      {"modelled", report.modelled},
      {"database",
       report.database.empty() ? nlohmann::json(nullptr) : nlohmann::json(report.database)},
      {"runs", nlohmann::json::array()}};
  for (const GraphRun& run : report.runs) json["runs"].push_back(run_json(run));
  return json;
}

}  // namespace warpwright
