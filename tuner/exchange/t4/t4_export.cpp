#include "exchange/t4/t4_export.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>

#include "records/status.h"
#include "store/imported.h"

namespace warpwright {
namespace {

using OrderedJson = nlohmann::ordered_json;
using Row = Database::TrialRow;

// Returns a member of the wanted type, or `otherwise` if there is none. Columns may hold any JSON,
// because people and other programs write them too.
OrderedJson member(const OrderedJson& object, const char* name,
                   bool (OrderedJson::*is_wanted)() const noexcept, const OrderedJson& otherwise) {
  if (!object.is_object()) return otherwise;
  const auto found = object.find(name);
  return found != object.end() && ((*found).*is_wanted)() ? *found : otherwise;
}

std::string text_member(const OrderedJson& object, const char* name) {
  return member(object, name, &OrderedJson::is_string, "").get<std::string>();
}

const char* invalidity_of(Status status) {
  switch (status) {
    case Status::kOk:
      return "correct";
    case Status::kInvalid:
    case Status::kViolates:
      return "constraints";
    case Status::kCompileFailed:
      return "compile";
    case Status::kWrongResult:
    case Status::kNondeterministic:
    case Status::kHazard:
    case Status::kImpossible:
      return "correctness";
    case Status::kTimeout:
    case Status::kPruned:
      return "timeout";
    case Status::kLaunchFailed:
    case Status::kCrashed:
    case Status::kNoisy:
    case Status::kNotCompiled:
      return "runtime";
  }
  return "runtime";
}

// The label that replaces a missing time; readers of the format recognise these three.
const char* label_of(Status status) {
  if (status == Status::kCompileFailed) return "CompilationFailedConfig";
  const bool excluded = status == Status::kInvalid || status == Status::kViolates;
  return excluded ? "InvalidConfig" : "RuntimeFailedConfig";
}

// Converts "2026-03-01T12:00:01Z" to a form that every Python version reads: "2026-03-01
// 12:00:01+00:00".
std::string timestamp_of(const TrialRecord& trial, const OrderedJson& imported) {
  if (imported.contains("timestamp")) return text_member(imported, "timestamp");
  std::string text = trial.started_utc;
  if (const std::size_t divider = text.find('T'); divider != std::string::npos) text[divider] = ' ';
  if (text.ends_with('Z')) text.replace(text.size() - 1, 1, "+00:00");
  return text;
}

OrderedJson configuration_of(const TrialRecord& trial) {
  OrderedJson values = OrderedJson::object();
  if (!trial.variant.empty()) values["variant"] = trial.variant;
  for (const auto& [name, value] : *trial.parameters) values[name] = nlohmann::json(value);
  return values;
}

OrderedJson times_of(const TrialRecord& trial, const OrderedJson& imported) {
  OrderedJson times = {{"compilation", trial.compile_seconds * 1e3},
                       {"framework", 0},
                       {"search_algorithm", 0},
                       {"validation", trial.validate_seconds * 1e3}};
  if (trial.measure_seconds > 0) times["benchmark"] = trial.measure_seconds * 1e3;
  const OrderedJson said =
      member(imported, "times_us", &OrderedJson::is_object, OrderedJson::object());
  for (const auto& [name, time] : said.items())
    if (time.is_number()) times[name] = time.get<double>() / 1e3;
  if (!trial.samples_us.empty()) {
    OrderedJson runtimes = OrderedJson::array();
    for (const double sample_us : trial.samples_us) runtimes.push_back(sample_us / 1e3);
    times["runtimes"] = std::move(runtimes);
  }
  return times;
}

OrderedJson measurements_of(const TrialRecord& trial, const OrderedJson& imported) {
  const bool timed = trial.status == Status::kOk && trial.median_us;
  double time_us = trial.median_us.value_or(0);
  time_us = member(imported, "published_us", &OrderedJson::is_number, time_us).get<double>();
  OrderedJson time = OrderedJson::object();
  time["name"] = "time";
  time["value"] = timed ? OrderedJson(time_us / 1e3) : OrderedJson(label_of(trial.status));
  time["unit"] = timed ? "ms" : "";
  OrderedJson list = OrderedJson::array({std::move(time)});
  // Add all other measurements from the file of an imported trial.
  for (const OrderedJson& one :
       member(imported, "measurements", &OrderedJson::is_array, OrderedJson::array()))
    if (one.is_object() && text_member(one, "name") != "time") list.push_back(one);
  return list;
}

template <class T>
void add(OrderedJson& object, const char* name, const std::optional<T>& value) {
  if (value) object[name] = *value;
}

void add(OrderedJson& object, const char* name, const std::string& text) {
  if (!text.empty()) object[name] = text;
}

OrderedJson ours_of(const Row& row) {
  const TrialRecord& trial = row.trial;
  OrderedJson ours = {{"status", status_name(trial.status)}};
  add(ours, "reason", trial.reason);
  add(ours, "variant", trial.variant);
  for (const TrialFigure& figure : kTrialFigures) {
    if (figure.group == TrialFigure::Group::kCost) continue;
    const std::optional<double> value = value_of(trial, figure);
    if (value && !(figure.zero_is_empty && *value <= 0)) ours[figure.name] = *value;
  }
  add(ours, "arithmetic", trial.arithmetic);
  if (trial.resources.known()) ours["resources"] = trial.resources.document();
  return ours;
}

OrderedJson result_of(const Row& row) {
  const TrialRecord& trial = row.trial;
  const OrderedJson imported = import_details(trial);
  OrderedJson objectives =
      member(imported, "objectives", &OrderedJson::is_array, OrderedJson::array());
  if (objectives.empty()) objectives = OrderedJson::array({"time"});
  return {{"timestamp", timestamp_of(trial, imported)},
          {"configuration", configuration_of(trial)},
          {"times", times_of(trial, imported)},
          {"invalidity", invalidity_of(trial.status)},
          {"correctness", ran_right(trial.status) ? 1 : 0},
          {"measurements", measurements_of(trial, imported)},
          {"objectives", std::move(objectives)},
          {"warpwright", ours_of(row)}};
}

OrderedJson metadata_of(const Leaderboard& board, const Row& row, const std::string& version) {
  const std::string original = text_member(import_details(row.trial), "protocol");
  OrderedJson ours = {{"version", version},
                      {"modelled", board.modelled},
                      {"protocol", original.empty() ? board.protocol : original},
                      {"problem", OrderedJson(board.problem.document())}};
  add(ours, "arch", row.device_arch);
  add(ours, "driver", row.device_driver);
  add(ours, "fingerprint", row.device_fingerprint);
  return {{"timeunit", "milliseconds"},
          {"kernel", board.kernel},
          {"device", board.device_name},
          {"problem", board.problem_text},
          {"warpwright", std::move(ours)}};
}

bool same_subject(const Leaderboard& board, const Row& row) {
  return board.kernel == row.kernel_name && board.problem_text == row.trial.problem_text &&
         board.device_fingerprint == row.device_fingerprint;
}

// The board that a trial would be on if it counted: the one of its protocol, else the first one of
// its subject.
const Leaderboard* board_for(const Row& row, const std::vector<Leaderboard>& boards) {
  const Leaderboard* first = nullptr;
  for (const Leaderboard& board : boards) {
    if (!same_subject(board, row)) continue;
    if (board.protocol == row.trial.protocol) return &board;
    if (first == nullptr) first = &board;
  }
  return first;
}

std::vector<const Row*> rows_of(const Leaderboard& board, const ExportRequest& request) {
  std::vector<const Row*> rows;
  for (const Row& row : request.all_trials)
    if (board_for(row, request.boards) == &board) rows.push_back(&row);
  if (!request.all_trials.empty()) return rows;
  for (const LeaderboardEntry& entry : board.entries) rows.push_back(&entry.row);
  for (const Row& row : board.untimed) rows.push_back(&row);
  return rows;
}

std::string dump(const OrderedJson& json) {
  return json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

std::string t4_text(const Leaderboard& board, const std::vector<const Row*>& rows,
                    const std::string& version) {
  std::string text = "{\"metadata\": " + dump(metadata_of(board, *rows.front(), version)) +
                     ",\n\"schema_version\": \"1.0.0\",\n\"results\": [";
  const char* divider = "\n";
  for (const Row* row : rows) {
    text += divider + dump(result_of(*row));
    divider = ",\n";
  }
  return text + "\n]}\n";
}

}  // namespace

std::vector<ExportFile> export_t4(const ExportRequest& request) {
  std::vector<ExportFile> files;
  std::set<std::string> names;
  for (const Leaderboard& board : request.boards) {
    const std::vector<const Row*> rows = rows_of(board, request);
    if (rows.empty()) continue;
    const std::string problem = board.problem_text == "published" ? "" : board.problem_text;
    std::string name = export_file_name({board.kernel, board.device_name, problem});
    // Names clash for cold and hot times of one problem, and for two devices of one name.
    for (int twin = 2; !names.insert(name).second; ++twin)
      name = export_file_name({board.kernel, board.device_name, problem, std::to_string(twin)});
    files.push_back({name + ".json", t4_text(board, rows, request.version)});
  }
  return files;
}

}  // namespace warpwright
