// What Database holds, shared by database.cpp (writing), database_read.cpp and
// database_ranking.cpp. Not for other layers.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <utility>

#include "store/database.h"
#include "store/open.h"

namespace warpwright {

struct Database::Impl {
  Impl(std::filesystem::path file, OpenedDatabase database)
      : path(std::move(file)), opened(std::move(database)) {}

  [[nodiscard]] Connection& connection() { return opened.connection; }

  std::filesystem::path path;
  OpenedDatabase opened;
  std::map<std::pair<std::string, std::string>, RowId> put_kernels;  // by name and contract hash
  std::uint64_t committed = 0;  // trials, so that a full disk can be reported with what is safe
};

// The row of a problem, made when it is new.
[[nodiscard]] RowId put_problem(Connection& connection, const std::string& sizes_json,
                                const std::string& text);

}  // namespace warpwright
