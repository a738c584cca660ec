// What a connection may do with a file that others made. A schema is a program: its triggers run on
// every change, its views stand where tables are expected, and its checks and generated columns
// call functions. None of it is trusted, not even with our mark, which anybody can write. Sources:
// SQLite, "Defense Against The Dark Arts"; sqlite3_db_config().
#pragma once

struct sqlite3;

namespace warpwright {

// Before anything is read: no triggers, no direct writes to the schema, no functions in it but
// those without side effects, no values of more than 256 MiB. Keys that cascade go on working.
// Returns an SQLite result code.
[[nodiscard]] int guard(sqlite3* handle);

// Until it is called views can be read, as people and tests do.
[[nodiscard]] int refuse_views(sqlite3* handle);

}  // namespace warpwright
