// What every row of a database keeps to, beyond its schema: values of the type that is declared,
// times that are finite and positive, intervals around them, sizes that are sane. SQLite stores
// anything in any column, and ranking, division and export trust what they read: so rows of others
// are held against these rules before they are merged, and what is salvaged keeps to them.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "records/configuration.h"
#include "store/sqlite.h"

namespace warpwright {

// A rule that a row breaks.
struct BrokenRule {
  std::string column;
  std::string what;       // "median_us is inf, expected a finite positive time"
  bool optional = false;  // the row keeps to the rule without the column
};

// The first rule that the row under `row` breaks; nullopt when it keeps to all of them. `columns`
// names the row's columns in order; those without a rule are not judged, and those in `without`
// count as NULL.
[[nodiscard]] std::optional<BrokenRule> broken_rule(const std::string& table, const Statement& row,
                                                    std::span<const std::string> columns,
                                                    const std::set<std::string>& without = {});
// Whether the column may be NULL.
[[nodiscard]] bool is_optional_column(const std::string& table, const std::string& column);

// Whether `text` is `lead` and every "name=value", in whatever order; what an older warpwright or
// another tuner called problems without sizes is a name.
[[nodiscard]] bool names_values(std::string_view text, std::string_view lead,
                                const ParameterValues& values);

// The first of a database of the current schema that breaks a rule or does not match its checksum:
// "table 'trial', row 17: median_us is inf, expected a finite positive time".
[[nodiscard]] std::optional<std::string> find_broken_row(Connection& connection);

}  // namespace warpwright
