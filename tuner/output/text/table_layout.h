// Decides which columns of a table are shown, and how wide, if it must fit a screen. For table.cpp
// and split_table.cpp.
#pragma once

#include <vector>

#include "output/text/table.h"

namespace warpwright {

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

}  // namespace warpwright
