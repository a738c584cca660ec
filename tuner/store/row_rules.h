// The rules for every row of a database beyond its schema: values of the declared type, times that
// are finite and positive, intervals around them, plausible sizes. SQLite stores anything in any
// column, and ranking, division and export trust the values that they read, so rows from other
// sources are checked against these rules before they are merged, and salvaged rows satisfy them.
//
// The content of each column is data. A migration that adds a column adds its rule at the end of
// its table's rules, because checksums follow this order. A test compares the two.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "records/configuration.h"
#include "store/sqlite.h"

namespace warpwright {

// The kind of a column's content. Optional columns may be NULL.
enum class Holds {
  kRow,
  kOptionalRow,
  kInteger,
  kFlag,
  kOptionalFlag,
  kPlace,
  kCount,
  kName,
  kText,
  kOptionalText,
  kJson,
  kOptionalJson,
  kBlob,
  kStatus,
  kTime,
  kOptionalTime,
  kRatio,
  kAmount,
  kOptionalAmount,
  kOptionalNumber,
  kProbability,
  kOptionalProbability,
  kChecksum,  // see row_seal.h; covers the columns before it
};

struct ColumnRule {
  const char* column;
  Holds holds;
};

struct TableRules {
  const char* table;
  std::span<const ColumnRule> columns;
};

// Requires low <= middle <= high for the values that are not NULL.
struct IntervalRule {
  const char* table;
  const char* low;
  const char* middle;
  const char* high;
};
// Tables in the order of their references: a row comes after the rows that it refers to.
[[nodiscard]] std::span<const TableRules> table_rules();
[[nodiscard]] std::span<const IntervalRule> interval_rules();

// A rule that a row breaks.
struct BrokenRule {
  std::string column;
  std::string what;       // "median_us is inf, expected a finite positive time"
  bool optional = false;  // the row satisfies the rule without the column
};

// The first rule that the current row of `row` breaks; nullopt if it satisfies all of them.
// `columns` names the row's columns in order; columns without a rule are not checked, and those in
// `without` count as NULL.
[[nodiscard]] std::optional<BrokenRule> broken_rule(const std::string& table, const Statement& row,
                                                    std::span<const std::string> columns,
                                                    const std::set<std::string>& without = {});
// True if the column may be NULL.
[[nodiscard]] bool is_optional_column(const std::string& table, const std::string& column);

// True if `text` is `lead` followed by every "name=value", in any order; for problems without
// sizes, any name given by an older warpwright or another tuner is accepted.
[[nodiscard]] bool names_values(std::string_view text, std::string_view lead,
                                const ParameterValues& values);

// A message about the first row, in a database of the current schema, that breaks a rule or does
// not match its checksum: "table 'trial', row 17: median_us is inf, expected a finite positive
// time".
[[nodiscard]] std::optional<std::string> find_broken_row(Connection& connection);

}  // namespace warpwright
