// Tests tensor maps in contracts: how they are read, and the complete message of every rejection.
#include <gtest/gtest.h>

#include "spec/spec_fixture.h"

namespace warpwright {
namespace {

// The sources are those of the fixture's folder. Line 8 is the map that the cases edit.
constexpr const char* kContract = R"yaml(kernel: softmax_topk
problem:
  rows: {doc: rows}
  V: {doc: columns}
  dtype: {values: [f32, e4m3], default: f32}
arguments:
  - {name: rows, value: rows}
  - {name: q_map, tensor_map: q, box: [TILE, 64]}
  - {name: q, in: bf16, shape: [rows, V], fill: "normal(0, 1)"
}
  - {name: probs, scratch: dtype, shape: [1, 1, 1, 1, rows, TILE]}
  - {name: y, out: f32, shape: [rows], match: exact}
parameters:
  TILE: {default: 64}
  SPAN: {default: 128, values: [0, 32, 64, 128]}
variants:
  block_row: {source: block_row.cu, parameters: [TILE, SPAN], launches: [{entry: f, grid: 1, block: 1}]}
reference: {source: reference.cpp, units: rows}
work: {bytes: rows, flops: 0}
)yaml";

constexpr std::string_view kMap = "tensor_map: q, box: [TILE, 64]";

KernelSpec contract_with(std::string_view map) {
  return parse_kernel(replaced(kContract, kMap, map), kernel_folder() / "kernel.yaml");
}

TEST(TensorMapSpec, TakesShapeAndDtypeFromItsTensorWhereverThatStands) {
  const KernelSpec kernel = contract_with(kMap);
  const ArgumentSpec& argument = *kernel.find_argument("q_map");
  EXPECT_EQ(argument.role, ArgumentRole::kTensorMap);
  EXPECT_EQ(argument.dtype, "bf16");
  ASSERT_EQ(argument.shape.size(), 2u);
  EXPECT_EQ(argument.shape[0].to_string(), "rows");
  EXPECT_EQ(argument.shape[1].to_string(), "V");
  ASSERT_TRUE(argument.map.has_value());
  EXPECT_EQ(argument.map->tensor, "q");
  EXPECT_TRUE(argument.map->strides.empty());
  EXPECT_TRUE(argument.map->element_strides.empty());
  EXPECT_EQ(argument.map->offset.to_string(), "0");
  EXPECT_EQ(argument.map->swizzle.to_string(), "0");
  EXPECT_EQ(argument.map->l2_promotion.to_string(), "0");
  EXPECT_FALSE(argument.map->fill_nan);
}

TEST(TensorMapSpec, EveryKeyIsRead) {
  const KernelSpec kernel = contract_with(
      "tensor_map: q, shape: [rows / 2, 2, V], strides: [2*V, V, 1], offset: 8*TILE, "
      "box: [1, 2, TILE], element_strides: [1, 2, 1], swizzle: SPAN, l2_promotion: 256, "
      "fill: nan, interleave: none");
  const ArgumentSpec& argument = *kernel.find_argument("q_map");
  ASSERT_EQ(argument.shape.size(), 3u);
  EXPECT_EQ(argument.shape[0].to_string(), "rows / 2");
  const TensorMapSpec& map = *argument.map;
  ASSERT_EQ(map.strides.size(), 3u);
  EXPECT_EQ(map.strides[0].to_string(), "2 * V");
  EXPECT_EQ(map.offset.to_string(), "8 * TILE");
  EXPECT_EQ(map.box[2].to_string(), "TILE");
  EXPECT_EQ(map.element_strides[1].to_string(), "2");
  EXPECT_EQ(map.swizzle.to_string(), "SPAN");
  EXPECT_EQ(map.l2_promotion.to_string(), "256");
  EXPECT_TRUE(map.fill_nan);
}

TEST(TensorMapSpec, NoneIsASpanOfNothing) {
  const KernelSpec kernel =
      contract_with("tensor_map: q, box: [TILE, 64], swizzle: none, l2_promotion: none");
  EXPECT_EQ(kernel.find_argument("q_map")->map->swizzle.to_string(), "0");
  EXPECT_EQ(kernel.find_argument("q_map")->map->l2_promotion.to_string(), "0");
}

TEST(TensorMapSpec, AnOutputMayLeaveByTensorMapAlone) {
  std::string text = replaced(kContract, kMap, "tensor_map: y, box: [64]");
  text = replaced(text, "block: 1}]", "block: 1, arguments: [q_map]}]");
  EXPECT_EQ(kernel_message(text), "");
}

TEST(TensorMapSpec, AVariantNeedsTheParametersOfItsMaps) {
  std::string text =
      replaced(kContract, "parameters: [TILE, SPAN], launches", "parameters: [SPAN], launches");
  text = replaced(text, "reference:",
                  "  warp_row: {source: warp_row.cu, parameters: [TILE], launches: "
                  "[{entry: g, grid: 1, block: 1, arguments: [y]}]}\nreference:");
  text = replaced(text, "block: 1}]", "block: 1, arguments: [q_map, y]}]");
  EXPECT_EQ(kernel_message(text),
            "kernel.yaml:8:40: 'TILE' is not a parameter of variant 'block_row'; add it to the "
            "variant's `parameters`");
}

class TensorMapErrors : public testing::TestWithParam<BadText> {};

TEST_P(TensorMapErrors, SaysPlaceCauseAndFix) {
  EXPECT_EQ(kernel_message(replaced(kContract, kMap, GetParam().text)), GetParam().message);
}

const BadText kTensorMapErrors[] = {
    {"UnknownTensor", "tensor_map: k, box: [TILE, 64]",
     "kernel.yaml:8:31: arguments[1].tensor_map: unknown tensor 'k'; known: q, probs, y"},
    {"MisspeltTensor", "tensor_map: prob, box: [TILE, 64]",
     "kernel.yaml:8:31: arguments[1].tensor_map: unknown tensor 'prob'; did you mean 'probs'?"},
    {"MapOfAValue", "tensor_map: rows, box: [TILE, 64]",
     "kernel.yaml:8:31: arguments[1].tensor_map: argument 'rows' is a value, expected an array: "
     "in, "
     "out, inout or scratch"},
    {"MapOfAMap", "tensor_map: q_map, box: [TILE, 64]",
     "kernel.yaml:8:31: arguments[1].tensor_map: argument 'q_map' is a tensor map, expected an "
     "array: in, out, inout or scratch"},
    {"NoBox", "tensor_map: q",
     "kernel.yaml:8:5: missing key 'box' in arguments[1]; add `box: [64, 64]`"},
    {"SixAxesOfTheTensor", "tensor_map: probs, box: [TILE, 64]",
     "kernel.yaml:8:31: arguments[1].tensor_map: tensor 'probs' has 6 axes, expected 1 to 5; give "
     "the "
     "map a `shape` that joins some"},
    {"SixAxes", "tensor_map: q, shape: [1, 1, 1, 1, rows, V], box: [TILE, 64]",
     "kernel.yaml:8:41: arguments[1].shape: got 6 axes, expected 1 to 5"},
    {"NoAxes", "tensor_map: q, shape: [], box: [TILE, 64]",
     "kernel.yaml:8:41: arguments[1].shape: got 0 axes, expected 1 to 5"},
    {"BoxOfAnotherRank", "tensor_map: q, box: [64]",
     "kernel.yaml:8:39: arguments[1].box: got 1 value, expected 2, one per axis of the tensor"},
    {"StridesOfAnotherRank", "tensor_map: q, shape: [V], strides: [V, 1], box: [64]",
     "kernel.yaml:8:55: arguments[1].strides: got 2 values, expected 1, one per axis of the "
     "shape"},
    {"ElementStridesOfAnotherRank", "tensor_map: q, box: [TILE, 64], element_strides: [1]",
     "kernel.yaml:8:68: arguments[1].element_strides: got 1 value, expected 2, one per axis of "
     "the "
     "tensor"},
    {"BoxOfNothing", "tensor_map: q, box: [TILE, 0]",
     "kernel.yaml:8:46: arguments[1].box[1]: got 0, expected 1 to 256"},
    {"BoxTooLarge", "tensor_map: q, box: [TILE, 257]",
     "kernel.yaml:8:46: arguments[1].box[1]: got 257, expected 1 to 256"},
    {"ElementStrideTooLarge", "tensor_map: q, box: [TILE, 64], element_strides: [9, 1]",
     "kernel.yaml:8:69: arguments[1].element_strides[0]: got 9, expected 1 to 8"},
    {"UnknownSwizzle", "tensor_map: q, box: [TILE, 64], swizzle: 96",
     "kernel.yaml:8:60: arguments[1].swizzle: got 96, expected none, 32, 64 or 128"},
    {"UnknownSwizzleParameter", "tensor_map: q, box: [TILE, 64], swizzle: SPAM",
     "kernel.yaml:8:60: unknown parameter 'SPAM' in \"SPAM\"; did you mean 'SPAN'?\n  SPAM\n  ^"},
    {"UnknownPromotion", "tensor_map: q, box: [TILE, 64], l2_promotion: 512",
     "kernel.yaml:8:65: arguments[1].l2_promotion: got 512, expected none, 64, 128 or 256"},
    {"UnknownFill", "tensor_map: q, box: [TILE, 64], fill: zeros",
     "kernel.yaml:8:57: arguments[1].fill: unknown fill of a tensor map 'zeros'; did you mean "
     "'zero'?"},
    {"NanOfBytes", "tensor_map: probs, shape: [rows, TILE], box: [TILE, 64], fill: nan",
     "kernel.yaml:8:82: arguments[1].fill: got nan for e4m3, expected one of f64, f32, f16, "
     "bf16; "
     "use `fill: zero`"},
    {"Interleaved", "tensor_map: q, box: [TILE, 64], interleave: 16",
     "kernel.yaml:8:63: arguments[1].interleave: got '16', expected none; interleaved layouts "
     "are "
     "not supported"},
    {"DtypeOfAMap", "tensor_map: q, box: [TILE, 64], dtype: f32",
     "kernel.yaml:8:51: arguments[1].dtype: has no meaning next to 'tensor_map'; remove it"},
    {"ToleranceOfAMap", "tensor_map: q, box: [TILE, 64], tolerance: {abs: 1}",
     "kernel.yaml:8:51: arguments[1].tolerance: has no meaning next to 'tensor_map'; remove it"},
    {"BoxOfAnArray", "in: f32, shape: [rows], fill: zeros, box: [64]",
     "kernel.yaml:8:56: arguments[1].box: has no meaning next to 'in'; remove it"},
    {"MapBesideARole", "in: f32, tensor_map: q, box: [TILE, 64]",
     "kernel.yaml:8:28: arguments[1].tensor_map: got 'tensor_map' next to 'in', expected one of "
     "in, constant, out, inout, scratch, value, tensor_map"},
};

INSTANTIATE_TEST_SUITE_P(Spec, TensorMapErrors, testing::ValuesIn(kTensorMapErrors),
                         case_name<BadText>);

}  // namespace
}  // namespace warpwright
