// Tests a kernel as people write it for CUTLASS: templates over CuTe's layouts and copies, tuned
// unchanged. CUTLASS is not part of this repository: WARPWRIGHT_CUTLASS names the folder that
// contains its cute/ and cutlass/.
#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/files.h"
#include "support/program.h"

namespace warpwright::testing {
namespace {

namespace fs = std::filesystem;

class CutlassKernel : public ::testing::Test {
 protected:
  // Returns the JSON of a verb about the kernel's sweep.
  [[nodiscard]] nlohmann::json run(const std::string& verb,
                                   const std::vector<std::string>& more) const {
    std::vector<std::string> words = {verb, (fixture_ / "cute_gemm.yaml").string(), "--kernels",
                                      (fixture_ / "kernels").string(), "--json"};
    words.insert(words.end(), more.begin(), more.end());
    // Entries of this cache are identified by their content, so tests share it.
    const fs::path cache = fs::path(WARPWRIGHT_BINARY_DIR) / "test_cache";
    const ProgramResult result = run_program(words, {"WARPWRIGHT_CACHE=" + cache.string()});
    EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
    return nlohmann::json::parse(result.out);
  }

  const fs::path fixture_ = fs::path(WARPWRIGHT_SOURCE_DIR) / "tests/fixtures/outside_kernels/cute";
  TemporaryFolder folder_{"warpwright-cutlass"};
};

TEST_F(CutlassKernel, ItsSpaceNeedsNoHeaders) {
  const nlohmann::json json = run("space", {"--count", "--device", "emu:sm_90a"});
  EXPECT_EQ(json["spaces"][0]["count"], 63) << json;
}

// One configuration of each of two variants, with results of either type. These four instances of
// CuTe's templates take a minute or more on one core.
TEST_F(CutlassKernel, IsTunedAsItStands) {
  const char* cutlass = std::getenv("WARPWRIGHT_CUTLASS");
  if (cutlass == nullptr) {
    GTEST_SKIP() << "set WARPWRIGHT_CUTLASS to the folder that holds CUTLASS' cute/ and cutlass/";
  }
  std::vector<std::string> words = {"--include",  cutlass,     "--device",
                                    "emu:sm_90a", "--hazards", "reject",
                                    "--quiet",    "--db",      (folder_.path() / "x.db").string()};
  // These values leave one configuration of each variant.
  for (const char* pin : {"BM=128", "BN=128", "BK=32", "STAGES=3", "CONSUMERS=2"})
    words.insert(words.end(), {"--set", pin});
  const nlohmann::json json = run("sweep", words);
  EXPECT_EQ(json["sweep"]["statuses"], (nlohmann::json{{"ok", 4}})) << json;
}

}  // namespace
}  // namespace warpwright::testing
