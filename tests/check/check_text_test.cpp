// Tests the gate's report as text and as JSON.
#include "check/texts/check_text.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "check/check_sample.h"
#include "output/golden.h"
#include "terminal/narrow.h"
#include "terminal/screen.h"

namespace warpwright::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(CheckText, CountedReportsAreTheGoldenOne) {
  expect_golden("check_counted.txt", check_text(check_sample(), false));
}

TEST(CheckText, MeasuredReportsAreTheGoldenOne) {
  expect_golden("check_measured.txt", check_text(check_sample_measured(), false));
}

TEST(CheckText, EveryTerminalShowsVerdictsAndChanges) {
  expect_fits([](const Screen& screen) { return check_text(check_sample(), false, screen); },
              {"verdict", "REGRESSION"});
  expect_fits(
      [](const Screen& screen) { return check_text(check_sample_measured(), false, screen); },
      {"verdict", "REGRESSION", "+3.00 %"});
}

TEST(CheckText, ColourOnlyWhereItIsWanted) {
  EXPECT_THAT(check_text(check_sample(), false), Not(HasSubstr("\x1b")));
  EXPECT_THAT(check_text(check_sample(), true), HasSubstr("\x1b[1m"));
}

TEST(CheckText, NothingToCheckIsSaid) {
  CheckReport report;
  EXPECT_THAT(check_text(report, false), HasSubstr("\n0 entries: "));
}

TEST(CheckJson, IsTheGoldenOne) {
  expect_golden("check.json", check_json(check_sample(), false).dump(2) + "\n");
}

TEST(CheckJson, OfARaceHasEveryFigure) {
  const nlohmann::json race = check_json(check_sample_measured(), false)["entries"][0]["race"];
  EXPECT_NEAR(race["change"].get<double>(), 0.03, 1e-5);
  EXPECT_NEAR(race["repeated_change"].get<double>(), 0.0297, 1e-4);
  EXPECT_EQ(race["blocks"], 20);
}

TEST(CheckJson, TheExitCodeIsTheOneThatIsReturned) {
  CheckReport report = check_sample();
  report.entries.erase(report.entries.begin(), report.entries.begin() + 3);
  EXPECT_EQ(check_json(report, false)["check"]["exit_code"], 4);
  EXPECT_EQ(check_json(report, true)["check"]["exit_code"], 0);
}

}  // namespace
}  // namespace warpwright::testing
