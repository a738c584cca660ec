// Tests which files untrusted sources may read, and how a refused link is reported.
#include "core/file_bounds.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/files.h"
#include "core/source_bundle.h"

namespace warpwright {
namespace {
namespace fs = std::filesystem;

class FileBoundsTest : public ::testing::Test {
 protected:
  FileBoundsTest() {
    fs::create_directories(root_ / "kernel" / ".git");
    fs::create_directories(root_ / "lib");
    bounds_.allow(root_ / "kernel", FolderUse::kOwn);
    bounds_.allow(root_ / "lib", FolderUse::kHeaders);
  }
  ~FileBoundsTest() override { trust_all_files(false); }
  void write(const std::string& name, const std::string& text = "x") const {
    publish_file(root_ / name, text);
  }
  void link(const fs::path& target, const std::string& name) const {
    fs::create_symlink(target, root_ / name);
  }
  [[nodiscard]] std::string refusal(const std::string& name) const {
    try {
      return bounds_.holds(root_ / name) ? "held" : "not held";
    } catch (const Error& error) {
      EXPECT_EQ(error.exit_code(), 2);
      return error.message();
    }
  }
  [[nodiscard]] std::string message(const std::string& link, const std::string& target) const {
    return (root_ / link).string() + " is a symbolic link to " + target + "; it may lead below " +
           (root_ / "kernel").string() +
           " or a folder that --include names, or give --trust-includes";
  }

  TemporaryFolder folder_;
  const fs::path root_ = folder_.path();
  FileBounds bounds_;
};

TEST_F(FileBoundsTest, HoldWhatLiesBelowWhetherOrNotItExists) {
  EXPECT_EQ(refusal("kernel/a.h"), "held");
  EXPECT_EQ(refusal("kernel/deep/weights.bin"), "held");
  EXPECT_EQ(refusal("kernel/deep/../a.h"), "held");
  for (const char* outside : {"a.h", "kernel/../a.h", "kernels/a.h", "/etc/passwd", "kernel"})
    EXPECT_EQ(refusal(outside), std::string(outside) == "kernel" ? "held" : "not held") << outside;
}

TEST_F(FileBoundsTest, WhatIsHiddenIsNotTheKernels) {
  EXPECT_EQ(refusal("kernel/.git/config"), "not held");
  EXPECT_EQ(refusal("kernel/.env"), "not held");
  link(".git", "kernel/git");
  EXPECT_EQ(refusal("kernel/git/config"), message("kernel/git", ".git"));
}

TEST_F(FileBoundsTest, AContractsFoldersHoldHeadersAndSourcesAlone) {
  for (const char* header : {"lib/a.h", "lib/a.CUH", "lib/deep/a.inl", "lib/a.cu"})
    EXPECT_EQ(refusal(header), "held") << header;
  for (const char* other : {"lib/config", "lib/shadow", "lib/a.txt", "lib/.a.h", "lib/.x/a.h"})
    EXPECT_EQ(refusal(other), "not held") << other;
  bounds_.allow(root_ / "include", FolderUse::kHeaders);
  EXPECT_EQ(refusal("include/cuda/std/array"), "held") << "standard headers have no extension";
  bounds_.allow("/", FolderUse::kHeaders);
  EXPECT_EQ(refusal("/proc/self/environ"), "not held");
  EXPECT_EQ(refusal("/etc/shadow"), "not held");
}

TEST_F(FileBoundsTest, ALinkThatLeadsOutIsRefusedByName) {
  write("secret.h");
  link("/proc/self/environ", "kernel/environ.h");
  link("../secret.h", "kernel/live.h");
  link("../gone.h", "kernel/dangling.h");
  link("..", "kernel/up");
  link("environ.h", "kernel/twice.h");
  EXPECT_EQ(refusal("kernel/environ.h"), message("kernel/environ.h", "/proc/self/environ"));
  EXPECT_EQ(refusal("kernel/live.h"), message("kernel/live.h", "../secret.h"));
  EXPECT_EQ(refusal("kernel/dangling.h"), message("kernel/dangling.h", "../gone.h"));
  EXPECT_EQ(refusal("kernel/up/secret.h"), message("kernel/up", ".."));
  EXPECT_EQ(refusal("kernel/twice.h"), message("kernel/twice.h", "environ.h"));
}

TEST_F(FileBoundsTest, ALinkWithinIsAsGoodAsAFile) {
  write("kernel/real.h");
  write("lib/real.h");
  link("real.h", "kernel/a.h");
  link("../lib/real.h", "kernel/b.h");
  link("loop.h", "kernel/loop.h");
  EXPECT_EQ(refusal("kernel/a.h"), "held");
  EXPECT_EQ(refusal("kernel/b.h"), "held");
  EXPECT_EQ(refusal("kernel/loop.h"), "held") << "the system does not open it";
  fs::create_directory_symlink("kernel", root_ / "other");
  FileBounds through;
  through.allow(root_ / "other", FolderUse::kOwn);
  EXPECT_TRUE(through.holds(root_ / "other" / "real.h")) << "the folder itself may be a link";
  EXPECT_TRUE(through.holds(root_ / "kernel" / "real.h"));
}

TEST_F(FileBoundsTest, ThePersonAtTheKeyboardLiftsThem) {
  link("../secret.h", "kernel/live.h");
  trust_all_files(true);
  EXPECT_EQ(refusal("kernel/live.h"), "held");
  EXPECT_EQ(refusal("/etc/shadow"), "held");
  trust_all_files(false);
  EXPECT_EQ(refusal("/etc/shadow"), "not held");
  fs::create_directory(root_ / "given");
  EXPECT_EQ(refusal("given/config"), "not held");
  trust_folder(root_ / "given");
  EXPECT_EQ(refusal("given/config"), "held");
}

TEST_F(FileBoundsTest, ABundleReadsWithinThem) {
  write("kernel/a.h", "a");
  write("secret.h", "secret");
  link("../secret.h", "kernel/link.h");
  SourceBundle bundle;
  bundle.allow(root_ / "kernel", FolderUse::kOwn);
  EXPECT_NE(bundle.find(root_ / "kernel" / "a.h"), nullptr);
  EXPECT_EQ(bundle.find(root_ / "secret.h"), nullptr);
  EXPECT_EQ(bundle.find(root_ / "kernel" / ".." / "secret.h"), nullptr);
  EXPECT_FALSE(bundle.find_input(root_ / "secret.h").exists());
  EXPECT_THROW(static_cast<void>(bundle.find(root_ / "kernel" / "link.h")), Error);
  EXPECT_THROW(static_cast<void>(bundle.find_input(root_ / "kernel" / "link.h")), Error);
  EXPECT_THROW(bundle.refuse_link_out(root_ / "kernel" / "link.h"), Error);
  EXPECT_EQ(bundle.texts().size(), 1u) << "the bundle does not reveal other files";
  bundle.add(root_ / "secret.h", "given");
  EXPECT_EQ(bundle.require(root_ / "secret.h"), "given");
}

}  // namespace
}  // namespace warpwright
