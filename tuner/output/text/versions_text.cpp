#include "output/text/versions_text.h"

#include <fmt/format.h>

#include <set>

#include "core/terminal_text.h"
#include "core/words.h"
#include "output/text/comparison_parts.h"
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

std::string table_text(const VersionTable& table, const Words& names, const Screen& screen) {
  ColumnBlock labels{{middle_column("version", 12)}, {}};
  std::vector<ColumnBlock> blocks;
  for (const std::string& name : names) blocks.push_back({{{name}}, {}});
  const auto add = [&](const std::string& label, const std::vector<std::string>& cells) {
    labels.rows.push_back({label});
    for (std::size_t i = 0; i < blocks.size(); ++i) blocks[i].rows.push_back({cells[i]});
  };
  const auto add_row = [&](const std::string& label, const std::vector<VersionCell>& cells) {
    std::vector<std::string> texts;
    for (const VersionCell& cell : cells) texts.push_back(cell_text(cell));
    add(label, texts);
  };
  for (const VersionRow& row : table.versions) add_row(row.name, row.cells);
  add_row("best of " + join(table.variants), table.best_of_variants.cells);
  add_row("best of all", table.best_of_all.cells);
  std::vector<std::string> gains;
  for (const std::optional<double>& gain : table.gain) gains.push_back(ratio_text(gain));
  add("against the versions", gains);
  for (const VersionRow& row : table.peers) add_row(row.name, row.cells);
  return render_split(labels, blocks, 2, screen);
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
  return best.empty() ? out : out + "\n" + best;
}

}  // namespace warpwright
