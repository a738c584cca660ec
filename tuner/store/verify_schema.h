// Whether the tables of a file that bears our mark are ours: each defined as the migrations of its
// version define it, so that no view or virtual table stands in its place, no column is computed,
// and every check, key and type that reading and merging rely on is there.
#pragma once

#include "store/sqlite.h"

namespace warpwright {

// Further tables, views and triggers are left alone: nothing of ours reads them or sets them off.
// Throws damaged_error() that names what differs, and Error (user) for an index that is not ours on
// a table of ours: it may refuse what we store. Changes nothing.
void verify_schema(Connection& connection);

// Makes views of ours anew where they are missing or say something else, in one transaction. At the
// current version only.
void restore_views(Connection& connection);

}  // namespace warpwright
