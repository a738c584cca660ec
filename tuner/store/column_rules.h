// The rules that row_rules.h applies, as data: the content of each column. A migration that adds a
// column adds its rule at the end of its table's rules, because checksums follow this order. A test
// compares the two.
#pragma once

#include <span>

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

}  // namespace warpwright
