// The sections that --only selects.
#include <gtest/gtest.h>

#include "core/error.h"
#include "harness/selftest/section.h"
#include "support/error_text.h"

namespace warpwright {
namespace {

TEST(Sections, AreNamedWithCommas) {
  EXPECT_EQ(parse_sections("bias,cv"), (std::set<Section>{Section::kBias, Section::kCv}));
  EXPECT_EQ(parse_sections("faults"), (std::set<Section>{Section::kFaults}));
}

TEST(Sections, EveryNameReadsBack) {
  EXPECT_EQ(all_sections().size(), 10u);
  for (const Section section : all_sections())
    EXPECT_EQ(parse_sections(section_name(section)), std::set<Section>{section});
}

TEST(Sections, AnUnknownNameSuggests) {
  EXPECT_EQ(testing::error_text([] { (void)parse_sections("bias,covrage"); }),
            "--only: unknown section 'covrage'; did you mean 'coverage'?");
}

TEST(Sections, AnEmptyNameIsUnknown) { EXPECT_THROW((void)parse_sections("bias,"), Error); }

TEST(Counts, QuickIsFewerOfEverything) {
  const SelftestCounts full;
  const SelftestCounts quick = quick_counts();
  EXPECT_LT(quick.processes, full.processes);
  EXPECT_LT(quick.measurements, full.measurements);
  EXPECT_LT(quick.aa_comparisons, full.aa_comparisons);
  EXPECT_LT(quick.slowdown_runs, full.slowdown_runs);
  EXPECT_LT(quick.races, full.races);
  EXPECT_LT(quick.tunings, full.tunings);
}

}  // namespace
}  // namespace warpwright
