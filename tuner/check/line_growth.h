// Which source lines a count grew in, when both the counts and the sources have changed: lines of
// the old and the new text are paired as a comparison of texts pairs them, and where lines were
// replaced by others, by how alike they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpwright {

// For every line of `after` (0-based) the line of `before` it comes from, or -1. Equal lines are
// paired by a longest common subsequence, blanks at their ends aside.
[[nodiscard]] std::vector<std::ptrdiff_t> pair_lines(const std::vector<std::string_view>& before,
                                                     const std::vector<std::string_view>& after);

// Lines without their ends.
[[nodiscard]] std::vector<std::string_view> split_lines(std::string_view text);

// Texts by file, and a count by (file, line), lines from 1.
using SourceTexts = std::map<std::string, std::string>;
using LineValues = std::map<std::pair<std::string, int>, std::int64_t>;

struct LineGrowth {
  std::string file;
  int line = 0;  // of the new text
  std::string text;
  std::int64_t before = 0;
  std::int64_t after = 0;
};

// The lines whose count grew, by most growth first, at most `most`, and none that adds less than a
// tenth of the largest. Lines of files that neither side has a text of are paired by number.
[[nodiscard]] std::vector<LineGrowth> grown_lines(const SourceTexts& old_texts,
                                                  const SourceTexts& new_texts,
                                                  const LineValues& before, const LineValues& after,
                                                  std::size_t most = 3);

}  // namespace warpwright
