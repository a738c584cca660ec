// What every device of an architecture can do, for programs that do not say what theirs can. From
// the CUDA C++ Programming Guide, "Compute Capabilities"; what architectures leave open is the
// least. warpwright_select.h holds the same for exported headers.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>

#include "core/expr/value.h"

namespace warpwright {

struct ArchSharedMemory {
  int compute_capability = 0;
  int max_shared = 0;  // bytes of a block, opted in
};
// Ascending. Architectures that are not listed are only trusted with what all have.
[[nodiscard]] std::span<const ArchSharedMemory> arch_shared_memory();
inline constexpr int kLeastShared = 49152;
// Slices of a GPU and embedded ones have few; a constraint that counts on more for blocks that wait
// for each other must be told.
inline constexpr int kLeastSmCount = 4;

// "sm_90a" -> 90; nullopt for what is no architecture of CUDA.
[[nodiscard]] std::optional<int> compute_capability_of(const std::string& arch);

// Of every limit that expressions may name, except for capability 0 the capability too.
[[nodiscard]] std::map<std::string, Value> least_limits(int compute_capability);

}  // namespace warpwright
