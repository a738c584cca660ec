// The content-addressed cache of compile results on disk, shared by processes.
// Key: SHA-256 over the source text, every file it includes (recursively), the options, the NVRTC version and the cache's
// format version. An entry is one file, published by an atomic rename, with a checksum: a damaged entry is a miss and is
// removed. Least-recently-used entries go when the folder grows past its cap.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "compile/compile_job.h"

namespace warpwright {

class CompileCache {
 public:
  // The folder is made on first use. Throws Error (environment) when it cannot be.
  CompileCache(std::filesystem::path folder, std::uint64_t cap_bytes);

  // Reads the source and its includes. Throws Error (user) when the source is missing. An include that is not found is
  // part of the key as missing: the compiler will report it.
  [[nodiscard]] std::string key(const CompileJob& job, const std::string& nvrtc_version) const;
  [[nodiscard]] std::optional<CompileResult> find(const std::string& key) const;
  // Failed compilations are kept too (they are data); timeouts and crashes are not. A full disk is not an error: false.
  bool store(const std::string& key, const CompileResult& result) const;
  // Removes least-recently-used entries until the folder is under its cap; returns bytes removed.
  std::uint64_t evict() const;
  [[nodiscard]] std::uint64_t size_bytes() const;
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
  std::uint64_t cap_bytes_;
};

}  // namespace warpwright
