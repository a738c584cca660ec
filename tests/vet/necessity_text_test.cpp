// Tests reports of which barriers are needed, as text and as JSON.
#include "vet/necessity_text.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "output/golden.h"

namespace warpwright {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

SiteVerdict site(int line, const std::string& instruction, Necessity verdict) {
  SiteVerdict row;
  row.site.opcode = instruction.substr(0, instruction.find(' '));
  row.site.where = {{"softmax.cu", line, 3}, "__syncthreads();"};
  row.site.instruction = instruction;
  row.verdict = verdict;
  return row;
}

NecessityReport sample_necessity() {
  NecessityReport report;
  report.vetted.kernel = "softmax";
  report.vetted.device = "emu:sm_90a";
  report.vetted.configurations = 1;
  report.vetted.cases = report.vetted.runs = 3;
  report.vetted.schedules = 5;
  NecessityTable& table = report.tables.emplace_back();
  table.configuration_text = "block THREADS=128";

  SiteVerdict needed = site(41, "bar.sync 0", Necessity::kNeeded);
  needed.site.instructions = 4;
  needed.case_name = "partial";
  needed.cost = {"whole", 2.6523, 2.6317};
  needed.prevents.emplace();
  needed.prevents->finding.kind = FindingKind::kSharedRace;
  needed.prevents->finding.message = "store of 4 bytes and load of 4 bytes are not ordered";
  needed.prevents->finding.here = {"store of 4 bytes", {{"softmax.cu", 45}}, {}, {}};
  needed.prevents->finding.other = {"load of 4 bytes", {{"softmax.cu", 38}}, {}, {}};
  needed.prevents->case_name = "partial";
  needed.prevents->seed = 1;
  table.sites.push_back(needed);

  SiteVerdict wrong = site(52, "membar.gl", Necessity::kNeeded);
  wrong.case_name = "ones";
  wrong.prevents.emplace();
  wrong.prevents->finding.kind = FindingKind::kWrongResult;
  wrong.prevents->finding.message = "output 'y' is wrong at [3]: got 1, expected 2";
  table.sites.push_back(wrong);

  SiteVerdict endless = site(60, "bar.arrive 1, 64 and bar.sync 1, 64", Necessity::kNeeded);
  endless.site.instructions = 2;
  endless.site.also = {QuotedLocation{{"softmax.cu", 66, 3}, ""}};
  endless.case_name = "ones";
  endless.reason = "more than 50000000 warp instructions";
  table.sites.push_back(endless);

  SiteVerdict superfluous = site(12, "cp.async.wait_all", Necessity::kNotNeeded);
  superfluous.site.where.file = "copy.cuh";
  superfluous.site.callers = {QuotedLocation{{"common/ring.cuh", 31, 5}, "wait();"},
                              QuotedLocation{{"softmax.cu", 70, 5}, "ring.next();"}};
  superfluous.cost = {"whole", 2.6523, 2.65231};
  table.sites.push_back(superfluous);

  table.sites.push_back(site(80, "bar.sync 0", Necessity::kNotReached));
  SiteVerdict undecided = site(90, "griddepcontrol.wait", Necessity::kNotDecided);
  undecided.reason = "the emulator ends a launch before the next begins";
  table.sites.push_back(undecided);
  return report;
}

TEST(NecessityText, IsATableWithItsLimits) {
  testing::expect_golden("necessity.txt", necessity_text(sample_necessity(), false));
}

TEST(NecessityText, OfAKernelWithoutBarriersSaysSo) {
  NecessityReport report = sample_necessity();
  report.tables[0].sites.clear();
  EXPECT_THAT(necessity_text(report, false),
              EndsWith("\nsoftmax: it has no barrier, wait or fence\n"));
}

TEST(NecessityText, WithoutCostsAndCasesHasNoColumnsForThem) {
  NecessityReport report = sample_necessity();
  std::erase_if(report.tables[0].sites,
                [](const SiteVerdict& row) { return row.verdict != Necessity::kNotReached; });
  const std::string text = necessity_text(report, false);
  EXPECT_THAT(text, Not(HasSubstr("modelled")));
  EXPECT_THAT(text, Not(HasSubstr("  case")));
  EXPECT_THAT(text, Not(HasSubstr("evidence")));
}

TEST(NecessityText, OfABrokenKernelIsItsFindings) {
  NecessityReport report;
  report.vetted.kernel = "softmax";
  report.vetted.hazards.emplace_back().finding = {FindingKind::kTrap, true, "trap", "", "", {}, {}};
  EXPECT_THAT(necessity_text(report, false),
              EndsWith("softmax: no barrier was left out, because there are findings with all of "
                       "them in place\n"));
  EXPECT_TRUE(necessity_json(report).at("necessity").is_null());
  EXPECT_EQ(necessity_json(report).at("hazards").size(), 1u);
}

TEST(NecessityText, OfAKernelThatReachedALimitIsTheLimit) {
  NecessityReport report;
  report.vetted.kernel = "softmax";
  report.vetted.undecided.push_back({"block", "ones", "more than 50000000 warp instructions"});
  EXPECT_THAT(necessity_text(report, false),
              EndsWith("softmax: no barrier was left out, because a limit was reached with all of "
                       "them in place\n"));
}

TEST(NecessityText, ManyPlacesAndCallsAreCountedWhereTheyDoNotFit) {
  NecessityReport report = sample_necessity();
  std::vector<SiteVerdict>& sites = report.tables[0].sites;
  sites[2].site.also = {QuotedLocation{{"softmax.cu", 66, 3}, ""},
                        QuotedLocation{{"softmax.cu", 67, 3}, ""},
                        QuotedLocation{{"softmax.cu", 68, 3}, ""}};
  sites[3].site.callers = {QuotedLocation{{"common/ring.cuh", 31, 5}, ""},
                           QuotedLocation{{"common/stage.cuh", 9, 5}, ""},
                           QuotedLocation{{"softmax.cu", 70, 5}, ""}};
  const std::string wide = necessity_text(report, false, {300, true});
  EXPECT_THAT(wide, HasSubstr("also at softmax.cu:66, also at softmax.cu:67, also at "
                              "softmax.cu:68  "));
  EXPECT_THAT(wide, HasSubstr("wait_all, in copy.cuh:12 from ring.cuh:31 from stage.cuh:9  "));
  const std::string narrow = necessity_text(report, false);
  EXPECT_THAT(narrow, HasSubstr("1, 64, 2 together, also at softmax.cu:66 and 2 more  "));
  EXPECT_THAT(narrow, HasSubstr("wait_all, in copy.cuh:12, 2 calls deep  "));
  EXPECT_EQ(necessity_json(report)["necessity"][0]["sites"][3]["callers"].size(), 3u);
}

TEST(NecessityText, JsonHasEverythingThatTheTableHas) {
  const nlohmann::json json = necessity_json(sample_necessity());
  EXPECT_TRUE(json.at("vet").at("clean").get<bool>());
  const auto& table = json.at("necessity").at(0);
  EXPECT_EQ(table.at("configuration_text"), "block THREADS=128");
  const auto& needed = table.at("sites").at(0);
  EXPECT_EQ(
      needed.at("here"),
      (nlohmann::json{
          {"file", "softmax.cu"}, {"line", 41}, {"column", 3}, {"text", "__syncthreads();"}}));
  EXPECT_EQ(needed.at("instruction"), "bar.sync 0");
  EXPECT_EQ(needed.at("instructions"), 4);
  EXPECT_EQ(needed.at("verdict"), "needed");
  EXPECT_EQ(needed.at("case"), "partial");
  EXPECT_EQ(needed.at("prevents").at("kind"), "shared race");
  EXPECT_EQ(needed.at("prevents").at("other").at("line"), 38);
  EXPECT_EQ(needed.at("modelled").at("case"), "whole");
  EXPECT_EQ(needed.at("modelled").at("with_us"), 2.6523);
  EXPECT_EQ(needed.at("modelled").at("without_us"), 2.6317);
  EXPECT_EQ(table.at("sites").at(2).at("reason"), "more than 50000000 warp instructions");
  EXPECT_EQ(table.at("sites").at(2).at("also").at(0).at("line"), 66);
  const auto& superfluous = table.at("sites").at(3);
  EXPECT_EQ(superfluous.at("verdict"), "no case needs it");
  EXPECT_TRUE(superfluous.at("prevents").is_null());
  EXPECT_EQ(superfluous.at("callers").at(1).at("line"), 70);
  EXPECT_TRUE(table.at("sites").at(4).at("modelled").is_null());
}

}  // namespace
}  // namespace warpwright
