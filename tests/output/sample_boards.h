// Boards for the tests of text and JSON.
#pragma once

#include <vector>

#include "analysis/board/leaderboard.h"
#include "analysis/sample_rows.h"
#include "support/stored_text.h"

namespace warpwright::testing {

inline std::vector<Database::TrialRow> measured_rows(RowMaker& make) {
  std::vector<Database::TrialRow> rows = {
      make.ok("threshold", "CHUNK=4 THREADS=512", 372.1),
      make.ok("threshold", "CHUNK=8 THREADS=512", 372.6),
      make.ok("threshold", "CHUNK=4 THREADS=256", 381.9),
      make.ok("warp_row", "WARPS=4", 512.3),
      make.ok("block_row", "LOCAL_K=16 THREADS=256", 1204.7),
      make.ok("naive", "THREADS=256", 6258.2),
      make.failed("warp_row", "WARPS=8", Status::kWrongResult,
                  "output \"probs\"[3, 17]: got 0.5, expected 0.7; 12 of 81920 are wrong"),
      make.failed("warp_row", "WARPS=16", Status::kWrongResult,
                  "output \"probs\"[0, 2]: got nan, expected 0.1; 81920 of 81920 are wrong"),
      make.failed("block_row", "LOCAL_K=64 THREADS=1024", Status::kCompileFailed,
                  "block_row.cu(31): error: identifier \"kLocalK\" is undefined\n"
                  "    int best[kLocalK];\n             ^\n"
                  "block_row.cu(40): error: expected a \";\"\n\n2 errors detected"),
      make.failed("block_row", "LOCAL_K=4 THREADS=1024", Status::kPruned, "stopped early"),
  };
  rows.back().trial.at_least_us = 465.2;
  for (auto& row : rows) {
    if (row.trial.status == Status::kOk) row.trial.floor_us = 4.4;
  }
  set_text(
      rows[5].trial.resources,
      R"([{"entry":"softmax","registers":255,"spill_loads":64,"spill_stores":32,"static_shared":1024}])");
  return rows;
}

// A final ranking of the first four of measured_rows(), in which the third wins.
inline Database::RankingRow measured_ranking(RowMaker& make,
                                             const std::vector<Database::TrialRow>& rows) {
  Database::RankingRow ranking = make.ranking({rows[2], rows[0], rows[1], rows[3]}, 370.9, 3);
  ranking.ranking.decided_by = "fewer registers";
  set_text(ranking.ranking.headline, R"({
    "cold": {"median_us": 370.62, "ci_low_us": 370.5, "ci_high_us": 370.8, "floor_us": 3.21,
             "raw_median_us": 373.83, "modelled": false, "protocol": "cold-graph-2"},
    "hot": {"median_us": 366.1, "ci_low_us": 365.9, "ci_high_us": 366.4, "sets": 3,
            "l2_resident": false},
    "slope": {"us": 365.2, "empty_us": 1.06},
    "end_to_end": {"cached_us": 377.4, "uncached_us": 381.9},
    "energy_mj_per_launch": 210.31, "power_w": 566.2, "sm_clock_mhz": 1965})");
  return ranking;
}

inline std::vector<Database::TrialRow> modelled_rows(RowMaker& make) {
  make.has_clock = false;
  make.device_id = "emu:sm_90a";
  make.device_name = "emulated NVIDIA H200";
  make.driver = "emulator 1";
  make.protocol = "model-1";
  make.problem_text = "rows=4 V=4099 K=10 dtype=f32";
  make.problem_json = R"({"K":10,"V":4099,"dtype":"f32","rows":4})";
  make.work_bytes = 65904;
  make.work_flops = 0;
  std::vector<Database::TrialRow> rows = {make.ok("threshold", "THREADS=128", 2.75),
                                          make.ok("threshold", "THREADS=256", 2.75),
                                          make.ok("naive", "THREADS=128", 19.5)};
  set_text(rows[0].trial.resources, "");  // PTX alone has no ptxas figures
  return rows;
}

}  // namespace warpwright::testing
