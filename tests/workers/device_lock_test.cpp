#include "workers/device_lock.h"

#include <gmock/gmock.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

#include "core/error.h"
#include "core/files.h"
#include "support/error_text.h"
#include "support/write_text.h"

namespace warpwright::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::StartsWith;
namespace fs = std::filesystem;

DeviceInfo lockable_gpu(const std::string& id, const std::string& uuid) {
  DeviceInfo device;
  device.id = id;
  device.name = "Test GPU";
  device.uuid = uuid;
  device.has_clock = true;
  return device;
}

// A process that holds the devices until it is killed or released.
class OwningProcess {
 public:
  OwningProcess(const std::vector<DeviceInfo>& devices, const LockOptions& options) {
    std::array<int, 2> up{}, down{};
    EXPECT_EQ(::pipe(up.data()), 0);
    EXPECT_EQ(::pipe(down.data()), 0);
    pid_ = ::fork();
    if (pid_ == 0) {
      ::close(down[1]);
      {
        const DeviceLocks locks(devices, options);
        char byte = 'x';
        if (::write(up[1], &byte, 1) != 1 || ::read(down[0], &byte, 1) < 0) ::_exit(1);
      }
      ::_exit(0);
    }
    ::close(up[1]);
    ::close(down[0]);
    char byte = 0;
    EXPECT_EQ(::read(up[0], &byte, 1), 1) << "the other process has no lock";
    ::close(up[0]);
    let_go_ = down[1];
  }
  ~OwningProcess() { end(0); }
  OwningProcess(const OwningProcess&) = delete;
  OwningProcess& operator=(const OwningProcess&) = delete;

  // Lets it end by itself (0), or ends it by a signal.
  void end(int signal) {
    if (pid_ <= 0) return;
    if (signal != 0) ::kill(pid_, signal);
    ::close(let_go_);
    ::waitpid(pid_, nullptr, 0);
    pid_ = 0;
  }

 private:
  pid_t pid_ = 0;
  int let_go_ = -1;
};

class DeviceLock : public ::testing::Test {
 protected:
  [[nodiscard]] LockOptions options(const std::string& user, const std::string& command) {
    LockOptions all;
    all.folder = folder_.path();
    all.owner = {4711, user, "2026-03-01T12:00:00Z", command};
    all.say = [this](const std::string& line) { said_.push_back(line); };
    return all;
  }
  [[nodiscard]] LockOptions ours() { return options("bob", "warpwright bench"); }
  [[nodiscard]] LockOptions theirs() { return options("ada", "warpwright sweep x.yaml"); }

  TemporaryFolder folder_;
  std::vector<std::string> said_;
  const DeviceInfo gpu_ = lockable_gpu("cuda:0", "GPU-1");
};

TEST_F(DeviceLock, ASecondProcessIsToldWhoHasTheDevice) {
  const OwningProcess owner({gpu_}, theirs());
  EXPECT_EQ(error_text([&] { const DeviceLocks second({gpu_}, ours()); }),
            "cuda:0 (Test GPU) is in use by process 4711 of ada since 2026-03-01T12:00:00Z "
            "(warpwright sweep x.yaml); two that measure at once disturb each other: wait for its "
            "end with --wait, or choose another device with --device");
}

TEST_F(DeviceLock, ABusyDeviceIsAFaultOfTheEnvironment) {
  const OwningProcess owner({gpu_}, theirs());
  try {
    const DeviceLocks second({gpu_}, ours());
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::kEnvironment);
  }
}

TEST_F(DeviceLock, AnOwnerThatIsKilledFreesIt) {
  OwningProcess owner({gpu_}, theirs());
  owner.end(SIGKILL);
  EXPECT_EQ(DeviceLocks({gpu_}, ours()).held(), 1u);
  EXPECT_THAT(said_, IsEmpty());
}

TEST_F(DeviceLock, AnOwnerThatEndsFreesIt) {
  OwningProcess owner({gpu_}, theirs());
  owner.end(0);
  EXPECT_EQ(DeviceLocks({gpu_}, ours()).held(), 1u);
}

TEST_F(DeviceLock, WaitsUntilTheOwnerIsGone) {
  OwningProcess owner({gpu_}, theirs());
  LockOptions waiting = ours();
  waiting.wait = true;
  // The owner ends when this process has reported that it waits.
  waiting.say = [&](const std::string& line) {
    said_.push_back(line);
    owner.end(SIGKILL);
  };
  EXPECT_EQ(DeviceLocks({gpu_}, waiting).held(), 1u);
  EXPECT_THAT(said_,
              ElementsAre("waiting for cuda:0 (Test GPU), which is in use by process 4711 of "
                          "ada since 2026-03-01T12:00:00Z (warpwright sweep x.yaml)"));
}

TEST_F(DeviceLock, AWaitEndsWhenItsTimeIsOver) {
  const OwningProcess owner({gpu_}, theirs());
  LockOptions waiting = ours();
  waiting.wait = true;
  waiting.longest = std::chrono::milliseconds(10);
  EXPECT_EQ(error_text([&] { const DeviceLocks second({gpu_}, waiting); }),
            "cuda:0 (Test GPU) is in use by process 4711 of ada since 2026-03-01T12:00:00Z "
            "(warpwright sweep x.yaml); two that measure at once disturb each other: --wait was "
            "over after 0.01 s; give it longer, or choose another device with --device");
}

TEST_F(DeviceLock, AnotherDeviceIsFree) {
  const OwningProcess owner({gpu_}, theirs());
  EXPECT_EQ(DeviceLocks({lockable_gpu("cuda:1", "GPU-2")}, ours()).held(), 1u);
}

TEST_F(DeviceLock, OfSeveralAllAreTakenOrNone) {
  const DeviceInfo other = lockable_gpu("cuda:1", "GPU-0");
  const OwningProcess owner({gpu_}, theirs());
  EXPECT_THAT(error_text([&] {
                const DeviceLocks both({gpu_, other}, ours());
              }),
              StartsWith("cuda:0 (Test GPU) is in use by process 4711"));
  EXPECT_EQ(DeviceLocks({other}, ours()).held(), 1u);
}

TEST_F(DeviceLock, EmulatedDevicesAreNotLocked) {
  DeviceInfo emulated = lockable_gpu("emu:sm_90a", "EMU-1");
  emulated.has_clock = false;
  EXPECT_EQ(DeviceLocks({emulated}, ours()).held(), 0u);
  LockOptions all = ours();
  all.emulated = true;
  EXPECT_EQ(DeviceLocks({emulated}, all).held(), 1u);
}

TEST_F(DeviceLock, TheFileIsForEveryUserWhateverTheUmask) {
  const mode_t before = ::umask(0077);
  { const DeviceLocks locks({gpu_}, ours()); }
  ::umask(before);
  struct stat about = {};
  ASSERT_EQ(::stat(lock_file(folder_.path(), gpu_).c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 07777, 0666u);
}

TEST_F(DeviceLock, AnOwnerThatLeftIsNamedNoMore) {
  { const DeviceLocks locks({gpu_}, ours()); }
  EXPECT_EQ(read_file(lock_file(folder_.path(), gpu_)), "");
}

TEST_F(DeviceLock, AnOwnerThatSaysNothingReadableIsAnotherProcess) {
  const fs::path file = lock_file(folder_.path(), gpu_);
  const OwningProcess owner({gpu_}, theirs());
  write_text(file, "{\"process\": \"one\"}");
  EXPECT_THAT(error_text([&] { const DeviceLocks second({gpu_}, ours()); }),
              StartsWith("cuda:0 (Test GPU) is in use by another process; two that"));
}

TEST_F(DeviceLock, ALinkInTheFilesPlaceIsNotFollowed) {
  const fs::path file = lock_file(folder_.path(), gpu_);
  write_text(folder_.path() / "precious", "text");
  fs::create_symlink(folder_.path() / "precious", file);
  EXPECT_EQ(DeviceLocks({gpu_}, ours()).held(), 0u);
  EXPECT_EQ(read_file(folder_.path() / "precious"), "text");
  EXPECT_THAT(
      said_,
      ElementsAre("cuda:0 (Test GPU) is not locked against others that measure: cannot open " +
                  file.string() + ": Too many levels of symbolic links"));
}

TEST_F(DeviceLock, ASecondNameOfAnotherFileIsNotWrittenTo) {
  const fs::path file = lock_file(folder_.path(), gpu_);
  write_text(folder_.path() / "precious", "text");
  fs::create_hard_link(folder_.path() / "precious", file);
  EXPECT_EQ(DeviceLocks({gpu_}, ours()).held(), 0u);
  EXPECT_EQ(read_file(folder_.path() / "precious"), "text");
  EXPECT_THAT(said_, ElementsAre("cuda:0 (Test GPU) is not locked against others that measure: " +
                                 file.string() + " is not a regular file with one link"));
}

TEST_F(DeviceLock, AFileThatACleanerRemovedIsMadeAnew) {
  const fs::path file = lock_file(folder_.path(), gpu_);
  { const DeviceLocks locks({gpu_}, ours()); }
  fs::remove(file);
  const DeviceLocks locks({gpu_}, ours());
  EXPECT_EQ(locks.held(), 1u);
  EXPECT_TRUE(fs::exists(file));
}

TEST_F(DeviceLock, WhereNoFileCanBeMadeTheWorkGoesOnUnlocked) {
  LockOptions nowhere = ours();
  nowhere.folder = folder_.path() / "missing";
  EXPECT_EQ(DeviceLocks({gpu_}, nowhere).held(), 0u);
  EXPECT_THAT(
      said_, ElementsAre("cuda:0 (Test GPU) is not locked against others that measure: "
                         "cannot open " +
                         lock_file(nowhere.folder, gpu_).string() + ": No such file or directory"));
}

TEST(LockSettings, AreChecked) {
  ::setenv("WARPWRIGHT_LOCK", "yes", 1);
  EXPECT_EQ(error_text([] { (void)lock_options_from_environment(); }),
            "WARPWRIGHT_LOCK: got 'yes', expected gpu, all (emulated devices too) or off");
  ::setenv("WARPWRIGHT_LOCK", "off", 1);
  EXPECT_FALSE(lock_options_from_environment().has_value());
  ::setenv("WARPWRIGHT_LOCK", "all", 1);
  EXPECT_TRUE(lock_options_from_environment()->emulated);
  ::unsetenv("WARPWRIGHT_LOCK");
  EXPECT_FALSE(lock_options_from_environment()->emulated);
}

TEST(LockSettings, NameAFolderThatExists) {
  ::setenv("WARPWRIGHT_LOCK_FOLDER", "/missing/folder", 1);
  EXPECT_EQ(error_text([] { (void)lock_options_from_environment(); }),
            "WARPWRIGHT_LOCK_FOLDER: got '/missing/folder', which is not a folder; expected one "
            "that all users of this machine may write to, or nothing for /tmp");
  ::unsetenv("WARPWRIGHT_LOCK_FOLDER");
  EXPECT_EQ(lock_options_from_environment()->folder, "/tmp");
}

}  // namespace
}  // namespace warpwright::testing
