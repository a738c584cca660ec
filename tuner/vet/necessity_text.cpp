#include "vet/necessity_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "core/finding.h"
#include "core/terminal_text.h"
#include "core/words.h"
#include "terminal/table.h"
#include "terminal/text_width.h"
#include "vet/vet_text.h"

namespace warpwright {
namespace {

using nlohmann::json;

std::string file_and_line(const SourceLocation& location) {
  return fmt::format("{}:{}", location.file, location.line);
}

const QuotedLocation& outermost(const SyncSite& site) {
  return site.callers.empty() ? site.where : site.callers.back();
}

// With more places or calls than `room` columns hold, those that are not the first are only
// counted; --json lists all of them.
std::string instruction_text(const SyncSite& site, std::size_t room) {
  std::string text = site.instruction;
  if (site.instructions > 1) text += fmt::format(", {} together", site.instructions);
  std::string also;
  for (const QuotedLocation& place : site.also) also += ", also at " + file_and_line(place);
  if (site.also.size() > 1 && display_width(also) > room)
    also = fmt::format(", also at {} and {} more", file_and_line(site.also.front()),
                       site.also.size() - 1);
  text += also;
  if (site.callers.empty()) return text;
  // The calls below the outermost one, which is the place of the row. Their folders would hide
  // them.
  const auto named = [](const SourceLocation& location) {
    return fmt::format("{}:{}", location.file.substr(location.file.rfind('/') + 1), location.line);
  };
  const std::string place = ", in " + named(site.where);
  const std::size_t between = site.callers.size() - 1;
  std::string calls;
  for (std::size_t i = 0; i < between; ++i) calls += " from " + named(site.callers[i]);
  if (between > 1 && display_width(place + calls) > room)
    calls = fmt::format(", {} calls deep", between);
  return text + place + calls;
}

std::string prevented_text(const SiteVerdict& row) {
  if (!row.prevents)
    return row.verdict == Necessity::kNeeded ? "without it, a limit: " + row.reason : row.reason;
  // The row names its file already.
  const std::string& file = outermost(row.site).file;
  const auto place = [&file](const SourceLocation& location) {
    return location.file == file ? fmt::format("line {}", location.line) : file_and_line(location);
  };
  const Finding& finding = row.prevents->finding;
  std::string text(finding_kind_name(finding.kind));
  if (finding.here) text += " at " + place(finding.here->where);
  if (finding.other) text += " with " + place(finding.other->where);
  if (!finding.here) text += ": " + finding.message;
  return text;
}

// Empty if the model gives the site no cost.
std::string cost_text(const SiteVerdict& row) {
  if (!row.cost) return "";
  const std::string with = fmt::format("{:.3f}", row.cost->with_us);
  const std::string without = fmt::format("{:.3f}", row.cost->without_us);
  return with == without ? "" : fmt::format("{} with, {} without", with, without);
}

bool any_cost(const NecessityTable& table) {
  return std::any_of(table.sites.begin(), table.sites.end(),
                     [](const SiteVerdict& row) { return !cost_text(row).empty(); });
}

std::string table_text(const NecessityTable& table, const Screen& screen) {
  const bool costs = any_cost(table);
  std::vector<Table::Column> columns{middle_column("place"), prose_column("instruction"),
                                     word_column("verdict"),
                                     prose_column("prevents, or why not decided")};
  const bool cases = std::any_of(table.sites.begin(), table.sites.end(),
                                 [](const SiteVerdict& row) { return !row.case_name.empty(); });
  if (cases) columns.push_back(prose_column("case"));
  if (costs) columns.push_back(word_column("modelled µs", 1));
  Table out(std::move(columns));
  // The other columns need the rest of the line.
  const std::size_t room = text_width(screen) / 3;
  for (const SiteVerdict& row : table.sites) {
    std::vector<std::string> cells{file_and_line(outermost(row.site)),
                                   instruction_text(row.site, room), necessity_name(row.verdict),
                                   prevented_text(row)};
    if (cases) cells.push_back(row.case_name);
    if (costs) cells.push_back(cost_text(row));
    out.add_row(std::move(cells));
  }
  return out.render(2, screen);
}

std::size_t count(const NecessityReport& report, Necessity verdict) {
  std::size_t sum = 0;
  for (const NecessityTable& table : report.tables) {
    sum += static_cast<std::size_t>(
        std::count_if(table.sites.begin(), table.sites.end(),
                      [&](const SiteVerdict& row) { return row.verdict == verdict; }));
  }
  return sum;
}

json place_json(const QuotedLocation& place) {
  return {
      {"file", place.file}, {"line", place.line}, {"column", place.column}, {"text", place.text}};
}

json places_json(const std::vector<QuotedLocation>& places) {
  json list = json::array();
  for (const QuotedLocation& place : places) list.push_back(place_json(place));
  return list;
}

json site_json(const SiteVerdict& row) {
  json cost = nullptr;
  if (row.cost) {
    cost = {{"case", row.cost->case_name},
            {"with_us", row.cost->with_us},
            {"without_us", row.cost->without_us}};
  }
  return {{"here", place_json(row.site.where)},
          {"callers", places_json(row.site.callers)},
          {"also", places_json(row.site.also)},
          {"opcode", row.site.opcode},
          {"instruction", row.site.instruction},
          {"instructions", row.site.instructions},
          {"verdict", necessity_name(row.verdict)},
          {"prevents", row.prevents ? hazard_json(*row.prevents) : json(nullptr)},
          {"reason", row.reason},
          {"case", row.case_name},
          {"modelled", std::move(cost)}};
}

}  // namespace

const char* necessity_name(Necessity necessity) {
  switch (necessity) {
    case Necessity::kNotReached:
      return "no case reaches it";
    case Necessity::kNotNeeded:
      return "no case needs it";
    case Necessity::kNotDecided:
      return "not decided";
    case Necessity::kNeeded:
      break;
  }
  return "needed";
}

std::string necessity_text(const NecessityReport& report, bool colour, const Screen& screen) {
  const VetReport& vetted = report.vetted;
  const std::string name = terminal_line(vetted.kernel);
  if (!vetted.clean()) {
    return vet_text(vetted, colour) +
           fmt::format("{}: no barrier was left out, because {}\n", name,
                       vetted.found() ? "there are findings with all of them in place"
                                      : "a limit was reached with all of them in place");
  }
  std::string text = vet_text(vetted, colour);
  std::size_t sites = 0;
  for (const NecessityTable& table : report.tables) {
    sites += table.sites.size();
    if (table.sites.empty()) continue;
    text += "\n";
    if (!table.configuration_text.empty()) text += terminal_line(table.configuration_text) + "\n";
    text += table_text(table, screen);
  }
  if (sites == 0) return text + fmt::format("{}: it has no barrier, wait or fence\n", name);
  std::vector<std::string> counts;
  for (const Necessity verdict : {Necessity::kNeeded, Necessity::kNotNeeded, Necessity::kNotReached,
                                  Necessity::kNotDecided}) {
    if (const std::size_t n = count(report, verdict); n != 0 || verdict == Necessity::kNeeded)
      counts.push_back(fmt::format("{}: {}", necessity_name(verdict), n));
  }
  text += fmt::format("\n{}: {}; {}\n", name,
                      plural(sites, "barrier, wait or fence", "barriers, waits and fences"),
                      join(counts));
  if (count(report, Necessity::kNotNeeded) != 0) {
    text +=
        "'no case needs it' holds for the cases and schedules above: it is evidence, and not a "
        "proof\n";
  }
  return text;
}

json necessity_json(const NecessityReport& report) {
  json to = vet_json(report.vetted);
  to["necessity"] = nullptr;
  if (!report.vetted.clean()) return to;
  json tables = json::array();
  for (const NecessityTable& table : report.tables) {
    json sites = json::array();
    for (const SiteVerdict& row : table.sites) sites.push_back(site_json(row));
    tables.push_back(
        {{"configuration_text", table.configuration_text}, {"sites", std::move(sites)}});
  }
  to["necessity"] = std::move(tables);
  return to;
}

}  // namespace warpwright
