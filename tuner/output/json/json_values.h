// Values of the report's document: short numbers, nulls for what is not known, columns as JSON.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "records/records.h"

namespace warpwright {

// Six significant digits: more than any measurement has, and a third of the bytes of a double. null
// for what is not finite.
[[nodiscard]] nlohmann::json short_number(double value);
[[nodiscard]] nlohmann::json short_number(const std::optional<double>& value);

// Every real number within it shortened.
[[nodiscard]] nlohmann::json short_numbers(nlohmann::json value);

template <class T>
[[nodiscard]] nlohmann::json or_null(const std::optional<T>& value) {
  return value ? nlohmann::json(*value) : nlohmann::json(nullptr);
}

// All that the column holds; {} when not known. Throws Error (user) that names the row and column.
template <class T>
[[nodiscard]] nlohmann::json document_of(const Stored<T>& stored) {
  return stored.known() ? stored.document() : nlohmann::json::object();
}

// Its first bytes followed by "…", never half a character.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t bytes);

// At most `limit` of 0..count-1, ascending: the first half of them as they are, since those are the
// best, the others evenly spaced up to the last.
[[nodiscard]] std::vector<std::size_t> best_and_spread(std::size_t count, std::size_t limit);
// At most `limit` of 0..count-1, ascending and evenly spaced.
[[nodiscard]] std::vector<std::size_t> spread(std::size_t count, std::size_t limit);

}  // namespace warpwright
