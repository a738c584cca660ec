// Tests which files are stored with the results of a variant.
#include "provenance/kernel_sources.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "core/error.h"
#include "core/files.h"
#include "core/hash.h"
#include "provenance/trial_key.h"

namespace warpwright {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;

class KernelSourcesTest : public ::testing::Test {
 protected:
  KernelSourcesTest() {
    kernel_.folder = folder_.path() / "mine" / "twice";
    kernel_.file = kernel_.folder / "kernel.yaml";
    kernel_.reference.source = kernel_.folder / "reference.cpp";
    variant_.source = kernel_.folder / "plain.cu";
    put("mine/twice/kernel.yaml", "kernel: twice\n");
    put("mine/twice/reference.cpp", "#include \"reference.h\"\n#include <vector>\n");
    put("mine/twice/plain.cu", "");
    put("mine/twice/other.cu", "");
    put("home/kernels/common/reference.h", "");
  }
  void put(const std::string& name, const std::string& text) const {
    const fs::path file = folder_.path() / name;
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  [[nodiscard]] std::vector<fs::path> folders() const {
    return {kernel_.folder, folder_.path() / "home" / "kernels" / "common"};
  }
  [[nodiscard]] std::vector<KernelSource> sources() const {
    return kernel_sources(kernel_, variant_, folders());
  }
  [[nodiscard]] std::vector<std::string> paths() const {
    std::vector<std::string> all;
    for (const KernelSource& source : sources()) all.push_back(source.path);
    return all;
  }

  TemporaryFolder folder_;
  KernelSpec kernel_;
  VariantSpec variant_;
};

TEST_F(KernelSourcesTest, ContractReferenceAndTheVariantsOwnSource) {
  EXPECT_THAT(paths(), ElementsAre("kernels/common/reference.h", "kernels/twice/kernel.yaml",
                                   "kernels/twice/plain.cu", "kernels/twice/reference.cpp"));
  EXPECT_EQ(sources()[1].text, "kernel: twice\n");
}

TEST_F(KernelSourcesTest, NothingFromElsewhereIsStored) {
  kernel_.texts = std::make_shared<SourceBundle>();
  kernel_.texts->allow(kernel_.folder, FolderUse::kOwn);
  put("mine/secret.h", "SECRET");
  put("mine/twice/plain.cu", "//#include \"../secret.h\"\n#include \"../secret.h\"\n#include \"" +
                                 (folder_.path() / "mine" / "secret.h").string() +
                                 "\"\nauto s = R\"(\n#include "
                                 "\"../secret.h\"\n)\";\n#define S \"../secret.h\"\n#include S\n");
  put("mine/twice/reference.cpp", "#include \"reference.h\"\n#include \"../secret.h\"\n");
  for (const KernelSource& source : sources())
    EXPECT_EQ(source.path.find("secret"), std::string::npos);
  put("mine/twice/plain.cu", "#include \"link.h\"\n");
  fs::create_symlink("../secret.h", kernel_.folder / "link.h");
  kernel_.texts = std::make_shared<SourceBundle>();
  kernel_.texts->allow(kernel_.folder, FolderUse::kOwn);
  try {
    static_cast<void>(sources());
    FAIL() << "followed a link";
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), 2);
    EXPECT_EQ(error.message(), (kernel_.folder / "link.h").string() +
                                   " is a symbolic link to ../secret.h; it may lead below " +
                                   kernel_.folder.string() +
                                   " or a folder that --include names, or give --trust-includes");
  }
}

TEST_F(KernelSourcesTest, WhatIsIncludedThroughOthersToo) {
  put("mine/twice/plain.cu", "#include \"part/a.cuh\"\n#include <cuda_fp16.h>\n");
  put("mine/twice/part/a.cuh", "#include \"b.cuh\"\n#include \"warp.cuh\"\n");
  put("mine/twice/part/b.cuh", "");
  put("home/kernels/common/warp.cuh", "");
  EXPECT_THAT(paths(), ElementsAre("kernels/common/reference.h", "kernels/common/warp.cuh",
                                   "kernels/twice/kernel.yaml", "kernels/twice/part/a.cuh",
                                   "kernels/twice/part/b.cuh", "kernels/twice/plain.cu",
                                   "kernels/twice/reference.cpp"));
}

TEST_F(KernelSourcesTest, AReferenceMaySpellTheCommonFolderOut) {
  put("mine/twice/reference.cpp", "#include \"common/reference.h\"\n");
  EXPECT_EQ(paths().front(), "kernels/common/reference.h");
}

// Results that were compared with another reference do not belong to this one.
TEST_F(KernelSourcesTest, AHeaderOfTheReferenceChangesTheHash) {
  put("mine/twice/reference.cpp", "#include \"reference.h\"\n#include \"tables.h\"\n");
  put("mine/twice/tables.h", "constexpr int kFactor = 2;\n");
  const auto hash = [this] {
    kernel_.texts = nullptr;  // read anew
    return variant_hash(kernel_, variant_, folders());
  };
  const std::string before = hash();
  put("home/kernels/common/reference.h", "// how a reference is called\n");
  EXPECT_EQ(hash(), before);
  put("mine/twice/tables.h", "constexpr int kFactor = 3;\n");
  EXPECT_NE(hash(), before);
}

TEST_F(KernelSourcesTest, NamesOfConfigurationsDoNotChangeTheHash) {
  const std::string before = variant_hash(kernel_, variant_, folders());
  put("mine/twice/kernel.yaml", "kernel: twice\npresets:\n  V0: {THREADS: 32}\n");
  kernel_.texts = nullptr;  // read anew
  kernel_.presets_begin = 2;
  kernel_.presets_end = 4;
  EXPECT_EQ(variant_hash(kernel_, variant_, folders()), before);
}

TEST_F(KernelSourcesTest, FormulasOfAccountingDoNotChangeTheHash) {
  const std::string before = variant_hash(kernel_, variant_, folders());
  put("mine/twice/kernel.yaml", "kernel: twice\naccounting:\n  plain: {reads: 4}\n");
  kernel_.texts = nullptr;  // read anew
  EXPECT_EQ(variant_hash(kernel_, variant_, folders()), before);
}

TEST_F(KernelSourcesTest, AFileBesideTheKernelsIsOne) {
  put("mine/twice/plain.cu", "#include \"../helpers/x.cuh\"\n");
  put("mine/helpers/x.cuh", "");
  EXPECT_THAT(paths(), ::testing::Contains("kernels/helpers/x.cuh"));
}

// Covers a kernel in a temporary folder with a checkout further below it, and the other way round.
TEST_F(KernelSourcesTest, NamesDoNotDependOnWhatLiesBelowWhat) {
  const std::vector<std::pair<fs::path, fs::path>> places = {
      {folder_.path() / "twice", folder_.path() / "checkout/main/kernels/common"},
      {folder_.path() / "checkout/main/build/tmp/twice", folder_.path() / "checkout/common"},
      {folder_.path() / "common/inner/twice", folder_.path() / "common"},
  };
  for (const auto& [folder, common] : places) {
    kernel_.folder = folder;
    const std::vector<fs::path> folders = {folder, common};
    const auto name = [&](const fs::path& file) {
      return stored_path(file, kernel_, folders).value_or("none");
    };
    EXPECT_EQ(name(folder / "part/a.cuh"), "kernels/twice/part/a.cuh") << folder;
    EXPECT_EQ(name(common / "warp.cuh"), "kernels/common/warp.cuh") << folder;
    EXPECT_EQ(name(folder.parent_path() / "helpers/x.cuh"), "kernels/helpers/x.cuh") << folder;
  }
}

TEST_F(KernelSourcesTest, AFileOutsideEveryFolderOfKernelsIsNone) {
  put("mine/twice/plain.cu", "#include \"../../secret.cuh\"\n");
  put("secret.cuh", "");
  EXPECT_EQ(paths().size(), 4U);
}

class InputSourcesTest : public KernelSourcesTest {
 protected:
  InputSourcesTest() {
    kernel_.arguments = {filled("x", "file(\"x.npy\")"), filled("z", "normal(0, 1)")};
    put("mine/twice/x.npy", std::string("\x93\0\xff", 3));
  }
  static ArgumentSpec filled(const std::string& name, const std::string& fill) {
    ArgumentSpec argument;
    argument.name = name;
    argument.fill = fill;
    return argument;
  }
  [[nodiscard]] std::string hash() {
    kernel_.texts = nullptr;  // read anew
    return variant_hash(kernel_, variant_, folders());
  }
};

TEST_F(InputSourcesTest, FilesOfInputsAreStoredAsTheyAre) {
  CaseSpec test;
  test.fills["z"] = "file(\"../filters/z.bin\")";
  kernel_.cases.push_back(test);
  put("mine/filters/z.bin", "zz");
  EXPECT_THAT(paths(), ElementsAre("kernels/common/reference.h", "kernels/filters/z.bin",
                                   "kernels/twice/kernel.yaml", "kernels/twice/plain.cu",
                                   "kernels/twice/reference.cpp", "kernels/twice/x.npy"));
  EXPECT_EQ(sources().back().text, std::string("\x93\0\xff", 3));
  EXPECT_THAT(inputs_left_out(sources()), ElementsAre());
}

TEST_F(InputSourcesTest, OfALargeFileTheHashIsStored) {
  fs::resize_file(kernel_.folder / "x.npy", SourceBundle::kLargestKept + 1);
  EXPECT_EQ(sources().back().path, "kernels/twice/x.npy.sha256");
  EXPECT_EQ(sources().back().text, sha256_hex(read_file(kernel_.folder / "x.npy")) + "  x.npy\n");
  EXPECT_THAT(inputs_left_out(sources()), ElementsAre("kernels/twice/x.npy"));
}

TEST_F(InputSourcesTest, AnEditedFileChangesTheHash) {
  const std::string before = hash();
  EXPECT_EQ(hash(), before);
  put("mine/twice/x.npy", "other");
  EXPECT_NE(hash(), before);
}

TEST_F(InputSourcesTest, OnlyFilesThatAreUsedChangeTheHash) {
  kernel_.arguments.front().fill = "zeros";
  const std::string before = hash();
  put("mine/twice/x.npy", "other");
  EXPECT_EQ(hash(), before);
}

}  // namespace
}  // namespace warpwright
