// A text table that aligns on a terminal: UTF-8 aware widths, right-aligned numbers, no trailing
// spaces. On a screen that is too narrow, columns narrow or disappear in their declared order.
#pragma once

#include <string>
#include <vector>

#include "core/screen.h"

namespace warpwright {

class Table {
 public:
  enum class Align { kLeft, kRight };
  // The behaviour of a column if the table is wider than its screen. Columns of times, ranks,
  // verdicts and units keep all their text.
  enum class Narrow {
    kKeep,
    kMiddle,  // drops the middle of its texts: configurations, sizes, names
    kWrap,    // wraps onto further lines: sentences
  };
  struct Column {
    std::string title;
    Align align = Align::kLeft;
    std::size_t max_width = 0;  // 0: unlimited; longer cells end in "…"
    Narrow narrow = Narrow::kKeep;
    std::size_t least = 16;  // kMiddle and kWrap narrow to this before any column is left out
    int drop = 0;            // left out if there is no room, the highest first; 0: never
  };
  explicit Table(std::vector<Column> columns);
  // A cell is one line: line breaks and characters that act on a terminal become readable escapes.
  void add_row(std::vector<std::string> cells);
  // Title row, rule, rows; each line ends in a newline. `indent` spaces precede each line. If
  // columns are left out, a last line names them.
  [[nodiscard]] std::string render(int indent = 0, const Screen& screen = {}) const;
  [[nodiscard]] bool empty() const { return rows_.empty(); }

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

// Columns of the usual kinds.
[[nodiscard]] Table::Column number_column(std::string title, int drop = 0);
[[nodiscard]] Table::Column word_column(std::string title, int drop = 0);
[[nodiscard]] Table::Column middle_column(std::string title, std::size_t least = 16, int drop = 0);
[[nodiscard]] Table::Column prose_column(std::string title, std::size_t least = 20, int drop = 0);

// "0.250", "4.49", "49.41", "372.1", "12,345": decimals by magnitude, so that three or more digits
// are significant. "n/a" if the value is not finite.
[[nodiscard]] std::string format_us(double microseconds);

// "1,234,567": rounded to a whole number.
[[nodiscard]] std::string format_thousands(double value);

}  // namespace warpwright
