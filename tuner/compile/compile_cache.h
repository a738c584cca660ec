// The content-addressed cache of compile results on disk, shared by processes. A key is the SHA-256
// of the source's text and path, every file that it includes (recursively), the options, the
// compiler (Nvrtc::identity(), which also covers the toolkit's own headers) and the cache's format
// version. An entry is one file, published by an atomic rename: the line "warpwright-compile 1", a
// line with the SHA-256 of the rest in hex, and the result as CBOR. A damaged entry is a miss; it
// is removed, and a notice names it. When the folder outgrows its cap, the least recently used
// entries are removed.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "compile/compile_job.h"
#include "core/cache_folder.h"

namespace warpwright {

// The format is also part of every cache key. Changing it, after a change here or in the meaning of
// a result, makes all older entries unreachable.
inline constexpr std::string_view kCacheFormat = "warpwright-compile 1";

[[nodiscard]] std::string encode_cache_entry(const CompileResult& result);
[[nodiscard]] std::optional<CompileResult> decode_cache_entry(std::string_view bytes);

// Reads the source and its includes. Throws Error (user) when the source is missing. An include
// that is not found enters the key as missing: either it belongs to the toolkit, or the compiler
// will report it.
[[nodiscard]] std::string compile_key(const CompileJob& job, const std::string& compiler);

// Like compile_key(), but without the compiler and without paths: the key is equal in every
// checkout and on every machine with equal sources, defines, architecture and extra options. It
// identifies kernels in databases that are moved between machines.
[[nodiscard]] std::string portable_key(const CompileJob& job);
// As above, for files that collect_sources() found for the job or for one with the same source and
// options.
[[nodiscard]] std::string portable_key(const CompileJob& job, const std::vector<SourceFile>& files);

// May be used from several threads and processes at once.
class CompileCache {
 public:
  // Creates the folder. Throws Error (environment) if that fails. An empty path gives a cache that
  // stores nothing.
  CompileCache(std::filesystem::path folder, std::uint64_t cap_bytes);

  // Returns compile_key() for this cache.
  [[nodiscard]] std::string key(const CompileJob& job, const std::string& compiler) const;
  // A hit has cached = true and counts as a use.
  [[nodiscard]] std::optional<CompileResult> find(const std::string& key) const;
  // Failed compilations are stored too, since they are data; timeouts, crashes and compilations
  // that the machine stopped are not. Returns false, with a notice, when the disk is full. Evicts
  // entries now and then.
  bool store(const std::string& key, const CompileResult& result) const;
  // Removes the least recently used entries until the folder is under its cap; returns the bytes
  // removed.
  std::uint64_t evict() const;
  [[nodiscard]] std::uint64_t size_bytes() const;
  // Reads every entry and removes damaged ones.
  [[nodiscard]] CacheCheck verify() const;
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
  std::uint64_t cap_bytes_;
  mutable std::atomic<std::uint32_t> stores_{0};
};

}  // namespace warpwright
