#include "cli/graph_bench.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "bench/graph/graph_measurer.h"
#include "bench/graph/graph_report.h"
#include "bench/graph/judge_steps.h"
#include "cli/print.h"
#include "cli/print_text.h"

namespace warpwright {

int bench_graph(const GraphBenchRequest& request, const Paths& paths, const GlobalOptions& global) {
  const GraphSpec graph = read_graph(request.graph);
  const GraphPlans plans = plan_graph(graph, paths, request.device, request.database);
  for (const std::string& note : plans.notes)
    print_message(global, fmt::format("warpwright: {}\n", note));
  GraphReport report;
  report.graph = graph.name;
  report.summary = graph.summary;
  report.model = graph.model;
  report.device_id = request.device.id;
  report.device_name = request.device.name;
  report.fingerprint = request.device.fingerprint();
  report.modelled = !request.device.has_clock;
  report.database = plans.database;
  const std::unique_ptr<GraphMeasurer> measurer = make_graph_measurer(paths, request.device);
  bool all_right = true;
  for (const GraphPlan& plan : plans.plans) {
    report.runs.push_back({&plan, measurer->run(plan)});
    judge_steps(plan, request.device, plans.peaks, report.runs.back().result);
    all_right = all_right && report.runs.back().ok();
  }
  if (global.json) {
    print_json(graph_json(report));
  } else {
    print_text(global, graph_text(report, text_screen()));
  }
  return all_right ? 0 : 1;
}

}  // namespace warpwright
