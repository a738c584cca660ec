// The promises of a launcher to its callers: workspaces by stream, nothing made anew in later
// calls, captures, threads, refusals, and compiled code that is kept.
#include <gmock/gmock.h>

#include <atomic>
#include <set>
#include <thread>

#include "across/launcher_harness.h"
#include "support/write_text.h"

namespace warpwright::testing {
namespace {

using ::testing::HasSubstr;

// A launcher of softmax_topk's first case, whose variant keeps a softmax in its workspace.
class TopkLauncher : public Launcher {
 protected:
  void SetUp() override {
    Launcher::SetUp();
    if (IsSkipped()) return;
    launcher_.emplace(kernel_);
    const CaseSpec& one = kernel_.cases.front();
    problem_ = complete_problem(kernel_, one.problem, one.where);
    for (const char* name : {"logits", "probs", "indices"}) {
      arrays_.push_back(device_->allocate(1 << 20, name));
      device_->fill(*arrays_.back(), 0, 1 << 20, 0);
      tensors_.push_back(arrays_.back()->address());
    }
    tensors_.push_back(0);  // the workspace
  }
  void TearDown() override {
    launcher_.reset();
    arrays_.clear();
    Launcher::TearDown();
  }
  static void* stream(int number) { return reinterpret_cast<void*>(std::uintptr_t{16} * number); }

  const KernelSpec kernel_ = shipped("softmax_topk");
  std::optional<BuiltLauncher> launcher_;
  Problem problem_;
  std::vector<std::unique_ptr<DeviceBuffer>> arrays_;
  std::vector<std::uint64_t> tensors_;
};

TEST_F(TopkLauncher, StreamsShareNoWorkspace) {
  EXPECT_EQ(launcher_->call(problem_, tensors_, stream(1)), "");
  EXPECT_EQ(launcher_->call(problem_, tensors_, stream(2)), "");
  const auto workspaces = [&](int number) {
    std::set<std::uint64_t> own;
    for (const std::uint64_t address : cuda_stand_in().given.at(stream(number))) {
      if (cuda_stand_in().workspaces.contains(address)) own.insert(address);
    }
    return own;
  };
  ASSERT_EQ(workspaces(1).size(), 1U);
  ASSERT_EQ(workspaces(2).size(), 1U);
  EXPECT_NE(workspaces(1), workspaces(2));
}

TEST_F(TopkLauncher, ASecondCallMakesNothingAnew) {
  EXPECT_EQ(launcher_->call(problem_, tensors_, stream(1)), "");
  const int loads = cuda_stand_in().loads;
  const int allocations = cuda_stand_in().allocations;
  const long on_heap = launcher_->allocations();
  EXPECT_GT(on_heap, 0);
  EXPECT_EQ(launcher_->call(problem_, tensors_, stream(1)), "");
  EXPECT_EQ(launcher_->allocations(), on_heap);
  EXPECT_EQ(cuda_stand_in().loads, loads);
  EXPECT_EQ(cuda_stand_in().allocations, allocations);
  launcher_->give_back(stream(1));
  EXPECT_EQ(launcher_->call(problem_, tensors_, stream(1)), "");
  EXPECT_EQ(cuda_stand_in().allocations, allocations + 1) << "what was given back is made anew";
}

TEST_F(TopkLauncher, ACaptureTakesWhatWasPreparedOnItsStream) {
  const std::string refusal =
      "softmax_topk: these sizes are not prepared on this stream, which captures; call "
      "softmax_topk_prepare on it before the capture begins";
  cuda_stand_in().capturing = true;
  EXPECT_EQ(launcher_->call(problem_, tensors_, stream(1)), refusal);
  cuda_stand_in().capturing = false;
  EXPECT_EQ(launcher_->call(problem_, tensors_, stream(1), /*prepare=*/true), "");
  EXPECT_EQ(cuda_stand_in().launches, 0);
  cuda_stand_in().capturing = true;
  const int allocations = cuda_stand_in().allocations;
  EXPECT_EQ(launcher_->call(problem_, tensors_, stream(1)), "");
  EXPECT_EQ(cuda_stand_in().captured.size(), 2U);
  EXPECT_EQ(cuda_stand_in().allocations, allocations);
  EXPECT_EQ(launcher_->call(problem_, tensors_, stream(2)), refusal) << "it has no workspace";
}

TEST_F(TopkLauncher, ThreadsMayCallAtOnce) {
  std::vector<std::thread> threads;
  std::atomic<int> failures{0};
  for (int i = 1; i <= 4; ++i) {
    threads.emplace_back([&, i] {
      for (int call = 0; call < 5; ++call)
        failures += !launcher_->call(problem_, tensors_, stream(i)).empty();
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failures, 0);
  EXPECT_EQ(cuda_stand_in().loads, 1) << "compiled once";
  EXPECT_EQ(cuda_stand_in().allocations, 4) << "a workspace for each stream";
}

TEST_F(TopkLauncher, NullAndMisalignedArraysAreRefusedByName) {
  std::vector<std::uint64_t> other = tensors_;
  other[1] = 0;
  EXPECT_EQ(launcher_->call(problem_, other), "softmax_topk: `probs` is null");
  other[1] = tensors_[1] + 4;
  EXPECT_EQ(launcher_->call(problem_, other),
            "softmax_topk: the address of `probs` is not a multiple of 16");
  EXPECT_EQ(cuda_stand_in().launches, 0);
}

TEST_F(TopkLauncher, SizesThatNothingCanRunAreRefused) {
  problem_.at("rows") = 65536;
  EXPECT_EQ(launcher_->call(problem_, tensors_),
            "softmax_topk: no configuration can run these sizes on " + device_->info().name +
                " (sm_90a)");
}

TEST_F(TopkLauncher, CompiledCodeIsKeptAndCheckedWhenItIsRead) {
  const TemporaryFolder cache("warpwright-launcher-cache");
  launcher_->open(cache.path().string());
  EXPECT_EQ(launcher_->call(problem_, tensors_), "");
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(cache.path())) files.push_back(entry.path());
  ASSERT_EQ(files.size(), 1U);
  const std::string kept = read_file(files[0]);
  // A program that finds what another has kept; nothing else would understand this text.
  launcher_->open(cache.path().string());
  EXPECT_EQ(launcher_->call(problem_, tensors_), "");
  EXPECT_EQ(read_file(files[0]), kept);
  write_text(files[0], kept.substr(0, kept.size() - 10));
  launcher_->open(cache.path().string());
  EXPECT_EQ(launcher_->call(problem_, tensors_), "") << "compiled anew";
  EXPECT_EQ(read_file(files[0]), kept);
}

TEST_F(TopkLauncher, WithoutACompilerItSaysWhatIsMissing) {
  launcher_->open("", "nowhere.so");
  EXPECT_THAT(launcher_->call(problem_, tensors_),
              ::testing::AllOf(HasSubstr("NVRTC cannot be opened: "),
                               HasSubstr("; name it in LauncherOptions::nvrtc")));
}

}  // namespace
}  // namespace warpwright::testing
