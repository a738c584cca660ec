// The times of the runs of a graph, compared with the times of their kernels alone, as text and as
// JSON. Every figure states whether it is measured or modelled.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bench/graph/graph_plan.h"
#include "terminal/screen.h"
#include "trial/sequence/sequence.h"

namespace warpwright {

struct GraphRun {
  const GraphPlan* plan = nullptr;  // outlives the run
  SequenceResult result;

  [[nodiscard]] bool ok() const { return result.status == Status::kOk; }
  // The sum of the steps alone; requires ok().
  [[nodiscard]] double sum_us() const;
  // The sum with a gap before every launch but the first; nullopt if the gap is unknown.
  [[nodiscard]] std::optional<double> sum_with_gaps_us() const;
  // The sum of the database's times; nullopt if it lacks a step.
  [[nodiscard]] std::optional<double> database_sum_us() const;
};

struct GraphReport {
  std::string graph, summary, model;
  std::string device_id, device_name, fingerprint;
  bool modelled = false;  // a device without a clock
  std::string database;   // empty without one
  std::vector<GraphRun> runs;
};

// A table and the sums for every run. Ends in a newline.
[[nodiscard]] std::string graph_text(const GraphReport& report, const Screen& screen = {});

// {"graph","summary","model","device","device_name","fingerprint","modelled","database",
//  "runs":[{"sizes":{...},"status","reason","launches",
//    "steps":[{"name","kernel","problem","configuration","origin","time":TimeEstimate|null,
//      "database":{"us","trial","protocol"}|null,"connected":[...],"unconnected":[...]}],
//    "left_out":[{"name","kernel","because"}],
//    "whole":TimeEstimate|null,"hot":TimeEstimate|null,"without_hot",
//    "gap_us","sum_us","sum_with_gaps_us","database_sum_us",
//    "sum_off_percent","sum_with_gaps_off_percent","database_off_percent"}]}
// Unknown values are null. *_off_percent is the excess of that sum over the whole, in percent of
// the whole.
[[nodiscard]] nlohmann::json graph_json(const GraphReport& report);

}  // namespace warpwright
