#include "header_export/stored_values.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "core/error.h"

namespace warpwright {
namespace {

using nlohmann::json;

Error bad_column(const Database::TrialRow& row, const char* what, const std::string& text) {
  return user_error(
      fmt::format("trial {}: its {} is not JSON: {:.60}; measure it again with --fresh",
                  row.trial.id, what, text));
}

std::map<std::string, Value> read_values(const Database::TrialRow& row, const char* what,
                                         const std::string& text) {
  const json object = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!object.is_object()) throw bad_column(row, what, text);
  std::map<std::string, Value> values;
  for (const auto& [name, value] : object.items()) values[name] = value.get<Value>();
  return values;
}

}  // namespace

std::map<std::string, Value> stored_limits(const std::string& details_json) {
  static constexpr std::pair<const char*, const char*> kLimits[] = {
      {"max_shared", "max_shared_per_block"},
      {"max_shared_per_block", "max_shared_per_block"},
      {"max_threads", "max_threads_per_block"},
      {"warp_size", "warp_size"},
      {"sm_count", "sm_count"},
      {"registers_per_sm", "registers_per_sm"},
      {"registers_per_block", "registers_per_block"},
      {"l2_bytes", "l2_bytes"},
      {"compute_capability", "compute_capability"},
      {"global_bytes", "global_bytes"},
  };
  std::map<std::string, Value> limits;
  const json details = json::parse(details_json, nullptr, /*allow_exceptions=*/false);
  for (const auto& [limit, member] : kLimits) {
    const bool known =
        details.is_object() && details.contains(member) && details[member].is_number_integer();
    limits[limit] = known ? Value(details[member].get<std::int64_t>()) : Value(0);
  }
  return limits;
}

std::map<std::string, Value> stored_problem(const Database::TrialRow& row) {
  return read_values(row, "problem", row.trial.problem_json);
}

std::map<std::string, Value> stored_configuration(const Database::TrialRow& row) {
  return read_values(row, "configuration", row.trial.configuration_json);
}

}  // namespace warpwright
