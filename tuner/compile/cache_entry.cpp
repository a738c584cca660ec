#include "compile/cache_entry.h"

#include <nlohmann/json.hpp>

#include "core/hash.h"

namespace warpwright {
namespace {

constexpr std::size_t kDigestDigits = 64;

}  // namespace

std::string encode_cache_entry(const CompileResult& result) {
  std::string body;
  nlohmann::json::to_cbor(nlohmann::json(result), body);
  std::string entry(kCacheFormat);
  entry += '\n';
  entry += sha256_hex(body);
  entry += '\n';
  return entry + body;
}

std::optional<CompileResult> decode_cache_entry(std::string_view bytes) {
  const std::size_t header = kCacheFormat.size() + 1 + kDigestDigits + 1;
  if (bytes.size() <= header || !bytes.starts_with(kCacheFormat)) return std::nullopt;
  const std::string_view digest = bytes.substr(kCacheFormat.size() + 1, kDigestDigits);
  const std::string_view body = bytes.substr(header);
  if (sha256_hex(body) != digest) return std::nullopt;
  try {
    return nlohmann::json::from_cbor(body).get<CompileResult>();
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

}  // namespace warpwright
