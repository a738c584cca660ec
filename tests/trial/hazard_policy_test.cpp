// Outcomes, under both policies, of kernels that compute the right values although the checkers
// report hazards.
#include <gmock/gmock.h>

#include "trial/emulated_trial.h"

namespace warpwright::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

constexpr const char* kEarlyReturn =
    R"(extern "C" __global__ void twice(const float* x, float* y, int count) {
  __shared__ float tile[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  tile[threadIdx.x] = x[i];
  __syncthreads();
  y[i] = 2 * tile[threadIdx.x];
}
)";

constexpr const char* kEqualStores =
    R"(extern "C" __global__ void twice(const float* x, float* y, int count) {
  __shared__ int factor;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x % 32 == 0)
    factor = blockDim.x / 32;
  __syncthreads();
  if (i < count) y[i] = factor * x[i];
}
)";

// Threads beyond the end sum values that were never written, but do not store the sums.
constexpr const char* kTileEdge =
    R"(extern "C" __global__ void twice(const float* x, float* y, int count) {
  __shared__ float tile[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) tile[threadIdx.x] = x[i];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 2; ++k) sum += tile[threadIdx.x];
  __syncthreads();
  if (i < count) y[i] = sum;
}
)";

// Reads the other warp's half of the tile, which may not have been written yet.
constexpr const char* kRace =
    R"(extern "C" __global__ void twice(const float* x, float* y, int count) {
  __shared__ float tile[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i < count ? x[i] : 0;
  const int other = i ^ 32;
  if (other < count) y[other] = 2 * tile[threadIdx.x ^ 32];
}
)";

class HazardPolicyTest : public EmulatedTrialTest {
 protected:
  Outcome run_under(HazardPolicy policy, const char* source) {
    files.source = source;
    options.hazards = policy;
    return run();
  }
  [[nodiscard]] std::string line(int number) const {
    return (files.folder.path() / "twice.cu").string() + ":" + std::to_string(number);
  }
  // The text is the reason of a trial, or stored with it.
  [[nodiscard]] std::string early_return() const {
    return "case 'one_row' (rows=1 V=5): exit before barrier at " + line(6) + " with " + line(8) +
           ": barrier 0 completes although 32 of 64 threads have exited without it; GPUs count "
           "them as arrived, CUDA leaves it undefined; fix: move the return below the barrier, or "
           "guard the work instead of returning";
  }
  [[nodiscard]] std::string equal_stores() const {
    return "case 'one_row' (rows=1 V=5): shared race of equal values at " + line(5) + " with " +
           line(5) +
           ": store of 4 bytes to shared address 0 and store of 4 bytes by another warp are not "
           "ordered; both store the same value; fix: let one thread store it, or give each thread "
           "a place of its own";
  }
};

TEST_F(HazardPolicyTest, AnEarlyReturnAboveABarrierIsRejected) {
  const Outcome outcome = run_under(HazardPolicy::kReject, kEarlyReturn);
  EXPECT_EQ(outcome.status, Status::kHazard);
  EXPECT_EQ(outcome.reason, early_return());
  EXPECT_THAT(outcome.hazards, IsEmpty());
}

TEST_F(HazardPolicyTest, AnEarlyReturnAboveABarrierIsKeptWithWhatWorks) {
  const Outcome outcome = run_under(HazardPolicy::kWarn, kEarlyReturn);
  EXPECT_EQ(outcome.status, Status::kOk) << outcome.reason;
  EXPECT_TRUE(outcome.time.has_value());
  EXPECT_THAT(outcome.hazards, ElementsAre(TrialFinding{"exit before barrier", early_return()}));
}

TEST_F(HazardPolicyTest, WarpsThatStoreTheSameAreRejected) {
  const Outcome outcome = run_under(HazardPolicy::kReject, kEqualStores);
  EXPECT_EQ(outcome.status, Status::kHazard);
  EXPECT_EQ(outcome.reason, equal_stores());
}

TEST_F(HazardPolicyTest, WarpsThatStoreTheSameAreKeptWithWhatWorks) {
  const Outcome outcome = run_under(HazardPolicy::kWarn, kEqualStores);
  EXPECT_EQ(outcome.status, Status::kOk) << outcome.reason;
  EXPECT_THAT(outcome.hazards,
              ElementsAre(TrialFinding{"shared race of equal values", equal_stores()}));
}

TEST_F(HazardPolicyTest, LanesThatStoreNothingMayComputeWhatTheyLike) {
  for (const HazardPolicy policy : {HazardPolicy::kReject, HazardPolicy::kWarn}) {
    const Outcome outcome = run_under(policy, kTileEdge);
    EXPECT_EQ(outcome.status, Status::kOk) << outcome.reason;
    EXPECT_THAT(outcome.hazards, IsEmpty());
  }
}

TEST_F(HazardPolicyTest, ARaceIsRejected) {
  files.replace("V: 5}", "V: 64}");
  const Outcome outcome = run_under(HazardPolicy::kReject, kRace);
  EXPECT_EQ(outcome.status, Status::kHazard);
  EXPECT_THAT(outcome.reason, StartsWith("case 'one_row' (rows=1 V=64): shared race at " + line(4) +
                                         " with " + line(6) + ": "));
}

TEST_F(HazardPolicyTest, ARaceIsRejectedByItsResultsWhichItExplains) {
  files.replace("V: 5}", "V: 64}");
  const Outcome outcome = run_under(HazardPolicy::kWarn, kRace);
  EXPECT_EQ(outcome.status, Status::kWrongResult);
  EXPECT_THAT(
      outcome.reason,
      AllOf(StartsWith("case 'one_row' (rows=1 V=64): output 'y' is wrong at [0, "),
            HasSubstr("; the checkers object: shared race at " + line(4) + " with " + line(6) +
                      ": store of 4 bytes to shared address 128 and load of 4 bytes by another "
                      "warp are not ordered"),
            EndsWith("; fix: put a __syncthreads() that all of them pass between them")));
  ASSERT_EQ(outcome.hazards.size(), 2U);
  EXPECT_EQ(outcome.hazards[0].kind, "uninitialised shared memory");
  EXPECT_EQ(outcome.hazards[1].kind, "shared race");
}

TEST_F(HazardPolicyTest, AFaultIsNeverAWarning) {
  const Outcome outcome =
      run_under(HazardPolicy::kWarn,
                R"(extern "C" __global__ void twice(const float* x, float* y, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= count) y[i] = 2 * x[i < count ? i : 0];
}
)");
  EXPECT_EQ(outcome.status, Status::kLaunchFailed);
  EXPECT_THAT(outcome.hazards, IsEmpty());
}

TEST_F(HazardPolicyTest, OneMistakeInSeveralCasesIsKeptOnce) {
  files.replace("cases:\n", "cases:\n  - {name: first, problem: {rows: 2, V: 3}}\n");
  const Outcome outcome = run_under(HazardPolicy::kWarn, kEarlyReturn);
  EXPECT_EQ(outcome.status, Status::kOk) << outcome.reason;
  ASSERT_EQ(outcome.hazards.size(), 1U);
  EXPECT_THAT(outcome.hazards[0].text, StartsWith("case 'first' (rows=2 V=3): "));
}

TEST_F(HazardPolicyTest, ProblemsThatShareCasesShareWhatTheseShowed) {
  files.source = kEqualStores;
  options.hazards = HazardPolicy::kWarn;
  const KernelSpec kernel = files.read();
  const Configuration configuration = tiny_configuration(64);
  TrialRunner runner(kernel, *device, options);
  for (const int rows : {1, 2}) {
    problem = tiny_problem(rows, 77);
    EXPECT_THAT(run_with(runner, kernel, configuration).hazards,
                ElementsAre(TrialFinding{"shared race of equal values", equal_stores()}));
  }
}

}  // namespace
}  // namespace warpwright::testing
