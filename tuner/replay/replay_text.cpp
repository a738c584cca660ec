#include "replay/replay_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "core/terminal_text.h"
#include "terminal/numbers.h"
#include "terminal/screen.h"
#include "terminal/table.h"

namespace warpwright {
namespace {

std::string plan_text(const std::vector<Recording>& recordings, const ReplayPlan& plan) {
  const std::string seeds =
      plan.repeats == 1 ? fmt::format("seed {}", plan.seed)
                        : fmt::format("seeds {} to {}", plan.seed, plan.seed + plan.repeats - 1);
  return fmt::format(
      "{}, {} of each strategy at {} {}: {}, {} at a time\n"
      "score: the best time there is / the best found, mean ± standard error; {}\n",
      counted(recordings.size(), "recording", "recordings"), counted(plan.repeats, "run", "runs"),
      plan.budgets.size() == 1 ? "budget" : "budgets", fmt::join(plan.budgets, ", "), seeds,
      counted(plan.in_flight, "question", "questions"), "random search is exact");
}

std::string recording_title(const Recording& recording) {
  const RecordingHead& head = recording.head;
  const std::size_t pruned = recording.with_status(Status::kPruned);
  const std::size_t failed = recording.count() - recording.succeeded - pruned;
  std::string text = fmt::format("{}: {}, best {} µs ({})", head.name,
                                 counted(recording.count(), "configuration", "configurations"),
                                 format_us(recording.best_us), head.kind);
  if (failed > 0) text += fmt::format(", {} failed", format_thousands(static_cast<double>(failed)));
  if (pruned > 0) text += fmt::format(", {} pruned", format_thousands(static_cast<double>(pruned)));
  text = terminal_line(text) + "\n";
  for (const std::string& note : head.notes)
    text += fmt::format("  note: {}\n", terminal_line(note));
  return text;
}

std::string score_cell(const BudgetScore& score) {
  if (!score.standard_error) return fmt::format("{:.3f}", score.score);
  return fmt::format("{:.3f} ± {:.3f}", score.score, *score.standard_error);
}

std::string evaluations_cell(const std::optional<std::uint64_t>& after, std::uint64_t budget) {
  return after ? format_thousands(static_cast<double>(*after))
               : ">" + format_thousands(static_cast<double>(budget));
}

std::string near_cell(const std::optional<std::uint64_t>& after, double mean,
                      std::uint64_t budget) {
  return fmt::format("{}, {:.1f}", evaluations_cell(after, budget), mean);
}

std::string question_cell(const StrategyScores& strategy) {
  if (strategy.question.questions == 0) return "-";
  return fmt::format("{}, {}", format_us(strategy.question.median * 1e6),
                     format_us(strategy.question.mean * 1e6));
}

// The index of the largest budget.
std::size_t largest_budget(const ReplayPlan& plan) {
  return static_cast<std::size_t>(std::max_element(plan.budgets.begin(), plan.budgets.end()) -
                                  plan.budgets.begin());
}

std::string scores_table(const std::vector<StrategyScores>& strategies, const ReplayPlan& plan,
                         const Screen& screen) {
  std::vector<Table::Column> columns = {word_column("strategy")};
  for (const std::uint64_t budget : plan.budgets)
    columns.push_back({fmt::format("score at {}", budget)});
  columns.push_back(number_column("auc", 1));
  columns.push_back(number_column("to 5 %", 3));
  columns.push_back(number_column("to 1 %", 2));
  columns.push_back(number_column("own µs", 4));
  Table table(columns);
  const std::size_t last = largest_budget(plan);
  for (const StrategyScores& strategy : strategies) {
    std::vector<std::string> row = {strategy.name};
    for (const BudgetScore& score : strategy.budgets) row.push_back(score_cell(score));
    const BudgetScore& full = strategy.budgets[last];
    row.push_back(fmt::format("{:.3f}", full.area));
    row.push_back(near_cell(full.near.within_5, full.near.mean_5, full.budget));
    row.push_back(near_cell(full.near.within_1, full.near.mean_1, full.budget));
    row.push_back(question_cell(strategy));
    table.add_row(row);
  }
  return table.render(0, screen);
}

std::string legend(const ReplayPlan& plan) {
  const std::uint64_t budget = plan.budgets[largest_budget(plan)];
  return fmt::format(
      "\nauc: mean of the score so far over {} evaluations; to 5 %, to 1 %: evaluations until half "
      "of the runs of {} were that near the best, and in the mean, runs that never were counting "
      "as "
      "ended; own µs: of the strategy itself for a question, "
      "median and mean, measured here\n",
      budget, budget);
}

}  // namespace

std::string replay_text(const std::vector<Recording>& recordings, const ReplayPlan& plan,
                        const ReplayReport& report, const Screen& screen) {
  std::string text = plan_text(recordings, plan);
  for (std::size_t i = 0; i < recordings.size(); ++i) {
    text += "\n" + recording_title(recordings[i]) +
            scores_table(report.recordings[i].strategies, plan, screen);
  }
  if (!report.mean.empty()) {
    text += fmt::format("\nmean over {} recordings\n", recordings.size()) +
            scores_table(report.mean, plan, screen);
  }
  return text + legend(plan);
}

namespace {

using Json = nlohmann::json;

template <typename T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json budget_json(const BudgetScore& score) {
  Json json = {{"budget", score.budget},
               {"score", score.score},
               {"standard_error", or_null(score.standard_error)},
               {"auc", score.area},
               {"evaluations", score.evaluations},
               {"within_5_percent", or_null(score.near.within_5)},
               {"within_1_percent", or_null(score.near.within_1)},
               {"within_5_percent_mean", score.near.mean_5},
               {"within_1_percent_mean", score.near.mean_1}};
  if (!score.scores.empty()) json["scores"] = score.scores;
  if (!score.curve.at.empty()) {
    json["curve"] = {{"at", score.curve.at},
                     {"mean", score.curve.mean},
                     {"low", score.curve.low},
                     {"high", score.curve.high}};
  }
  return json;
}

Json scores_json(const std::vector<StrategyScores>& strategies) {
  Json list = Json::array();
  for (const StrategyScores& strategy : strategies) {
    Json json = {{"strategy", strategy.name}, {"exact", strategy.exact}, {"question_us", nullptr}};
    if (strategy.question.questions > 0) {
      json["question_us"] = {{"median", strategy.question.median * 1e6},
                             {"mean", strategy.question.mean * 1e6},
                             {"questions", strategy.question.questions}};
    }
    json["budgets"] = Json::array();
    for (const BudgetScore& score : strategy.budgets) json["budgets"].push_back(budget_json(score));
    list.push_back(std::move(json));
  }
  return list;
}

Json recording_json(const Recording& recording) {
  const RecordingHead& head = recording.head;
  return {{"name", head.name},
          {"kernel", head.kernel},
          {"problem", head.problem},
          {"device", head.device},
          {"file", head.file},
          {"format", head.format},
          {"kind", head.kind},
          {"notes", head.notes},
          {"configurations", recording.count()},
          {"succeeded", recording.succeeded},
          {"pruned", recording.with_status(Status::kPruned)},
          {"best_us", recording.best_us}};
}

// The text of each requested index, such as "[16,1,\"f32\"]", made only once.
class ConfigurationTexts {
 public:
  explicit ConfigurationTexts(const Recording& recording)
      : recording_(recording), texts_(recording.count()) {}

  const std::string& at(std::uint32_t index) {
    std::string& text = texts_[index];
    if (text.empty()) {
      text = Json(recording_.values_at(index)).dump(-1, ' ', false, Json::error_handler_t::replace);
    }
    return text;
  }

 private:
  const Recording& recording_;
  std::vector<std::string> texts_;
};

void add_trace(const ReplayRun& run, const Json& head, ConfigurationTexts& texts,
               std::string& lines) {
  std::string line = head.dump(-1, ' ', false, Json::error_handler_t::replace);
  line.pop_back();
  line += ",\"evaluations\":[";
  for (std::size_t i = 0; i < run.evaluated.size(); ++i) {
    if (i > 0) line += ',';
    line += texts.at(run.evaluated[i]);
  }
  lines += line + "]}\n";
}

}  // namespace

nlohmann::json replay_json(const std::vector<Recording>& recordings, const ReplayPlan& plan,
                           const ReplayReport& report) {
  Json json = {{"schema", 1},
               {"budgets", plan.budgets},
               {"repeats", plan.repeats},
               {"seed", plan.seed},
               {"in_flight", plan.in_flight},
               {"strategies", Json::array()},
               {"recordings", Json::array()},
               {"mean", scores_json(report.mean)}};
  for (const ReplayStrategy& strategy : plan.strategies)
    json["strategies"].push_back({{"name", strategy.name}, {"options", strategy.values}});
  for (std::size_t i = 0; i < recordings.size(); ++i) {
    Json one = recording_json(recordings[i]);
    if (!recordings[i].sources.empty()) one["sources"] = recordings[i].sources;
    one["scores"] = scores_json(report.recordings[i].strategies);
    json["recordings"].push_back(std::move(one));
  }
  return json;
}

std::string replay_traces(const std::vector<Recording>& recordings, const ReplayPlan& plan,
                          const ReplayResults& results) {
  std::string lines;
  for (std::size_t i = 0; i < recordings.size(); ++i) {
    ConfigurationTexts texts(recordings[i]);
    for (std::size_t s = 0; s < plan.strategies.size(); ++s) {
      for (std::size_t b = 0; b < plan.budgets.size(); ++b) {
        Json head = {{"pair", recordings[i].head.name},
                     {"strategy", plan.strategies[s].name},
                     {"budget", plan.budgets[b]}};
        std::uint64_t seed = plan.seed;
        for (const ReplayRun& run : results.runs(i, s, b)) {
          head["seed"] = seed++;
          add_trace(run, head, texts, lines);
        }
      }
    }
  }
  return lines;
}

}  // namespace warpwright
