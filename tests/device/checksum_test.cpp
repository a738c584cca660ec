#include "device/checksum.h"

#include <gtest/gtest.h>

#include <vector>

#include "support/fake_device.h"

namespace warpwright {
namespace {

std::vector<std::byte> some_bytes(std::size_t count) {
  std::vector<std::byte> bytes(count);
  for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<std::byte>(i * 37 + (i >> 8));
  return bytes;
}

TEST(ChecksumTest, PartsAddUpInAnyOrder) {
  const std::vector<std::byte> bytes = some_bytes(1003);
  const std::span<const std::byte> all(bytes);
  const std::uint64_t whole = checksum_of(all);
  EXPECT_EQ(whole, checksum_part(all.subspan(512), 64) + checksum_part(all.first(512), 0));
}

TEST(ChecksumTest, PlacesCount) {
  std::vector<std::byte> bytes = some_bytes(64);
  const std::uint64_t before = checksum_of(bytes);
  std::swap_ranges(bytes.begin(), bytes.begin() + 8, bytes.begin() + 8);
  EXPECT_NE(checksum_of(bytes), before);
}

TEST(ChecksumTest, EveryBitCounts) {
  std::vector<std::byte> bytes = some_bytes(20);
  const std::uint64_t before = checksum_of(bytes);
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    bytes[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
    EXPECT_NE(checksum_of(bytes), before) << bit;
    bytes[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
  }
}

TEST(ChecksumTest, ADeviceWithoutItsOwnDownloadsPieces) {
  testing::FakeDevice device;
  const std::vector<std::byte> bytes = some_bytes((std::size_t{32} << 20) + 11);
  const auto buffer = device.allocate(bytes.size() + 16, "x");
  device.upload(*buffer, 16, bytes);
  EXPECT_EQ(device.checksum(*buffer, 16, bytes.size()), checksum_of(bytes));
}

}  // namespace
}  // namespace warpwright
