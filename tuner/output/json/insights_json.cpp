#include "output/json/insights_json.h"

#include <nlohmann/json.hpp>

namespace warpwright {
namespace {

using Json = nlohmann::json;

Json time_json(const KnownTime& time) { return {{"us", time.us}, {"at_least", time.at_least}}; }

Json parameter_json(const ParameterImportance& parameter) {
  Json values = Json::array();
  for (const ValueTimes& value : parameter.values) {
    values.push_back({{"value", value.value},
                      {"configurations", value.configurations},
                      {"pruned", value.pruned},
                      {"best", time_json(value.best)},
                      {"median", time_json(value.median)}});
  }
  return {{"name", parameter.name},
          {"main_share", parameter.main_share},
          {"permutation", parameter.permutation},
          {"values", std::move(values)}};
}

Json variant_json(const VariantImportance& variant) {
  Json parameters = Json::array();
  for (const ParameterImportance& parameter : variant.parameters)
    parameters.push_back(parameter_json(parameter));
  Json interactions = Json::array();
  for (const InteractionImportance& pair : variant.interactions)
    interactions.push_back({{"first", pair.first}, {"second", pair.second}, {"share", pair.share}});
  return {{"variant", variant.variant},
          {"configurations", variant.configurations},
          {"pruned", variant.pruned},
          {"best", time_json(variant.best)},
          {"slowest_over_best", variant.slowest_over_best},
          {"why_not", variant.why_not.empty() ? Json(nullptr) : Json(variant.why_not)},
          {"r_squared", variant.r_squared ? Json(*variant.r_squared) : Json(nullptr)},
          {"parameters", std::move(parameters)},
          {"interactions", std::move(interactions)},
          {"higher_share", variant.higher_share}};
}

}  // namespace

Json importance_json(const Importance& importance) {
  Json variants = Json::array();
  for (const VariantImportance& variant : importance.variants)
    variants.push_back(variant_json(variant));
  return {
      {"modelled", importance.modelled},
      {"imported", importance.imported},
      {"configurations", importance.configurations},
      {"pruned", importance.pruned},
      {"variant_share", importance.variant_share ? Json(*importance.variant_share) : Json(nullptr)},
      {"variants", std::move(variants)}};
}

Json landscape_json(const Landscape& landscape) {
  Json near_best = Json::array();
  for (const NearBest& near : landscape.near_best) {
    near_best.push_back({{"within", near.within},
                         {"configurations", near.configurations},
                         {"at_most", near.at_most}});
  }
  Json quantiles = Json::array();
  for (const SlowdownQuantile& quantile : landscape.quantiles) {
    quantiles.push_back({{"fraction", quantile.fraction},
                         {"slowdown", quantile.slowdown.us},
                         {"at_least", quantile.slowdown.at_least}});
  }
  Json bins = Json::array();
  for (const SlowdownBin& bin : landscape.bins) {
    bins.push_back(
        {{"low", bin.low}, {"high", bin.high}, {"timed", bin.timed}, {"pruned", bin.pruned}});
  }
  Json budget = Json::array();
  for (const BudgetPoint& point : landscape.budget) {
    budget.push_back({{"trials", point.trials},
                      {"expected_slowdown", point.expected_slowdown},
                      {"good_chance", point.good_chance},
                      {"nothing_chance", point.nothing_chance}});
  }
  const LocalMinima& minima = landscape.minima;
  return {{"modelled", landscape.modelled},
          {"imported", landscape.imported},
          {"configurations", landscape.configurations},
          {"pruned", landscape.pruned},
          {"failed", landscape.failed},
          {"noisy", landscape.noisy},
          {"best_us", landscape.best_us},
          {"near_best", std::move(near_best)},
          {"quantiles", std::move(quantiles)},
          {"bins", std::move(bins)},
          {"local_minima",
           {{"minima", minima.minima},
            {"good", minima.good},
            {"isolated", minima.isolated},
            {"mean_neighbours", minima.mean_neighbours},
            {"descents_to_good", minima.descents_to_good}}},
          {"good_within", kGoodWithin},
          {"budget", std::move(budget)},
          {"trials_for_good", landscape.trials_for_good}};
}

Json heat_map_json(const HeatMap& map) {
  Json rows = Json::array();
  for (std::size_t y = 0; y < map.y_values.size(); ++y) {
    Json row = Json::array();
    for (std::size_t x = 0; x < map.x_values.size(); ++x) {
      const HeatMapCell& cell = map.cell(x, y);
      row.push_back({{"configurations", cell.configurations},
                     {"pruned", cell.pruned},
                     {"failed", cell.failed},
                     {"best", cell.best ? time_json(*cell.best) : Json(nullptr)},
                     {"median", cell.median ? time_json(*cell.median) : Json(nullptr)}});
    }
    rows.push_back(std::move(row));
  }
  return {{"variant", map.variant},
          {"x", map.x},
          {"y", map.y},
          {"modelled", map.modelled},
          {"x_values", map.x_values},
          {"y_values", map.y_values},
          {"cells", std::move(rows)}};
}

}  // namespace warpwright
