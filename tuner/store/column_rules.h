// The rules that row_rules.h applies, as data: what each column holds. A migration that adds a
// column adds its rule at the end of its table's: checksums go by this order. A test holds both
// together.
#pragma once

#include <span>

namespace warpwright {

// What a column holds. Optional ones may be NULL.
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
  kChecksum,  // of row_seal.h, over the columns before it
};

struct ColumnRule {
  const char* column;
  Holds holds;
};

struct TableRules {
  const char* table;
  std::span<const ColumnRule> columns;
};

// low <= middle <= high, where they are given.
struct IntervalRule {
  const char* table;
  const char* low;
  const char* middle;
  const char* high;
};
// Tables in the order of their references: what a row refers to comes before it.
[[nodiscard]] std::span<const TableRules> table_rules();
[[nodiscard]] std::span<const IntervalRule> interval_rules();

}  // namespace warpwright
