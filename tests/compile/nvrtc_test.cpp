#include "compile/nvrtc.h"

#include <gmock/gmock.h>

#include "compile/fixtures.h"
#include "compile/include_scan.h"
#include "compile/standard_headers.h"
#include "core/error.h"

namespace warpwright {
namespace {

using ::testing::Contains;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

class NvrtcTest : public ::testing::Test {
 protected:
  void SetUp() override { SKIP_WITHOUT_NVRTC(); }

  // Returns the failure text of this source without the folder's path.
  std::string failure_of(std::string_view text) {
    const auto source = sources_.write("k.cu", text);
    return relative(nvrtc().compile(job_for(source)));
  }
  std::string relative(const CompileResult& result) const {
    EXPECT_FALSE(result.ok);
    EXPECT_THAT(result.ptx, IsEmpty());
    EXPECT_THAT(result.cubin, IsEmpty());
    std::string text = result.failure;
    const std::string folder = sources_.path().string() + "/";
    for (std::size_t at = text.find(folder); at != std::string::npos; at = text.find(folder)) {
      text.erase(at, folder.size());
    }
    return text;
  }

  SourceFolder sources_;
};

TEST_F(NvrtcTest, OneCompilationGivesCubinPtxAndResources) {
  CompileJob job = job_for(sources_.write("scale.cu", kScale));
  job.defines = {{"FACTOR", "3.0f"}};
  const CompileResult result = nvrtc().compile(job);
  ASSERT_TRUE(result.ok) << result.failure;
  EXPECT_EQ(result.cubin.substr(0, 4),
            "\x7f"
            "ELF");
  EXPECT_THAT(result.ptx, HasSubstr(".target sm_90a"));
  EXPECT_THAT(result.ptx, HasSubstr(".entry scale("));
  EXPECT_THAT(result.ptx, Not(HasSubstr(std::string(1, '\0'))));
  ASSERT_THAT(result.resources, SizeIs(1));
  EXPECT_EQ(result.resources[0].entry, "scale");
  EXPECT_GT(result.resources[0].registers, 0);
  EXPECT_EQ(result.nvrtc_version, nvrtc().version());
  EXPECT_GT(result.seconds, 0);
}

TEST_F(NvrtcTest, PtxLeadsBackToTheSource) {
  CompileJob job = job_for(sources_.write("scale.cu", kScale));
  job.defines = {{"FACTOR", "3.0f"}};
  const CompileResult result = nvrtc().compile(job);
  EXPECT_THAT(result.ptx, HasSubstr(".loc\t1 2 "));
  EXPECT_THAT(result.ptx, HasSubstr("\"" + job.source.string() + "\""));
}

TEST_F(NvrtcTest, PtxOnlyJobsNeverMeetPtxas) {
  CompileJob job = job_for(sources_.write("scale.cu", kScale));
  job.defines = {{"FACTOR", "3.0f"}};
  job.want_cubin = false;
  const CompileResult result = nvrtc().compile(job);
  ASSERT_TRUE(result.ok) << result.failure;
  EXPECT_THAT(result.cubin, IsEmpty());
  EXPECT_THAT(result.resources, IsEmpty());
  EXPECT_THAT(result.ptx, HasSubstr(".target sm_90a"));
  EXPECT_THAT(result.ptx, HasSubstr(".loc"));
}

TEST_F(NvrtcTest, ResourcesCountSharedMemoryStackAndSpills) {
  const auto source = sources_.write("spill.cu", R"(
template <int N> __device__ void mix(float* x, int n) {
  float a[N];
  for (int i = 0; i < N; i++) a[i] = x[i * 1024 + threadIdx.x];
#pragma unroll 1
  for (int j = 0; j < n; j++)
#pragma unroll
    for (int i = 0; i < N; i++) a[i] = a[i] * a[(i * 7 + 3) % N] + x[j];
  for (int i = 0; i < N; i++) x[i * 1024 + threadIdx.x] = a[i];
}
extern "C" __global__ void __launch_bounds__(1024) crowded(float* x, int n) { mix<100>(x, n); }
extern "C" __global__ void shared(float* x) {
  __shared__ float tile[256];
  tile[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = tile[255 - threadIdx.x];
}
)");
  const CompileResult result = nvrtc().compile(job_for(source));
  ASSERT_TRUE(result.ok) << result.failure;
  const KernelResources* crowded = result.find("crowded");
  const KernelResources* shared = result.find("shared");
  ASSERT_TRUE(crowded != nullptr && shared != nullptr) << result.log;
  EXPECT_EQ(crowded->static_shared, 0);
  EXPECT_GT(crowded->spill_stores, 0);
  EXPECT_GT(crowded->spill_loads, 0);
  EXPECT_GE(crowded->stack, 100 * 4 - 64 * 4);
  EXPECT_LE(crowded->registers, 64) << "65,536 registers for 1024 threads";
  EXPECT_EQ(shared->static_shared, 1024);
  EXPECT_EQ(shared->spill_stores + shared->spill_loads + shared->stack, 0);
  EXPECT_EQ(result.find("absent"), nullptr);
}

TEST_F(NvrtcTest, ToolkitHeadersAreFound) {
  const auto source = sources_.write("headers.cu", R"(
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda/std/cstdint>
extern "C" __global__ void k(float* x, const __half* h, const __nv_bfloat16* b, cuda::std::uint8_t n) {
  x[threadIdx.x] = __half2float(h[n]) + __bfloat162float(b[n]);
}
)");
  const CompileResult result = nvrtc().compile(job_for(source));
  EXPECT_TRUE(result.ok) << result.failure;
}

TEST_F(NvrtcTest, EveryStandardHeaderThatHasAStandInCompiles) {
  std::string text;
  for (const std::string& name : standard_header_names()) text += "#include <" + name + ">\n";
  text +=
      "extern \"C\" __global__ void k(float* y, std::uint32_t n, ptrdiff_t d) {\n"
      "  assert(n < UINT32_MAX);\n"
      "  constexpr float kBig = INFINITY;\n"
      "  std::array<float, 2> a = {FLT_MAX, std::numeric_limits<float>::max()};\n"
      "  y[0] = std::min(a[0], kBig) + std::sqrt(y[1]) + float(M_PI) + NAN + INT_MAX + d;\n"
      "  printf(\"%f\", y[0]);\n"
      "}\n";
  const CompileResult result = nvrtc().compile(job_for(sources_.write("k.cu", text)));
  EXPECT_TRUE(result.ok) << result.failure;
  EXPECT_THAT(result.warnings, IsEmpty());
}

TEST_F(NvrtcTest, AHeaderOfTheUsersComesBeforeAStandIn) {
  sources_.write("inc/cstdint", "#define OWN 1\n");
  CompileJob job = job_for(sources_.write(
      "k.cu", "#include <cstdint>\nextern \"C\" __global__ void k(int* y) { *y = OWN; }\n"));
  job.include_folders.push_back(sources_.path() / "inc");
  const CompileResult result = nvrtc().compile(job);
  EXPECT_TRUE(result.ok) << result.failure;
}

TEST_F(NvrtcTest, IncludesComeFromTheOwnFolderFirstThenInOrder) {
  sources_.write("kernel/which.h", "#define WHICH 1\n");
  sources_.write("first/which.h", "#define WHICH 2\n");
  sources_.write("first/other.h", "#define OTHER 2\n");
  sources_.write("second/other.h", "#define OTHER 3\n");
  CompileJob job = job_for(sources_.write("kernel/k.cu", R"(
#include "which.h"
#include <other.h>
static_assert(WHICH == 1 && OTHER == 2);
extern "C" __global__ void k() {}
)"));
  job.include_folders = {sources_.path() / "first", sources_.path() / "second"};
  const CompileResult result = nvrtc().compile(job);
  EXPECT_TRUE(result.ok) << result.failure;
}

// The same name as that of a header that is read from the disk.
TEST_F(NvrtcTest, LinesOfAHeaderNameItsPath) {
  sources_.write("common/part.h",
                 "__device__ __noinline__ int part(int* x) {\n  return x[1];\n}\n");
  const auto source = sources_.write("k/k.cu",
                                     "#include \"../common/part.h\"\n"
                                     "extern \"C\" __global__ void k(int* x) { x[0] = part(x); }\n"
                                     "__device__ const char* here = __FILE__;\n");
  const CompileResult result = nvrtc().compile(job_for(source));
  ASSERT_TRUE(result.ok) << result.failure;
  const std::string folder = sources_.path().string();
  EXPECT_THAT(result.ptx, HasSubstr("\"" + folder + "/k/../common/part.h\""));
  EXPECT_THAT(result.ptx, HasSubstr("\"" + folder + "/k/k.cu\""));
}

// Quotes, backslashes and line ends would end the name in an #include or the string in .file.
TEST_F(NvrtcTest, FoldersMayHaveNamesThatNoIncludeCanHold) {
  for (const std::string folder : {"say \"k\"", "back\\slash", "two\nlines"}) {
    sources_.write(folder + "/part.h", "__device__ int part(int* x) { return x[1]; }\n");
    const auto source =
        sources_.write(folder + "/k.cu",
                       "#include \"part.h\"\n"
                       "extern \"C\" __global__ void k(int* x) { x[0] = part(x); }\n");
    const CompileResult result = nvrtc().compile(job_for(source));
    EXPECT_TRUE(result.ok) << result.failure;
    const auto broken =
        sources_.write(folder + "/broken.cu", "#include \"part.h\"\n\n__device__ int x = y;\n");
    EXPECT_EQ(nvrtc().compile(job_for(broken)).failure,
              broken.string() + ":3: error: identifier \"y\" is undefined");
  }
}

TEST_F(NvrtcTest, AByteOrderMarkIsNoText) {
  sources_.write("k/part.h", "\xEF\xBB\xBF#define FACTOR 2\n");
  const auto source =
      sources_.write("k/k.cu", "\xEF\xBB\xBF#include \"part.h\"\n" + std::string(kScale));
  const CompileResult result = nvrtc().compile(job_for(source));
  EXPECT_TRUE(result.ok) << result.failure;
  const auto broken =
      sources_.write("k/broken.cu", "\xEF\xBB\xBF__device__ int x;\n__device__ int z = y;\n");
  EXPECT_EQ(nvrtc().compile(job_for(broken)).failure,
            broken.string() + ":2: error: identifier \"y\" is undefined");
}

TEST_F(NvrtcTest, HeadersOfOneNameAreToldApartByWhoIncludesThem) {
  sources_.write("k/which.h", "#define OWN 1\n");
  sources_.write("common/which.h", "#pragma once\n#define COMMON 1\n");
  sources_.write("common/part.h", "#include \"which.h\"\n#include \"../common/which.h\"\n");
  CompileJob job = job_for(sources_.write("k/k.cu",
                                          "#include \"which.h\"\n#include <part.h>\n"
                                          "static_assert(OWN == 1 && COMMON == 1);\n"
                                          "extern \"C\" __global__ void k() {}\n"));
  job.include_folders = {sources_.path() / "common"};
  const CompileResult result = nvrtc().compile(job);
  EXPECT_TRUE(result.ok) << result.failure;
}

TEST_F(NvrtcTest, IncludeNextGoesOnBehindTheOwnFolder) {
  sources_.write("first/which.h", "#include_next <which.h>\n#define FIRST 1\n");
  sources_.write("second/which.h", "#include_next <cuda_fp16.h>\n#define SECOND 1\n");
  CompileJob job = job_for(sources_.write("k/k.cu",
                                          "#include <which.h>\n"
                                          "static_assert(FIRST == 1 && SECOND == 1);\n"
                                          "extern \"C\" __global__ void k(__half*) {}\n"));
  job.include_folders = {sources_.path() / "first", sources_.path() / "second"};
  const CompileResult result = nvrtc().compile(job);
  EXPECT_TRUE(result.ok) << result.failure;
}

TEST_F(NvrtcTest, AMacroMayNameTheHeader) {
  sources_.write("a.h", "#define A 1\n");
  sources_.write("deep/b.h", "#define B 1\n");
  CompileJob job = job_for(sources_.write("k.cu",
                                          "#define H \"a.h\"\n#include H\n#include OTHER\n"
                                          "#define DEEP \"deep/b.h\"\n#include DEEP\n"
                                          "static_assert(A == 1 && B == 1);\n"
                                          "extern \"C\" __global__ void k() {}\n"));
  job.defines = {{"OTHER", "\"a.h\""}};
  const CompileResult result = nvrtc().compile(job);
  EXPECT_TRUE(result.ok) << result.failure;
}

TEST_F(NvrtcTest, APreIncludedHeaderComesFirst) {
  sources_.write("pre.h", "#define PRE 1\n");
  CompileJob job = job_for(
      sources_.write("k.cu", "static_assert(PRE == 1);\nextern \"C\" __global__ void k() {}\n"));
  job.extra_options = {"--pre-include=pre.h"};
  const CompileResult result = nvrtc().compile(job);
  EXPECT_TRUE(result.ok) << result.failure;
}

TEST_F(NvrtcTest, WhatWasReadIsCompiledWhateverBecameOfTheFiles) {
  sources_.write("value.h", "#define VALUE 4711\n");
  CompileJob job =
      job_for(sources_.write("k.cu",
                             "#include \"value.h\"\n"
                             "#if __has_include(\"later.h\")\n#error later\n#endif\n"
                             "#include \"cuda_fp16.h\"\n"
                             "extern \"C\" __global__ void k(int* x) { *x = VALUE; }\n"));
  job.files = collect_sources(job);
  sources_.write("value.h", "#error edited\n");
  sources_.write("k.cu", "#error edited\n");
  sources_.write("later.h", "");
  sources_.write("cuda_fp16.h", "#error not the toolkit's\n");
  const CompileResult result = nvrtc().compile(job);
  ASSERT_TRUE(result.ok) << result.failure;
  EXPECT_THAT(result.ptx, HasSubstr("4711"));
}

TEST_F(NvrtcTest, DefinesKeepTheirSpelling) {
  CompileJob job = job_for(sources_.write("k.cu", R"(
static_assert(SUM == 7 && TEXT[1] == '"' && TEXT[2] == ' ');
extern "C" __global__ void k() {}
)"));
  job.defines = {{"SUM", "(3 + 4)"}, {"TEXT", R"("a\" b")"}};
  const CompileResult result = nvrtc().compile(job);
  EXPECT_TRUE(result.ok) << result.failure;
}

TEST_F(NvrtcTest, TheStandardIsCpp20UnlessTheJobNamesOne) {
  CompileJob job = job_for(sources_.write("k.cu", R"(
static_assert(__cplusplus == EXPECTED);
extern "C" __global__ void k() {}
)"));
  job.defines = {{"EXPECTED", "202002L"}};
  EXPECT_TRUE(nvrtc().compile(job).ok);
  job.defines = {{"EXPECTED", "201703L"}};
  job.extra_options = {"--std=c++17"};
  EXPECT_TRUE(nvrtc().compile(job).ok);
}

TEST_F(NvrtcTest, WarningsStayInTheLog) {
  const CompileResult result = nvrtc().compile(job_for(sources_.write("k.cu", R"(
extern "C" __global__ void k() { int unused; }
)")));
  EXPECT_TRUE(result.ok);
  EXPECT_THAT(result.failure, IsEmpty());
  EXPECT_THAT(result.log, HasSubstr("k.cu(2): warning #177-D: variable \"unused\" was declared"));
}

TEST_F(NvrtcTest, FailureOfOneError) {
  EXPECT_EQ(failure_of("\n\nextern \"C\" __global__ void k(int* x) { x[0] = foo; }\n"),
            "k.cu:3: error: identifier \"foo\" is undefined");
}

TEST_F(NvrtcTest, FailureOfSeveralErrorsNamesTheFirst) {
  EXPECT_EQ(
      failure_of("extern \"C\" __global__ void k(int* x) {\n  x[0] = foo;\n  x[1] = bar;\n}\n"),
      "k.cu:2: error: identifier \"foo\" is undefined (2 errors in all)");
}

TEST_F(NvrtcTest, FailureOfAMissingHeader) {
  EXPECT_EQ(failure_of("#include \"gone.h\"\n"),
            "k.cu:1: error: cannot open source file \"gone.h\"; name the header's folder under "
            "`include`, or, where only host code needs it, put it between #ifndef __CUDACC_RTC__ "
            "and #endif: NVRTC compiles device code alone");
}

TEST_F(NvrtcTest, FailureOfHostCodeSaysWhatToDo) {
  EXPECT_THAT(failure_of("void host(int* x) { x[0] = 1; }\n"),
              HasSubstr("; NVRTC compiles no host code: put it between #ifndef __CUDACC_RTC__ and "
                        "#endif; of CUB only its headers for blocks and warps can be used "
                        "(<cub/block/block_reduce.cuh>)"));
}

TEST_F(NvrtcTest, FailureInATemplateOfAHeaderNamesTheLineThatUsesIt) {
  sources_.write("tile.h", R"(template <int TILE> __device__ int checked() {
  static_assert(TILE % 4 == 0, "TILE must be a multiple of 4");
  return TILE;
}
template <int TILE> __device__ int indirect() { return checked<TILE>(); }
)");
  EXPECT_EQ(failure_of("#include \"tile.h\"\n"
                       "extern \"C\" __global__ void k(int* x) {\n"
                       "  x[0] = indirect<3>();\n"
                       "}\n"),
            "tile.h:2: error: static assertion failed with \"TILE must be a multiple of 4\", "
            "from k.cu:3");
}

TEST_F(NvrtcTest, FailureInInlinePtxNamesTheSourceLine) {
  EXPECT_EQ(failure_of("extern \"C\" __global__ void k(float* x) {\n"
                       "  x[0] = 1.0f;\n"
                       "  asm volatile(\"nonsense.f32 %0;\" ::\"f\"(x[1]));\n"
                       "}\n"),
            "k.cu:3: error: Not a name of any known instruction: 'nonsense' (inline PTX)");
}

TEST_F(NvrtcTest, FailureOfAnUnresolvedFunctionDemanglesIt) {
  EXPECT_EQ(
      failure_of("extern __device__ int elsewhere(int, float*);\n"
                 "extern \"C\" __global__ void k(int* x) { x[0] = elsewhere(1, nullptr); }\n"),
      "k.cu: error: Unresolved extern function 'elsewhere(int, float*)'");
}

TEST_F(NvrtcTest, FailureOfTooMuchStaticSharedMemory) {
  const std::string failure = failure_of(
      "extern \"C\" __global__ void k(int* x) {\n"
      "  __shared__ int big[100000];\n"
      "  big[threadIdx.x] = x[0];\n  __syncthreads();\n  x[1] = big[x[2]];\n}\n");
  EXPECT_EQ(failure,
            "k.cu: error: entry 'k' declares 400000 bytes of static shared memory, more than any "
            "device has");
}

TEST_F(NvrtcTest, FailureOfAnUnknownArchitectureListsTheKnown) {
  CompileJob job = job_for(sources_.write("k.cu", "extern \"C\" __global__ void k() {}\n"));
  job.arch = "sm_91";
  const CompileResult result = nvrtc().compile(job);
  EXPECT_FALSE(result.ok);
  EXPECT_THAT(result.failure, ::testing::StartsWith("'sm_91' is not an architecture that NVRTC " +
                                                    nvrtc().version() + " knows; known: sm_"));
  EXPECT_THAT(nvrtc().architectures(), Contains("sm_90"));
}

TEST_F(NvrtcTest, FailureOfAnUnknownOption) {
  CompileJob job = job_for(sources_.write("k.cu", "extern \"C\" __global__ void k() {}\n"));
  job.extra_options = {"--no-such-option"};
  EXPECT_EQ(relative(nvrtc().compile(job)), "k.cu: unrecognized option --no-such-option found");
}

TEST_F(NvrtcTest, FailureOfAMissingSource) {
  const CompileResult result = nvrtc().compile(job_for(sources_.path() / "gone.cu"));
  EXPECT_FALSE(result.ok);
  EXPECT_THAT(result.failure, HasSubstr("gone.cu"));
}

TEST_F(NvrtcTest, IgnoredSetmaxnregIsAFailure) {
  const std::string failure = failure_of(R"(extern "C" __global__ void k(float* x) {
  if (threadIdx.x < 128) asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
  else asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
  x[threadIdx.x] = 1;
}
)");
  EXPECT_EQ(failure,
            "k.cu: setmaxnreg is ignored: ptxas (C7508) Potential Performance Loss: 'setmaxnreg' "
            "ignored; unable to determine register count at entry.");
}

TEST_F(NvrtcTest, SerialisedWgmmaIsAFailure) {
  const std::string failure = failure_of(R"(
extern "C" __global__ void k(float* x, unsigned long long d) {
  float a[4] = {0, 0, 0, 0};
  asm volatile("wgmma.fence.sync.aligned;");
  for (int i = 0; i < 4; i++) {
    asm volatile("{.reg .pred p; setp.ne.b32 p, 1, 0;"
                 "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0,%1,%2,%3}, %4, %5, p, 1, 1, 0, 0;}"
                 : "+f"(a[0]), "+f"(a[1]), "+f"(a[2]), "+f"(a[3]) : "l"(d), "l"(d));
    a[0] += 1.f;
  }
  asm volatile("wgmma.commit_group.sync.aligned;");
  x[threadIdx.x] = a[0] + a[1] + a[2] + a[3];
}
)");
  EXPECT_THAT(failure, ::testing::StartsWith("k.cu: wgmma is serialised: ptxas (C75"));
  EXPECT_THAT(failure, EndsWith("in the function 'k'"));
}

TEST_F(NvrtcTest, OneLibraryCompilesManyTimes) {
  const auto source = sources_.write("scale.cu", kScale);
  for (int i = 0; i < 5; ++i) {
    CompileJob job = job_for(source);
    job.defines = {{"FACTOR", std::to_string(i)}};
    EXPECT_TRUE(nvrtc().compile(job).ok);
    job.defines.clear();
    EXPECT_FALSE(nvrtc().compile(job).ok);
  }
}

TEST_F(NvrtcTest, IdentityNamesVersionAndHeaders) {
  EXPECT_THAT(nvrtc().identity(), HasSubstr("nvrtc " + nvrtc().version() + " of "));
  EXPECT_THAT(nvrtc().identity(), HasSubstr("include"));
}

TEST(NvrtcLibrary, AFileThatIsNoLibraryIsAnEnvironmentError) {
  SourceFolder folder;
  const auto file = folder.write("libnvrtc.so.13", "not a library");
  try {
    const Nvrtc library(Toolchain{file, {}, "test"});
    FAIL() << "opened a text file";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::kEnvironment);
    EXPECT_THAT(error.message(), HasSubstr(file.string()));
    EXPECT_THAT(error.message(), HasSubstr("scripts/dev/fetch_cuda"));
  }
}

}  // namespace
}  // namespace warpwright
