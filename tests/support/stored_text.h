// Columns for records that tests make without a database.
#pragma once

#include <string>

#include "store/columns.h"

namespace warpwright::testing {

template <class T>
void set_text(Stored<T>& column, const std::string& text,
              const ColumnName& name = {"trial", 1, "configuration"}) {
  column = stored_column<T>(text, name);
}

}  // namespace warpwright::testing
