#include "output/json/versions_json.h"

#include <nlohmann/json.hpp>

#include "output/json/json_values.h"
#include "output/text/limit_text.h"

namespace warpwright {
namespace {

using Json = nlohmann::json;

Json cells_json(const std::vector<VersionCell>& cells) {
  Json json = Json::array();
  for (const VersionCell& cell : cells) {
    if (cell.time) {
      json.push_back(
          {{"median_us", cell.time->median_us},
           {"ci_low_us", or_null(cell.time->ci_low_us)},
           {"ci_high_us", or_null(cell.time->ci_high_us)},
           {"tied_with_best", cell.time->tied_with_best},
           {"configuration_text", cell.time->configuration_text},
           {"gflop_per_s", or_null(cell.time->gigaflops_per_second)},
           {"limit_fraction",
            cell.time->limit_share ? Json(cell.time->limit_share->fraction) : Json(nullptr)},
           {"limit_standing", standing_json(cell.time->limit_share)},
           {"status", "ok"}});
    } else {
      json.push_back(cell.status.empty() ? Json(nullptr) : Json{{"status", cell.status}});
    }
  }
  return json;
}

Json rows_json(const std::vector<VersionRow>& rows) {
  Json json = Json::array();
  for (const VersionRow& row : rows)
    json.push_back({{"name", row.name}, {"cells", cells_json(row.cells)}});
  return json;
}

Json table_json(const VersionTable& table) {
  Json problems = Json::array(), gain = Json::array();
  for (std::size_t i = 0; i < table.problem_texts.size(); ++i) {
    problems.push_back(
        {{"problem", table.problems[i].document()}, {"problem_text", table.problem_texts[i]}});
  }
  for (const std::optional<double>& value : table.gain) gain.push_back(or_null(value));
  return {{"sweep", table.sweep},
          {"kernel", table.kernel},
          {"device", {{"id", table.device_id}, {"name", table.device_name}}},
          {"protocol", table.protocol},
          {"modelled", table.modelled},
          {"problems", std::move(problems)},
          {"variants", table.variants},
          {"rows", rows_json(table.versions)},
          {"best_of_variants", cells_json(table.best_of_variants.cells)},
          {"best_of_all", cells_json(table.best_of_all.cells)},
          {"gain", std::move(gain)},
          {"order", table.order},
          {"peers", rows_json(table.peers)}};
}

}  // namespace

nlohmann::json versions_json(const std::vector<VersionTable>& tables) {
  Json json = Json::array();
  for (const VersionTable& table : tables) json.push_back(table_json(table));
  return {{"versions", std::move(json)}};
}

}  // namespace warpwright
