// Saves what can still be read of a damaged database into a new one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace warpwright {

// What is not in the new database, of one table, for one kind of reason.
struct SalvageLoss {
  enum class Kind {
    kColumn,      // values that may be missing: damaged, and left out of rows that are kept
    kRow,         // rows that could be read, and are damaged beyond that
    kUnreadable,  // rows on damaged pages; some of these numbers may never have been given out
    kOrphan,      // rows that refer to lost ones
    kTable,       // all of a table, which the file no longer names
  };
  Kind kind = Kind::kRow;
  std::string table;
  std::string column;  // of kColumn
  std::uint64_t rows = 0;
  std::int64_t first_row = 0;  // of kColumn and kRow
  std::string why;             // likewise: "median_us is inf, expected a finite positive time"
  // "table 'trial', column 'resources': left out of 1 row, which is kept; row 3: ..."
  [[nodiscard]] std::string text() const;
};

struct Salvaged {
  std::uint64_t trials = 0;              // saved, with everything they refer to
  std::uint64_t samples = 0;             // trials that kept their raw samples
  std::vector<SalvageLoss> losses = {};  // in the order found; each kind once for a table or column
};

// A damaged value of an optional column costs that value alone, by the rules of row_rules.h and the
// row's checksum. Rows of the new database all have checksums. Works on a copy: `damaged` is not
// changed. Older schemas are brought to the current one. Throws Error (user) when `fresh` exists
// already or when not even the list of tables can be read.
Salvaged salvage_database(const std::filesystem::path& damaged, const std::filesystem::path& fresh);

}  // namespace warpwright
