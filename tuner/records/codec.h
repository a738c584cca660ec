// For the source file of a record whose JSON is an object of its members under their own names.
// nlohmann's macros define inline functions, which other sources could not link; these define
// ordinary ones, so that only this source needs <nlohmann/json.hpp>.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

namespace warpwright {

// Reads a member that is present and has a fitting type; otherwise leaves `to` as it is, so that
// data stored by one version of warpwright can be read by a version with more or fewer members.
template <class T>
void read_member(const nlohmann::json& from, const char* name, T& to) {
  const auto found = from.find(name);
  if (found == from.end() || found->is_null()) return;
  try {
    to = found->get<T>();
  } catch (const nlohmann::json::exception&) {
    return;
  }
}
template <class T>
void read_member(const nlohmann::json& from, const char* name, std::optional<T>& to) {
  const auto found = from.find(name);
  if (found == from.end() || found->is_null()) return;
  try {
    to = found->get<T>();
  } catch (const nlohmann::json::exception&) {
    return;
  }
}

// null for an unknown value.
template <class T>
[[nodiscard]] nlohmann::json json_or_null(const std::optional<T>& value) {
  return value ? nlohmann::json(*value) : nlohmann::json(nullptr);
}

}  // namespace warpwright

#define WARPWRIGHT_RECORD_CODEC(Type, ...)                                       \
  void to_json(nlohmann::json& nlohmann_json_j, const Type& nlohmann_json_t) {   \
    NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(NLOHMANN_JSON_TO, __VA_ARGS__))     \
  }                                                                              \
  void from_json(const nlohmann::json& nlohmann_json_j, Type& nlohmann_json_t) { \
    NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(NLOHMANN_JSON_FROM, __VA_ARGS__))   \
  }

// The same for records in databases: members are read by read_member().
#define WARPWRIGHT_READ_MEMBER(member) \
  read_member(nlohmann_json_j, #member, nlohmann_json_t.member);
#define WARPWRIGHT_STORED_CODEC(Type, ...)                                         \
  void to_json(nlohmann::json& nlohmann_json_j, const Type& nlohmann_json_t) {     \
    NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(NLOHMANN_JSON_TO, __VA_ARGS__))       \
  }                                                                                \
  void from_json(const nlohmann::json& nlohmann_json_j, Type& nlohmann_json_t) {   \
    NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(WARPWRIGHT_READ_MEMBER, __VA_ARGS__)) \
  }
