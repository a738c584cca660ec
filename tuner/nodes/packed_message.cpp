#include "nodes/packed_message.h"

#include <utility>

#include "core/hash.h"

namespace warpwright {
namespace {

using nlohmann::json;

constexpr std::size_t kLeastBlobBytes = 2048;
constexpr const char* kByHash = "by_hash";

bool is_large(const json& part) { return blob_bytes(part) >= kLeastBlobBytes; }

template <typename Json, typename Do>
void each_part(Json& message, const Do& act) {
  if (!message.is_structured()) return act(message);
  for (auto& part : message) each_part(part, act);
}

const std::string* hash_in(const json& part) {
  if (!part.is_object() || part.size() != 1) return nullptr;
  const auto found = part.find(kByHash);
  return found == part.end() ? nullptr : found->get_ptr<const std::string*>();
}

void unpack(json& part, const std::function<Blob(const std::string&)>& find,
            std::vector<std::string>& missing) {
  if (const std::string* hash = hash_in(part)) {
    if (const Blob blob = find(*hash)) {
      part = *blob;
    } else {
      missing.push_back(*hash);
    }
    return;
  }
  if (!part.is_structured()) return;
  for (json& inner : part) unpack(inner, find, missing);
}

}  // namespace

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

std::size_t blob_bytes(const json& part) {
  if (part.is_string()) return part.get_ref<const std::string&>().size();
  return part.is_binary() ? part.get_binary().size() : 0;
}

std::string blob_hash(const json& part) {
  Sha256 hash;
  // Text and bytes with the same content are different parts.
  if (part.is_string()) {
    hash.field("text").field(part.get_ref<const std::string&>());
  } else {
    hash.field("bytes").field(std::as_bytes(std::span(part.get_binary())));
  }
  return hash.hex();
}

PackedMessage pack_message(const json& message) {
  PackedMessage packed{message, {}};
  each_part(packed.message, [&](json& part) {
    if (!is_large(part)) return;
    std::string hash = blob_hash(part);
    const auto [at, fresh] = packed.blobs.try_emplace(hash);
    if (fresh) at->second = std::make_shared<const json>(std::move(part));
    part = {{kByHash, std::move(hash)}};
  });
  return packed;
}

std::vector<std::string> unpack_message(json& message,
                                        const std::function<Blob(const std::string& hash)>& find) {
  std::vector<std::string> missing;
  unpack(message, find, missing);
  return missing;
}

void note_parts(const json& message, BlobCache& cache, bool with_content) {
  each_part(message, [&](const json& part) {
    if (!is_large(part)) return;
    cache.put(blob_hash(part), with_content ? std::make_shared<const json>(part) : nullptr,
              blob_bytes(part));
  });
}

}  // namespace warpwright
