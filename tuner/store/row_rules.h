// What every row of a database keeps to, beyond its schema: values of the type that is declared,
// times that are finite and positive, intervals around them, sizes that are sane. SQLite stores
// anything in any column, and ranking, division and export trust what they read: so rows of others
// are held against these rules before they are merged, and what is salvaged keeps to them.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "store/sqlite.h"

namespace warpwright {

// The first rule that the row under `row` breaks: "median_us is inf, expected a finite positive
// time"; nullopt when it keeps to all of them. `columns` names the row's columns in order; those
// without a rule are not judged.
[[nodiscard]] std::optional<std::string> broken_rule(const std::string& table, const Statement& row,
                                                     std::span<const std::string> columns);

// The first of a database of the current schema: "table 'trial', row 17: median_us is inf, expected
// a finite positive time".
[[nodiscard]] std::optional<std::string> find_broken_row(Connection& connection);

}  // namespace warpwright
