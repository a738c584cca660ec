// Tests sources as people have them: C++ templates and namespaces, constant memory, headers in
// their own folders, compiler options, and macros in place of tuned values.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "core/files.h"
#include "support/program.h"

namespace warpwright::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

constexpr const char* kSource = R"cuda(#include <taps.h>
namespace img {
__constant__ float taps[kTaps];
template <typename T, int threads, int per_thread>
__global__ void blur(const T* __restrict__ x, T* __restrict__ y, int n) {
  for (int i = 0; i < per_thread; ++i) {
    const int at = (blockIdx.x * per_thread + i) * threads + threadIdx.x;
    if (at >= n) continue;
    float sum = 0;
    for (int k = 0; k < kTaps; ++k)
      if (at + k < n) sum += taps[k] * (float)x[at + k];
    y[at] = (T)sum;
  }
}
}  // namespace img
)cuda";

constexpr const char* kContract = R"yaml(kernel: blur
problem: {n: {}, dtype: {values: [f32, f64], default: f32}}
arguments:
  - {name: x, in: dtype, shape: [n], fill: "normal(0, 1)"}
  - {name: y, out: dtype, shape: [n], tolerance: {abs: 1e-5, rel: 1e-5}}
  - {name: n, value: n}
  - {name: taps, constant: f32, symbol: "img::taps", shape: [3], fill: "normal(0, 1)"}
parameters:
  THREADS: {default: 64}
  PER_THREAD: {default: 1}
  FAST: {default: false}
options: [{option: --use_fast_math, when: FAST}]
include: [inc]
variants:
  plain:
    source: blur.cu
    parameters: [THREADS, PER_THREAD, FAST]
    launches:
      - {entry: "img::blur<dtype, THREADS, PER_THREAD>", grid: ["ceil_div(n, THREADS * PER_THREAD)"], block: [THREADS]}
reference: {source: reference.cpp, units: n}
work: {bytes: "2 * n * sizeof(dtype)", flops: "6 * n"}
cases: [{name: odd, problem: {n: 101}}, {name: double, problem: {n: 77, dtype: f64}}]
)yaml";

constexpr const char* kReference = R"cpp(#include "reference.h"
                                         int ww_reference(const ww_call* call) {
                                           const ww_tensor* x = ww::find_tensor(call, "x");
                                           const ww_tensor* taps = ww::find_tensor(call, "taps");
                                           double* y = ww::find_output(call, "y");
                                           const int64_t n = ww::size(call, "n");
                                           for (int64_t i = 0; i < call->unit_count; ++i) {
                                             double sum = 0;
                                             for (int64_t k = 0; k < 3 && call->units[i] + k < n; ++k)
                                               sum += ww::load(taps, k) * ww::load(x, call->units[i] + k);
                                             y[i] = sum;
                                           }
                                           return 0;
                                         }
)cpp";

class UnmodifiedKernel : public ::testing::Test {
 protected:
  void SetUp() override {
    put("kernels/blur/blur.cu", kSource);
    put("kernels/blur/inc/taps.h", "#pragma once\nconstexpr int kTaps = 3;\n");
    put("kernels/blur/kernel.yaml", kContract);
    put("kernels/blur/reference.cpp", kReference);
    put("blur.yaml",
        "kernel: blur\nproblems: [{n: 3000}]\nspace:\n  THREADS: [32, 64]\n  PER_THREAD: [1, 2]\n"
        "  FAST: [false, true]\n");
  }

  void put(const std::string& name, const std::string& text) const {
    write_text(folder_.path() / name, text);
  }
  void edit(const std::string& name, const std::string& from, const std::string& to) const {
    std::string text = read_file(folder_.path() / name);
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    put(name, text.replace(at, from.size(), to));
  }
  [[nodiscard]] ProgramResult sweep(std::vector<std::string> more = {}) const {
    std::vector<std::string> words = {"sweep",     (folder_.path() / "blur.yaml").string(),
                                      "--kernels", (folder_.path() / "kernels").string(),
                                      "--device",  "emu:sm_90a",
                                      "--db",      (folder_.path() / "x.db").string(),
                                      "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    return run_program(words, {"WARPWRIGHT_CACHE=" + (folder_.path() / "cache").string()});
  }
  [[nodiscard]] std::string failure() const {
    const ProgramResult result = sweep({"--json"});
    const auto json = nlohmann::json::parse(result.out);
    const auto& failures = json["leaderboards"][0]["failures"];
    return failures.empty() ? "" : failures[0].dump();
  }

  TemporaryFolder folder_;
};

TEST_F(UnmodifiedKernel, TemplatesVariablesFoldersAndOptionsAreTuned) {
  const ProgramResult result = sweep({"--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["sweep"]["statuses"], (nlohmann::json{{"ok", 8}})) << result.out;
}

TEST_F(UnmodifiedKernel, AHeaderIsPartOfWhatIsMeasured) {
  ASSERT_EQ(sweep().exit_code, 0);
  put("kernels/blur/inc/taps.h", "#pragma once\nconstexpr int kTaps = 2 + 1;\n");
  const auto json = nlohmann::json::parse(sweep({"--json"}).out);
  EXPECT_EQ(json["sweep"]["resumed"], 0);
}

TEST_F(UnmodifiedKernel, ATrialRunsAgainFromItsStoredSourcesAlone) {
  ASSERT_EQ(sweep().exit_code, 0);
  fs::remove_all(folder_.path() / "kernels");
  const ProgramResult again =
      run_program({"repro", "3", "--run", "--db", (folder_.path() / "x.db").string(), "-o",
                   (folder_.path() / "again").string()},
                  {"WARPWRIGHT_CACHE=" + (folder_.path() / "cache").string()});
  EXPECT_EQ(again.exit_code, 0) << again.err << again.out;
}

TEST_F(UnmodifiedKernel, WhatASweepAddsIsPartOfWhatIsMeasured) {
  const auto resumed = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = {"--json"};
    words.insert(words.end(), more.begin(), more.end());
    const ProgramResult result = sweep(words);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return nlohmann::json::parse(result.out)["sweep"]["resumed"].get<int>();
  };
  put("elsewhere/taps.h", "#pragma once\nconstexpr int kTaps = 1 + 2;\n");
  edit("kernels/blur/kernel.yaml", "include: [inc]\n", "");
  const std::string folder = (folder_.path() / "elsewhere").string();
  EXPECT_EQ(resumed({"--include", folder}), 0);
  EXPECT_EQ(resumed({"--include", folder}), 8);
  EXPECT_EQ(resumed({"--include", folder, "--option=--fmad=false"}), 0);
  edit("blur.yaml", "space:", "include: elsewhere\noptions: --fmad=false\nspace:");
  EXPECT_EQ(resumed({}), 8);
  const std::string db = (folder_.path() / "x.db").string();
  const std::string kernels = (folder_.path() / "kernels").string();
  const std::string cache = "WARPWRIGHT_CACHE=" + (folder_.path() / "cache").string();
  // Verbs that work on results compile as the sweep did.
  const ProgramResult bench = run_program(
      {"bench", "blur", "--db", db, "--kernels", kernels, "--device", "emu:sm_90a"}, {cache});
  EXPECT_EQ(bench.exit_code, 0) << bench.err;
  const std::string baseline = (folder_.path() / "baseline").string();
  const ProgramResult made =
      run_program({"baseline", "blur", "--db", db, "--kernels", kernels, "-o", baseline}, {cache});
  ASSERT_EQ(made.exit_code, 0) << made.err;
  const ProgramResult checked =
      run_program({"check", baseline, "--kernels", kernels, "--device", "emu:sm_90a"}, {cache});
  EXPECT_EQ(checked.exit_code, 0) << checked.err << checked.out;
  const auto again = folder_.path() / "again";
  EXPECT_EQ(run_program({"repro", "1", "--db", db, "-o", again.string()}, {cache}).exit_code, 0);
  EXPECT_THAT(read_file(again / "README.md"),
              HasSubstr("\nHeaders from `" + folder +
                        "` are not in here: they are read from there, as the trial did.\n"));
  const ProgramResult vetted =
      run_program({"vet", "blur", "--kernels", kernels, "--include", folder, "--quiet"}, {cache});
  EXPECT_EQ(vetted.exit_code, 0) << vetted.err << vetted.out;
}

TEST_F(UnmodifiedKernel, HeadersOfTheStandardLibraryHaveStandIns) {
  edit("kernels/blur/blur.cu", "#include <taps.h>",
       "#include <cmath>\n#include <cstdint>\n#include <math.h>\n#include <stdint.h>\n#include "
       "<taps.h>");
  edit("kernels/blur/blur.cu", "float sum = 0;",
       "float sum = std::max<std::int32_t>(0, 0) * float(M_PI) + std::fabs(0.0f);");
  edit("kernels/blur/blur.cu", "#include <cmath>", "#include <algorithm>\n#include <cmath>");
  const ProgramResult result = sweep({"--set", "FAST=false", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err << failure();
}

TEST_F(UnmodifiedKernel, AHeaderForHostCodeIsNamedWithWhatToDo) {
  edit("kernels/blur/blur.cu", "#include <taps.h>", "#include <iostream>\n#include <taps.h>");
  EXPECT_THAT(failure(),
              HasSubstr("cannot open source file \\\"iostream\\\"; name the header's folder under "
                        "`include`, or, where only host code needs it, put it between #ifndef "
                        "__CUDACC_RTC__ and #endif: NVRTC compiles device code alone"));
}

TEST_F(UnmodifiedKernel, AHeaderForOtherProgramsIsRefusedAndSaysWhy) {
  ASSERT_EQ(sweep().exit_code, 0);
  const ProgramResult refused = run_program(
      {"export", "blur", "--format", "header", "--db", (folder_.path() / "x.db").string()});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(
      refused.err,
      HasSubstr("kernel 'blur': the entry 'img::blur<dtype, THREADS, PER_THREAD>' of variant "
                "'plain' is a template, and exported headers name entries as symbols; add an "
                "extern \"C\" function that calls it, or export JSON"));
}

TEST_F(UnmodifiedKernel, AVariableThatTheSourceLacksIsNamed) {
  edit("kernels/blur/kernel.yaml", "img::taps", "img::tapes");
  EXPECT_THAT(failure(), HasSubstr("the compiled source has no variable 'img::tapes': correct its "
                                   "`symbol`, or, where nothing uses it, leave it out of the "
                                   "launch's `arguments`"));
}

TEST_F(UnmodifiedKernel, AVariableThatIsTooSmallIsNamed) {
  put("kernels/blur/inc/taps.h", "#pragma once\nconstexpr int kTaps = 2;\n");
  EXPECT_THAT(failure(),
              HasSubstr("the variable 'img::taps' has 8 bytes, the contract gives it 12"));
}

TEST_F(UnmodifiedKernel, ADefineInThePlaceOfATunableIsAnErrorThatNamesTheLine) {
  edit("kernels/blur/kernel.yaml", "FAST: {default: false}",
       "FAST: {default: false}\n  UNROLL: {default: 1}");
  edit("kernels/blur/kernel.yaml", "PER_THREAD, FAST]", "PER_THREAD, FAST, UNROLL]");
  edit("kernels/blur/blur.cu", "#include", "#define UNROLL 4\n#include");
  EXPECT_THAT(failure(), HasSubstr("blur.cu:1: error: '#define UNROLL 4' takes the place of "
                                   "-DUNROLL=1, so that what a sweep chooses would change nothing; "
                                   "remove it, or put it between #ifndef UNROLL and #endif"));
}

TEST_F(UnmodifiedKernel, ATunableThatDoesNothingIsNamedAtTheEnd) {
  edit("kernels/blur/kernel.yaml", "FAST: {default: false}",
       "FAST: {default: false}\n  UNROLL: {default: 1}");
  edit("kernels/blur/kernel.yaml", "PER_THREAD, FAST]", "PER_THREAD, FAST, UNROLL]");
  edit("blur.yaml", "  FAST: [false, true]\n", "  UNROLL: [1, 2, 4]\n");
  const ProgramResult result = sweep();
  EXPECT_THAT(result.out, HasSubstr("UNROLL changes no machine code, launch or argument: 12 "
                                    "configurations that differ in it alone are the same programs; "
                                    "does the source use it?"));
  EXPECT_THAT(result.out, ::testing::Not(HasSubstr("THREADS changes no machine code")));
}

TEST_F(UnmodifiedKernel, WarningsOfTheCompilerAreShownAndKept) {
  edit("kernels/blur/blur.cu", "    float sum = 0;", "    float sum = 0, unused = 1;");
  const ProgramResult result = sweep({"--set", "FAST=false"});
  EXPECT_THAT(result.out,
              HasSubstr("blur.cu:9: warning: variable \"unused\" was declared but never "
                        "referenced (4 configurations)"));
}

TEST_F(UnmodifiedKernel, AnEntryThatIsNotThereIsNamedWithWhatIs) {
  edit("kernels/blur/kernel.yaml", "entry: \"img::blur<dtype, THREADS, PER_THREAD>\"",
       "entry: blur");
  edit("kernels/blur/blur.cu", "}  // namespace img",
       "template __global__ void blur<float, 32, 1>(const float*, float*, int);\n}  // namespace "
       "img");
  EXPECT_THAT(failure(),
              HasSubstr("blur.cu has no entry 'blur'; it defines img::blur<float, 32, 1>"));
}

TEST_F(UnmodifiedKernel, ATemplateThatIsNotThereIsNamedAsTheContractNamesIt) {
  edit("kernels/blur/kernel.yaml", "img::blur<", "img::blurr<");
  const auto json = nlohmann::json::parse(sweep({"--set", "FAST=false", "--json"}).out);
  const std::string reason = json["leaderboards"][0]["failures"][0]["example"];
  EXPECT_THAT(reason, HasSubstr("the entry 'img::blurr<"));
  EXPECT_THAT(reason, HasSubstr(">': error: namespace \"img\" has no member \"blurr\""));
}

}  // namespace
}  // namespace warpwright::testing
