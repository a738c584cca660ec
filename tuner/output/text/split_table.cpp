#include "output/text/split_table.h"

#include <algorithm>
#include <sstream>

#include "core/error.h"
#include "core/terminal_text.h"
#include "core/text_width.h"
#include "output/text/table_layout.h"

namespace warpwright {
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

std::string wrap_text(const std::string& text, int indent, std::size_t width) {
  const std::string margin(static_cast<std::size_t>(indent), ' ');
  std::istringstream lines(text);
  std::string out;
  for (std::string whole; std::getline(lines, whole);) {
    std::istringstream words(whole);
    std::string line = margin, word;
    bool fresh = true;
    while (words >> word) {
      if (!fresh && display_width(line) + 1 + display_width(word) > width) {
        out += line + "\n";
        line = margin + "  ";
        fresh = true;
      }
      line += (fresh ? "" : " ") + word;
      fresh = false;
    }
    out += line.erase(line.find_last_not_of(' ') + 1) + "\n";
  }
  return out;
}

}  // namespace warpwright
