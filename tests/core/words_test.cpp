#include "core/words.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace warpwright {
namespace {

using Texts = std::vector<std::string>;
using Views = std::vector<std::string_view>;

TEST(Words, OnlyAsciiCharactersAreLetters) {
  EXPECT_TRUE(is_letter('a') && is_letter('Z'));
  EXPECT_FALSE(is_letter('_') || is_letter('0') || is_letter('\xc3'));
  EXPECT_TRUE(is_word('_') && is_word('9') && is_word('q'));
  EXPECT_FALSE(is_word('.') || is_word('\xb5'));
}

TEST(Words, DigitsAreOneOrMore) {
  EXPECT_TRUE(all_digits("0123456789"));
  EXPECT_FALSE(all_digits("") || all_digits("-1") || all_digits("1a"));
  EXPECT_TRUE(all_hex_digits("00ff"));
  EXPECT_FALSE(all_hex_digits("") || all_hex_digits("FF") || all_hex_digits("fg"));
}

TEST(Words, OnlyAsciiLettersChangeTheirCase) {
  EXPECT_EQ(lower("AbZ_9 \xc3\x84"), "abz_9 \xc3\x84");
  EXPECT_EQ(upper("aBz_9 \xc3\xa4"), "ABZ_9 \xc3\xa4");
}

TEST(Words, BlanksAreTrimmedAtBothEnds) {
  EXPECT_EQ(trim(" \t a b\r\n"), "a b");
  EXPECT_EQ(trim("\n \n"), "");
  EXPECT_EQ(trim(""), "");
}

TEST(Words, EverySeparatorSplits) {
  EXPECT_EQ(split("a,,b,", ','), (Views{"a", "", "b", ""}));
  EXPECT_EQ(split("", ','), Views{""});
}

TEST(Words, ALineEndAtTheEndBeginsNoLine) {
  EXPECT_EQ(split_lines("a\n\nb\n"), (Views{"a", "", "b"}));
  EXPECT_EQ(split_lines("a\nb"), (Views{"a", "b"}));
  EXPECT_EQ(split_lines("\n"), Views{""});
  EXPECT_EQ(split_lines(""), Views{});
  EXPECT_EQ(first_line("a\nb"), "a");
  EXPECT_EQ(first_line("a"), "a");
}

TEST(Words, OnlyOneIsSingular) {
  EXPECT_EQ(plural(0, "trial"), "0 trials");
  EXPECT_EQ(plural(1, "trial"), "1 trial");
  EXPECT_EQ(plural(2, "entry", "entries"), "2 entries");
}

TEST(Words, ListsEndInAnd) {
  EXPECT_EQ(join_with_and(Texts{}), "");
  EXPECT_EQ(join_with_and(Texts{"a"}), "a");
  EXPECT_EQ(join_with_and(Texts{"a", "b"}), "a and b");
  EXPECT_EQ(join_with_and(Texts{"a", "b", "c"}), "a, b and c");
  EXPECT_EQ(join(std::vector<int>{1, 2}), "1, 2");
  EXPECT_EQ(join(Texts{"a", "b"}, "; "), "a; b");
}

TEST(AssignmentWords, BlanksAndCommasPartThem) {
  using Words = std::vector<std::string>;
  const Words both = {"rows=8", "d=512"};
  EXPECT_EQ(assignment_words("rows=8 d=512"), both);
  EXPECT_EQ(assignment_words("rows=8,d=512"), both);
  EXPECT_EQ(assignment_words(" rows=8, d=512,\n"), both);
  EXPECT_EQ(assignment_words("rows=8,,d=512"), both);
  EXPECT_EQ(assignment_words("tile=8,16 d=5"), (Words{"tile=8,16", "d=5"})) << "of a value";
  EXPECT_EQ(assignment_words("rows"), Words{"rows"});
  EXPECT_EQ(assignment_words(""), Words{});
  EXPECT_EQ(assignment_words(Words{"rows=8,d=512", "", "K=1"}),
            (Words{"rows=8", "d=512", "", "K=1"}));
}

}  // namespace
}  // namespace warpwright
