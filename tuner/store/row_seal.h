// Checksums of rows: every stored row carries one, and every row is checked against it when it is
// read, so that a flipped byte on a disk or an edited number is detected. They detect accidents,
// not attacks. A row of a database from before schema 7 has none and is accepted unchecked.
//
// A checksum is a blob: 8 bytes over the whole row and its table's name, then 2 bytes for each
// column in the order of row_rules.h, by which salvage() finds the damaged ones. Columns that
// later migrations add come after those, and are not covered in older rows.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "store/sqlite.h"

namespace warpwright {

// Registers the SQL functions used below with a connection; returns an SQLite code.
[[nodiscard]] int add_seal_functions(sqlite3* handle);

// SQL that is 1 if the row of `table`, named `alias` in the query, matches its checksum or has
// none, else 0.
[[nodiscard]] std::string sealed_sql(std::string_view table, std::string_view alias);

// The first two columns of a query that reads rows of `table`: the row number, and whether the row
// matches.
[[nodiscard]] std::string sealed_columns(std::string_view table, std::string_view alias);
// Reads those two columns, and returns the number. Throws damaged_error() for a row that does not
// match.
std::int64_t next_sealed_row(const Connection& connection, Statement& row, std::string_view table);

// Stores a row's checksum. Call it after every change of a row.
void seal_row(Connection& connection, std::string_view table, std::int64_t row);
// The same for all rows of all tables.
void seal_all(Connection& connection);

// Throws a damaged_error() that names the first row of `table` that does not match; `condition` is
// SQL about its columns. Call it before a row is changed, so that a new checksum does not hide
// damage. Code that reads a row uses sealed_sql() in the same statement instead: SQLite may read a
// column from an index, and either the index or the table may be damaged while the other is not.
void require_sealed(const Connection& connection, std::string_view table,
                    const std::string& condition = "1");
[[noreturn]] void throw_unsealed(const Connection& connection, std::string_view table,
                                 std::int64_t row);
// "does not match its checksum: a value in it was changed after it was stored"
[[nodiscard]] const char* unsealed_text();

// For a row whose columns are those of row_rules.h without the checksum: whether the row matches
// `checksum`, and which of its columns do not. `damaged` is empty if the checksum itself is
// damaged.
struct SealState {
  bool matches = true;
  bool readable = true;      // else the checksum gives no information about columns
  std::vector<int> damaged;  // indices of columns
};
[[nodiscard]] SealState check_seal(std::string_view table, const Statement& row, int columns,
                                   std::string_view checksum);

}  // namespace warpwright
