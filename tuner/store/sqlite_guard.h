// Restricts a connection to a file from an untrusted source. A schema is a program: its triggers
// run on every change, its views can replace tables, and its checks and generated columns call
// functions. None of it is trusted, not even with our mark, which anybody can write. Sources:
// SQLite, "Defense Against The Dark Arts"; sqlite3_db_config().
#pragma once

struct sqlite3;

namespace warpwright {

// Call it before anything is read: forbids triggers, direct writes to the schema, functions with
// side effects in it, and values of more than 256 MiB. Cascading keys keep working. Returns an
// SQLite result code.
[[nodiscard]] int guard(sqlite3* handle);

// Forbids reading views. People and tests read them before this call.
[[nodiscard]] int refuse_views(sqlite3* handle);

}  // namespace warpwright
