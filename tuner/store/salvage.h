// Saves what can still be read of a damaged database into a new one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace warpwright {

struct Salvaged {
  std::uint64_t trials = 0;   // saved, with everything they refer to
  std::uint64_t samples = 0;  // trials that kept their raw samples
  // Rows that could be read but break a rule of row_rules.h: left out, with what refers to them.
  std::uint64_t broken_rows = 0;
  std::string first_broken = "";  // "table 'trial', row 17: median_us is inf, ..."
};

// Works on a copy: `damaged` is not changed. Older schemas are brought to the current one. Throws
// Error (user) when `fresh` exists already or when not even the list of tables can be read.
Salvaged salvage_database(const std::filesystem::path& damaged, const std::filesystem::path& fresh);

}  // namespace warpwright
