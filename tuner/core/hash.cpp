#include "core/hash.h"

#include <openssl/evp.h>

#include <array>
#include <cstdint>
#include <new>

namespace warpwright {

struct Sha256::Impl {
  Impl() : context(EVP_MD_CTX_new()) {
    // Only a lack of memory can make this fail.
    if (context == nullptr || EVP_DigestInit_ex(context, EVP_sha256(), nullptr) != 1)
      throw std::bad_alloc();
  }
  ~Impl() { EVP_MD_CTX_free(context); }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  void update(const void* bytes, std::size_t size) { EVP_DigestUpdate(context, bytes, size); }
  // The field has a fixed width and byte order, so that keys agree between machines.
  void update_length(std::uint64_t size) {
    std::array<std::uint8_t, 8> little_endian{};
    for (std::uint8_t& byte : little_endian) {
      byte = static_cast<std::uint8_t>(size & 0xff);
      size >>= 8;
    }
    update(little_endian.data(), little_endian.size());
  }

  EVP_MD_CTX* context;
};

Sha256::Sha256() : impl_(std::make_unique<Impl>()) {}
Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

Sha256& Sha256::field(std::string_view text) {
  impl_->update_length(text.size());
  return raw(text);
}

Sha256& Sha256::field(std::span<const std::byte> bytes) {
  impl_->update_length(bytes.size());
  impl_->update(bytes.data(), bytes.size());
  return *this;
}

Sha256& Sha256::raw(std::string_view text) {
  impl_->update(text.data(), text.size());
  return *this;
}

std::string Sha256::hex() {
  constexpr std::size_t kDigestBytes = 32;
  std::array<std::uint8_t, kDigestBytes> digest{};
  EVP_DigestFinal_ex(impl_->context, digest.data(), nullptr);
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
