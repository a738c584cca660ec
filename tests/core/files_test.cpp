#include "core/files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include "core/error.h"
#include "support/error_text.h"

namespace warpwright {
namespace {

namespace fs = std::filesystem;
using testing::error_text;

// Sets an environment variable for the duration of a test.
class ScopedVariable {
 public:
  ScopedVariable(const char* name, const char* value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    set(value);
  }
  ~ScopedVariable() { set(old_ ? old_->c_str() : nullptr); }
  ScopedVariable(const ScopedVariable&) = delete;
  ScopedVariable& operator=(const ScopedVariable&) = delete;

 private:
  void set(const char* value) const {
    if (value == nullptr) {
      unsetenv(name_);
    } else {
      setenv(name_, value, 1);
    }
  }
  const char* name_;
  std::optional<std::string> old_;
};

std::size_t entries_in(const fs::path& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(Files, WhatIsPublishedReadsBack) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "a.txt";
  const std::string content = std::string("zero \0 inside", 13) + std::string(200000, 'x');
  publish_file(path, content);
  EXPECT_EQ(read_file(path), content);
  publish_file(path, "");
  EXPECT_EQ(read_file(path), "");
  EXPECT_EQ(entries_in(folder.path()), 1U);
}

TEST(Files, PublishedFilesHaveOrdinaryPermissions) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "a.txt";
  const mode_t mask = umask(022);
  publish_file(path, "x");
  umask(mask);
  EXPECT_EQ(fs::status(path).permissions(), fs::perms(0644));
}

TEST(Files, MissingFileIsTheUsersFault) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "none";
  EXPECT_EQ(error_text([&] { (void)read_file(path); }), "no such file: " + path.string());
  EXPECT_EQ(read_file_if_present(path), std::nullopt);
  EXPECT_EQ(read_file_if_present(path / "below"), std::nullopt);
}

TEST(Files, WhatMightNeverEndIsNotRead) {
  const TemporaryFolder folder;
  const fs::path pipe = folder.path() / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(error_text([&] { (void)read_file(pipe); }),
            pipe.string() + " is a pipe, expected a regular file; copy its content into one first");
  EXPECT_EQ(error_text([] { (void)read_file("/dev/zero"); }),
            "/dev/zero is a device, expected a regular file; copy its content into one first");
  EXPECT_EQ(error_text([] { require_regular_file("/dev/zero"); }),
            "/dev/zero is a device, expected a regular file; copy its content into one first");
  require_regular_file(folder.path() / "nothing");
}

TEST(Files, AFileLargerThanAnyTextIsNotRead) {
  const TemporaryFolder folder;
  const fs::path sparse = folder.path() / "sparse";
  publish_file(sparse, "");
  fs::resize_file(sparse, std::uintmax_t{1} << 40);
  EXPECT_EQ(error_text([&] { (void)read_file(sparse); }),
            sparse.string() + " is larger than 2 GiB, the most that is read of a file");
}

TEST(Files, FolderInPlaceOfAFileIsTheUsersFault) {
  const TemporaryFolder folder;
  EXPECT_EQ(error_text([&] { (void)read_file(folder.path()); }),
            folder.path().string() + " is a folder, expected a file");
}

// Address 0 of this process's memory: a file that can be opened but not read, even by root.
TEST(Files, UnreadableFileIsTheEnvironmentsFault) {
  try {
    (void)read_file("/proc/self/mem");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::kEnvironment);
    EXPECT_EQ(error.message(), "cannot read /proc/self/mem: Input/output error");
  }
}

TEST(Files, WritingBelowAMissingFolderSaysSo) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "none" / "a.txt";
  EXPECT_EQ(
      error_text([&] { publish_file(path, "x"); }),
      "cannot write " + path.string() + ": No such file or directory; create its folder first");
}

TEST(Files, PublishingOverAFolderFailsAndLeavesNoPart) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "taken";
  fs::create_directory(path);
  EXPECT_EQ(error_text([&] { publish_file(path, "x"); }),
            "cannot write " + path.string() + ": Is a directory");
  EXPECT_EQ(entries_in(folder.path()), 1U);
}

TEST(Files, FullDiskIsReportedWithAWayOut) {
  const int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
  if (full < 0) GTEST_SKIP() << "no /dev/full";
  EXPECT_EQ(error_text([&] { write_all(full, "x", "results/a.db"); }),
            "cannot write results/a.db: No space left on device; free some space or choose another "
            "place");
  close(full);
}

// A limit on file sizes simulates a disk that fills up half-way.
TEST(Files, WriteThatFailsHalfWayKeepsTheOldContentAndLeavesNoPart) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "a.txt";
  publish_file(path, "old");
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit small = before;
  small.rlim_cur = 4096;
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string message = error_text([&] { publish_file(path, std::string(100000, 'x')); });
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(message, "cannot write " + path.string() + ": File too large");
  EXPECT_EQ(read_file(path), "old");
  EXPECT_EQ(entries_in(folder.path()), 1U);
}

TEST(TemporaryFolder, GoesAwayWithItsContent) {
  fs::path path;
  {
    const TemporaryFolder folder("prefix");
    path = folder.path();
    EXPECT_TRUE(path.filename().string().starts_with("prefix."));
    fs::create_directories(path / "a" / "b");
    publish_file(path / "a" / "b" / "c", "x");
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST(TemporaryFolder, UnwritablePlaceIsExplained) {
  const ScopedVariable tmp("TMPDIR", "/proc");
  const std::string message = error_text([] { const TemporaryFolder folder; });
  EXPECT_TRUE(message.starts_with("cannot create a folder in /proc: ")) << message;
  EXPECT_TRUE(message.ends_with("; set TMPDIR to a writable place")) << message;
}

TEST(CacheRoot, FollowsTheVariablesInOrder) {
  const TemporaryFolder at_home;
  const ScopedVariable home("HOME", at_home.path().c_str());
  const ScopedVariable xdg("XDG_CACHE_HOME", "/xdg");
  const ScopedVariable own("WARPWRIGHT_CACHE", "/own");
  EXPECT_EQ(cache_root(), "/own");
  const ScopedVariable no_own("WARPWRIGHT_CACHE", nullptr);
  EXPECT_EQ(cache_root(), "/xdg/warpwright");
  const ScopedVariable relative("XDG_CACHE_HOME", "not/absolute");
  EXPECT_EQ(cache_root(), at_home.path() / ".cache/warpwright");
  const ScopedVariable no_home("HOME", nullptr);
  EXPECT_EQ(cache_root(), "/tmp/warpwright-" + std::to_string(geteuid()));
}

TEST(CacheRoot, AHomeThatIsNotThereHoldsNone) {
  const ScopedVariable own("WARPWRIGHT_CACHE", nullptr);
  const ScopedVariable xdg("XDG_CACHE_HOME", nullptr);
  const TemporaryFolder folder;
  const fs::path instead = "/tmp/warpwright-" + std::to_string(geteuid());
  const ScopedVariable missing("HOME", (folder.path() / "nobody").c_str());
  EXPECT_EQ(cache_root(), instead);
  EXPECT_FALSE(fs::exists(folder.path() / "nobody")) << "it is not created either";
  publish_file(folder.path() / "file", "");
  const ScopedVariable file("HOME", (folder.path() / "file").c_str());
  EXPECT_EQ(cache_root(), instead);
  struct stat status = {};
  ASSERT_EQ(::stat(instead.c_str(), &status), 0);
  EXPECT_EQ(status.st_uid, geteuid());
  EXPECT_EQ(status.st_mode & 022, 0u) << "other users must not put code there";
}

TEST(OwnExecutable, IsThisProgram) {
  EXPECT_TRUE(fs::exists(own_executable()));
  EXPECT_TRUE(own_executable().is_absolute());
}

TEST(TemporaryFolders, ThoseOfKilledProcessesAreRemovedAndNoOthers) {
  const TemporaryFolder root;
  const fs::path abandoned = root.path() / "warpwright-x.locked.AbCdEf";
  const fs::path of_others = root.path() / "warpwright-mine";
  const fs::path held = root.path() / "warpwright-x.locked.GhIjKl";
  for (const fs::path& folder : {abandoned, of_others, held}) fs::create_directories(folder / "in");
  fs::create_directory_symlink(of_others, root.path() / "warpwright-y.locked.MnOpQr");
  const int lock = ::open(held.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  ASSERT_EQ(::flock(lock, LOCK_EX | LOCK_NB), 0);
  remove_abandoned_folders(root.path());
  EXPECT_FALSE(fs::exists(abandoned));
  EXPECT_TRUE(fs::exists(of_others / "in"));
  EXPECT_TRUE(fs::exists(held / "in"));
  ::close(lock);
  remove_abandoned_folders(root.path());
  EXPECT_FALSE(fs::exists(held));
}

TEST(MakeFolder, SaysWhatIsInItsPlace) {
  const TemporaryFolder root;
  const fs::path file = root.path() / "file";
  publish_file(file, "x");
  const auto message = [](const fs::path& place) {
    try {
      make_folder(place);
      return std::string("no error");
    } catch (const Error& error) {
      EXPECT_EQ(error.exit_code(), 3);
      return std::string(error.what());
    }
  };
  EXPECT_EQ(message(root.path() / "a" / "b" / ""), "no error");
  EXPECT_EQ(message(root.path() / "a" / "b"), "no error");
  EXPECT_EQ(
      message(file / "cache"),
      "cannot make the folder " + (file / "cache").string() +
          ": Not a directory; a file is in its place, or in that of a folder above it: choose "
          "another place");
  EXPECT_EQ(message(file), "cannot make the folder " + file.string() +
                               ": Not a directory; a file is in its place, or in that of a folder "
                               "above it: choose another place");
}

}  // namespace
}  // namespace warpwright
