#include "nodes/blob_cache.h"

#include <utility>

namespace warpwright {

void BlobCache::put(const std::string& hash, Blob blob, std::size_t bytes) {
  if (bytes > most_bytes_ || touch(hash)) return;
  entries_.push_front({hash, std::move(blob), bytes});
  by_hash_[hash] = entries_.begin();
  bytes_ += bytes;
  while (bytes_ > most_bytes_) {
    bytes_ -= entries_.back().bytes;
    by_hash_.erase(entries_.back().hash);
    entries_.pop_back();
  }
}

Blob BlobCache::find(const std::string& hash) {
  return touch(hash) ? entries_.front().blob : nullptr;
}

bool BlobCache::touch(const std::string& hash) {
  const auto found = by_hash_.find(hash);
  if (found == by_hash_.end()) return false;
  entries_.splice(entries_.begin(), entries_, found->second);
  return true;
}

}  // namespace warpwright
