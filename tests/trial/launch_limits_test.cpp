#include <gmock/gmock.h>

#include "core/error.h"
#include "trial/launch/launch_plan.h"
#include "trial/tiny_kernel.h"

namespace warpwright::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class LaunchLimitsTest : public ::testing::Test {
 protected:
  // Replaces the tiny kernel's launch and returns why the device refuses it; "" when it does not.
  std::string reason(const std::string& launch, int threads = 128) {
    files.replace("{entry: twice, grid: [\"ceil_div(rows * V, THREADS)\"], block: [THREADS]}",
                  launch);
    const auto outcome = reject_impossible_launch(files.read(), tiny_configuration(threads),
                                                  tiny_problem(), device.info(), compiled);
    if (!outcome) return "";
    EXPECT_EQ(outcome->status, Status::kInvalid);
    // The detail for programs holds the same constraint as the text for people.
    const FailureDetail read = detail_of_old_reason(outcome->status, outcome->reason);
    EXPECT_EQ(outcome->detail.operand, read.operand);
    EXPECT_TRUE(outcome->reason.ends_with(outcome->detail.advice));
    EXPECT_EQ(outcome->detail.advice.empty(), read.operand.empty());
    return outcome->reason;
  }

  TinyKernel files;
  FakeDevice device;
  CompileResult compiled = fake_compiled();
};

TEST_F(LaunchLimitsTest, AnOrdinaryLaunchMayRun) {
  EXPECT_EQ(reason("{entry: twice, grid: [1], block: [THREADS]}"), "");
}

TEST_F(LaunchLimitsTest, ABlockTooLarge) {
  EXPECT_EQ(reason("{entry: twice, grid: [1], block: [THREADS, 2, 2]}", 512),
            "a block of 2048 threads exceeds the device's 1024; add a constraint such as "
            "\"THREADS * 2 * 2 <= device.max_threads\"");
}

TEST_F(LaunchLimitsTest, ABlockThatIsEmpty) {
  EXPECT_EQ(reason("{entry: twice, grid: [1], block: [\"THREADS - 128\"]}"),
            "block.x is 0 (from 'THREADS - 128'), which is not positive; add a constraint such as "
            "\"(THREADS - 128) >= 1\"");
}

TEST_F(LaunchLimitsTest, ABlockTooDeep) {
  EXPECT_EQ(reason("{entry: twice, grid: [1], block: [1, 1, THREADS]}"),
            "block.z is 128 (from 'THREADS'), the limit is 64; add a constraint such as \"THREADS "
            "<= 64\"");
}

TEST_F(LaunchLimitsTest, AGridTooWide) {
  EXPECT_EQ(
      reason("{entry: twice, grid: [1, \"THREADS * 1000\"], block: [1]}"),
      "grid.y is 128000 (from 'THREADS * 1000'), the limit is 65535; add a constraint such as "
      "\"(THREADS * 1000) <= 65535\"");
}

TEST_F(LaunchLimitsTest, TooMuchDynamicSharedMemory) {
  EXPECT_EQ(reason("{entry: twice, grid: [1], block: [1], shared: \"THREADS * 2048\"}"),
            "shared memory 262144 B exceeds the device's 232448 B; add a constraint such as "
            "\"THREADS * 2048 <= device.max_shared\"");
}

TEST_F(LaunchLimitsTest, StaticSharedMemoryCounts) {
  KernelResources resources;
  resources.entry = "twice";
  resources.static_shared = 1024;
  compiled.resources = {resources};
  EXPECT_EQ(reason("{entry: twice, grid: [1], block: [1], shared: \"THREADS * 1816\"}"),
            "shared memory 233472 B exceeds the device's 232448 B (1024 B static, 232448 B "
            "dynamic); add a constraint "
            "such as \"THREADS * 1816 + 1024 <= device.max_shared\"");
}

TEST_F(LaunchLimitsTest, NegativeSharedMemory) {
  EXPECT_EQ(reason("{entry: twice, grid: [1], block: [1], shared: \"THREADS - 200\"}"),
            "dynamic shared memory is -72 B (from 'THREADS - 200'), which is negative");
}

TEST_F(LaunchLimitsTest, TooManyRegisters) {
  KernelResources resources;
  resources.entry = "twice";
  resources.registers = 96;
  compiled.resources = {resources};
  // 672 threads are 21 warps; the SM's four partitions make them 24.
  EXPECT_EQ(reason("{entry: twice, grid: [1], block: [THREADS]}", 672),
            "672 threads of 96 registers need 73728 registers, the device has 65536 per block; add "
            "a constraint such as "
            "\"THREADS <= 640\", or give the kernel __launch_bounds__(672)");
  files.contract = tiny_contract();
  EXPECT_EQ(reason("{entry: twice, grid: [1], block: [THREADS]}", 640), "");
}

TEST_F(LaunchLimitsTest, MoreLocalMemoryThanAThreadHas) {
  KernelResources resources;
  resources.entry = "twice";
  resources.registers = 16;
  resources.stack = 64 << 20;
  compiled.resources = {resources};
  EXPECT_EQ(reason("{entry: twice, grid: [1], block: [THREADS]}"),
            "67108864 B of local memory per thread exceed the 524288 B that a thread can have; "
            "make the kernel's local arrays smaller, or give it a scratch argument");
}

TEST_F(LaunchLimitsTest, ClustersNeedHopper) {
  device.device_info.compute_capability = 80;
  EXPECT_EQ(reason("{entry: twice, grid: [2], block: [1], cluster: [2]}"),
            "clusters need compute capability 9.0, the device has 8.0; add a constraint such as "
            "\"device.compute_capability >= 90\"");
}

TEST_F(LaunchLimitsTest, AGridIsAMultipleOfItsCluster) {
  EXPECT_EQ(
      reason("{entry: twice, grid: [rows], block: [1], cluster: [2]}"),
      "grid.x is 3, which is not a multiple of cluster.x 2; add a constraint such as \"rows % 2 "
      "== 0\"");
}

TEST_F(LaunchLimitsTest, AMissingEntryListsWhatThereIs) {
  KernelResources resources;
  resources.entry = "twicee";
  compiled.resources = {resources};
  EXPECT_EQ(reason("{entry: twice, grid: [1], block: [1]}"),
            "twice.cu has no entry 'twice'; it defines twicee");
}

TEST_F(LaunchLimitsTest, OneLaunchOfSeveralIsNamed) {
  EXPECT_THAT(
      reason("{entry: twice, grid: [1], block: [1]}, {entry: second, grid: [0], block: [1]}"),
      HasSubstr("second: grid.x is 0"));
}

class ValueBytesTest : public ::testing::Test {
 protected:
  std::vector<std::byte> bytes(const std::string& value, const std::string& dtype) {
    ArgumentSpec argument;
    argument.name = "n";
    argument.role = ArgumentRole::kValue;
    argument.dtype = dtype;
    argument.value = Expr::parse(value);
    return value_bytes(argument, Environment());
  }
  std::string error_of(const std::string& value, const std::string& dtype) {
    try {
      (void)bytes(value, dtype);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }
};

TEST_F(ValueBytesTest, EveryKindHasItsSize) {
  EXPECT_EQ(bytes("3", "i32"), (std::vector<std::byte>{std::byte{3}, {}, {}, {}}));
  EXPECT_EQ(bytes("-1", "i64"), std::vector<std::byte>(8, std::byte{0xFF}));
  EXPECT_EQ(bytes("0.5", "f16"), (std::vector<std::byte>{std::byte{0}, std::byte{0x38}}));
  EXPECT_EQ(bytes("2", "f32").size(), 4u);
}

TEST_F(ValueBytesTest, LargeIntegersAreExact) {
  const std::vector<std::byte> value = bytes("9007199254740993", "i64");  // 2^53 + 1
  EXPECT_EQ(value[0], std::byte{1});
}

TEST_F(ValueBytesTest, AValueThatDoesNotFitIsRefused) {
  EXPECT_EQ(error_of("3000000000", "i32"),
            "argument 'n': the value 3000000000 does not fit i32; declare `dtype: i64`");
  EXPECT_EQ(error_of("0.5", "i32"),
            "argument 'n': the value 0.5 does not fit i32; declare `dtype: f32`");
  EXPECT_EQ(error_of("'fast'", "i32"), "argument 'n' needs a number, got the string 'fast'");
}

class JobsTest : public ::testing::Test {
 protected:
  TinyKernel files;
  FakeDevice device;
};

TEST_F(JobsTest, DefinesAreParametersThenSizesWithAMacro) {
  files.replace("V: {doc: columns}",
                "V: {doc: columns, macro: COLUMNS}\n  fast: {values: [true, false], default: true, "
                "macro: FAST}");
  const auto defines = compile_defines(files.read(), tiny_configuration(64),
                                       {{"rows", 1}, {"V", 5}, {"fast", true}});
  EXPECT_EQ(defines, (std::vector<std::pair<std::string, std::string>>{
                         {"THREADS", "64"}, {"COLUMNS", "5"}, {"FAST", "1"}}));
}

TEST_F(JobsTest, AJobNamesSourceFoldersAndArch) {
  const CompileJob job =
      make_compile_job(files.read(), tiny_configuration(), tiny_problem(), device.info(), {"/inc"});
  EXPECT_EQ(job.source, files.folder.path() / "twice.cu");
  EXPECT_EQ(job.include_folders, std::vector<std::filesystem::path>{"/inc"});
  EXPECT_EQ(job.arch, "sm_90a");
  EXPECT_TRUE(job.want_cubin);
}

TEST_F(JobsTest, CasesOutsideOfTheConstraintsAreSkipped) {
  files.replace("variants:", "constraints: [\"V * rows >= THREADS / 64\"]\nvariants:");
  std::vector<SkippedCase> skipped;
  EXPECT_EQ(case_jobs(files.read(), tiny_configuration(128), device.info(), {}, &skipped).size(),
            1u);
  EXPECT_TRUE(skipped.empty());
  EXPECT_EQ(case_jobs(files.read(), tiny_configuration(512), device.info(), {}, &skipped).size(),
            0u);
  ASSERT_EQ(skipped.size(), 1u);
  EXPECT_EQ(skipped[0].name, "one_row");
  EXPECT_THAT(skipped[0].reason,
              ::testing::HasSubstr("the constraint 'V * rows >= THREADS / 64' does not hold"));
}

TEST_F(JobsTest, AnUnknownVariantIsSuggested) {
  Configuration configuration = tiny_configuration();
  configuration.variant = "plian";
  try {
    (void)make_compile_job(files.read(), configuration, tiny_problem(), device.info(), {});
    FAIL() << "expected an Error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "kernel 'twice' has no variant 'plian'; did you mean 'plain'?");
  }
}

}  // namespace
}  // namespace warpwright::testing
