#include "core/hash.h"

#include <sha2.h>
#include <sys/types.h>

#include <array>
#include <cstdint>

namespace warpwright {

struct Sha256::Impl {
  SHA2_CTX context;
};

namespace {

void update(SHA2_CTX& context, const void* bytes, std::size_t size) {
  SHA256Update(&context, static_cast<const std::uint8_t*>(bytes), size);
}

// Fixed width and byte order, so that keys agree between machines.
void update_length(SHA2_CTX& context, std::uint64_t size) {
  std::array<std::uint8_t, 8> little_endian{};
  for (std::uint8_t& byte : little_endian) {
    byte = static_cast<std::uint8_t>(size & 0xff);
    size >>= 8;
  }
  update(context, little_endian.data(), little_endian.size());
}

}  // namespace

Sha256::Sha256() : impl_(std::make_unique<Impl>()) { SHA256Init(&impl_->context); }
Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

Sha256& Sha256::field(std::string_view text) {
  update_length(impl_->context, text.size());
  return raw(text);
}

Sha256& Sha256::field(std::span<const std::byte> bytes) {
  update_length(impl_->context, bytes.size());
  update(impl_->context, bytes.data(), bytes.size());
  return *this;
}

Sha256& Sha256::raw(std::string_view text) {
  update(impl_->context, text.data(), text.size());
  return *this;
}

std::string Sha256::hex() {
  std::array<std::uint8_t, SHA256_DIGEST_LENGTH> digest{};
  SHA256Final(digest.data(), &impl_->context);
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  text.reserve(2 * digest.size());
  for (const std::uint8_t byte : digest) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

std::string sha256_hex(std::string_view text) { return Sha256().raw(text).hex(); }

}  // namespace warpwright
