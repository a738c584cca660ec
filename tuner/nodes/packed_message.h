// Messages whose large parts (code, sources, contracts) are replaced by content hashes, so that
// each part is sent to a machine once. A part is a string or bytes of 2 KiB or more; {"by_hash":
// "<64 hex>"} replaces it.
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

// Restores the parts that `find` returns. Returns the hashes of the missing ones; the message may
// be tried again.
[[nodiscard]] std::vector<std::string> unpack_message(
    nlohmann::json& message, const std::function<Blob(const std::string& hash)>& find);

// Puts the parts that a message holds in full into `cache`, with their content or only by hash.
void note_parts(const nlohmann::json& message, BlobCache& cache, bool with_content);

}  // namespace warpwright
