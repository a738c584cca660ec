#include "workers/measure_request.h"

#include <map>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "records/codec.h"

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

}  // namespace

WARPWRIGHT_MEMBERS(CompiledTrial, io, trial) {
  io.as("configuration", trial.configuration, configuration_json, configuration_of);
  io("problem", trial.problem);
  io("compiled", trial.compiled);
  io.as("cases", trial.cases, cases_json, cases_of);
}
WARPWRIGHT_CODEC_OF(CompiledTrial)

WARPWRIGHT_CODEC(TrialToTime, trial, best_us, energy)
WARPWRIGHT_CODEC(TrialToKeep, trial)
WARPWRIGHT_CODEC(TrialToCompare, trial, baseline)
WARPWRIGHT_CODEC(TrialToModel, trial, sample_blocks)

WARPWRIGHT_MEMBERS(CasesToVet, io, asked) {
  io.as("configuration", asked.configuration, configuration_json, configuration_of);
  io.as("cases", asked.cases, cases_json, cases_of);
  io("schedules", asked.schedules);
}
WARPWRIGHT_CODEC_OF(CasesToVet)

WARPWRIGHT_MEMBERS(FinalistsToRank, io, asked) {
  io("problem", asked.problem);
  io("finalists", asked.finalists);
  io("time_limit_ms", asked.time_limit);
}
WARPWRIGHT_CODEC_OF(FinalistsToRank)

namespace {

template <std::size_t Index = 0>
void read_what(const json& from, MeasureRequest& request) {
  if constexpr (Index == std::size(kNames)) {
    (void)from.at(kNames[0]);  // throws, and says that it is missing
  } else if (from.contains(kNames[Index])) {
    from.at(kNames[Index]).get_to(request.what.emplace<Index>());
  } else {
    read_what<Index + 1>(from, request);
  }
}

}  // namespace

static_assert(std::size(kNames) == std::variant_size_v<decltype(MeasureRequest::what)>);

void to_json(json& to, const MeasureRequest& request) {
  to = {{"launch_time_limit_ms", request.launch_time_limit.count()}};
  to[kNames[request.what.index()]] =
      std::visit([](const auto& asked) { return json(asked); }, request.what);
}

void from_json(const json& from, MeasureRequest& request) {
  request = {};
  request.launch_time_limit =
      std::chrono::milliseconds(from.at("launch_time_limit_ms").get<std::int64_t>());
  read_what(from, request);
}

}  // namespace warpwright
