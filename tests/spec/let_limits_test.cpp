// Tests lets that are large, deep or grow without end: each is rejected quickly with a clear
// message.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "spec/names.h"
#include "spec/spec_fixture.h"

namespace warpwright {
namespace {

std::string many(std::string_view text, std::size_t times) {
  std::string result;
  for (std::size_t i = 0; i < times; ++i) result += text;
  return result;
}

std::string message_with_lets(const std::string& lets, const std::string& constraints) {
  return kernel_message(edited_kernel("constraints:\n  - THREADS % 32 == 0\n",
                                      "let:\n" + lets + "constraints:\n" + constraints));
}

TEST(LetLimits, SixtyDoublingsAreRefused) {
  std::string lets = "  a0: THREADS\n";
  for (int i = 1; i <= 60; ++i) lets += fmt::format("  a{0}: a{1} + a{1}\n", i, i - 1);
  EXPECT_EQ(
      message_with_lets(lets, "  - a60 > 0\n"),
      "kernel.yaml:33:8: \"a9 + a9\" has 2047 operands and operators when its lets are written "
      "out, expected at most 2000; use fewer lets, or lets of fewer operands");
}

TEST(LetLimits, AThousandThatUseEachOtherAreRefusedByDepth) {
  std::string lets = "  a0: THREADS\n";
  for (int i = 1; i < 1000; ++i) lets += fmt::format("  a{}: -a{}\n", i, i - 1);
  EXPECT_EQ(
      message_with_lets(lets, "  - a999 > 0\n"),
      "kernel.yaml:223:9: \"-a199\" has 201 levels when its lets are written out, expected at "
      "most 200; use fewer lets, or lets of fewer operands");
}

TEST(LetLimits, AThousandOtherNamesOfOneAreRead) {
  std::string lets = "  a0: THREADS\n";
  for (int i = 1; i < 1000; ++i) lets += fmt::format("  a{}: a{}\n", i, i - 1);
  EXPECT_EQ(message_with_lets(lets, "  - a999 > 0\n"), "");
}

TEST(LetLimits, ACircleOfAThousandIsRefused) {
  std::string lets = "  a0: a999\n";
  for (int i = 1; i < 1000; ++i) lets += fmt::format("  a{}: a{}\n", i, i - 1);
  EXPECT_EQ(
      message_with_lets(lets, "  - a999 > 0\n"),
      "kernel.yaml:23:7: 'a999' is a let that needs 'a0' in turn (line 1022); write one of them "
      "without the other");
}

TEST(LetLimits, MoreThanAThousandAreRefused) {
  std::string lets;
  for (int i = 0; i <= 1000; ++i) lets += fmt::format("  a{}: 1\n", i);
  EXPECT_EQ(message_with_lets(lets, "  - a1 > 0\n"),
            "kernel.yaml:23:3: let: got 1001 keys, expected at most 1000");
}

TEST(LetLimits, DeepBracketsAreRefused) {
  EXPECT_EQ(
      message_with_lets("  a: \"" + many("(", 4000) + "1" + many(")", 4000) + "\"\n", "  - a > 0\n")
          .substr(0, 70),
      "kernel.yaml:23:107: expression nested more than 200 levels deep in \"((");
  EXPECT_EQ(message_with_lets("  a: " + many("[", 10000) + many("]", 10000) + "\n", "  - a > 0\n"),
            "kernel.yaml:23:68: lists and maps are nested more than 64 levels deep");
}

TEST(LetLimits, AMillionCharactersAreRefused) {
  EXPECT_EQ(
      message_with_lets("  a: \"" + many("1+", 500000) + "1\"\n", "  - a > 0\n").substr(0, 71),
      "kernel.yaml:23:7: expression of 1000001 characters is longer than 10000");
}

// Each expression is small enough; thousands of them would still fill the memory.
TEST(LetLimits, TheSumOverAContractIsLimited) {
  const std::string lets =
      "  a: " + many("THREADS + ", 99) + "THREADS\n  b: " + many("a + ", 7) + "a\n";
  EXPECT_EQ(
      message_with_lets(lets, many("  - b > 0\n", 1000)),
      "kernel.yaml:149:5: the lets used up to here have more than 200000 operands and operators "
      "when they are written out; use fewer, or smaller ones");
}

TEST(LetLimits, AFillHasTheSameLimits) {
  std::string lets = "  a0: V\n";
  for (int i = 1; i <= 9; ++i) lets += fmt::format("  a{0}: a{1} + a{1}\n", i, i - 1);
  const std::string text = edited_kernel("constraints:\n", "let:\n" + lets + "constraints:\n");
  EXPECT_EQ(kernel_message(replaced(text, "fill: \"normal(0, 1)\"",
                                    "fill: \"choice(" + many("a9, ", 2000) + "a9)\"")),
            "kernel.yaml:11:55: the lets used up to here have more than 200000 operands and "
            "operators when they are "
            "written out; use fewer, or smaller ones");
}

}  // namespace
}  // namespace warpwright
