// The gate's report as people read it, and as JSON.
#include "output/gate_text.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "output/gate_sample.h"
#include "output/golden.h"

namespace warpwright::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(GateText, CountedReportsAreTheGoldenOne) {
  expect_golden("gate_counted.txt", gate_text(gate_sample(), false));
}

TEST(GateText, MeasuredReportsAreTheGoldenOne) {
  expect_golden("gate_measured.txt", gate_text(gate_sample_measured(), false));
}

TEST(GateText, ColourOnlyWhereItIsWanted) {
  EXPECT_THAT(gate_text(gate_sample(), false), Not(HasSubstr("\x1b")));
  EXPECT_THAT(gate_text(gate_sample(), true), HasSubstr("\x1b[1m"));
}

TEST(GateText, NothingToCheckIsSaid) {
  GateReport report;
  EXPECT_THAT(gate_text(report, false), HasSubstr("\n0 entries: "));
}

TEST(GateJson, IsTheGoldenOne) {
  expect_golden("gate.json", gate_json(gate_sample(), false).dump(2) + "\n");
}

TEST(GateJson, OfARaceHasEveryFigure) {
  const nlohmann::json race = gate_json(gate_sample_measured(), false)["entries"][0]["race"];
  EXPECT_NEAR(race["change"].get<double>(), 0.03, 1e-5);
  EXPECT_NEAR(race["repeated_change"].get<double>(), 0.0297, 1e-4);
  EXPECT_EQ(race["blocks"], 20);
}

TEST(GateJson, TheExitCodeIsTheOneThatIsReturned) {
  GateReport report = gate_sample();
  report.entries.erase(report.entries.begin(), report.entries.begin() + 3);
  EXPECT_EQ(gate_json(report, false)["check"]["exit_code"], 4);
  EXPECT_EQ(gate_json(report, true)["check"]["exit_code"], 0);
}

}  // namespace
}  // namespace warpwright::testing
