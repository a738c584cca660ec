// Trial rows that also hold their parameters as JSON, and grids of them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "analysis/board/leaderboard.h"
#include "analysis/sample_rows.h"
#include "support/stored_text.h"

namespace warpwright::testing {

class ValuedRows {
 public:
  using Json = nlohmann::json;

  RowMaker make;
  std::vector<Database::TrialRow> rows;

  void ok(const std::string& variant, const Json& values, double median_us) {
    add(make.ok(variant, text_of(values), median_us), values);
  }
  void pruned(const std::string& variant, const Json& values, double at_least_us) {
    add(make.failed(variant, text_of(values), Status::kPruned, "certainly slower"), values);
    rows.back().trial.at_least_us = at_least_us;
  }
  void failed(const std::string& variant, const Json& values, Status status,
              const std::string& reason) {
    add(make.failed(variant, text_of(values), status, reason), values);
  }
  [[nodiscard]] std::vector<Leaderboard> boards() const { return make_leaderboards(rows); }
  [[nodiscard]] Leaderboard board() const { return boards().at(0); }

 private:
  static std::string text_of(const Json& values) {
    std::string text;
    for (const auto& [name, value] : values.items()) {
      text += (text.empty() ? "" : " ") + name + "=";
      text += value.is_string() ? value.get<std::string>() : value.dump();
    }
    return text;
  }
  void add(Database::TrialRow row, const Json& values) {
    set_text(row.trial.parameters, values.dump());
    rows.push_back(std::move(row));
  }
};

}  // namespace warpwright::testing
