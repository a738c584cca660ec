#include "output/report/configuration_columns.h"

#include <algorithm>
#include <set>

#include "output/json/json_values.h"

namespace warpwright {
namespace {

using Json = nlohmann::json;

Json values_of(const TrialRecord& trial) { return *trial.parameters; }

template <class T>
Json index_of(const std::vector<T>& sorted, const T& value) {
  const auto it = std::lower_bound(sorted.begin(), sorted.end(), value);
  return it != sorted.end() && *it == value ? Json(it - sorted.begin()) : Json(-1);
}

}  // namespace

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

}  // namespace warpwright
