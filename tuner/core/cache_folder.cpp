#include "core/cache_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <tuple>

#include "core/error.h"
#include "core/files.h"
#include "core/notices.h"
#include "core/words.h"

namespace warpwright {
namespace {

namespace fs = std::filesystem;

constexpr std::time_t kHour = 3600;
constexpr std::string_view kObject = ".so";
// The modification time of this file is the time of the last pruning.
constexpr const char* kPruningStamp = "pruned";

bool is_hex(std::string_view text, std::size_t digits) {
  return text.size() == digits && all_hex_digits(text);
}

// Recognises compiled objects, references and their expected outputs by their names.
bool is_entry(const fs::path& path) {
  constexpr std::size_t kDigest = 64;
  constexpr std::size_t kFolderDigits = 2;
  const std::string name = path.filename().string();
  const std::string folder = path.parent_path().filename().string();
  if (is_hex(name, kDigest - kFolderDigits)) return is_hex(folder, kFolderDigits);
  const fs::path extension = path.extension();
  return (extension == kObject || extension == ".answer") && is_hex(path.stem().string(), kDigest);
}

bool older_than_an_hour(const timespec& time, std::time_t now) { return now - time.tv_sec > kHour; }

void walk(const fs::path& folder, std::vector<CacheFile>& found) {
  const std::time_t now = ::time(nullptr);
  std::error_code ended;
  for (fs::recursive_directory_iterator it(folder, ended), end; !ended && it != end;
       it.increment(ended)) {
    const fs::path& path = it->path();
    const bool partial = path.extension() == kPartialExtension;
    if (!partial && !is_entry(path)) continue;
    struct stat info {};
    if (::lstat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) continue;
    // A file that is still being written is not an entry yet.
    if (partial && !older_than_an_hour(info.st_mtim, now)) continue;
    found.push_back({path, static_cast<std::uint64_t>(info.st_size), info.st_mtim});
  }
}

}  // namespace

std::uint64_t cache_limit_bytes() {
  constexpr const char* kName = "WARPWRIGHT_CACHE_LIMIT";
  const char* setting = std::getenv(kName);
  if (setting == nullptr || *setting == '\0') return kDefaultCacheLimit;
  if (std::string_view(setting) == "off") return kNoCacheLimit;
  if (const std::optional<std::uint64_t> bytes = parse_byte_count(setting)) return *bytes;
  throw user_error(
      fmt::format("{}='{}': expected `off` or a number of bytes such as 4000000000, 800MiB or 4GiB",
                  kName, setting));
}

fs::path compile_cache_folder() { return cache_root() / "compile"; }
fs::path reference_cache_folder() { return cache_root() / "reference"; }

std::vector<CacheFile> list_cache(const fs::path& folder) {
  std::vector<CacheFile> found;
  walk(folder, found);
  return found;
}

CachePruning prune_cache(const std::vector<fs::path>& folders, std::uint64_t limit) {
  std::vector<CacheFile> files;
  for (const fs::path& folder : folders) walk(folder, files);
  CachePruning pruning;
  pruning.left_files = files.size();
  for (const CacheFile& file : files) pruning.left_bytes += file.bytes;
  if (pruning.left_bytes <= limit) return pruning;
  std::sort(files.begin(), files.end(), [](const CacheFile& a, const CacheFile& b) {
    return std::tie(a.used.tv_sec, a.used.tv_nsec, a.path) <
           std::tie(b.used.tv_sec, b.used.tv_nsec, b.path);
  });
  const std::time_t now = ::time(nullptr);
  for (const CacheFile& file : files) {
    if (pruning.left_bytes <= limit) break;
    if (file.path.extension() == kObject && !older_than_an_hour(file.used, now)) continue;
    std::error_code failed;
    fs::remove(file.path, failed);
    if (failed) continue;
    ++pruning.removed_files;
    --pruning.left_files;
    pruning.removed_bytes += file.bytes;
    pruning.left_bytes -= file.bytes;
  }
  return pruning;
}

void prune_cache_now_and_then(std::uint64_t limit) {
  if (limit == kNoCacheLimit) return;
  const fs::path stamp = cache_root() / kPruningStamp;
  struct stat info {};
  if (::stat(stamp.c_str(), &info) == 0 && !older_than_an_hour(info.st_mtim, ::time(nullptr)))
    return;
  // Update the stamp first, so that only one of several processes prunes.
  const int file = ::open(stamp.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
  if (file < 0) return;
  ::futimens(file, nullptr);
  ::close(file);
  prune_cache({compile_cache_folder(), reference_cache_folder()}, limit);
}

void note_cache_use(const fs::path& entry) { ::utimensat(AT_FDCWD, entry.c_str(), nullptr, 0); }

bool publish_cache_file(const fs::path& cache, const fs::path& entry, std::string_view content) {
  const fs::path folder = entry.parent_path();
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (!failed) failed = try_publish_file(entry, content);
  if (!failed) return true;
  // The notice does not name the entry, so that all failures together produce a single line.
  add_notice(fmt::format(
      "the cache {} cannot be written: {}; what it would hold is made again the next time; free "
      "some space or set WARPWRIGHT_CACHE to a folder that can be written",
      cache.string(), failed.message()));
  return false;
}

void drop_damaged_entry(const fs::path& entry, std::string_view remedy) {
  std::error_code failed;
  fs::remove(entry, failed);
  add_notice(fmt::format("the cache's entry {} was damaged and {}; {}", entry.string(),
                         failed ? "cannot be removed: " + failed.message() : "was removed",
                         remedy));
}

void verify_cache(const fs::path& folder, std::string_view remedy, CacheCheck& check,
                  const std::function<bool(const CacheFile&, const std::string&)>& is_whole) {
  for (const CacheFile& entry : list_cache(folder)) {
    if (entry.path.extension() == kPartialExtension) continue;
    try {
      const std::optional<std::string> bytes = read_file_if_present(entry.path);
      if (!bytes) continue;  // another process has removed it
      if (is_whole(entry, *bytes)) {
        ++check.files;
        check.bytes += entry.bytes;
        continue;
      }
      ++check.damaged;
      drop_damaged_entry(entry.path, remedy);
    } catch (const Error& error) {
      ++check.damaged;
      add_notice(fmt::format("{}; {}", error.message(), remedy));
    }
  }
}

}  // namespace warpwright
