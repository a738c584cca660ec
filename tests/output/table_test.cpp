#include "output/text/table.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/error.h"
#include "core/utf8.h"

namespace warpwright {
namespace {

TEST(Table, AlignsColumnsAndLeavesNoTrailingBlanks) {
  Table table({{"variant"}, {"µs", Table::Align::kRight}, {"note"}});
  table.add_row({"threshold", "372.1", ""});
  table.add_row({"naive", "6,258", "slow"});
  EXPECT_EQ(table.render(),
            "variant       µs  note\n"
            "─────────  ─────  ────\n"
            "threshold  372.1\n"
            "naive      6,258  slow\n");
}

TEST(Table, IndentsEveryLine) {
  Table table({{"a"}});
  table.add_row({"1"});
  EXPECT_EQ(table.render(2), "  a\n  ─\n  1\n");
}

TEST(Table, ShortRowsAreFilledUp) {
  Table table({{"a"}, {"b"}});
  table.add_row({"1"});
  EXPECT_EQ(table.render(), "a  b\n─  ─\n1\n");
  EXPECT_THROW(table.add_row({"1", "2", "3"}), Error);
}

TEST(Table, LongCellsEndInAnEllipsis) {
  Table table({{"p", Table::Align::kLeft, 6}});
  table.add_row({"THREADS=512"});
  table.add_row({"T=1024"});
  EXPECT_EQ(table.render(), "p\n──────\nTHREA…\nT=1024\n");
}

TEST(Table, KnowsWhetherItHasRows) {
  Table table({{"a"}});
  EXPECT_TRUE(table.empty());
  table.add_row({"1"});
  EXPECT_FALSE(table.empty());
}

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

TEST(FormatUs, DecimalsFollowTheMagnitude) {
  EXPECT_EQ(format_us(0), "0.000");
  EXPECT_EQ(format_us(0.25), "0.250");
  EXPECT_EQ(format_us(4.49), "4.49");
  EXPECT_EQ(format_us(49.41), "49.41");
  EXPECT_EQ(format_us(372.1), "372.1");
  EXPECT_EQ(format_us(6258.4), "6,258");
  EXPECT_EQ(format_us(12345), "12,345");
  EXPECT_EQ(format_us(1234567.8), "1,234,568");
}

TEST(FormatUs, RoundingNeverAddsADigit) {
  EXPECT_EQ(format_us(0.99949), "0.999");
  EXPECT_EQ(format_us(0.9996), "1.00");
  EXPECT_EQ(format_us(99.994), "99.99");
  EXPECT_EQ(format_us(99.996), "100.0");
  EXPECT_EQ(format_us(999.94), "999.9");
  EXPECT_EQ(format_us(999.96), "1,000");
}

TEST(FormatUs, WhatIsNoNumber) {
  EXPECT_EQ(format_us(std::nan("")), "n/a");
  EXPECT_EQ(format_us(HUGE_VAL), "n/a");
}

TEST(FormatThousands, GroupsByThree) {
  EXPECT_EQ(format_thousands(0), "0");
  EXPECT_EQ(format_thousands(999), "999");
  EXPECT_EQ(format_thousands(1000), "1,000");
  EXPECT_EQ(format_thousands(-1234567), "-1,234,567");
}

}  // namespace
}  // namespace warpwright
