// A checksum whose words can be summed in any order, so that a GPU, the emulator and the host agree
// on it:
//   sum over i of mix(word_i + (i + 1) * golden), modulo 2^64, word_i being the i-th little-endian
//   64-bit word.
// A remainder of under 8 bytes counts as one more word, padded with zeros. It detects accidents,
// not attacks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace warpwright {

// The part of the sum that `bytes` contributes when its first word has index `first_word`.
[[nodiscard]] std::uint64_t checksum_part(std::span<const std::byte> bytes,
                                          std::uint64_t first_word);

[[nodiscard]] inline std::uint64_t checksum_of(std::span<const std::byte> bytes) {
  return checksum_part(bytes, 0);
}

}  // namespace warpwright
