// Checks that the tables of a file with our mark are ours: each defined as the migrations of its
// version define it, so that no view or virtual table replaces it, no column is computed, and every
// check, key and type that reading and merging rely on exists.
#pragma once

#include "store/sqlite.h"

namespace warpwright {

// Additional tables, views and triggers are ignored: our code neither reads nor triggers them.
// Throws a damaged_error() that names the difference, and Error (user) for a foreign index on one
// of our tables, because it may reject our rows. Changes nothing.
void verify_schema(Connection& connection);

// Recreates our views if they are missing or differ, in one transaction. Only at the current
// version.
void restore_views(Connection& connection);

}  // namespace warpwright
