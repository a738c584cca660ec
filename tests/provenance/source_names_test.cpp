// Tests the names of files and the places in messages.
#include "provenance/source_names.h"

#include <gmock/gmock.h>

#include "core/files.h"
#include "provenance/source_place.h"
#include "support/write_text.h"

namespace warpwright::testing {
namespace {

using ::testing::Contains;
using ::testing::Key;

std::filesystem::path common_headers() {
  return std::filesystem::path(WARPWRIGHT_SOURCE_DIR) / "kernels" / "common";
}

// A kernel with one variant, in a folder of its own.
struct Tiny {
  TemporaryFolder folder;
  KernelSpec kernel = write();
  SourceNames names{kernel, "plain", common_headers()};
  std::string file = (folder.path() / "twice.cu").string();
  std::string name = "kernels/" + folder.path().filename().string() + "/twice.cu";

 private:
  [[nodiscard]] KernelSpec write() const {
    write_text(folder.path() / "kernel.yaml", "kernel: twice\n");
    write_text(folder.path() / "reference.cpp", "#include \"reference.h\"\n");
    write_text(folder.path() / "twice.cu",
               "extern \"C\" __global__ void twice(const float* x, float* y, int count) {\n"
               "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
               "  if (i < count) y[i] = 2 * x[i];\n"
               "}\n");
    KernelSpec spec;
    spec.folder = folder.path();
    spec.file = folder.path() / "kernel.yaml";
    spec.reference.source = folder.path() / "reference.cpp";
    VariantSpec& variant = spec.variants.emplace_back();
    variant.name = "plain";
    variant.source = folder.path() / "twice.cu";
    return spec;
  }
};

TEST(SourceNames, AFileHasANameThatDoesNotDependOnThePlace) {
  Tiny tiny;
  EXPECT_EQ(tiny.names.name_of(tiny.file), tiny.name);
  EXPECT_EQ(tiny.names.name_of(common_headers() / "warp.cuh"), "kernels/common/warp.cuh");
  EXPECT_EQ(tiny.names.name_of("/usr/include/x.h"), "/usr/include/x.h");
  EXPECT_THAT(tiny.names.texts(), Contains(Key(tiny.name)));
}

TEST(SourceNames, APlaceHasTheTextOfItsLine) {
  Tiny tiny;
  const QuotedLocation place = tiny.names.place(tiny.name, 3);
  EXPECT_EQ(place.file, tiny.file);
  EXPECT_EQ(place.line, 3);
  EXPECT_EQ(place.text, "if (i < count) y[i] = 2 * x[i];");
  EXPECT_EQ(tiny.names.place(tiny.name, 99).text, "");
}

TEST(SourceNames, AnEntryIsFoundWhereItIsDefined) {
  Tiny tiny;
  EXPECT_EQ(tiny.names.entry_place("twice").line, 1);
  EXPECT_EQ(tiny.names.entry_place("other").line, 0);
}

TEST(TakePlace, CutsAFileThatWasReadAndItsNumbers) {
  Tiny tiny;
  std::string message = tiny.file + ":2:7: error: no";
  SourceBundle read;
  EXPECT_FALSE(take_place(message, &read).has_value()) << "the file was not read";
  ASSERT_NE(read.find(tiny.file), nullptr);
  const std::optional<QuotedLocation> place = take_place(message, &read);
  ASSERT_TRUE(place.has_value());
  EXPECT_EQ(place->line, 2);
  EXPECT_EQ(message, "error: no");
  EXPECT_EQ(place->text, "const int i = blockIdx.x * blockDim.x + threadIdx.x;");
}

TEST(PlacedText, IsOfAnErrorInAFileThatWasRead) {
  Tiny tiny;
  const Error error = user_error({tiny.file, 2, 7}, "no");
  SourceBundle read;
  EXPECT_EQ(placed_text(error, &read).text, tiny.file + ":2:7: no") << "the file was not read";
  EXPECT_EQ(placed_text(error, nullptr).text, tiny.file + ":2:7: no");
  ASSERT_NE(read.find(tiny.file), nullptr);
  const PlacedText placed = placed_text(error, &read);
  EXPECT_EQ(placed.text, "no");
  ASSERT_TRUE(placed.place.has_value());
  EXPECT_EQ(placed.place->line, 2);
  EXPECT_EQ(placed.place->text, "const int i = blockIdx.x * blockDim.x + threadIdx.x;");
}

TEST(PlacedText, LooksForNoPlaceInTheText) {
  Tiny tiny;
  SourceBundle read;
  ASSERT_NE(read.find(tiny.file), nullptr);
  const PlacedText placed = placed_text(user_error(tiny.file + ":2:7: no"), &read);
  EXPECT_EQ(placed.text, tiny.file + ":2:7: no");
  EXPECT_FALSE(placed.place.has_value());
}

TEST(TakePlace, LeavesOtherMessagesAlone) {
  for (const std::string original : {"no place", ":", "", "/no/such/file:3: error",
                                     "timeout: 12: x", "a:99999999999999999999:"}) {
    std::string message = original;
    SourceBundle read;
    EXPECT_FALSE(take_place(message, &read).has_value()) << original;
    EXPECT_FALSE(take_place(message, nullptr).has_value()) << original;
    EXPECT_EQ(message, original);
  }
}

}  // namespace
}  // namespace warpwright::testing
