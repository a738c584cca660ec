#include "device/checksum.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "device/device.h"

namespace warpwright {
namespace {

// The constants are also in device/cuda/helper_kernels.cpp, where the same sum is written in PTX.
constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15;
constexpr std::uint64_t kMultiplier = 0xD6E8FEB86659FD93;

std::uint64_t mix(std::uint64_t word, std::uint64_t index) {
  std::uint64_t x = word + (index + 1) * kGolden;
  x ^= x >> 32;
  x *= kMultiplier;
  return x ^ (x >> 32);
}

}  // namespace

std::uint64_t checksum_part(std::span<const std::byte> bytes, std::uint64_t first_word) {
  std::uint64_t sum = 0;
  const std::size_t words = bytes.size() / 8;
  for (std::size_t i = 0; i < words; ++i) {
    std::uint64_t word;
    std::memcpy(&word, bytes.data() + 8 * i, 8);
    sum += mix(word, first_word + i);
  }
  if (const std::size_t rest = bytes.size() % 8; rest != 0) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + 8 * words, rest);
    sum += mix(word, first_word + words);
  }
  return sum;
}

std::vector<std::uint64_t> Device::checksums(std::span<const DeviceRegion> regions) {
  std::vector<std::uint64_t> sums;
  for (const DeviceRegion& region : regions)
    sums.push_back(checksum(*region.buffer, region.offset, region.bytes));
  return sums;
}

std::uint64_t Device::checksum(const DeviceBuffer& of, std::size_t offset, std::size_t bytes) {
  constexpr std::size_t kPiece = std::size_t{16} << 20;
  std::vector<std::byte> piece(std::min(kPiece, bytes));
  std::uint64_t sum = 0;
  for (std::size_t done = 0; done < bytes; done += kPiece) {
    const std::span<std::byte> part(piece.data(), std::min(kPiece, bytes - done));
    download(part, of, offset + done);
    sum += checksum_part(part, done / 8);
  }
  return sum;
}

}  // namespace warpwright
