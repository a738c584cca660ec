// A report with an entry of every state, for the tests of its writers.
#pragma once

#include "check/check_report.h"

namespace warpwright::testing {

inline CheckReport check_sample() {
  CheckReport report;
  report.baseline = "baselines/glu";
  report.device_id = "emu:sm_90a";
  report.device_name = "emulated NVIDIA H200 (sm_90a)";
  report.driver = "emulator 1";
  report.nvrtc = "13.0";
  report.notes = {"recorded with NVRTC 12.8: recorded figures are not compared"};
  report.seconds = 3.25;
  const auto add = [&](const char* kernel, const char* configuration, CheckState state) {
    CheckEntry entry;
    entry.kernel = kernel;
    entry.problem_text = "rows=2 d=512";
    entry.configuration_text = configuration;
    entry.state = state;
    entry.seconds = 0.125;
    report.entries.push_back(entry);
    return &report.entries.back();
  };
  CheckEntry* slower = add("swiglu", "scalar THREADS=256", CheckState::kRegression);
  slower->findings = {
      {GateFindingKind::kRegression,
       "global_load_sectors 4,096 -> 8,192 (+100 %); also load_store +14 %",
       QuotedLocation{{"kernels/swiglu/scalar.cu", 41}, "out[i] = x[i] + x[i + 1];"}},
      {GateFindingKind::kImprovement, "registers of 'swiglu' 56 -> 36 (-36 %)", std::nullopt}};
  slower->changes = {{"", "global_load_sectors", "", 4096, 8192},
                     {"swiglu", "registers", "", 56, 36}};
  CheckEntry* wrong = add("swiglu", "flat", CheckState::kRegression);
  wrong->findings = {{GateFindingKind::kLost, "wrong_result: out[3]: got nan, expected 1.5",
                      QuotedLocation{{"kernels/swiglu/flat.cu", 62}, "swiglu(const T* g,"}}};
  CheckEntry* gone = add("geglu", "flat", CheckState::kIncomparable);
  gone->findings = {
      {GateFindingKind::kMissing, "unknown kernel 'geglu'; did you mean 'swiglu'?", std::nullopt}};
  CheckEntry* open = add("rmsnorm", "two_pass", CheckState::kIncomparable);
  open->findings = {{GateFindingKind::kUndecided, "the baseline does not run here: timeout: staged",
                     std::nullopt}};
  CheckEntry* better = add("rmsnorm", "warp_row", CheckState::kImproved);
  better->findings = {
      {GateFindingKind::kImprovement, "warp_instructions 900 -> 600 (-33 %)", std::nullopt}};
  better->changes = {{"", "warp_instructions", "", 900, 600}};
  better->recorded = "12.3 µs [12.2, 12.4] on NVIDIA H200, driver 580, NVRTC 13.0, cold-graph-1";
  add("rmsnorm", "block_row", CheckState::kOk);
  add("rmsnorm", "persistent", CheckState::kSame);
  return report;
}

// The same gate on a GPU, with a race, noise, and a changed tie set.
inline CheckReport check_sample_measured() {
  CheckReport report;
  report.baseline = "baselines/spin";
  report.device_id = "cuda:0";
  report.device_name = "NVIDIA H200";
  report.driver = "580.159.04";
  report.nvrtc = "13.0";
  report.measured = true;
  report.seconds = 12;
  CheckEntry slower;
  slower.kernel = "harness_spin";
  slower.problem_text = "n=32 base=4000";
  slower.configuration_text = "plain STEPS=1000";
  slower.state = CheckState::kRegression;
  CheckRace race;
  race.median_d = 0.0295588;
  race.low = 0.0287;
  race.high = 0.0304;
  race.delta = 0.02;
  race.noise = 0.0007;
  race.p = race.p_adjusted = 1.9e-6;
  race.baseline_us = 50.08;
  race.candidate_us = 51.58;
  race.blocks = 20;
  race.repeated_d = 0.0293;
  race.protocol = "cold-graph-1";
  slower.race = race;
  slower.findings = {
      {GateFindingKind::kRegression,
       "slower: +3.00 % (99 % bounds +2.91 % and +3.09 %), 50.08 -> 51.58 µs; a "
       "fresh process found +2.97 %",
       QuotedLocation{{"kernels/harness_spin/spin.cu", 24}, "spin(u32* y, i32 n,"}},
      {GateFindingKind::kTieSet,
       "plain STEPS=1001 is faster than the winner now (-2.10 %); tune again", std::nullopt}};
  report.entries = {slower};
  return report;
}

}  // namespace warpwright::testing
