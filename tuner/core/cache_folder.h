// The files of the caches on disk: which they are, how large they may become together, and which
// go when they become larger. An entry is used when it is read or written; its modification time
// says when that was last. What an entry holds, and whether it is whole, is known to those that
// write it. Several processes may use a folder, and prune it, at once.
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

// $WARPWRIGHT_CACHE_LIMIT: "off", or a number of bytes such as 4000000000, 800MiB or 4GiB; without
// it kDefaultCacheLimit. Throws Error (user) on anything else.
[[nodiscard]] std::uint64_t cache_limit_bytes();

// Below cache_root(): of compilers' results, and of references and their answers.
[[nodiscard]] std::filesystem::path compile_cache_folder();
[[nodiscard]] std::filesystem::path reference_cache_folder();
// Within the second. An entry of another format than today's lies in a folder of another name.
inline constexpr const char* kObjectsFolder = "objects";
inline constexpr const char* kAnswersFolder = "expected";

struct CacheFile {
  std::filesystem::path path;
  std::uint64_t bytes = 0;
  timespec used{};
};

// The entries below `folder`, in no order, and what processes that died left half-written. A file
// whose name is not that of an entry is left out: somebody else put it there. What vanishes
// meanwhile is left out too.
[[nodiscard]] std::vector<CacheFile> list_cache(const std::filesystem::path& folder);

struct CachePruning {
  std::uint64_t removed_files = 0;
  std::uint64_t removed_bytes = 0;
  std::uint64_t left_files = 0;
  std::uint64_t left_bytes = 0;
};

// Removes entries of the folders, those first that were not used for the longest time, until all
// together are within the limit. References used within the last hour stay: a process may be about
// to load one.
CachePruning prune_cache(const std::vector<std::filesystem::path>& folders, std::uint64_t limit);
// The same of both folders below cache_root(), unless a process has done it within the last hour;
// cheap where one has.
void prune_cache_now_and_then(std::uint64_t limit);

// Notes that the entry is used now. A folder that cannot be written keeps its times.
void note_cache_use(const std::filesystem::path& entry);

// As try_publish_file(), and makes the folder. A failure becomes a notice that says what to do,
// once: a cache that cannot be written costs time and nothing else. `cache` is the folder that the
// message names. False when it failed.
bool publish_cache_file(const std::filesystem::path& cache, const std::filesystem::path& entry,
                        std::string_view content);
// Says that a damaged entry was found, and removes it. `remedy` says what becomes of what it held:
// "it is compiled again".
void drop_damaged_entry(const std::filesystem::path& entry, std::string_view remedy);

struct CacheCheck {
  std::uint64_t files = 0;  // that are whole
  std::uint64_t bytes = 0;
  std::uint64_t damaged = 0;  // were found and removed; notices name them
};
// Reads the entries below `folder`, adds up those that `is_whole`, and drops the others.
void verify_cache(const std::filesystem::path& folder, std::string_view remedy, CacheCheck& check,
                  const std::function<bool(const CacheFile&, const std::string&)>& is_whole);

}  // namespace warpwright
