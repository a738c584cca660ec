#include "output/json/comparison_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "output/text/comparison_text.h"

namespace warpwright {
namespace {

using Json = nlohmann::json;

template <class T>
Json known_or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

const char* how_name(Reached::How how) {
  switch (how) {
    case Reached::How::kNotTried:
      return "not_tried";
    case Reached::How::kTimed:
      return "timed";
    case Reached::How::kPruned:
      return "pruned";
    case Reached::How::kFailed:
      return "failed";
    case Reached::How::kUntimed:
      return "no_time";
  }
  return "unknown";
}

std::string snake(std::string_view words) {
  std::string text(words);
  std::replace(text.begin(), text.end(), ' ', '_');
  return text;
}

Json speedup_json(const ComparedRatio& speedup) {
  return {{"verdict", snake(verdict_name(speedup.verdict))},
          {"against", known_or_null(speedup.against)},
          {"ratio", known_or_null(speedup.ratio)},
          {"low", known_or_null(speedup.low)},
          {"high", known_or_null(speedup.high)},
          {"why", text_or_null(speedup.why)}};
}

Json contender_json(const Comparison& comparison, std::size_t at) {
  const Contender& contender = comparison.contenders[at];
  std::set<std::string> kinds;
  for (const ProblemComparison& problem : comparison.problems)
    if (problem.best[at].entry) kinds.emplace(time_kind_name(problem.best[at].kind));
  Json gpus = Json::array();
  for (const ContenderDevice& device : contender.devices)
    gpus.push_back({{"id", device.id}, {"fingerprint", device.fingerprint}});
  return {{"letter", contender_letter(at)},
          {"name", contender.name},
          {"source", contender.source},
          {"device",
           {{"id", contender.devices.front().id},
            {"name", contender.device_name},
            {"arch", contender.device_arch},
            {"driver", contender.device_driver},
            {"fingerprint", contender.devices.front().fingerprint}}},
          {"gpus", std::move(gpus)},
          {"times", kinds},
          {"runs", contender.runs},
          {"versions", contender.versions},
          {"nvrtc", contender.nvrtc_versions},
          {"seeds", contender.seeds},
          {"first_started_utc", text_or_null(contender.first_started_utc)},
          {"last_started_utc", text_or_null(contender.last_started_utc)},
          {"trials", contender.trials}};
}

Json best_json(const ProblemBest& best) {
  if (!best.tried) return nullptr;
  Json json = {{"times", best.entry ? Json(time_kind_name(best.kind)) : Json(nullptr)},
               {"protocol", best.protocol},
               {"median_us", nullptr},
               {"ci_low_us", nullptr},
               {"ci_high_us", nullptr},
               {"configuration_text", nullptr},
               {"configuration", nullptr},
               {"trial", nullptr},
               {"gpu", nullptr},
               {"ties", best.ties},
               {"final_ranking", best.final_ranking},
               {"ranked", best.ranked},
               {"trials", best.trials},
               {"speedup", speedup_json(best.speedup)}};
  if (!best.entry) return json;
  const TrialRecord& trial = best.entry->row.trial;
  json["median_us"] = best.entry->median_us;
  json["ci_low_us"] = known_or_null(best.entry->ci_low_us);
  json["ci_high_us"] = known_or_null(best.entry->ci_high_us);
  json["configuration_text"] = trial.configuration_text;
  json["configuration"] = trial.parameters.document();
  json["trial"] = trial.id;
  json["gpu"] = {{"id", best.entry->row.device_id},
                 {"fingerprint", best.entry->row.device_fingerprint}};
  if (!best.entry->version.empty()) json["version"] = best.entry->version;
  return json;
}

Json cell_json(const TransferCell& cell) {
  const Reached& reached = cell.reached;
  const bool tried = reached.how != Reached::How::kNotTried;
  return {{"how", how_name(reached.how)},
          {"status", tried ? Json(status_name(reached.status)) : Json(nullptr)},
          {"fraction", known_or_null(reached.fraction)},
          {"time_us", known_or_null(reached.time_us)},
          {"configuration_text", text_or_null(cell.configuration)},
          {"of_ties", cell.of_ties}};
}

Json portability_json(const Portability& portability) {
  Json configurations = Json::array();
  for (const PortableConfiguration& configuration : portability.configurations) {
    Json efficiencies = Json::array();
    for (const auto& efficiency : configuration.efficiencies)
      efficiencies.push_back(known_or_null(efficiency));
    configurations.push_back({{"configuration_text", configuration.configuration},
                              {"value", configuration.value},
                              {"at_most", configuration.at_most},
                              {"efficiencies", std::move(efficiencies)}});
  }
  const PortableConfiguration* best = portability.best();
  return {{"platforms", portability.platforms},
          {"failing", portability.failing},
          {"open", portability.open()},
          {"best", best == nullptr ? Json(nullptr) : Json(best->configuration)},
          {"configurations", std::move(configurations)}};
}

Json problem_json(const ProblemComparison& problem) {
  Json best = Json::array(), transfer = Json::array();
  for (const ProblemBest& one : problem.best) best.push_back(best_json(one));
  for (const auto& row : problem.transfer) {
    Json cells = Json::array();
    for (const TransferCell& cell : row) cells.push_back(cell_json(cell));
    transfer.push_back(std::move(cells));
  }
  return {{"kernel", problem.kernel},
          {"problem", problem.problem.document()},
          {"problem_text", problem.problem_text},
          {"best", std::move(best)},
          {"transfer", std::move(transfer)},
          {"portability", portability_json(problem.portability)}};
}

Json tally_json(const Tally& tally) {
  return {{"contender", tally.contender},   {"against", tally.against},
          {"compared", tally.compared},     {"faster", tally.faster},
          {"slower", tally.slower},         {"no_difference", tally.no_difference},
          {"not_judged", tally.not_judged}, {"geometric_mean", tally.geometric_mean}};
}

Json transfer_json(const Comparison& comparison, const TransferSummary& transfer) {
  const bool timed = transfer.timed > 0;
  const ProblemComparison& worst = comparison.problems.at(transfer.worst_problem);
  return {{"of", transfer.of},
          {"on", transfer.on},
          {"problems", transfer.problems},
          {"timed", transfer.timed},
          {"pruned", transfer.stopped},
          {"failed", transfer.failed},
          {"unknown", transfer.unknown},
          {"geometric_mean", timed ? Json(transfer.geometric_mean) : Json(nullptr)},
          {"worst", timed ? Json(transfer.worst) : Json(nullptr)},
          {"worst_kernel", timed ? Json(worst.kernel) : Json(nullptr)},
          {"worst_problem_text", timed ? Json(worst.problem_text) : Json(nullptr)}};
}

Json portability_summary_json(const Comparison& comparison) {
  const PortabilitySummary& summary = comparison.portability;
  if (summary.problems == 0) return nullptr;
  const ProblemComparison& worst = comparison.problems.at(summary.worst_problem);
  return {{"problems", summary.problems},
          {"mean", summary.mean},
          {"worst", summary.worst},
          {"worst_kernel", worst.kernel},
          {"worst_problem_text", worst.problem_text}};
}

Json portfolio_json(const CoveringPortfolio& portfolio) {
  Json members = Json::array();
  for (const PortfolioMember& member : portfolio.members) {
    members.push_back({{"configuration_text", member.configuration},
                       {"serves", member.serves},
                       {"worst_fraction", member.worst_fraction}});
  }
  return {{"kernel", portfolio.kernel},     {"within", portfolio.within},
          {"places", portfolio.places},     {"candidates", portfolio.candidates},
          {"at_least", portfolio.at_least}, {"proved_smallest", portfolio.proved_smallest()},
          {"members", std::move(members)}};
}

Json ceiling_json(const CeilingComparison& ceiling) {
  Json values = Json::array(), ratios = Json::array();
  for (const auto& value : ceiling.values) {
    if (!value) {
      values.push_back(nullptr);
      continue;
    }
    values.push_back({{"value", value->value},
                      {"unit", value->unit},
                      {"ci_low", known_or_null(value->ci_low)},
                      {"ci_high", known_or_null(value->ci_high)},
                      {"protocol", value->protocol},
                      {"measured_utc", value->measured_utc}});
  }
  for (const ComparedRatio& ratio : ceiling.ratios) {
    // A higher ceiling is neither faster nor slower.
    Json json = speedup_json(ratio);
    json.erase("verdict");
    json.erase("against");
    ratios.push_back(std::move(json));
  }
  return {{"name", ceiling.name},
          {"unit", ceiling.unit},
          {"values", std::move(values)},
          {"ratios", std::move(ratios)}};
}

}  // namespace

Json comparison_json(const Comparison& comparison) {
  Json json = {{"contenders", Json::array()},
               {"one_device", comparison.one_device},
               {"differences", Json::array()},
               {"tallies", Json::array()},
               {"problems", Json::array()},
               {"portfolios", Json::array()},
               {"ceilings", Json::array()},
               {"transfers", Json::array()},
               {"portability", portability_summary_json(comparison)}};
  for (std::size_t i = 0; i < comparison.contenders.size(); ++i)
    json["contenders"].push_back(contender_json(comparison, i));
  for (const ContenderDifference& difference : comparison.differences) {
    Json values = Json::array();
    for (const std::string& value : difference.values) values.push_back(text_or_null(value));
    json["differences"].push_back({{"what", difference.what}, {"values", std::move(values)}});
  }
  for (const Tally& tally : comparison.tallies) json["tallies"].push_back(tally_json(tally));
  for (const TransferSummary& transfer : comparison.transfers)
    json["transfers"].push_back(transfer_json(comparison, transfer));
  for (const ProblemComparison& problem : comparison.problems)
    json["problems"].push_back(problem_json(problem));
  for (const CoveringPortfolio& portfolio : comparison.portfolios)
    json["portfolios"].push_back(portfolio_json(portfolio));
  for (const CeilingComparison& ceiling : comparison.ceilings)
    json["ceilings"].push_back(ceiling_json(ceiling));
  return json;
}

}  // namespace warpwright
