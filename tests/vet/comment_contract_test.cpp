// Tests launch comments as contracts, with the types that a compiler reports.
#include "vet/comments/comment_contract.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "vet/comments/read_launch_comments.h"

namespace warpwright {
namespace {

using ::testing::HasSubstr;

// void k(const float* x, int* y, int n, unsigned char c, float4* v, P* p)
const std::vector<ParameterType> kTypes = {
    {"float const*", 8, 4, false},  {"int*", 8, 4, false},     {"int", 4, 0, false},
    {"unsigned char", 1, 0, false}, {"float4*", 8, 16, false}, {"P*", 8, 24, false}};

std::string contract_for(const std::string& comment) {
  const auto comments = read_launch_comments(comment, "a.cu", {});
  return contract_of(comments.at(0), "/tmp/a.cu", {{"k", kTypes}});
}

std::string misfit_of(const std::string& comment) {
  try {
    return contract_for(comment);
  } catch (const Error& error) {
    return error.message();
  }
}

constexpr const char* kContract = R"yaml(problem: {n: {default: 40}}
arguments:
  - {name: x, in: f32, shape: [40], fill: "uniform(-1, 1)"}
  - {name: y, out: i32, shape: [40]}
  - {name: v, inout: f32, shape: [3, 4], fill: "constant(0)"}
  - {name: p, inout: u8, shape: [5, 24], fill: "zeros"}
  - {name: argument_1, value: "40", dtype: i32}
  - {name: argument_2, value: "7", dtype: u8}
options: ["-default-device"]
deterministic: false
variants:
  k:
    source: "a.cu"
    launches:
      - {entry: "k", grid: [2, 1, 1], block: [32, 1, 1], shared: 0, arguments: [x, y, argument_1, argument_2, v, p]}
cases: [{name: "line 2", problem: {}}]
)yaml";

TEST(CommentContract, TypesAreTheKernels) {
  EXPECT_EQ(contract_for("// vet: n = 40\n"
                         "// vet: k<<<2, 32>>>(x[n], y[n] = unset, n, 7, v[3] = 0, p[5])"),
            kContract);
}

TEST(CommentContract, RandomWholeNumbersAreIndicesOfEverything) {
  EXPECT_THAT(contract_for("// vet: k<<<1, 1>>>(x[9], y[40], 1, 7, v[12], p[5])"),
              HasSubstr("{name: y, inout: i32, shape: [40], fill: \"integers(0, 4)\"}"));
}

TEST(CommentContract, ATypeMayBeWritten) {
  EXPECT_THAT(contract_for("// vet: k<<<1, 1>>>(unsigned char x[9], half2 y[4], 1, 7, v[1], p[5])"),
              HasSubstr("{name: x, in: u8, shape: [9], fill: \"integers(0, 0)\"}\n"
                        "  - {name: y, inout: f16, shape: [4, 2], fill: \"uniform(-1, 1)\"}"));
}

TEST(CommentContractMessage, NamesWhatDoesNotFitTheKernel) {
  EXPECT_EQ(
      misfit_of("// vet: k<<<1, 1>>>(x[9])"),
      "a.cu:1:9: 'k' takes 6 arguments (float const*, int*, int, unsigned char, float4*, P*), "
      "got 1; make them match");
  EXPECT_EQ(misfit_of("// vet: k<<<1, 1>>>(x[9], y[9], z[3], 7, v[1], p[1])"),
            "a.cu:1:33: argument 3 of 'k' is of type int, got the memory 'z'; give a number or a "
            "constant");
  EXPECT_EQ(misfit_of("// vet: k<<<1, 1>>>(x[9], 4, 3, 7, v[1], p[1])"),
            "a.cu:1:27: argument 2 of 'k' is of type int*, got the number 4; write x[1024] for "
            "memory of that many elements, or nullptr");
  EXPECT_EQ(misfit_of("// vet: k<<<1, 1>>>(x[9], nullptr, 3, 256, v[1], p[1])"),
            "a.cu:1:39: argument 4 of 'k' is of type unsigned char, got 256; it holds 0 to 255");
  EXPECT_EQ(misfit_of("// vet: k<<<1, 1>>>(x[9], y[9], 2.5, 7, v[1], p[1])"),
            "a.cu:1:33: argument 3 of 'k' is of type int, got 2.5; give a whole number");
  EXPECT_EQ(misfit_of("// vet: k<<<1, 1>>>(x[9], y[9] = random(0, 0.5), 2, 7, v[1], p[1])"),
            "a.cu:1:34: 'y' has elements of i32, got 0.5; give a whole number");
  EXPECT_EQ(misfit_of("// vet: k<<<1, 1>>>(Q x[9], y[9], 2, 7, v[1], p[1])"),
            "a.cu:1:23: 'Q' is not a type that a comment can name; leave it out for the kernel's "
            "own, or write float, int, double, __half or another of C++ or CUDA");
}

TEST(ParameterTypes, AreReadFromTheProbesSymbol) {
  const auto types = read_parameters(
      "_ZN14warpwright_vet6kernelINS_10parametersIJNS_9parameterIPKfLy8ELy4ELb0EEENS2_"
      "I1ELy1ELy0ELb1"
      "EEENS2_IPA7_fLy8ELy28ELb0EEEEEEEEvv");
  ASSERT_TRUE(types.has_value());
  ASSERT_EQ(types->size(), 3U);
  EXPECT_EQ(types->at(0).name, "float const*");
  EXPECT_TRUE(types->at(0).is_read_only());
  EXPECT_EQ(types->at(0).pointee(), "float");
  EXPECT_TRUE(types->at(1).is_enum);
  EXPECT_EQ(types->at(1).bytes, 1);
  EXPECT_TRUE(types->at(2).is_pointer());
  EXPECT_FALSE(types->at(2).is_read_only());
  EXPECT_EQ(types->at(2).pointee(), "float  [7]");
  EXPECT_EQ(types->at(2).pointee_bytes, 28);
  EXPECT_FALSE(read_parameters("_Z5saxpyPf").has_value());
}

TEST(ParameterTypes, OfCppAndCudaAreKnown) {
  EXPECT_EQ(element_type("unsigned long long")->dtype, "u64");
  EXPECT_EQ(element_type("const std::uint8_t *")->dtype, "u8");
  EXPECT_EQ(element_type("__nv_bfloat162")->lanes, 2);
  EXPECT_EQ(element_type("double4_16a")->lanes, 4);
  EXPECT_EQ(element_type("float [7]")->dtype, "f32");
  EXPECT_FALSE(element_type("Node").has_value());
}

}  // namespace
}  // namespace warpwright
