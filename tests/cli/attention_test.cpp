// Tests attention through the built program, on the emulator: the named versions of its sweep are
// correct and free of hazards, and typical mistakes of such kernels are detected when they are made
// on purpose.
#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/files.h"
#include "support/program.h"
#include "support/thorough.h"

namespace warpwright::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

// Entries of this cache are identified by their content, so tests share it.
const std::vector<std::string> kEnvironment = {
    "WARPWRIGHT_CACHE=" + (fs::path(WARPWRIGHT_BINARY_DIR) / "test_cache").string()};

// Validation runs every case under the checkers, so a finding would be the status `hazard`.
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

TEST(Attention, ManyConfigurationsOfTheFreeSpacePassAllCases) {
  const int configurations = is_thorough() ? 100 : 16;
  expect_all_ok("attention_full.yaml", configurations,
                {"--budget", std::to_string(configurations), "--seed", "7"});
}

// A copy of the kernel, into which a test introduces a mistake.
class AttentionDefect : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::copy(fs::path(WARPWRIGHT_SOURCE_DIR) / "kernels/attention_prefill", kernel_);
  }
  // The old text must occur exactly once; otherwise the mistake would not be the intended one.
  void replace(const char* file, const std::string& from, const std::string& to) const {
    std::string text = read_file(kernel_ / file);
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << file << " has no '" << from << "'";
    ASSERT_EQ(text.find(from, at + 1), std::string::npos) << file << " has '" << from << "' twice";
    write_text(kernel_ / file, text.replace(at, from.size(), to));
  }
  ProgramResult vet() {
    // Runs V0 with more tiles of keys than stages.
    return run_program({"vet",    kernel_.string(),   "--variant",   "tma",
                        "--case", "causal",           "--set",       "TILE_Q=32",
                        "--set",  "TILE_KV=64",       "--set",       "STAGES=2",
                        "--set",  "PRODUCER_WARPS=4", "--set",       "CONSUMER_WARPS=8",
                        "--set",  "SCORES=shared",    "--schedules", "2",
                        "--quiet"},
                       kEnvironment);
  }
  TemporaryFolder folder_;
  const fs::path kernel_ = folder_.path() / "attention_prefill";
};

TEST_F(AttentionDefect, NoneIsFoundWhereNoneIs) {
  const ProgramResult result = vet();
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("nothing found in 1 case of 1 configuration"));
}

TEST_F(AttentionDefect, SyncthreadsOfConsumersIsADeadlock) {
  // Consumers wait at a barrier that producers never reach.
  replace("shared_scores.cuh", "named_barrier_sync<32 * kConsumerWarps>(1);", "__syncthreads();");
  const ProgramResult result = vet();
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_THAT(result.out, HasSubstr("fault: deadlock"));
  EXPECT_THAT(result.out, HasSubstr("warps 4,5,6,7,8,9,10,11 waits at barrier 0 "));
  EXPECT_THAT(result.out, HasSubstr("where 256 of 384 threads have arrived"));
}

TEST_F(AttentionDefect, UnionOfScoresAndProbabilitiesIsARace) {
  // Probabilities are stored over scores whose rows other warps have not read yet.
  replace("shared_scores.cuh", "return shared.workspace.probabilities[row];",
          "return reinterpret_cast<Element*>(shared.workspace.scores[0]) +\n"
          "           row * (kTileKeys + shared.workspace.kPadding);");
  const ProgramResult result = vet();
  EXPECT_EQ(result.exit_code, 1) << result.err;
  // Scores are read and probabilities stored. The first conflicts are between lanes of one warp,
  // which shuffles do not order.
  EXPECT_THAT(result.out, HasSubstr("hazard: shared race: store of 8 bytes"));
  EXPECT_THAT(result.out, HasSubstr(" | const float4 read = *reinterpret_cast<const float4*>("));
  EXPECT_THAT(result.out, HasSubstr(" | *reinterpret_cast<uint2*>(probability_row(row)"));
}

TEST_F(AttentionDefect, ConsumersNumberedWithProducersLeaveTilesOut) {
  // Consumer numbers include the producers in front, so the first tiles have no consumer. Warps
  // that the rounds do not count on must then be stopped one by one, or they would work outside of
  // the tile.
  replace("role_warps.cuh", "const int consumer = warp - Config::kProducerWarps;",
          "const int consumer = warp;");
  replace("shared_scores.cuh", "const bool full = (round + 1) * kConsumerWarps <= jobs;",
          "const bool full = false;");
  const ProgramResult result = vet();
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_THAT(result.out, HasSubstr("hazard: uninitialised shared memory: load of 16 bytes"));
  EXPECT_THAT(result.out, HasSubstr("wrong result: output 'out' was never written"));
  EXPECT_THAT(result.out, Not(HasSubstr("shared race")));
}

}  // namespace
}  // namespace warpwright::testing
