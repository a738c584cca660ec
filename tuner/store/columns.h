// JSON columns of the database as values, read on first use. Nothing else parses a column, so that
// unreadable ones are reported in one way.
#pragma once

#include <string>
#include <utility>

#include "records/stored.h"

namespace warpwright {

// Throws damaged_column().
[[nodiscard]] nlohmann::json parse_column(const std::string& text, const ColumnName& name);

// "" means not known.
template <class T>
[[nodiscard]] Stored<T> stored_column(std::string text, const ColumnName& name) {
  return Stored<T>::from_column(std::move(text), name, &parse_column);
}

}  // namespace warpwright
