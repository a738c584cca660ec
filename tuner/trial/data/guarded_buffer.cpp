#include "trial/data/guarded_buffer.h"

#include <fmt/format.h>

#include "core/error.h"
#include "trial/data/poison.h"

namespace warpwright {

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

}  // namespace warpwright
