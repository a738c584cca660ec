// The bytes of a cache entry: the line "warpwright-compile 1", a line with the SHA-256 of the rest
// in hex, and the result as CBOR. Bytes that do not read back completely are not an entry.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "compile/compile_job.h"

namespace warpwright {

// The format is also part of every cache key. Changing it, after a change here or in the meaning of
// a result, makes all older entries unreachable.
inline constexpr std::string_view kCacheFormat = "warpwright-compile 1";

[[nodiscard]] std::string encode_cache_entry(const CompileResult& result);
[[nodiscard]] std::optional<CompileResult> decode_cache_entry(std::string_view bytes);

}  // namespace warpwright
