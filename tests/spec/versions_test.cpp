// Tests named versions: the presets of a contract, and how --version and --set select and change
// them. The fixture has the variants block_row (THREADS, LOCAL_K) and warp_row (THREADS, ORDER).
#include "spec/versions.h"

#include <gmock/gmock.h>

#include "spec/spec_fixture.h"

namespace warpwright {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Names = std::vector<std::string>;
using VersionValues = std::map<std::string, Value>;

// The section lies before the last key, with a comment of its own and one of the next key.
constexpr std::string_view kPresets = R"(presets:
  # indented comments belong to the section

  V0: {LOCAL_K: 4}
  V1: {THREADS: 512, LOCAL_K: 4}
  V2: {LOCAL_K: 16}
  W0: {ORDER: column}
  narrow: {variant: warp_row, THREADS: 64}
)";
constexpr std::string_view kLastKey = "baseline: block_row\n";

std::string with_presets(std::string_view presets) {
  return edited_kernel(kLastKey, std::string(presets) + std::string(kLastKey));
}
KernelSpec kernel_of(const std::string& text) {
  return parse_kernel(text, kernel_folder() / "kernel.yaml");
}
KernelSpec versioned_kernel() { return kernel_of(with_presets(kPresets)); }

SweepSpec versioned_sweep(const std::string& rest) {
  return parse_sweep("kernel: softmax_topk\nproblems: [{rows: 1, V: 10, K: 1}]\n" + rest,
                     "sweep.yaml", OtherVersions::kKeep);
}

std::map<std::string, Value> values_of(const SweepSpec& sweep, const std::string& version) {
  const KernelSpec kernel = versioned_kernel();
  return find_version(sweep, &kernel, version)->values;
}

TEST(ContractPresets, AreCompletedByTheirVariantAndItsDefaults) {
  const KernelSpec kernel = versioned_kernel();
  ASSERT_EQ(kernel.presets.size(), 5U);
  EXPECT_EQ(kernel.presets[0].name, "V0");
  EXPECT_EQ(kernel.presets[0].values,
            (VersionValues{{"variant", "block_row"}, {"THREADS", 256}, {"LOCAL_K", 4}}));
  EXPECT_EQ(kernel.presets[4].values,
            (VersionValues{{"variant", "warp_row"}, {"THREADS", 64}, {"ORDER", "row"}}));
}

// Keys of stored trials must not change when a version gets a name.
TEST(ContractPresets, AreNoPartOfTheTextThatIdentifiesTrials) {
  const std::string without = read_file(kernel_folder() / "kernel.yaml");
  EXPECT_EQ(text_without_presets(fixture_kernel(), without), without);
  for (const std::string comment : {"", "# of the next key\n"}) {
    const std::string plain = replaced(without, kLastKey, comment + std::string(kLastKey));
    const std::string named =
        replaced(without, kLastKey, std::string(kPresets) + comment + std::string(kLastKey));
    EXPECT_EQ(text_without_presets(kernel_of(named), named), plain);
  }
  const std::string last = without + std::string(kPresets);
  EXPECT_EQ(text_without_presets(kernel_of(last), last), without);
}

class ContractPresetErrors : public testing::TestWithParam<BadText> {};

TEST_P(ContractPresetErrors, SayPlaceCauseAndFix) {
  const std::string text = with_presets("presets:\n  V0: " + std::string(GetParam().text) + "\n");
  EXPECT_EQ(kernel_message(text), GetParam().message);
}

const BadText kContractPresetErrors[] = {
    {"Empty", "{}", "kernel.yaml:45:7: presets.V0: got an empty map, expected at least one value"},
    {"UnknownParameter", "{THREDS: 32}",
     "kernel.yaml:45:16: unknown parameter 'THREDS' of kernel 'softmax_topk'; did you mean "
     "'THREADS'?"},
    {"ValueAboveMax", "{THREADS: 2048, LOCAL_K: 1}",
     "kernel.yaml:45:17: parameter 'THREADS': got 2048, expected at most 1024"},
    {"UnknownVariant", "{variant: warp_raw, THREADS: 64}",
     "kernel.yaml:45:17: unknown variant 'warp_raw' of kernel 'softmax_topk'; did you mean "
     "'warp_row'?"},
    {"SeveralVariants", "{THREADS: 64}",
     "kernel.yaml:45:3: preset 'V0': several variants (block_row, warp_row) have all of its "
     "parameters; add `variant: block_row` to it"},
    {"NoVariant", "{LOCAL_K: 8, ORDER: row}",
     "kernel.yaml:45:3: preset 'V0': no variant (block_row, warp_row) has all of its parameters; "
     "split it"},
    {"ParameterOfAnotherVariant", "{variant: warp_row, LOCAL_K: 8}",
     "kernel.yaml:45:36: preset 'V0': variant 'warp_row' has no parameter 'LOCAL_K'; known: "
     "THREADS, ORDER"},
};

INSTANTIATE_TEST_SUITE_P(Presets, ContractPresetErrors, testing::ValuesIn(kContractPresetErrors),
                         case_name<BadText>);

TEST(ExpandVersions, ReadsNumbersRangesAndNames) {
  const auto names = [](const char* word) { return expand_versions(word, nullptr).names; };
  EXPECT_THAT(names("4"), ElementsAre("V4"));
  EXPECT_THAT(names("P2C14"), ElementsAre("P2C14"));
  EXPECT_THAT(names("0..2"), ElementsAre("V0", "V1", "V2"));
  EXPECT_THAT(names("H1..H2"), ElementsAre("H1", "H2"));
  EXPECT_THAT(names("V1..2"), ElementsAre("V1", "V2"));
  EXPECT_EQ(expand_versions("V0..H2", nullptr).fault,
            "got 'V0..H2', expected a range such as 0..4");
  EXPECT_EQ(expand_versions("0..1000", nullptr).fault,
            "got 0..1000, expected at most 1000 versions");
}

TEST(KnownVersions, OfASweepReplaceAndExtendThoseOfTheContract) {
  const SweepSpec sweep = versioned_sweep("presets: {V1: {LOCAL_K: 1}, mine: {LOCAL_K: 2}}\n");
  Names names;
  for (const Preset& preset : known_versions(versioned_kernel(), sweep))
    names.push_back(preset.name);
  EXPECT_THAT(names, ElementsAre("V0", "V1", "V2", "W0", "narrow", "mine"));
  EXPECT_EQ(values_of(sweep, "V1"), (VersionValues{{"LOCAL_K", 1}}));
}

TEST(CheckVersions, OfASweepMayBeTheContractsOwn) {
  const SweepSpec sweep = versioned_sweep("version: [0..1, W0]\n");
  check_sweep(sweep, versioned_kernel());
  EXPECT_THAT(sweep.versions, ElementsAre("V0", "V1", "W0"));
  EXPECT_EQ(
      message_of([&] { check_sweep(versioned_sweep("version: [V9]\n"), versioned_kernel()); }),
      "sweep.yaml:3:11: version[0]: unknown preset 'V9'; known: V0, V1, V2, W0, narrow");
  EXPECT_EQ(
      message_of([&] { check_sweep(sweep, fixture_kernel()); }),
      "sweep.yaml:3:11: version[0]: unknown preset 'V0', neither the sweep nor the contract of "
      "kernel 'softmax_topk' has any; add `presets`");
}

TEST(CheckVersions, APresetOfASweepMayNameItsVariant) {
  check_sweep(versioned_sweep("presets: {X: {variant: warp_row, THREADS: 64}}\n"),
              versioned_kernel());
  EXPECT_EQ(message_of([&] {
              check_sweep(versioned_sweep("presets: {X: {variant: warp, THREADS: 64}}\n"),
                          versioned_kernel());
            }),
            "sweep.yaml:3:24: unknown variant 'warp' of kernel 'softmax_topk'; known: block_row, "
            "warp_row");
}

class ApplyOverrides : public ::testing::Test {
 protected:
  Names apply(const Names& assignments) {
    return apply_overrides(sweep_, versioned_kernel(), assignments);
  }
  SweepSpec sweep_ =
      versioned_sweep("space: {variant: block_row, THREADS: [64, 128]}\nversion: 0\n");
};

TEST_F(ApplyOverrides, VersionsReplaceThoseOfTheFileAndBringTheirVariants) {
  EXPECT_THAT(apply({"version=V1,W0,narrow"}), IsEmpty());
  EXPECT_THAT(sweep_.versions, ElementsAre("V1", "W0", "narrow"));
  EXPECT_EQ(sweep_.variants, (Names{"block_row", "warp_row"}));
}

TEST_F(ApplyOverrides, AChangedVersionGivesALine) {
  EXPECT_THAT(apply({"THREADS=64", "version=V0", "version=V1", "LOCAL_K=4"}),
              ElementsAre("V0 with THREADS=64 (V0 has 256)", "V1 with THREADS=64 (V1 has 512)"));
  EXPECT_EQ(values_of(sweep_, "V1"),
            (VersionValues{{"variant", "block_row"}, {"THREADS", 64}, {"LOCAL_K", 4}}));
}

TEST_F(ApplyOverrides, APresetOfTheSweepKeepsWhatTheSpacePins) {
  sweep_ =
      versioned_sweep("space: {variant: block_row, THREADS: 128}\npresets: {mine: {LOCAL_K: 2}}\n");
  EXPECT_THAT(apply({"version=mine", "THREADS=64"}),
              ElementsAre("mine with THREADS=64 (mine has 128)"));
}

TEST_F(ApplyOverrides, SizesAreNotPartsOfAVersion) {
  EXPECT_THAT(apply({"version=V0", "rows=64"}), IsEmpty());
  EXPECT_EQ(sweep_.problems[0].sizes.at("rows"), Value(64));
}

struct BadAssignments {
  const char* name;
  Names assignments;
  std::string_view message;
};

class BadVersionOverrides : public testing::TestWithParam<BadAssignments> {};

TEST_P(BadVersionOverrides, SayCauseAndFix) {
  SweepSpec sweep = versioned_sweep("");
  EXPECT_EQ(message_of([&] { apply_overrides(sweep, versioned_kernel(), GetParam().assignments); }),
            GetParam().message);
}

const BadAssignments kBadVersionOverrides[] = {
    {"Unknown",
     {"version=V9"},
     "--version V9: unknown version 'V9' of kernel 'softmax_topk'; it has V0, V1, V2, W0, narrow"},
    {"UnknownWithOneNear",
     {"version=narow"},
     "--version narow: unknown version 'narow' of kernel 'softmax_topk'; did you mean 'narrow'? It "
     "has V0, V1, V2, W0, narrow"},
    {"PastTheEndOfARange",
     {"version=V1..V2000000000"},
     "--version V1..V2000000000: unknown version 'V3' of kernel 'softmax_topk'; it has V0, V1, V2, "
     "W0, narrow"},
    {"Reversed",
     {"version=V2..V0"},
     "--version V2..V0: got V2..V0, expected the smaller number first"},
    {"Twice", {"version=0..1,V1"}, "--version 0..1,V1: version 'V1' is selected twice; remove one"},
    {"Nothing", {"version="}, "--version : expected versions, as in V4, V0,V4 or V0..V4"},
    {"NothingAfterAComma",
     {"version=V0,"},
     "--version V0,: expected versions, as in V4, V0,V4 or V0..V4"},
    {"OfAnotherVariant",
     {"version=W0", "variant=block_row"},
     "--version W0: 'W0' is a version of variant 'warp_row', got variant 'block_row'; leave one of "
     "the two out"},
    {"NoSuchParameter",
     {"version=V0", "NOSUCH=1"},
     "--set NOSUCH=1: unknown problem size or parameter 'NOSUCH' of kernel 'softmax_topk'; known: "
     "variant, version, rows, V, K, dtype, scale, THREADS, LOCAL_K, ORDER"},
    {"ValueOutside",
     {"version=V0", "THREADS=2048"},
     "--set THREADS=2048: parameter 'THREADS': got 2048, expected at most 1024"},
    {"ParameterOfAnotherVariant",
     {"version=V0", "ORDER=row"},
     "--set ORDER=row: parameter 'ORDER' is of variant warp_row, and version 'V0' is of another"},
    {"ParameterOfNoneOfTheVersions",
     {"version=V0,V1", "ORDER=row"},
     "--set ORDER=row: parameter 'ORDER' is of variant warp_row, and the versions are of another"},
};

INSTANTIATE_TEST_SUITE_P(Assignments, BadVersionOverrides, testing::ValuesIn(kBadVersionOverrides),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(ChooseVersions, GivesWholeConfigurations) {
  const std::vector<ChosenVersion> chosen =
      choose_versions(versioned_kernel(), "V0,W0", {"THREADS=64", "rows=3"});
  ASSERT_EQ(chosen.size(), 2U);
  EXPECT_EQ(chosen[0].title, "V0 with THREADS=64");
  EXPECT_EQ(chosen[0].variant, "block_row");
  EXPECT_EQ(chosen[0].values, (VersionValues{{"THREADS", 64}, {"LOCAL_K", 4}}));
  EXPECT_EQ(chosen[1].change, "W0 with THREADS=64 (W0 has 256)");
  EXPECT_EQ(chosen[1].values, (VersionValues{{"THREADS", 64}, {"ORDER", "column"}}));
  EXPECT_EQ(choose_versions(versioned_kernel(), "V0", {})[0].title, "V0");
}

TEST(ChooseVersions, OfAContractWithoutAnySaysWhereTheyWouldBe) {
  EXPECT_EQ(
      message_of([] { (void)choose_versions(fixture_kernel(), "V0", {}); }),
      "--version V0: kernel 'softmax_topk' has no versions; add `presets` to DIR/kernel.yaml");
}

}  // namespace
}  // namespace warpwright
