// The report as text and as JSON.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "harness/selftest/selftest.h"
#include "terminal/narrow.h"
#include "terminal/screen.h"

namespace warpwright {
namespace {

SelftestReport sample_report() {
  SelftestReport report;
  report.device.id = "cuda:0";
  report.device.name = "NVIDIA H200";
  report.device.driver = "580.159.04";
  report.nvrtc = "13.0";
  report.version = "warpwright 0.1.0";
  report.date_utc = "2026-03-01T12:00:00Z";
  report.protocols = {"cold-graph-1", "slope-graph-1"};
  report.figures = {
      {"bias", "reported - truth", "5 us", 0.0212, "us", Target::at_most(0.15), "above"},
      {"bias", "reported - truth", "5 us, cold, raw", 3.4, "us", Target::none(), "for the reader"},
      {"coverage", "of 95 % intervals", "50 us", 99.7, "%", Target::between(93, 97), "299 of 300"}};
  report.raw["coverage"] = {{"about_us", 50}};
  return report;
}

TEST(Report, ShowsEveryFigureBesideItsTarget) {
  EXPECT_EQ(
      selftest_text(sample_report()),
      R"(NVIDIA H200 (cuda:0), driver 580.159.04, NVRTC 13.0, warpwright 0.1.0, 2026-03-01T12:00:00Z
protocols: cold-graph-1, slope-graph-1

section   figure             of                   value      target  verdict  detail
────────  ─────────────────  ───────────────  ─────────  ──────────  ───────  ──────────────
bias      reported - truth   5 µs             0.0212 µs  <= 0.15 µs  PASS     above
bias      reported - truth   5 µs, cold, raw     3.4 µs                       for the reader
coverage  of 95 % intervals  50 µs               99.7 %  93 to 97 %  FAIL     299 of 300

1 of 2 targets met
)");
}

TEST(Report, EveryTerminalShowsValuesAndVerdicts) {
  testing::expect_fits([](const Screen& screen) { return selftest_text(sample_report(), screen); },
                       {"0.0212 µs", "3.4 µs", "99.7 %", "PASS", "FAIL"});
}

TEST(Report, SaysWhenItIsOnlyALook) {
  SelftestReport report = sample_report();
  EXPECT_THAT(selftest_text(report), ::testing::Not(::testing::HasSubstr("quick")));
  report.quick = true;
  EXPECT_THAT(selftest_text(report),
              ::testing::HasSubstr("quick: fewer repetitions than the targets are stated for"));
}

TEST(Report, AsJsonHasEverything) {
  const nlohmann::json json = selftest_json(sample_report());
  EXPECT_EQ(json["selftest"]["device"]["id"], "cuda:0");
  EXPECT_EQ(json["selftest"]["driver"], "580.159.04");
  EXPECT_EQ(json["selftest"]["nvrtc"], "13.0");
  EXPECT_EQ(json["selftest"]["date_utc"], "2026-03-01T12:00:00Z");
  EXPECT_EQ(json["selftest"]["protocols"].size(), 2u);
  EXPECT_EQ(json["selftest"]["met"], 1);
  EXPECT_EQ(json["selftest"]["targets"], 2);
  EXPECT_EQ(json["figures"].size(), 3u);
  EXPECT_EQ(json["raw"]["coverage"]["about_us"], 50);
}

}  // namespace
}  // namespace warpwright
