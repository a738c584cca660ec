// The configurations of a board as columns of indices into each parameter's list of values.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "analysis/board/leaderboard.h"

namespace warpwright {

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

}  // namespace warpwright
