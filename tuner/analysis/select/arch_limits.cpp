#include "analysis/select/arch_limits.h"

#include <algorithm>
#include <array>

namespace warpwright {
namespace {

constexpr std::array<ArchSharedMemory, 12> kShared = {{{70, 98304},
                                                       {75, 65536},
                                                       {80, 166912},
                                                       {86, 101376},
                                                       {87, 166912},
                                                       {89, 101376},
                                                       {90, 232448},
                                                       {100, 232448},
                                                       {103, 232448},
                                                       {110, 232448},
                                                       {120, 101376},
                                                       {121, 101376}}};

}  // namespace

std::span<const ArchSharedMemory> arch_shared_memory() { return kShared; }

std::optional<int> compute_capability_of(const std::string& arch) {
  constexpr std::string_view kPrefix = "sm_";
  if (!arch.starts_with(kPrefix)) return std::nullopt;
  int capability = 0;
  std::size_t at = kPrefix.size();
  for (; at < arch.size() && arch[at] >= '0' && arch[at] <= '9' && capability < 1000; ++at)
    capability = 10 * capability + (arch[at] - '0');
  const bool rest = std::all_of(arch.begin() + static_cast<std::ptrdiff_t>(at), arch.end(),
                                [](char c) { return c >= 'a' && c <= 'z'; });
  return capability > 0 && rest ? std::optional(capability) : std::nullopt;
}

std::map<std::string, Value> least_limits(int compute_capability) {
  int shared = kLeastShared;
  for (const ArchSharedMemory& arch : kShared) {
    if (arch.compute_capability == compute_capability) shared = arch.max_shared;
  }
  return {{"max_shared", shared},
          {"max_shared_per_block", shared},
          {"max_threads", 1024},
          {"warp_size", 32},
          {"sm_count", kLeastSmCount},
          {"registers_per_sm", 65536},
          {"registers_per_block", 65536},
          {"l2_bytes", 0},
          {"compute_capability", compute_capability},
          {"global_bytes", 0}};
}

}  // namespace warpwright
