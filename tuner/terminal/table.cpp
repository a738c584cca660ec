#include "terminal/table.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include "core/error.h"
#include "core/terminal_text.h"
#include "terminal/text_width.h"

namespace warpwright {
namespace {

using Lines = std::vector<std::string>;  // of one cell

constexpr const char* kRule = "─";

// A cell as wide as its column.
Lines narrowed(const std::string& cell, const Table::Column& column, std::size_t width,
               const std::string& gap) {
  if (display_width(cell) <= width) return {cell};
  if (column.narrow != Table::Narrow::kWrap) return {shorten_middle(cell, width, gap)};
  Lines lines;
  std::string line;
  for (std::size_t at = 0; at < cell.size();) {
    const std::size_t end = std::min(cell.find(' ', at), cell.size());
    const std::string word = shorten_middle(cell.substr(at, end - at), width, gap);
    at = end + 1;
    if (!line.empty() && display_width(line) + 1 + display_width(word) > width) {
      lines.push_back(std::move(line));
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  lines.push_back(std::move(line));
  return lines;
}

// Rows of a table with a layout as text.
class Writer {
 public:
  Writer(const std::vector<Table::Column>& columns, TableLayout layout, int indent, std::string gap)
      : columns_(columns),
        layout_(std::move(layout)),
        margin_(static_cast<std::size_t>(indent), ' '),
        gap_(std::move(gap)) {}

  void row(const std::vector<std::string>& cells) {
    std::vector<Lines> texts;
    std::size_t most = 1;
    for (const std::size_t i : layout_.shown) {
      texts.push_back(narrowed(cells[i], columns_[i], layout_.widths[i], gap_));
      most = std::max(most, texts.back().size());
    }
    for (std::size_t line = 0; line < most; ++line) {
      std::vector<std::string> parts;
      for (const Lines& lines : texts) parts.push_back(line < lines.size() ? lines[line] : "");
      put(parts);
    }
  }
  void rule(const std::string& piece) {
    std::vector<std::string> parts;
    for (const std::size_t i : layout_.shown) {
      parts.emplace_back();
      for (std::size_t column = 0; column < layout_.widths[i]; ++column) parts.back() += piece;
    }
    put(parts);
  }
  // Titles are cut at their end, because their first word matters most.
  void titles(const std::vector<std::string>& titles) {
    std::vector<std::string> parts;
    for (const std::size_t i : layout_.shown)
      parts.push_back(shorten_to_width(titles[i], layout_.widths[i], gap_));
    put(parts);
  }
  [[nodiscard]] std::string take() { return std::move(out_); }

 private:
  void put(const std::vector<std::string>& parts) {
    std::string line = margin_;
    for (std::size_t at = 0; at < parts.size(); ++at) {
      const std::size_t i = layout_.shown[at], have = display_width(parts[at]);
      const std::string blanks(layout_.widths[i] - std::min(have, layout_.widths[i]), ' ');
      if (at > 0) line += std::string(kColumnGap, ' ');
      line += columns_[i].align == Table::Align::kRight ? blanks + parts[at] : parts[at] + blanks;
    }
    out_ += line.erase(line.find_last_not_of(' ') + 1) + "\n";
  }

  const std::vector<Table::Column>& columns_;
  TableLayout layout_;
  std::string margin_, gap_, out_;
};

std::string left_out(const std::vector<std::string>& titles, const TableLayout& layout, int indent,
                     std::size_t width) {
  std::string names;
  for (std::size_t i = 0; i < titles.size(); ++i) {
    if (std::find(layout.shown.begin(), layout.shown.end(), i) == layout.shown.end())
      names += (names.empty() ? "" : ", ") + titles[i];
  }
  return names.empty() ? "" : wrap_text("no room for " + names, indent, width);
}

}  // namespace

Table::Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

void Table::add_row(std::vector<std::string> cells) {
  WARPWRIGHT_CHECK(cells.size() <= columns_.size(),
                   "a row has no more cells than there are columns");
  cells.resize(columns_.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    cells[i] = terminal_line(cells[i]);
    if (columns_[i].max_width > 0) cells[i] = shorten_to_width(cells[i], columns_[i].max_width);
  }
  rows_.push_back(std::move(cells));
}

std::string Table::render(int indent, const Screen& screen) const {
  std::vector<std::string> titles;
  std::vector<ColumnNeed> needs;
  for (const Column& column : columns_) {
    titles.push_back(for_screen(column.title, screen));
    needs.push_back({display_width(titles.back()), 0});
  }
  std::vector<std::vector<std::string>> rows = rows_;
  for (auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      row[i] = for_screen(std::move(row[i]), screen);
      needs[i].cells = std::max(needs[i].cells, display_width(row[i]));
    }
  }
  const auto margin = static_cast<std::size_t>(indent);
  const TableLayout layout = lay_out(
      columns_, needs, screen.columns == 0 ? 0 : std::max(screen.columns, margin + 1) - margin);
  Writer writer(columns_, layout, indent, for_screen("…", screen));
  writer.titles(titles);
  writer.rule(for_screen(kRule, screen));
  for (const auto& row : rows) writer.row(row);
  return writer.take() + left_out(titles, layout, indent, text_width(screen));
}

Table::Column number_column(std::string title, int drop) {
  Table::Column column = word_column(std::move(title), drop);
  column.align = Table::Align::kRight;
  return column;
}

Table::Column word_column(std::string title, int drop) {
  Table::Column column;
  column.title = std::move(title);
  column.drop = drop;
  return column;
}

Table::Column middle_column(std::string title, std::size_t least, int drop) {
  Table::Column column = word_column(std::move(title), drop);
  column.narrow = Table::Narrow::kMiddle;
  column.least = least;
  return column;
}

Table::Column prose_column(std::string title, std::size_t least, int drop) {
  Table::Column column = middle_column(std::move(title), least, drop);
  column.narrow = Table::Narrow::kWrap;
  return column;
}

namespace {

using Narrow = Table::Narrow;

constexpr std::size_t kShortColumn = 8;
constexpr std::size_t kLeastColumn = 4;  // a letter or two, the gap, and another

class Fitting {
 public:
  Fitting(const std::vector<Table::Column>& columns, const std::vector<ColumnNeed>& needs,
          std::size_t room)
      : columns_(columns), room_(room) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      layout_.shown.push_back(i);
      wanted_.push_back(std::max(needs[i].title, needs[i].cells));
      layout_.widths.push_back(may_narrow(i) ? std::min(wanted_[i], columns[i].least) : wanted_[i]);
    }
    while (total() > room_ && leave_one_out()) {
    }
    while (total() > room_ && narrow_widest(kShortColumn)) {
    }
    for (const std::size_t i : layout_.shown) {
      if (total() <= room_) break;
      if (!may_narrow(i)) wanted_[i] = layout_.widths[i] = needs[i].cells;
    }
    while (total() > room_ && narrow_widest(kLeastColumn)) {
    }
    while (total() < room_ && widen_narrowest()) {
    }
  }
  [[nodiscard]] TableLayout take() { return std::move(layout_); }

 private:
  [[nodiscard]] bool may_narrow(std::size_t i) const { return columns_[i].narrow != Narrow::kKeep; }
  [[nodiscard]] std::size_t total() const {
    std::size_t total = layout_.shown.empty() ? 0 : kColumnGap * (layout_.shown.size() - 1);
    for (const std::size_t i : layout_.shown) total += layout_.widths[i];
    return total;
  }
  // Leaves out the last of the columns with the highest `drop`.
  bool leave_one_out() {
    auto least = layout_.shown.end();
    for (auto it = layout_.shown.begin(); it != layout_.shown.end(); ++it) {
      const int drop = columns_[*it].drop;
      if (drop > 0 && (least == layout_.shown.end() || drop >= columns_[*least].drop)) least = it;
    }
    if (least == layout_.shown.end()) return false;
    layout_.shown.erase(least);
    return true;
  }
  bool narrow_widest(std::size_t least) {
    std::size_t* widest = nullptr;
    for (const std::size_t i : layout_.shown)
      if (may_narrow(i) && layout_.widths[i] > least &&
          (widest == nullptr || layout_.widths[i] > *widest))
        widest = &layout_.widths[i];
    if (widest != nullptr) --*widest;
    return widest != nullptr;
  }
  bool widen_narrowest() {
    std::size_t* narrowest = nullptr;
    for (const std::size_t i : layout_.shown)
      if (layout_.widths[i] < wanted_[i] &&
          (narrowest == nullptr || layout_.widths[i] < *narrowest))
        narrowest = &layout_.widths[i];
    if (narrowest != nullptr) ++*narrowest;
    return narrowest != nullptr;
  }

  const std::vector<Table::Column>& columns_;
  std::size_t room_;
  std::vector<std::size_t> wanted_;
  TableLayout layout_;
};

}  // namespace

TableLayout lay_out(const std::vector<Table::Column>& columns, const std::vector<ColumnNeed>& needs,
                    std::size_t room) {
  TableLayout natural;
  std::size_t total = 0;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    natural.shown.push_back(i);
    natural.widths.push_back(std::max(needs[i].title, needs[i].cells));
    total += natural.widths[i] + (i > 0 ? kColumnGap : 0);
  }
  return room == 0 || total <= room ? natural : Fitting(columns, needs, room).take();
}

namespace {

std::size_t width_of(const ColumnBlock& block) {
  std::size_t total = 0;
  for (std::size_t i = 0; i < block.columns.size(); ++i) {
    std::size_t width = display_width(block.columns[i].title);
    for (const auto& row : block.rows) width = std::max(width, display_width(row[i]));
    const std::size_t most = block.columns[i].max_width;
    total +=
        most > 0 ? std::min(width, std::max(most, display_width(block.columns[i].title))) : width;
    total += i > 0 ? kColumnGap : 0;
  }
  return total;
}

std::string render(const ColumnBlock& block, int indent, const Screen& screen) {
  Table table(block.columns);
  for (const auto& row : block.rows) table.add_row(row);
  return table.render(indent, screen);
}

}  // namespace

void append_columns(ColumnBlock& to, const ColumnBlock& from) {
  WARPWRIGHT_CHECK(to.rows.size() == from.rows.size(), "blocks of one table have equal rows");
  to.columns.insert(to.columns.end(), from.columns.begin(), from.columns.end());
  for (std::size_t i = 0; i < to.rows.size(); ++i)
    to.rows[i].insert(to.rows[i].end(), from.rows[i].begin(), from.rows[i].end());
}

std::string render_split(const ColumnBlock& labels, const std::vector<ColumnBlock>& blocks,
                         int indent, const Screen& screen) {
  if (blocks.empty()) return render(labels, indent, screen);
  const std::size_t width = text_width(screen);
  const std::size_t room = width - std::min(width, static_cast<std::size_t>(indent));
  std::string out;
  for (std::size_t at = 0; at < blocks.size();) {
    ColumnBlock table = labels;
    std::size_t used = width_of(labels);
    do {
      used += kColumnGap + width_of(blocks[at]);
      append_columns(table, blocks[at]);
      ++at;
    } while (at < blocks.size() && used + kColumnGap + width_of(blocks[at]) <= room);
    out += (out.empty() ? "" : "\n") + render(table, indent, screen);
  }
  return out;
}

std::string render_with_texts(const ColumnBlock& block, const std::string& title,
                              const std::vector<std::string>& texts, int indent,
                              const Screen& screen) {
  const std::size_t width = text_width(screen);
  ColumnBlock behind{{{title}}, {}};
  for (const std::string& text : texts) behind.rows.push_back({terminal_line(text)});
  ColumnBlock whole = block;
  append_columns(whole, behind);
  if (static_cast<std::size_t>(indent) + width_of(whole) <= width)
    return render(whole, indent, screen);

  std::istringstream lines(render(block, indent, screen));
  std::string out, line;
  for (std::size_t i = 0; std::getline(lines, line); ++i) {
    out += line + "\n";
    constexpr std::size_t kHeadLines = 2;  // titles and rule
    if (i >= kHeadLines && i - kHeadLines < texts.size())
      out += wrap_text(terminal_line(texts[i - kHeadLines]), indent + 4, width);
  }
  return out;
}

}  // namespace warpwright
