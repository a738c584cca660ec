// Tensor maps in exported headers: the contract's maps in CUDA's terms, and compilers' results for
// them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "analysis/sample_selection.h"
#include "exchange/header/selection_writers.h"
#include "exchange/header/tensor_map_facts.h"
#include "exchange/shared_header.h"
#include "support/host_compiler.h"

namespace warpwright {
namespace {

using testing::CommandResult;
using testing::HostCompiler;
using testing::sample_selection;
using testing::write_shared_header;

constexpr const char* kTensorMapVersion = "warpwright 0.1.0";
const std::string kTensorMapWarnings = HostCompiler::kWarnings;

// Two maps: one that leaves everything to its tensor, and one that specifies everything.
constexpr const char* kTensorMapContract = R"yaml(kernel: row_mix
problem:
  rows: {doc: rows}
  K: {doc: columns}
  dtype: {values: [f32, bf16], default: f32}
arguments:
  - {name: q, in: dtype, shape: [rows, K], fill: "normal(0, 1)"}
  - {name: q_map, tensor_map: q, box: [THREADS, 8], swizzle: THREADS}
  - {name: p_map, tensor_map: p, shape: [rows / 2, 2, K], strides: ["2*K + 8", K, 1], offset: 8*rows,
     box: [1, 2, 16], element_strides: [2, 1, 1], l2_promotion: 256, fill: nan}
  - {name: p, scratch: bf16, shape: [4*rows, K]}
  - {name: y, out: f32, shape: [rows], match: exact}
parameters:
  THREADS: {default: 64}
variants:
  wide:
    source: wide.cu
    parameters: [THREADS]
    launches: [{entry: mix, grid: 1, block: 1, arguments: [q_map, y]}, {entry: mix, grid: 1, block: 1, arguments: [p_map]}]
  warp:
    source: warp.cu
    launches: [{entry: mix, grid: 1, block: 1, arguments: [q, y]}]
reference: {source: reference.cpp, units: rows}
work: {bytes: rows, flops: 0}
)yaml";

KernelSpec map_kernel() { return parse_stored_kernel(kTensorMapContract, "/nowhere/kernel.yaml"); }

// The tensor maps of the first variant.
std::vector<TensorMapFact> facts() {
  const KernelSpec kernel = map_kernel();
  std::vector<TensorMapFact> all;
  for (const ArgumentSpec* map : tensor_maps_of(kernel, kernel.variants.front()))
    all.push_back(tensor_map_fact(kernel, *map));
  return all;
}

std::string texts(const std::vector<Expr>& list) {
  std::string text;
  for (const Expr& expr : list) text += (text.empty() ? "" : ", ") + expr.to_string();
  return text;
}

TEST(TensorMapFacts, AreInCudasTermsAndOrder) {
  const std::vector<TensorMapFact> wide = facts();
  ASSERT_EQ(wide.size(), 2u);
  const TensorMapFact& q = wide[0];
  EXPECT_EQ(q.argument, "q_map");
  EXPECT_EQ(q.tensor, "q");
  EXPECT_EQ(q.data_type.to_string(), "dtype == 'f32' ? 7 : 9");
  EXPECT_EQ(texts(q.sizes), "K, rows");
  EXPECT_EQ(texts(q.stride_bytes), "K * sizeof(dtype)");
  EXPECT_EQ(texts(q.box), "8, THREADS");
  EXPECT_EQ(texts(q.element_strides), "1, 1");
  EXPECT_EQ(q.fill.to_string(), "0");
  const TensorMapFact& p = wide[1];
  EXPECT_EQ(p.data_type.to_string(), "9");
  EXPECT_EQ(p.offset_bytes.to_string(), "8 * rows * sizeof(bf16)");
  EXPECT_EQ(texts(p.sizes), "K, 2, rows / 2");
  EXPECT_EQ(texts(p.stride_bytes), "K * sizeof(bf16), (2 * K + 8) * sizeof(bf16)");
  EXPECT_EQ(texts(p.box), "16, 2, 1");
  EXPECT_EQ(texts(p.element_strides), "1, 1, 2");
  EXPECT_EQ(p.l2_promotion.evaluate_integer(Environment()), 3);
  EXPECT_EQ(p.fill.to_string(), "1");
}

TEST(TensorMapFacts, BelongToTheVariantsThatPassThem) {
  const KernelSpec kernel = map_kernel();
  EXPECT_TRUE(tensor_maps_of(kernel, kernel.variants[1]).empty());
}

TEST(TensorMapFacts, SwizzlesAreTheEnumeratorsOfCuda) {
  const Expr swizzle = facts()[0].swizzle;
  const std::pair<int, int> expected[] = {{0, 0}, {32, 1}, {64, 2}, {128, 3}, {96, -1}};
  for (const auto& [span, code] : expected) {
    Environment environment;
    environment.set("THREADS", span);
    EXPECT_EQ(swizzle.evaluate_integer(environment), code) << span;
  }
}

// The sample with the maps above in its first variant.
SelectionModel with_maps() {
  SelectionModel model = sample_selection();
  model.contract.arguments = map_kernel().arguments;
  model.contract.variants.front().launches.front().arguments = {"q_map", "p_map"};
  return model;
}

// Checks for rows=16, K=64, bf16, THREADS=1024; the swizzle has no such span.
constexpr const char* kTensorMapStaticChecks = R"(
#include "selection.h"
constexpr ww_row_mix_problem kProblem{16, 64, WW_ROW_MIX_DTYPE_BF16};
constexpr ww_selection choice(int configuration) {
  ww_selection chosen;
  chosen.configuration = configuration;
  chosen.limits = ww_row_mix_devices[0].limits;
  return chosen;
}
constexpr ww_tensor_map kQ = ww_row_mix_tensor_map(choice(0), kProblem, 0);
static_assert(kQ.ok && kQ.argument[0] == 'q' && kQ.tensor == WW_ROW_MIX_TENSOR_Q, "");
static_assert(kQ.rank == 2 && kQ.data_type == 9 && kQ.offset_bytes == 0, "");
static_assert(kQ.sizes[0] == 64 && kQ.sizes[1] == 16 && kQ.stride_bytes[0] == 128, "");
static_assert(kQ.box[0] == 8 && kQ.box[1] == 128 && kQ.swizzle == 3, "");
constexpr ww_tensor_map kP = ww_row_mix_tensor_map(choice(0), kProblem, 1);
static_assert(kP.ok && kP.rank == 3 && kP.offset_bytes == 256, "");
static_assert(kP.stride_bytes[0] == 128 && kP.stride_bytes[1] == 272, "");
static_assert(kP.element_strides[0] == 1 && kP.element_strides[2] == 2, "");
static_assert(kP.l2_promotion == 3 && kP.fill == 1 && kP.swizzle == 0, "");
static_assert(!ww_row_mix_tensor_map(choice(0), kProblem, 2).ok, "");
static_assert(!ww_row_mix_tensor_map(choice(3), kProblem, 0).ok, "");
static_assert(!ww_row_mix_tensor_map(choice(-1), kProblem, 0).ok, "");
constexpr ww_launch_plan kPlan = ww_row_mix_launch(choice(0), kProblem, 0);
static_assert(kPlan.argument_count == 2 && kPlan.arguments[1].kind == WW_TENSOR_MAP, "");
static_assert(kPlan.arguments[1].index == 1, "");
)";

constexpr const char* kPlain = R"(#include <stdio.h>
#include "selection.h"
int main(void) {
  const ww_row_mix_problem problem = {16, 64, WW_ROW_MIX_DTYPE_BF16, 1, 0, 0};
  ww_selection chosen = ww_no_selection();
  int i;
  chosen.configuration = 0;
  chosen.limits = ww_row_mix_devices[0].limits;
  for (i = 0; i < 3; ++i) {
    const ww_tensor_map map = ww_row_mix_tensor_map(chosen, problem, i);
    printf("%d %d %lld %lld %lld %lld %lld;", map.ok, map.tensor, map.rank, map.sizes[0],
           map.stride_bytes[0], map.box[1], map.swizzle);
  }
  return 0;
}
)";

class TensorMapHeader : public ::testing::Test {
 protected:
  void SetUp() override {
    host_.write("selection.h", selection_header(with_maps(), {kTensorMapVersion}));
    write_shared_header(host_);
    host_.write("static.cpp", std::string(kTensorMapStaticChecks) + "int main() { return 0; }\n");
    host_.write("plain.c", kPlain);
  }
  std::string output(const std::string& command) const {
    const CommandResult result = host_.run(command);
    EXPECT_EQ(result.exit_code, 0) << command << "\n" << result.output;
    return result.output;
  }

  HostCompiler host_;
};

TEST_F(TensorMapHeader, IsConstantInCpp) {
  for (const char* standard : {"c++17", "c++20"}) {
    EXPECT_EQ(output(fmt::format("c++ -std={}{}-c static.cpp -o /dev/null", standard,
                                 kTensorMapWarnings)),
              "");
  }
}

TEST_F(TensorMapHeader, SaysTheSameInC) {
  EXPECT_EQ(output("cc -std=c99" + kTensorMapWarnings + "plain.c -o plain && ./plain"),
            "1 0 2 64 128 128 3;1 1 3 64 128 2 0;0 -1 0 0 0 0 0;");
}

TEST_F(TensorMapHeader, WithoutMapsHasNoneOfIt) {
  EXPECT_EQ(selection_header(sample_selection(), {kTensorMapVersion}).find("ensor_map"),
            std::string::npos);
  EXPECT_EQ(select_json(sample_selection(), kTensorMapVersion).find("tensor_maps"),
            std::string::npos);
}

TEST_F(TensorMapHeader, JsonHoldsTheExpressions) {
  const std::string json = select_json(with_maps(), kTensorMapVersion);
  EXPECT_NE(json.find("\"tensor_maps\""), std::string::npos);
  EXPECT_NE(json.find("\"dtype == 'f32' ? 7 : 9\""), std::string::npos);
}

}  // namespace
}  // namespace warpwright
