
#include "core/utf8.h"

#include <gtest/gtest.h>

#include <string>

namespace warpwright {
namespace {

void expect_character(std::string_view text, char32_t code, std::size_t bytes) {
  const std::optional<Utf8Character> got = front_character(text);
  ASSERT_TRUE(got) << text;
  EXPECT_EQ(got->code, code);
  EXPECT_EQ(got->bytes, bytes);
}

TEST(Utf8, TheFirstAndLastCharacterOfEachLengthAreRead) {
  expect_character(std::string_view("\0x", 2), 0, 1);
  expect_character("\x7f", 0x7f, 1);
  expect_character("\xc2\x80", 0x80, 2);
  expect_character("\xdf\xbf", 0x7ff, 2);
  expect_character("\xe0\xa0\x80", 0x800, 3);
  expect_character("\xef\xbf\xbf", 0xffff, 3);
  expect_character("\xf0\x90\x80\x80", 0x10000, 4);
  expect_character("\xf4\x8f\xbf\xbf rest", 0x10ffff, 4);
}

// The values just outside the ranges of the table in RFC 3629, section 4.
TEST(Utf8, WhatIsJustOutsideIsNone) {
  for (const char* text :
       {"\x80", "\xbf", "\xc0\x80", "\xc1\xbf", "\xe0\x9f\xbf", "\xed\xa0\x80", "\xed\xbf\xbf",
        "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff", "\xc3", "\xe2\x82",
        "\xf0\x9f\x98", "\xc3x", "\xe2\x82x"})
    EXPECT_FALSE(front_character(text)) << ::testing::PrintToString(text);
}

TEST(Utf8, ATextIsCutBetweenCharacters) {
  const std::string text =
      "a\xe2\x82\xac"
      "b";
  EXPECT_EQ(whole_characters(text, 0), "");
  EXPECT_EQ(whole_characters(text, 1), "a");
  EXPECT_EQ(whole_characters(text, 2), "a");
  EXPECT_EQ(whole_characters(text, 3), "a");
  EXPECT_EQ(whole_characters(text, 4), "a\xe2\x82\xac");
  EXPECT_EQ(whole_characters(text, 5), text);
  EXPECT_EQ(whole_characters(text, 99), text);
  EXPECT_EQ(whole_characters("\x80\x80\x80", 2), "") << "nothing but continuations";
}

TEST(Utf8, AQuotedTextIsOneLine) {
  EXPECT_EQ(shortened_line("a\nb", 3), "a b");
  EXPECT_EQ(shortened_line("a\nbc", 3), "a b...");
  EXPECT_EQ(shortened_line("ab\xe2\x82\xac", 4), "ab...");
}

}  // namespace
}  // namespace warpwright
