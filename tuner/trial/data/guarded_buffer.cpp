#include "trial/data/guarded_buffer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "core/error.h"
#include "device/checksum.h"
#include "trial/data/problem_data.h"
#include "trial/numbers/fill.h"
#include "trial/numbers/poison.h"

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

GuardedBuffer::GuardedBuffer(Device& device, std::size_t bytes, std::string name)
    : device_(&device), bytes_(bytes), guard_(guard_bytes(device)), name_(std::move(name)) {
  buffer_ = device.allocate(bytes_ + 2 * guard_, name_);
  clear();
}

void GuardedBuffer::clear() {
  if (guard_ != 0) device_->fill(*buffer_, 0, buffer_->bytes(), kGuard);
}

void GuardedBuffer::upload(std::span<const std::byte> content) {
  WARPWRIGHT_CHECK(content.size() == bytes_, "content has the size of its buffer");
  device_->upload(*buffer_, guard_, content);
}

void GuardedBuffer::download(std::span<std::byte> to, std::size_t offset) const {
  WARPWRIGHT_CHECK(offset + to.size() <= bytes_, "a download stays inside the array");
  device_->download(to, *buffer_, guard_ + offset);
}

void GuardedBuffer::poison(std::uint32_t pattern) {
  device_->fill(*buffer_, guard_, bytes_, pattern);
}

void GuardedBuffer::falsify_some(std::uint64_t seed) {
  // The mask has a high bit of the mantissa of f32, one of each bf16 or f16, and a bit in every
  // second byte.
  constexpr std::uint32_t kMask = 0x00400040;
  device_->scatter(*buffer_, guard_, bytes_, kMask, seed);
}

DeviceRegion GuardedBuffer::summed() const {
  constexpr std::size_t kWord = 8;
  const std::size_t whole = (bytes_ + kWord - 1) / kWord * kWord;
  return {buffer_.get(), guard_, guard_ == 0 ? bytes_ : whole};
}

void GuardedBuffer::forget() { device_->forget(*buffer_, guard_, bytes_); }

void GuardedBuffer::copy_from(const GuardedBuffer& other) {
  device_->copy(*buffer_, *other.buffer_, buffer_->bytes());
}

RestoreCopy GuardedBuffer::restore_from(const GuardedBuffer& other) {
  return {buffer_.get(), other.buffer_.get(), buffer_->bytes()};
}

std::uint64_t GuardedBuffer::checksum() const {
  return device_->checksum(*buffer_, guard_, bytes_);
}

void GuardedBuffer::add_zones(RegionCheck& check) const {
  if (guard_ == 0) return;
  check.expect_pattern({buffer_.get(), 0, guard_}, kGuard);
  check.expect_pattern({buffer_.get(), guard_ + bytes_, guard_}, kGuard);
}

std::optional<std::string> GuardedBuffer::damage() const {
  if (guard_ == 0) return std::nullopt;
  std::vector<std::byte> zone(guard_);
  // The byte nearest to the array is most informative about the mistake: search away from it, on
  // both sides.
  device_->download(zone, *buffer_, guard_ + bytes_);
  for (std::size_t i = 0; i < zone.size(); ++i) {
    if (holds_pattern(&zone[i], 1, guard_ + bytes_ + i, kGuard)) continue;
    return fmt::format("wrote outside of '{}': {} bytes past its end of {} bytes", name_, i,
                       bytes_);
  }
  device_->download(zone, *buffer_, 0);
  for (std::size_t i = zone.size(); i-- > 0;) {
    if (holds_pattern(&zone[i], 1, i, kGuard)) continue;
    return fmt::format("wrote outside of '{}': {} bytes before its start", name_, zone.size() - i);
  }
  return std::nullopt;
}

std::uint64_t ScratchBuffers::address(const ArgumentSpec& argument,
                                      const Environment& environment) {
  for (const Buffer& buffer : buffers_) {
    if (buffer.array->name() == argument.name) return buffer.array->address();
  }
  const TensorPlan plan = plan_tensor(argument, environment);
  Buffer buffer;
  buffer.array = std::make_unique<GuardedBuffer>(device_, plan.bytes, argument.name);
  if (!argument.fill.empty()) {
    buffer.content.resize(plan.bytes);
    Fill::parse(argument.fill, argument.fill_where, environment)
        .generate({plan.dtype, plan.shape, argument.name, seed_}, buffer.content);
    buffer.array->upload(buffer.content);
  }
  buffers_.push_back(std::move(buffer));
  return buffers_.back().array->address();
}

void ScratchBuffers::poison(std::uint32_t pattern) {
  for (const Buffer& buffer : buffers_) {
    if (buffer.content.empty()) buffer.array->poison(pattern);
  }
}

void ScratchBuffers::fill_again() {
  for (const Buffer& buffer : buffers_) {
    if (!buffer.content.empty()) buffer.array->upload(buffer.content);
  }
}

void ScratchBuffers::forget() {
  for (const Buffer& buffer : buffers_) {
    if (buffer.content.empty()) buffer.array->forget();
  }
}

std::vector<RestoreCopy> ScratchBuffers::restores() {
  std::vector<RestoreCopy> restores;
  for (Buffer& buffer : buffers_) {
    if (buffer.content.empty()) continue;
    if (!buffer.pristine) {
      buffer.pristine = std::make_unique<GuardedBuffer>(device_, buffer.array->bytes(),
                                                        buffer.array->name() + " (as filled)");
      buffer.pristine->upload(buffer.content);
    }
    restores.push_back(buffer.array->restore_from(*buffer.pristine));
  }
  return restores;
}

std::vector<PoisonedRegion> ScratchBuffers::poisoned() const {
  std::vector<PoisonedRegion> regions;
  for (const Buffer& buffer : buffers_) {
    if (buffer.content.empty()) regions.push_back(buffer.array->poisoned());
  }
  return regions;
}

void ScratchBuffers::add_zones(RegionCheck& check) const {
  for (const Buffer& buffer : buffers_) buffer.array->add_zones(check);
}

std::optional<std::string> ScratchBuffers::damage() const {
  for (const Buffer& buffer : buffers_) {
    if (std::optional<std::string> damage = buffer.array->damage()) return damage;
  }
  return std::nullopt;
}

std::size_t ScratchBuffers::bytes() const {
  std::size_t bytes = 0;
  for (const Buffer& buffer : buffers_) bytes += buffer.array->bytes();
  return bytes;
}

std::string ScratchBuffers::filled_names() const {
  std::string names;
  for (const Buffer& buffer : buffers_) {
    if (!buffer.content.empty())
      names += (names.empty() ? "'" : " and '") + buffer.array->name() + "'";
  }
  return names;
}

}  // namespace warpwright
