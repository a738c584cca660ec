// Tests the pages on kinds of findings: every kind has a complete page.
#include "vet/explain/explain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/finding.h"

namespace warpwright {
namespace {

using ::testing::HasSubstr;

// Kinds without a page: limits, and the reasons that a launch did not run at all.
constexpr FindingKind kUnexplained[] = {FindingKind::kDoesNotEnd, FindingKind::kCancelled,
                                        FindingKind::kInvalidLaunch, FindingKind::kLaunchFailed};

TEST(Explain, EveryKindOfFindingHasAPage) {
  for (const FindingKind kind : all_finding_kinds()) {
    if (std::find(std::begin(kUnexplained), std::end(kUnexplained), kind) != std::end(kUnexplained))
      continue;
    const std::string name(finding_kind_name(kind));
    EXPECT_TRUE(find_explanation(name).has_value())
        << "write tuner/vet/explain/pages/" << kind_word(name) << ".md and its two kernels";
  }
}

TEST(Explain, EveryPageIsOfAKindOfFinding) {
  for (const std::string& kind : explained_kinds())
    EXPECT_TRUE(parse_finding_kind(kind).has_value()) << kind;
}

TEST(Explain, EveryPageIsWhole) {
  for (const std::string& kind : explained_kinds()) {
    const Explanation page = explanation_of(kind);
    EXPECT_EQ(page.kind, kind);
    for (const std::string* part : {&page.meaning, &page.why, &page.helps}) {
      EXPECT_FALSE(part->empty()) << kind;
      EXPECT_EQ(part->find("\n## "), std::string::npos) << kind;
    }
    EXPECT_EQ(page.meaning.find('\n'), std::string::npos) << kind << " has one line of meaning";
    EXPECT_THAT(page.broken, HasSubstr("// vet: ")) << kind;
    EXPECT_THAT(page.mended, HasSubstr("// vet: ")) << kind;
    EXPECT_NE(page.broken, page.mended) << kind;
  }
}

TEST(Explain, KindsMayBeWrittenAsTheirFiles) {
  EXPECT_EQ(explanation_of("shared-race").kind, "shared race");
  EXPECT_EQ(explanation_of("stale read").kind, "stale read");
}

TEST(Explain, AnUnknownKindSuggestsTheNearest) {
  try {
    static_cast<void>(explanation_of("staleread"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.message(),
              "--explain staleread: there is no such kind of finding; did you mean 'stale read'?");
  }
}

TEST(Explain, APageIsPrintedWithBothKernels) {
  Explanation page;
  page.kind = "trap";
  page.meaning = "It stopped.";
  page.why = "It wanted to.";
  page.helps = "- Nothing.";
  page.broken = "__global__ void a() {\n\n}\n";
  page.mended = "// none\n";
  EXPECT_EQ(explanation_text(page, false),
            "trap\n\nIt stopped.\n\nWhy it is wrong\n\nIt wanted to.\n\nRemedy\n\n- Nothing.\n\n"
            "Broken\n\n    __global__ void a() {\n\n    }\n\nFixed\n\n    // none\n");
  EXPECT_EQ(explanation_json(page).at("mended"), "// none\n");
}

}  // namespace
}  // namespace warpwright
