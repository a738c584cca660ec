// Tests `let` in contracts: a contract with lets equals the one with the lets expanded.
#include <gtest/gtest.h>

#include "spec/spec_fixture.h"

namespace warpwright {
namespace {

// Prints every expression of a contract, with its location.
std::vector<std::string> printed_expressions(const KernelSpec& kernel) {
  std::vector<std::string> all;
  const auto add = [&](const std::string& what, const Expr& expr) {
    all.push_back(what + ": " + expr.to_string());
  };
  const auto add_list = [&](const std::string& what, const std::vector<Expr>& list) {
    for (const Expr& expr : list) add(what, expr);
  };
  for (const ArgumentSpec& argument : kernel.arguments) {
    add_list(argument.name + " shape", argument.shape);
    add(argument.name + " value", argument.value);
    add(argument.name + " abs", argument.tolerance_abs);
    add(argument.name + " rel", argument.tolerance_rel);
    add(argument.name + " rms", argument.tolerance_rms);
    all.push_back(argument.name + " fill: " + argument.fill);
    if (!argument.map) continue;
    add_list(argument.name + " strides", argument.map->strides);
    add(argument.name + " offset", argument.map->offset);
    add_list(argument.name + " box", argument.map->box);
    add_list(argument.name + " element strides", argument.map->element_strides);
    add(argument.name + " swizzle", argument.map->swizzle);
    add(argument.name + " promotion", argument.map->l2_promotion);
  }
  for (const ConstraintSpec& constraint : kernel.constraints) add("constraint", constraint.expr);
  for (const VariantSpec& variant : kernel.variants) {
    for (const ConstraintSpec& constraint : variant.constraints)
      add(variant.name + " constraint", constraint.expr);
    for (const LaunchSpec& launch : variant.launches) {
      add_list(launch.entry.text() + " grid", launch.grid);
      add_list(launch.entry.text() + " block", launch.block);
      add_list(launch.entry.text() + " cluster", launch.cluster);
      add(launch.entry.text() + " shared", launch.shared_bytes);
    }
  }
  add("units", kernel.reference.units);
  add("bytes", kernel.work.bytes);
  add("flops", kernel.work.flops);
  if (kernel.work.written) add("written", *kernel.work.written);
  for (const CaseSpec& test : kernel.cases) {
    for (const auto& [argument, fill] : test.fills) all.push_back(test.name + " fill: " + fill);
  }
  return all;
}

// A contract with @NAME@ in every place that takes an expression; @NAME@ is a let or its expansion.
constexpr std::string_view kEverywhere = R"yaml(kernel: softmax_topk
problem: {rows: {doc: rows}, V: {doc: columns}, K: {max: 256, macro: TOP_K}, scale: {default: 1.0, min: 0}}
@contract@arguments:
  - {name: x, in: f32, shape: [rows, "@row@"], fill: "normal(0, @spread@)"}
  - {name: y, out: f32, shape: [rows, "@half@"], tolerance: {abs: "@limit@", rms: "2*@limit@"}}
  - {name: part, scratch: f32, shape: ["@lanes@"]}
  - {name: n, value: "@half@ - 1"}
  - name: x_map
    tensor_map: x
    shape: [rows, "@half@"]
    strides: ["@row@", 1]
    offset: "4*@row@"
    box: ["@lanes@", 8]
    element_strides: ["@lanes@", 1]
    swizzle: "32*@lanes@"
    l2_promotion: "64*@lanes@"
parameters: {THREADS: {default: 256}}
constraints: ["@lanes@ <= 32"]
variants:
  block_row:
    source: block_row.cu
    parameters: [THREADS]
@own@    constraints: [{expr: "@bytes@ <= @most@"}]
    launches:
      - {entry: softmax_topk, grid: ["@row@"], block: ["32*@lanes@"], shared: "@bytes@", cluster: ["@lanes@"]}
reference: {source: reference.cpp, units: "rows + 0*@half@"}
work: {bytes: "4*@row@", flops: "@half@", written: "8*@half@"}
cases: [{name: wide, problem: {rows: 3, V: 10, K: 1}, fill: {x: "uniform(-@spread@, @spread@) with at(1, nan)"}}]
)yaml";

struct LetText {
  std::string_view name;
  std::string_view text;
  std::string_view written_out;
};
constexpr LetText kLetTexts[] = {
    {"half", "half", "(V / 2)"},
    {"row", "row", "(V / 2 + V % 2)"},
    {"lanes", "lanes", "(THREADS / 32)"},
    {"limit", "limit", "(1.0e-6 * K)"},
    {"spread", "spread", "(2 * scale)"},
    {"bytes", "bytes", "(4 * THREADS + (V / 2 + V % 2))"},
    {"most", "most", "(device.max_shared / 2)"},
    {"contract",
     "let: {half: V / 2, row: half + V % 2, lanes: THREADS / 32, limit: 1.0e-6 * K, spread: 2 * "
     "scale}\n",
     ""},
    {"own", "    let: {bytes: 4 * THREADS + row, most: device.max_shared / 2}\n", ""}};

std::string everywhere(bool lets) {
  std::string text(kEverywhere);
  for (const LetText& let : kLetTexts) {
    const std::string mark = "@" + std::string(let.name) + "@";
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark))
      text.replace(at, mark.size(), lets ? let.text : let.written_out);
  }
  return text;
}

KernelSpec let_kernel(const std::string& text) {
  return parse_kernel(text, kernel_folder() / "kernel.yaml");
}

TEST(Let, HoldsInEveryExpressionOfTheContract) {
  const KernelSpec with = let_kernel(everywhere(true));
  const KernelSpec without = let_kernel(everywhere(false));
  EXPECT_EQ(printed_expressions(with), printed_expressions(without));
}

TEST(Let, ExpressionsKeepTheTextThatWasWritten) {
  const KernelSpec kernel = let_kernel(everywhere(true));
  EXPECT_EQ(kernel.constraints[0].expr.text(), "lanes <= 32");
  EXPECT_EQ(kernel.constraints[0].expr.names(), std::vector<std::string>{"THREADS"});
}

TEST(Let, TheContractHoldsItsLets) {
  const KernelSpec kernel = let_kernel(everywhere(true));
  ASSERT_EQ(kernel.lets.size(), 5U);
  EXPECT_EQ(kernel.lets[1].name, "row");
  EXPECT_EQ(kernel.lets[1].expr.text(), "half + V % 2");
  EXPECT_EQ(kernel.lets[1].expr.to_string(), "V / 2 + V % 2");
  EXPECT_EQ(kernel.lets[1].where.line, 3);
  ASSERT_EQ(kernel.variants[0].lets.size(), 2U);
  EXPECT_EQ(kernel.variants[0].lets[0].name, "bytes");
}

TEST(Let, VariantsMayGiveOneNameToDifferentThings) {
  const std::string text = replaced(edited_kernel(R"(    parameters: [THREADS, LOCAL_K]
)",
                                                  R"(    parameters: [THREADS, LOCAL_K]
    let: {bytes: 4*THREADS*LOCAL_K}
)"),
                                    R"(shared: "4*THREADS")", "shared: bytes");
  const std::string both =
      replaced(replaced(text, "    parameters: [THREADS, ORDER]\n",
                        "    parameters: [THREADS, ORDER]\n"
                        "    let: {bytes: 8*THREADS}\n"),
               "grid: rows, block: 32,", "grid: rows, block: 32, shared: bytes,");
  const KernelSpec kernel = let_kernel(both);
  EXPECT_EQ(kernel.variants[0].launches[0].shared_bytes.to_string(), "4 * THREADS * LOCAL_K");
  EXPECT_EQ(kernel.variants[1].launches[0].shared_bytes.to_string(), "8 * THREADS");
}

TEST(Let, HoldsInALaunchContract) {
  const TemporaryFolder folder;
  publish_file(folder.path() / "copy.cu", "");
  publish_file(folder.path() / "copy.yaml",
               "problem: {n: {default: 1000}}\n"
               "let: {blocks: \"ceil_div(n, 256)\"}\n"
               "arguments: [{name: y, out: f32, shape: [n]}]\n"
               "launches: [{entry: copy, grid: [blocks], block: [256]}]\n");
  EXPECT_EQ(
      read_launch_contract(folder.path() / "copy.yaml").variants[0].launches[0].grid[0].to_string(),
      "ceil_div(n, 256)");
}

TEST(Let, HoldsInAStoredContract) {
  const std::string text = everywhere(true);
  EXPECT_EQ(parse_stored_kernel(text, "softmax_topk/kernel.yaml").constraints[0].expr.to_string(),
            "THREADS / 32 <= 32");
}

TEST(Let, AFaultNamesTheLetAndTheExpressionThatUsesIt) {
  const std::string text = replaced(edited_kernel("constraints:\n  - THREADS % 32 == 0\n",
                                                  "let:\n  lanes: THREADS / (K - 10)\n"
                                                  "constraints:\n  - lanes % 32 == 0\n"),
                                    "doc: vocabulary size", "doc: vocabulary");
  const KernelSpec kernel = let_kernel(text);
  Environment environment;
  environment.set("THREADS", 256);
  environment.set("K", 10);
  EXPECT_EQ(
      message_of([&] { static_cast<void>(kernel.constraints[0].expr.evaluate_bool(environment)); }),
      "DIR/kernel.yaml:23:18: division by zero in \"THREADS / (K - 10)\", the let 'lanes' of "
      "\"lanes % 32 == 0\" on line 25 with THREADS=256 K=10\n  THREADS / (K - 10)\n          ^");
}

}  // namespace
}  // namespace warpwright
