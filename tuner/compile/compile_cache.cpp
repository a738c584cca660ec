#include "compile/compile_cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <ctime>
#include <functional>
#include <string_view>
#include <thread>
#include <tuple>
#include <vector>

#include "compile/cache_entry.h"
#include "compile/include_scan.h"
#include "core/error.h"
#include "core/files.h"
#include "core/hash.h"

namespace warpwright {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kShardDigits = 2;
// Looking at every entry's size takes a while in a full cache.
constexpr std::uint32_t kStoresPerEviction = 64;

constexpr std::string_view kPartialExtension = ".partial";
constexpr std::time_t kPartialLifeSeconds = 3600;

struct Entry {
  fs::path path;
  std::uint64_t bytes = 0;
  timespec used{};
};

// Other processes store and evict meanwhile: what vanishes during the listing is simply left out.
std::vector<Entry> list_entries(const fs::path& folder) {
  std::vector<Entry> result;
  std::error_code ignored;
  for (fs::recursive_directory_iterator it(folder, ignored), end; !ignored && it != end;
       it.increment(ignored)) {
    struct stat info {};
    if (::stat(it->path().c_str(), &info) != 0 || !S_ISREG(info.st_mode)) continue;
    // Being written; an old one was left behind by a process that died, and is evicted like an
    // entry.
    const bool partial = it->path().extension() == kPartialExtension;
    if (partial && ::time(nullptr) - info.st_mtim.tv_sec < kPartialLifeSeconds) continue;
    result.push_back({it->path(), static_cast<std::uint64_t>(info.st_size), info.st_mtim});
  }
  return result;
}

fs::path entry_path(const fs::path& folder, const std::string& key) {
  return folder / key.substr(0, kShardDigits) / key.substr(kShardDigits);
}

// Like publish_file(), but without flushing to the disk, which takes longer than reading a result
// back and would make the workers wait for each other. Each entry carries a checksum: an entry
// damaged by a power cut is a miss.
bool publish_unflushed(const fs::path& path, std::string_view bytes) {
  const auto ticks = std::chrono::steady_clock::now().time_since_epoch().count();
  fs::path partial = path;
  partial += fmt::format(".{}.{:x}.{:x}{}", ::getpid(),
                         std::hash<std::thread::id>()(std::this_thread::get_id()), ticks,
                         kPartialExtension);
  const int file = ::open(partial.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (file < 0) return false;
  bool whole = true;
  while (whole && !bytes.empty()) {
    const ssize_t put = ::write(file, bytes.data(), bytes.size());
    if (put >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(put));
    } else {
      whole = errno == EINTR;
    }
  }
  whole = ::close(file) == 0 && whole;
  if (whole && ::rename(partial.c_str(), path.c_str()) == 0) return true;
  ::unlink(partial.c_str());
  return false;
}

}  // namespace

namespace {

// Jobs without names have the keys that they had before there were any.
void add_names(const CompileJob& job, Sha256& hash) {
  if (job.names.empty()) return;
  hash.field("names");
  for (const std::string& name : job.names) hash.field(name);
}

}  // namespace

std::string compile_key(const CompileJob& job, const std::string& compiler) {
  Sha256 hash;
  hash.field(kCacheFormat).field(compiler);
  // NVRTC writes absolute paths into .file, and the names as given into its messages.
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
    throw environment_error(fmt::format("cannot make the compile cache's folder {}: {}",
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
  } catch (const Error&) {  // an unreadable entry is as good as a damaged one
  }
  if (!bytes) return std::nullopt;
  auto result = decode_cache_entry(*bytes);
  if (!result || result->key != key) {
    std::error_code ignored;
    fs::remove(path, ignored);
    return std::nullopt;
  }
  // Eviction goes by the time of the last use. A read-only cache still answers.
  ::utimensat(AT_FDCWD, path.c_str(), nullptr, 0);
  result->cached = true;
  return result;
}

bool CompileCache::store(const std::string& key, const CompileResult& result) const {
  if (folder_.empty() || result.timed_out || result.crashed) return false;
  CompileResult entry = result;
  entry.key = key;
  entry.cached = false;
  const fs::path path = entry_path(folder_, key);
  std::error_code failed;
  fs::create_directories(path.parent_path(), failed);
  if (failed) return false;
  if (!publish_unflushed(path, encode_cache_entry(entry))) return false;
  if (stores_.fetch_add(1, std::memory_order_relaxed) % kStoresPerEviction ==
      kStoresPerEviction - 1) {
    evict();
  }
  return true;
}

std::uint64_t CompileCache::evict() const {
  std::vector<Entry> entries = list_entries(folder_);
  std::uint64_t total = 0;
  for (const Entry& entry : entries) total += entry.bytes;
  if (total <= cap_bytes_) return 0;
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.used.tv_sec, a.used.tv_nsec, a.path) <
           std::tie(b.used.tv_sec, b.used.tv_nsec, b.path);
  });
  std::uint64_t removed = 0;
  for (const Entry& entry : entries) {
    if (total - removed <= cap_bytes_) break;
    std::error_code ignored;
    fs::remove(entry.path, ignored);
    removed += entry.bytes;
  }
  return removed;
}

std::uint64_t CompileCache::size_bytes() const {
  std::uint64_t total = 0;
  for (const Entry& entry : list_entries(folder_)) total += entry.bytes;
  return total;
}

}  // namespace warpwright
