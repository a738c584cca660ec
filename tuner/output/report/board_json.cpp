#include "output/report/board_json.h"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "analysis/board/leaderboard.h"
#include "analysis/board/objections.h"
#include "analysis/compare/contender.h"
#include "analysis/insight/importance.h"
#include "output/json/board_document.h"
#include "output/json/insights_json.h"
#include "output/json/json_values.h"
#include "output/text/goal_text.h"
#include "output/text/limit_text.h"
#include "output/text/search_text.h"

namespace warpwright {
namespace {

class ConfigurationColumns {
 public:
  // Collects every variant, parameter and value of the board, including those of rows that are left
  // out later.
  explicit ConfigurationColumns(const Leaderboard& board);

  [[nodiscard]] nlohmann::json variants() const { return variants_; }
  // [{"name","values":[...]}]: parameters by name, numbers by value, then texts alphabetically.
  [[nodiscard]] nlohmann::json parameters() const;
  [[nodiscard]] nlohmann::json variant_column(const std::vector<const TrialRecord*>& trials) const;
  // An array per parameter; -1 if a configuration does not have it.
  [[nodiscard]] nlohmann::json value_columns(const std::vector<const TrialRecord*>& trials) const;

 private:
  std::vector<std::string> variants_;
  std::map<std::string, std::vector<nlohmann::json>> values_;  // by parameter, in order
};

using Json = nlohmann::json;

Json values_of(const TrialRecord& trial) { return *trial.parameters; }

template <class T>
Json index_of(const std::vector<T>& sorted, const T& value) {
  const auto it = std::lower_bound(sorted.begin(), sorted.end(), value);
  return it != sorted.end() && *it == value ? Json(it - sorted.begin()) : Json(-1);
}

ConfigurationColumns::ConfigurationColumns(const Leaderboard& board) {
  std::set<std::string> variants;
  std::map<std::string, std::set<Json>> values;
  const auto add = [&](const TrialRecord& trial) {
    variants.insert(trial.variant);
    const Json configuration = values_of(trial);
    for (const auto& [name, value] : configuration.items()) values[name].insert(value);
  };
  for (const LeaderboardEntry& entry : board.entries) add(entry.row.trial);
  for (const Database::TrialRow& row : board.untimed) add(row.trial);
  variants_.assign(variants.begin(), variants.end());
  for (const auto& [name, set] : values) values_[name].assign(set.begin(), set.end());
}

Json ConfigurationColumns::parameters() const {
  Json list = Json::array();
  for (const auto& [name, values] : values_) list.push_back({{"name", name}, {"values", values}});
  return list;
}

Json ConfigurationColumns::variant_column(const std::vector<const TrialRecord*>& trials) const {
  Json column = Json::array();
  for (const TrialRecord* trial : trials) column.push_back(index_of(variants_, trial->variant));
  return column;
}

Json ConfigurationColumns::value_columns(const std::vector<const TrialRecord*>& trials) const {
  std::vector<Json> rows;
  for (const TrialRecord* trial : trials) rows.push_back(values_of(*trial));
  Json columns = Json::array();
  for (const auto& [name, values] : values_) {
    Json column = Json::array();
    for (const Json& row : rows) {
      const auto it = row.find(name);
      column.push_back(it == row.end() ? Json(-1) : index_of(values, *it));
    }
    columns.push_back(std::move(column));
  }
  return columns;
}

using Json = nlohmann::json;
using Trials = std::vector<const TrialRecord*>;

// The members of these names.
Json part_of(const Json& document, std::initializer_list<const char*> names) {
  Json part = Json::object();
  for (const char* name : names) part[name] = document.at(name);
  return part;
}

void append(Json& columns, const char* name, Json value) {
  columns[name].push_back(std::move(value));
}

// The place of a trial among all that count, oldest first, from 1. Its id refers to the database.
class Order {
 public:
  explicit Order(const Leaderboard& board) {
    for (const LeaderboardEntry& entry : board.entries) trials_.push_back(entry.row.trial.id);
    for (const Database::TrialRow& row : board.untimed) trials_.push_back(row.trial.id);
    std::sort(trials_.begin(), trials_.end());
  }
  [[nodiscard]] Json of(const TrialRecord& trial) const {
    return std::lower_bound(trials_.begin(), trials_.end(), trial.id) - trials_.begin() + 1;
  }

 private:
  std::vector<RowId> trials_;
};

// Adds the goal's columns of one row; `names` are those of the goal's metrics.
void add_goal_values(const Json& entry, const Json& names, Json& columns) {
  const Json& goal = entry.at("goal");
  append(columns, "front", goal.at("on_front").get<bool>() ? 1 : 0);
  for (std::size_t i = 0; i < goal.at("objectives").size(); ++i)
    columns["objectives"][i].push_back(goal.at("objectives")[i].at("value"));
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Json& metric = goal.at("metrics").at(names[i].get<std::string>());
    columns["metrics"][i].push_back(metric.at("value"));
  }
}

Json report_goal_json(const Leaderboard& board, const Json& document) {
  if (!board.goal) return nullptr;
  Json goal = document.at("goal");
  goal["by_time"] = board.goal->spec.by_time();
  goal["words"] = goal_line(board) + goal_notes(board);
  return goal;
}

Json entries_json(const Leaderboard& board, const Json& document,
                  const ConfigurationColumns& configurations, const Order& order,
                  std::size_t limit) {
  Json columns = Json::object();
  for (const char* name : {"rank", "trial", "order", "us", "low", "high", "screened", "tied",
                           "registers", "shared", "spill", "same_as"}) {
    columns[name] = Json::array();
  }
  if (board.goal) {
    const Json& goal = document.at("goal");
    columns["front"] = Json::array();
    columns["objectives"] = Json(std::vector<Json>(goal.at("objectives").size(), Json::array()));
    columns["metrics"] = Json(std::vector<Json>(goal.at("metrics").size(), Json::array()));
  }
  const bool named = std::any_of(board.entries.begin(), board.entries.end(),
                                 [](const auto& entry) { return !entry.version.empty(); });
  Trials trials;
  for (const std::size_t i : best_and_spread(board.entries.size(), limit)) {
    const LeaderboardEntry& entry = board.entries[i];
    if (named) append(columns, "version", entry.version);
    const Json facts = short_numbers(entry_document(board, entry));
    trials.push_back(&entry.row.trial);
    append(columns, "rank", facts.at("rank"));
    append(columns, "trial", facts.at("trial"));
    append(columns, "order", order.of(entry.row.trial));
    append(columns, "us", facts.at("median_us"));
    // A model's times have no spread.
    append(columns, "low", board.modelled ? Json(nullptr) : facts.at("ci_low_us"));
    append(columns, "high", board.modelled ? Json(nullptr) : facts.at("ci_high_us"));
    // The time that the search received; a finalist's time is from the final ranking.
    const Json& final = facts.at("final");
    append(columns, "screened", final.is_null() ? final : final.at("screened_median_us"));
    append(columns, "tied", facts.at("tied_with_best").get<bool>() ? 1 : 0);
    append(columns, "registers", facts.at("registers"));
    append(columns, "shared", facts.at("shared_bytes"));
    append(columns, "spill", facts.at("spill_bytes"));
    append(columns, "same_as", facts.at("same_as"));
    if (board.goal) add_goal_values(facts, document.at("goal").at("metrics"), columns);
  }
  columns["variant"] = configurations.variant_column(trials);
  columns["values"] = configurations.value_columns(trials);
  return columns;
}

Json untimed_json(const Leaderboard& board, const ConfigurationColumns& configurations,
                  const Order& order, std::size_t limit) {
  Json columns = Json::object();
  for (const char* name : {"trial", "order", "status", "at_least"}) columns[name] = Json::array();
  Trials trials;
  for (const std::size_t i : spread(board.untimed.size(), limit)) {
    const TrialRecord& trial = board.untimed[i].trial;
    trials.push_back(&trial);
    append(columns, "trial", trial.id);
    append(columns, "order", order.of(trial));
    append(columns, "status", status_name(trial.status));
    append(columns, "at_least", short_number(trial.at_least_us));
  }
  columns["variant"] = configurations.variant_column(trials);
  columns["values"] = configurations.value_columns(trials);
  return columns;
}

// With the finalists one by one instead of their number.
Json report_ranking_json(const Leaderboard& board, const Json& document) {
  if (!board.ranking) return nullptr;
  Json ranking = part_of(document.at("ranking"),
                         {"protocol", "rounds", "confidence", "decided_by", "headline"});
  Json& finalists = ranking["finalists"] = Json::array();
  for (const RankingEntryRecord& entry : board.ranking->entries) {
    finalists.push_back({{"trial", entry.trial},
                         {"place", entry.place},
                         {"tied", entry.tied},
                         {"us", short_number(entry.median_us)},
                         {"relative", short_number(entry.relative)},
                         {"low", short_number(entry.relative_low)},
                         {"high", short_number(entry.relative_high)},
                         {"p", short_number(entry.p_adjusted)}});
  }
  return ranking;
}

Json samples_json(const Leaderboard& board, const ReportSource& source, std::size_t limit) {
  Json list = Json::array();
  for (const LeaderboardEntry& entry : board.entries) {
    const auto it = source.samples_us.find(entry.row.trial.id);
    if (it == source.samples_us.end()) continue;
    // A finalist's time comes from the ranking's rounds, and so do its samples.
    const bool rounds = entry.finalist && !entry.finalist->rounds_us.empty();
    const std::vector<double>& all = rounds ? entry.finalist->rounds_us : it->second;
    if (all.empty()) continue;
    Json us = Json::array();
    for (const std::size_t i : spread(all.size(), limit)) us.push_back(short_number(all[i]));
    list.push_back({{"rank", entry.rank},
                    {"trial", entry.row.trial.id},
                    {"us", std::move(us)},
                    {"taken", all.size()},
                    {"rounds", rounds}});
  }
  return list;
}

// Adds the effects of the parameters and the difficulty of the space; null for a board on which
// nothing passed.
void add_insights(const Leaderboard& board, Json& json) {
  json["importance"] = json["landscape"] = json["important_pair"] = nullptr;
  const std::optional<Landscape> landscape = make_landscape(board);
  if (!landscape) return;
  json["landscape"] = short_numbers(landscape_json(*landscape));
  const Importance importance = parameter_importance(board);
  json["importance"] = short_numbers(importance_json(importance));
  if (const auto pair = most_important_pair(importance)) {
    json["important_pair"] = {
        {"variant", pair->variant}, {"first", pair->first}, {"second", pair->second}};
  }
}

// Seconds that the board's trials took, by purpose; trials with identical code count once, where it
// ran.
Json seconds_json(const Leaderboard& board) {
  double compiling = 0, cases = 0, inputs = 0, validation = 0, samples = 0;
  const auto add = [&](const TrialRecord& trial) {
    compiling += trial.compile_seconds;
    samples += trial.measure_seconds;
    const TrialMeasurement* seen = trial.measurement.readable();
    const double of_cases = seen == nullptr ? 0 : seen->case_seconds.value_or(0);
    const double of_inputs = seen == nullptr ? 0 : seen->input_seconds.value_or(0);
    cases += of_cases;
    inputs += of_inputs;
    validation += std::max(0.0, trial.validate_seconds - of_cases - of_inputs);
  };
  for (const LeaderboardEntry& entry : board.entries)
    if (!entry.row.trial.same_as) add(entry.row.trial);
  for (const Database::TrialRow& row : board.untimed)
    if (!row.trial.same_as) add(row.trial);
  return {{"compiling", short_number(compiling)},
          {"cases", short_number(cases)},
          {"inputs", short_number(inputs)},
          {"validation", short_number(validation)},
          {"samples", short_number(samples)}};
}

// Remarks for the author about configurations that passed: [{"about","text","configurations"}].
Json remarks_json(const Leaderboard& board) {
  Json remarks = Json::array();
  const auto add = [&remarks](const char* about, std::string text, std::size_t configurations) {
    remarks.push_back(
        {{"about", about}, {"text", std::move(text)}, {"configurations", configurations}});
  };
  const Objections objections = count_objections({&board, 1});
  for (const auto& [name, configurations] : objections.kinds) {
    const std::string& kind = name;  // Clang 14 lets no lambda have a binding
    const auto example =
        std::find_if(board.entries.begin(), board.entries.end(), [&](const auto& entry) {
          const std::vector<TrialFinding>& found = objections_to(entry);
          return std::any_of(found.begin(), found.end(),
                             [&](const TrialFinding& hazard) { return hazard.kind == kind; });
        });
    for (const TrialFinding& hazard : objections_to(*example)) {
      if (hazard.kind != kind) continue;
      add("checkers", hazard.text, configurations);
      break;
    }
  }
  for (const IdleParameter& idle : idle_parameters(board))
    add("parameter", idle.name + " changes no machine code, launch or argument",
        idle.configurations);
  for (const CompilerWarning& warning : compiler_warnings({board}))
    add("compiler", warning.text, warning.configurations);
  return remarks;
}

Json failures_json(const Json& document, const ReportLimits& limits) {
  Json list = Json::array();
  for (const Json& group : document.at("failures")) {
    if (list.size() == limits.failure_groups) break;
    Json one = part_of(group, {"status", "cause", "count"});
    one["example"] = shortened(group.at("example").get<std::string>(), limits.reason_bytes);
    one["configuration"] = group.at("example_configuration");
    one["trial"] = group.at("example_trial");
    one["advice"] =
        part_of(group.at("advice"), {"constraints", "failures", "kept", "problems", "note"});
    if (one["advice"]["note"].is_null()) one["advice"]["note"] = "";
    list.push_back(std::move(one));
  }
  return list;
}

Json counts_json(const Leaderboard& board, const Json& document, std::size_t rows) {
  const std::size_t entries = board.entries.size();
  const std::size_t untimed = board.untimed.size();
  Json counts = part_of(document, {"trials", "stale", "outdated"});
  counts["ranked"] = entries;
  counts["tied"] = std::count_if(board.entries.begin(), board.entries.end(),
                                 [](const auto& entry) { return entry.tied_with_best; });
  counts["failed"] = untimed - board.pruned - board.noisy;
  counts["pruned"] = document.at("pruned").at("count");
  counts["noisy"] = document.at("noisy").at("count");
  counts["left_out"] = entries - std::min(entries, rows) + untimed - std::min(untimed, rows);
  return counts;
}

// The best of each run, oldest first; `run` is the number in the database's list.
Json history_json(const Leaderboard& board, const ReportSource& source) {
  Json list = Json::array();
  for (const RunBest& best : source.history.of(board)) {
    list.push_back({{"run", best.run},
                    {"trial", best.trial},
                    {"us", short_number(best.median_us)},
                    {"low", board.modelled ? Json(nullptr) : short_number(best.ci_low_us)},
                    {"high", board.modelled ? Json(nullptr) : short_number(best.ci_high_us)},
                    {"timed", best.timed},
                    {"ranked", best.ranked},
                    {"configuration", best.configuration_text}});
  }
  return list;
}

// The course of the search, with the same words as `warpwright show`.
Json search_json(const Leaderboard& board, const ReportSource& source) {
  const FoundCourse* found = source.courses.find(board);
  if (found == nullptr) return nullptr;
  Json json = short_numbers(Json(found->course));
  json["run"] = found->run;
  json["words"] = search_text(found->course, board.modelled);
  return json;
}

// The limit with the words of `warpwright show`, and the share of it that the best configuration
// reaches.
Json limit_of(const Leaderboard& board, const Json& document) {
  Json limit = short_numbers(document.at("limit"));
  if (limit.is_null()) return limit;
  limit["words"] = limit_lines(board);
  if (board.entries.empty()) return limit;
  const std::optional<LimitShare>& share = board.entries.front().limit_share;
  limit["cell"] = limit_cell(share);
  limit["standing"] = standing_json(share);
  limit["fraction"] = share ? short_number(share->fraction) : Json(nullptr);
  return limit;
}

}  // namespace

Json report_board_json(const Leaderboard& board, const ReportSource& source, std::size_t rows,
                       const ReportLimits& limits) {
  const ConfigurationColumns configurations(board);
  const Order order(board);
  const TrialRecord* best = board.entries.empty() ? nullptr : &board.entries.front().row.trial;
  const TrialRecord none;
  const TrialRecord& like = best != nullptr ? *best : none;
  const Json document = board_document(board);
  Json json = part_of(document, {"kernel", "problem_text", "problem", "imported", "protocol",
                                 "over_default", "over_baseline", "lapsed_ranking"});
  json["kind"] = time_kind_name(time_kind(board));
  json["work"] = {{"bytes", short_number(like.work_bytes)},
                  {"flops", short_number(like.work_flops)},
                  {"arithmetic", like.arithmetic}};
  json["limit"] = limit_of(board, document);
  json["missing_ceiling"] = board.missing_ceiling;
  json["counts"] = counts_json(board, document, rows);
  json["goal"] = report_goal_json(board, document);
  json["pruned_at_least_us"] = short_numbers(document.at("pruned").at("at_least_us"));
  json["floor_us"] = short_number(like.floor_us);
  json["floor_subtracted"] = like.raw_median_us.has_value();
  json["variants"] = configurations.variants();
  json["parameters"] = configurations.parameters();
  json["entries"] = entries_json(board, document, configurations, order, rows);
  json["untimed"] = untimed_json(board, configurations, order, rows);
  json["ranking"] = report_ranking_json(board, document);
  json["samples"] = samples_json(board, source, limits.samples);
  json["history"] = history_json(board, source);
  json["search"] = search_json(board, source);
  json["failures"] = failures_json(document, limits);
  json["remarks"] = remarks_json(board);
  json["contract_remarks"] = document.value("contract_remarks", Json::array());
  json["seconds"] = seconds_json(board);
  add_insights(board, json);
  return json;
}

}  // namespace warpwright
