// The fixture contract uses every key; these tests read it back, key by key.
#include "spec/kernel_spec.h"

#include <gtest/gtest.h>

#include <chrono>

#include "core/files.h"
#include "spec/spec_fixture.h"

namespace warpwright {
namespace {

std::vector<std::string> texts(const std::vector<Expr>& expressions) {
  std::vector<std::string> result;
  for (const Expr& expr : expressions) result.push_back(expr.text());
  return result;
}
using Strings = std::vector<std::string>;

TEST(KernelSpec, HoldsNameSummaryAndPlace) {
  const KernelSpec kernel = fixture_kernel();
  EXPECT_EQ(kernel.name, "softmax_topk");
  EXPECT_EQ(kernel.summary, "Fused softmax + top-k over the last axis of logits");
  EXPECT_EQ(kernel.folder, kernel_folder());
  EXPECT_EQ(kernel.file, kernel_folder() / "kernel.yaml");
  EXPECT_FALSE(kernel.deterministic);
}

TEST(KernelSpec, HoldsProblemSizesInOrder) {
  const KernelSpec kernel = fixture_kernel();
  ASSERT_EQ(kernel.problem.size(), 5U);
  EXPECT_EQ(kernel.problem[0].name, "rows");
  EXPECT_EQ(kernel.problem[0].doc, "B*T positions");
  EXPECT_EQ(kernel.problem[0].where.line, 5);
  EXPECT_EQ(kernel.problem[0].where.column, 3);
  EXPECT_EQ(kernel.problem[2].max, 256.0);
  EXPECT_EQ(kernel.problem[2].macro, "TOP_K");
  EXPECT_EQ(kernel.problem[3].values, (std::vector<Value>{Value("f32"), Value("bf16")}));
  EXPECT_EQ(kernel.problem[3].default_value, Value("f32"));
  EXPECT_EQ(kernel.problem[4].default_value, Value(1.0));
  EXPECT_EQ(kernel.problem[4].min, 0.0);
}

TEST(KernelSpec, ScratchMayHaveAFill) {
  EXPECT_EQ(fixture_kernel().arguments[4].fill, "");
  const std::string text = edited_kernel("device.warp_size]}", "device.warp_size], fill: zeros}");
  const ArgumentSpec workspace =
      parse_kernel(text, kernel_folder() / "kernel.yaml").arguments.at(4);
  EXPECT_EQ(workspace.role, ArgumentRole::kScratch);
  EXPECT_EQ(workspace.fill, "zeros");
  EXPECT_EQ(workspace.fill_where.line, 15);
}

TEST(KernelSpec, CasesDoNotReplaceTheFillOfScratch) {
  const std::string filled = edited_kernel("device.warp_size]}", "device.warp_size], fill: zeros}");
  const std::string edited = replaced(filled, "fill: {logits: ", "fill: {workspace: ");
  EXPECT_EQ(kernel_message(edited),
            "kernel.yaml:43:61: cases[0].fill.workspace: unknown input 'workspace'; known: logits, "
            "state");
}

TEST(KernelSpec, HoldsArgumentsInOrder) {
  const KernelSpec kernel = fixture_kernel();
  ASSERT_EQ(kernel.arguments.size(), 7U);
  const ArgumentSpec& logits = kernel.arguments[0];
  EXPECT_EQ(logits.role, ArgumentRole::kIn);
  EXPECT_EQ(logits.dtype, "dtype");
  EXPECT_EQ(texts(logits.shape), (Strings{"rows", "V"}));
  EXPECT_EQ(logits.fill, "normal(0, 1)");
  EXPECT_EQ(logits.fill_where.column, 55);
  const ArgumentSpec& probs = kernel.arguments[1];
  EXPECT_EQ(probs.role, ArgumentRole::kOut);
  EXPECT_EQ(probs.match, Match::kClose);
  EXPECT_EQ(probs.tolerance_abs.text(), "1e-7");
  EXPECT_EQ(probs.tolerance_rel.text(), "K > 10 ? 4e-5 : 2e-5");
  EXPECT_EQ(probs.tolerance_rms.text(), "1e-3 / K");
  EXPECT_EQ(kernel.arguments[2].match, Match::kRanked);
  const ArgumentSpec& state = kernel.arguments[3];
  EXPECT_EQ(state.role, ArgumentRole::kInOut);
  EXPECT_EQ(state.doc, "calls so far");
  const ArgumentSpec& workspace = kernel.arguments[4];
  EXPECT_EQ(workspace.role, ArgumentRole::kScratch);
  EXPECT_EQ(texts(workspace.shape), (Strings{"rows", "THREADS", "device.warp_size"}));
  const ArgumentSpec& rows = kernel.arguments[5];
  EXPECT_EQ(rows.role, ArgumentRole::kValue);
  EXPECT_EQ(rows.value.text(), "rows");
  EXPECT_EQ(rows.dtype, "i32");
  EXPECT_EQ(kernel.arguments[6].dtype, "f32");
}

TEST(KernelSpec, ComparesIntegersExactlyUnlessToldOtherwise) {
  const KernelSpec kernel = fixture_kernel();
  EXPECT_EQ(kernel.arguments[3].dtype, "i32");
  EXPECT_EQ(kernel.arguments[3].match, Match::kExact);
}

// The fixture's contract with one text replaced by another.
KernelSpec kernel_with(std::string_view from, std::string_view to) {
  return parse_kernel(edited_kernel(from, to), kernel_folder() / "kernel.yaml");
}

TEST(KernelSpec, HoldsHowManyProductsAreSummed) {
  const auto sum_of = [](const char* tolerance) {
    return *kernel_with("rms: 1e-3 / K", tolerance).arguments[1].tolerance_accumulate;
  };
  EXPECT_EQ(sum_of("accumulate: V").terms.text(), "V");
  EXPECT_EQ(sum_of("accumulate: V").in, "");
  EXPECT_EQ(sum_of("accumulate: {terms: V / 2, in: f16}").terms.text(), "V / 2");
  EXPECT_EQ(sum_of("accumulate: {terms: V / 2, in: f16}").in, "f16");
  EXPECT_FALSE(fixture_kernel().arguments[1].tolerance_accumulate.has_value());
}

TEST(KernelSpec, HoldsTheShareOfMismatches) {
  EXPECT_FALSE(fixture_kernel().arguments[2].mismatches.has_value());
  const KernelSpec ranked = kernel_with("match: ranked", "match: ranked, mismatches: 1.0 / V");
  EXPECT_EQ(ranked.arguments[2].mismatches->text(), "1.0 / V");
  // Integers are exact by default.
  const KernelSpec exact = kernel_with("fill: zeros, doc", "fill: zeros, mismatches: 0, doc");
  EXPECT_EQ(exact.arguments[3].match, Match::kExact);
  EXPECT_EQ(exact.arguments[3].mismatches->text(), "0");
}

TEST(KernelSpec, HoldsParametersAndConstraints) {
  const KernelSpec kernel = fixture_kernel();
  ASSERT_EQ(kernel.parameters.size(), 3U);
  EXPECT_EQ(kernel.parameters[0].name, "THREADS");
  EXPECT_EQ(kernel.parameters[0].doc, "threads per block");
  EXPECT_EQ(kernel.parameters[0].default_value, Value(256));
  EXPECT_EQ(kernel.parameters[0].min, 32.0);
  EXPECT_EQ(kernel.parameters[0].max, 1024.0);
  EXPECT_EQ(kernel.parameters[1].values.size(), 5U);
  EXPECT_EQ(kernel.parameters[2].default_value, Value("row"));
  ASSERT_EQ(kernel.constraints.size(), 2U);
  EXPECT_EQ(kernel.constraints[0].expr.text(), "THREADS % 32 == 0");
  EXPECT_EQ(kernel.constraints[0].because, "");
  EXPECT_EQ(kernel.constraints[1].because, "the device launches no more");
}

TEST(KernelSpec, HoldsVariantsAndLaunches) {
  const KernelSpec kernel = fixture_kernel();
  ASSERT_EQ(kernel.variants.size(), 2U);
  const VariantSpec& block = kernel.variants[0];
  EXPECT_EQ(block.name, "block_row");
  EXPECT_EQ(block.doc, "one block a row");
  EXPECT_EQ(block.source, kernel_folder() / "block_row.cu");
  EXPECT_EQ(block.parameters, (Strings{"THREADS", "LOCAL_K"}));
  EXPECT_EQ(block.constraints.at(0).expr.text(), "LOCAL_K <= K");
  EXPECT_EQ(block.launches.at(0).shared_bytes.text(), "4*THREADS");
  EXPECT_EQ(texts(block.launches.at(0).cluster), (Strings{"2", "1", "1"}));
  const VariantSpec& warp = kernel.variants[1];
  ASSERT_EQ(warp.launches.size(), 2U);
  EXPECT_EQ(warp.launches[1].entry.text(), "finish");
  EXPECT_EQ(texts(warp.launches[1].grid), (Strings{"ceil_div(rows, 4)", "1"}));
  EXPECT_EQ(texts(warp.launches[1].block), (Strings{"32", "4"}));
  EXPECT_EQ(warp.launches[1].shared_bytes.text(), "0");
}

TEST(KernelSpec, TakesOneExtentWithoutBrackets) {
  const KernelSpec kernel = fixture_kernel();
  const LaunchSpec& launch = kernel.variants[1].launches[0];
  EXPECT_EQ(texts(launch.grid), (Strings{"rows"}));
  EXPECT_EQ(texts(launch.block), (Strings{"32"}));
}

TEST(KernelSpec, PassesEveryArgumentToALaunchThatNamesNone) {
  const KernelSpec kernel = fixture_kernel();
  EXPECT_EQ(kernel.variants[0].launches[0].arguments,
            (Strings{"logits", "probs", "indices", "state", "workspace", "rows", "scale"}));
  EXPECT_EQ(kernel.variants[1].launches[0].arguments, (Strings{"logits", "workspace"}));
}

TEST(KernelSpec, HoldsReferenceWorkAndCases) {
  const KernelSpec kernel = fixture_kernel();
  EXPECT_EQ(kernel.reference.source, kernel_folder() / "reference.cpp");
  EXPECT_EQ(kernel.reference.units.text(), "rows");
  EXPECT_EQ(kernel.work.bytes.text(), "rows*V*sizeof(dtype) + rows*K*8");
  EXPECT_EQ(kernel.work.flops_convention, "causal");
  ASSERT_TRUE(kernel.work.written.has_value());
  EXPECT_EQ(kernel.work.written->text(), "rows*K*8");
  EXPECT_EQ(kernel.work.arithmetic, "fma_f32");
  EXPECT_EQ(kernel.baseline, "block_row");
  ASSERT_EQ(kernel.cases.size(), 1U);
  EXPECT_EQ(kernel.cases[0].name, "ties");
  EXPECT_EQ(kernel.cases[0].problem.at("V"), Value(1000));
  EXPECT_EQ(kernel.cases[0].problem.count("dtype"), 0U);
  EXPECT_EQ(kernel.cases[0].fills.at("logits"), "choice(0, 1, 2)");
  EXPECT_EQ(kernel.cases[0].doc, "equal scores");
}

TEST(KernelSpec, FindsByName) {
  const KernelSpec kernel = fixture_kernel();
  EXPECT_EQ(kernel.find_size("K"), &kernel.problem[2]);
  EXPECT_EQ(kernel.find_size("k"), nullptr);
  EXPECT_EQ(kernel.find_parameter("LOCAL_K"), &kernel.parameters[1]);
  EXPECT_EQ(kernel.find_parameter("K"), nullptr);
  EXPECT_EQ(kernel.find_variant("warp_row"), &kernel.variants[1]);
  EXPECT_EQ(kernel.find_variant("all"), nullptr);
}

TEST(KernelSpec, TakesTheFolderForItsContract) {
  EXPECT_EQ(read_kernel(kernel_folder()).file, kernel_folder() / "kernel.yaml");
}

TEST(KernelSpec, ReportsAMissingContract) {
  EXPECT_THROW(static_cast<void>(read_kernel(fixture_folder() / "none" / "kernel.yaml")), Error);
}

TEST(KernelSpec, RefusesAContractWithoutOutputs) {
  std::string text = read_file(kernel_folder() / "kernel.yaml");
  const std::size_t from = text.find("arguments:\n");
  text.replace(from, text.find("parameters:\n") - from, "arguments: [{name: rows, value: rows}]\n");
  EXPECT_EQ(kernel_message(text),
            "kernel.yaml:10:12: arguments: got no output, expected at least one; add an argument "
            "with `out: f32`");
}

TEST(KernelSpec, RefusesAContractWithoutVariants) {
  std::string text = read_file(kernel_folder() / "kernel.yaml");
  const std::size_t from = text.find("variants:\n");
  text.replace(from, text.find("reference:") - from, "variants: {}\n");
  EXPECT_EQ(kernel_message(text),
            "kernel.yaml:25:11: variants: got an empty map, expected at least one variant");
}

TEST(KernelSpec, NeedsNoParametersConstraintsOrCases) {
  const KernelSpec kernel = parse_kernel(R"(kernel: copy
problem: {n: }
arguments:
  - {name: x, in: f32, shape: [n], fill: ones}
  - {name: y, out: f32, shape: [n], match: exact}
variants: {plain: {source: block_row.cu, launches: [{entry: copy, grid: n, block: 1}]}}
reference: {source: reference.cpp, units: n}
work: {bytes: 8*n, flops: 0}
)",
                                         kernel_folder() / "kernel.yaml");
  EXPECT_TRUE(kernel.parameters.empty());
  EXPECT_TRUE(kernel.cases.empty());
  EXPECT_TRUE(kernel.deterministic);
  EXPECT_EQ(kernel.work.flops_convention, "full");
  EXPECT_FALSE(kernel.work.written.has_value());
  EXPECT_EQ(kernel.work.arithmetic, "");
  EXPECT_EQ(kernel.baseline, "");
}

TEST(KernelSpec, ReadsInAFewMilliseconds) {
  const std::string text = read_file(kernel_folder() / "kernel.yaml");
  const auto start = std::chrono::steady_clock::now();
  constexpr int kRuns = 10;
  for (int i = 0; i < kRuns; ++i) {
    static_cast<void>(parse_kernel(text, kernel_folder() / "kernel.yaml"));
  }
  const std::chrono::duration<double, std::milli> elapsed =
      std::chrono::steady_clock::now() - start;
  // Takes about 1 ms in an optimised build; the bound leaves room for sanitizers and a busy
  // machine.
  EXPECT_LT(elapsed.count() / kRuns, 50.0);
}

}  // namespace
}  // namespace warpwright
