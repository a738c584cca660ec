// Mutations of JSON that stay JSON: values of other types, numbers beyond every range, members that
// are missing, renamed or doubled, and nesting.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "fuzz/random.h"

namespace warpwright::fuzz {

[[nodiscard]] std::string mutate_json(const nlohmann::json& json, Random& random);

}  // namespace warpwright::fuzz
