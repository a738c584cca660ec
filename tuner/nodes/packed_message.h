// Messages whose large parts (code, sources, contracts) stand in them by content hash, so that each
// travels once to a machine. A part is a string or bytes of 2 KiB or more; {"by_hash": "<64 hex>"}
// stands in its place.
#pragma once

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "nodes/blob_cache.h"

namespace warpwright {

using Blobs = std::map<std::string, Blob>;  // by hash

[[nodiscard]] std::size_t blob_bytes(const nlohmann::json& part);
[[nodiscard]] std::string blob_hash(const nlohmann::json& part);

struct PackedMessage {
  nlohmann::json message;
  Blobs blobs;  // all of its parts
};
[[nodiscard]] PackedMessage pack_message(const nlohmann::json& message);

// Puts the parts back, as `find` has them. Returns the hashes of those that it has not; the message
// may be tried again.
[[nodiscard]] std::vector<std::string> unpack_message(
    nlohmann::json& message, const std::function<Blob(const std::string& hash)>& find);

// Puts what a message holds in full into `cache`, with the parts themselves or only their hashes.
void note_parts(const nlohmann::json& message, BlobCache& cache, bool with_content);

}  // namespace warpwright
