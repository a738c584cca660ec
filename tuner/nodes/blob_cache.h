// Parts of messages by the SHA-256 of their content, up to so many bytes: what was not used for the
// longest time is forgotten first. A rank's agent keeps the parts; rank 0 keeps what it believes
// each agent to have. Either may be wrong about the other: an agent asks for what it lacks.
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

  // One that alone is larger than the cache is not kept.
  void put(const std::string& hash, Blob blob, std::size_t bytes);
  // Null when it is not there, and where nothing but the hash was put.
  [[nodiscard]] Blob find(const std::string& hash);
  // Whether it is there; it counts as used.
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
  std::list<Entry> entries_;  // the latest used first
  std::unordered_map<std::string, std::list<Entry>::iterator> by_hash_;
};

}  // namespace warpwright
