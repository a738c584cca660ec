// Tests wrong keys, types and expressions in kernel.yaml. Each case is one edit of the contract in
// tests/fixtures/yaml/softmax_topk, with the complete message that it produces.
#include <gtest/gtest.h>

#include "spec/spec_fixture.h"

namespace warpwright {
namespace {

class KernelKeysErrors : public testing::TestWithParam<BadEdit> {};

TEST_P(KernelKeysErrors, SaysPlaceCauseAndFix) {
  EXPECT_EQ(kernel_message(edited_kernel(GetParam().from, GetParam().to)), GetParam().message);
}

const BadEdit kKernelKeysErrors[] = {
    {"UnknownTopLevelKey", "summary: Fused", "sumary: Fused",
     "kernel.yaml:3:1: unknown key 'sumary'; did you mean 'summary'?"},
    {"UnknownKeyWithNothingNear", "summary: Fused", "frobnicate: Fused",
     "kernel.yaml:3:1: unknown key 'frobnicate'; known: kernel, summary, problem, arguments, "
     "parameters, let, constraints, options, include, variants, baseline, reference, ..."},
    {"UnknownKeyInAnArgument", "fill: zeros, doc: calls", "fil: zeros, doc: calls",
     "kernel.yaml:14:46: unknown key 'fil' in arguments[3]; did you mean 'fill'?"},
    {"UnknownKeyInALaunch", R"(shared: "4*THREADS")", R"(shard: "4*THREADS")",
     "kernel.yaml:32:63: unknown key 'shard' in variants.block_row.launches[0]; did you mean "
     "'shared'?"},
    {"MissingKernel", "kernel: softmax_topk\n", "",
     "kernel.yaml:2:1: missing key 'kernel'; add `kernel: NAME`"},
    {"MissingSourceKey", "    source: block_row.cu\n", "",
     "kernel.yaml:27:5: missing key 'source' in variants.block_row; add `source: block_row.cu`"},
    {"MissingShape", "scratch: f32, shape: [rows, THREADS, device.warp_size]", "scratch: f32",
     "kernel.yaml:15:5: missing key 'shape' in arguments[4]; add `shape: [rows, V]`"},
    {"MissingFill", "shape: [rows, V], fill: \"normal(0, 1)\"", "shape: [rows, V]",
     "kernel.yaml:11:5: missing key 'fill' in arguments[0]; add `fill: \"normal(0, 1)\"`"},
    {"MissingEntry", "{entry: prepare, grid", "{grid",
     "kernel.yaml:37:9: missing key 'entry' in variants.warp_row.launches[0]; add `entry: "
     "softmax_topk`"},
    {"MissingReference", "reference: {source: reference.cpp, units: rows}\n", "",
     "kernel.yaml:2:1: missing key 'reference'; add `reference: {source: reference.cpp, units: "
     "rows}`"},
    {"MissingUnits", "reference: {source: reference.cpp, units: rows}",
     "reference: {source: reference.cpp}",
     "kernel.yaml:39:12: missing key 'units' in reference; add `units: rows`"},
    {"MissingFlops", R"(flops: "rows*V*4", flops_convention: causal)", "flops_convention: causal",
     "kernel.yaml:40:7: missing key 'flops' in work; add `flops: 0`"},
    {"MissingDefaultOfAParameter", "{default: 256, doc: threads per block",
     "{doc: threads per block",
     "kernel.yaml:19:12: missing key 'default' in parameters.THREADS; add `default: 256`"},
    {"NameIsAList", "kernel: softmax_topk", "kernel: [softmax_topk]",
     "kernel.yaml:2:9: kernel: got a list, expected a name of letters, digits and '_' that does "
     "not start with a digit"},
    {"NameIsNoIdentifier", "kernel: softmax_topk", "kernel: softmax-topk",
     "kernel.yaml:2:9: kernel: got the string 'softmax-topk', expected a name of letters, digits "
     "and '_' that does not start with a digit"},
    {"SizeIsAScalar", "V: {doc: vocabulary size}", "V: 50257",
     "kernel.yaml:6:6: problem.V: got the integer 50257, expected a map"},
    {"MaxIsText", "max: 256, macro", "max: many, macro",
     "kernel.yaml:7:38: problem.K.max: got the string 'many', expected a number"},
    {"MaxIsAQuotedNumber", "max: 256, macro", R"(max: "256", macro)",
     "kernel.yaml:7:38: problem.K.max: got the string '256', expected a number"},
    {"DeterministicIsNo", "deterministic: false", "deterministic: no",
     "kernel.yaml:41:16: deterministic: 'no' is ambiguous, expected true or false; quote it if it "
     "is text"},
    {"DeterministicIsANumber", "deterministic: false", "deterministic: 1",
     "kernel.yaml:41:16: deterministic: got the integer 1, expected true or false"},
    {"DeterministicIsEmpty", "deterministic: false",
     "deterministic:", "kernel.yaml:41:1: deterministic: got nothing, expected true or false"},
    {"ShapeIsAMap", "in: dtype, shape: [rows, V]", "in: dtype, shape: {rows: V}",
     "kernel.yaml:11:38: arguments[0].shape: got a map, expected a list"},
    {"ToleranceIsANumber", R"(tolerance: {abs: 1e-7, rel: "K > 10 ? 4e-5 : 2e-5", rms: 1e-3 / K})",
     "tolerance: 1e-7",
     "kernel.yaml:12:58: arguments[1].tolerance: got the real 1e-07, expected a map"},
    {"ToleranceAbsIsAList", "abs: 1e-7", "abs: [1e-7]",
     "kernel.yaml:12:64: arguments[1].tolerance.abs: got a list, expected a number or an "
     "expression"},
    {"UnknownParameterInAConstraint", "- THREADS % 32 == 0", "- THREDS % 32 == 0",
     "kernel.yaml:23:5: unknown parameter 'THREDS' in \"THREDS % 32 == 0\"; did you mean "
     "'THREADS'?\n"
     "  THREDS % 32 == 0\n"
     "  ^"},
    {"UnknownParameterInAQuotedGrid", "grid: [\"ceil_div(rows, 4)\", 1]",
     "grid: [\"ceil_div(row, 4)\", 1]",
     "kernel.yaml:38:42: unknown parameter 'row' in \"ceil_div(row, 4)\"; did you mean 'rows'?\n"
     "  ceil_div(row, 4)\n"
     "           ^"},
    {"UnknownNameInAShape", "shape: [rows, V]", "shape: [rows, W]",
     "kernel.yaml:11:45: unknown size 'W' in \"W\"; known: rows, V, K, dtype, scale\n"
     "  W\n"
     "  ^"},
    {"UnknownDeviceLimit", "device.max_threads", "device.max_thread",
     "kernel.yaml:24:24: unknown parameter 'device.max_thread' in \"THREADS <= "
     "device.max_thread\"; did you mean 'device.max_threads'?\n"
     "  THREADS <= device.max_thread\n"
     "             ^"},
    {"ParameterOfAnotherVariant", "block: 32, arguments", "block: LOCAL_K, arguments",
     "kernel.yaml:37:45: 'LOCAL_K' is not a parameter of variant 'warp_row'; add it to the "
     "variant's `parameters`"},
    {"ParameterInTheShapeOfAnInput", "in: dtype, shape: [rows, V]",
     "in: dtype, shape: [rows, THREADS]",
     "kernel.yaml:11:45: 'THREADS' is a parameter, expected problem sizes only; what is computed "
     "must not depend on the configuration"},
    {"ParameterInTheWork", R"(bytes: "rows*V*)", R"(bytes: "rows*V*THREADS*)",
     "kernel.yaml:40:23: 'THREADS' is a parameter, expected problem sizes only; what is computed "
     "must not depend on the configuration"},
    {"DeviceLimitInATolerance", "abs: 1e-7", "abs: device.sm_count",
     "kernel.yaml:12:64: 'device.sm_count' is a limit of the device; what is computed must not "
     "depend on the device"},
    {"ScratchParameterThatAVariantLacks", "[rows, THREADS, device.warp_size]", "[rows, LOCAL_K]",
     "kernel.yaml:15:51: 'LOCAL_K' is not a parameter of variant 'warp_row'; add it to the "
     "variant's `parameters`"},
    {"KernelConstraintThatAVariantLacks", "- THREADS % 32 == 0", "- LOCAL_K % 2 == 0",
     "kernel.yaml:23:5: 'LOCAL_K' is not a parameter of variant 'warp_row'; add it to the "
     "variant's `parameters`"},
    {"DtypeWithoutQuotes", "LOCAL_K <= K", "LOCAL_K <= K || dtype == bf16",
     "kernel.yaml:30:45: 'bf16' is a dtype, not a name; compare with the string 'bf16' in quotes"},
    {"SyntaxErrorInAPlainExpression", "- THREADS % 32 == 0", "- THREADS % % 32 == 0",
     "kernel.yaml:23:15: expected a value, got '%' in \"THREADS % % 32 == 0\"\n"
     "  THREADS % % 32 == 0\n"
     "            ^"},
    {"SyntaxErrorInAQuotedExpression", R"(flops: "rows*V*4")", R"(flops: "rows*V*(4")",
     "kernel.yaml:40:67: expected ')' to close '(', got the end in \"rows*V*(4\"\n"
     "  rows*V*(4\n"
     "           ^"},
    {"UnknownFunction", "ceil_div(rows, 4)", "ceildiv(rows, 4)",
     "kernel.yaml:38:33: unknown function 'ceildiv' in \"ceildiv(rows, 4)\"; did you mean "
     "'ceil_div'?\n"
     "  ceildiv(rows, 4)\n"
     "  ^"},
    {"EmptyExpression", R"(shared: "4*THREADS")", R"(shared: "")",
     "kernel.yaml:32:71: variants.block_row.launches[0].shared: got empty text, expected a number "
     "or an expression"},
    {"SyntaxErrorInAFoldedExpression", "  - THREADS % 32 == 0",
     "  - >\n"
     "    THREADS %\n"
     "    * 32 == 0",
     "kernel.yaml:24: expected a value, got '*' in \"THREADS % * 32 == 0 \"\n"
     "  THREADS % * 32 == 0\n"
     "            ^"},
    {"SyntaxErrorInALiteralBlock", "  - THREADS % 32 == 0",
     "  - |\n"
     "    THREADS %\n"
     "    * 32 == 0",
     "kernel.yaml:25: expected a value, got '*' in \"THREADS % * 32 == 0 \"\n"
     "  * 32 == 0\n"
     "  ^"},
};

INSTANTIATE_TEST_SUITE_P(Edits, KernelKeysErrors, testing::ValuesIn(kKernelKeysErrors),
                         case_name<BadEdit>);

}  // namespace
}  // namespace warpwright
