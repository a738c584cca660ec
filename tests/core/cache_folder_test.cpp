#include "core/cache_folder.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <cstdlib>
#include <fstream>

#include "core/files.h"
#include "core/notices.h"
#include "support/error_text.h"

namespace warpwright {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;

class CacheFolder : public ::testing::Test {
 protected:
  void SetUp() override { ::setenv("WARPWRIGHT_CACHE", root().c_str(), 1); }
  void TearDown() override {
    ::unsetenv("WARPWRIGHT_CACHE");
    ::unsetenv("WARPWRIGHT_CACHE_LIMIT");
  }
  [[nodiscard]] fs::path root() const { return folder_.path() / "cache"; }
  // Creates a file of the given size that was last used the given time ago.
  fs::path make(const fs::path& file, std::size_t bytes, int seconds_ago) const {
    const fs::path path = root() / file;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << std::string(bytes, 'x');
    timespec then{};
    ::clock_gettime(CLOCK_REALTIME, &then);
    then.tv_sec -= seconds_ago;
    const timespec times[2] = {then, then};
    EXPECT_EQ(::utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
    return path;
  }
  static std::string digest(char digit, std::size_t digits = 64) {
    return std::string(digits, digit);
  }

  TemporaryFolder folder_;
};

TEST_F(CacheFolder, TheLimitIsFourGibibytesUnlessItIsSet) {
  EXPECT_EQ(cache_limit_bytes(), std::uint64_t{4} << 30);
  ::setenv("WARPWRIGHT_CACHE_LIMIT", "", 1);
  EXPECT_EQ(cache_limit_bytes(), std::uint64_t{4} << 30);
  ::setenv("WARPWRIGHT_CACHE_LIMIT", "800MiB", 1);
  EXPECT_EQ(cache_limit_bytes(), std::uint64_t{800} << 20);
  ::setenv("WARPWRIGHT_CACHE_LIMIT", "0", 1);
  EXPECT_EQ(cache_limit_bytes(), 0u);
  ::setenv("WARPWRIGHT_CACHE_LIMIT", "off", 1);
  EXPECT_EQ(cache_limit_bytes(), kNoCacheLimit);
}

TEST_F(CacheFolder, ALimitThatIsNoneIsTheUsersFault) {
  for (const char* text :
       {"plenty", "-1", "1.5G", "4 GiB", "99999999999999999999", "17179869184G"}) {
    ::setenv("WARPWRIGHT_CACHE_LIMIT", text, 1);
    EXPECT_EQ(testing::error_text([] { static_cast<void>(cache_limit_bytes()); }),
              "WARPWRIGHT_CACHE_LIMIT='" + std::string(text) +
                  "': expected `off` or a number of bytes such as 4000000000, 800MiB or 4GiB");
  }
}

TEST_F(CacheFolder, WhatUsersPutThereIsNeitherCountedNorRemoved) {
  make("compile/ab/" + digest('1', 62), 10, 0);
  make("compile/ab/notes.txt", 10, 0);
  make("compile/" + digest('1', 62), 10, 0);
  make("reference/references/mine.so", 10, 0);
  make("reference/answers/" + digest('2') + ".answer", 10, 0);
  make("photos/ab/" + digest('3', 62), 10, 0);
  const CachePruning pruning = prune_cache({compile_cache_folder(), reference_cache_folder()}, 0);
  EXPECT_EQ(pruning.removed_files, 2u);
  EXPECT_EQ(pruning.removed_bytes, 20u);
  EXPECT_EQ(pruning.left_files, 0u);
  for (const char* file : {"compile/ab/notes.txt", "reference/references/mine.so"})
    EXPECT_TRUE(fs::exists(root() / file)) << file;
  EXPECT_TRUE(fs::exists(root() / "photos" / "ab" / digest('3', 62)));
}

TEST_F(CacheFolder, PruningRemovesWhatWasNotUsedForTheLongestTime) {
  const fs::path old_entry = make("compile/ab/" + digest('1', 62), 10, 300);
  const fs::path old_answer = make("reference/answers/" + digest('2') + ".answer", 10, 200);
  const fs::path used = make("compile/ab/" + digest('3', 62), 10, 400);
  note_cache_use(used);
  const CachePruning pruning = prune_cache({compile_cache_folder(), reference_cache_folder()}, 25);
  EXPECT_EQ(pruning.removed_files, 1u);
  EXPECT_EQ(pruning.left_bytes, 20u);
  EXPECT_FALSE(fs::exists(old_entry));
  EXPECT_TRUE(fs::exists(old_answer));
  EXPECT_TRUE(fs::exists(used));
}

TEST_F(CacheFolder, AReferenceThatMayBeAboutToBeLoadedStays) {
  const fs::path fresh = make("reference/references/" + digest('1') + ".so", 10, 60);
  const fs::path old_one = make("reference/references/" + digest('2') + ".so", 10, 4000);
  static_cast<void>(prune_cache({reference_cache_folder()}, 0));
  EXPECT_TRUE(fs::exists(fresh));
  EXPECT_FALSE(fs::exists(old_one));
}

TEST_F(CacheFolder, IsPrunedOnceInAWhile) {
  const fs::path first = make("compile/ab/" + digest('1', 62), 10, 0);
  prune_cache_now_and_then(0);
  EXPECT_FALSE(fs::exists(first));
  const fs::path second = make("compile/ab/" + digest('2', 62), 10, 0);
  prune_cache_now_and_then(0);
  EXPECT_TRUE(fs::exists(second)) << "another process has just done so";
  make("pruned", 0, 4000);
  prune_cache_now_and_then(0);
  EXPECT_FALSE(fs::exists(second));
}

TEST_F(CacheFolder, WithoutALimitNothingIsPruned) {
  const fs::path entry = make("compile/ab/" + digest('1', 62), 10, 0);
  prune_cache_now_and_then(kNoCacheLimit);
  EXPECT_TRUE(fs::exists(entry));
  EXPECT_FALSE(fs::exists(root() / "pruned"));
}

TEST_F(CacheFolder, WhatIsDamagedIsRemovedAndNamed) {
  const fs::path whole = make("compile/ab/" + digest('1', 62), 10, 0);
  const fs::path damaged = make("compile/ab/" + digest('2', 62), 11, 0);
  make("compile/ab/x.partial", 11, 4000);
  static_cast<void>(take_notices());
  CacheCheck check;
  verify_cache(compile_cache_folder(), "it is made again", check,
               [](const CacheFile& entry, const std::string& bytes) {
                 return entry.bytes == 10 && bytes.size() == 10;
               });
  EXPECT_EQ(check.files, 1u);
  EXPECT_EQ(check.bytes, 10u);
  EXPECT_EQ(check.damaged, 1u);
  EXPECT_TRUE(fs::exists(whole));
  EXPECT_FALSE(fs::exists(damaged));
  EXPECT_THAT(take_notices(), ElementsAre("the cache's entry " + damaged.string() +
                                          " was damaged and was removed; it is made again"));
}

TEST_F(CacheFolder, AFullDiskIsToldOnceAndLeavesNothing) {
  fs::create_directories(root());
  static_cast<void>(take_notices());
  EXPECT_FALSE(publish_cache_file(root(), "/dev/full/entry", "text"));
  EXPECT_FALSE(publish_cache_file(root(), "/dev/full/another", "text"));
  EXPECT_THAT(take_notices(),
              ElementsAre("the cache " + root().string() +
                          " cannot be written: Not a directory; what it would hold is made again "
                          "the next time; free some space or set WARPWRIGHT_CACHE to a folder that "
                          "can be written"));
}

}  // namespace
}  // namespace warpwright
