#include "workers/measure_request.h"

#include <map>
#include <nlohmann/json.hpp>

#include "core/error.h"

namespace warpwright {
namespace {

using nlohmann::json;
using Cases = std::vector<TrialRunner::CompiledCase>;

// The names of the alternatives on the pipe, in the order of MeasureRequest::what.
constexpr const char* kNames[] = {"time", "keep", "compare", "vet", "rank", "model"};

// Most cases of a configuration share the same code, and a message of megabytes keeps a fast device
// waiting. So equal code is sent once: {"code": [CompileResult...], "cases": [{.., "code":
// index}...]}.
json cases_json(const Cases& cases) {
  json code = json::array();
  json list = json::array();
  std::map<std::string, std::size_t> known;  // by CompileResult::key
  for (const TrialRunner::CompiledCase& test : cases) {
    const std::string& key = test.compiled.key;
    const bool keyed = test.compiled.ok && !key.empty();
    const auto found = keyed ? known.find(key) : known.end();
    const std::size_t index = found != known.end() ? found->second : code.size();
    if (index == code.size()) {
      code.push_back(test.compiled);
      if (keyed) known.emplace(key, index);
    }
    list.push_back({{"name", test.test.name},
                    {"problem", test.test.problem},
                    {"fills", test.test.fills},
                    {"code", index}});
  }
  return {{"code", std::move(code)}, {"cases", std::move(list)}};
}

Cases cases_of(const json& from) {
  const auto code = from.at("code").get<std::vector<CompileResult>>();
  Cases cases;
  for (const json& item : from.at("cases")) {
    TrialRunner::CompiledCase& test = cases.emplace_back();
    item.at("name").get_to(test.test.name);
    item.at("problem").get_to(test.test.problem);
    item.at("fills").get_to(test.test.fills);
    const auto index = item.at("code").get<std::size_t>();
    if (index >= code.size()) throw user_error("a case names code that the message lacks");
    test.compiled = code[index];
  }
  return cases;
}

json configuration_json(const Configuration& configuration) {
  return {{"variant", configuration.variant}, {"values", configuration.values}};
}

Configuration configuration_of(const json& from) {
  Configuration configuration;
  from.at("variant").get_to(configuration.variant);
  from.at("values").get_to(configuration.values);
  return configuration;
}

json trial_json(const CompiledTrial& trial) {
  return {{"configuration", configuration_json(trial.configuration)},
          {"problem", trial.problem},
          {"compiled", trial.compiled},
          {"cases", cases_json(trial.cases)}};
}

CompiledTrial trial_of(const json& from) {
  CompiledTrial trial;
  trial.configuration = configuration_of(from.at("configuration"));
  from.at("problem").get_to(trial.problem);
  from.at("compiled").get_to(trial.compiled);
  trial.cases = cases_of(from.at("cases"));
  return trial;
}

struct Write {
  json operator()(const TrialToTime& asked) const {
    return {{"trial", trial_json(asked.trial)},
            {"best_us", asked.best_us ? json(*asked.best_us) : json(nullptr)},
            {"energy", asked.energy}};
  }
  json operator()(const TrialToKeep& asked) const { return {{"trial", trial_json(asked.trial)}}; }
  json operator()(const TrialToCompare& asked) const {
    return {{"trial", trial_json(asked.trial)}, {"baseline", asked.baseline}};
  }
  json operator()(const CasesToVet& asked) const {
    return {{"configuration", configuration_json(asked.configuration)},
            {"cases", cases_json(asked.cases)},
            {"schedules", asked.schedules}};
  }
  json operator()(const FinalistsToRank& asked) const {
    return {{"problem", asked.problem},
            {"finalists", asked.finalists},
            {"time_limit_ms", asked.time_limit ? json(asked.time_limit->count()) : json(nullptr)}};
  }
  json operator()(const TrialToModel& asked) const {
    return {{"trial", trial_json(asked.trial)}, {"sample_blocks", asked.sample_blocks}};
  }
};

void read(const json& from, TrialToTime& asked) {
  asked.trial = trial_of(from.at("trial"));
  if (!from.at("best_us").is_null()) asked.best_us = from.at("best_us").get<double>();
  from.at("energy").get_to(asked.energy);
}
void read(const json& from, TrialToKeep& asked) { asked.trial = trial_of(from.at("trial")); }
void read(const json& from, TrialToCompare& asked) {
  asked.trial = trial_of(from.at("trial"));
  from.at("baseline").get_to(asked.baseline);
}
void read(const json& from, CasesToVet& asked) {
  asked.configuration = configuration_of(from.at("configuration"));
  asked.cases = cases_of(from.at("cases"));
  from.at("schedules").get_to(asked.schedules);
}
void read(const json& from, FinalistsToRank& asked) {
  from.at("problem").get_to(asked.problem);
  from.at("finalists").get_to(asked.finalists);
  if (const json& limit = from.at("time_limit_ms"); !limit.is_null())
    asked.time_limit = std::chrono::milliseconds(limit.get<std::int64_t>());
}

void read(const json& from, TrialToModel& asked) {
  asked.trial = trial_of(from.at("trial"));
  from.at("sample_blocks").get_to(asked.sample_blocks);
}

template <std::size_t Index = 0>
void read_what(const json& from, MeasureRequest& request) {
  if constexpr (Index == std::size(kNames)) {
    (void)from.at(kNames[0]);  // throws, and says that it is missing
  } else if (from.contains(kNames[Index])) {
    read(from.at(kNames[Index]), request.what.emplace<Index>());
  } else {
    read_what<Index + 1>(from, request);
  }
}

}  // namespace

static_assert(std::size(kNames) == std::variant_size_v<decltype(MeasureRequest::what)>);

void to_json(json& to, const MeasureRequest& request) {
  to = {{"launch_time_limit_ms", request.launch_time_limit.count()}};
  to[kNames[request.what.index()]] = std::visit(Write{}, request.what);
}

void from_json(const json& from, MeasureRequest& request) {
  request = {};
  request.launch_time_limit =
      std::chrono::milliseconds(from.at("launch_time_limit_ms").get<std::int64_t>());
  read_what(from, request);
}

}  // namespace warpwright
