#include "sweep/trial_record.h"

#include <gtest/gtest.h>

#include <cmath>

#include "spec/kernel_spec.h"

namespace warpwright {
namespace {

TrialRecord record_of(const Outcome& outcome) {
  const KernelSpec kernel = parse_stored_kernel(R"yaml(kernel: scale
summary: y = a*x
problem:
  n: {doc: elements}
arguments:
  - {name: x, in: f32, shape: [n], fill: "normal(0, 1)"}
  - {name: y, out: f32, shape: [n], tolerance: {abs: 0, rel: 1e-2}}
parameters:
  THREADS: {default: 64, min: 32, max: 1024}
variants:
  plain:
    source: plain.cu
    parameters: [THREADS]
    launches: [{entry: scale, grid: [1], block: [THREADS], shared: "16*THREADS"}]
reference: {source: reference.cpp, units: n}
work: {bytes: 8*n, flops: n}
)yaml",
                                                "scale/kernel.yaml");
  SweepBoard board;
  board.problem = {{"n", 8}};
  board.problem_text = "n=8";
  return make_trial_record(kernel, board, {"plain", {{"THREADS", 64}}},
                           {"key", "hash", {"-DTHREADS=64"}, "2026-03-01T12:00:00Z"}, outcome);
}

TEST(TrialRecord, OnlyWhatWasWatchedIsStoredOfTheMeasurement) {
  Outcome outcome;
  EXPECT_FALSE(record_of(outcome).measurement.known());
  outcome.anchor_drift = 0.25;
  EXPECT_EQ(record_of(outcome).measurement.text(), R"({"anchor_drift":0.25,"validity":null})");
  outcome.validity.blocks = 4;
  outcome.validity.sm_clock_min_mhz = 1965;
  EXPECT_EQ(record_of(outcome).measurement->anchor_drift, 0.25);
  EXPECT_EQ(record_of(outcome).measurement->validity->sm_clock_min_mhz, 1965);
}

TEST(TrialRecord, WhatTheCheckersObjectToIsKeptWithoutAnythingElseToTell) {
  Outcome outcome;
  outcome.hazards = {{"shared race", "case 'a' (n=1): shared race at a.cu:3"}};
  EXPECT_EQ(record_of(outcome).measurement->hazards, outcome.hazards);
  EXPECT_EQ(
      record_of(outcome).measurement.text(),
      R"({"anchor_drift":null,"hazards":[{"kind":"shared race","text":"case 'a' (n=1): shared race at a.cu:3"}],"validity":null})");
}

TEST(TrialRecord, WhatAStrictSweepDecidedIsKept) {
  Outcome outcome;
  outcome.untested = true;
  EXPECT_EQ(record_of(outcome).measurement.text(),
            R"({"anchor_drift":null,"untested":true,"validity":null})");
  outcome.untested = false;
  EXPECT_EQ(record_of(outcome).measurement->untested, false);
}

TEST(TrialRecord, WhatTheLaunchAddsIsKnownOfTrialsThatRan) {
  Outcome outcome;
  outcome.resources = {{"scale", 24, 0, 0, 0, 0, 0}, {"other", 16, 0, 0, 0, 0, 0}};
  EXPECT_EQ(
      record_of(outcome).resources.text(),
      R"([{"block_threads":64,"constant":0,"dynamic_shared":1024,"entry":"scale","registers":24,"spill_loads":0,"spill_stores":0,"stack":0,"static_shared":0},)"
      R"({"constant":0,"entry":"other","registers":16,"spill_loads":0,"spill_stores":0,"stack":0,"static_shared":0}])");
  outcome.status = Status::kLaunchFailed;
  EXPECT_FALSE(record_of(outcome).resources->at(0).dynamic_shared.has_value());
}

TEST(TrialRecord, ColumnsAreTheTextsOfTheirValues) {
  Outcome outcome;
  outcome.counters = {{"warp_instructions", 12}};
  outcome.errors = {{"y", 8, 1, 0.5, HUGE_VAL, 2}};
  const TrialRecord trial = record_of(outcome);
  EXPECT_EQ(trial.problem.text(), R"({"n":8})");
  EXPECT_EQ(trial.parameters.text(), R"({"THREADS":64})");
  EXPECT_EQ(trial.configuration(), (Configuration{"plain", {{"THREADS", 64}}}));
  EXPECT_EQ(trial.counters.text(), R"({"warp_instructions":12})");
  EXPECT_EQ(trial.options.text(), R"(["-DTHREADS=64"])");
  EXPECT_EQ(
      trial.errors.text(),
      R"([{"checked":8,"max_abs":0.5,"max_rel":null,"output":"y","worst_ratio":2.0,"wrong":1}])");
}

}  // namespace
}  // namespace warpwright
