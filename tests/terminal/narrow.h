// Checks that a text fits the terminals that people have: at every width, no row of a table is
// wider, and required text is present.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "terminal/screen.h"
#include "terminal/text_width.h"

namespace warpwright::testing {

inline constexpr std::array<std::size_t, 5> kScreenWidths = {40, 60, 79, 100, 132};

inline std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// A line of a table's rule, which is as wide as its columns.
inline bool is_rule(const std::string& line) {
  return line.find("─") != std::string::npos && line.find_first_not_of("─ ") == std::string::npos;
}

// Expects every table of the text to be at most `columns` wide, and every row no wider than its
// rule.
inline void expect_tables_fit(const std::string& text, std::size_t columns) {
  const std::vector<std::string> lines = lines_of(text);
  std::size_t tables = 0;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (!is_rule(lines[i])) continue;
    ++tables;
    const std::size_t rule = display_width(lines[i]);
    EXPECT_LE(rule, columns) << "at " << columns << ":\n" << text;
    EXPECT_LE(display_width(lines[i - 1]), rule) << lines[i - 1];
    const std::size_t indent = lines[i].find_first_not_of(' ');
    EXPECT_EQ(lines[i - 1].find_first_not_of(' ') >= indent, true) << lines[i - 1];
  }
  EXPECT_GT(tables, 0U) << text;
}

// Expects the printed text to fit, after folding prose that is wider than the terminal. A word or a
// command that is longer than a line stays whole.
inline void expect_lines_fit(const std::string& text, std::size_t columns) {
  for (const std::string& line : lines_of(fold_lines(text, columns))) {
    const std::size_t first = line.find_first_not_of(' ');
    const bool one_word = first == std::string::npos ||
                          line.find(' ', first) == std::string::npos || line[first] == '`';
    EXPECT_TRUE(one_word || display_width(line) <= columns) << "at " << columns << ": " << line;
  }
}

// Checks `text_at` with each width; `whole` are words that must appear at every width.
inline void expect_fits(const std::function<std::string(const Screen&)>& text_at,
                        const std::vector<std::string>& whole = {}) {
  for (const std::size_t columns : kScreenWidths) {
    for (const bool utf8 : {true, false}) {
      const Screen screen{columns, utf8};
      const std::string text = for_screen(text_at(screen), screen);
      if (utf8) expect_tables_fit(text, columns);
      expect_lines_fit(text, columns);
      for (const std::string& word : whole)
        EXPECT_NE(text.find(for_screen(word, screen)), std::string::npos)
            << "'" << word << "' is hidden at " << columns << ":\n"
            << text;
    }
  }
}

}  // namespace warpwright::testing
