// Sectors, wavefronts and bank conflicts of one request of a warp.
#include <algorithm>
#include <bit>

#include "emu/exec/address.h"

namespace warpwright::emu {

std::uint32_t count_sectors(std::uint32_t mask, const LaneAddresses& addresses, std::size_t bytes) {
  // An aligned access of up to 32 bytes is within one sector.
  std::uint64_t sectors[kWarpSize];
  std::uint32_t count = 0;
  bool sorted = true;
  for (std::uint32_t left = mask; left != 0; left &= left - 1) {
    const std::uint64_t sector = addresses.at[std::countr_zero(left)] / kSectorBytes;
    if (count != 0 && sectors[count - 1] == sector) continue;
    sorted = sorted && (count == 0 || sectors[count - 1] < sector);
    sectors[count++] = sector;
  }
  (void)bytes;
  if (sorted) return count;
  std::sort(sectors, sectors + count);
  return static_cast<std::uint32_t>(std::unique(sectors, sectors + count) - sectors);
}

void count_global(Counters& counters, AccessKind kind, std::uint64_t sectors) {
  switch (kind) {
    case AccessKind::kLoad:
      ++counters.global_load_requests;
      counters.global_load_sectors += sectors;
      break;
    case AccessKind::kStore:
      ++counters.global_store_requests;
      counters.global_store_sectors += sectors;
      break;
    case AccessKind::kAtomic:
      ++counters.global_atomic_requests;
      counters.global_atomic_sectors += sectors;
      break;
    case AccessKind::kCopy:
      break;
  }
}

void count_shared(Counters& counters, AccessKind kind, std::uint64_t wavefronts,
                  std::uint64_t ideal) {
  ++counters.shared_requests;
  counters.shared_wavefronts += wavefronts;
  if (kind == AccessKind::kLoad) {
    ++counters.shared_load_requests;
    counters.shared_load_wavefronts += wavefronts;
    counters.shared_load_conflicts += wavefronts - ideal;
  } else if (kind == AccessKind::kStore) {
    ++counters.shared_store_requests;
    counters.shared_store_wavefronts += wavefronts;
    counters.shared_store_conflicts += wavefronts - ideal;
  }
}

namespace {

// The number of lanes whose data fills one pass over the banks.
std::uint32_t lanes_per_pass(std::size_t bytes) {
  const std::size_t words = std::max<std::size_t>(bytes / 4, 1);
  return static_cast<std::uint32_t>(std::max<std::size_t>(kWarpSize / words, 1));
}

std::uint32_t lanes_of_pass(std::uint32_t mask, std::uint32_t first, std::uint32_t lanes) {
  return lanes == kWarpSize ? mask : mask >> first & ((1u << lanes) - 1);
}

// A quick test whether the lanes access at most one word of each bank. May return false for some
// such accesses.
bool lie_side_by_side(std::uint32_t part, std::uint32_t first, const LaneAddresses& addresses,
                      std::size_t bytes) {
  std::uint64_t least = ~std::uint64_t{0}, most = 0;
  for (std::uint32_t left = part; left != 0; left &= left - 1) {
    const std::uint64_t address =
        addresses.at[first + static_cast<std::uint32_t>(std::countr_zero(left))];
    least = std::min(least, address);
    most = std::max(most, address);
  }
  return (most + std::max<std::size_t>(bytes, 1) - 1) / 4 - least / 4 < kWarpSize;
}

}  // namespace

std::uint32_t ideal_wavefronts(std::uint32_t mask, std::size_t bytes) {
  const std::uint32_t lanes = lanes_per_pass(bytes);
  std::uint32_t passes = 0;
  for (std::uint32_t first = 0; first < kWarpSize; first += lanes)
    passes += lanes_of_pass(mask, first, lanes) != 0 ? 1 : 0;
  return passes;
}

std::uint32_t count_wavefronts(std::uint32_t mask, const LaneAddresses& addresses,
                               std::size_t bytes) {
  // Wide accesses are processed in halves or quarters of the warp, each of at most 32 words; within
  // one pass a bank serves one word, to all lanes that access it.
  const std::size_t words = std::max<std::size_t>(bytes / 4, 1);
  const std::uint32_t lanes = lanes_per_pass(bytes);
  std::uint32_t total = 0;
  for (std::uint32_t first = 0; first < kWarpSize; first += lanes) {
    const std::uint32_t part = lanes_of_pass(mask, first, lanes);
    if (part == 0) continue;
    if (lie_side_by_side(part, first, addresses, bytes)) {
      ++total;
      continue;
    }
    // The words that each bank has to deliver in this pass; the fullest bank determines the time.
    std::uint64_t seen[kWarpSize][kWarpSize];
    std::uint8_t depth[kWarpSize] = {};
    std::uint32_t worst = 1;
    for (std::uint32_t left = part; left != 0; left &= left - 1) {
      const std::uint64_t base =
          addresses.at[first + static_cast<std::uint32_t>(std::countr_zero(left))] / 4;
      for (std::size_t w = 0; w < words; ++w) {
        const std::uint64_t word = base + w;
        const std::size_t bank = word % kWarpSize;
        const std::uint64_t* begin = seen[bank];
        if (std::find(begin, begin + depth[bank], word) != begin + depth[bank]) continue;
        seen[bank][depth[bank]++] = word;
        worst = std::max<std::uint32_t>(worst, depth[bank]);
      }
    }
    total += worst;
  }
  return total;
}

}  // namespace warpwright::emu
