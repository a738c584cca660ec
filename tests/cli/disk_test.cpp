// Tests a sweep whose database is locked by another process, or whose disk fills up: it ends with a
// message that names the cause, keeps all committed trials, and can be resumed.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstring>

#include "store/child_process.h"
#include "store/sqlite.h"
#include "support/square_sweep.h"

namespace warpwright::testing {
namespace {

using ::testing::HasSubstr;

// A file system of 16 MiB that exists as long as the object.
class SmallFileSystem {
 public:
  explicit SmallFileSystem(std::filesystem::path folder) : folder_(std::move(folder)) {
    std::filesystem::create_directory(folder_);
    if (::mount("warpwright-test", folder_.c_str(), "tmpfs", 0, "size=16m") != 0)
      why_not_ = std::strerror(errno);
  }
  ~SmallFileSystem() {
    if (why_not_.empty()) ::umount2(folder_.c_str(), MNT_DETACH);
  }
  SmallFileSystem(const SmallFileSystem&) = delete;
  SmallFileSystem& operator=(const SmallFileSystem&) = delete;

  [[nodiscard]] const std::string& why_not() const { return why_not_; }  // empty if it is mounted
  void fill() const {
    const int ballast = ::open((folder_ / "ballast").c_str(), O_WRONLY | O_CREAT, 0644);
    const std::string page(4096, 'x');
    while (::write(ballast, page.data(), page.size()) > 0) {
    }
    ::close(ballast);
  }
  void make_room() const { std::filesystem::remove(folder_ / "ballast"); }

 private:
  std::filesystem::path folder_;
  std::string why_not_;
};

class Disk : public SquareSweep {
 protected:
  void SetUp() override {
    SquareSweep::SetUp();
    write_problems("{n: 1000000}");
  }
  // Checks that the sweep ended early with exit code 3 and that the same command completes it.
  void expect_failed_and_resumable(const std::filesystem::path& database, int exit_code) {
    EXPECT_EQ(exit_code, 3);
    const std::uint64_t kept = stored(database);
    EXPECT_GE(kept, 2u);
    EXPECT_LT(kept, 11u) << "the sweep ended before it was disturbed";
    EXPECT_THAT(said(), HasSubstr(std::to_string(kept) + " trials of this sweep are stored in " +
                                  (folder_.path() / database).string() +
                                  "; the same command goes on from there"));
  }
  void expect_completes(const std::filesystem::path& database) {
    const std::uint64_t kept = stored(database);
    const nlohmann::json resumed = finish(database);
    EXPECT_EQ(resumed["sweep"]["resumed"].get<std::uint64_t>(), kept);
    EXPECT_EQ(ranking(resumed), ranking(finish("undisturbed.db")));
  }
};

TEST_F(Disk, ADatabaseThatStaysLockedIsNamedWithWhoHasItOpen) {
  const int sweep = start("x.db");
  ASSERT_TRUE(wait_until_stored("x.db", 2, sweep));
  const std::string file = (folder_.path() / "x.db").string();
  pid_t locker = 0;
  {
    ChildProcess other([&](int out) {
      Connection connection(file, Connection::Access::kCreate, 10'000, file);
      connection.execute("BEGIN IMMEDIATE");
      ChildProcess::say(out, std::to_string(::getpid()) + "\n");
      ::pause();
    });
    other.wait_for_output();
    locker = std::stoi(other.text());
    expect_failed_and_resumable("x.db", wait_for(sweep));
  }
  EXPECT_THAT(said(), HasSubstr(file + " is locked by another process; wait for it or use --db"));
  EXPECT_THAT(said(), HasSubstr("open in process " + std::to_string(locker) + " ("));
  expect_completes("x.db");
}

TEST_F(Disk, AFullFileSystemKeepsWhatWasCommitted) {
  const SmallFileSystem small(folder_.path() / "small");
  if (!small.why_not().empty())
    GTEST_SKIP() << "cannot mount a small file system here: " << small.why_not();
  const int sweep = start("small/x.db");
  EXPECT_TRUE(wait_until_stored("small/x.db", 2, sweep));
  small.fill();
  const int code = wait_for(sweep);
  small.make_room();
  expect_failed_and_resumable("small/x.db", code);
  EXPECT_THAT(said(), HasSubstr("disk is full: "));
  EXPECT_THAT(said(), HasSubstr("free some space and run the same command again, it resumes"));
  expect_completes("small/x.db");
}

TEST_F(Disk, AFileThatMayNotGrowKeepsWhatWasCommitted) {
  const int sweep = start("x.db");
  ASSERT_TRUE(wait_until_stored("x.db", 2, sweep));
  // Limits file sizes from now on, like `ulimit -f`; stderr is a file too, but smaller.
  const auto size = std::filesystem::file_size(folder_.path() / "x.db-wal");
  const rlimit limit{size, size};
  ASSERT_EQ(::prlimit(sweep, RLIMIT_FSIZE, &limit, nullptr), 0);
  expect_failed_and_resumable("x.db", wait_for(sweep));
  EXPECT_THAT(said(), HasSubstr("disk is full: "));
  EXPECT_THAT(said(), HasSubstr("File too large"));
  expect_completes("x.db");
}

TEST_F(Disk, AnErrorThatCannotBePrintedStillEndsWithItsCode) {
  const int sweep = start("x.db", {});
  ASSERT_TRUE(wait_until_stored("x.db", 2, sweep));
  const rlimit limit{1, 1};
  ASSERT_EQ(::prlimit(sweep, RLIMIT_FSIZE, &limit, nullptr), 0);
  EXPECT_EQ(wait_for(sweep), 3);
  expect_completes("x.db");
}

}  // namespace
}  // namespace warpwright::testing
