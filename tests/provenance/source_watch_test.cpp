// Tests the messages about sources that are edited while a sweep runs.
#include "provenance/source_watch.h"

#include <gmock/gmock.h>

#include "core/files.h"
#include "support/write_text.h"

namespace warpwright {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::write_text;

class SourceWatchTest : public ::testing::Test {
 protected:
  SourceWatchTest() {
    kernel_.folder = folder_.path() / "mine" / "twice";
    kernel_.file = kernel_.folder / "kernel.yaml";
    kernel_.texts = std::make_shared<SourceBundle>();
    write_text(kernel_.file, "kernel: twice\n");
    write_text(kernel_.folder / "plain.cu", "old\n");
    write_text(folder_.path() / "elsewhere.cuh", "old\n");
    for (const char* name : {"kernel.yaml", "plain.cu", "new.cuh"})
      static_cast<void>(kernel_.texts->find(kernel_.folder / name));
    static_cast<void>(kernel_.texts->find(folder_.path() / "elsewhere.cuh"));
  }
  TemporaryFolder folder_;
  KernelSpec kernel_;
};

TEST_F(SourceWatchTest, SaysNothingOfFilesThatAreAsTheyWere) {
  EXPECT_THAT(SourceWatch(kernel_, {kernel_.folder}).news(), IsEmpty());
}

TEST_F(SourceWatchTest, AnEditIsNamedOnce) {
  SourceWatch watch(kernel_, {kernel_.folder});
  write_text(kernel_.folder / "plain.cu", "new\n");
  EXPECT_THAT(watch.news(),
              ElementsAre("kernels/twice/plain.cu changed while the sweep ran; its results are of "
                          "the text read at the start; sweep again for the new one"));
  write_text(kernel_.folder / "plain.cu", "newer\n");
  EXPECT_THAT(watch.news(), IsEmpty());
}

TEST_F(SourceWatchTest, SoAreFilesThatVanishOrAppear) {
  SourceWatch watch(kernel_, {kernel_.folder});
  write_text(kernel_.folder / "new.cuh", "");
  std::filesystem::remove(kernel_.file);
  EXPECT_THAT(watch.news(),
              ElementsAre("kernels/twice/kernel.yaml was removed while the sweep ran; its results "
                          "are of the files read at the start; sweep again for the new ones",
                          "kernels/twice/new.cuh appeared while the sweep ran; its results are of "
                          "the files read at the start; sweep again for the new ones"));
}

TEST_F(SourceWatchTest, AFileOutsideOfKernelsHasItsWholePath) {
  SourceWatch watch(kernel_, {kernel_.folder});
  write_text(folder_.path() / "elsewhere.cuh", "new\n");
  EXPECT_THAT(watch.news(), ElementsAre((folder_.path() / "elsewhere.cuh").string() +
                                        " changed while the sweep ran; its results are of the text "
                                        "read at the start; sweep again for the new one"));
}

TEST_F(SourceWatchTest, AContractThatNobodyReadCannotChange) {
  kernel_.texts = nullptr;
  EXPECT_THAT(SourceWatch(kernel_, {kernel_.folder}).news(), IsEmpty());
}

}  // namespace
}  // namespace warpwright
