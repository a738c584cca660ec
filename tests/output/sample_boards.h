// Boards that the text and the JSON are tested with.
#pragma once

#include <vector>

#include "analysis/leaderboard.h"
#include "analysis/sample_rows.h"

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
  for (auto& row : rows) {
    if (row.trial.status == Status::kOk) row.trial.floor_us = 4.4;
  }
  rows[5].trial.resources_json =
      R"([{"entry":"softmax","registers":255,"spill_loads":64,"spill_stores":32,"static_shared":1024}])";
  return rows;
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
  rows[0].trial.resources_json = "";  // PTX alone has no ptxas figures
  return rows;
}

}  // namespace warpwright::testing
