#include "terminal/box.h"

#include <gmock/gmock.h>

#include "terminal/text_width.h"

namespace warpwright {
namespace {

TEST(Box, FramesSectionsWithTheirTitles) {
  EXPECT_EQ(render_box({{"start", {"reads"}}, {"barrier", {"a longer line", ""}}}, "end", 2),
            "  ┌─ start ───────┐\n"
            "  │ reads         │\n"
            "  ├─ barrier ─────┤\n"
            "  │ a longer line │\n"
            "  └─ end ─────────┘\n");
}

TEST(Box, WrapsLinesAtTheScreen) {
  EXPECT_EQ(render_box({{"", {"one two three four five six"}}}, "", 0, {24, true}),
            "┌────────────────────┐\n"
            "│ one two three four │\n"
            "│   five six         │\n"
            "└────────────────────┘\n");
}

TEST(Box, LongTitlesLoseTheirMiddle) {
  const std::string text =
      render_box({{std::string(60, 'a') + std::string(60, 'b'), {}}}, "", 0, {40, true});
  EXPECT_EQ(display_width(text.substr(0, text.find('\n'))), 40u);
}

TEST(Box, IsAsciiWhereTheLocaleIs) {
  EXPECT_EQ(for_screen(render_box({{"a", {"b"}}, {"c", {"d"}}}, "e", 0, {80, false}), {80, false}),
            "+- a -+\n"
            "| b   |\n"
            "+- c -+\n"
            "| d   |\n"
            "+- e -+\n");
}

TEST(Box, WithoutSectionsIsEmpty) { EXPECT_EQ(render_box({}, "end", 0), ""); }

}  // namespace
}  // namespace warpwright
