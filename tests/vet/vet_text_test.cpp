// Tests reports of findings as text and as JSON.
#include "vet/vet_text.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "output/golden.h"

namespace warpwright {
namespace {

VetReport report_of(std::uint64_t configurations, std::uint64_t runs, std::uint64_t schedules) {
  VetReport report;
  report.kernel = "softmax";
  report.device = "emu:sm_90a";
  report.configurations = configurations;
  report.cases = 3;
  report.runs = runs;
  report.schedules = schedules;
  return report;
}

VetReport sample_report() {
  VetReport report = report_of(2, 5, 20);
  VetHazard race;
  race.finding.kind = FindingKind::kSharedRace;
  race.finding.message =
      "store of 4 bytes to shared address 128 and load of 4 bytes by another warp are "
      "not ordered";
  race.finding.advice = "put a __syncthreads() that all of them pass between them";
  race.finding.here = {
      "store of 4 bytes", {{"softmax.cu", 41}, "tile[i] = x;"}, {0, 0, 0}, {64, 0, 0}};
  race.finding.other = {"load of 4 bytes", {{"softmax.cu", 38}, "top = fmaxf(top, tile[j]);"}};
  race.configuration_text = "block THREADS=128";
  race.case_name = "partial";
  race.problem_text = "rows=3 columns=100";
  race.seen_in = 20;
  race.schedules = 20;
  race.seed = 1;
  race.replay = "warpwright vet softmax.cu --variant block --case 'partial' --seed 1";
  race.elsewhere = 4;
  report.hazards.push_back(race);
  VetHazard wrong;
  wrong.finding.kind = FindingKind::kWrongResult;
  wrong.finding.message = "output 'y' is wrong at [3]: got 1, expected 2";
  wrong.configuration_text = "block THREADS=128";
  wrong.case_name = "ones";
  wrong.problem_text = "rows=1 columns=32";
  wrong.seen_in = 3;
  wrong.schedules = 20;
  wrong.seed = 7;
  wrong.replay = "warpwright vet softmax.cu --variant block --case 'ones' --seed 7";
  report.hazards.push_back(wrong);
  VetHazard fault;
  fault.finding.kind = FindingKind::kDeadlock;
  fault.finding.is_fault = true;
  fault.finding.message = "warp 1 waits at barrier 0";
  fault.finding.here = {"", {{"softmax.cu", 50}}, {0, 0, 0}, {32, 0, 0}};
  fault.configuration_text = "warp";
  fault.case_name = "ones";
  fault.problem_text = "rows=1 columns=32";
  fault.seen_in = 1;
  fault.schedules = 1;
  fault.seed = 1;
  fault.replay = "warpwright vet softmax.cu --variant warp --case 'ones' --seed 1";
  report.hazards.push_back(fault);
  report.failures.push_back({"warp", "huge", "invalid: needs 300 KiB of shared memory"});
  report.exclusions.push_back(
      {"warp", {"partial"}, "kernel.yaml:12:9: the constraint 'columns % 32 == 0' does not hold"});
  return report;
}

TEST(VetText, PrintsAsACompilerDoes) {
  testing::expect_golden("vet.txt", vet_text(sample_report(), false));
}

TEST(VetText, SaysThatNothingWasFound) {
  VetReport report = report_of(1, 3, 5);
  EXPECT_TRUE(report.clean());
  EXPECT_EQ(vet_text(report, false),
            "softmax: nothing found in 3 cases of 1 configuration under 5 schedules on "
            "emu:sm_90a\n");
  report.validated = false;
  EXPECT_NE(vet_text(report, false).find("no reference"), std::string::npos);
}

TEST(VetText, SaysWhereOneScheduleWasEnough) {
  VetReport report = report_of(1, 3, 5);
  report.same_under_all = 2;
  EXPECT_EQ(vet_text(report, false),
            "softmax: nothing found in 3 cases of 1 configuration under 5 schedules on "
            "emu:sm_90a; one schedule was enough for 2 of 3 runs: no other can differ\n");
  report.same_under_all = 3;
  EXPECT_EQ(vet_text(report, false),
            "softmax: nothing found in 3 cases of 1 configuration under 5 schedules on "
            "emu:sm_90a; one schedule was enough: no other can differ\n");
  EXPECT_EQ(vet_json(report)["vet"]["same_under_all_schedules"], 3);
}

TEST(VetText, CasesThatConstraintsExcludeAreNamedAndCounted) {
  VetReport report = report_of(2, 4, 1);
  report.exclusions.push_back(
      {"warp", {"partial", "nan"}, "the constraint 'd == 32' does not hold"});
  EXPECT_TRUE(report.clean());
  EXPECT_EQ(vet_text(report, false),
            "note: warp: without case 'partial', 'nan': the constraint 'd == 32' does not hold\n"
            "softmax: nothing found in 3 cases of 2 configurations (4 of 6 runs) under 1 schedule "
            "on emu:sm_90a\n");
}

TEST(VetText, ACaseThatCannotRunIsNotClean) {
  VetReport report;
  report.failures.push_back({"warp", "huge", "invalid: too large"});
  EXPECT_FALSE(report.clean());
}

TEST(VetText, ACaseThatMetALimitIsNotDecided) {
  VetReport report = report_of(1, 3, 5);
  report.undecided.push_back({"warp", "huge", "more than 50000000 warp instructions"});
  EXPECT_FALSE(report.clean());
  EXPECT_FALSE(report.found());
  EXPECT_EQ(vet_text(report, false),
            "warp, case 'huge': not decided: more than 50000000 warp instructions "
            "(`--instructions N`, `--time SECONDS`)\n\n"
            "softmax: nothing found in 3 cases of 1 configuration under 5 schedules on "
            "emu:sm_90a; 1 not decided\n");
}

TEST(VetText, WhatPtxasRemarksIsANote) {
  VetReport report = report_of(1, 3, 5);
  report.remarks.push_back({"warp", "wgmma is serialised: ptxas (C7510) ..."});
  EXPECT_TRUE(report.clean());
  EXPECT_EQ(vet_text(report, false),
            "note: warp: wgmma is serialised: ptxas (C7510) ...; sweeps refuse it, its PTX was "
            "looked at\n"
            "softmax: nothing found in 3 cases of 1 configuration under 5 schedules on "
            "emu:sm_90a\n");
}

TEST(VetJson, HoldsWhatIsNotDecidedAndWhatPtxasRemarks) {
  VetReport report = report_of(1, 3, 5);
  report.undecided.push_back({"warp", "huge", "more than 7 ms"});
  report.remarks.push_back({"warp", "wgmma is serialised"});
  const nlohmann::json json = vet_json(report);
  EXPECT_EQ(json["vet"]["clean"], false);
  EXPECT_EQ(json["undecided"][0]["case"], "huge");
  EXPECT_EQ(json["undecided"][0]["reason"], "more than 7 ms");
  EXPECT_EQ(json["remarks"][0]["text"], "wgmma is serialised");
}

VetReport untested_report(bool strict) {
  VetReport report = report_of(1, 3, 5);
  VetContractRemark& one = report.contract.emplace_back();
  one.here = {"kernels/softmax/kernel.yaml", 7};
  one.remark.output = "y";
  one.remark.largest_expected = 0.25;
  one.remark.allowed = 1;
  report.strict = strict;
  return report;
}

VetReport report_of_a_program() {
  VetReport report = report_of(1, 1, 5);
  using What = LeftOut::What;
  report.left_out = {{What::kLaunchingBody, "main", {"a.cu", 9, 0}, ""},
                     {What::kBody, "f", {"b.h", 3, 0}, "identifier \"x\" is undefined"},
                     {What::kBody, "g", {"a.cu", 5, 0}, "no"},
                     {What::kDeclaration, "g", {"a.cu", 5, 0}, "no"},
                     {What::kDeclaration, "", {"a.cu", 6, 0}, "no"},
                     {What::kHeader, "vector", {"a.cu", 1, 0}, ""}};
  return report;
}

TEST(VetText, WhatWasLeftOutIsANote) {
  VetReport report = report_of_a_program();
  EXPECT_TRUE(report.clean());
  EXPECT_EQ(
      vet_text(report, false),
      "softmax: note: left out as host code: the body of 'main' (line 9), the body of 'f' (line 3 "
      "of b.h), 'g' (line 5), a declaration (line 6) and the header 'vector' (line 1)\n"
      "softmax: nothing found in 3 cases of 1 configuration (1 of 3 runs) under 5 schedules on "
      "emu:sm_90a\n");
  for (int i = 0; i < 20; ++i) report.left_out.push_back(report.left_out.front());
  EXPECT_NE(vet_text(report, false).find(" and 17 more\n"), std::string::npos);
  report.left_out = {report.left_out.front()};
  EXPECT_NE(vet_text(report, false).find("host code: the body of 'main' (line 9)\n"),
            std::string::npos);
}

TEST(VetJson, HoldsWhatWasLeftOut) {
  const nlohmann::json left_out = vet_json(report_of_a_program()).at("left_out");
  ASSERT_EQ(left_out.size(), 5u);
  EXPECT_EQ(left_out[1], (nlohmann::json{{"what", "body"},
                                         {"name", "f"},
                                         {"here", {{"file", "b.h"}, {"line", 3}}},
                                         {"launches", false},
                                         {"compiler", "identifier \"x\" is undefined"}}));
  EXPECT_EQ(left_out[0].at("launches"), true);
}

TEST(VetText, WhatTheContractLeavesUntestedIsAWarning) {
  const VetReport report = untested_report(false);
  EXPECT_TRUE(report.clean());
  EXPECT_EQ(vet_text(report, false),
            "kernels/softmax/kernel.yaml:7: warning: zeros pass for output 'y': its largest "
            "expected value is 0.25, and an error of 1 is allowed there\n"
            "softmax: nothing found in 3 cases of 1 configuration under 5 schedules on "
            "emu:sm_90a; 1 warning\n");
}

TEST(VetText, WhatAStrictContractLeavesUntestedIsAFinding) {
  const VetReport report = untested_report(true);
  EXPECT_FALSE(report.clean());
  EXPECT_TRUE(report.found());
  EXPECT_EQ(vet_text(report, false),
            "kernels/softmax/kernel.yaml:7: error: zeros pass for output 'y': its largest "
            "expected value is 0.25, and an error of 1 is allowed there\n"
            "softmax: 1 finding in 3 cases of 1 configuration under 5 schedules on emu:sm_90a\n");
}

TEST(VetJson, HoldsWhatTheContractLeavesUntested) {
  const nlohmann::json json = vet_json(untested_report(true));
  EXPECT_EQ(json["vet"]["strict"], true);
  EXPECT_EQ(json["vet"]["clean"], false);
  EXPECT_EQ(json["contract_remarks"][0]["code"], "zeros_pass");
  EXPECT_EQ(json["contract_remarks"][0]["allowed"], 1.0);
  EXPECT_EQ(json["contract_remarks"][0]["here"]["line"], 7);
}

TEST(VetJson, HoldsBothSidesAndTheReplay) {
  const nlohmann::json json = vet_json(sample_report());
  EXPECT_EQ(json["vet"]["clean"], false);
  EXPECT_EQ(json["vet"]["schedules"], 20);
  ASSERT_EQ(json["hazards"].size(), 3u);
  EXPECT_EQ(json["hazards"][0]["here"]["line"], 41);
  EXPECT_EQ(json["hazards"][0]["other"]["line"], 38);
  EXPECT_EQ(json["hazards"][1]["here"], nullptr);
  EXPECT_EQ(json["hazards"][1]["seed"], 7);
  EXPECT_EQ(json["hazards"][2]["fault"], true);
  EXPECT_EQ(json["failures"][0]["case"], "huge");
  EXPECT_EQ(json["vet"]["runs"], 5);
  EXPECT_EQ(json["exclusions"][0]["cases"], nlohmann::json::array({"partial"}));
}

}  // namespace
}  // namespace warpwright
