// A cache of message parts by the SHA-256 of their content, up to a given number of bytes; the
// least recently used part is evicted first. A rank's agent keeps the parts; rank 0 keeps the
// hashes that each agent should have. These may be out of date, so an agent asks for parts that it
// lacks.
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <unordered_map>

namespace warpwright {

using Blob = std::shared_ptr<const nlohmann::json>;  // a string or bytes

inline constexpr std::size_t kBlobCacheBytes = 256u << 20;

class BlobCache {
 public:
  explicit BlobCache(std::size_t most_bytes = kBlobCacheBytes) : most_bytes_(most_bytes) {}

  // A part that is larger than the whole cache is not kept.
  void put(const std::string& hash, Blob blob, std::size_t bytes);
  // Returns null when the part is not there, or when only its hash was put.
  [[nodiscard]] Blob find(const std::string& hash);
  // Returns whether the part is there, and marks it as used.
  [[nodiscard]] bool touch(const std::string& hash);
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  struct Entry {
    std::string hash;
    Blob blob;
    std::size_t bytes;
  };
  std::size_t most_bytes_;
  std::size_t bytes_ = 0;
  std::list<Entry> entries_;  // the most recently used first
  std::unordered_map<std::string, std::list<Entry>::iterator> by_hash_;
};

}  // namespace warpwright
