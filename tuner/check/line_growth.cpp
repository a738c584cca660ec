#include "check/line_growth.h"

#include <algorithm>

#include "core/words.h"

namespace warpwright {
namespace {

// Limit on the cells of the table. Above it, everything between the equal ends counts as replaced.
constexpr std::size_t kLargestTable = std::size_t{16} << 20;

bool equal(std::string_view a, std::string_view b) { return trim(a) == trim(b); }

using Lines = std::vector<std::string_view>;

// Pairs lines within [first, end) of both sides by a table of longest common subsequences.
void pair_by_table(const Lines& before, std::size_t before_first, std::size_t before_end,
                   const Lines& after, std::size_t after_first, std::size_t after_end,
                   std::vector<std::ptrdiff_t>& pairs) {
  const std::size_t rows = before_end - before_first;
  const std::size_t columns = after_end - after_first;
  if (rows == 0 || columns == 0 || rows * columns > kLargestTable) return;
  std::vector<std::uint32_t> length((rows + 1) * (columns + 1), 0);
  const auto at = [&](std::size_t row, std::size_t column) -> std::uint32_t& {
    return length[row * (columns + 1) + column];
  };
  for (std::size_t row = rows; row-- > 0;) {
    for (std::size_t column = columns; column-- > 0;) {
      at(row, column) = equal(before[before_first + row], after[after_first + column])
                            ? at(row + 1, column + 1) + 1
                            : std::max(at(row + 1, column), at(row, column + 1));
    }
  }
  for (std::size_t row = 0, column = 0; row < rows && column < columns;) {
    if (equal(before[before_first + row], after[after_first + column])) {
      pairs[after_first + column++] = static_cast<std::ptrdiff_t>(before_first + row++);
    } else if (at(row + 1, column) >= at(row, column + 1)) {
      ++row;
    } else {
      ++column;
    }
  }
}

// The share of the longer line that is a common prefix or suffix: 0 to 1.
double likeness(std::string_view a, std::string_view b) {
  a = trim(a);
  b = trim(b);
  const std::size_t shorter = std::min(a.size(), b.size());
  if (shorter == 0) return 0;
  std::size_t lead = 0;
  while (lead < shorter && a[lead] == b[lead]) ++lead;
  std::size_t tail = 0;
  while (tail < shorter - lead && a[a.size() - 1 - tail] == b[b.size() - 1 - tail]) ++tail;
  return static_cast<double>(lead + tail) / static_cast<double>(std::max(a.size(), b.size()));
}

// Pairs edited lines in order, so that they are as similar as possible in total; lines with hardly
// any similarity count as new.
void pair_alike(const Lines& before, std::size_t before_first, std::size_t rows, const Lines& after,
                std::size_t after_first, std::size_t columns, std::vector<std::ptrdiff_t>& pairs) {
  constexpr std::size_t kLargest = 1 << 16;
  constexpr double kAlike = 0.3;
  if (rows == 0 || columns == 0 || rows * columns > kLargest) return;
  std::vector<double> alike(rows * columns);
  std::vector<double> best((rows + 1) * (columns + 1), 0);
  const auto at = [&](std::size_t row, std::size_t column) -> double& {
    return best[row * (columns + 1) + column];
  };
  for (std::size_t row = rows; row-- > 0;) {
    for (std::size_t column = columns; column-- > 0;) {
      double& own = alike[row * columns + column];
      own = likeness(before[before_first + row], after[after_first + column]);
      if (own < kAlike) own = 0;
      at(row, column) =
          std::max({at(row + 1, column), at(row, column + 1), own + at(row + 1, column + 1)});
    }
  }
  for (std::size_t row = 0, column = 0; row < rows && column < columns;) {
    if (at(row, column) == at(row + 1, column)) {
      ++row;
    } else if (at(row, column) == at(row, column + 1)) {
      ++column;
    } else {
      pairs[after_first + column++] = static_cast<std::ptrdiff_t>(before_first + row++);
    }
  }
}

// Lines between two pairs were replaced.
void pair_replaced(const Lines& before, const Lines& after, std::vector<std::ptrdiff_t>& pairs) {
  std::ptrdiff_t next_before = 0;
  for (std::size_t first = 0; first < pairs.size();) {
    if (pairs[first] >= 0) {
      next_before = pairs[first++] + 1;
      continue;
    }
    std::size_t end = first;
    while (end < pairs.size() && pairs[end] < 0) ++end;
    const std::ptrdiff_t limit =
        end < pairs.size() ? pairs[end] : static_cast<std::ptrdiff_t>(before.size());
    pair_alike(before, static_cast<std::size_t>(next_before),
               static_cast<std::size_t>(limit - next_before), after, first, end - first, pairs);
    first = end;
  }
}

}  // namespace

std::vector<std::ptrdiff_t> pair_lines(const Lines& before, const Lines& after) {
  std::vector<std::ptrdiff_t> pairs(after.size(), -1);
  std::size_t first = 0;
  while (first < before.size() && first < after.size() && equal(before[first], after[first])) {
    pairs[first] = static_cast<std::ptrdiff_t>(first);
    ++first;
  }
  std::size_t before_end = before.size();
  std::size_t after_end = after.size();
  while (before_end > first && after_end > first &&
         equal(before[before_end - 1], after[after_end - 1])) {
    pairs[--after_end] = static_cast<std::ptrdiff_t>(--before_end);
  }
  pair_by_table(before, first, before_end, after, first, after_end, pairs);
  pair_replaced(before, after, pairs);
  return pairs;
}

std::vector<LineGrowth> grown_lines(const SourceTexts& old_texts, const SourceTexts& new_texts,
                                    const LineValues& before, const LineValues& after,
                                    std::size_t most) {
  std::vector<LineGrowth> grown;
  std::map<std::string, std::vector<std::ptrdiff_t>> pairs;
  for (const auto& [place, value] : after) {
    const auto& [file, line] = place;
    const auto old_text = old_texts.find(file);
    const auto new_text = new_texts.find(file);
    std::string_view text;
    std::ptrdiff_t origin = line - 1;
    if (new_text != new_texts.end() && line > 0) {
      const Lines lines = split_lines(new_text->second);
      const auto index = static_cast<std::size_t>(line - 1);
      if (index < lines.size()) text = trim(lines[index]);
      auto known = pairs.find(file);
      if (known == pairs.end()) {
        const Lines old_lines =
            split_lines(old_text == old_texts.end() ? std::string_view() : old_text->second);
        known = pairs.emplace(file, pair_lines(old_lines, lines)).first;
      }
      origin = index < known->second.size() ? known->second[index] : -1;
    }
    const auto was = before.find({file, static_cast<int>(origin) + 1});
    const std::int64_t old_value = origin < 0 || was == before.end() ? 0 : was->second;
    if (value > old_value) grown.push_back({file, line, std::string(text), old_value, value});
  }
  const auto growth = [](const LineGrowth& one) { return one.after - one.before; };
  std::stable_sort(grown.begin(), grown.end(),
                   [&](const LineGrowth& a, const LineGrowth& b) { return growth(a) > growth(b); });
  if (grown.size() > most) grown.resize(most);
  std::erase_if(grown, [&](const LineGrowth& one) {
    return static_cast<double>(growth(one)) < 0.1 * static_cast<double>(growth(grown.front()));
  });
  return grown;
}

}  // namespace warpwright
