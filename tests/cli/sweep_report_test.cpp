// Tests reports on sweeps that no GPU here can run: several GPUs, priors, shards, lost processes.
#include "cli/sweep_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

namespace warpwright {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

DeviceInfo gpu(const std::string& id) {
  DeviceInfo device;
  device.id = id;
  device.uuid = "GPU-" + id;
  device.has_clock = true;
  return device;
}

// A sweep of 10 s, in which the GPU's process was busy for 8 s.
SweepSummary ten_seconds() {
  SweepSummary summary;
  summary.kernel.name = "square";
  summary.database = "results/x.db";
  summary.ended = RunEnd::kComplete;
  summary.trials = 12;
  summary.by_status = {{Status::kOk, 11}, {Status::kTimeout, 1}};
  summary.wall_seconds = 10;
  summary.compile_workers = 4;
  summary.measure_busy_seconds = 8;
  summary.case_seconds = 1;
  summary.input_seconds = 0.5;
  summary.validate_seconds = 1.5;
  summary.trial_measure_seconds = 3;
  summary.ranking_seconds = 0.5;
  summary.boards.emplace_back().device = gpu("cuda:0");
  return summary;
}

TEST(SweepReport, SharesOfOneGpuAreOfTheWholeTime) {
  const std::string text = sweep_report_text(ten_seconds(), {});
  EXPECT_THAT(text,
              HasSubstr("the GPU's process: cases 10 %, inputs and references 5 %, validation "
                        "15 %, samples 30 %, ranking 5 %, loading and messages 15 %, starting "
                        "and waiting for compilers 20 %\n"));
  EXPECT_THAT(text,
              HasSubstr("12 trials (11 ok, 1 timeout) in 10 s: compiling 0.0 s over 4 workers"));
  EXPECT_THAT(text,
              HasSubstr("results in results/x.db; see them again with `warpwright show square`"));
}

TEST(SweepReport, WhatTheMachineStoppedIsNoVerdict) {
  SweepSummary summary = ten_seconds();
  EXPECT_THAT(sweep_report_text(summary, {}), Not(HasSubstr("not compiled")));
  summary.by_status = {{Status::kOk, 11}, {Status::kNotCompiled, 1}};
  EXPECT_THAT(sweep_report_text(summary, {}),
              HasSubstr("1 configuration was not compiled because the machine stopped the compiler "
                        "(see the reason in `warpwright show square`): this says nothing about "
                        "it, and the same command tries it again\n"));
  summary.by_status = {{Status::kNotCompiled, 12}};
  EXPECT_THAT(sweep_report_text(summary, {}),
              HasSubstr("12 configurations were not compiled because the machine stopped the "
                        "compiler (see the reasons in `warpwright show square`): this says nothing "
                        "about them, and the same command tries them again\n"));
}

TEST(SweepReport, ThereAreNoSharesWhereSumsAreOfSeveralDevicesOrOfNothing) {
  SweepSummary two_devices = ten_seconds();
  two_devices.boards.emplace_back().device = gpu("cuda:1");
  EXPECT_THAT(sweep_report_text(two_devices, {}), Not(HasSubstr("the GPU's process")));
  SweepSummary emulated = ten_seconds();
  emulated.boards[0].device.has_clock = false;
  EXPECT_THAT(sweep_report_text(emulated, {}), Not(HasSubstr("the GPU's process")));
  SweepSummary known = ten_seconds();
  known.resumed = known.trials;
  EXPECT_THAT(sweep_report_text(known, {}), AllOf(Not(HasSubstr("the GPU's process")),
                                                  HasSubstr("; 12 already known) in 10 s\n")));
}

TEST(SweepReport, GpusThatSharedSayHowTheyDiffer) {
  SweepSummary summary = ten_seconds();
  const DeviceInfo lead = gpu("cuda:0");
  summary.gpus.push_back({lead, lead, 7, 3.25});
  summary.gpus.push_back({gpu("cuda:1"), lead, 4, 2.5, GpuDifference{0.012, 0.004, 0.02, 3}});
  summary.gpus.push_back({gpu("cuda:2"), lead, 1, 0.5, GpuDifference{-0.01, -0.03, -0.005, 1}});
  const std::string text = sweep_report_text(summary, {});
  EXPECT_THAT(text,
              HasSubstr("3 GPUs of one kind shared the trials; the best of all met on cuda:0"));
  EXPECT_THAT(text, HasSubstr("cuda:0 timed 7, measuring 3.2 s\n"));
  EXPECT_THAT(text,
              HasSubstr("cuda:1 timed 4, measuring 2.5 s; 1.2 % slower than cuda:0 [0.4, 2.0], "
                        "by 3 configurations\n"));
  EXPECT_THAT(text,
              HasSubstr("cuda:2 timed 1, measuring 0.5 s; 1.0 % faster than cuda:0 [0.5, 3.0], "
                        "by 1 configuration\n"));

  const nlohmann::json gpus = sweep_report_json(summary, {}).at("sweep").at("gpus");
  ASSERT_EQ(gpus.size(), 3u);
  EXPECT_EQ(gpus[1].at("uuid"), "GPU-cuda:1");
  EXPECT_EQ(gpus[1].at("lead"), "cuda:0");
  EXPECT_EQ(gpus[1].at("slower").at("anchors"), 3);
  EXPECT_DOUBLE_EQ(gpus[2].at("slower").at("low").get<double>(), -0.03);
  EXPECT_FALSE(gpus[0].contains("slower"));
}

TEST(SweepReport, WhatWentOtherwiseIsSaid) {
  SweepSummary summary = ten_seconds();
  summary.guests = 2;
  summary.measurers_lost = 1;
  summary.ended = RunEnd::kInterrupted;
  summary.prior = {"emu:sm_90a", 40, 30, 2, 1.5};
  summary.shard = Shard{2, 8};
  const std::string text = sweep_report_text(summary, {});
  EXPECT_THAT(text, HasSubstr("; 2 timed on another GPU too"));
  EXPECT_THAT(text, HasSubstr("; 1 measuring process was lost and replaced"));
  EXPECT_THAT(text, HasSubstr("; interrupted: run the same command to go on\n"));
  EXPECT_THAT(text,
              HasSubstr("emu:sm_90a modelled 30 of 40 configurations for the search in 1.5 s\n"));
  EXPECT_THAT(text, HasSubstr("shard 2 of 8: what is above is ranked among this shard's"));
  summary.fresh = true;
  summary.measurers_lost = 2;
  EXPECT_THAT(sweep_report_text(summary, {}),
              AllOf(HasSubstr("without --fresh to go on"),
                    HasSubstr("; 2 measuring processes were lost and replaced")));

  const nlohmann::json sweep = sweep_report_json(summary, {}).at("sweep");
  EXPECT_EQ(sweep.at("guests"), 2);
  EXPECT_EQ(sweep.at("measurers_lost"), 2);
  EXPECT_EQ(sweep.at("statuses"), (nlohmann::json{{"ok", 11}, {"timeout", 1}}));
  EXPECT_EQ(sweep.at("prior"), (nlohmann::json{{"device", "emu:sm_90a"},
                                               {"candidates", 40},
                                               {"modelled", 30},
                                               {"failed", 2},
                                               {"seconds", 1.5}}));
  EXPECT_EQ(sweep.at("shard"), (nlohmann::json{{"index", 2}, {"count", 8}}));
}

TEST(SweepReport, WhatThereIsNoneOfIsLeftOut) {
  const nlohmann::json sweep = sweep_report_json(ten_seconds(), {}).at("sweep");
  for (const char* name : {"gpus", "guests", "prior", "shard", "searches"})
    EXPECT_FALSE(sweep.contains(name)) << name;
  EXPECT_EQ(sweep.at("objections").at("configurations"), 0);
}

}  // namespace
}  // namespace warpwright
