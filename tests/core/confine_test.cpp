// Tests that a confined thread reads what it is allowed to, and nothing else.
#include "core/process/confine.h"

#include <gtest/gtest.h>

#include <fstream>
#include <thread>

#include "core/files.h"

namespace warpwright {
namespace {

namespace fs = std::filesystem;

bool can_read(const fs::path& file) { return std::ifstream(file).good(); }
bool can_write(const fs::path& file) { return std::ofstream(file).good(); }

TEST(Confine, AThreadReadsWhatItMayAndWritesNothing) {
  if (!can_confine_threads()) GTEST_SKIP() << "this system has no Landlock";
  const TemporaryFolder folder;
  const fs::path own = folder.path() / "own", other = folder.path() / "other";
  for (const fs::path& one : {own, other}) {
    fs::create_directories(one / "below");
    std::ofstream(one / "below" / "a.h") << "text";
  }
  fs::create_symlink(other / "below" / "a.h", own / "link.h");
  bool confined = false, reads_own = false, reads_other = false, follows = false, writes = false;
  bool child_reads_other = false;
  std::thread([&] {
    confined = confine_thread({own, folder.path() / "missing"});
    reads_own = can_read(own / "below" / "a.h");
    reads_other = can_read(other / "below" / "a.h");
    follows = can_read(own / "link.h");
    writes = can_write(own / "new");
    std::thread([&] { child_reads_other = can_read(other / "below" / "a.h"); }).join();
  }).join();
  EXPECT_TRUE(confined);
  EXPECT_TRUE(reads_own);
  EXPECT_FALSE(reads_other);
  EXPECT_FALSE(follows) << "a link counts as the file that it leads to";
  EXPECT_FALSE(writes);
  EXPECT_FALSE(child_reads_other);
  EXPECT_TRUE(can_read(other / "below" / "a.h")) << "other threads are not confined";
}

TEST(Confine, AFileMayBeAllowedAlone) {
  if (!can_confine_threads()) GTEST_SKIP() << "this system has no Landlock";
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "a") << "text";
  std::ofstream(folder.path() / "b") << "text";
  bool reads_a = false, reads_b = false;
  std::thread([&] {
    EXPECT_TRUE(confine_thread({folder.path() / "a"}));
    reads_a = can_read(folder.path() / "a");
    reads_b = can_read(folder.path() / "b");
  }).join();
  EXPECT_TRUE(reads_a);
  EXPECT_FALSE(reads_b);
}

}  // namespace
}  // namespace warpwright
