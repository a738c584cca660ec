// Everything the report's page shows, as one JSON document; the page's scripts draw from nothing
// else. Times are in microseconds; unknown and non-finite values are null. Rows of configurations
// lie in columns, which takes a third of the bytes, and indices count from 0:
//
// {"schema":1,"program","made_utc",
//  "databases":[{"name","trials","repro_options","runs":[{...}]}],
//  "devices":[{"name","id","driver","arch","fingerprint","modelled","details":{...},
//    "datasheet_gb_per_s","ceilings":[{"name","value","unit","low","high","protocol",
//      "measured_utc"}]}],                              // rates of the model where "modelled"
//  "kernels":[{"name","summary"}],
//  "boards":[{"database","device","kernel","problem_text","problem":{...},"kind","protocol",
//    "work":{"bytes","flops","arithmetic"},
//    "counts":{"trials","ranked","tied","failed","pruned","noisy","stale","outdated",
//      "left_out"},                                     // rows of `entries` and `untimed` left out
//    "imported":null or the files,"importance","landscape","important_pair":null or as
//      output/json/insights_json.h,"missing_ceiling",
//    "limit":null or as limit_json() of output/text/limit_text.h and "words","cell","standing",
//      "fraction","over_default","over_baseline",
//    "goal":null or as goal_json() and "by_time","words",
//    "pruned_at_least_us","variants":[...],"parameters":[{"name","values":[...]}],
//    "entries":{"rank","trial","order","variant","us","low","high","screened","tied","registers",
//      "shared","spill","same_as", with a goal "front" and "objectives" and "metrics", a column for
//      each of the goal's, "values":[column per parameter, -1 where the variant has none]},
//    "untimed":{"trial","order","variant","status","at_least","values"},
//    "floor_us","floor_subtracted","ranking":null or {...,"finalists":[...]},"lapsed_ranking",
//    "samples":[{"rank","trial","us":[...],"taken","rounds"}],
//    "history":[{"run","trial","us","low","high","timed","ranked","configuration"}],  // of every
//      run that timed something here, oldest first; analysis/insight/run_history.h
//    "failures":[{"status","cause","example","configuration","trial","count","advice":{...}}],
//    "contract_remarks":[as in records/contract_remark.h]}],
//  "matrices":[{"kernel","problem_text","boards":[index...],
//    "cells":[[{"how","fraction","configuration","of_ties"}]]}],  // [of][on], as in
//      analysis/compare/transfer.h
//  "left_out":["..."]}                                  // sentences, for people
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "output/report/report_source.h"

namespace warpwright {

// Limits that keep a page of any database small enough to be opened and mailed.
struct ReportLimits {
  std::size_t configurations = 20'000;  // rows over all boards; beyond: the best and a sample
  std::size_t fewest_per_board = 200;   // whatever the number of boards
  std::size_t samples = 60;             // per trial, evenly taken
  std::size_t reason_bytes = 1'500;     // of a failure's example
  std::size_t failure_groups = 40;      // per board, the largest
};

struct ReportOptions {
  std::string program;   // "warpwright 0.1.0"
  std::string made_utc;  // "2026-03-01T12:00:00Z"
  ReportLimits limits = {};
};

// Throws Error (user) if a JSON column of a trial is damaged.
[[nodiscard]] nlohmann::json report_json(const std::vector<ReportSource>& sources,
                                         const ReportOptions& options);

}  // namespace warpwright
