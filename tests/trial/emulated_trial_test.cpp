// End-to-end trials on an emulated device: contract, compiler, emulator, reference from outside the
// tree, outcome.
#include "trial/emulated_trial.h"

#include <gmock/gmock.h>

#include "core/error.h"

namespace warpwright::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST_F(EmulatedTrialTest, ACorrectKernelIsModelledAndCounted) {
  const Outcome outcome = run();
  EXPECT_EQ(outcome.status, Status::kOk) << outcome.reason;
  ASSERT_TRUE(outcome.time.has_value());
  EXPECT_TRUE(outcome.time->modelled);
  EXPECT_GT(outcome.time->median_us, 0);
  EXPECT_EQ(outcome.counters.at("blocks"), 7u);
  ASSERT_EQ(outcome.resources.size(), 1u);
  EXPECT_GT(outcome.resources[0].registers, 0);
  EXPECT_EQ(outcome.cubin_hash.size(), 64u);
}

TEST_F(EmulatedTrialTest, AWrongKernelIsRejected) {
  files.source = R"(extern "C" __global__ void twice(const float* x, float* y, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) y[i] = i == 300 ? 0 : 2 * x[i];
}
)";
  const Outcome outcome = run();
  EXPECT_EQ(outcome.status, Status::kWrongResult);
  EXPECT_THAT(outcome.reason, StartsWith("output 'y' is wrong at [3, 69]: got 0, expected "));
}

TEST_F(EmulatedTrialTest, AnUnwrittenTailIsRejected) {
  files.source = R"(extern "C" __global__ void twice(const float* x, float* y, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count / 64 * 64) y[i] = 2 * x[i];
}
)";
  problem = tiny_problem(1, 100);
  files.replace("  - {name: one_row, problem: {rows: 1, V: 5}, fill: {x: \"choice(0, 1)\"}}\n",
                "  - {name: whole, problem: {rows: 1, V: 64}}\n");
  const Outcome outcome = run();
  EXPECT_EQ(outcome.status, Status::kWrongResult);
  EXPECT_THAT(outcome.reason, AllOf(StartsWith("output 'y' was never written at [0, 64]"),
                                    HasSubstr("36 of 100 checked elements are wrong")));
}

TEST_F(EmulatedTrialTest, AWriteOutOfBoundsIsALaunchFailure) {
  files.source = R"(extern "C" __global__ void twice(const float* x, float* y, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= count) y[i] = 2 * x[i < count ? i : 0];
}
)";
  const Outcome outcome = run();
  EXPECT_EQ(outcome.status, Status::kLaunchFailed);
  EXPECT_THAT(outcome.reason, AllOf(StartsWith("case 'one_row' (rows=1 V=5): "), HasSubstr("y")));
  EXPECT_FALSE(outcome.worker_lost);
}

TEST_F(EmulatedTrialTest, AKernelThatChangesItsInputIsRejected) {
  files.source = R"(extern "C" __global__ void twice(float* x, float* y, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) { y[i] = 2 * x[i]; x[i] = 9; }
}
)";
  const Outcome outcome = run();
  EXPECT_EQ(outcome.status, Status::kWrongResult);
  EXPECT_THAT(outcome.reason, HasSubstr("changed input 'x' at [0, 0]"));
}

TEST_F(EmulatedTrialTest, ACompileErrorIsAnOutcomeWithItsPlace) {
  files.source =
      "extern \"C\" __global__ void twice(const float* x, float* y, int count) { nonsense; }\n";
  const Outcome outcome = run();
  EXPECT_EQ(outcome.status, Status::kCompileFailed);
  EXPECT_THAT(outcome.reason, HasSubstr("nonsense"));
}

TEST_F(EmulatedTrialTest, AContractThatPassesTooMuchIsInvalid) {
  files.source = R"(extern "C" __global__ void twice(const float* x, float* y) { y[0] = x[0]; }
)";
  const Outcome outcome = run();
  EXPECT_EQ(outcome.status, Status::kInvalid);
  EXPECT_THAT(outcome.reason, HasSubstr("entry 'twice' takes 2 parameters, the contract passes 3"));
}

TEST_F(EmulatedTrialTest, AnImpossibleBlockIsRejectedByItsConstraint) {
  const Outcome outcome = run(2048);
  EXPECT_EQ(outcome.status, Status::kInvalid);
  EXPECT_THAT(outcome.reason, HasSubstr("\"THREADS <= 1024\""));
}

}  // namespace
}  // namespace warpwright::testing
