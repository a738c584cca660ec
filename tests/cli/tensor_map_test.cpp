// Tests a kernel with tensor maps through the program: it is swept, run again alone, benchmarked
// and exported.
#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/files.h"
#include "support/program.h"

namespace warpwright::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class TensorMapProgram : public ::testing::Test {
 protected:
  [[nodiscard]] ProgramResult run(std::vector<std::string> arguments,
                                  const std::vector<std::string>& more = {}) const {
    arguments.insert(arguments.end(), {"--db", (folder_.path() / "results.db").string()});
    arguments.insert(arguments.end(), more.begin(), more.end());
    // Entries of this cache are identified by their content, so tests share it.
    const fs::path cache = fs::path(WARPWRIGHT_BINARY_DIR) / "test_cache";
    return run_program(arguments, {"WARPWRIGHT_CACHE=" + cache.string()});
  }
  [[nodiscard]] nlohmann::json sweep(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> all = {"--kernels",  fixtures_.string(), "--device",
                                    "emu:sm_90a", "--quiet",          "--json"};
    all.insert(all.end(), more.begin(), more.end());
    const ProgramResult result = run({"sweep", (fixtures_ / "tile_scale.yaml").string()}, all);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return nlohmann::json::parse(result.out);
  }

  const fs::path fixtures_ = fs::path(WARPWRIGHT_SOURCE_DIR) / "tests/fixtures/tensor_maps";
  TemporaryFolder folder_{"warpwright-tensor-map"};
};

TEST_F(TensorMapProgram, EveryConfigurationIsRight) {
  const nlohmann::json json = sweep();
  ASSERT_EQ(json["leaderboards"].size(), 1u);
  // Two variants with two heights: four widths without a swizzle, and one for each of three
  // swizzles.
  EXPECT_EQ(json["leaderboards"][0]["entries"].size(), 28u);
}

TEST_F(TensorMapProgram, IsProfiled) {
  const ProgramResult result = run_program({"profile", "tile_scale", "--problem", "rows=50 cols=68",
                                            "--kernels", fixtures_.string(), "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err << result.out;
  const nlohmann::json profile = nlohmann::json::parse(result.out).at("profiles").at(0);
  ASSERT_EQ(profile.at("status"), "ok") << result.out;
  EXPECT_GT(profile["launches"][0]["counters"]["async_load_bytes"].get<std::uint64_t>(), 0u);
}

TEST_F(TensorMapProgram, IsRunAgainBenchmarkedAndExported) {
  (void)sweep({"--budget", "1"});
  const ProgramResult repro =
      run({"repro", "1", "-o", (folder_.path() / "repro").string()}, {"--run", "--json"});
  ASSERT_EQ(repro.exit_code, 0) << repro.err << repro.out;
  EXPECT_EQ(nlohmann::json::parse(repro.out).at("run").at("status"), "ok") << repro.out;

  const ProgramResult bench =
      run({"bench", "tile_scale"}, {"--kernels", fixtures_.string(), "--device", "emu:sm_90a"});
  EXPECT_EQ(bench.exit_code, 0) << bench.err;

  const fs::path header = folder_.path() / "tile_scale.h";
  const ProgramResult exported =
      run({"export", "tile_scale"}, {"--format", "header", "-o", header.string()});
  ASSERT_EQ(exported.exit_code, 0) << exported.err;
  EXPECT_THAT(read_file(header), HasSubstr("out.argument = \"x_map\";"));
}

}  // namespace
}  // namespace warpwright::testing
