// Tests contracts whose parts contradict each other or the files on disk. Each case is one edit of
// the contract in tests/fixtures/yaml/softmax_topk, with the complete message that it produces.
#include <gtest/gtest.h>

#include "spec/spec_fixture.h"

namespace warpwright {
namespace {

class KernelContractErrors : public testing::TestWithParam<BadEdit> {};

TEST_P(KernelContractErrors, SaysPlaceCauseAndFix) {
  EXPECT_EQ(kernel_message(edited_kernel(GetParam().from, GetParam().to)), GetParam().message);
}

const BadEdit kKernelContractErrors[] = {
    {"UnknownDtype", "inout: i32", "inout: int32",
     "kernel.yaml:14:26: arguments[3].inout: unknown dtype 'int32'; known: f64, f32, f16, bf16, "
     "i64, u64, i32, u32, i16, u16, i8, u8, ..."},
    {"UnknownDtypeNearAChoice", "in: dtype", "in: dtypes",
     "kernel.yaml:11:24: arguments[0].in: unknown dtype 'dtypes'; did you mean 'dtype'?"},
    {"SizeThatIsNoDtype", "in: dtype", "in: rows",
     "kernel.yaml:11:24: arguments[0].in: problem size 'rows' is not a choice of dtypes; give it "
     "`values: [f32, bf16]` or the like"},
    {"TwoRoles", "scratch: f32, shape: [rows", "scratch: f32, out: f32, shape: [rows",
     "kernel.yaml:15:23: arguments[4].scratch: got 'scratch' next to 'out', expected one of in, "
     "constant, out, inout, scratch, value, tensor_map"},
    {"NoRole", "scratch: f32, shape: [rows", "shape: [rows",
     "kernel.yaml:15:5: arguments[4]: got no role, expected one of in, constant, out, inout, "
     "scratch, "
     "value, tensor_map; add `in: f32` or the like"},
    {"FillOfAnOutput", "match: ranked}", "match: ranked, fill: zeros}",
     "kernel.yaml:13:64: arguments[2].fill: has no meaning next to 'out'; remove it"},
    {"DtypeOfATensor", "match: ranked}", "match: ranked, dtype: i32}",
     "kernel.yaml:13:64: arguments[2].dtype: has no meaning next to 'out'; remove it"},
    {"ShapeOfAValue", "value: rows}", "value: rows, shape: [1]}",
     "kernel.yaml:16:31: arguments[5].shape: has no meaning next to 'value'; remove it"},
    {"NoTolerance", R"(, tolerance: {abs: 1e-7, rel: "K > 10 ? 4e-5 : 2e-5", rms: 1e-3 / K})", "",
     "kernel.yaml:12:5: arguments[1]: output 'probs' has no tolerance; add `tolerance: {abs: 1e-6, "
     "rel: 1e-5}` or `match: exact`"},
    {"EmptyTolerance", R"(tolerance: {abs: 1e-7, rel: "K > 10 ? 4e-5 : 2e-5", rms: 1e-3 / K})",
     "tolerance: {}",
     "kernel.yaml:12:58: arguments[1].tolerance: got none of abs, rel, rms and accumulate, "
     "expected at least one; add `abs: 1e-6`"},
    {"NegativeTolerance", "abs: 1e-7,", "abs: -1e-7,",
     "kernel.yaml:12:64: arguments[1].tolerance.abs: got -1e-7, expected a finite tolerance of at "
     "least 0"},
    {"RmsOfIndices", "match: ranked}", "match: ranked, tolerance: {abs: 1, rms: 1}}",
     "kernel.yaml:13:84: arguments[2].tolerance.rms: has no meaning with `match: ranked`; remove "
     "it"},
    {"SumsOfIndices", "match: ranked}", "match: ranked, tolerance: {abs: 1, accumulate: V}}",
     "kernel.yaml:13:84: arguments[2].tolerance.accumulate: has no meaning with `match: ranked`; "
     "remove it"},
    {"SumsOfNothing", "rms: 1e-3 / K", "accumulate: 0",
     "kernel.yaml:12:111: arguments[1].tolerance.accumulate: got 0, expected how many products are "
     "summed, at least 1"},
    {"SumsWithoutTerms", "rms: 1e-3 / K", "accumulate: {in: f32}",
     "kernel.yaml:12:111: missing key 'terms' in arguments[1].tolerance.accumulate; add `terms: "
     "k`"},
    {"SumsInAnInteger", "rms: 1e-3 / K", "accumulate: {terms: V, in: i32}",
     "kernel.yaml:12:126: arguments[1].tolerance.accumulate.in: got 'i32', expected the dtype of "
     "the accumulator: f64, f32, f16 or bf16"},
    {"SumsOfIntegers", "inout: i32, shape: [rows], fill: zeros",
     "inout: i32, shape: [rows], fill: zeros, tolerance: {accumulate: V}",
     "kernel.yaml:14:83: arguments[3].tolerance.accumulate: got i32, whose sums do not round, "
     "expected a real dtype; remove it"},
    {"SumsOfADevice", "rms: 1e-3 / K", "accumulate: device.sm_count",
     "kernel.yaml:12:111: 'device.sm_count' is a limit of the device; what is computed must not "
     "depend on the device"},
    {"SumsOfAnotherVariantsParameter", "rms: 1e-3 / K", "accumulate: {terms: V / LOCAL_K}",
     "kernel.yaml:12:123: 'LOCAL_K' is not a parameter of variant 'warp_row'; add it to the "
     "variant's `parameters`"},
    {"MismatchesOfReals", "rms: 1e-3 / K}", "rms: 1e-3 / K}, mismatches: 1e-6",
     "kernel.yaml:12:115: arguments[1].mismatches: got a share for f32, expected an integer dtype; "
     "write a `tolerance`"},
    {"MismatchesOfACloseMatch", "inout: i32, shape: [rows], fill: zeros",
     "inout: i32, shape: [rows], fill: zeros, tolerance: {abs: 1}, mismatches: 0.5",
     "kernel.yaml:14:80: arguments[3].mismatches: has no meaning with `match: close`; write "
     "`match: exact`, or remove it"},
    {"AllMismatches", "match: ranked}", "match: ranked, mismatches: 1}",
     "kernel.yaml:13:76: arguments[2].mismatches: got 1, expected a share of the elements, at "
     "least "
     "0 and below 1"},
    {"MismatchesOfAnInput", "fill: \"normal(0, 1)\"}", "fill: \"normal(0, 1)\", mismatches: 0.1}",
     "kernel.yaml:11:71: arguments[0].mismatches: has no meaning next to 'in'; remove it"},
    {"MismatchesOfAnotherVariantsParameter", "match: ranked}",
     "match: ranked, mismatches: 1e-6 * LOCAL_K}",
     "kernel.yaml:13:83: 'LOCAL_K' is not a parameter of variant 'warp_row'; add it to the "
     "variant's `parameters`"},
    {"RmsOfADevice", "rms: 1e-3 / K", "rms: device.sm_count",
     "kernel.yaml:12:104: 'device.sm_count' is a limit of the device; what is computed must not "
     "depend on the device"},
    {"RmsOfAnotherVariantsParameter", "rms: 1e-3 / K", "rms: 1e-3 * LOCAL_K",
     "kernel.yaml:12:111: 'LOCAL_K' is not a parameter of variant 'warp_row'; add it to the "
     "variant's `parameters`"},
    {"ToleranceOfAnExactMatch", "match: ranked}", "match: exact, tolerance: {abs: 1}}",
     "kernel.yaml:13:63: arguments[2].tolerance: has no effect with `match: exact`; remove one"},
    {"UnknownMatch", "match: ranked", "match: rank",
     "kernel.yaml:13:56: arguments[2].match: unknown match 'rank'; did you mean 'ranked'?"},
    {"RankedReals", R"(tolerance: {abs: 1e-7, rel: "K > 10 ? 4e-5 : 2e-5", rms: 1e-3 / K})",
     "match: ranked",
     "kernel.yaml:12:54: arguments[1].match: got ranked for f32, expected an integer dtype; ranked "
     "compares indices"},
    {"NineAxes", "in: dtype, shape: [rows, V]", "in: dtype, shape: [1, 1, 1, 1, 1, 1, 1, 1, 1]",
     "kernel.yaml:11:38: arguments[0].shape: got 9 axes, expected 1 to 8"},
    {"ArgumentTwice", "name: workspace", "name: logits",
     "kernel.yaml:15:5: arguments[4]: argument 'logits' is listed twice; rename one"},
    {"LaunchArgumentUnknown", "arguments: [logits, workspace]", "arguments: [logit, workspace]",
     "kernel.yaml:37:61: variants.warp_row.launches[0].arguments[0]: unknown argument 'logit'; did "
     "you mean 'logits'?"},
    {"OutputThatNoLaunchTakes", "[workspace, probs, indices, state]", "[workspace, probs, state]",
     "kernel.yaml:33:3: variant 'warp_row' passes the output 'indices' to no launch; add it to the "
     "`arguments` of one"},
    {"NoLaunches",
     "launches:\n"
     R"(      - {entry: softmax_topk, grid: [rows], block: [THREADS], shared: "4*THREADS", cluster: [2, 1, 1]})",
     "launches: []",
     "kernel.yaml:31:15: variants.block_row.launches: got an empty list, expected at least one "
     "launch"},
    {"FourExtents", "cluster: [2, 1, 1]", "cluster: [2, 1, 1, 1]",
     "kernel.yaml:32:93: variants.block_row.launches[0].cluster: got 4 extents, expected 1 to 3 "
     "(x, y, z)"},
    {"NoExtents", "cluster: [2, 1, 1]", "cluster: []",
     "kernel.yaml:32:93: variants.block_row.launches[0].cluster: got 0 extents, expected 1 to 3 "
     "(x, y, z)"},
    {"VariantParameterUnknown", "parameters: [THREADS, LOCAL_K]", "parameters: [THREADS, LOCALK]",
     "kernel.yaml:29:27: variants.block_row.parameters[1]: unknown parameter 'LOCALK'; did you "
     "mean 'LOCAL_K'?"},
    {"VariantParameterTwice", "parameters: [THREADS, LOCAL_K]",
     "parameters: [THREADS, LOCAL_K, THREADS]",
     "kernel.yaml:29:36: variants.block_row.parameters[2]: parameter 'THREADS' is listed twice; "
     "remove one"},
    {"ParameterThatNoVariantUses", "parameters: [THREADS, ORDER]", "parameters: [THREADS]",
     "kernel.yaml:21:3: parameter 'ORDER' is used by no variant; add it to the `parameters` of "
     "one, or remove it"},
    {"VariantNamedAll", "warp_row:", "all:",
     "kernel.yaml:33:3: variants.all: 'all' selects every variant in sweeps; rename it"},
    {"MissingSourceFile", "source: warp_row.cu", "source: wrap_row.cu",
     "kernel.yaml:34:13: variants.warp_row.source: variant 'warp_row' needs a source file, got "
     "nothing at DIR/wrap_row.cu; create it or correct the name"},
    {"SourceIsAFolder", "source: warp_row.cu", "source: .",
     "kernel.yaml:34:13: variants.warp_row.source: variant 'warp_row' needs a source file, got a "
     "folder at DIR/; create it or correct the name"},
    {"MissingReferenceSource", "source: reference.cpp", "source: reference.cc",
     "kernel.yaml:39:21: reference.source: the reference needs a source file, got nothing at "
     "DIR/reference.cc; create it or correct the name"},
    {"DuplicateSize", "V: {doc: vocabulary size}", "rows: {doc: vocabulary size}",
     "kernel.yaml:6:3: duplicate key 'rows', first given on line 5; keep one"},
    {"DuplicateVariant", "warp_row:", "block_row:",
     "kernel.yaml:33:3: duplicate key 'block_row', first given on line 26; keep one"},
    {"ParameterNamedLikeASize", "LOCAL_K: {default: 8", "K: {default: 8",
     "kernel.yaml:20:3: parameters.K: 'K' is already the problem size 'K'; rename one"},
    {"ParameterNamedLikeAMacro", "LOCAL_K: {default: 8", "TOP_K: {default: 8",
     "kernel.yaml:20:3: parameters.TOP_K: 'TOP_K' is already the macro of size 'K'; rename one"},
    {"ParameterNamedLikeAFunction", "LOCAL_K: {default: 8", "min: {default: 8",
     "kernel.yaml:20:3: parameters.min: 'min' cannot be a name: it is a built-in function; "
     "rename it"},
    {"SizeNamedLikeADtype", "V: {doc", "f32: {doc",
     "kernel.yaml:6:3: problem.f32: 'f32' cannot be a name: it is a dtype; rename it"},
    {"ParameterIsNoIdentifier", "LOCAL_K: {default: 8", "LOCAL-K: {default: 8",
     "kernel.yaml:20:3: parameters.LOCAL-K: got the string 'LOCAL-K', expected a name of letters, "
     "digits and '_' that does not start with a digit"},
    {"MacroIsNoIdentifier", "macro: TOP_K", "macro: TOP-K",
     "kernel.yaml:7:50: problem.K.macro: got the string 'TOP-K', expected a name of letters, "
     "digits and '_' that does not start with a digit"},
    {"MacroTwice", "macro: TOP_K", "macro: DTYPE",
     "kernel.yaml:8:53: problem.dtype.macro: 'DTYPE' is the macro of another size; rename one"},
    {"DefaultBelowMin", "default: 256, doc", "default: 16, doc",
     "kernel.yaml:19:22: parameters.THREADS.default: got 16, expected at least 32"},
    {"DefaultAboveMax", "default: 256, doc", "default: 2048, doc",
     "kernel.yaml:19:22: parameters.THREADS.default: got 2048, expected at most 1024"},
    {"DefaultNotAmongValues", "default: 8, values", "default: 3, values",
     "kernel.yaml:20:22: parameters.LOCAL_K.default: got 3, expected one of 1, 2, 4, 8, 16"},
    {"DefaultMisspelt", "default: f32, macro", "default: f31, macro",
     "kernel.yaml:8:41: problem.dtype.default: got f31, expected one of f32, bf16; did you mean "
     "'f32'?"},
    {"DefaultOfAnotherType", "default: 8, values", "default: eight, values",
     "kernel.yaml:20:22: parameters.LOCAL_K.default: got the string 'eight', expected one of 1, 2, "
     "4, 8, 16"},
    {"DefaultZeroWithoutMin", R"(rows: {doc: "B*T positions"})", "rows: {default: 0}",
     "kernel.yaml:5:19: problem.rows.default: got 0, expected at least 1; give `min` if less makes "
     "sense"},
    {"MinAboveMax", "min: 32, max: 1024", "min: 2048, max: 1024",
     "kernel.yaml:19:51: parameters.THREADS.min: got 2048, expected at most `max`, which is 1024"},
    {"LimitOfText", "default: row, values", "min: 1, default: row, values",
     "kernel.yaml:21:11: parameters.ORDER.min: got a limit for text, expected one for a number; "
     "remove it"},
    {"ValuesTwice", "values: [1, 2, 4, 8, 16]", "values: [1, 2, 4, 8, 0x8]",
     "kernel.yaml:20:46: parameters.LOCAL_K.values[4]: got 8 twice; list each value once"},
    {"ValuesMixed", "values: [1, 2, 4, 8, 16]", "values: [1, 2, 4, 8, many]",
     "kernel.yaml:20:46: parameters.LOCAL_K.values[4]: got the string 'many', expected an integer "
     "like the values before it"},
    {"ValuesEmpty", "values: [1, 2, 4, 8, 16]", "values: []",
     "kernel.yaml:20:33: parameters.LOCAL_K.values: got an empty list, expected at least one "
     "value"},
    {"ValuesOutsideTheLimits", "values: [1, 2, 4, 8, 16]", "values: [1, 2, 4, 8, 16], max: 8",
     "kernel.yaml:20:46: parameters.LOCAL_K.values[4]: got 16, expected at most 8"},
    {"Octal", "default: 256, doc", "default: 0256, doc",
     "kernel.yaml:19:22: parameters.THREADS.default: '0256' is ambiguous, it is 174 to readers "
     "that take it as octal; write 256 or 174"},
    {"OctalInYaml12", "default: 256, doc", "default: 0o400, doc",
     "kernel.yaml:19:22: parameters.THREADS.default: '0o400' is octal, which is not supported; "
     "write 256"},
    {"LeadingZero", "default: 256, doc", "default: 089, doc",
     "kernel.yaml:19:22: parameters.THREADS.default: '089' has a leading zero; write 89"},
    {"Underscore", "max: 1024}", "max: 1_024}",
     "kernel.yaml:19:65: parameters.THREADS.max: '1_024' is neither a number nor a name; quote it "
     "if it is text"},
    {"TooLargeAnInteger", "max: 1024}", "max: 99999999999999999999}",
     "kernel.yaml:19:65: parameters.THREADS.max: '99999999999999999999' does not fit a 64-bit "
     "integer"},
    {"TooLargeAReal", "max: 1024}", "max: 1e999}",
     "kernel.yaml:19:65: parameters.THREADS.max: '1e999' does not fit a 64-bit real"},
    {"NotFinite", "max: 1024}", "max: .inf}",
     "kernel.yaml:19:65: parameters.THREADS.max: '.inf' is not finite, expected a finite number"},
    {"AmbiguousWord", "default: row, values: [row, column]", "default: on, values: [on, off]",
     "kernel.yaml:21:20: parameters.ORDER.default: 'on' is ambiguous, expected true or false; "
     "quote it if it is text"},
    {"UnknownConvention", "flops_convention: causal", "flops_convention: casual",
     "kernel.yaml:40:87: work.flops_convention: unknown convention 'casual'; did you mean "
     "'causal'?"},
    {"UnknownArithmetic", "arithmetic: fma_f32", "arithmetic: fma_fp32",
     "kernel.yaml:40:128: work.arithmetic: unknown arithmetic 'fma_fp32'; did you mean 'fma_f32'?"},
    {"UnknownArithmeticWithNothingNear", "arithmetic: fma_f32", "arithmetic: abacus",
     "kernel.yaml:40:128: work.arithmetic: unknown arithmetic 'abacus'; known: fma_f64, fma_f32, "
     "fma_f16, tensor_f16, tensor_bf16, tensor_tf32, tensor_e4m3, tensor_i8, mma_f16, mma_bf16, "
     "mma_tf32, mma_e4m3, ..."},
    {"AMemoryCeilingIsNoArithmetic", "arithmetic: fma_f32", "arithmetic: copy",
     "kernel.yaml:40:128: work.arithmetic: unknown arithmetic 'copy'; known: fma_f64, fma_f32, "
     "fma_f16, tensor_f16, tensor_bf16, tensor_tf32, tensor_e4m3, tensor_i8, mma_f16, mma_bf16, "
     "mma_tf32, mma_e4m3, ..."},
    {"WrittenNamesAParameter", "written: \"rows*K*8\"", "written: \"rows*THREADS\"",
     "kernel.yaml:40:110: 'THREADS' is a parameter, expected problem sizes only; what is computed "
     "must not depend on the configuration"},
    {"UnknownBaseline", "baseline: block_row", "baseline: blockrow",
     "kernel.yaml:44:11: baseline: unknown variant 'blockrow'; did you mean 'block_row'?"},
    {"BaselineIsAList", "baseline: block_row", "baseline: [block_row]",
     "kernel.yaml:44:11: baseline: got a list, expected text"},
    {"CaseSizeUnknown", "{rows: 3, V: 1000, K: 10}", "{row: 3, V: 1000, K: 10}",
     "kernel.yaml:43:33: unknown problem size 'row' of kernel 'softmax_topk'; did you mean "
     "'rows'?"},
    {"CaseSizeMissing", "{rows: 3, V: 1000, K: 10}", "{rows: 3, K: 10}",
     "kernel.yaml:43:27: the problem does not give 'V' (vocabulary size); add `V: ...`"},
    {"CaseSizeTooLarge", "{rows: 3, V: 1000, K: 10}", "{rows: 3, V: 1000, K: 300}",
     "kernel.yaml:43:49: problem size 'K': got 300, expected at most 256"},
    {"CaseSizeText", "{rows: 3, V: 1000, K: 10}", "{rows: three, V: 1000, K: 10}",
     "kernel.yaml:43:34: problem size 'rows': got the string 'three', expected an integer"},
    {"CaseFillOfAnOutput", "fill: {logits:", "fill: {probs:",
     "kernel.yaml:43:61: cases[0].fill.probs: unknown input 'probs'; known: logits, state"},
    {"CaseTwice", "cases:\n",
     "cases:\n"
     "  - {name: ties, problem: {rows: 3, V: 10, K: 1}}\n",
     "kernel.yaml:44:5: cases[1]: case 'ties' is listed twice; rename one"},
    {"ConstraintThatIsANumber", "- THREADS % 32 == 0", "- THREADS % 32",
     "kernel.yaml:23:5: the constraint 'THREADS % 32' is not a condition; compare it with "
     "something, as in `THREADS % 32 != 0`"},
    {"ConstraintThatIsAName", "- THREADS % 32 == 0", "- THREADS",
     "kernel.yaml:23:5: the constraint 'THREADS' is not a condition; compare it with something, as "
     "in `THREADS != 0`"},
    {"ConstraintThatChoosesNumbers", "- THREADS % 32 == 0", "- \"K > 10 ? THREADS : 1\"",
     "kernel.yaml:23:6: the constraint 'K > 10 ? THREADS : 1' is not a condition; compare it with "
     "something, as in `(K > 10 ? THREADS : 1) != 0`"},
    {"SourceElsewhere", "source: block_row.cu", "source: ../../x.cu",
     "kernel.yaml:28:13: variants.block_row.source: '../../x.cu' lies outside of the folder of "
     "kernels, where sources are stored from; copy it into the kernel's folder"},
    {"SourceBesideTheKernelsFolder", "source: block_row.cu", "source: ../x.cu",
     "kernel.yaml:28:13: variants.block_row.source: '../x.cu' lies outside of the kernel's folder; "
     "copy it there, or give --trust-includes"},
    {"ConstraintWithoutExpr", R"({expr: "THREADS <= device.max_threads", because)", "{because",
     R"(kernel.yaml:24:5: missing key 'expr' in constraints[1]; add `expr: "THREADS % 32 == 0"`)"},
};

INSTANTIATE_TEST_SUITE_P(Edits, KernelContractErrors, testing::ValuesIn(kKernelContractErrors),
                         case_name<BadEdit>);

}  // namespace
}  // namespace warpwright
