#include "core/process/memory_limit.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "core/files.h"
#include "core/process/subprocess.h"
#include "support/error_text.h"

namespace warpwright {
namespace {

namespace fs = std::filesystem;

class AvailableMemory : public ::testing::Test {
 protected:
  void write(const char* file, const char* text) const {
    fs::create_directories((folder_.path() / file).parent_path());
    std::ofstream(folder_.path() / file) << text;
  }
  TemporaryFolder folder_;
};

TEST_F(AvailableMemory, IsUnknownWhereTheSystemSaysNothing) {
  EXPECT_EQ(available_memory_bytes(folder_.path()), std::nullopt);
}

TEST_F(AvailableMemory, IsWhatTheMachineHas) {
  write("proc/meminfo", "MemTotal:       100 kB\nMemFree:  1 kB\nMemAvailable:      60 kB\n");
  EXPECT_EQ(available_memory_bytes(folder_.path()), 60u * 1024);
}

TEST_F(AvailableMemory, IsBoundByTheControlGroupLessWhatItUses) {
  write("proc/meminfo", "MemAvailable:      60 kB\n");
  write("proc/self/cgroup", "0::/box\n");
  write("sys/fs/cgroup/box/memory.max", "50000\n");
  write("sys/fs/cgroup/box/memory.current", "30000\n");
  write("sys/fs/cgroup/box/memory.stat", "anon 1\ninactive_file 10000\n");
  EXPECT_EQ(available_memory_bytes(folder_.path()), 30000u) << "cached files can be given up";
}

TEST_F(AvailableMemory, IsBoundByEveryGroupAbove) {
  write("proc/meminfo", "MemAvailable:      60 kB\n");
  write("proc/self/cgroup", "0::/outer/inner\n");
  write("sys/fs/cgroup/outer/inner/memory.max", "max\n");
  write("sys/fs/cgroup/outer/inner/memory.current", "1000\n");
  write("sys/fs/cgroup/outer/memory.max", "5000\n");
  write("sys/fs/cgroup/outer/memory.current", "1000\n");
  EXPECT_EQ(available_memory_bytes(folder_.path()), 4000u);
}

TEST_F(AvailableMemory, IsBoundByAGroupOfVersionOne) {
  write("proc/meminfo", "MemAvailable:      60 kB\n");
  write("proc/self/cgroup", "5:cpu:/x\n4:blkio,memory:/box\n");
  write("sys/fs/cgroup/memory/box/memory.limit_in_bytes", "5000\n");
  write("sys/fs/cgroup/memory/box/memory.usage_in_bytes", "9000\n");
  write("sys/fs/cgroup/memory/box/memory.stat", "total_inactive_file 4500\n");
  EXPECT_EQ(available_memory_bytes(folder_.path()), 500u);
}

TEST(MemoryLimit, TakesBytesUnitsAndOff) {
  EXPECT_EQ(parse_memory_limit("1500000000", "X"), 1'500'000'000u);
  EXPECT_EQ(parse_memory_limit("800MiB", "X"), 800u << 20);
  EXPECT_EQ(parse_memory_limit("800M", "X"), 800u << 20);
  EXPECT_EQ(parse_memory_limit("4GB", "X"), 4ull << 30);
  EXPECT_EQ(parse_memory_limit("65536K", "X"), 64u << 20);
  EXPECT_EQ(parse_memory_limit("off", "X"), 0u);
}

TEST(MemoryLimit, RefusesWhatIsNoNumberOfBytes) {
  for (const char* text : {"", "much", "4 GiB", "-1", "1T", "99999999999G", "iB"}) {
    EXPECT_EQ(testing::error_text([&] { (void)parse_memory_limit(text, "LIMIT"); }),
              std::string("LIMIT='") + text +
                  "': expected `off` or a number of bytes such as 4000000000, 800MiB or 4GiB");
  }
}

TEST(MemoryLimit, RefusesWhatNoProcessStartsIn) {
  EXPECT_EQ(testing::error_text([] { (void)parse_memory_limit("1", "LIMIT"); }),
            "LIMIT='1': 1 bytes are too few for a process to start in; expected `off` or at least "
            "64MiB");
  EXPECT_EQ(testing::error_text([] { (void)parse_memory_limit("0", "LIMIT"); }),
            "LIMIT='0': 0 bytes are too few for a process to start in; expected `off` or at least "
            "64MiB");
  EXPECT_EQ(testing::error_text([] { (void)parse_memory_limit("63MiB", "LIMIT"); }),
            "LIMIT='63MiB': 66060288 bytes are too few for a process to start in; expected `off` "
            "or at least 64MiB");
}

TEST(MemoryLimit, IsDescribedWithWhatSetsIt) {
  EXPECT_EQ(describe_memory_limit(512u << 20), "limit 512 MiB; WARPWRIGHT_MEMORY_LIMIT sets it");
  EXPECT_EQ(describe_memory_limit(0), "no limit was set, only the machine's own applies");
  EXPECT_EQ(describe_memory_limit(std::nullopt),
            "no limit was set, only the machine's own applies");
}

TEST(MemoryLimit, ThePeakIsOfWhatCameAfterForgetting) {
  constexpr std::size_t kBlock = 200u << 20;
  void* block = ::mmap(nullptr, kBlock, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(block, MAP_FAILED);
  std::memset(block, 1, kBlock);
  ::munmap(block, kBlock);
  const std::uint64_t before = peak_memory_bytes();
  EXPECT_GE(before, kBlock);
  forget_peak_memory();
  EXPECT_LT(peak_memory_bytes(), before - (100u << 20));
}

TEST(MemoryLimit, AnEndForLackOfMemoryIsKnownByCodeAndByLastWords) {
  EXPECT_TRUE(ended_out_of_memory({.code = kOutOfMemoryExit}, ""));
  EXPECT_TRUE(ended_out_of_memory({.signal = 6}, "... what():  std::bad_alloc\n"));
  EXPECT_FALSE(ended_out_of_memory({.signal = 6}, "what():  boom\n"));
  EXPECT_FALSE(ended_out_of_memory({.code = 1}, "std::bad_alloc"));
}

}  // namespace
}  // namespace warpwright
