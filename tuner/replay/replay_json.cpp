#include "replay/replay_json.h"

#include <nlohmann/json.hpp>

namespace warpwright {
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
