// Annotations and summaries for code hosts.
#include "output/gate_github.h"

#include <gmock/gmock.h>

#include "output/gate_sample.h"
#include "output/golden.h"

namespace warpwright::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TEST(GateAnnotations, AreTheGoldenOnes) {
  expect_golden("gate_annotations.txt", gate_annotations(gate_sample()));
}

TEST(GateAnnotations, SpecialCharactersAreEscapedByTheirPlace) {
  GateReport report;
  GateEntry entry;
  entry.kernel = "a:b,c";
  entry.state = GateState::kRegression;
  entry.findings = {{FindingKind::kRegression, "50 % more: x, y\r\n::error::forged",
                     GatePlace{"dir,1/a:b%.cu", 7, ""}}};
  report.entries = {entry};
  EXPECT_EQ(gate_annotations(report),
            "::error file=dir%2C1/a%3Ab%25.cu,line=7,title=regression%3A a%3Ab%2Cc::a:b,c: 50 %25 "
            "more: x, y%0D%0A::error::forged\n");
}

TEST(GateAnnotations, LevelsFollowTheFinding) {
  const auto of = [](FindingKind kind) {
    GateReport report;
    GateEntry entry;
    entry.findings = {{kind, "said", std::nullopt}};
    report.entries = {entry};
    return gate_annotations(report);
  };
  for (const FindingKind kind :
       {FindingKind::kRegression, FindingKind::kLost, FindingKind::kMissing, FindingKind::kIllegal})
    EXPECT_THAT(of(kind), StartsWith("::error title="));
  for (const FindingKind kind :
       {FindingKind::kTieSet, FindingKind::kRecord, FindingKind::kUndecided})
    EXPECT_THAT(of(kind), StartsWith("::warning title="));
  EXPECT_THAT(of(FindingKind::kImprovement), StartsWith("::notice title="));
  EXPECT_EQ(of(FindingKind::kNote), "");
}

TEST(GateMarkdown, IsTheGoldenOne) {
  expect_golden("gate_summary.md", gate_markdown(gate_sample()));
}

TEST(GateMarkdown, NothingOfANameIsMarkup) {
  GateReport report;
  GateEntry entry;
  entry.kernel = "a|b<script>*_`[x](y)";
  entry.problem_text = "n=1\nn=2";
  entry.findings = {{FindingKind::kLost, "said", GatePlace{"x.cu", 2, "```` fence ```"}}};
  report.entries = {entry};
  const std::string text = gate_markdown(report);
  EXPECT_THAT(text, HasSubstr("| a\\|b&lt;script>\\*\\_\\`\\[x](y) | n=1 n=2 |"));
  EXPECT_THAT(text, HasSubstr("  `````\n  ```` fence ```\n  `````\n"));
  EXPECT_THAT(text, Not(HasSubstr("<script>")));
}

}  // namespace
}  // namespace warpwright::testing
