// A text table that aligns on a terminal: UTF-8 aware widths, right-aligned numbers, no trailing
// spaces. On a screen that is too narrow, columns narrow or disappear in their declared order.
#pragma once

#include <string>
#include <vector>

#include "terminal/screen.h"

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

// Decides which columns of a table are shown, and how wide, if it must fit a screen. For table.cpp.

inline constexpr std::size_t kColumnGap = 2;  // blanks between columns

struct ColumnNeed {
  std::size_t title = 0, cells = 0;  // widest of each
};

struct TableLayout {
  std::vector<std::size_t> shown;   // indices of columns, in order
  std::vector<std::size_t> widths;  // of every column
};

// Makes the table at most `room` wide (0: no limit) if possible. In this order, and only as far as
// necessary: columns that may narrow do so down to their `least`; columns that may be left out are
// dropped; columns narrow further; titles, which name units, are cut to the width of the cells
// below them.
[[nodiscard]] TableLayout lay_out(const std::vector<Table::Column>& columns,
                                  const std::vector<ColumnNeed>& needs, std::size_t room);

// Splits tables that would be wider than a terminal: columns go to further tables, which repeat the
// row labels, and a long text at the end of a row goes below it.

// Columns that stay together; every row has a cell for each.
struct ColumnBlock {
  std::vector<Table::Column> columns;
  std::vector<std::vector<std::string>> rows;
};

void append_columns(ColumnBlock& to, const ColumnBlock& from);

// `labels` are repeated in front of the blocks of every table; a table takes at least one block.
// All blocks have the same number of rows; a table that is still too wide narrows as Table does.
// Tables are separated by an empty line.
[[nodiscard]] std::string render_split(const ColumnBlock& labels,
                                       const std::vector<ColumnBlock>& blocks, int indent,
                                       const Screen& screen = {});

// The block with one text per row after it, under `title`, or below the row if a line would become
// too long.
[[nodiscard]] std::string render_with_texts(const ColumnBlock& block, const std::string& title,
                                            const std::vector<std::string>& texts, int indent,
                                            const Screen& screen = {});

}  // namespace warpwright
