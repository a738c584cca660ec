// Checksums of rows: every row that is stored carries one, and every row that is read is held
// against it, so that a byte that flipped on a disk, or a number that somebody edited, is noticed.
// They detect accidents, not attacks. A row of a database from before schema 7 has none and is
// taken as it is.
//
// A checksum is a blob: 8 bytes over the whole row and its table's name, then 2 bytes for each
// column in the order of column_rules.h, which tell salvage() which of them is damaged. Columns
// that later migrations add come after those, and are not covered in rows that are older.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "store/sqlite.h"

namespace warpwright {

// Makes the SQL functions that the rest is made of known to a connection; an SQLite code.
[[nodiscard]] int add_seal_functions(sqlite3* handle);

// SQL that is 1 where the row of `table`, which the query calls `alias`, matches its checksum or
// has none, else 0.
[[nodiscard]] std::string sealed_sql(std::string_view table, std::string_view alias);

// The first columns of a query that reads rows of `table`: its row number, and whether it matches.
[[nodiscard]] std::string sealed_columns(std::string_view table, std::string_view alias);
// Takes those two columns, and returns the number. Throws damaged_error() for a row that does not
// match.
std::int64_t next_sealed_row(const Connection& connection, Statement& row, std::string_view table);

// Gives a row its checksum. After every change of a row.
void seal_row(Connection& connection, std::string_view table, std::int64_t row);
// The same for all rows of all tables.
void seal_all(Connection& connection);

// Throws damaged_error() that names the first row of `table` that does not match; `condition` is
// SQL about its columns. Before a row is changed, so that a new checksum hides no damage. Who reads
// a row asks sealed_sql() in the same statement instead: SQLite takes a column from an index where
// one has it, and an index may be damaged where its table is not, or the other way round.
void require_sealed(const Connection& connection, std::string_view table,
                    const std::string& condition = "1");
[[noreturn]] void throw_unsealed(const Connection& connection, std::string_view table,
                                 std::int64_t row);
// "does not match its checksum: a value in it was changed after it was stored"
[[nodiscard]] const char* unsealed_text();

// Of a row whose columns are those of column_rules.h without the checksum: whether the row matches
// `checksum`, and which of its columns do not. None where the checksum itself is what was damaged.
struct SealState {
  bool matches = true;
  bool readable = true;      // else the checksum says nothing of columns
  std::vector<int> damaged;  // indices of columns
};
[[nodiscard]] SealState check_seal(std::string_view table, const Statement& row, int columns,
                                   std::string_view checksum);

}  // namespace warpwright
