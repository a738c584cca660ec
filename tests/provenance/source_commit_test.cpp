#include "provenance/source_commit.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "core/files.h"
#include "core/process/run_command.h"

namespace warpwright {
namespace {

class SourceCommit : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(find_program("git")) << "the project's set-up needs git"; }
  void git(std::vector<std::string> arguments) const {
    std::vector<std::string> command = {"git",
                                        "-C",
                                        folder_.path().string(),
                                        "-c",
                                        "user.name=Somebody",
                                        "-c",
                                        "user.email=somebody@example.org",
                                        "-c",
                                        "commit.gpgsign=false"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    const CommandResult result = run_command(command);
    ASSERT_EQ(result.exit_code, 0) << result.output;
  }
  void write(const std::string& text) const { std::ofstream(folder_.path() / "a.cu") << text; }
  void commit() const {
    git({"init", "-q"});
    write("one\n");
    git({"add", "a.cu"});
    git({"commit", "-q", "-m", "First"});
  }

  TemporaryFolder folder_;
};

TEST_F(SourceCommit, IsTheHashOfTheCommit) {
  commit();
  const std::string found = source_commit(folder_.path());
  EXPECT_EQ(found.size(), 12u) << found;
  EXPECT_EQ(found.find_first_not_of("0123456789abcdef"), std::string::npos) << found;
}

TEST_F(SourceCommit, ChangedFilesAreSaid) {
  commit();
  const std::string clean = source_commit(folder_.path());
  write("two\n");
  EXPECT_EQ(source_commit(folder_.path()), clean + "-dirty");
}

TEST_F(SourceCommit, ATagDoesNotHideTheHash) {
  commit();
  const std::string clean = source_commit(folder_.path());
  git({"tag", "-a", "v1", "-m", "Version 1"});
  EXPECT_EQ(source_commit(folder_.path()), clean);
}

TEST_F(SourceCommit, IsEmptyWhereThereIsNone) {
  EXPECT_EQ(source_commit(folder_.path()), "");
  EXPECT_EQ(source_commit(folder_.path() / "missing"), "");
  git({"init", "-q"});
  EXPECT_EQ(source_commit(folder_.path()), "");
}

// The result is not the commit of a repository that contains the home folder of the installation.
TEST_F(SourceCommit, OfAnInstallationIsWhatItWasInstalledFrom) {
  commit();
  const std::filesystem::path kernel = folder_.path() / "lib" / "warpwright" / "kernels" / "topk";
  std::filesystem::create_directories(kernel);
  const auto installed = [&](const char* text) {
    std::ofstream(folder_.path() / "lib" / "warpwright" / "installed_commit") << text;
    return source_commit(kernel);
  };
  EXPECT_EQ(installed("0123456789ab-dirty\n"), "0123456789ab-dirty");
  EXPECT_EQ(installed("\n"), "");
}

TEST_F(SourceCommit, MarksAVersion) {
  EXPECT_EQ(version_with_commit("warpwright 0.1.0", "1a2b3c4d5e6f"),
            "warpwright 0.1.0 (commit 1a2b3c4d5e6f)");
  EXPECT_EQ(version_with_commit("warpwright 0.1.0", ""), "warpwright 0.1.0");
}

}  // namespace
}  // namespace warpwright
