// Attention through the built program, on the emulator: the named versions of its sweep are right
// and free of hazards, and the mistakes that such kernels are known for are noticed when they are
// made on purpose.
#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/files.h"
#include "support/program.h"

namespace warpwright::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

// What is in this cache is known by its content, so tests share it.
const std::vector<std::string> kEnvironment = {
    "WARPWRIGHT_CACHE=" + (fs::path(WARPWRIGHT_BINARY_DIR) / "test_cache").string()};

// Validation runs every case under the checkers: a finding would be the status `hazard`.
void expect_all_ok(const std::string& sweep, int configurations,
                   const std::vector<std::string>& options = {}) {
  TemporaryFolder folder;
  std::vector<std::string> arguments = {
      "sweep",    std::string(WARPWRIGHT_SOURCE_DIR) + "/configs/" + sweep,
      "--db",     (folder.path() / "results.db").string(),
      "--quiet",  "--json",
      "--device", "emu:sm_90a"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  const ProgramResult result = run_program(arguments, kEnvironment);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const nlohmann::json json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["sweep"]["statuses"], nlohmann::json({{"ok", configurations}})) << result.out;
}

TEST(Attention, VersionsOfProducerAndConsumerWarpsPassAllCases) {
  expect_all_ok("attention.yaml", 7);
}

TEST(Attention, VersionsOfWarpgroupsPassAllCases) { expect_all_ok("attention_hopper.yaml", 5); }

TEST(Attention, AHundredConfigurationsOfTheFreeSpacePassAllCases) {
  expect_all_ok("attention_full.yaml", 100, {"--budget", "100", "--seed", "7"});
}

// A copy of the kernel in which tma.cu begins with the choice of a defect.
class AttentionDefect : public ::testing::Test {
 protected:
  ProgramResult vet(const std::string& defect) {
    const fs::path kernel = folder_.path() / "attention_prefill", source = kernel / "tma.cu";
    fs::copy(fs::path(WARPWRIGHT_SOURCE_DIR) / "kernels/attention_prefill", kernel);
    write_text(source, "#define DEFECT " + defect + "\n" + read_file(source));
    // V0, with more tiles of keys than stages.
    return run_program({"vet",    kernel.string(),    "--variant",   "tma",
                        "--case", "causal",           "--set",       "TILE_Q=32",
                        "--set",  "TILE_KV=64",       "--set",       "STAGES=2",
                        "--set",  "PRODUCER_WARPS=4", "--set",       "CONSUMER_WARPS=8",
                        "--set",  "SCORES=shared",    "--schedules", "2",
                        "--quiet"},
                       kEnvironment);
  }
  TemporaryFolder folder_;
};

TEST_F(AttentionDefect, NoneIsFoundWhereNoneIs) {
  const ProgramResult result = vet("none");
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("nothing found in 1 case of 1 configuration"));
}

TEST_F(AttentionDefect, SyncthreadsOfConsumersIsADeadlock) {
  const ProgramResult result = vet("consumer_syncthreads");
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_THAT(result.out, HasSubstr("fault: deadlock"));
  EXPECT_THAT(result.out, HasSubstr("warps 4,5,6,7,8,9,10,11 waits at barrier 0 "));
  EXPECT_THAT(result.out, HasSubstr("where 256 of 384 threads have arrived"));
}

TEST_F(AttentionDefect, UnionOfScoresAndProbabilitiesIsARace) {
  const ProgramResult result = vet("union_race");
  EXPECT_EQ(result.exit_code, 1) << result.err;
  // Scores are read, probabilities stored.
  EXPECT_THAT(result.out, HasSubstr("hazard: shared race: load of 16 bytes"));
  EXPECT_THAT(result.out, HasSubstr(" | const float4 read = *reinterpret_cast<const float4*>("));
  EXPECT_THAT(result.out, HasSubstr(" | *reinterpret_cast<uint2*>(probability_row(row)"));
}

TEST_F(AttentionDefect, ConsumersNumberedWithProducersLeaveTilesOut) {
  const ProgramResult result = vet("global_warp_index");
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_THAT(result.out, HasSubstr("hazard: uninitialised shared memory: load of 16 bytes"));
  EXPECT_THAT(result.out, HasSubstr("wrong result: output 'out' was never written"));
  EXPECT_THAT(result.out, Not(HasSubstr("shared race")));
}

}  // namespace
}  // namespace warpwright::testing
