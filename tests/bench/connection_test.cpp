// Which outputs can be connected to which inputs, and the errors for those that cannot.
#include <gtest/gtest.h>

#include "bench/graph/graph_plan.h"
#include "records/configuration.h"

namespace warpwright::testing {
namespace {

const KernelSpec& maker() {
  static const KernelSpec kernel = parse_stored_kernel(R"yaml(kernel: maker
summary: makes
problem: {rows: {doc: rows}, d: {doc: columns}, wanted: {doc: 0 makes no z, values: [0, 1], default: 1}}
arguments:
  - {name: x, in: bf16, shape: [rows, d], fill: zeros}
  - {name: y, out: bf16, shape: [rows, d], tolerance: {abs: 1}}
  - {name: z, out: bf16, shape: [rows, "d*wanted"], tolerance: {abs: 1}}
parameters: {}
variants:
  plain: {source: a.cu, parameters: [], launches: [{entry: a, grid: [1], block: [32]}]}
reference: {source: reference.cpp, units: rows}
work: {bytes: 1, flops: 1}
)yaml",
                                                       "maker/kernel.yaml");
  return kernel;
}

const KernelSpec& taker() {
  static const KernelSpec kernel = parse_stored_kernel(R"yaml(kernel: taker
summary: takes
problem: {rows: {doc: rows}, heads: {doc: heads}, d: {doc: columns}}
arguments:
  - {name: q, in: bf16, shape: [rows, 1, heads, d], fill: zeros}
  - {name: f, in: f32, shape: [rows, heads, d], fill: zeros}
  - {name: c, inout: bf16, shape: [rows, heads, d], fill: zeros, tolerance: {abs: 1}}
parameters: {}
variants:
  plain: {source: a.cu, parameters: [], launches: [{entry: a, grid: [1], block: [32]}]}
reference: {source: reference.cpp, units: rows}
work: {bytes: 1, flops: 1}
)yaml",
                                                       "taker/kernel.yaml");
  return kernel;
}

ConnectedKernel end(const std::string& step, const KernelSpec& kernel, const Problem& problem) {
  ConnectedKernel one{step, &kernel, Environment()};
  for (const auto& [name, value] : problem) one.environment.set(name, value);
  return one;
}

class Connection : public ::testing::Test {
 protected:
  std::int64_t first(const std::string& argument, std::optional<std::int64_t> from = {},
                     std::optional<std::int64_t> to = {}, const std::string& output = "y") {
    return connect(end("a", maker(), made_), end("b", taker(), taken_),
                   {{"g.yaml", 3, 5}, "a." + output, output, argument, from, to});
  }
  std::string connection_fault(const std::string& argument, std::optional<std::int64_t> from = {},
                               std::optional<std::int64_t> to = {},
                               const std::string& output = "y") {
    try {
      (void)first(argument, from, to, output);
      return "no error";
    } catch (const Error& error) {
      EXPECT_EQ(error.fault(), Fault::kUser);
      return error.message();
    }
  }

  Problem made_{{"rows", 1}, {"d", 64}, {"wanted", 1}};
  Problem taken_{{"rows", 1}, {"heads", 4}, {"d", 16}};
};

TEST_F(Connection, AxesMayBeSplit) { EXPECT_EQ(first("q"), 0); }

TEST_F(Connection, APartBeginsWhereItIsCut) {
  made_["d"] = 192;
  EXPECT_EQ(first("q", 64, 128), 64);
}

TEST_F(Connection, AnotherShapeIsToldWithBoth) {
  made_["d"] = 32;
  EXPECT_EQ(connection_fault("q"),
            "g.yaml:3:5: got a.y of step 'a' (maker), which is bf16 [1, 32]; expected bf16 [1, 1, "
            "4, 16], the 'q' of step 'b' (taker)");
}

TEST_F(Connection, AnotherTypeIsToldWithBoth) {
  EXPECT_EQ(connection_fault("f"),
            "g.yaml:3:5: got a.y of step 'a' (maker), which is bf16 [1, 64]; expected f32 [1, 4, "
            "16], the 'f' of step 'b' (taker)");
}

TEST_F(Connection, WhatIsWrittenIsNoInput) {
  EXPECT_EQ(connection_fault("c"),
            "g.yaml:3:5: 'c' is written by step 'b' (taker); only what is read alone can be "
            "connected");
}

TEST_F(Connection, AnInputIsNoOutput) {
  EXPECT_EQ(connection_fault("q", {}, {}, "x"),
            "g.yaml:3:5: 'x' is not an output of step 'a' (maker); known: y, z");
}

TEST_F(Connection, AnUnknownArgumentIsNoInput) {
  EXPECT_EQ(connection_fault("p"),
            "g.yaml:3:5: 'p' is not an input of step 'b' (taker); known: q, f");
}

TEST_F(Connection, PartsOfSeveralRowsDoNotLieTogether) {
  made_["rows"] = 2;
  made_["d"] = 128;
  EXPECT_EQ(connection_fault("q", 0, 64),
            "g.yaml:3:5: a.y: part of the rows of bf16 [2, 128], which do not lie together; only a "
            "single row can be cut");
}

TEST_F(Connection, APartEndsInsideItsAxis) {
  EXPECT_EQ(connection_fault("q", 16, 80),
            "g.yaml:3:5: a.y: got 16 to 80, expected a part of 0 to 64, the last axis of bf16 [1, "
            "64]");
}

TEST_F(Connection, APartBeginsAtAMultipleOf16Bytes) {
  made_["d"] = 128;
  EXPECT_EQ(connection_fault("q", 4, 68),
            "g.yaml:3:5: a.y: begins 8 bytes into 'y', expected a multiple of 16");
}

TEST_F(Connection, AnOutputThatIsSwitchedOffHasNothingToGive) {
  made_["wanted"] = 0;
  EXPECT_EQ(connection_fault("q", {}, {}, "z"),
            "g.yaml:3:5: a.z has no elements on this problem: bf16 [1, 0]");
}

TEST(MergedAxes, AreTheSameShape) {
  EXPECT_TRUE(same_but_for_merged_axes({1, 4096}, {1, 1, 32, 128}));
  EXPECT_TRUE(same_but_for_merged_axes({16, 8192, 8, 128}, {131072, 8, 128}));
  EXPECT_TRUE(same_but_for_merged_axes({1}, {}));
}

TEST(MergedAxes, ThatAreTransposedAreNot) {
  EXPECT_FALSE(same_but_for_merged_axes({8, 16}, {16, 8}));
  EXPECT_FALSE(same_but_for_merged_axes({4, 6}, {8, 3}));
  EXPECT_FALSE(same_but_for_merged_axes({4, 6}, {4}));
  EXPECT_FALSE(same_but_for_merged_axes({4, 6}, {12}));
}

}  // namespace
}  // namespace warpwright::testing
