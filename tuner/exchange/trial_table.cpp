#include "exchange/trial_table.h"

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "metrics/trial_metrics.h"
#include "store/imported.h"

namespace warpwright {
namespace {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

// A trial and, if it is ranked, its entry on its board.
struct Line {
  const Database::TrialRow& row;
  const LeaderboardEntry* entry = nullptr;
  bool counts = false;
  ResourceSummary resources = {};
  const Problem& problem;
  const ParameterValues& parameters;
  const GoalSpec* goal = nullptr;  // of the board that ranks it, if that has a goal
};

template <class T>
OrderedJson cell_or_null(const std::optional<T>& value) {
  return value ? OrderedJson(*value) : OrderedJson(nullptr);
}

OrderedJson text_or_null(const std::string& text) {
  return text.empty() ? OrderedJson(nullptr) : OrderedJson(text);
}

OrderedJson figure_cell(const TrialFigures& figures, const TrialFigure& figure) {
  if (figure.zero_is_empty && value_of(figures, figure).value_or(0) <= 0) return nullptr;
  return figure_json<OrderedJson>(figures, figure);
}

// Those of the group that the row does not have yet.
void add_figures(const TrialFigures& figures, TrialFigure::Group group, OrderedJson& cells) {
  for (const TrialFigure& figure : kTrialFigures)
    if (figure.group == group && !cells.contains(figure.name))
      cells[figure.name] = figure_cell(figures, figure);
}

// Adds the times; a finalist's are those of the final ranking, as `warpwright show` prints them.
void add_times(const Line& line, OrderedJson& cells) {
  const TrialRecord& trial = line.row.trial;
  const LeaderboardEntry* entry = line.entry;
  const bool ranked = entry != nullptr;
  cells["rank"] = ranked ? OrderedJson(entry->rank) : OrderedJson(nullptr);
  cells["tied_with_best"] = ranked ? OrderedJson(entry->tied_with_best) : OrderedJson(nullptr);
  cells["final_place"] =
      ranked && entry->finalist ? OrderedJson(entry->finalist->place) : OrderedJson(nullptr);
  cells["median_us"] = ranked ? OrderedJson(entry->median_us) : cell_or_null(trial.median_us);
  cells["ci_low_us"] = cell_or_null(ranked ? entry->ci_low_us : trial.ci_low_us);
  cells["ci_high_us"] = cell_or_null(ranked ? entry->ci_high_us : trial.ci_high_us);
  cells["screened_median_us"] = cell_or_null(trial.median_us);
  add_figures(trial, TrialFigure::Group::kTime, cells);
  cells["samples"] = trial.samples_us.size();
}

void add_costs(const Line& line, OrderedJson& cells) {
  const TrialRecord& trial = line.row.trial;
  cells["registers"] = cell_or_null(line.resources.registers);
  cells["shared_bytes"] = cell_or_null(line.resources.shared_bytes);
  cells["spill_bytes"] = cell_or_null(line.resources.spill_bytes);
  add_figures(trial, TrialFigure::Group::kWork, cells);
  cells["arithmetic"] = text_or_null(trial.arithmetic);
  add_figures(trial, TrialFigure::Group::kCost, cells);
}

// Every column except sizes and parameters, in the order in which they are written.
OrderedJson fixed_cells(const Line& line) {
  const Database::TrialRow& row = line.row;
  const TrialRecord& trial = row.trial;
  OrderedJson cells = OrderedJson::object();
  cells["trial"] = trial.id;
  cells["kernel"] = row.kernel_name;
  cells["problem"] = trial.problem_text;
  cells["device"] = row.device_name;
  cells["device_id"] = row.device_id;
  cells["arch"] = text_or_null(row.device_arch);
  cells["driver"] = text_or_null(row.device_driver);
  cells["variant"] = text_or_null(trial.variant);
  cells["configuration"] = trial.configuration_text;
  cells["status"] = status_name(trial.status);
  cells["reason"] = text_or_null(trial.reason);
  cells["counts"] = line.counts;
  cells["modelled"] = trial.modelled || !row.device_has_clock;
  cells["imported_from"] =
      is_imported(trial) ? OrderedJson(import_file(trial)) : OrderedJson(nullptr);
  cells["protocol"] = text_or_null(trial.protocol);
  add_times(line, cells);
  add_costs(line, cells);
  cells["same_as"] = cell_or_null(trial.same_as);
  cells["run"] = trial.run;
  cells["started_utc"] = text_or_null(trial.started_utc);
  cells["fingerprint"] = row.device_fingerprint;
  cells["contract_hash"] = row.contract_hash;
  cells["cubin_hash"] = text_or_null(trial.cubin_hash);
  return cells;
}

// An entry's objectives and metrics: "metric.NAME" and "objective.NAME".
using GoalCells = std::map<std::string, std::optional<double>>;

GoalCells goal_cells(const Line& line) {
  GoalCells cells;
  if (line.goal == nullptr || line.entry == nullptr) return cells;
  for (std::size_t i = 0; i < line.goal->metrics.size(); ++i)
    cells["metric." + line.goal->metrics[i].name] = line.entry->metrics.at(i).value;
  for (std::size_t i = 0; i < line.goal->objectives.size(); ++i)
    cells["objective." + line.goal->objectives[i].name] = line.entry->objectives.at(i).value;
  return cells;
}

Line make_line(const Database::TrialRow& row, const Leaderboard* board,
               const LeaderboardEntry* entry, bool counts) {
  const TrialRecord& trial = row.trial;
  return {row,
          entry,
          counts,
          summarise_resources(*trial.resources),
          *trial.problem,
          *trial.parameters,
          board != nullptr && board->goal ? &board->goal->spec : nullptr};
}

// One line per trial: board after board with ranked trials first, or every trial in the order
// stored.
std::vector<Line> make_lines(const ExportRequest& request) {
  struct Place {
    const Leaderboard* board = nullptr;
    const LeaderboardEntry* entry = nullptr;
  };
  std::map<RowId, Place> counted;
  std::vector<Line> lines;
  for (const Leaderboard& board : request.boards) {
    for (const LeaderboardEntry& entry : board.entries) {
      counted[entry.row.trial.id] = {&board, &entry};
      if (request.all_trials.empty()) lines.push_back(make_line(entry.row, &board, &entry, true));
    }
    for (const Database::TrialRow& row : board.untimed) {
      counted[row.trial.id] = {&board, nullptr};
      if (request.all_trials.empty()) lines.push_back(make_line(row, &board, nullptr, true));
    }
  }
  for (const Database::TrialRow& row : request.all_trials) {
    const auto found = counted.find(row.trial.id);
    const Place place = found == counted.end() ? Place{} : found->second;
    lines.push_back(make_line(row, place.board, place.entry, found != counted.end()));
  }
  return lines;
}

using Values = std::map<std::string, Value>;

void add_names(const Values& values, std::set<std::string>& names) {
  for (const auto& [name, value] : values) names.insert(name);
}

std::vector<OrderedJson> make_rows(const std::vector<Line>& lines) {
  std::set<std::string> sizes, parameters, goals;
  bool fronts = false;
  for (const Line& line : lines) {
    add_names(line.problem, sizes);
    add_names(line.parameters, parameters);
    for (const auto& [name, value] : goal_cells(line)) goals.insert(name);
    fronts = fronts || (line.goal != nullptr && line.goal->has_front());
  }
  const auto cell = [](const Values& values, const std::string& name) {
    const auto found = values.find(name);
    return found == values.end() ? OrderedJson(nullptr) : OrderedJson(Json(found->second));
  };
  std::vector<OrderedJson> rows;
  for (const Line& line : lines) {
    OrderedJson& row = rows.emplace_back(fixed_cells(line));
    for (const std::string& name : sizes) row["problem." + name] = cell(line.problem, name);
    for (const std::string& name : parameters)
      row["parameter." + name] = cell(line.parameters, name);
    const GoalCells own = goal_cells(line);
    for (const std::string& name : goals) {
      const auto found = own.find(name);
      row[name] = found == own.end() ? OrderedJson(nullptr) : cell_or_null(found->second);
    }
    if (fronts)
      row["on_front"] =
          line.entry == nullptr ? OrderedJson(nullptr) : OrderedJson(line.entry->on_front);
  }
  return rows;
}

// Texts that are not UTF-8 must not abort an export.
std::string dump_json(const OrderedJson& json) {
  return json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    quoted += c;
    if (c == '"') quoted += '"';
  }
  return quoted + '"';
}

std::string csv_field(const OrderedJson& cell) {
  if (cell.is_null()) return "";
  return csv_field(cell.is_string() ? cell.get<std::string>() : dump_json(cell));
}

std::string table_name(const ExportRequest& request, const char* extension) {
  return export_file_name({request.kernel.empty() ? "all" : request.kernel}) + extension;
}

}  // namespace

std::vector<ExportFile> export_csv(const ExportRequest& request) {
  std::string text;
  for (const OrderedJson& row : make_rows(make_lines(request))) {
    if (text.empty()) {
      for (const auto& [name, cell] : row.items())
        text += (text.empty() ? "" : ",") + csv_field(name);
      text += "\r\n";
    }
    std::string line;
    for (const OrderedJson& cell : row) line += csv_field(cell) + ",";
    line.back() = '\r';
    text += line + "\n";
  }
  return {{table_name(request, ".csv"), std::move(text)}};
}

std::vector<ExportFile> export_json(const ExportRequest& request) {
  const std::vector<Line> lines = make_lines(request);
  std::vector<OrderedJson> rows = make_rows(lines);
  std::string text = "[";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i]["samples_us"] = lines[i].row.trial.samples_us;
    text += (i == 0 ? "\n" : ",\n") + dump_json(rows[i]);
  }
  return {{table_name(request, ".json"), text + "\n]\n"}};
}

}  // namespace warpwright
