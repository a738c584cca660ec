#include "output/text/versions_text.h"

#include <fmt/format.h>

#include <set>

#include "core/terminal_text.h"
#include "core/words.h"
#include "output/text/comparison_parts.h"
#include "output/text/limit_text.h"
#include "terminal/numbers.h"
#include "terminal/screen.h"
#include "terminal/table.h"
#include "terminal/text_width.h"

namespace warpwright {
namespace {

using Words = std::vector<std::string>;

std::string cell_text(const VersionCell& cell) {
  if (!cell.time) return cell.status.empty() ? "–" : cell.status;
  const VersionTime& time = *cell.time;
  std::string text = (time.tied_with_best ? "=" : "") + format_us(time.median_us);
  if (time.ci_low_us && time.ci_high_us)
    text += fmt::format(" [{}, {}]", format_us(*time.ci_low_us), format_us(*time.ci_high_us));
  return text;
}

// 4,425, but 3.47.
std::string version_rate(double value) {
  return value < 99.95 ? fmt::format("{:.{}f}", value, value < 9.995 ? 2 : 1)
                       : format_thousands(value);
}

// The columns of a problem; without rates and limits there is one, of times.
struct ProblemColumns {
  bool rate = false, limit = false;
};

std::vector<const VersionRow*> timed_rows(const VersionTable& table) {
  std::vector<const VersionRow*> rows;
  for (const VersionRow& row : table.versions) rows.push_back(&row);
  rows.insert(rows.end(), {&table.best_of_variants, &table.best_of_all});
  return rows;
}

// Rates are in TFLOP/s if any of the table reaches one.
bool in_tera(const VersionTable& table) {
  for (const VersionRow* row : timed_rows(table))
    for (const VersionCell& cell : row->cells)
      if (cell.time && cell.time->gigaflops_per_second.value_or(0) >= 1000) return true;
  return false;
}

ProblemColumns columns_of_problem(const VersionTable& table, std::size_t problem) {
  ProblemColumns columns;
  for (const VersionRow* row : timed_rows(table)) {
    const VersionCell& cell = row->cells[problem];
    columns.rate |= cell.time && cell.time->gigaflops_per_second;
    columns.limit |= cell.time && cell.time->limit_share;
  }
  return columns;
}

std::vector<std::string> cell_texts(const VersionCell& cell, const ProblemColumns& columns,
                                    bool tera) {
  std::vector<std::string> texts = {cell_text(cell)};
  const VersionTime time = cell.time.value_or(VersionTime{});
  if (columns.rate) {
    texts.push_back(time.gigaflops_per_second
                        ? version_rate(*time.gigaflops_per_second / (tera ? 1e3 : 1))
                        : "");
  }
  if (columns.limit) texts.push_back(time.limit_share ? limit_cell(time.limit_share) : "");
  return texts;
}

std::string table_text(const VersionTable& table, const Words& names, const Screen& screen) {
  ColumnBlock labels{{middle_column("version", 12)}, {}};
  std::vector<ColumnBlock> blocks;
  std::vector<ProblemColumns> columns;
  const bool tera = in_tera(table);
  for (std::size_t i = 0; i < names.size(); ++i) {
    columns.push_back(columns_of_problem(table, i));
    ColumnBlock& block = blocks.emplace_back(ColumnBlock{{{names[i]}}, {}});
    if (columns[i].rate) block.columns.push_back(number_column(tera ? "TFLOP/s" : "GFLOP/s"));
    if (columns[i].limit) block.columns.push_back(number_column("of limit"));
  }
  const auto add_row = [&](const std::string& label, const std::vector<VersionCell>& cells) {
    labels.rows.push_back({label});
    for (std::size_t i = 0; i < blocks.size(); ++i)
      blocks[i].rows.push_back(cell_texts(cells[i], columns[i], tera));
  };
  for (const VersionRow& row : table.versions) add_row(row.name, row.cells);
  add_row("best of " + join(table.variants), table.best_of_variants.cells);
  add_row("best of all", table.best_of_all.cells);
  labels.rows.push_back({"against the versions"});
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    std::vector<std::string>& row = blocks[i].rows.emplace_back(blocks[i].columns.size());
    row.front() = ratio_text(table.gain[i]);
  }
  for (const VersionRow& row : table.peers) add_row(row.name, row.cells);
  return render_split(labels, blocks, 2, screen);
}

// "  n=1000: V1, V0", a line per problem.
std::string order_text(const VersionTable& table, const Words& names, const Screen& screen) {
  std::string out;
  for (std::size_t i = 0; i < table.order.size(); ++i)
    out += wrap_text(terminal_line(fmt::format("{}: {}", names[i], join(table.order[i]))) + "\n", 2,
                     text_width(screen));
  return out.empty() ? "" : "\nthe fastest first:\n" + out;
}

// The configurations of the two rows of bests, each printed once per problem.
std::string best_configurations(const VersionTable& table, const Words& names,
                                const Screen& screen) {
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::set<std::string> told;
    for (const VersionRow* row : {&table.best_of_variants, &table.best_of_all}) {
      const std::optional<VersionTime>& time = row->cells[i].time;
      if (time && told.insert(time->configuration_text).second)
        out += wrap_text(
            terminal_line(fmt::format("{}: {}", names[i], time->configuration_text)) + "\n", 2,
            text_width(screen));
    }
  }
  return out.empty() ? "" : "best:\n" + out;
}

}  // namespace

std::string versions_text(const VersionTable& table, const Screen& screen) {
  const ProblemNames names = problem_names(table.problem_texts);
  std::string out =
      wrap_text(terminal_line(fmt::format("{} on {} ({}), versions of {}", table.kernel,
                                          table.device_name, table.device_id, table.sweep)) +
                    "\n",
                0, text_width(screen)) +
      fmt::format("µs, {}, {}; = ties with the best version\n", table.protocol,
                  table.modelled ? "modelled" : "measured, 95 % intervals");
  if (!names.shared.empty())
    out += wrap_text("all problems: " + terminal_line(names.shared) + "\n", 0, text_width(screen));
  out += "\n" + table_text(table, names.names, screen);
  const std::string best = best_configurations(table, names.names, screen);
  return out + order_text(table, names.names, screen) + (best.empty() ? "" : "\n" + best);
}

}  // namespace warpwright
