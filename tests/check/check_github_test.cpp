// Tests annotations and summaries for code hosts.
#include <gmock/gmock.h>

#include "check/check_sample.h"
#include "check/texts/check_ci.h"
#include "output/golden.h"

namespace warpwright::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TEST(CheckAnnotations, AreTheGoldenOnes) {
  expect_golden("check_annotations.txt", check_annotations(check_sample()));
}

TEST(CheckAnnotations, SpecialCharactersAreEscapedByTheirPlace) {
  CheckReport report;
  CheckEntry entry;
  entry.kernel = "a:b,c";
  entry.state = CheckState::kRegression;
  entry.findings = {{GateFindingKind::kRegression, "50 % more: x, y\r\n::error::forged",
                     QuotedLocation{{"dir,1/a:b%.cu", 7}}}};
  report.entries = {entry};
  EXPECT_EQ(check_annotations(report),
            "::error file=dir%2C1/a%3Ab%25.cu,line=7,title=regression%3A a%3Ab%2Cc::a:b,c: 50 %25 "
            "more: x, y%0D%0A::error::forged\n");
}

TEST(CheckAnnotations, LevelsFollowTheFinding) {
  const auto of = [](GateFindingKind kind) {
    CheckReport report;
    CheckEntry entry;
    entry.findings = {{kind, "said", std::nullopt}};
    report.entries = {entry};
    return check_annotations(report);
  };
  for (const GateFindingKind kind : {GateFindingKind::kRegression, GateFindingKind::kLost,
                                     GateFindingKind::kMissing, GateFindingKind::kIllegal})
    EXPECT_THAT(of(kind), StartsWith("::error title="));
  for (const GateFindingKind kind :
       {GateFindingKind::kTieSet, GateFindingKind::kRecord, GateFindingKind::kUndecided})
    EXPECT_THAT(of(kind), StartsWith("::warning title="));
  EXPECT_THAT(of(GateFindingKind::kImprovement), StartsWith("::notice title="));
  EXPECT_EQ(of(GateFindingKind::kNote), "");
}

TEST(CheckMarkdown, IsTheGoldenOne) {
  expect_golden("check_summary.md", check_markdown(check_sample()));
}

TEST(CheckMarkdown, NothingOfANameIsMarkup) {
  CheckReport report;
  CheckEntry entry;
  entry.kernel = "a|b<script>*_`[x](y)";
  entry.problem_text = "n=1\nn=2";
  entry.findings = {
      {GateFindingKind::kLost, "said", QuotedLocation{{"x.cu", 2}, "```` fence ```"}}};
  report.entries = {entry};
  const std::string text = check_markdown(report);
  EXPECT_THAT(text, HasSubstr("| a\\|b&lt;script&gt;\\*\\_\\`\\[x\\](y) | n=1 n=2 |"));
  EXPECT_THAT(text, HasSubstr("  `````\n  ```` fence ```\n  `````\n"));
  EXPECT_THAT(text, Not(HasSubstr("<script>")));
}

}  // namespace
}  // namespace warpwright::testing
