// Tests which line is blamed when both the source and the counts have changed.
#include "check/line_growth.h"

#include <gmock/gmock.h>

#include "core/words.h"

namespace warpwright::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<std::ptrdiff_t> pairs(std::string_view before, std::string_view after) {
  return pair_lines(split_lines(before), split_lines(after));
}

TEST(PairLines, EqualTextsPairLineByLine) {
  EXPECT_THAT(pairs("a\nb\nc\n", "a\nb\nc\n"), ElementsAre(0, 1, 2));
}

TEST(PairLines, InsertedLinesAreNew) {
  EXPECT_THAT(pairs("int a;\nint b;\n", "int a;\n// said\nint b;\n"), ElementsAre(0, -1, 1));
  EXPECT_THAT(pairs("a\n", "x\ny\na\n"), ElementsAre(-1, -1, 0));
}

TEST(PairLines, RemovedLinesShiftWhatFollows) {
  EXPECT_THAT(pairs("a\nb\nc\nd\n", "a\nd\n"), ElementsAre(0, 3));
}

TEST(PairLines, IndentationAndLineEndsDoNotCount) {
  EXPECT_THAT(pairs("if (x) {\n  y();\n}\n", "if (x) {\r\n      y();\r\n}\r\n"),
              ElementsAre(0, 1, 2));
}

TEST(PairLines, AnEditedLineIsTheOneItIsLike) {
  EXPECT_THAT(pairs("head\n  out[i] = f(g[i], u[i]);\ntail\n",
                    "head\n  const float extra = u[i + 1];\n  out[i] = f(g[i], u[i] + extra);\n"
                    "tail\n"),
              ElementsAre(0, -1, 1, 2));
}

TEST(PairLines, EmptyTextsAreFine) {
  EXPECT_THAT(pairs("", ""), IsEmpty());
  EXPECT_THAT(pairs("a\n", ""), IsEmpty());
  EXPECT_THAT(pairs("", "a\n"), ElementsAre(-1));
}

TEST(PairLines, LargeTextsAreComparedWithinBounds) {
  std::string before;
  std::string after;
  for (int i = 0; i < 20000; ++i) {
    before += "b" + std::to_string(i) + "\n";
    after += "a" + std::to_string(i) + "\n";
  }
  EXPECT_THAT(pairs(before, after), SizeIs(20000));
}

constexpr const char* kFile = "kernels/x/x.cu";

TEST(GrownLines, TheLineThatDidMoreIsNamedWithItsText) {
  const SourceTexts then = {{kFile, "a\n  load(x);\nb\n"}};
  const SourceTexts now = {{kFile, "// new comment\na\n  load(x);\nb\n"}};
  const auto grown = grown_lines(then, now, {{{kFile, 2}, 100}, {{kFile, 3}, 10}},
                                 {{{kFile, 3}, 250}, {{kFile, 4}, 10}});
  ASSERT_THAT(grown, SizeIs(1));
  EXPECT_EQ(grown[0].line, 3);
  EXPECT_EQ(grown[0].text, "load(x);");
  EXPECT_EQ(grown[0].before, 100);
  EXPECT_EQ(grown[0].after, 250);
}

TEST(GrownLines, ANewLineGrewFromNothing) {
  const auto grown =
      grown_lines({{kFile, "a\n"}}, {{kFile, "a\nload(y);\n"}}, {}, {{{kFile, 2}, 7}});
  ASSERT_THAT(grown, SizeIs(1));
  EXPECT_EQ(grown[0].before, 0);
}

TEST(GrownLines, TheMostGrownComesFirstAndTriflesAreLeftOut) {
  const SourceTexts text = {{kFile, "a\nb\nc\nd\ne\n"}};
  const auto grown = grown_lines(
      text, text, {},
      {{{kFile, 1}, 5}, {{kFile, 2}, 100}, {{kFile, 3}, 40}, {{kFile, 4}, 20}, {{kFile, 5}, 15}});
  ASSERT_THAT(grown, SizeIs(3));
  EXPECT_EQ(grown[0].line, 2);
  EXPECT_EQ(grown[2].line, 4);
}

TEST(GrownLines, NothingGrew) {
  const SourceTexts text = {{kFile, "a\n"}};
  EXPECT_THAT(grown_lines(text, text, {{{kFile, 1}, 5}}, {{{kFile, 1}, 5}}), IsEmpty());
  EXPECT_THAT(grown_lines({}, {}, {}, {}), IsEmpty());
}

TEST(GrownLines, AFileWithoutATextIsPairedByNumber) {
  const auto grown = grown_lines({}, {}, {{{"cuda_fp16.hpp", 9}, 4}}, {{{"cuda_fp16.hpp", 9}, 6}});
  ASSERT_THAT(grown, SizeIs(1));
  EXPECT_EQ(grown[0].before, 4);
  EXPECT_EQ(grown[0].text, "");
}

TEST(GrownLines, ALineBeyondTheTextDoesNoHarm) {
  const SourceTexts text = {{kFile, "a\n"}};
  EXPECT_THAT(grown_lines(text, text, {}, {{{kFile, 99}, 5}}), SizeIs(1));
  EXPECT_THAT(grown_lines(text, text, {}, {{{kFile, 0}, 5}}), SizeIs(1));
}

}  // namespace
}  // namespace warpwright::testing
