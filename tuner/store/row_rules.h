// What every row of a database keeps to, beyond its schema: values of the type that is declared,
// times that are finite and positive, intervals around them, sizes that are sane. SQLite stores
// anything in any column, and who ranks, divides and exports trusts what it reads: so rows of
// others are held against these rules before they are merged, and what is salvaged keeps to them.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "store/sqlite.h"

namespace warpwright {

// Of a row that `row` stands on, whose columns are `columns` in that order, as far as they have
// rules: "median_us is inf, expected a finite positive time"; nullopt when it keeps to all of them.
[[nodiscard]] std::optional<std::string> broken_rule(const std::string& table, const Statement& row,
                                                     std::span<const std::string> columns);

// The first of a database of the current schema: "table 'trial', row 17: median_us is inf, expected
// a finite positive time".
[[nodiscard]] std::optional<std::string> find_broken_row(Connection& connection);

}  // namespace warpwright
