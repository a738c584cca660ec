#include "bench/bench_case.h"

#include <gmock/gmock.h>

#include "core/error.h"

namespace warpwright {
namespace {

using ::testing::HasSubstr;

class BenchCaseTest : public ::testing::Test {
 protected:
  BenchCaseTest() {
    device_.max_shared_per_block = 232448;
    device_.sm_count = 132;
  }
  [[nodiscard]] std::string fault_of(const std::string& configuration) const {
    try {
      (void)parse_configuration(kernel_, configuration);
      return "no error";
    } catch (const Error& error) {
      EXPECT_EQ(error.fault(), Fault::kUser);
      return error.message();
    }
  }
  [[nodiscard]] std::string problem_fault_of(const std::string& problem) const {
    try {
      (void)parse_problem(kernel_, problem);
      return "no error";
    } catch (const Error& error) {
      EXPECT_EQ(error.fault(), Fault::kUser);
      return error.message();
    }
  }

  const KernelSpec kernel_ = read_kernel(WARPWRIGHT_SOURCE_DIR "/kernels/softmax_topk");
  DeviceInfo device_;
};

TEST_F(BenchCaseTest, ANameHoldsProblemVariantAndParameters) {
  EXPECT_EQ(bench_name(kernel_, parse_problem(kernel_, "K=10 rows=8192 V=50257"),
                       {"block_row", {{"THREADS", 512}, {"LOCAL_K", 4}, {"ONLINE", 1}}}),
            "softmax_topk/rows:8192/V:50257/K:10/dtype:f32/block_row/LOCAL_K:4/ONLINE:1/"
            "THREADS:512");
}

TEST_F(BenchCaseTest, ANameHasNoSeparatorsAndBlanksInItsValues) {
  EXPECT_EQ(bench_name(kernel_, {{"rows", 1}, {"dtype", "a b/c:d"}}, {"v", {}}),
            "softmax_topk/rows:1/dtype:a_b_c_d/v");
}

TEST_F(BenchCaseTest, WhatIsNotNamedKeepsItsDefault) {
  const Configuration configuration = parse_configuration(kernel_, "variant=threshold  THREADS=96");
  Configuration expected = default_configuration(kernel_, *kernel_.find_variant("threshold"));
  ASSERT_NE(expected.values.at("THREADS"), Value(96));
  expected.values["THREADS"] = 96;
  EXPECT_EQ(configuration, expected);
}

TEST_F(BenchCaseTest, ABadConfigurationIsRefusedWithWhatWasMeant) {
  const std::string text = "--configuration \"";
  EXPECT_EQ(fault_of("variant=treshold"),
            text +
                "variant=treshold\": unknown variant 'treshold' of kernel 'softmax_topk'; did "
                "you mean 'threshold'?");
  EXPECT_EQ(fault_of("variant=naive THREDS=256"),
            text +
                "variant=naive THREDS=256\": unknown parameter 'THREDS' of variant 'naive' of "
                "kernel 'softmax_topk'; did you mean 'THREADS'?");
  EXPECT_EQ(fault_of("variant=naive THREADS=16"),
            text + "variant=naive THREADS=16\": parameter 'THREADS': got 16, expected at least 32");
  EXPECT_EQ(fault_of("variant=naive THREADS=64 THREADS=64"),
            text + "variant=naive THREADS=64 THREADS=64\": 'THREADS' is given twice");
  EXPECT_EQ(fault_of("THREADS=64"),
            text +
                "THREADS=64\": kernel 'softmax_topk' has several variants; add variant=NAME: "
                "naive, block_row, vectorized, warp_row, threshold, split, cluster_row");
  EXPECT_THAT(fault_of("threshold"), HasSubstr("got 'threshold', expected NAME=VALUE"));
  EXPECT_THAT(fault_of("  "), HasSubstr("is empty"));
  EXPECT_THAT(fault_of("variant=naive THREADS="), HasSubstr("got 'THREADS=', expected NAME=VALUE"));
}

TEST_F(BenchCaseTest, ABadProblemIsRefused) {
  EXPECT_THAT(problem_fault_of("rows=8 V=100"), HasSubstr("--problem \"rows=8 V=100\""));
  EXPECT_THAT(problem_fault_of("rows=8 V=100 K=10 Q=1"), HasSubstr("'Q'"));
  EXPECT_THAT(problem_fault_of("rows=-8 V=100 K=10"), HasSubstr("rows"));
}

TEST_F(BenchCaseTest, WorkIsTheContractsOnThatProblem) {
  const BenchCase made =
      make_bench_case(kernel_, parse_problem(kernel_, "rows=8192 V=50257 K=10"),
                      parse_configuration(kernel_, "variant=naive"), "given", device_);
  EXPECT_EQ(made.bytes, 8192.0 * 50257 * 4 + 8192 * 10 * 8);
  EXPECT_EQ(made.flops, 4.0 * 8192 * 50257);
  EXPECT_EQ(made.refused, "");
}

TEST_F(BenchCaseTest, WhatTheContractExcludesSaysWhy) {
  const BenchCase made =
      make_bench_case(kernel_, parse_problem(kernel_, "rows=8 V=50257 K=64"),
                      parse_configuration(kernel_, "variant=warp_row"), "given", device_);
  EXPECT_EQ(made.refused,
            "the contract excludes it: K <= 32 does not hold: each lane holds one of the K best");
}

TEST_F(BenchCaseTest, AStoredConfigurationMustFitTheContractOfToday) {
  EXPECT_EQ(check_configuration(kernel_, {"naive", {{"THREADS", 64}}}).values.at("THREADS"),
            Value(64));
  EXPECT_THROW((void)check_configuration(kernel_, {"naive", {{"GONE", 64}}}), Error);
  EXPECT_THROW((void)check_configuration(kernel_, {"gone", {}}), Error);
}

}  // namespace
}  // namespace warpwright
