// Comparisons for the tests of text and JSON.
#pragma once

#include "analysis/sample_contenders.h"

namespace warpwright::testing {

// A GPU, another one whose times were imported, and an emulated one: times of three kinds, with a
// failure, a pruned configuration, one that was not tried, and a problem that only the first has.
inline Comparison mixed_comparison() {
  RowMaker a = gpu("cuda:0", "NVIDIA H200");
  RowMaker b = gpu("imported:A100", "NVIDIA A100");
  RowMaker c = emulator("emu:sm_90a");
  b.protocol = "imported-t4";
  b.driver = "";
  std::vector<Database::TrialRow> of_a = {
      a.ok("tiled", "TILE=16", 100.2), a.ok("tiled", "TILE=32", 100.0),
      a.ok("tiled", "TILE=64", 125), a.ok("naive", "", 400),
      a.failed("tiled", "TILE=128", Status::kWrongResult, "3 are wrong")};
  Database::TrialRow pruned = b.failed("tiled", "TILE=32", Status::kPruned, "stopped early");
  pruned.trial.at_least_us = 210;
  const std::vector<Database::TrialRow> of_b = {
      b.ok("tiled", "TILE=16", 160), b.ok("tiled", "TILE=64", 150), pruned,
      b.failed("naive", "", Status::kTimeout, "hung"), b.ok("tiled", "TILE=128", 170)};
  const std::vector<Database::TrialRow> of_c = {
      c.ok("tiled", "TILE=16", 2.75), c.ok("tiled", "TILE=64", 2.5), c.ok("naive", "", 19.5)};
  a.problem_text = "rows=128 V=50257 K=10 dtype=f32";
  a.problem_json = R"({"K":10,"V":50257,"dtype":"f32","rows":128})";
  of_a.push_back(a.ok("tiled", "TILE=16", 7));
  Contender one = contender_of("NVIDIA H200", a, of_a), two = contender_of("NVIDIA A100", b, of_b);
  Contender three = contender_of("emu:sm_90a", c, of_c);
  one.ceilings = {{1, "copy", 4212.3, "GB/s", 4205, 4219, "ceilings-1", "2026-03-01T11:00:00Z"}};
  two.ceilings = {{1, "copy", 1590.1, "GB/s", 1588, 1592, "ceilings-1", "2026-03-01T11:00:00Z"}};
  two.nvrtc_versions = {};
  return compare({one, two, three});
}

// One device before and after a change.
inline Comparison regression_comparison() {
  RowMaker before = gpu("cuda:0", "NVIDIA H200"), after = gpu("cuda:0", "NVIDIA H200");
  after.contract = "hash-2";
  std::vector<Database::TrialRow> old, now;
  const auto add = [&](const std::string& problem, double before_us, double after_us) {
    before.problem_text = after.problem_text = problem + " dtype=f32";
    before.problem_json = after.problem_json = "{}";
    old.push_back(before.ok("tiled", "TILE=16", before_us));
    old.push_back(before.ok("tiled", "TILE=32", before_us * 1.2));
    now.push_back(after.ok("tiled", "TILE=16", after_us));
    now.push_back(after.ok("tiled", "TILE=32", before_us * 1.25));
  };
  add("rows=1", 13.9, 13.95);
  add("rows=64", 123.5, 129.8);
  add("rows=8192", 410, 512);
  add("rows=16384", 812, 765);
  Contender one = contender_of("run:1", before, old), two = contender_of("run:2", after, now);
  two.versions = {"warpwright 0.1.0 (commit 1a2b3c4d5e6f)"};
  two.runs = {2};
  return compare({one, two});
}

}  // namespace warpwright::testing
