#include <gtest/gtest.h>

#include "space/brute_force.h"
#include "support/error_text.h"

namespace warpwright {
namespace {

using testing::error_text;
using testing::texts_of;

ConstraintSpec constraint(const std::string& text) {
  return {Expr::parse(text, {"c.yaml", 7, 5}), ""};
}

ParameterSpec parameter(const std::string& name, Value value) {
  ParameterSpec spec;
  spec.name = name;
  spec.default_value = std::move(value);
  return spec;
}

VariantSpec variant(const std::string& name, std::vector<std::string> parameters,
                    const std::vector<std::string>& constraints = {}) {
  VariantSpec spec;
  spec.name = name;
  spec.parameters = std::move(parameters);
  for (const std::string& text : constraints) spec.constraints.push_back(constraint(text));
  return spec;
}

KernelSpec two_variants() {
  KernelSpec kernel;
  kernel.name = "softmax_topk";
  kernel.parameters = {parameter("THREADS", 256), parameter("LOCAL_K", 4), parameter("STAGES", 2)};
  kernel.variants = {variant("block_row", {"THREADS", "LOCAL_K"}, {"THREADS % 32 == 0"}),
                     variant("pipelined", {"STAGES", "THREADS"})};
  kernel.constraints = {constraint("THREADS * 4 <= device.max_shared")};
  return kernel;
}

SpaceParameter listed(const std::string& name, std::vector<Value> values) {
  SpaceParameter spec;
  spec.name = name;
  spec.values = std::move(values);
  return spec;
}

Preset preset(const std::string& name, std::map<std::string, Value> values, int line) {
  Preset spec;
  spec.name = name;
  spec.values = std::move(values);
  spec.where = {"c.yaml", line, 3};
  return spec;
}

SweepSpec sweep_of(std::vector<SpaceParameter> space) {
  SweepSpec sweep;
  sweep.space = std::move(space);
  return sweep;
}

const std::map<std::string, Value>& limits() {
  static const std::map<std::string, Value> values = {{"device.max_shared", 2048}};
  return values;
}

std::vector<std::string> solved(const SweepSpec& sweep, const KernelSpec* kernel,
                                const std::map<std::string, Value>& problem = {}) {
  return texts_of(*solve_space(define_space(sweep, kernel, problem, limits())));
}

TEST(DefineSpace, BareSpaceHasTheSweepsParametersAndConstraints) {
  SweepSpec sweep = sweep_of({listed("B", {2, 1}), listed("A", {1, 2})});
  sweep.constraints = {constraint("A < B")};
  EXPECT_EQ(solved(sweep, nullptr), std::vector<std::string>{"A=1 B=2"});
}

TEST(DefineSpace, BareSpaceMayUseTheProblem) {
  SweepSpec sweep = sweep_of({listed("A", {1, 2, 3})});
  sweep.constraints = {constraint("rows % A == 0")};
  EXPECT_EQ(solved(sweep, nullptr, {{"rows", 4}}), (std::vector<std::string>{"A=1", "A=2"}));
}

TEST(DefineSpace, BareConstraintWithAnUnknownNameIsAnError) {
  SweepSpec sweep = sweep_of({listed("THREADS", {1})});
  sweep.constraints = {constraint("THREDS > 0")};
  EXPECT_EQ(error_text([&] { (void)solved(sweep, nullptr); }),
            "c.yaml:7:5: unknown name 'THREDS' in \"THREDS > 0\"; did you mean 'THREADS'?\n  "
            "THREDS > 0\n  ^");
}

TEST(DefineSpace, ParametersNotListedTakeTheirDefault) {
  const KernelSpec kernel = two_variants();
  EXPECT_EQ(solved(sweep_of({listed("THREADS", {128, 512})}), &kernel),
            (std::vector<std::string>{
                "block_row LOCAL_K=4 THREADS=128", "block_row LOCAL_K=4 THREADS=512",
                "pipelined STAGES=2 THREADS=128", "pipelined STAGES=2 THREADS=512"}));
}

TEST(DefineSpace, AParameterOfOneVariantMultipliesNoOther) {
  const KernelSpec kernel = two_variants();
  const SweepSpec sweep = sweep_of({listed("STAGES", {2, 3, 4}), listed("LOCAL_K", {4, 8})});
  const SpaceDefinition definition = define_space(sweep, &kernel, {}, limits());
  const std::unique_ptr<SearchSpace> space = solve_space(definition);
  EXPECT_EQ(space->count(), 2U + 3U);
  EXPECT_EQ(space->axes("pipelined")[0].name, "STAGES");
  EXPECT_EQ(space->axes("pipelined")[1].name, "THREADS");
}

TEST(DefineSpace, VariantsAreTheSelectedOnesInTheirOrder) {
  const KernelSpec kernel = two_variants();
  SweepSpec sweep;
  sweep.variants = {"pipelined", "block_row"};
  EXPECT_EQ(solved(sweep, &kernel), (std::vector<std::string>{"pipelined STAGES=2 THREADS=256",
                                                              "block_row LOCAL_K=4 THREADS=256"}));
  sweep.variants = {"pipeline"};
  EXPECT_EQ(error_text([&] { (void)solved(sweep, &kernel); }),
            "unknown variant 'pipeline' of kernel softmax_topk; did you mean 'pipelined'?");
}

TEST(DefineSpace, ConstraintsOfKernelVariantAndSweepAllApply) {
  const KernelSpec kernel = two_variants();
  SweepSpec sweep = sweep_of({listed("THREADS", {48, 64, 128, 1024})});
  sweep.constraints = {constraint("THREADS != 64")};
  EXPECT_EQ(solved(sweep, &kernel), (std::vector<std::string>{"block_row LOCAL_K=4 THREADS=128",
                                                              "pipelined STAGES=2 THREADS=48",
                                                              "pipelined STAGES=2 THREADS=128"}));
}

TEST(DefineSpace, ASweepConstraintIsSkippedWhereTheVariantLacksAParameter) {
  const KernelSpec kernel = two_variants();
  SweepSpec sweep = sweep_of({listed("STAGES", {2, 3})});
  sweep.constraints = {constraint("STAGES > 2")};
  EXPECT_EQ(solved(sweep, &kernel), (std::vector<std::string>{"block_row LOCAL_K=4 THREADS=256",
                                                              "pipelined STAGES=3 THREADS=256"}));
}

TEST(DefineSpace, ConstraintsMayNameTheVariantAndTheProblem) {
  const KernelSpec kernel = two_variants();
  SweepSpec sweep = sweep_of({listed("THREADS", {128, 256})});
  sweep.constraints = {
      constraint("variant != 'block_row' || dtype == 'bf16' && THREADS == rows / 2")};
  EXPECT_EQ(
      solved(sweep, &kernel, {{"rows", 512}, {"dtype", "bf16"}}),
      (std::vector<std::string>{"block_row LOCAL_K=4 THREADS=256", "pipelined STAGES=2 THREADS=128",
                                "pipelined STAGES=2 THREADS=256"}));
}

TEST(DefineSpace, AConstraintWithANameOfNobodysIsAnError) {
  const KernelSpec kernel = two_variants();
  SweepSpec sweep;
  sweep.constraints = {constraint("device.max_shard > 0")};
  EXPECT_EQ(error_text([&] { (void)solved(sweep, &kernel); }),
            "c.yaml:7:5: unknown name 'device.max_shard' in \"device.max_shard > 0\"; did you mean "
            "'device.max_shared'?\n  device.max_shard > 0\n  ^");
}

SweepSpec with_presets() {
  SweepSpec sweep = sweep_of({listed("THREADS", {128, 512})});
  sweep.presets = {preset("V0", {{"THREADS", 64}}, 20),
                   preset("V1", {{"THREADS", 128}, {"STAGES", 4}}, 21),
                   preset("V2", {{"variant", "block_row"}, {"LOCAL_K", 8}, {"THREADS", 96}}, 22)};
  return sweep;
}

TEST(Presets, ApplyToEachVariantThatHasAllTheirParameters) {
  const KernelSpec kernel = two_variants();
  SweepSpec sweep = with_presets();
  sweep.versions = {"V1", "V0", "V2"};
  EXPECT_EQ(solved(sweep, &kernel),
            (std::vector<std::string>{
                "block_row LOCAL_K=4 THREADS=64", "block_row LOCAL_K=8 THREADS=96",
                "pipelined STAGES=4 THREADS=128", "pipelined STAGES=2 THREADS=64"}));
}

TEST(Presets, AVariantThatNoPresetFitsDropsOut) {
  const KernelSpec kernel = two_variants();
  SweepSpec sweep = with_presets();
  sweep.versions = {"V1"};
  EXPECT_EQ(solved(sweep, &kernel), std::vector<std::string>{"pipelined STAGES=4 THREADS=128"});
}

TEST(Presets, OneThatFitsNoVariantIsAnError) {
  const KernelSpec kernel = two_variants();
  SweepSpec sweep = with_presets();
  sweep.variants = {"block_row"};
  sweep.versions = {"V1"};
  EXPECT_EQ(
      error_text([&] { (void)solved(sweep, &kernel); }),
      "c.yaml:21:3: preset 'V1' fits no selected variant; block_row has no parameter 'STAGES'");
  sweep.variants = {"pipelined"};
  sweep.versions = {"V2"};
  EXPECT_EQ(
      error_text([&] { (void)solved(sweep, &kernel); }),
      "c.yaml:22:3: preset 'V2' fits no selected variant; pipelined has no parameter 'LOCAL_K'");
}

TEST(Presets, UnknownVersionSuggestsTheNearest) {
  SweepSpec sweep = with_presets();
  sweep.versions = {"V7"};
  EXPECT_EQ(error_text([&] { (void)solved(sweep, nullptr); }),
            "unknown preset 'V7'; known: V0, V1, V2");
}

TEST(Presets, InABareSpaceSingleValuesFillTheGaps) {
  SweepSpec sweep = sweep_of({listed("A", {1, 2}), listed("B", {7})});
  sweep.presets = {preset("V0", {{"A", 5}}, 20), preset("V1", {{"A", 6}}, 21)};
  sweep.versions = {"V1", "V0"};
  EXPECT_EQ(solved(sweep, nullptr), (std::vector<std::string>{"A=6 B=7", "A=5 B=7"}));
  sweep.space[1].values = {7, 8};
  EXPECT_EQ(error_text([&] { (void)solved(sweep, nullptr); }),
            "c.yaml:21:3: preset 'V1' gives no value to parameter 'B', which has several; add it");
}

TEST(Presets, ConstraintsApplyToPresetsToo) {
  const KernelSpec kernel = two_variants();
  SweepSpec sweep = with_presets();
  sweep.versions = {"V0", "V1"};
  sweep.constraints = {constraint("THREADS > 64")};
  EXPECT_EQ(solved(sweep, &kernel), std::vector<std::string>{"pipelined STAGES=4 THREADS=128"});
}

}  // namespace
}  // namespace warpwright
