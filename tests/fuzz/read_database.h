// Reads all of a database as the verbs do: records, boards, importance, comparison, exports.
#pragma once

#include <filesystem>
#include <string>

namespace warpwright::fuzz {

// Throws Error as the readers do.
void read_database(const std::filesystem::path& file);

// Merges it into a new database, which is whole afterwards. Throws Error where it is refused.
void import_database(const std::filesystem::path& file);

// Throws PropertyFault unless the file is sound and every row keeps the rules of store/row_rules.h.
void expect_whole(const std::filesystem::path& file, const std::string& made_by);

// A whole database: two devices, a ranked board, failed, pruned, noisy and imported trials,
// ceilings.
void make_database(const std::filesystem::path& file);

}  // namespace warpwright::fuzz
