#include "store/schema.h"

#include <fmt/format.h>

#include "core/error.h"

namespace warpwright {

bool migrate(Connection& connection, std::span<const Migration> steps,
             std::span<const View> views) {
  WARPWRIGHT_CHECK(!steps.empty(), "a schema has at least one step");
  if (connection.query_integer("PRAGMA user_version") >= steps.back().version) return false;

  // A step may rebuild a table that others refer to, so foreign keys are switched off and checked
  // at the end. The pragma is ignored inside a transaction, so it comes first.
  connection.execute("PRAGMA foreign_keys = OFF");
  Transaction transaction(connection);
  // Another process may have migrated while this one waited for the lock.
  const std::int64_t from = connection.query_integer("PRAGMA user_version");
  for (const View& view : views)
    connection.execute(fmt::format("DROP VIEW IF EXISTS {}", view.name));
  for (const Migration& step : steps) {
    if (step.version > from) connection.execute(step.sql);
  }
  for (const View& view : views) connection.execute(view.sql);
  if (Statement broken(connection, "PRAGMA foreign_key_check"); broken.step()) {
    throw Error(Fault::kInternal,
                fmt::format("{}: after migration from schema {} to {} a row of table {} refers to "
                            "nothing; the database was left as it was; please report this",
                            connection.name(), from, steps.back().version, broken.next_text()));
  }
  connection.execute(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}",
                                 kApplicationId, steps.back().version));
  transaction.commit();
  connection.execute("PRAGMA foreign_keys = ON");
  return true;
}

}  // namespace warpwright
