// Tests which stored configurations are shown as named versions.
#include "analysis/board/version_names.h"

#include <gmock/gmock.h>

#include "analysis/sample_rows.h"
#include "core/files.h"
#include "store/sample_records.h"

namespace warpwright::testing {
namespace {

using ::testing::ElementsAre;

// A contract that can be stored: tiles of a variant, and one named version.
constexpr const char* kTiledContract = R"(kernel: tiled
problem: {n: {doc: elements}}
arguments:
  - {name: y, out: f32, shape: [n], tolerance: {abs: 0, rel: 0}}
parameters:
  TILE: {default: 32}
  DEPTH: {default: 2}
variants:
  mma:
    source: mma.cu
    launches: [{entry: e, grid: [n], block: [TILE]}]
    parameters: [TILE, DEPTH]
  plain:
    source: plain.cu
    launches: [{entry: e, grid: [n], block: [TILE]}]
    parameters: [TILE]
presets: {V0: {variant: mma, TILE: 32}}
reference: {source: reference.cpp, units: n}
work: {bytes: "4*n", flops: 0}
)";

class VersionNamesTest : public ::testing::Test {
 protected:
  VersionNamesTest() {
    KernelRecord kernel = sample_kernel();
    kernel.name = "tiled";
    kernel.contract_text = kTiledContract;
    kernel.sources.clear();
    database_.put_kernel(kernel);
  }
  RowId run(const std::string& sweep) {
    RunRecord record = sample_run();
    record.config_path = "tiled.yaml";
    record.config_text = "kernel: tiled\nproblems: [{n: 4}]\n" + sweep;
    return database_.start_run(record);
  }
  LeaderboardEntry entry(const std::string& variant, const ParameterValues& values, RowId run = 0) {
    LeaderboardEntry made;
    made.row = make_.ok(variant, "", 1);
    made.row.trial.parameters = values;
    made.row.trial.run = run;
    return made;
  }
  // The names of the entries' versions, in order.
  std::vector<std::string> names(const std::vector<LeaderboardEntry>& entries) {
    Leaderboard board;
    board.kernel = "tiled";
    board.entries = entries;
    VersionNames(database_).add_to(board);
    std::vector<std::string> found;
    for (const LeaderboardEntry& one : board.entries) found.push_back(one.version);
    return found;
  }

  RowMaker make_;
  TemporaryFolder folder_;
  Database database_{folder_.path() / "x.db"};
};

TEST_F(VersionNamesTest, AContractsVersionIsOneConfiguration) {
  EXPECT_THAT(names({entry("mma", {{"TILE", 32}, {"DEPTH", 2}}),
                     entry("mma", {{"TILE", 32}, {"DEPTH", 3}}), entry("plain", {{"TILE", 32}})}),
              ElementsAre("V0", "", ""));
}

TEST_F(VersionNamesTest, ATrialOfAnOlderContractMayLackAParameter) {
  EXPECT_THAT(names({entry("mma", {{"TILE", 32}})}), ElementsAre("V0"));
}

TEST_F(VersionNamesTest, ASweepsVersionTakesWhatItsSpacePins) {
  run("space: {variant: mma, DEPTH: 4}\npresets: {deep: {TILE: 64}}\n");
  EXPECT_THAT(names({entry("mma", {{"TILE", 64}, {"DEPTH", 4}}),
                     entry("mma", {{"TILE", 64}, {"DEPTH", 2}})}),
              ElementsAre("deep", ""));
}

TEST_F(VersionNamesTest, ATrialIsNamedByItsOwnRun) {
  const RowId first = run("presets: {V0: {variant: mma, TILE: 128}}\n");
  const RowId second = run("presets: {V0: {variant: mma, TILE: 256}}\n");
  const ParameterValues of_first = {{"TILE", 128}, {"DEPTH", 2}};
  const ParameterValues of_second = {{"TILE", 256}, {"DEPTH", 2}};
  EXPECT_THAT(names({entry("mma", of_first, first)}), ElementsAre("V0"));
  EXPECT_THAT(names({entry("mma", of_first), entry("mma", of_second, second)}),
              ElementsAre("", "V0"));
}

TEST_F(VersionNamesTest, ANameBelongsToOneConfigurationOfABoard) {
  const RowId first = run("presets: {V0: {variant: mma, TILE: 128}}\n");
  run("presets: {V0: {variant: mma, TILE: 256}}\n");
  EXPECT_THAT(names({entry("mma", {{"TILE", 256}, {"DEPTH", 2}}),
                     entry("mma", {{"TILE", 128}, {"DEPTH", 2}}, first)}),
              ElementsAre("", "V0"));
}

TEST_F(VersionNamesTest, WhatCanNoLongerBeReadNamesNothing) {
  run("presets: {V1: [broken]}\n");
  run("presets: {V1: {NOSUCH: 1}}\nspace: {variant: gone}\n");
  EXPECT_THAT(names({entry("mma", {{"TILE", 64}, {"DEPTH", 2}})}), ElementsAre(""));
}

TEST(VersionTitle, AChangedVersionIsShownAsItWasAskedFor) {
  const std::vector<NamedVersion> known = {{"V0", {{"TILE", 32}}, {"mma"}, {{"DEPTH", 2}}},
                                           {"V0_b", {{"TILE", 32}}, {"mma"}, {}}};
  const auto title = [&](const std::string& name, const ParameterValues& values) {
    return version_title({name, values, {"mma"}, {}}, known);
  };
  EXPECT_EQ(stored_version_name("V0 with DEPTH=4 TILE=64"), "V0_with_DEPTH_4_TILE_64");
  EXPECT_EQ(title("V0_with_DEPTH_4", {{"TILE", 32}, {"DEPTH", 4}}), "V0 with DEPTH=4");
  EXPECT_EQ(title("V0_with_TILE_64_DEPTH_4", {{"TILE", 64}, {"DEPTH", 4}}),
            "V0 with TILE=64 DEPTH=4");
  EXPECT_EQ(title("V0_with_DEPTH_4_of_mma", {{"TILE", 32}, {"DEPTH", 4}}),
            "V0 with DEPTH=4 of mma");
  EXPECT_EQ(title("V0_of_mma", {{"TILE", 32}, {"DEPTH", 2}}), "V0 of mma");
  EXPECT_EQ(title("V0_b", {{"TILE", 32}}), "V0_b") << "a version of its own";
  EXPECT_EQ(title("V0_with_DEPTH_4", {{"TILE", 32}, {"DEPTH", 5}}), "V0_with_DEPTH_4");
}

TEST_F(VersionNamesTest, TheNewestDefinitionsAreThoseOfTheKernel) {
  run("presets: {A: {variant: mma, TILE: 128}}\n");
  run("presets: {A: {variant: mma, TILE: 256}, B: {variant: mma, TILE: 512}}\n");
  const std::vector<NamedVersion> versions = VersionNames(database_).of_kernel("tiled");
  ASSERT_EQ(versions.size(), 3u);
  EXPECT_EQ(versions[1].name, "A");
  EXPECT_EQ(versions[1].values.at("TILE"), Value(256));
}

}  // namespace
}  // namespace warpwright::testing
