#include <gtest/gtest.h>

#include <sstream>

#include "terminal/table.h"
#include "terminal/text_width.h"

namespace warpwright {
namespace {

using Align = Table::Align;

ColumnBlock labels() { return {{{"problem"}}, {{"n=1"}, {"n=22"}}}; }
ColumnBlock block(const std::string& title) {
  return {{{title, Align::kRight}}, {{"1.00"}, {"22.00"}}};
}

TEST(SplitTable, WhatFitsIsOneTable) {
  EXPECT_EQ(render_split(labels(), {block("A"), block("B")}, 2),
            "  problem      A      B\n"
            "  ───────  ─────  ─────\n"
            "  n=1       1.00   1.00\n"
            "  n=22     22.00  22.00\n");
}

TEST(SplitTable, WhatDoesNotFitRepeatsTheLabels) {
  EXPECT_EQ(render_split(labels(), {block("A"), block("B"), block("C")}, 2, Screen{23}),
            "  problem      A      B\n"
            "  ───────  ─────  ─────\n"
            "  n=1       1.00   1.00\n"
            "  n=22     22.00  22.00\n"
            "\n"
            "  problem      C\n"
            "  ───────  ─────\n"
            "  n=1       1.00\n"
            "  n=22     22.00\n");
}

TEST(SplitTable, ATableTakesAtLeastOneBlock) {
  const std::string text = render_split(labels(), {block("A"), block("B")}, 0, Screen{1});
  // On a screen of one column, titles are cut but rows are not.
  EXPECT_EQ(text,
            "pro…      A\n────  ─────\nn=1    1.00\nn=22  22.00\n"
            "\n"
            "pro…      B\n────  ─────\nn=1    1.00\nn=22  22.00\n");
}

TEST(SplitTable, WithoutBlocksTheLabelsRemain) {
  EXPECT_EQ(render_split(labels(), {}, 0), "problem\n───────\nn=1\nn=22\n");
}

TEST(SplitTable, NoLineIsWiderThanAskedFor) {
  std::vector<ColumnBlock> blocks;
  for (int i = 0; i < 40; ++i) blocks.push_back(block("contender " + std::to_string(i)));
  std::istringstream lines(render_split(labels(), blocks, 2));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(display_width(line), 100u) << line;
}

TEST(SplitTable, TextsStandBehindTheirRowsWhereTheyFit) {
  EXPECT_EQ(render_with_texts(block("A"), "configuration", {"X=1", "X=2"}, 2),
            "      A  configuration\n"
            "  ─────  ─────────────\n"
            "   1.00  X=1\n"
            "  22.00  X=2\n");
}

TEST(SplitTable, TextsGoBelowTheirRowsWhereTheyDoNotFit) {
  EXPECT_EQ(render_with_texts(block("A"), "configuration", {"X=1", "X=2"}, 2, Screen{15}),
            "      A\n"
            "  ─────\n"
            "   1.00\n"
            "      X=1\n"
            "  22.00\n"
            "      X=2\n");
}

}  // namespace
}  // namespace warpwright
