// Messages between ranks, whose large parts (code, sources, contracts) are replaced by content
// hashes, so that each part is sent to a machine once. {"by_hash": "<64 hex>"} replaces a part,
// which is a string or bytes of 2 KiB or more. Parts are cached by the SHA-256 of their content, up
// to a given number of bytes; the least recently used part is evicted first. A rank's agent keeps
// the parts; rank 0 keeps the hashes that each agent should have. These may be out of date, so an
// agent asks for parts that it lacks.
#pragma once

#include <cstddef>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <unordered_map>
#include <vector>

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

using Blobs = std::map<std::string, Blob>;  // by hash

[[nodiscard]] std::size_t blob_bytes(const nlohmann::json& part);
[[nodiscard]] std::string blob_hash(const nlohmann::json& part);

struct PackedMessage {
  nlohmann::json message;
  Blobs blobs;  // all of its parts
};
[[nodiscard]] PackedMessage pack_message(const nlohmann::json& message);

// Restores the parts that `find` returns. Returns the hashes of the missing ones; the message may
// be tried again.
[[nodiscard]] std::vector<std::string> unpack_message(
    nlohmann::json& message, const std::function<Blob(const std::string& hash)>& find);

// Puts the parts that a message holds in full into `cache`, with their content or only by hash.
void note_parts(const nlohmann::json& message, BlobCache& cache, bool with_content);

}  // namespace warpwright
