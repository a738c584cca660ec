#include <gtest/gtest.h>

#include "terminal/narrow.h"
#include "terminal/table.h"

namespace warpwright {
namespace {

Table sample() {
  Table table({number_column("rank"), number_column("µs"), middle_column("configuration", 10),
               number_column("regs", 1), number_column("spill", 2)});
  table.add_row({"1", "5.01", "A=1 BB=22 CCC=333 DDDD=4444", "40", "0"});
  return table;
}

TEST(TableLayout, WithoutALimitEverythingIsShown) {
  EXPECT_EQ(sample().render(),
            "rank    µs  configuration                regs  spill\n"
            "────  ────  ───────────────────────────  ────  ─────\n"
            "   1  5.01  A=1 BB=22 CCC=333 DDDD=4444    40      0\n");
  EXPECT_EQ(sample().render(0, {52, true}), sample().render());
}

TEST(TableLayout, TextsGiveUpTheirMiddleFirst) {
  EXPECT_EQ(sample().render(0, {40, true}),
            "rank    µs  configuration    regs  spill\n"
            "────  ────  ───────────────  ────  ─────\n"
            "   1  5.01  A=1 BB=…DD=4444    40      0\n");
}

TEST(TableLayout, ThenColumnsGoTheLeastImportantFirst) {
  EXPECT_EQ(sample().render(0, {34, true}),
            "rank    µs  configuration     regs\n"
            "────  ────  ────────────────  ────\n"
            "   1  5.01  A=1 BB=2…DD=4444    40\n"
            "no room for spill\n");
  EXPECT_EQ(sample().render(0, {24, true}),
            "rank    µs  configurati…\n"
            "────  ────  ────────────\n"
            "   1  5.01  A=1 BB…=4444\n"
            "no room for regs, spill\n");
}

TEST(TableLayout, AsciiHasItsOwnRuleAndGap) {
  EXPECT_EQ(sample().render(0, {24, false}),
            "rank    us  configura...\n"
            "----  ----  ------------\n"
            "   1  5.01  A=1 B...4444\n"
            "no room for regs, spill\n");
}

TEST(TableLayout, SentencesGoOnBelow) {
  Table table({{"name"}, prose_column("meaning", 8)});
  table.add_row({"a", "one two three"});
  EXPECT_EQ(table.render(0, {15, true}),
            "name  meaning\n"
            "────  ─────────\n"
            "a     one two\n"
            "      three\n");
}

}  // namespace
}  // namespace warpwright
