// Splits tables that would be wider than a terminal: columns go to further tables, which repeat the
// row labels, and a long text at the end of a row goes below it.
#pragma once

#include <string>
#include <vector>

#include "output/text/table.h"

namespace warpwright {

inline constexpr std::size_t kTextWidth = 100;  // without a screen
[[nodiscard]] inline std::size_t text_width(const Screen& screen) {
  return screen.columns == 0 ? kTextWidth : screen.columns;
}

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

// Wraps the text at spaces and keeps its line breaks. Each line begins with `indent` spaces,
// continuation lines with two more. Words longer than a line stay whole.
[[nodiscard]] std::string wrap_text(const std::string& text, int indent = 0,
                                    std::size_t width = kTextWidth);

}  // namespace warpwright
