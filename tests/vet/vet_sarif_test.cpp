// Findings as SARIF 2.1.0.
#include "vet/vet_sarif.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "vet/explain/explain.h"

namespace warpwright {
namespace {

using nlohmann::ordered_json;

VetReport report_with(std::vector<VetHazard> hazards) {
  VetReport report;
  report.kernel = "softmax";
  report.device = "emu:sm_90a";
  report.hazards = std::move(hazards);
  return report;
}

VetHazard race() {
  VetHazard one;
  one.finding.kind = FindingKind::kSharedRace;
  one.finding.message = "two accesses are not ordered";
  one.finding.advice = "put a __syncthreads() between them";
  one.finding.here = {"store of 4 bytes", {{"my kernels/softmax.cu", 41}, "tile[i] = x;"}};
  one.finding.other = {"load of 4 bytes", {{"/abs/helper.cuh", 38}}};
  one.configuration_text = "block THREADS=128";
  one.case_name = "partial";
  one.problem_text = "rows=3";
  one.seen_in = 2;
  one.schedules = 5;
  one.replay = "warpwright vet softmax.cu --seed 1";
  return one;
}

ordered_json run_of(const VetReport& report) {
  const ordered_json sarif = vet_sarif(report, "warpwright 0.1.0");
  EXPECT_EQ(sarif.at("$schema"), "https://json.schemastore.org/sarif-2.1.0.json");
  EXPECT_EQ(sarif.at("version"), "2.1.0");
  EXPECT_EQ(sarif.at("runs").size(), 1U);
  return sarif.at("runs").at(0);
}

constexpr const char* kRules = R"json([
  {"id": "shared-race", "shortDescription": {"text": "shared race"},
   "fullDescription": {"text": "MEANING"},
   "help": {"text": "put a __syncthreads() between them"}}])json";

constexpr const char* kResults = R"json([
  {"ruleId": "shared-race", "ruleIndex": 0, "level": "error",
   "message": {"text": "two accesses are not ordered\nFix: put a __syncthreads() between them"},
   "locations": [{"physicalLocation": {
      "artifactLocation": {"uri": "my%20kernels/softmax.cu", "uriBaseId": "%SRCROOT%"},
      "region": {"startLine": 41, "snippet": {"text": "tile[i] = x;"}}}}],
   "relatedLocations": [{"physicalLocation": {
      "artifactLocation": {"uri": "file:///abs/helper.cuh"}, "region": {"startLine": 38}},
      "id": 1,
      "message": {"text": "the other side: load of 4 bytes by thread (0,0,0) of block (0,0,0)"}}],
   "properties": {"configuration": "block THREADS=128", "case": "partial", "problem": "rows=3",
      "schedules": 5, "seenIn": 2, "replay": "warpwright vet softmax.cu --seed 1"}}])json";

TEST(VetSarif, AFindingHasItsRuleItsLineTheOtherSideAndTheFix) {
  const ordered_json run = run_of(report_with({race()}));
  ordered_json rules = ordered_json::parse(kRules);
  rules[0]["fullDescription"]["text"] = explanation_of("shared race").meaning;
  EXPECT_EQ(run.at("tool").at("driver").at("rules"), rules);
  EXPECT_EQ(run.at("results"), ordered_json::parse(kResults));
}

TEST(VetSarif, FindingsOfOneKindShareARule) {
  VetHazard lost = race();
  lost.finding.kind = FindingKind::kDeadlock;
  const ordered_json run = run_of(report_with({race(), lost, race()}));
  EXPECT_EQ(run.at("tool").at("driver").at("rules").size(), 2U);
  EXPECT_EQ(run.at("results").at(1).at("ruleIndex"), 1);
  EXPECT_EQ(run.at("results").at(2).at("ruleIndex"), 0);
}

TEST(VetSarif, WhatHasNoPlaceHasNoLocation) {
  VetHazard wrong = race();
  wrong.finding.here.reset();
  wrong.finding.other.reset();
  const ordered_json result = run_of(report_with({wrong})).at("results").at(0);
  EXPECT_FALSE(result.contains("locations"));
  EXPECT_FALSE(result.contains("relatedLocations"));
}

TEST(VetSarif, WhatDidNotRunIsAResultAndWhatWasNotDecidedANotification) {
  VetReport report = report_with({});
  report.failures.push_back({"warp", "huge", "invalid: needs 300 KiB of shared memory"});
  report.undecided.push_back({"warp", "", "50 M instructions"});
  const ordered_json run = run_of(report);
  EXPECT_EQ(run.at("results").at(0).at("message").at("text"),
            "warp, case 'huge': invalid: needs 300 KiB of shared memory");
  EXPECT_EQ(run.at("invocations").at(0).at("toolExecutionNotifications"), ordered_json::parse(R"([
    {"level": "warning", "message": {"text": "warp was not decided: 50 M instructions"}}])"));
}

TEST(VetSarif, WhatTheContractLeavesUntestedIsAWarningAtItsLine) {
  VetReport report = report_with({});
  VetContractRemark& one = report.contract.emplace_back();
  one.here = {"kernels/softmax/kernel.yaml", 7};
  one.remark.code = RemarkCode::kInputUnused;
  one.remark.input = "w";
  const ordered_json expected = ordered_json::parse(R"json([
    {"ruleId": "contract-tests-too-little", "ruleIndex": 0, "level": "warning",
     "message": {"text": "input 'w' does not matter: another seed's content of it changes no expected value"},
     "locations": [{"physicalLocation": {
        "artifactLocation": {"uri": "kernels/softmax/kernel.yaml", "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": 7}}}]}])json");
  EXPECT_EQ(run_of(report).at("results"), expected);
  report.strict = true;
  EXPECT_EQ(run_of(report).at("results").at(0).at("level"), "error");
}

TEST(VetSarif, WhatWasLeftOutIsANotificationAtItsLine) {
  VetReport report;
  report.left_out = {{LeftOut::What::kBody, "f", {"b.h", 3, 0}, "identifier \"x\" is undefined"}};
  const auto sarif = vet_sarif(report, "1");
  const auto& notes = sarif["runs"][0]["invocations"][0]["toolExecutionNotifications"];
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0]["level"], "note");
  EXPECT_EQ(notes[0]["message"]["text"],
            "left out as host code: the body of 'f', for the compiler says: identifier \"x\" is "
            "undefined");
  EXPECT_EQ(notes[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "b.h");
  EXPECT_EQ(notes[0]["locations"][0]["physicalLocation"]["region"]["startLine"], 3);
}

TEST(VetSarif, ACleanKernelHasNoResults) {
  EXPECT_EQ(run_of(report_with({})).at("results"), ordered_json::array());
}

}  // namespace
}  // namespace warpwright
