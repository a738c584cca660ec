// A text table that aligns on a terminal: UTF-8 aware widths, right-aligned numbers, no trailing
// blanks.
#pragma once

#include <string>
#include <vector>

namespace warpwright {

class Table {
 public:
  enum class Align { kLeft, kRight };
  struct Column {
    std::string title;
    Align align = Align::kLeft;
    std::size_t max_width = 0;  // 0 is none; longer cells end in "…"
  };
  explicit Table(std::vector<Column> columns);
  void add_row(std::vector<std::string> cells);
  // Title row, rule, rows; each line ends in a newline. `indent` blanks go before each line.
  [[nodiscard]] std::string render(int indent = 0) const;
  [[nodiscard]] bool empty() const { return rows_.empty(); }

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

// "0.250", "4.49", "49.41", "372.1", "12,345": decimals by magnitude, so that three or more digits
// are significant. "n/a" for what is not finite.
[[nodiscard]] std::string format_us(double microseconds);

// "1,234,567": rounded to a whole number.
[[nodiscard]] std::string format_thousands(double value);

}  // namespace warpwright
