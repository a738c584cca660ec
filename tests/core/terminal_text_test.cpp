
#include "core/terminal_text.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace warpwright {
namespace {

TEST(TerminalText, OrdinaryTextStays) {
  const std::string text = "372.1 µs  │ 統計 😀 naïve\n\tTHREADS=512\n";
  EXPECT_EQ(terminal_text(text), text);
  EXPECT_EQ(terminal_json(text), text);
  EXPECT_EQ(terminal_line("372.1 µs 統計 😀"), "372.1 µs 統計 😀");
}

TEST(TerminalText, ControlsBecomeEscapes) {
  EXPECT_EQ(terminal_text("a\x1b[2Jb\x07\r\x7f"), "a\\x1b[2Jb\\x07\\x0d\\x7f");
  EXPECT_EQ(terminal_text(std::string("a\0b", 3)), "a\\x00b");
}

TEST(TerminalText, C1ControlsAndMarksThatReorderBecomeEscapes) {
  EXPECT_EQ(terminal_text("a\u009b2J"), "a\\u009b2J");
  EXPECT_EQ(terminal_text("a\u202eb\u2066c\u2028d"), "a\\u202eb\\u2066c\\u2028d");
}

TEST(TerminalText, BytesThatAreNoUtf8BecomeEscapes) {
  EXPECT_EQ(terminal_text("a\xff\xc3"), "a\\xff\\xc3");
  EXPECT_EQ(terminal_text("\x9b"
                          "2J"),
            "\\x9b2J");
  EXPECT_EQ(terminal_text("\xc0\x9b"), "\\xc0\\x9b");                    // overlong
  EXPECT_EQ(terminal_text("\xed\xa0\x80"), "\\xed\\xa0\\x80");           // half of a pair
  EXPECT_EQ(terminal_text("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");  // above U+10FFFF
}

TEST(TerminalText, ALineHasNoEndsOfItsOwn) {
  EXPECT_EQ(terminal_line("naive\nbest: evil\t\r"), "naive\\nbest: evil\\t\\r");
}

TEST(TerminalText, OnlyPlainStylesAreKeptAndOnlyWhenAsked) {
  EXPECT_EQ(terminal_text("\x1b[32mok\x1b[0m", TerminalColours::kKept), "\x1b[32mok\x1b[0m");
  EXPECT_EQ(terminal_text("\x1b[32mok\x1b[0m"), "\\x1b[32mok\\x1b[0m");
  EXPECT_EQ(terminal_text("\x1b[2J\x1b]0;x\x07\x1b[38;5;1m\x1b[m", TerminalColours::kKept),
            "\\x1b[2J\\x1b]0;x\\x07\\x1b[38;5;1m\\x1b[m");
}

TEST(TerminalText, JsonMeansTheSame) {
  const nlohmann::json json = {{"name", "a\x1b\x7f\u009b\u202e µ"}};
  const std::string safe = terminal_json(json.dump(2));
  EXPECT_EQ(safe, "{\n  \"name\": \"a\\u001b\\u007f\\u009b\\u202e µ\"\n}");
  EXPECT_EQ(nlohmann::json::parse(safe), json);
}

TEST(ShownName, IsEscapedAndShort) {
  EXPECT_EQ(shown_name("a\n\x1b[2J\t\xff"), "a\\n\\x1b[2J\\t\\xff");
  EXPECT_EQ(shown_name(std::string("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(shown_name(std::string(300, 'x')), std::string(200, 'x') + "...");
}

}  // namespace
}  // namespace warpwright
