#include "store/sqlite_guard.h"

#include <sqlite3.h>

#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "store/row_seal.h"

namespace warpwright {
namespace {

// The same limit as for unpacking compressed results (exchange/gzip.h); stored values are far
// smaller.
constexpr int kLargestValueBytes = 256 << 20;

// The checks of our tables call json_valid(), which SQLite does not count among the functions that
// an untrusted schema may call; this replacement may be called. It is no stricter than the readers
// of the columns, and returns 0 for a blob, for which SQLite's own fails.
void json_valid(sqlite3_context* context, int /*count*/, sqlite3_value** values) {
  const int type = sqlite3_value_type(values[0]);
  if (type == SQLITE_NULL) return;
  if (type == SQLITE_BLOB) {
    sqlite3_result_int(context, 0);
    return;
  }
  const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(values[0]));
  const auto bytes = static_cast<std::size_t>(sqlite3_value_bytes(values[0]));
  const bool valid = text != nullptr && nlohmann::json::accept(text, text + bytes);
  sqlite3_result_int(context, valid ? 1 : 0);
}

int configure(sqlite3* handle, int option, int value) {
  return sqlite3_db_config(handle, option, value, nullptr);
}

}  // namespace

int guard(sqlite3* handle) {
  static constexpr std::array<std::pair<int, int>, 3> kSettings = {
      {{SQLITE_DBCONFIG_DEFENSIVE, 1},
       {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
       {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0}}};
  for (const auto& [option, value] : kSettings) {
    if (const int code = configure(handle, option, value); code != SQLITE_OK) return code;
  }
  sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, kLargestValueBytes);
  if (const int code = add_seal_functions(handle); code != SQLITE_OK) return code;
  return sqlite3_create_function_v2(handle, "json_valid", 1,
                                    SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, nullptr,
                                    &json_valid, nullptr, nullptr, nullptr);
}

int refuse_views(sqlite3* handle) { return configure(handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0); }

}  // namespace warpwright
