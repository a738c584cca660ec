#include "trial/data/region_check.h"

#include <algorithm>
#include <array>
#include <map>

#include "device/checksum.h"
#include "trial/data/poison.h"

namespace warpwright {
namespace {

constexpr std::size_t kAlignment = 16;

// Zones are similar: only few lengths and patterns occur.
std::uint64_t pattern_checksum(std::size_t bytes, std::uint32_t pattern) {
  static thread_local std::map<std::pair<std::size_t, std::uint32_t>, std::uint64_t> known;
  const auto key = std::pair(bytes, pattern);
  if (const auto found = known.find(key); found != known.end()) return found->second;
  std::vector<std::byte> zone(bytes);
  for (std::size_t i = 0; i < bytes; ++i)
    zone[i] = static_cast<std::byte>(pattern >> (8 * (i % sizeof pattern)));
  return known.emplace(key, checksum_of(zone)).first->second;
}

}  // namespace

void RegionCheck::expect(const DeviceRegion& region, std::uint64_t checksum) {
  regions_.push_back(region);
  expected_.push_back(checksum);
  asked_.push_back(false);
}

void RegionCheck::expect_pattern(const DeviceRegion& region, std::uint32_t pattern) {
  // Checksums begin at aligned places; the few bytes before the first are checked one by one.
  const std::size_t first = (region.offset + kAlignment - 1) / kAlignment * kAlignment;
  const std::size_t before = std::min(first - region.offset, region.bytes);
  if (before > 0) short_patterns_.push_back({{region.buffer, region.offset, before}, pattern});
  const std::size_t rest = region.bytes - before;
  if (rest > 0) expect({region.buffer, first, rest}, pattern_checksum(rest, pattern));
}

std::size_t RegionCheck::ask(const DeviceRegion& region) {
  expect(region, 0);
  asked_.back() = true;
  return static_cast<std::size_t>(std::count(asked_.begin(), asked_.end(), true)) - 1;
}

bool RegionCheck::run(Device& device) {
  sums_ = device.checksums(regions_);
  bool good = true;
  for (std::size_t i = 0; i < sums_.size(); ++i) good &= asked_[i] || sums_[i] == expected_[i];
  for (const Pattern& one : short_patterns_) {
    std::array<std::byte, kAlignment> bytes{};
    const std::span<std::byte> part = std::span(bytes).first(one.region.bytes);
    device.download(part, *one.region.buffer, one.region.offset);
    good &= holds_pattern(part.data(), part.size(), one.region.offset, one.pattern);
  }
  return good;
}

std::vector<std::uint64_t> RegionCheck::asked() const {
  std::vector<std::uint64_t> sums;
  for (std::size_t i = 0; i < sums_.size(); ++i)
    if (asked_[i]) sums.push_back(sums_[i]);
  return sums;
}

}  // namespace warpwright
