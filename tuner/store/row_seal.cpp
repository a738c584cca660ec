#include "store/row_seal.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <bit>
#include <cstring>

#include "core/error.h"
#include "store/row_rules.h"
#include "store/sqlite.h"

namespace warpwright {
namespace {

constexpr std::size_t kWholeBytes = 8;
constexpr std::size_t kColumnBytes = 2;

// Different words give different states for every previous state.
std::uint64_t mixed(std::uint64_t state, std::uint64_t word) {
  constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15;
  state = (state ^ word) * kOdd;
  return state ^ (state >> 32);
}

std::uint64_t mixed(std::uint64_t state, std::string_view bytes) {
  state = mixed(state, bytes.size());
  while (!bytes.empty()) {
    const std::size_t some = std::min<std::size_t>(8, bytes.size());
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < some; ++i)
      word |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
    state = mixed(state, word);
    bytes.remove_prefix(some);
  }
  return state;
}

// Hashes a value as SQLite stores it: 1 and 1.0 differ.
std::uint64_t hash_of(int type, std::int64_t integer, double real, std::string_view bytes) {
  const std::uint64_t state = mixed(0, static_cast<std::uint64_t>(type));
  switch (type) {
    case SQLITE_INTEGER:
      return mixed(state, static_cast<std::uint64_t>(integer));
    case SQLITE_FLOAT:
      return mixed(state, std::bit_cast<std::uint64_t>(real));
    case SQLITE_NULL:
      return state;
    default:
      return mixed(state, bytes);
  }
}

std::uint64_t hash_of(sqlite3_value* value) {
  const int type = sqlite3_value_type(value);
  if (type == SQLITE_INTEGER) return hash_of(type, sqlite3_value_int64(value), 0, {});
  if (type == SQLITE_FLOAT) return hash_of(type, 0, sqlite3_value_double(value), {});
  if (type == SQLITE_NULL) return hash_of(type, 0, 0, {});
  const void* data = type == SQLITE_TEXT ? sqlite3_value_text(value) : sqlite3_value_blob(value);
  return hash_of(
      type, 0, 0,
      {static_cast<const char*>(data), static_cast<std::size_t>(sqlite3_value_bytes(value))});
}

std::string little_endian(std::uint64_t value, std::size_t bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i));
  return text;
}

// Uses the high bits, which depend on every bit of the value.
std::string column_part(std::uint64_t hash) { return little_endian(hash >> 24, kColumnBytes); }

// The number of columns that a checksum of this size covers; 0 if it is not a checksum.
std::size_t covered(std::size_t bytes) {
  return bytes < kWholeBytes + kColumnBytes ? 0 : (bytes - kWholeBytes) / kColumnBytes;
}

std::string_view text_of(sqlite3_value* value) {
  const void* data = sqlite3_value_blob(value);
  return {static_cast<const char*>(data), static_cast<std::size_t>(sqlite3_value_bytes(value))};
}

// row_checksum(table, column, ...)
void row_checksum(sqlite3_context* context, int count, sqlite3_value** values) {
  std::uint64_t whole = mixed(0, text_of(values[0]));
  std::string columns;
  for (int i = 1; i < count; ++i) {
    const std::uint64_t hash = hash_of(values[i]);
    whole = mixed(whole, hash);
    columns += column_part(hash);
  }
  const std::string checksum = little_endian(whole, kWholeBytes) + columns;
  sqlite3_result_blob(context, checksum.data(), static_cast<int>(checksum.size()),
                      SQLITE_TRANSIENT);
}

// row_matches(checksum, table, column, ...)
void row_matches(sqlite3_context* context, int count, sqlite3_value** values) {
  constexpr int kFirst = 2;
  if (sqlite3_value_type(values[0]) == SQLITE_NULL) return sqlite3_result_int(context, 1);
  const std::string_view checksum = text_of(values[0]);
  const std::size_t columns = covered(checksum.size());
  if (sqlite3_value_type(values[0]) != SQLITE_BLOB || columns == 0 ||
      columns > static_cast<std::size_t>(count - kFirst))
    return sqlite3_result_int(context, 0);
  std::uint64_t whole = mixed(0, text_of(values[1]));
  for (std::size_t i = 0; i < columns; ++i) whole = mixed(whole, hash_of(values[kFirst + i]));
  const std::string expected = little_endian(whole, kWholeBytes);
  sqlite3_result_int(context, checksum.starts_with(expected) ? 1 : 0);
}

// "'trial', t."id", t."key", ...", as both functions take it.
std::string columns_sql(std::string_view table, std::string_view alias) {
  std::string sql = fmt::format("'{}'", table);
  for (const TableRules& rules : table_rules()) {
    if (table != rules.table) continue;
    for (const ColumnRule& rule : rules.columns) {
      if (rule.holds != Holds::kChecksum)
        sql += fmt::format(", {}{}\"{}\"", alias, alias.empty() ? "" : ".", rule.column);
    }
    return sql;
  }
  check_failed("table_rules()", __FILE__, __LINE__, fmt::format("no table {}", table));
}

}  // namespace

int add_seal_functions(sqlite3* handle) {
  constexpr int kFlags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY;
  const int code = sqlite3_create_function_v2(handle, "row_checksum", -1, kFlags, nullptr,
                                              &row_checksum, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return code;
  return sqlite3_create_function_v2(handle, "row_matches", -1, kFlags, nullptr, &row_matches,
                                    nullptr, nullptr, nullptr);
}

std::string sealed_sql(std::string_view table, std::string_view alias) {
  return fmt::format("row_matches({}{}checksum, {})", alias, alias.empty() ? "" : ".",
                     columns_sql(table, alias));
}

std::string sealed_columns(std::string_view table, std::string_view alias) {
  return fmt::format("{}.rowid, {}, ", alias, sealed_sql(table, alias));
}

std::int64_t next_sealed_row(const Connection& connection, Statement& row, std::string_view table) {
  const std::int64_t number = row.next_integer();
  if (row.next_integer() == 0) throw_unsealed(connection, table, number);
  return number;
}

void seal_row(Connection& connection, std::string_view table, std::int64_t row) {
  Statement(connection, fmt::format("UPDATE {} SET checksum = row_checksum({}) WHERE rowid = ?",
                                    table, columns_sql(table, "")))
      .bind(row)
      .run();
}

void seal_all(Connection& connection) {
  for (const TableRules& rules : table_rules()) {
    connection.execute(fmt::format("UPDATE {} SET checksum = row_checksum({})", rules.table,
                                   columns_sql(rules.table, "")));
  }
}

void require_sealed(const Connection& connection, std::string_view table,
                    const std::string& condition) {
  // Reads the table's own columns, not those of an index.
  Statement find(connection,
                 fmt::format("SELECT rowid FROM {0} NOT INDEXED WHERE rowid IN (SELECT rowid FROM "
                             "{0} WHERE {1}) AND NOT {2} LIMIT 1",
                             table, condition, sealed_sql(table, "")));
  if (find.step()) throw_unsealed(connection, table, find.next_integer());
}

const char* unsealed_text() {
  return "does not match its checksum: a value in it was changed after it was stored";
}

void throw_unsealed(const Connection& connection, std::string_view table, std::int64_t row) {
  throw damaged_error(connection.name(),
                      fmt::format("row {} of table '{}' {}", row, table, unsealed_text()));
}

SealState check_seal(std::string_view table, const Statement& row, int columns,
                     std::string_view checksum) {
  SealState state;
  const std::size_t count = std::min(covered(checksum.size()), static_cast<std::size_t>(columns));
  std::uint64_t whole = mixed(0, table);
  for (std::size_t i = 0; i < count; ++i) {
    const int at = static_cast<int>(i);
    const int type = row.type_of(at);
    const bool has_bytes = type == SQLITE_TEXT || type == SQLITE_BLOB;
    const std::uint64_t hash = hash_of(type, row.integer_at(at), row.real_at(at),
                                       has_bytes ? row.bytes_at(at) : std::string_view());
    whole = mixed(whole, hash);
    if (checksum.substr(kWholeBytes + i * kColumnBytes, kColumnBytes) != column_part(hash))
      state.damaged.push_back(at);
  }
  state.matches = count > 0 && checksum.starts_with(little_endian(whole, kWholeBytes));
  if (state.matches) state.damaged.clear();
  state.readable = state.matches || count == static_cast<std::size_t>(columns);
  return state;
}

}  // namespace warpwright
