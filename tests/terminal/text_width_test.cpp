#include "terminal/text_width.h"

#include <gtest/gtest.h>

namespace warpwright {
namespace {

TEST(TextWidth, CountsColumnsNotBytes) {
  EXPECT_EQ(display_width("µs"), 2U);
  EXPECT_EQ(display_width("…"), 1U);
  EXPECT_EQ(display_width("e\u0301"), 1U);    // a combining accent
  EXPECT_EQ(display_width("日本"), 4U);       // wide characters
  EXPECT_EQ(display_width("a\xff\xc3"), 3U);  // not UTF-8
}

TEST(TextWidth, ShortensBetweenCharacters) {
  EXPECT_EQ(shorten_to_width("µµµµ", 4), "µµµµ");
  EXPECT_EQ(shorten_to_width("µµµµ", 3), "µµ…");
  EXPECT_EQ(shorten_to_width("日本", 3), "日…");
  EXPECT_EQ(shorten_to_width("ab", 1), "…");
  EXPECT_EQ(shorten_to_width("ab", 0), "");
}

TEST(ShortenMiddle, KeepsBothEndsAndCountsColumns) {
  EXPECT_EQ(shorten_middle("abcdefgh", 8), "abcdefgh");
  EXPECT_EQ(shorten_middle("abcdefgh", 5), "ab…gh");
  EXPECT_EQ(shorten_middle("abcdefgh", 5, "..."), "a...h");
  EXPECT_EQ(shorten_middle("日本語日本語", 5), "日…語");
  EXPECT_EQ(shorten_middle("abcdefgh", 2, "..."), "ah");
  EXPECT_EQ(shorten_middle("abcdefgh", 0), "");
}

TEST(FoldLines, BreaksAtBlanksAndKeepsCommandsWhole) {
  EXPECT_EQ(fold_lines("  one two three\nfour\n", 9), "  one two\n    three\nfour\n");
  EXPECT_EQ(fold_lines("one two three", 0), "one two three");
  EXPECT_EQ(fold_lines("see `warpwright show x` now", 12), "see\n  `warpwright show x`\n  now");
  EXPECT_EQ(fold_lines("a ` b c d e", 6), "a ` b\n  c d\n  e");
  EXPECT_EQ(fold_lines("\x1b[1mone two\x1b[0m x", 9), "\x1b[1mone two\x1b[0m x");
}

TEST(WrapText, BreaksAtBlanksAndContinuesFurtherIn) {
  EXPECT_EQ(wrap_text("one two three four", 1, 10), " one two\n   three\n   four\n");
  EXPECT_EQ(wrap_text("a b\n\nc\n"), "a b\n\nc\n");
  EXPECT_EQ(wrap_text("incomprehensible x", 0, 5), "incomprehensible\n  x\n");
  EXPECT_EQ(wrap_text(""), "");
}

}  // namespace
}  // namespace warpwright
