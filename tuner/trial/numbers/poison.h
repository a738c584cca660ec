// The patterns that mark device memory: poison in memory that a launch must not leave unchanged or
// depend on, and the content of guard zones, which it must not change. Also the rules for which run
// of a validation finds which content.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace warpwright {

// The patterns with "NaN" are a NaN as f64, f32, f16 and bf16, so that a kernel that reads them
// computes NaN, and none is a NaN that hardware produces.
//   kPoison[0], kPoison[1]  NaN: outputs and scratch before a launch; two, so that an element that
//                           holds the first after one launch and the second after another was
//                           certainly never written; they differ in every byte, so this holds for
//                           one-byte types too
//   kPoison[2], kPoison[3]  finite, one far above and one far below what kernels compute: a maximum
//                           or a minimum taken with memory that was never set ignores a NaN and
//                           returns these
//   kGuard                  NaN: the zones around every buffer
inline constexpr std::array<std::uint32_t, 4> kPoison{0xFFFBFFFB, 0x7FF77FF7, 0x7B7B7B7B,
                                                      0xFAFAFAFA};
inline constexpr std::uint32_t kGuard = 0xFFEDFFED;

// The pattern in outputs and scratch before a run of a check: each pattern once, then the first
// again.
inline int poison_of(int run) { return run < static_cast<int>(kPoison.size()) ? run : 0; }

// This run finds outputs that look finished: as the previous run left them, with some elements
// changed. A launch that trusts the content of its outputs leaves those elements unchanged.
constexpr bool finds_outputs(int run) { return run == static_cast<int>(kPoison.size()) - 1; }

// From this run on, scratch and module variables are as the previous run left them, as in a program
// that launches repeatedly.
inline bool keeps_state(int run) { return run >= static_cast<int>(kPoison.size()); }

// True when the `size` bytes at `offset` from the start of the pattern match it.
inline bool holds_pattern(const std::byte* bytes, std::size_t size, std::size_t offset,
                          std::uint32_t pattern) {
  for (std::size_t i = 0; i < size; ++i) {
    if (bytes[i] != static_cast<std::byte>(pattern >> (8 * ((offset + i) % 4)))) return false;
  }
  return true;
}

}  // namespace warpwright
