// Manages the files of the on-disk caches: which files are entries, how large the caches may become
// together, and which entries are removed above that size. Reading or writing an entry counts as a
// use, and its modification time is the time of its last use. The code that writes an entry defines
// its content and validates it. Several processes may use and prune a folder at the same time.
#pragma once

#include <cstdint>
#include <ctime>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace warpwright {

inline constexpr std::uint64_t kDefaultCacheLimit = std::uint64_t{4} << 30;
inline constexpr std::uint64_t kNoCacheLimit = UINT64_MAX;

// Reads $WARPWRIGHT_CACHE_LIMIT: "off", or a number of bytes such as 4000000000, 800MiB or 4GiB;
// kDefaultCacheLimit if it is unset. Throws Error (user) on anything else.
[[nodiscard]] std::uint64_t cache_limit_bytes();

// Folders below cache_root(): compiled objects, and references with their expected outputs.
[[nodiscard]] std::filesystem::path compile_cache_folder();
[[nodiscard]] std::filesystem::path reference_cache_folder();
// Folders within reference_cache_folder(). Entries of another format version lie in folders of
// other names.
inline constexpr const char* kObjectsFolder = "objects";
inline constexpr const char* kAnswersFolder = "expected";

struct CacheFile {
  std::filesystem::path path;
  std::uint64_t bytes = 0;
  timespec used{};
};

// Returns the entries below `folder` in unspecified order, including partial files left by
// processes that died. Files whose names do not match an entry are ignored, because they were put
// there by someone else, and so are files that vanish during the listing.
[[nodiscard]] std::vector<CacheFile> list_cache(const std::filesystem::path& folder);

struct CachePruning {
  std::uint64_t removed_files = 0;
  std::uint64_t removed_bytes = 0;
  std::uint64_t left_files = 0;
  std::uint64_t left_bytes = 0;
};

// Removes the least recently used entries of the folders until their total size is within the
// limit. References used within the last hour are kept, because a process may be about to load one.
CachePruning prune_cache(const std::vector<std::filesystem::path>& folders, std::uint64_t limit);
// Prunes both folders below cache_root(), unless a process did so within the last hour; the check
// is cheap.
void prune_cache_now_and_then(std::uint64_t limit);

// Marks the entry as used now. Has no effect if the folder is not writable.
void note_cache_use(const std::filesystem::path& entry);

// Calls try_publish_file() after creating the folder. A failure produces a single notice with a
// remedy: a cache that cannot be written only costs time. `cache` is the folder that the message
// names. Returns false on failure.
bool publish_cache_file(const std::filesystem::path& cache, const std::filesystem::path& entry,
                        std::string_view content);
// Removes a damaged entry and adds a notice. `remedy` describes what happens to the lost content:
// "it is compiled again".
void drop_damaged_entry(const std::filesystem::path& entry, std::string_view remedy);

struct CacheCheck {
  std::uint64_t files = 0;  // valid entries
  std::uint64_t bytes = 0;
  std::uint64_t damaged = 0;  // removed entries; notices name them
};
// Reads the entries below `folder`, counts those for which `is_whole` returns true, and drops the
// others.
void verify_cache(const std::filesystem::path& folder, std::string_view remedy, CacheCheck& check,
                  const std::function<bool(const CacheFile&, const std::string&)>& is_whole);

}  // namespace warpwright
