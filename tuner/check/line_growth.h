// Finds the source lines in which a count grew when both counts and sources have changed. Lines of
// the old and the new text are paired as in a textual diff, and replaced lines by their similarity.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpwright {

// For every line of `after` (0-based), the line of `before` that it comes from, or -1. Equal lines
// are paired by a longest common subsequence; leading and trailing blanks are ignored.
[[nodiscard]] std::vector<std::ptrdiff_t> pair_lines(const std::vector<std::string_view>& before,
                                                     const std::vector<std::string_view>& after);

// Texts are keyed by file, counts by (file, line), with lines from 1.
using SourceTexts = std::map<std::string, std::string>;
using LineValues = std::map<std::pair<std::string, int>, std::int64_t>;

struct LineGrowth {
  std::string file;
  int line = 0;  // line of the new text
  std::string text;
  std::int64_t before = 0;
  std::int64_t after = 0;
};

// Returns at most `most` lines whose count grew, largest growth first, and none that adds less than
// a tenth of the largest. Lines of files without a text on either side are paired by number.
[[nodiscard]] std::vector<LineGrowth> grown_lines(const SourceTexts& old_texts,
                                                  const SourceTexts& new_texts,
                                                  const LineValues& before, const LineValues& after,
                                                  std::size_t most = 3);

}  // namespace warpwright
