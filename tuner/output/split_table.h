// Tables that would be wider than a terminal: columns go to further tables, which repeat the row
// labels, and a long text behind a row goes below it.
#pragma once

#include <string>
#include <vector>

#include "output/table.h"

namespace warpwright {

inline constexpr std::size_t kTextWidth = 100;

// Columns that stay together; every row has a cell for each.
struct ColumnBlock {
  std::vector<Table::Column> columns;
  std::vector<std::vector<std::string>> rows;
};

void append_columns(ColumnBlock& to, const ColumnBlock& from);

// `labels` are repeated in front of the blocks of every table; a table takes at least one block.
// All have the same number of rows. Tables are parted by an empty line.
[[nodiscard]] std::string render_split(const ColumnBlock& labels,
                                       const std::vector<ColumnBlock>& blocks, int indent,
                                       std::size_t width = kTextWidth);

// The block with one text per row behind it under `title`, or below it where a line would get too
// long.
[[nodiscard]] std::string render_with_texts(const ColumnBlock& block, const std::string& title,
                                            const std::vector<std::string>& texts, int indent,
                                            std::size_t width = kTextWidth);

// The text broken at blanks; its own line ends stay. Each line begins with `indent` blanks, those
// that continue one with two more. Words that are longer than a line stay whole.
[[nodiscard]] std::string wrap_text(const std::string& text, int indent = 0,
                                    std::size_t width = kTextWidth);

}  // namespace warpwright
