// Saves the readable part of a damaged database into a new one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace warpwright {

// A loss: the content of one table that is missing from the new database for one kind of reason.
struct SalvageLoss {
  enum class Kind {
    kColumn,      // damaged optional values, left out of rows that are kept
    kRow,         // readable rows that are damaged beyond optional values
    kUnreadable,  // rows on damaged pages; some of these numbers may never have been used
    kOrphan,      // rows that refer to lost ones
    kTable,       // a whole table that the file no longer lists
  };
  Kind kind = Kind::kRow;
  std::string table;
  std::string column;  // for kColumn
  std::uint64_t rows = 0;
  std::int64_t first_row = 0;  // for kColumn and kRow
  std::string why;             // for the same: "median_us is inf, expected a finite positive time"
  // "table 'trial', column 'resources': left out of 1 row, which is kept; row 3: ..."
  [[nodiscard]] std::string text() const;
};

struct Salvaged {
  std::uint64_t trials = 0;              // saved, with everything they refer to
  std::uint64_t samples = 0;             // trials that kept their raw samples
  std::vector<SalvageLoss> losses = {};  // in the order found; each kind once for a table or column
};

// If only an optional column is damaged, by the rules of row_rules.h or the row's checksum, only
// that value is lost. Rows of the new database all have checksums. Works on a copy: `damaged` is
// not changed. Older schemas are brought to the current one. Throws Error (user) if `fresh` already
// exists or if not even the list of tables can be read.
Salvaged salvage_database(const std::filesystem::path& damaged, const std::filesystem::path& fresh);

}  // namespace warpwright
