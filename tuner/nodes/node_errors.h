// Serialization of an Error for messages between ranks.
#pragma once

#include <nlohmann/json.hpp>

#include "core/error.h"

namespace warpwright {

// {"fault": "user", "message": "..."}
[[nodiscard]] inline nlohmann::json node_error_json(const Error& error) {
  return {{"fault", error.fault() == Fault::kUser          ? "user"
                    : error.fault() == Fault::kEnvironment ? "environment"
                                                           : "internal"},
          {"message", error.what()}};
}
[[nodiscard]] inline Error node_error_of(const nlohmann::json& json) {
  const auto fault = json.at("fault").get<std::string>();
  return Error(fault == "user"          ? Fault::kUser
               : fault == "environment" ? Fault::kEnvironment
                                        : Fault::kInternal,
               json.at("message").get<std::string>());
}

}  // namespace warpwright
