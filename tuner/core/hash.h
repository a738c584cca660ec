// Content hashes: SHA-256 (from OpenSSL, which uses hardware support) for everything that is stored
// or shared, so that equal keys mean equal content.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace warpwright {

// Feeds length-prefixed fields, so that ("ab","c") and ("a","bc") differ.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(Sha256&&) noexcept;
  Sha256& operator=(Sha256&&) noexcept;

  Sha256& field(std::string_view text);
  Sha256& field(std::span<const std::byte> bytes);
  // Omits the length prefix, for checksums whose format is defined elsewhere.
  Sha256& raw(std::string_view text);
  // 64 lower-case hex digits; the object must not be used afterwards.
  [[nodiscard]] std::string hex();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// SHA-256 of exactly these bytes.
[[nodiscard]] std::string sha256_hex(std::string_view text);

}  // namespace warpwright
