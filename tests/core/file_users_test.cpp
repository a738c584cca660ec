#include "core/process/file_users.h"

#include <gmock/gmock.h>

#include <fstream>

#include "core/files.h"
#include "core/process/subprocess.h"
#include "sweep/run_records.h"

namespace warpwright {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(FileUsers, NamesTheProcessThatHasTheFileOpen) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "x.db";
  std::ofstream(file) << "x";
  Subprocess reader({"/bin/sh", "-c", "exec 7<" + file.string() + "; echo >&2; exec sleep 60"});
  while (reader.stderr_tail().empty()) {
  }
  const std::vector<std::string> users = other_users_of({file, folder.path() / "missing"});
  EXPECT_THAT(users, ElementsAre(::testing::StartsWith("process " + std::to_string(reader.pid()))));
}

TEST(FileUsers, IsNotAboutThisProcess) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "x.db";
  std::ofstream open_here(file);
  EXPECT_THAT(other_users_of({file}), IsEmpty());
}

}  // namespace
}  // namespace warpwright
