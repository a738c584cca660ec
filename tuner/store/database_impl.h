// The state of Database, shared by database.cpp (writing), database_read.cpp and
// database_ranking.cpp. Not for other layers.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
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
  // The marks that may_hold() looks up: those of trials up to number `seen`, and of trials added
  // since.
  std::unordered_set<std::uint64_t> held;
  RowId seen = 0;
  std::optional<std::int64_t> data_version;  // when it was last read

  std::optional<Transaction> group;
  std::uint64_t grouped = 0;    // trials
  std::uint64_t committed = 0;  // trials, so that a full disk can be reported with what is safe
};

// Equal for equal pairs, and rarely for different ones.
[[nodiscard]] std::uint64_t pair_mark(const std::string& problem_text,
                                      const std::string& configuration_text);

// Stores the checksum of the last inserted row, and returns its number.
RowId seal_inserted(Connection& connection, std::string_view table);

// The row of a problem, inserted if it is new.
[[nodiscard]] RowId put_problem(Connection& connection, const std::string& sizes_json,
                                const std::string& text);

}  // namespace warpwright
