#include "compile/compile_cache.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "compile/fixtures.h"
#include "core/error.h"
#include "core/notices.h"
#include "core/process/subprocess.h"
#include "support/test_worker.h"

namespace warpwright {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::uint64_t kPlenty = 1ull << 30;

CompileResult some_result(std::size_t ptx_bytes = 100) {
  CompileResult result;
  result.ok = true;
  result.log = "said \xff this";  // not UTF-8
  result.ptx = std::string(ptx_bytes, 'p');
  result.cubin = std::string("\x7f\0ELF\xff", 6);
  result.resources = {{"k", 32, 1024, 400, 16, 8, 4}};
  result.nvrtc_version = "13.0";
  result.seconds = 0.5;
  return result;
}

// 64 hex digits that begin with `start`.
std::string key_of(const std::string& start) { return start + std::string(64 - start.size(), '0'); }

fs::path only_file(const fs::path& folder) {
  fs::path found;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    EXPECT_TRUE(found.empty()) << found << " and " << entry.path();
    found = entry.path();
  }
  return found;
}

void set_age(const fs::path& file, int seconds_ago) {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  now.tv_sec -= seconds_ago;
  const timespec times[2] = {now, now};
  ASSERT_EQ(::utimensat(AT_FDCWD, file.c_str(), times, 0), 0);
}

class CacheTest : public ::testing::Test {
 protected:
  [[nodiscard]] fs::path entry(const std::string& key) const {
    return cache_.folder() / key.substr(0, 2) / key.substr(2);
  }

  TemporaryFolder folder_{"warpwright-cache-test"};
  CompileCache cache_{folder_.path() / "cache", kPlenty};
};

TEST_F(CacheTest, GivesBackWhatWasStored) {
  const CompileResult stored = some_result();
  EXPECT_FALSE(cache_.find(key_of("ab")).has_value());
  EXPECT_TRUE(cache_.store(key_of("ab"), stored));
  const auto found = cache_.find(key_of("ab"));
  ASSERT_TRUE(found.has_value());
  EXPECT_TRUE(found->cached);
  EXPECT_EQ(found->key, key_of("ab"));
  EXPECT_EQ(found->ok, stored.ok);
  EXPECT_EQ(found->log, stored.log);
  EXPECT_EQ(found->ptx, stored.ptx);
  EXPECT_EQ(found->cubin, stored.cubin);
  EXPECT_EQ(found->nvrtc_version, stored.nvrtc_version);
  EXPECT_EQ(found->seconds, stored.seconds);
  ASSERT_EQ(found->resources.size(), 1u);
  const KernelResources& k = found->resources[0];
  EXPECT_EQ(std::tie(k.entry, k.registers, k.static_shared, k.constant, k.stack, k.spill_stores,
                     k.spill_loads),
            std::make_tuple("k", 32, 1024, 400, 16, 8, 4));
}

TEST_F(CacheTest, KeepsFailures) {
  CompileResult failed;
  failed.failure = "k.cu:1: error: no";
  EXPECT_TRUE(cache_.store(key_of("ab"), failed));
  const auto found = cache_.find(key_of("ab"));
  ASSERT_TRUE(found.has_value());
  EXPECT_FALSE(found->ok);
  EXPECT_EQ(found->failure, failed.failure);
}

TEST_F(CacheTest, ForgetsTimeoutsAndCrashes) {
  CompileResult result;
  result.timed_out = true;
  EXPECT_FALSE(cache_.store(key_of("ab"), result));
  result.timed_out = false;
  result.crashed = true;
  EXPECT_FALSE(cache_.store(key_of("ab"), result));
  result.crashed = false;
  result.by_machine = true;
  EXPECT_FALSE(cache_.store(key_of("ab"), result));
  EXPECT_FALSE(cache_.find(key_of("ab")).has_value());
}

TEST_F(CacheTest, EntriesLieInShards) {
  cache_.store(key_of("ab"), some_result());
  EXPECT_EQ(only_file(cache_.folder()), entry(key_of("ab")));
}

TEST_F(CacheTest, EveryDamagedByteIsAMissAndTheEntryIsRemoved) {
  const std::string bytes = encode_cache_entry([] {
    CompileResult result = some_result(10);
    result.key = key_of("ab");
    return result;
  }());
  for (std::size_t i = 0; i < bytes.size(); i += 7) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
    fs::create_directories(entry(key_of("ab")).parent_path());
    std::ofstream(entry(key_of("ab")), std::ios::binary) << damaged;
    ASSERT_FALSE(cache_.find(key_of("ab")).has_value()) << "byte " << i;
    ASSERT_FALSE(fs::exists(entry(key_of("ab"))));
  }
}

TEST_F(CacheTest, ADamagedEntryIsNamed) {
  cache_.store(key_of("ab"), some_result());
  fs::resize_file(entry(key_of("ab")), 100);
  static_cast<void>(take_notices());
  EXPECT_FALSE(cache_.find(key_of("ab")).has_value());
  EXPECT_THAT(take_notices(),
              ElementsAre("the cache's entry " + entry(key_of("ab")).string() +
                          " was damaged and was removed; its kernel is compiled again"));
}

TEST_F(CacheTest, VerifyingFindsWhatIsDamagedAndKeepsTheRest) {
  for (const char* start : {"aa", "bb", "cc"}) cache_.store(key_of(start), some_result());
  fs::resize_file(entry(key_of("bb")), 100);
  fs::copy(entry(key_of("aa")), entry(key_of("cc")), fs::copy_options::overwrite_existing);
  const CacheCheck check = cache_.verify();
  EXPECT_EQ(check.files, 1u);
  EXPECT_EQ(check.damaged, 2u) << "an entry under another's name is damaged, too";
  EXPECT_EQ(check.bytes, cache_.size_bytes());
  EXPECT_TRUE(cache_.find(key_of("aa")).has_value());
}

TEST_F(CacheTest, ATruncatedEntryIsAMissAndIsRemoved) {
  for (const int keep : {0, 10, 80, 100, 300}) {
    cache_.store(key_of("ab"), some_result());
    fs::resize_file(entry(key_of("ab")), static_cast<std::uintmax_t>(keep));
    EXPECT_FALSE(cache_.find(key_of("ab")).has_value());
    EXPECT_FALSE(fs::exists(entry(key_of("ab"))));
  }
}

TEST_F(CacheTest, AnEntryUnderAnotherKeyIsAMiss) {
  cache_.store(key_of("ab"), some_result());
  fs::create_directories(entry(key_of("cd")).parent_path());
  fs::rename(entry(key_of("ab")), entry(key_of("cd")));
  EXPECT_FALSE(cache_.find(key_of("cd")).has_value());
}

TEST_F(CacheTest, EvictionTakesTheLeastRecentlyUsed) {
  const CompileResult result = some_result(10'000);
  for (const char* start : {"aa", "bb", "cc", "dd"}) cache_.store(key_of(start), result);
  set_age(entry(key_of("aa")), 400);
  set_age(entry(key_of("bb")), 300);
  set_age(entry(key_of("cc")), 200);
  set_age(entry(key_of("dd")), 100);
  ASSERT_TRUE(cache_.find(key_of("aa")).has_value());  // counts as a use
  const std::uint64_t one = cache_.size_bytes() / 4;
  const CompileCache small(cache_.folder(), 2 * one);
  EXPECT_EQ(small.evict(), 2 * one);
  EXPECT_EQ(small.size_bytes(), 2 * one);
  EXPECT_TRUE(small.find(key_of("aa")).has_value());
  EXPECT_FALSE(small.find(key_of("bb")).has_value());
  EXPECT_FALSE(small.find(key_of("cc")).has_value());
  EXPECT_TRUE(small.find(key_of("dd")).has_value());
  EXPECT_EQ(small.evict(), 0u);
}

TEST_F(CacheTest, StoringEvictsNowAndThen) {
  const CompileCache small(folder_.path() / "small", 50'000);
  for (int i = 0; i < 64; ++i) {
    small.store(key_of(std::to_string(10 + i)), some_result(10'000));
  }
  EXPECT_LE(small.size_bytes(), 50'000u);
  EXPECT_TRUE(small.find(key_of("73")).has_value()) << "the newest stays";
}

TEST_F(CacheTest, EvictionLeavesFilesAloneThatAreBeingWritten) {
  fs::create_directories(cache_.folder() / "ab");
  std::ofstream(cache_.folder() / "ab" / "x.partial") << "being written";
  std::ofstream(cache_.folder() / "ab" / "y.partial") << "left behind";
  set_age(cache_.folder() / "ab" / "y.partial", 7200);
  const CompileCache none(cache_.folder(), 0);
  none.evict();
  EXPECT_TRUE(fs::exists(cache_.folder() / "ab" / "x.partial"));
  EXPECT_FALSE(fs::exists(cache_.folder() / "ab" / "y.partial"));
}

TEST_F(CacheTest, AFolderThatCannotBeMadeIsAnEnvironmentError) {
  std::ofstream(folder_.path() / "file") << "x";
  try {
    const CompileCache cache(folder_.path() / "file" / "cache", kPlenty);
    FAIL() << "made a folder inside a file";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::kEnvironment);
    EXPECT_EQ(error.message(),
              "cannot make the compile cache's folder " +
                  (folder_.path() / "file" / "cache").string() +
                  ": Not a directory; set WARPWRIGHT_CACHE to a folder that can be written");
  }
}

TEST_F(CacheTest, WithoutAFolderItHoldsNothing) {
  const CompileCache none({}, kPlenty);
  EXPECT_FALSE(none.store(key_of("ab"), some_result()));
  EXPECT_FALSE(none.find(key_of("ab")).has_value());
  EXPECT_EQ(none.evict() + none.size_bytes(), 0u);
}

TEST_F(CacheTest, AStoreThatFailsIsFalse) {
  fs::create_directories(cache_.folder());
  std::ofstream(cache_.folder() / "ab") << "a file where the shard should be";
  static_cast<void>(take_notices());
  EXPECT_FALSE(cache_.store(key_of("ab"), some_result()));
  EXPECT_FALSE(cache_.store(key_of("ab"), some_result(10)));
  EXPECT_THAT(take_notices(),
              ElementsAre("the cache " + cache_.folder().string() +
                          " cannot be written: Not a directory; what it would hold is made again "
                          "the next time; free some space or set WARPWRIGHT_CACHE to a folder that "
                          "can be written"));
}

// Stores and reads the same keys as the other processes, and reports how many reads were neither a
// miss nor correct.
WARPWRIGHT_TEST_WORKER(cache_user) {
  WorkerChannel channel;
  nlohmann::json folder;
  if (!channel.receive(folder)) return 1;
  const CompileCache cache(folder.get<std::string>(), 200'000);
  int wrong = 0;
  for (int i = 0; i < 300; ++i) {
    const std::string key = key_of(std::to_string(10 + i % 30));
    const std::size_t size = 1000u * static_cast<std::size_t>(10 + i % 30);
    const auto found = cache.find(key);
    if (found && found->ptx.size() != size) ++wrong;
    if (!found && !cache.store(key, some_result(size))) ++wrong;
    if (i % 50 == 49) cache.evict();
  }
  channel.send(wrong);
  return 0;
}

TEST_F(CacheTest, ProcessesShareOneFolder) {
  std::vector<std::unique_ptr<Subprocess>> users;
  for (int i = 0; i < 4; ++i) {
    users.push_back(std::make_unique<Subprocess>(test_worker_command("cache_user")));
    ASSERT_TRUE(users.back()->send(cache_.folder().string()));
  }
  for (const auto& user : users) {
    nlohmann::json wrong;
    ASSERT_EQ(user->receive(wrong, std::chrono::seconds(60)), Subprocess::ReadResult::kMessage)
        << user->stderr_tail();
    EXPECT_EQ(wrong, 0);
  }
}

class KeyTest : public ::testing::Test {
 protected:
  KeyTest() {
    sources_.write("common/a.h", "#include \"b.h\"\n");
    sources_.write("common/b.h", "int b;\n");
    job_ = job_for(sources_.write("k/k.cu", "#include \"a.h\"\n#include <toolkit.h>\n"));
    job_.include_folders = {sources_.path() / "common"};
    job_.defines = {{"A", "1"}, {"B", "2"}};
    before_ = key();
  }
  [[nodiscard]] std::string key() const { return compile_key(job_, "nvrtc 13.0"); }

  SourceFolder sources_;
  CompileJob job_;
  std::string before_;
};

TEST_F(KeyTest, IsSha256InHexAndStable) {
  EXPECT_EQ(before_.size(), 64u);
  EXPECT_EQ(before_.find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_EQ(key(), before_);
}

TEST_F(KeyTest, DependsOnTheSource) {
  sources_.write("k/k.cu", "#include \"a.h\"\n#include <toolkit.h>\n\n");
  EXPECT_NE(key(), before_);
}

TEST_F(KeyTest, DependsOnWhereTheSourceLies) {
  job_.source = sources_.write("k/copy.cu", "#include \"a.h\"\n#include <toolkit.h>\n");
  EXPECT_NE(key(), before_);
}

TEST_F(KeyTest, DependsOnADirectInclude) {
  sources_.write("common/a.h", "#include \"b.h\" // other\n");
  EXPECT_NE(key(), before_);
}

TEST_F(KeyTest, DependsOnAnIndirectInclude) {
  sources_.write("common/b.h", "long b;\n");
  EXPECT_NE(key(), before_);
}

TEST_F(KeyTest, DependsOnAMissingIncludeAppearing) {
  sources_.write("common/toolkit.h", "");
  EXPECT_NE(key(), before_);
}

TEST_F(KeyTest, DependsOnAnIncludeBeingShadowed) {
  sources_.write("k/a.h", "#include \"b.h\"\n");
  EXPECT_NE(key(), before_);
}

TEST_F(KeyTest, DependsOnDefines) {
  job_.defines[0].second = "3";
  const std::string changed = key();
  EXPECT_NE(changed, before_);
  job_.defines = {{"A", "1"}};
  EXPECT_NE(key(), before_);
  EXPECT_NE(key(), changed);
}

TEST_F(KeyTest, DependsOnTheArchitecture) {
  job_.arch = "sm_100a";
  EXPECT_NE(key(), before_);
}

TEST_F(KeyTest, DependsOnWhatIsWanted) {
  job_.want_cubin = false;
  EXPECT_NE(key(), before_);
}

TEST_F(KeyTest, DependsOnExtraOptions) {
  job_.extra_options = {"--use_fast_math"};
  EXPECT_NE(key(), before_);
}

TEST_F(KeyTest, DependsOnIncludeFolders) {
  job_.include_folders.push_back(sources_.path());
  EXPECT_NE(key(), before_);
}

TEST_F(KeyTest, DependsOnTheCompiler) { EXPECT_NE(compile_key(job_, "nvrtc 13.1"), before_); }

TEST_F(KeyTest, ThePortableKeyIsEqualInEveryCheckout) {
  const SourceFolder other;
  other.write("common/a.h", "#include \"b.h\"\n");
  other.write("common/b.h", "int b;\n");
  CompileJob job = job_;
  job.source = other.write("k/k.cu", "#include \"a.h\"\n#include <toolkit.h>\n");
  job.include_folders = {other.path() / "common"};
  EXPECT_NE(compile_key(job, "nvrtc 13.0"), before_);
  EXPECT_EQ(portable_key(job), portable_key(job_));
  other.write("common/b.h", "long b;\n");
  EXPECT_NE(portable_key(job), portable_key(job_));
}

TEST_F(KeyTest, ThePortableKeyDependsOnWhatIsAskedFor) {
  const std::string before = portable_key(job_);
  CompileJob job = job_;
  job.arch = "sm_100a";
  EXPECT_NE(portable_key(job), before);
  job = job_;
  job.defines[0].second = "3";
  EXPECT_NE(portable_key(job), before);
  job = job_;
  job.extra_options = {"--use_fast_math"};
  EXPECT_NE(portable_key(job), before);
}

TEST_F(KeyTest, IgnoresFilesThatAreNotIncluded) {
  sources_.write("common/unrelated.h", "x");
  sources_.write("k/unrelated.cu", "x");
  EXPECT_EQ(key(), before_);
}

}  // namespace
}  // namespace warpwright
