#include <gmock/gmock.h>

#include <cstdlib>
#include <map>
#include <optional>

#include "compile/fixtures.h"
#include "compile/nvrtc.h"
#include "core/error.h"

namespace warpwright {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Sets environment variables for one test and restores them afterwards.
class Variables {
 public:
  ~Variables() {
    for (const auto& [name, value] : before_) apply(name, value);
  }
  void set(const std::string& name, const std::optional<std::string>& value) {
    const char* old = std::getenv(name.c_str());
    before_.try_emplace(name, old != nullptr ? std::optional<std::string>(old) : std::nullopt);
    apply(name, value);
  }

 private:
  static void apply(const std::string& name, const std::optional<std::string>& value) {
    if (value) {
      ::setenv(name.c_str(), value->c_str(), 1);
    } else {
      ::unsetenv(name.c_str());
    }
  }
  std::map<std::string, std::optional<std::string>> before_;
};

// Runs in a separate folder, so that no .deps above the working folder interferes.
class ToolchainTest : public ::testing::Test {
 protected:
  ToolchainTest() : working_folder_(fs::current_path()) {
    fs::current_path(folder_.path());
    for (const char* name : {"WARPWRIGHT_NVRTC", "CUDA_HOME", "CUDA_PATH", "LD_LIBRARY_PATH",
                             "WARPWRIGHT_NO_SYSTEM_CUDA"}) {
      variables_.set(name, std::nullopt);
    }
  }
  ~ToolchainTest() override { fs::current_path(working_folder_); }

  [[nodiscard]] fs::path at(const std::string& path) const { return folder_.path() / path; }

  SourceFolder folder_;
  fs::path working_folder_;
  Variables variables_;
};

TEST_F(ToolchainTest, TheVariableNamesALibraryOrItsFolder) {
  folder_.write("my/lib/libnvrtc.so.13", "");
  folder_.write("my/include/cuda_fp16.h", "");
  for (const char* path : {"my/lib/libnvrtc.so.13", "my/lib"}) {
    variables_.set("WARPWRIGHT_NVRTC", at(path).string());
    const auto found = locate_toolchain();
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->nvrtc, at("my/lib/libnvrtc.so.13"));
    EXPECT_EQ(found->found_by, "WARPWRIGHT_NVRTC");
    EXPECT_THAT(found->include_folders, ElementsAre(at("my/include")));
  }
}

TEST_F(ToolchainTest, AToolkitHasLib64AndCccl) {
  folder_.write("cuda/lib64/libnvrtc.so.13", "");
  folder_.write("cuda/include/cuda_fp16.h", "");
  folder_.write("cuda/include/cccl/cuda/std/cstdint", "");
  variables_.set("CUDA_HOME", at("cuda").string());
  const auto found = locate_toolchain();
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->nvrtc, at("cuda/lib64/libnvrtc.so.13"));
  EXPECT_EQ(found->found_by, "CUDA_HOME");
  EXPECT_THAT(found->include_folders, ElementsAre(at("cuda/include"), at("cuda/include/cccl")));
}

TEST_F(ToolchainTest, TheNewestLibraryOfAFolderCounts) {
  for (const char* name : {"libnvrtc.so", "libnvrtc.so.11.2", "libnvrtc.so.12", "libnvrtc.so.13",
                           "libnvrtc.alt.so.13", "libnvrtc-builtins.so.13.0"}) {
    folder_.write(std::string("cuda/lib/") + name, "");
  }
  variables_.set("CUDA_PATH", at("cuda").string());
  const auto found = locate_toolchain();
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->nvrtc.filename(), "libnvrtc.so.13");
}

TEST_F(ToolchainTest, ReleasesBefore12DoNotCount) {
  folder_.write("cuda/lib/libnvrtc.so.11.2", "");
  variables_.set("CUDA_PATH", at("cuda").string());
  variables_.set("WARPWRIGHT_NVRTC", at("cuda/lib").string());
  variables_.set("WARPWRIGHT_NO_SYSTEM_CUDA", "1");
  const auto found = locate_toolchain();
  EXPECT_TRUE(!found || found->found_by != "WARPWRIGHT_NVRTC");
}

TEST_F(ToolchainTest, WheelsOfTheProjectAreFoundFromBelow) {
  folder_.write(".deps/cuda/nvidia/cu13/lib/libnvrtc.so.13", "");
  folder_.write(".deps/cuda/nvidia/cu13/include/cuda_fp16.h", "");
  fs::create_directories("some/folder");
  fs::current_path("some/folder");
  variables_.set("WARPWRIGHT_NO_SYSTEM_CUDA", "1");
  const auto found = locate_toolchain();
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->nvrtc, at(".deps/cuda/nvidia/cu13/lib/libnvrtc.so.13"));
  EXPECT_EQ(found->found_by, "wheels in " + at(".deps/cuda").string());
  EXPECT_THAT(found->include_folders, ElementsAre(at(".deps/cuda/nvidia/cu13/include")));
}

TEST_F(ToolchainTest, WheelsOfCuda12HaveAPackageForEachPart) {
  folder_.write("venv/lib/python3.11/site-packages/nvidia/cuda_nvrtc/lib/libnvrtc.so.12", "");
  folder_.write("venv/lib/python3.11/site-packages/nvidia/cuda_nvrtc/include/nvrtc.h", "");
  folder_.write("venv/lib/python3.11/site-packages/nvidia/cuda_runtime/include/cuda_fp16.h", "");
  folder_.write("venv/lib/python3.11/site-packages/nvidia/cuda_cccl/include/cuda/std/cstdint", "");
  const fs::path packages = at("venv/lib/python3.11/site-packages/nvidia");
  variables_.set("WARPWRIGHT_NVRTC", (packages / "cuda_nvrtc/lib").string());
  const auto found = locate_toolchain();
  ASSERT_TRUE(found.has_value());
  EXPECT_THAT(found->include_folders,
              ElementsAre(packages / "cuda_runtime/include", packages / "cuda_cccl/include"));
}

TEST_F(ToolchainTest, TheOrderIsVariableThenCudaHomeThenProject) {
  folder_.write("a/lib/libnvrtc.so.13", "");
  folder_.write("b/lib/libnvrtc.so.13", "");
  folder_.write(".deps/cuda/nvidia/cu13/lib/libnvrtc.so.13", "");
  variables_.set("WARPWRIGHT_NVRTC", at("a/lib").string());
  variables_.set("CUDA_HOME", at("b").string());
  EXPECT_EQ(locate_toolchain()->found_by, "WARPWRIGHT_NVRTC");
  variables_.set("WARPWRIGHT_NVRTC", at("no such folder").string());
  EXPECT_EQ(locate_toolchain()->found_by, "CUDA_HOME");
  variables_.set("CUDA_HOME", at("no such folder").string());
  EXPECT_THAT(locate_toolchain()->found_by, HasSubstr("wheels in"));
}

TEST_F(ToolchainTest, LdLibraryPathIsSearchedFolderByFolder) {
  folder_.write("x/libnvrtc.so.13", "");
  variables_.set("LD_LIBRARY_PATH", "/nowhere::" + at("x").string());
  std::vector<std::string> looked_in;
  const auto found = locate_toolchain(&looked_in);
  ASSERT_TRUE(found.has_value());
  EXPECT_THAT(looked_in, Contains("/nowhere"));
}

TEST_F(ToolchainTest, AbsenceSaysWhereItLookedAndWhatToDo) {
  variables_.set("WARPWRIGHT_NO_SYSTEM_CUDA", "1");
  variables_.set("WARPWRIGHT_NVRTC", "/nowhere/libnvrtc.so.13");
  if (locate_toolchain()) GTEST_SKIP() << "this build has wheels in .deps";
  try {
    (void)require_toolchain();
    FAIL() << "found a toolchain in nothing";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::kEnvironment);
    EXPECT_EQ(
        error.message(),
        "NVRTC (libnvrtc.so) was not found; install the CUDA toolkit, run scripts/dev/fetch_cuda "
        "to get NVRTC from PyPI, or set WARPWRIGHT_NVRTC to the library's path; looked in: "
        "/nowhere/libnvrtc.so.13");
  }
}

TEST_F(ToolchainTest, WhatIsFoundHereCompiles) {
  variables_.set("CUDA_HOME", std::nullopt);
  const auto found = locate_toolchain();
  if (!found) GTEST_SKIP() << "no NVRTC here: run scripts/dev/fetch_cuda";
  const auto source =
      folder_.write("k.cu", "#include <cuda_fp16.h>\n__global__ void k(__half* x) {}\n");
  EXPECT_EQ(Nvrtc(*found).compile(job_for(source)).failure, "");
}

}  // namespace
}  // namespace warpwright
