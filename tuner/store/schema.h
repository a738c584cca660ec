// The schema as a list of migrations: step n turns a database of version n-1 into one of version n,
// and a released step never changes again. Views hold no data; they are dropped and recreated
// whenever a database is migrated. A database of ours is recognised by its application_id; its
// version is PRAGMA user_version.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "store/sqlite.h"

namespace warpwright {

// "Warp", big-endian, at byte 68 of the file.
inline constexpr std::int32_t kApplicationId = 0x57617270;

struct Migration {
  int version = 0;
  const char* sql = "";
};

struct View {
  const char* name = "";
  const char* sql = "";
};

// The migrations in ascending order, from version 1 without gaps.
[[nodiscard]] std::span<const Migration> migrations();
[[nodiscard]] std::span<const View> views();
[[nodiscard]] int current_schema_version();
// The statuses that do not settle a trial (records/status.h), for SQL: "('noisy', 'not_compiled')".
[[nodiscard]] const std::string& unsettled_statuses();

// Brings the database to the last version of `steps`; uses one transaction, so that a kill or a
// fault leaves the old version. Returns false if there was nothing to do. Safe if several processes
// migrate at the same time.
bool migrate(Connection& connection, std::span<const Migration> steps, std::span<const View> views);

}  // namespace warpwright
