// Scratch that a program has to set before the first launch, as exported headers describe it.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "analysis/sample_selection.h"
#include "exchange/header/selection_writers.h"
#include "support/error_text.h"

namespace warpwright {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::sample_selection;

constexpr const char* kFilledScratchVersion = "warpwright 0.1.0";

// Counters that one variant passes itself and another by a tensor map, and scratch that is garbage.
constexpr const char* kFilledScratchContract = R"yaml(kernel: row_mix
problem: {rows: {doc: rows}}
arguments:
  - {name: x, in: f32, shape: [rows], fill: "normal(0, 1)"}
  - {name: y, out: f32, shape: [rows], match: exact}
  - {name: counter, scratch: u32, shape: [1, 2*THREADS], fill: constant(7)}
  - {name: flags, scratch: bf16, shape: [rows, 8], fill: zeros}
  - {name: flag_map, tensor_map: flags, box: [1, 8]}
  - {name: partial, scratch: f32, shape: [rows]}
parameters:
  THREADS: {default: 4}
variants:
  wide:
    source: wide.cu
    parameters: [THREADS]
    launches: [{entry: mix, grid: 1, block: 1, arguments: [x, partial]}, {entry: mix, grid: 1, block: 1, arguments: [counter, y]}]
  warp:
    source: warp.cu
    launches: [{entry: mix, grid: 1, block: 1, arguments: [x, y, flag_map]}]
reference: {source: reference.cpp, units: rows}
work: {bytes: rows, flops: 0}
)yaml";

KernelSpec scratch_kernel() {
  return parse_stored_kernel(kFilledScratchContract, "/nowhere/kernel.yaml");
}

// The sample with the scratch above.
SelectionModel with_scratch() {
  SelectionModel model = sample_selection();
  const KernelSpec kernel = scratch_kernel();
  model.contract.arguments = kernel.arguments;
  for (std::size_t i = 0; i < 2; ++i) {
    std::vector<std::string>& passed = model.contract.variants[i].launches.front().arguments;
    for (const LaunchSpec& launch : kernel.variants[i].launches)
      passed.insert(passed.end(), launch.arguments.begin(), launch.arguments.end());
  }
  return model;
}

TEST(FilledScratch, BelongsToTheVariantsThatPassIt) {
  const KernelSpec kernel = scratch_kernel();
  const auto wide = filled_scratch_of(kernel, kernel.variants[0]);
  ASSERT_EQ(wide.size(), 1u);
  EXPECT_EQ(wide[0]->name, "counter");
  EXPECT_EQ(wide[0]->dtype, "u32");
  ASSERT_EQ(wide[0]->shape.size(), 2u);
  EXPECT_EQ(wide[0]->shape[1].to_string(), "2 * THREADS");
  EXPECT_EQ(wide[0]->fill, "constant(7)");
}

TEST(FilledScratch, IsPassedByATensorMapOfItToo) {
  const KernelSpec kernel = scratch_kernel();
  const auto warp = filled_scratch_of(kernel, kernel.variants[1]);
  ASSERT_EQ(warp.size(), 1u);
  EXPECT_EQ(warp[0]->name, "flags");
}

TEST(FilledScratch, HeadersSayWhatEveryElementIs) {
  const std::string text = selection_header(with_scratch(), {kFilledScratchVersion});
  EXPECT_THAT(text, HasSubstr("      out.initial = \"constant(7)\";\n"
                              "      out.initial_bits = ww_bits(out.dtype, ww_integer(7));\n"));
  EXPECT_THAT(text, HasSubstr("      out.initial = \"zeros\";\n"));
}

TEST(FilledScratch, BelongsInHeadersToTheVariantsThatUseIt) {
  const std::string text = selection_header(with_scratch(), {kFilledScratchVersion});
  EXPECT_THAT(text, HasSubstr("ww_put_tensor(&out, \"counter\", WW_WORKSPACE, "
                              "configuration.variant == WW_ROW_MIX_VARIANT_WIDE, WW_U32);\n"));
  EXPECT_THAT(text, HasSubstr("ww_put_tensor(&out, \"flags\", WW_WORKSPACE, "
                              "configuration.variant == WW_ROW_MIX_VARIANT_WARP, WW_BF16);\n"));
}

TEST(FilledScratch, HeadersWithoutItSayNothing) {
  EXPECT_THAT(selection_header(sample_selection(), {kFilledScratchVersion}),
              Not(HasSubstr("out.initial")));
}

TEST(FilledScratch, WhatIsNoConstantIsRefused) {
  SelectionModel model = with_scratch();
  model.contract.arguments[2].fill = "sequence(0, 1)";
  EXPECT_THAT(
      testing::error_text(
          [&] { static_cast<void>(selection_header(model, {kFilledScratchVersion})); }),
      HasSubstr("kernel 'row_mix': its scratch 'counter' begins as `sequence(0, 1)`, and exported "
                "headers support only `zeros`, `ones` and `constant(NUMBER)`; export JSON"));
}

TEST(FilledScratch, JsonHoldsIt) {
  const auto json = nlohmann::json::parse(select_json(with_scratch(), kFilledScratchVersion));
  const auto& scratch = json["variants"][0]["filled_scratch"][0];
  EXPECT_EQ(scratch["argument"], "counter");
  EXPECT_EQ(scratch["dtype"], "u32");
  EXPECT_EQ(scratch["shape"][1]["text"], "2 * THREADS");
  EXPECT_EQ(scratch["fill"], "constant(7)");
}

}  // namespace
}  // namespace warpwright
