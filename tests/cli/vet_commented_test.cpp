// Tests library code in its documented style: it is correct and clean under twenty schedules, and
// no longer so if one barrier, wait or fence is removed.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "core/files.h"
#include "support/program.h"

namespace warpwright::testing {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

std::string source_of(const std::string& name) {
  return read_file(std::string(WARPWRIGHT_SOURCE_DIR) + "/tests/fixtures/commented_kernels/" +
                   name + ".cu");
}

class CommentedBase {
 protected:
  ProgramResult vet(const std::string& source, std::vector<std::string> more) {
    const auto file = folder_.path() / "kernels.cu";
    write_text(file, source);
    more.insert(more.begin(), {"vet", file.string(), "--quiet", "--emulator-workers", "1"});
    return run_program(more, {"WARPWRIGHT_CACHE=" + (folder_.path() / "cache").string()});
  }
  TemporaryFolder folder_;
};

class CommentedKernels : public CommentedBase, public ::testing::TestWithParam<const char*> {};

TEST_P(CommentedKernels, AreCleanUnderTwentySchedules) {
  const ProgramResult result = vet(source_of(GetParam()), {"--schedules", "20"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("kernels.cu: nothing found in "));
}

INSTANTIATE_TEST_SUITE_P(Files, CommentedKernels,
                         ::testing::Values("barrier", "clusters", "cooperative_groups", "cub_block",
                                           "cub_warp", "function_pointers", "pipeline",
                                           "vector_atomics", "video"),
                         [](const auto& test) { return std::string(test.param); });

struct Defect {
  const char* name;
  const char* file;
  const char* from;  // its first occurrence in the file is replaced by `to`
  const char* to;
  const char* kind;
};
std::ostream& operator<<(std::ostream& out, const Defect& defect) { return out << defect.name; }

class CommentedDefects : public CommentedBase, public ::testing::TestWithParam<Defect> {};

TEST_P(CommentedDefects, AreFound) {
  const Defect& defect = GetParam();
  std::string source = source_of(defect.file);
  const std::size_t at = source.find(defect.from);
  ASSERT_NE(at, std::string::npos);
  source.replace(at, std::string_view(defect.from).size(), defect.to);
  const ProgramResult result = vet(source, {"--schedules", "2", "--json"});
  EXPECT_EQ(result.exit_code, 1) << result.out << result.err;
  std::vector<std::string> kinds;
  const nlohmann::json json = nlohmann::json::parse(result.out);
  for (const auto& hazard : json.at("hazards")) kinds.push_back(hazard.at("kind"));
  EXPECT_THAT(kinds, Contains(defect.kind));
}

INSTANTIATE_TEST_SUITE_P(
    Files, CommentedDefects,
    ::testing::Values(
        Defect{"storage_used_again_at_once", "cub_block",
               "  __syncthreads();  // before the storage is used again\n", "", "shared race"},
        Defect{"stage_not_awaited", "pipeline", "    pipeline.consumer_wait();\n", "",
               "missing wait"},
        Defect{"copy_not_awaited", "cooperative_groups", "  cg::wait(block);\n", "",
               "missing wait"},
        Defect{"block_leaves_its_cluster", "clusters",
               "tile[threadIdx.x], next);\n  cluster.sync();\n", "tile[threadIdx.x], next);\n",
               "out of bounds"},
        Defect{"proxies_not_fenced", "barrier",
               "  cuda::ptx::fence_proxy_async(cuda::ptx::space_shared);\n", "",
               "missing proxy fence"},
        Defect{"count_without_release", "barrier", "memory_order_acq_rel", "memory_order_relaxed",
               "global race"},
        Defect{"objects_used_at_once", "function_pointers", "  __syncthreads();\n", "",
               "shared race"},
        Defect{"vector_added_by_a_store", "vector_atomics",
               "atomicAdd(reinterpret_cast<float2*>(sums + 4), make_float2(0.5f, own))",
               "sums[4] += own", "global race"},
        Defect{"assertion_fails", "video", "__vsadu4(a, b) == total", "__vsadu4(a, b) == total + 1",
               "trap"}),
    [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace warpwright::testing
