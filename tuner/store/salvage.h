// Saves what can still be read of a damaged database into a new one.
#pragma once

#include <cstdint>
#include <filesystem>

namespace warpwright {

struct Salvaged {
  std::uint64_t trials = 0;   // saved, with everything they refer to
  std::uint64_t samples = 0;  // trials that kept their raw samples
};

// Works on a copy: `damaged` is not changed. Older schemas are brought to the current one. Throws
// Error (user) when `fresh` exists already or when not even the list of tables can be read.
Salvaged salvage_database(const std::filesystem::path& damaged, const std::filesystem::path& fresh);

}  // namespace warpwright
