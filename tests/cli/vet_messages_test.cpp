// Tests the text of vet's findings: the calls that lead to a line, the fix that suits all conflicts
// seen, and the issuer of an asynchronous operation.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "core/files.h"
#include "support/program.h"

namespace warpwright::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class VetMessages : public ::testing::Test {
 protected:
  ProgramResult vet(const std::string& source, const std::vector<std::string>& more = {}) {
    write_text(folder_.path() / "a.cu", source);
    std::vector<std::string> arguments = {"vet", (folder_.path() / "a.cu").string(), "--quiet",
                                          "--emulator-workers", "1"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments, {"WARPWRIGHT_CACHE=" + (folder_.path() / "cache").string()});
  }
  nlohmann::json hazards(const std::string& source) {
    const ProgramResult result = vet(source, {"--json"});
    EXPECT_EQ(result.exit_code, 1) << result.out << result.err;
    return nlohmann::json::parse(result.out).at("hazards");
  }
  TemporaryFolder folder_;
};

constexpr const char* kHistogram =
    "// vet: histogram<<<1, 128>>>(x[128] = random(0, 3), y[4] = 0)\n"
    "__device__ void add(int* bins, int which) {\n"
    "  bins[which] += 1;\n"
    "}\n"
    "__device__ void count(const int* x, int* bins) {\n"
    "  add(bins, x[threadIdx.x]);\n"
    "}\n"
    "__global__ void histogram(const int* x, int* y) {\n"
    "  __shared__ int bins[4];\n"
    "  if (threadIdx.x < 4) bins[threadIdx.x] = 0;\n"
    "  __syncthreads();\n"
    "  count(x, bins);\n"
    "  __syncthreads();\n"
    "  if (threadIdx.x < 4) y[threadIdx.x] = bins[threadIdx.x];\n"
    "}\n";

TEST_F(VetMessages, ALineInAHelperIsCalledFromSomewhere) {
  const std::string file = (folder_.path() / "a.cu").string();
  const ProgramResult result = vet(kHistogram);
  EXPECT_THAT(result.out, StartsWith(file + ":3: hazard: shared race: "));
  EXPECT_THAT(result.out, HasSubstr("    3 | bins[which] += 1;\n" + file +
                                    ":6: note: called from here\n"
                                    "    6 | add(bins, x[threadIdx.x]);\n" +
                                    file +
                                    ":12: note: called from here\n"
                                    "   12 | count(x, bins);\n" +
                                    file + ":3: note: the other side: "));
  const auto hazard = nlohmann::json::parse(vet(kHistogram, {"--json"}).out).at("hazards").at(0);
  EXPECT_EQ(hazard.at("here").at("callers").at(1).at("line"), 12);
}

TEST_F(VetMessages, CallsAreRelatedPlacesInSarif) {
  const auto sarif = folder_.path() / "a.sarif";
  static_cast<void>(vet(kHistogram, {"--sarif", sarif.string()}));
  const auto result = nlohmann::json::parse(read_file(sarif)).at("runs").at(0).at("results").at(0);
  const auto& related = result.at("relatedLocations");
  ASSERT_GE(related.size(), 3U);
  EXPECT_EQ(related.at(0).at("message").at("text"), "called from here");
  EXPECT_EQ(related.at(0).at("physicalLocation").at("region").at("startLine"), 6);
  EXPECT_EQ(related.at(2).at("id"), 3);
}

// Lanes of one warp conflict first, but __syncwarp() would not help the conflicts between warps.
TEST_F(VetMessages, TheWidestConflictDecidesTheFix) {
  const auto found = hazards(kHistogram);
  EXPECT_THAT(found.at(0).at("message").get<std::string>(), HasSubstr("by another warp"));
  EXPECT_EQ(found.at(0).at("advice"),
            "where several threads add to one element, use an atomic such as atomicAdd; otherwise "
            "put a __syncthreads() that all of them pass between them");
}

TEST_F(VetMessages, LanesOfAWarpNeedNoMoreThanSyncwarp) {
  const auto found = hazards(
      "// vet: shift<<<1, 32>>>(x[32], y[32])\n"
      "__global__ void shift(const float* x, float* y) {\n"
      "  __shared__ float tile[33];\n"
      "  tile[threadIdx.x] = x[threadIdx.x];\n"
      "  if (threadIdx.x == 31) tile[32] = 0;\n"
      "  y[threadIdx.x] = tile[threadIdx.x + 1];\n"
      "}\n");
  EXPECT_EQ(found.at(0).at("advice"), "put __syncwarp() between them");
}

// Thread 64 fetches a tile by a bulk copy; the warpgroup multiplies it before it has arrived.
constexpr const char* kUnawaited = R"cpp(
  // vet: product<<<1, 128>>>(x[576] = 0x3c003c00, y[512])
  __device__ unsigned at(const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }
  __global__ void product(const unsigned* x, float* y) {
    __shared__ alignas(128) unsigned tile[576];
    __shared__ alignas(8) unsigned long long bar;
    if (threadIdx.x == 64) {
      asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at(&bar)) : "memory");
      asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
      asm volatile(
          "{ .reg .b64 s; mbarrier.arrive.expect_tx.shared::cta.b64 s, [%0], 2304; }" ::"r"(
              at(&bar))
          : "memory");
      asm volatile(
          "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 2304, "
          "[%2];" ::"r"(at(tile)),
          "l"(x), "r"(at(&bar))
          : "memory");
    }
    __syncthreads();
    const unsigned long long a = (at(tile) >> 4 & 0x3fff) | 64ull << 16 | 8ull << 32;
    const unsigned long long b = (at(tile + 512) >> 4 & 0x3fff) | 8ull << 16 | 8ull << 32;
    float d[4] = {};
    asm volatile("wgmma.fence.sync.aligned;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])::"memory");
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "l"(a), "l"(b)
        : "memory");
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])::"memory");
    asm volatile(
        "{ .reg .pred p; again: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0; @!p bra "
        "again; }" ::"r"(at(&bar))
        : "memory");
    for (int i = 0; i < 4; ++i) y[4 * threadIdx.x + i] = d[i];
  }
)cpp";

TEST_F(VetMessages, AProductBeforeItsTileHasComeMissesAWait) {
  const auto found = hazards(kUnawaited);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.at(0).at("kind"), "missing wait");
  EXPECT_THAT(
      found.at(0).at("message").get<std::string>(),
      HasSubstr("which another asynchronous operation writes and no thread has waited for"));
}

TEST_F(VetMessages, AnOperationIsOfTheThreadThatIssuedIt) {
  const auto found = hazards(kUnawaited);
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.at(0).at("other").at("who"),
            "asynchronous write by thread (64,0,0) of block (0,0,0)");
}

}  // namespace
}  // namespace warpwright::testing
