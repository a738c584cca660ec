// The content-addressed cache of compile results on disk, shared by processes.
// Key: SHA-256 over the source's text and path, every file it includes (recursively), the options,
// the compiler (Nvrtc::identity(), which stands for the toolkit's own headers too) and the cache's
// format version. An entry is one file, published by an atomic rename, with a checksum: a damaged
// entry is a miss, is removed, and a notice names it. Least-recently-used entries are removed when
// the folder outgrows its cap.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "compile/compile_job.h"
#include "core/cache_folder.h"

namespace warpwright {

// Reads the source and its includes. Throws Error (user) when the source is missing. An include
// that is not found is part of the key as missing: it belongs to the toolkit, or the compiler will
// report it.
[[nodiscard]] std::string compile_key(const CompileJob& job, const std::string& compiler);

// Like compile_key(), but without the compiler and without paths: equal in every checkout and on
// every machine with equal sources, defines, architecture and extra options. For identities that
// travel in databases.
[[nodiscard]] std::string portable_key(const CompileJob& job);
// The same, of what collect_sources() found for the job or for one of equal source and options.
[[nodiscard]] std::string portable_key(const CompileJob& job, const std::vector<SourceFile>& files);

// May be used from several threads and processes at once.
class CompileCache {
 public:
  // Makes the folder. Throws Error (environment) when it cannot be made. An empty path gives a
  // cache that holds nothing.
  CompileCache(std::filesystem::path folder, std::uint64_t cap_bytes);

  // compile_key().
  [[nodiscard]] std::string key(const CompileJob& job, const std::string& compiler) const;
  // A hit has cached = true and counts as used now.
  [[nodiscard]] std::optional<CompileResult> find(const std::string& key) const;
  // Failed compilations are kept too (they are data); timeouts, crashes and what the machine
  // stopped are not. A full disk is a notice: false. Evicts now and then.
  bool store(const std::string& key, const CompileResult& result) const;
  // Removes least-recently-used entries until the folder is under its cap; returns bytes removed.
  std::uint64_t evict() const;
  [[nodiscard]] std::uint64_t size_bytes() const;
  // Reads every entry, and removes those that are damaged.
  [[nodiscard]] CacheCheck verify() const;
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
  std::uint64_t cap_bytes_;
  mutable std::atomic<std::uint32_t> stores_{0};
};

}  // namespace warpwright
