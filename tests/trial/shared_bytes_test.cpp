// The dynamic shared memory of a contract as a macro of the source, from the contract to the
// failure of a source that needs another size.
#include <gmock/gmock.h>

#include "compile/compiler_log.h"
#include "compile/include_scan.h"
#include "compile/nvrtc.h"
#include "core/error.h"
#include "trial/launch/jobs.h"
#include "trial/tiny_kernel.h"

namespace warpwright::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

// A kernel in a folder of its own whose launches are given.
class SharedBytes : public ::testing::Test {
 protected:
  SharedBytes() { write_source("extern \"C\" __global__ void row(float* y, int n) {}\n"); }

  void write_source(const std::string& text) const {
    publish_file(folder_.path() / "row.cu", text);
  }

  [[nodiscard]] KernelSpec kernel(const std::string& launches) const {
    publish_file(folder_.path() / "reference.cpp", "");
    return parse_kernel(
        "kernel: row\n"
        "problem: {n: {doc: elements}, K: {max: 256, macro: TOP_K}, dtype: {values: "
        "[f32, bf16], default: f32, macro: DTYPE}}\n"
        "arguments:\n"
        "  - {name: y, out: f32, shape: [n], match: exact}\n"
        "  - {name: n, value: n}\n"
        "parameters: {THREADS: {default: 256}, STAGES: {default: 2}}\n"
        "variants:\n"
        "  plain:\n"
        "    source: row.cu\n"
        "    parameters: [THREADS, STAGES]\n"
        "    launches:\n" +
            launches +
            "reference: {source: reference.cpp, units: n}\n"
            "work: {bytes: 4*n, flops: 0}\n",
        folder_.path() / "kernel.yaml");
  }

  // The defines of a launch of `row` with this `shared`.
  static std::string launch(const std::string& shared, const std::string& entry = "row") {
    return "      - {entry: " + entry + ", grid: [n], block: [THREADS]" +
           (shared.empty() ? "" : ", shared: \"" + shared + "\"") + "}\n";
  }

  static Configuration configuration(int threads = 256) {
    return {"plain", {{"THREADS", Value(threads)}, {"STAGES", Value(2)}}};
  }
  static std::map<std::string, Value> problem() {
    return {{"n", Value(100)}, {"K", Value(10)}, {"dtype", Value("bf16")}};
  }

  [[nodiscard]] std::vector<std::pair<std::string, std::string>> defines(
      const std::string& launches) const {
    const KernelSpec spec = kernel(launches);
    std::vector<std::pair<std::string, std::string>> result;
    for (const SharedBytesDefine& one :
         shared_bytes_defines(spec, spec.variants[0], configuration(), problem()))
      result.emplace_back(one.name, one.value);
    return result;
  }

  // The failure of the fixture kernel with this much shared memory for each thread; "" when it
  // compiles.
  [[nodiscard]] std::string failure(const std::string& shared, int threads = 256) const {
    static const Nvrtc nvrtc(require_toolchain());
    const KernelSpec spec = kernel(launch(shared));
    CompileJob job = make_compile_job(spec, configuration(threads), problem(), device_.info(), {});
    job.files = collect_sources(job);
    const CompileResult result = nvrtc.compile(job);
    std::string text = result.failure + broken_assertion(result.log, job.promises, job.files);
    const std::string folder = folder_.path().string() + "/";
    for (std::size_t at = text.find(folder); at != std::string::npos; at = text.find(folder))
      text.erase(at, folder.size());
    return text;
  }

  TemporaryFolder folder_;
  FakeDevice device_;
};

TEST_F(SharedBytes, ParametersMacrosAndConstantsAreKnownToTheCompiler) {
  EXPECT_THAT(defines(launch("THREADS*STAGES*sizeof(dtype) + 8*K")),
              ElementsAre(Pair("WARPWRIGHT_SHARED_BYTES", "1104")));
  EXPECT_THAT(defines(launch("1024")), ElementsAre(Pair("WARPWRIGHT_SHARED_BYTES", "1024")));
}

TEST_F(SharedBytes, SizesWithoutAMacroAndLimitsOfTheDeviceAreNot) {
  EXPECT_THAT(defines(launch("4*n")), IsEmpty());
  EXPECT_THAT(defines(launch("device.max_shared/2")), IsEmpty());
}

TEST_F(SharedBytes, ALaunchWithoutSharedSaysNothing) {
  EXPECT_THAT(defines(launch("")), IsEmpty());
  EXPECT_THAT(defines(launch("8*K", "part") + launch("", "merge")),
              ElementsAre(Pair("WARPWRIGHT_SHARED_BYTES", "80")));
}

TEST_F(SharedBytes, LaunchesThatDifferHaveAMacroEach) {
  EXPECT_THAT(defines(launch("8*K", "part") + launch("4*K", "merge")),
              ElementsAre(Pair("WARPWRIGHT_SHARED_BYTES_part", "80"),
                          Pair("WARPWRIGHT_SHARED_BYTES_merge", "40")));
  EXPECT_THAT(defines(launch("8*K", "part") + launch("80", "merge")),
              ElementsAre(Pair("WARPWRIGHT_SHARED_BYTES", "80")));
}

TEST_F(SharedBytes, OneThatTheCompilerCannotKnowLeavesTheOthersTheirOwn) {
  EXPECT_THAT(defines(launch("8*K", "part") + launch("4*n", "merge")),
              ElementsAre(Pair("WARPWRIGHT_SHARED_BYTES_part", "80")));
}

TEST_F(SharedBytes, AnEntryWithTwoAnswersHasNone) {
  EXPECT_THAT(defines(launch("8*K", "part") + launch("4*K", "part") + launch("K", "merge")),
              ElementsAre(Pair("WARPWRIGHT_SHARED_BYTES_merge", "10")));
}

TEST_F(SharedBytes, WhatCannotBeEvaluatedIsLeftToTheLaunch) {
  EXPECT_THAT(defines(launch("8/(K - 10)")), IsEmpty());
  EXPECT_THAT(defines(launch("0.5*K")), IsEmpty());
  EXPECT_THAT(defines(launch("K - 11")), IsEmpty());
}

TEST_F(SharedBytes, TheMacroIsAmongTheOptionsThatNameTheCode) {
  const CompileJob job =
      make_compile_job(kernel(launch("4*THREADS")), configuration(), problem(), device_.info(), {});
  EXPECT_THAT(job.options(), ::testing::Contains("-DWARPWRIGHT_SHARED_BYTES=1024"));
}

TEST_F(SharedBytes, TheMacroIsNotAmongThoseOfTheContract) {
  EXPECT_THAT(compile_defines(kernel(launch("4*THREADS")), configuration(), problem()),
              ElementsAre(Pair("STAGES", "2"), Pair("THREADS", "256"), Pair("TOP_K", "10"),
                          Pair("DTYPE", "bf16")));
}

class AssertedSharedBytes : public SharedBytes {
 protected:
  AssertedSharedBytes() {
    write_source(R"(struct Shared {
  float values[THREADS];
};
#ifdef WARPWRIGHT_SHARED_BYTES
static_assert(sizeof(Shared) == WARPWRIGHT_SHARED_BYTES, "kernel.yaml's shared: and the source differ");
#endif
extern "C" __global__ void row(float* y, int n) {
  extern __shared__ Shared shared[];
  shared->values[threadIdx.x] = n;
  __syncthreads();
  y[blockIdx.x] = shared->values[0];
}
)");
  }
  void SetUp() override {
    if (!locate_toolchain()) GTEST_SKIP() << "no NVRTC here: run scripts/dev/fetch_cuda";
  }
};

TEST_F(AssertedSharedBytes, WhatTheSourceNeedsCompiles) {
  EXPECT_EQ(failure("4*THREADS"), "");
  EXPECT_EQ(failure("4*THREADS", 64), "");
}

TEST_F(AssertedSharedBytes, TooLittleIsRefused) {
  EXPECT_EQ(
      failure("2*THREADS"),
      "row.cu:5: error: static assertion failed with \"kernel.yaml's shared: and the source "
      "differ\"; kernel.yaml:12:60: `shared` of the launch of 'row' is 512 bytes, but the "
      "source needs a different number: static_assert(sizeof(Shared) == WARPWRIGHT_SHARED_BYTES, "
      "\"kernel.yaml's shared: and the source differ\"); make the two agree");
}

TEST_F(AssertedSharedBytes, TooMuchIsRefused) {
  EXPECT_THAT(failure("8*THREADS"),
              HasSubstr("kernel.yaml:12:60: `shared` of the launch of 'row' is 2048 bytes"));
}

// A formula that is right for only some configurations is refused for the others.
TEST_F(AssertedSharedBytes, EveryConfigurationIsJudgedForItself) {
  EXPECT_EQ(failure("1024"), "");
  EXPECT_THAT(failure("1024", 128),
              HasSubstr("is 1024 bytes, but the source needs a different number"));
}

}  // namespace
}  // namespace warpwright::testing
