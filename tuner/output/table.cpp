#include "output/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.h"
#include "output/text_width.h"

namespace warpwright {
namespace {

constexpr const char* kGap = "  ";
constexpr const char* kRule = "─";

void append_padded(std::string& line, const std::string& text, std::size_t width,
                   Table::Align align) {
  const std::size_t have = display_width(text);
  const std::string blanks(width > have ? width - have : 0, ' ');
  line += align == Table::Align::kRight ? blanks + text : text + blanks;
}

void finish_line(std::string& out, std::string& line) {
  line.erase(line.find_last_not_of(' ') + 1);
  out += line + "\n";
  line.clear();
}

}  // namespace

Table::Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

void Table::add_row(std::vector<std::string> cells) {
  WARPWRIGHT_CHECK(cells.size() <= columns_.size(),
                   "a row has no more cells than there are columns");
  cells.resize(columns_.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (columns_[i].max_width > 0) cells[i] = shorten_to_width(cells[i], columns_[i].max_width);
  }
  rows_.push_back(std::move(cells));
}

std::string Table::render(int indent) const {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    std::size_t width = display_width(columns_[i].title);
    for (const auto& row : rows_) width = std::max(width, display_width(row[i]));
    widths.push_back(width);
  }
  const std::string margin(static_cast<std::size_t>(indent), ' ');
  std::string out;
  std::string line = margin;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (i > 0) line += kGap;
    append_padded(line, columns_[i].title, widths[i], columns_[i].align);
  }
  finish_line(out, line);
  line = margin;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (i > 0) line += kGap;
    for (std::size_t column = 0; column < widths[i]; ++column) line += kRule;
  }
  finish_line(out, line);
  for (const auto& row : rows_) {
    line = margin;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (i > 0) line += kGap;
      append_padded(line, row[i], widths[i], columns_[i].align);
    }
    finish_line(out, line);
  }
  return out;
}

std::string format_us(double microseconds) {
  if (!std::isfinite(microseconds)) return "n/a";
  // Each limit is where rounding would carry into the next magnitude: 999.96 is "1,000", not
  // "1000.0".
  const double magnitude = std::abs(microseconds);
  if (magnitude < 0.9995) return fmt::format("{:.3f}", microseconds);
  if (magnitude < 99.995) return fmt::format("{:.2f}", microseconds);
  if (magnitude < 999.95) return fmt::format("{:.1f}", microseconds);
  return format_thousands(microseconds);
}

std::string format_thousands(double value) {
  std::string digits = fmt::format("{:.0f}", std::abs(value));
  for (std::size_t at = digits.size(); at > 3;) {
    at -= 3;
    digits.insert(at, ",");
  }
  return value < 0 ? "-" + digits : digits;
}

}  // namespace warpwright
