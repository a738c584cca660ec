#include "compile/compile_cache.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "compile/include_scan.h"
#include "core/cache_folder.h"
#include "core/error.h"
#include "core/files.h"
#include "core/hash.h"
#include "core/notices.h"

namespace warpwright {
namespace {

constexpr std::size_t kDigestDigits = 64;

namespace fs = std::filesystem;

constexpr std::size_t kShardDigits = 2;
// Checking the size of every entry takes a while in a full cache.
constexpr std::uint32_t kStoresPerEviction = 64;
constexpr std::string_view kRemedy = "its kernel is compiled again";

fs::path entry_path(const fs::path& folder, const std::string& key) {
  return folder / key.substr(0, kShardDigits) / key.substr(kShardDigits);
}

// Jobs without names keep the keys that they had before names were introduced.
void add_names(const CompileJob& job, Sha256& hash) {
  if (job.names.empty()) return;
  hash.field("names");
  for (const std::string& name : job.names) hash.field(name);
}

}  // namespace

std::string encode_cache_entry(const CompileResult& result) {
  std::string body;
  nlohmann::json::to_cbor(nlohmann::json(result), body);
  std::string entry(kCacheFormat);
  entry += '\n';
  entry += sha256_hex(body);
  entry += '\n';
  return entry + body;
}

std::optional<CompileResult> decode_cache_entry(std::string_view bytes) {
  const std::size_t header = kCacheFormat.size() + 1 + kDigestDigits + 1;
  if (bytes.size() <= header || !bytes.starts_with(kCacheFormat)) return std::nullopt;
  const std::string_view digest = bytes.substr(kCacheFormat.size() + 1, kDigestDigits);
  const std::string_view body = bytes.substr(header);
  if (sha256_hex(body) != digest) return std::nullopt;
  try {
    return nlohmann::json::from_cbor(body).get<CompileResult>();
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

std::string compile_key(const CompileJob& job, const std::string& compiler) {
  Sha256 hash;
  hash.field(kCacheFormat).field(compiler);
  // NVRTC writes absolute paths into .file directives, and the given names into its messages.
  hash.field(job.source.string()).field(fs::absolute(job.source).lexically_normal().string());
  for (const std::string& option : job.options()) hash.field(option);
  hash.field("");
  for (const SourceFile& file : collect_sources(job)) {
    hash.field(file.found ? "found" : "missing").field(file.name).field(file.path.string());
    hash.field(file.content);
  }
  add_names(job, hash);
  return hash.hex();
}

std::string portable_key(const CompileJob& job) { return portable_key(job, collect_sources(job)); }

std::string portable_key(const CompileJob& job, const std::vector<SourceFile>& files) {
  Sha256 hash;
  hash.field(job.arch).field(job.want_cubin ? "cubin" : "ptx");
  for (const auto& [name, value] : job.defines) hash.field(name).field(value);
  hash.field("");
  for (const std::string& option : job.extra_options) hash.field(option);
  hash.field("");
  for (const SourceFile& file : files) {
    const bool source = file.path == job.source;
    hash.field(file.found ? "found" : "missing");
    hash.field(source ? job.source.filename().string() : file.name).field(file.content);
  }
  add_names(job, hash);
  return hash.hex();
}

CompileCache::CompileCache(fs::path folder, std::uint64_t cap_bytes)
    : folder_(std::move(folder)), cap_bytes_(cap_bytes) {
  if (folder_.empty()) return;
  std::error_code failed;
  fs::create_directories(folder_, failed);
  if (failed) {
    throw environment_error(fmt::format(
        "cannot make the compile cache's folder {}: {}; set WARPWRIGHT_CACHE to a folder that can "
        "be written",
        folder_.string(), failed.message()));
  }
}

std::string CompileCache::key(const CompileJob& job, const std::string& compiler) const {
  return compile_key(job, compiler);
}

std::optional<CompileResult> CompileCache::find(const std::string& key) const {
  if (folder_.empty()) return std::nullopt;
  const fs::path path = entry_path(folder_, key);
  std::optional<std::string> bytes;
  try {
    bytes = read_file_if_present(path);
  } catch (const Error& error) {
    add_notice(error.message() + "; its kernel is compiled again");
  }
  if (!bytes) return std::nullopt;
  auto result = decode_cache_entry(*bytes);
  if (!result || result->key != key) {
    drop_damaged_entry(path, kRemedy);
    return std::nullopt;
  }
  note_cache_use(path);
  result->cached = true;
  return result;
}

bool CompileCache::store(const std::string& key, const CompileResult& result) const {
  if (folder_.empty() || result.timed_out || result.crashed || result.by_machine) return false;
  CompileResult entry = result;
  entry.key = key;
  entry.cached = false;
  if (!publish_cache_file(folder_, entry_path(folder_, key), encode_cache_entry(entry)))
    return false;
  if (stores_.fetch_add(1, std::memory_order_relaxed) % kStoresPerEviction ==
      kStoresPerEviction - 1) {
    evict();
  }
  return true;
}

std::uint64_t CompileCache::evict() const {
  return prune_cache({folder_}, cap_bytes_).removed_bytes;
}

std::uint64_t CompileCache::size_bytes() const {
  std::uint64_t total = 0;
  for (const CacheFile& entry : list_cache(folder_)) total += entry.bytes;
  return total;
}

CacheCheck CompileCache::verify() const {
  CacheCheck check;
  verify_cache(folder_, kRemedy, check, [](const CacheFile& entry, const std::string& bytes) {
    const std::optional<CompileResult> result = decode_cache_entry(bytes);
    return result && result->key == entry.path.parent_path().filename().string() +
                                        entry.path.filename().string();
  });
  return check;
}

}  // namespace warpwright
