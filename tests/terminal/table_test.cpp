#include "terminal/table.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/error.h"

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

}  // namespace
}  // namespace warpwright
