// Tests warpwright vet through the built program: findings with their lines and exit codes, for
// kernels with a contract and for single files.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/files.h"
#include "support/program.h"
#include "support/thorough.h"

namespace warpwright::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kBroken = std::string(WARPWRIGHT_SOURCE_DIR) + "/tests/fixtures/broken_kernels/";

// A kernel that reverses blocks of 64; `barrier` is the text between the write and the read.
std::string reverse_source(const std::string& barrier) {
  return "extern \"C\" __global__ void reverse(const float* x, float* y, int n) {\n"
         "  __shared__ float tile[64];\n"
         "  const int first = blockIdx.x * 64;\n"
         "  tile[threadIdx.x] = x[first + threadIdx.x];\n" +
         barrier +
         "  y[first + threadIdx.x] = tile[63 - threadIdx.x];\n"
         "}\n";
}

constexpr const char* kReverseContract =
    "problem: {n: {default: 128}}\n"
    "arguments:\n"
    "  - {name: x, in: f32, shape: [n], fill: \"uniform(-1, 1)\"}\n"
    "  - {name: y, out: f32, shape: [n]}\n"
    "  - {name: n, value: n}\n"
    "launches: [{entry: reverse, grid: n / 64, block: 64}]\n";

class Vet : public ::testing::Test {
 protected:
  ProgramResult vet(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "vet");
    arguments.insert(arguments.end(), {"--quiet", "--emulator-workers", "1"});
    return run_program(arguments, {"WARPWRIGHT_CACHE=" + cache_.string()});
  }
  // Vets one configuration of a shipped variant.
  void expect_clean(const std::string& kernel, const std::string& variant,
                    const std::vector<std::string>& parameters) {
    const char* schedules = is_thorough() ? "20" : "3";
    std::vector<std::string> arguments{kernel,        "--variant", variant,
                                       "--schedules", schedules,   "--set"};
    arguments.insert(arguments.end(), parameters.begin(), parameters.end());
    const ProgramResult result = vet(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
    EXPECT_THAT(result.out, HasSubstr("of 1 configuration"));
  }
  std::string write_reverse(const std::string& barrier) {
    write_text(folder_.path() / "reverse.cu", reverse_source(barrier));
    write_text(folder_.path() / "reverse.yaml", kReverseContract);
    return (folder_.path() / "reverse.cu").string();
  }
  TemporaryFolder folder_;
  std::filesystem::path cache_ = folder_.path() / "cache";
};

TEST_F(Vet, FindingsAreWrittenAsSarifToo) {
  const std::filesystem::path file = folder_.path() / "vet.sarif";
  const ProgramResult result = vet({write_reverse(""), "--sarif", file.string()});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  const auto results = nlohmann::json::parse(read_file(file)).at("runs").at(0).at("results");
  ASSERT_GE(results.size(), 1U);
  const auto place = results.at(0).at("locations").at(0).at("physicalLocation");
  EXPECT_THAT(place.at("artifactLocation").at("uri").get<std::string>(), HasSubstr("reverse.cu"));
  EXPECT_THAT(place.at("region").at("startLine").get<int>(), ::testing::AnyOf(4, 5));
}

// One test per kernel, because together they would take longer than any other test. Compiled code
// is kept in the build tree, as it is where vet is used.
class VetShipped : public Vet, public ::testing::WithParamInterface<std::string> {
 protected:
  VetShipped() { cache_ = std::string(WARPWRIGHT_BINARY_DIR) + "/test_cache"; }
};

// Variants that exist only for sm_120a run there, all others on the default device.
std::string device_for(const std::string& kernel) {
  const std::string contract =
      read_file(std::string(WARPWRIGHT_SOURCE_DIR) + "/kernels/" + kernel + "/kernel.yaml");
  const bool blackwell = contract.find("compute_capability == 120") != std::string::npos;
  return blackwell ? "emu:sm_120a" : "emu:sm_90a";
}

TEST_P(VetShipped, IsClean) {
  const char* schedules = is_thorough() ? "20" : "3";
  const ProgramResult result = vet({GetParam(), "--schedules", schedules, "--device",
                                    device_for(GetParam()), "--time", "300", "--strict"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr(GetParam() + ": nothing found in "));
}

std::vector<std::string> shipped_kernels() {
  std::vector<std::string> names;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(WARPWRIGHT_SOURCE_DIR) + "/kernels")) {
    const std::string name = entry.path().filename().string();
    // harness_faults misbehaves on purpose.
    if (std::filesystem::exists(entry.path() / "kernel.yaml") && name != "harness_faults")
      names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

TEST(VetShippedKernels, AreThere) { EXPECT_GE(shipped_kernels().size(), 9u); }

INSTANTIATE_TEST_SUITE_P(Kernels, VetShipped, ::testing::ValuesIn(shipped_kernels()),
                         [](const auto& test) { return test.param; });

// The defaults take one of two paths through this source; the other multiplies tokens by experts.
TEST_F(Vet, TheRouterWithTokensAsRowsIsClean) {
  expect_clean("moe_router", "decode_wgmma",
               {"GATE_ROWS=48", "TILE_TOKENS=64", "MERGE_TOKENS=1", "SPLITS=8", "PATIENCE=150"});
}

// With the defaults, blocks are independent. Here four blocks share copies, and a warp reads a part
// of a token's sums.
TEST_F(Vet, TheRouterThatSplitsOverClustersIsClean) {
  expect_clean("moe_router", "prefill_split",
               {"SHARE=2", "TOKEN_TILES=2", "STAGES=2", "SPLITS=16", "MERGE_TOKENS=12"});
}

TEST_F(Vet, FindsScratchThatIsNotLeftReady) {
  const ProgramResult broken = vet({kBroken + "spent_counter", "--variant", "counts_on"});
  EXPECT_EQ(broken.exit_code, 1) << broken.err;
  EXPECT_THAT(broken.out, AllOf(HasSubstr("wrong result: output 'y' was never written at [0]"),
                                HasSubstr("it found 'next_row' as the launch before left it")));
  const ProgramResult sound = vet({kBroken + "spent_counter", "--variant", "sound"});
  EXPECT_EQ(sound.exit_code, 0) << sound.out;
}

TEST_F(Vet, PrintsBothSidesOfARaceAndTheFix) {
  const ProgramResult result = vet({kBroken + "union_race", "--variant", "no_barrier"});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  // The conflict is between the store of probabilities and the load of scores.
  EXPECT_THAT(result.out, HasSubstr("no_barrier.cu:41: hazard: shared race: "));
  EXPECT_THAT(result.out, HasSubstr("   41 | tile.probabilities[warp][i] = to_bf16(p);"));
  EXPECT_THAT(result.out, HasSubstr("note: the other side: "));
  EXPECT_THAT(result.out, HasSubstr("fix: put a __syncthreads()"));
  EXPECT_THAT(result.out, HasSubstr("under all 5 schedules"));
  EXPECT_THAT(result.out, HasSubstr("--variant no_barrier --case 'partial_block' --seed 1`"));
}

TEST_F(Vet, FindsNothingInARightKernel) {
  const ProgramResult result = vet({kBroken + "union_race", "--variant", "sound"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_EQ(result.out,
            "union_race: nothing found in 1 case of 1 configuration under 5 schedules on "
            "emu:sm_90a; one schedule was enough: no other can differ\n");
}

TEST_F(Vet, NamesTheConstraintThatExcludesACase) {
  const std::string source = write_reverse("  __syncthreads();\n");
  write_text(folder_.path() / "reverse.yaml",
             std::string(kReverseContract) +
                 "constraints: [{expr: n % 64 == 0, because: blocks are whole}]\n"
                 "cases: [{name: whole, problem: {n: 64}}, {name: part, problem: {n: 65}}]\n");
  const ProgramResult all = vet({source});
  EXPECT_EQ(all.exit_code, 0) << all.out << all.err;
  EXPECT_THAT(all.out,
              AllOf(HasSubstr("without case 'part': "),
                    HasSubstr("the constraint 'n % 64 == 0' does not hold: blocks are whole"),
                    HasSubstr("nothing found in 2 cases of 1 configuration (1 of 2 runs)")));
  const ProgramResult none = vet({source, "--case", "part"});
  EXPECT_EQ(none.exit_code, 1) << none.out << none.err;
  EXPECT_THAT(none.out,
              AllOf(HasSubstr("reverse: could not be run: "), Not(HasSubstr("case 'part'")),
                    HasSubstr("does not hold: blocks are whole; pin other values with --set"),
                    HasSubstr("0 findings in 1 case of 1 configuration (0 of 1 runs)")));
}

TEST_F(Vet, JsonHoldsTheFindings) {
  const ProgramResult result =
      vet({kBroken + "union_race", "--variant", "no_barrier", "--schedules", "2", "--json"});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  const nlohmann::json json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["vet"]["kernel"], "union_race");
  EXPECT_EQ(json["vet"]["schedules"], 2);
  ASSERT_FALSE(json["hazards"].empty());
  EXPECT_EQ(json["hazards"][0]["kind"], "shared race");
  EXPECT_EQ(json["hazards"][0]["here"]["line"], 41);
  EXPECT_EQ(json["hazards"][0]["seen_in"], 2);
}

TEST_F(Vet, ASingleFileNeedsOnlyHowItIsLaunched) {
  const std::string file = write_reverse("");
  const ProgramResult broken = vet({file});
  EXPECT_EQ(broken.exit_code, 1) << broken.err;
  EXPECT_THAT(broken.out, HasSubstr("reverse.cu:4: hazard: shared race: "));
  EXPECT_THAT(broken.out, HasSubstr("what the kernel computes was not looked at"));
  const ProgramResult fixed = vet({write_reverse("  __syncthreads();\n")});
  EXPECT_EQ(fixed.exit_code, 0) << fixed.out << fixed.err;
  EXPECT_THAT(fixed.out, HasSubstr("nothing found"));
}

TEST_F(Vet, WorkersThatShareSchedulesSayWhatOneSays) {
  const std::string file = write_reverse("");
  const auto say = [&](const char* workers) {
    return run_program({"vet", file, "--schedules", "7", "--quiet", "--emulator-workers", workers},
                       {"WARPWRIGHT_CACHE=" + (folder_.path() / "cache").string()});
  };
  const ProgramResult one = say("1"), three = say("3");
  EXPECT_EQ(one.exit_code, 1) << one.err;
  EXPECT_THAT(one.out, HasSubstr("under all 7 schedules"));
  EXPECT_EQ(three.out, one.out);
}

TEST_F(Vet, OneScheduleIsEnoughWhereNoOtherCanDiffer) {
  const std::string file = (folder_.path() / "count.cu").string();
  write_text(file,
             "// vet: add<<<2, 64>>>(y[128])\n"
             "__global__ void add(int* y) { y[blockIdx.x * 64 + threadIdx.x] += 1; }\n"
             "// vet: total<<<2, 64>>>(sum[1])\n"
             "__global__ void total(int* sum) { atomicAdd(sum, 1); }\n"
             "// vet: call<<<1, 1>>>(count[1])\n"
             "__device__ int calls;\n"
             "__global__ void call(int* count) { *count = ++calls; }\n");
  const ProgramResult result = vet({file, "--json"});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  const nlohmann::json json = nlohmann::json::parse(result.out);
  ASSERT_EQ(json["hazards"].size(), 1u) << result.out;
  EXPECT_EQ(json["hazards"][0]["kind"], "state kept between launches");
  EXPECT_EQ(json["vet"]["schedules"], 5);
  EXPECT_EQ(json["vet"]["runs"], 3);
  // One schedule is not enough where there are atomics, or where a variable keeps state from the
  // launch before.
  EXPECT_EQ(json["vet"]["same_under_all_schedules"], 1);
}

TEST_F(Vet, FirstReadsOfCasLoopsAreTrustedOnRequest) {
  const std::string file = (folder_.path() / "largest.cu").string();
  write_text(file,
             "// vet: largest<<<2, 64>>>(x[128], y[1])\n"
             "__global__ void largest(const int* x, int* y) {\n"
             "  const int mine = x[blockIdx.x * 64 + threadIdx.x];\n"
             "  int seen = *y, assumed;\n"
             "  do {\n    assumed = seen;\n"
             "    seen = atomicCAS(y, assumed, max(assumed, mine));\n"
             "  } while (seen != assumed);\n}\n");
  const ProgramResult strict = vet({file});
  EXPECT_EQ(strict.exit_code, 1) << strict.err;
  EXPECT_THAT(strict.out, HasSubstr("largest.cu:4: "));
  const ProgramResult trusting = vet({file, "--trust-cas-reads"});
  EXPECT_EQ(trusting.exit_code, 0) << trusting.out << trusting.err;
}

// A whole program, with the launch in its main() repeated in a comment.
std::string whole_program(const std::string& barrier) {
  return "#include <cstdio>\n#include <vector>\n#include <cublasLt.h>\nusing namespace std;\n"
         "#define CHECK(x) if ((x) != cudaSuccess) { printf(\"%s\\n\", cudaGetErrorString(x)); }\n"
         "struct Timer { cudaEvent_t a; Timer() { cudaEventCreate(&a); } };\n"
         "// vet: n = 128\n"
         "// vet: reverse<<<n / 64, 64>>>(x[n], y[n] = unset, n)\n" +
         reverse_source(barrier) +
         "static vector<float> host;\n"
         "int main() {\n  float* d; CHECK(cudaMalloc(&d, 512));\n  reverse<<<2, 64>>>(d, d, "
         "128);\n}\n";
}

TEST_F(Vet, AWholeProgramIsLaunchedByItsComment) {
  const std::string file = (folder_.path() / "program.cu").string();
  write_text(file, whole_program(""));
  const ProgramResult broken = vet({file});
  EXPECT_EQ(broken.exit_code, 1) << broken.err;
  EXPECT_THAT(broken.out,
              AllOf(HasSubstr("program.cu:12: hazard: shared race: "),
                    HasSubstr("note: reverse, case 'line 8' (n=128) under all 5 "
                              "schedules; again with `warpwright vet " +
                              file + " --case 'line 8' --seed 1`"),
                    HasSubstr("in 1 launch comment under 5 schedules on emu:sm_90a\n")));
  write_text(file, whole_program("  __syncthreads();\n"));
  const ProgramResult fixed = vet({file, "--set", "n=64", "--arch", "sm_80"});
  EXPECT_EQ(fixed.exit_code, 0) << fixed.out << fixed.err;
  EXPECT_EQ(fixed.out,
            "program.cu: note: left out as host code: the body of 'main' (line 17), the body of "
            "'Timer' (line 6), 'host' (line 16), the header 'vector' (line 2) and the header "
            "'cublasLt.h' (line 3)\n"
            "program.cu: nothing found in 1 launch comment under 5 schedules on emu:sm_80; one "
            "schedule was enough: no other can differ\n");
}

TEST_F(Vet, TemplatesFoldersAndMacrosOfACommentedFile) {
  std::filesystem::create_directory(folder_.path() / "headers");
  write_text(folder_.path() / "headers" / "twice.h",
             "template <class T> __device__ T twice(T x) { return x + x; }\n");
  const std::string file = (folder_.path() / "scale.cu").string();
  write_text(file,
             "#include \"twice.h\"\n// vet: scale<float, LANES><<<1, 32>>>(x[LAST], true)\n"
             "template <class T, int N> __global__ void scale(T* x, bool on) {\n"
             "  if (on) x[threadIdx.x] = twice(x[threadIdx.x]);\n}\n");
  const ProgramResult unknown = vet({file});
  EXPECT_EQ(unknown.exit_code, 2) << unknown.out;
  EXPECT_THAT(unknown.err, HasSubstr("scale.cu:2:42: unknown name 'LAST' in \"LAST\""));
  write_text(file, "// vet: LAST = 31\n" + read_file(file));
  const ProgramResult found =
      vet({file, "-I", (folder_.path() / "headers").string(), "-D", "LANES=4", "--schedules", "1"});
  EXPECT_EQ(found.exit_code, 1) << found.err;
  EXPECT_THAT(found.out, AllOf(HasSubstr("of buffer 'x' (124 bytes)"), HasSubstr(" -D LANES=4 ")));
}

TEST_F(Vet, AHeaderMayHaveLaunchComments) {
  const std::string file = (folder_.path() / "scale.cuh").string();
  write_text(file,
             "#pragma once\n// vet: scale<<<1, 32>>>(x[31])\n"
             "__global__ void scale(float* x) { x[threadIdx.x] *= 2; }\n");
  const ProgramResult result = vet({file});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_THAT(result.out, HasSubstr("scale.cuh:3: fault: out of bounds: "));
}

TEST_F(Vet, LaunchCommentsThatDoNotFitTheirKernelsAreExplained) {
  const std::string file = (folder_.path() / "reverse.cu").string();
  const auto message = [&](const std::string& comment) {
    write_text(file, "// vet: " + comment + "\n" + reverse_source(""));
    const ProgramResult result = vet({file});
    EXPECT_EQ(result.exit_code, 2) << result.out;
    return result.err;
  };
  EXPECT_EQ(message("revers<<<1, 64>>>(x[64], y[64], 64)"),
            "warpwright: " + file + ":1:9: there is no kernel 'revers'; did you mean 'reverse'?\n");
  EXPECT_EQ(message("reverse<<<1, 64>>>(x[64], y[64])"),
            "warpwright: " + file +
                ":1:9: 'reverse' takes 3 arguments (float const*, float*, int), got 2; make them "
                "match\n");
}

TEST_F(Vet, DeviceCodeThatDoesNotCompileIsAnError) {
  const std::string file = (folder_.path() / "reverse.cu").string();
  write_text(file, "#include <nowhere.h>\n// vet: reverse<<<1, 64>>>(x[64], y[64], 64)\n" +
                       reverse_source("  missing();\n"));
  const ProgramResult result = vet({file});
  EXPECT_EQ(result.exit_code, 2) << result.out;
  EXPECT_EQ(result.err,
            "warpwright: " + file +
                ":7: error: identifier \"missing\" is undefined; these headers were not found and "
                "left out: nowhere.h; name their folders with -I, or put what needs them between "
                "#ifndef __CUDACC_RTC__ and #endif\n");
}

// Without the body, there would be no hazard left to find.
TEST_F(Vet, ABodyThatDeviceCodeCallsIsNeverLeftOut) {
  const std::string file = (folder_.path() / "reverse.cu").string();
  const auto message = [&](const std::string& helper) {
    write_text(file, "#include <algorithm>\n// vet: reverse<<<1, 64>>>(x[64], y[64], 64)\n" +
                         helper + reverse_source("  if (helper(n)) __syncthreads();\n"));
    const ProgramResult result = vet({file});
    EXPECT_EQ(result.exit_code, 2) << result.out;
    return result.err;
  };
  EXPECT_EQ(
      message("constexpr bool helper(int n) {\n  int a[2] = {n, 64};\n  std::sort(a, a + 2);\n"
              "  return a[1] == n;\n}\n"),
      "warpwright: " + file +
          ":3: error: device code calls 'helper', whose body was left out: namespace \"std\" "
          "has no member \"sort\"; write it so that NVRTC takes it, or another one under #ifdef "
          "__CUDACC_RTC__\n");
  EXPECT_EQ(
      message("template <class T> constexpr bool helper(T n) { return n > T(__builtin_strlen(\"\")"
              " + absent) + absent; }\n"),
      "warpwright: " + file +
          ":3: error: device code calls 'helper', whose body was left out: identifier "
          "\"__builtin_strlen\" is undefined; write it so that NVRTC takes it, or another one "
          "under #ifdef "
          "__CUDACC_RTC__\n");
}

TEST_F(Vet, WhatNvccWouldRefuseIsNotPassed) {
  const std::string file = (folder_.path() / "reverse.cu").string();
  write_text(folder_.path() / "lines.inc", "tile[threadIdx.x] = absent;\n");
  const auto message = [&](const std::string& before, const std::string& barrier) {
    write_text(file,
               before + "// vet: reverse<<<1, 64>>>(x[64], y[64], 64)\n" + reverse_source(barrier));
    const ProgramResult result = vet({file});
    EXPECT_EQ(result.exit_code, 2) << result.out;
    return result.err;
  };
  const std::string barrier = "  __syncthreads();\n";
  for (const std::string header : {"\"cfg.h\"", "<cfg.h>"})
    EXPECT_EQ(
        message("#include " + header + "\n", "#ifndef RACY\n" + barrier + "#endif\n"),
        "warpwright: " + file +
            ":1: error: the header 'cfg.h' was not found, and device code may need it; name its "
            "folder with -I, or put what needs it between #ifndef __CUDACC_RTC__ and #endif\n");
  EXPECT_EQ(message("static_assert(sizeof(int) == 5, \"no\");\n", barrier),
            "warpwright: " + file + ":1: error: static assertion failed with \"no\"\n");
  EXPECT_EQ(message("", "#include \"lines.inc\"\n" + barrier),
            "warpwright: " + (folder_.path() / "lines.inc").string() +
                ":1: error: identifier \"absent\" is undefined\n");
}

TEST_F(Vet, LinesOfAnyFileNameAreFound) {
  for (const std::string name :
       {"M\xC3\xBCller.cu", "a\tb.cu", "back\\slash.cu", "x.CU", "a\nb.cu"}) {
    const std::string file = (folder_.path() / name).string();
    write_text(file, "// vet: reverse<<<1, 64>>>(x[64], y[64], 64)\n" + reverse_source(""));
    const ProgramResult result = vet({file});
    EXPECT_EQ(result.exit_code, 1) << result.err;
    EXPECT_THAT(result.out, HasSubstr("    6 | y[first + threadIdx.x] = tile[63 - threadIdx.x];\n"))
        << name;
  }
}

TEST_F(Vet, ASourceWithANulIsNotPassed) {
  const std::string file = (folder_.path() / "reverse.cu").string();
  write_text(file, "// vet: reverse<<<1, 64>>>(x[64], y[64], 64)\n" +
                       reverse_source("  __syncthreads();\n") + std::string("\n\0int;\n", 7));
  const ProgramResult result = vet({file});
  EXPECT_EQ(result.exit_code, 2) << result.out;
  EXPECT_EQ(result.err, "warpwright: " + file +
                            ":10: error: a source cannot contain a NUL character; remove it\n");
}

TEST_F(Vet, FaultsAreFindings) {
  const std::string file = write_reverse("  if (threadIdx.x < 32) __syncthreads();\n");
  const ProgramResult result = vet({file, "--seed", "3"});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("reverse.cu:5: "), HasSubstr("--seed 3`")));
}

TEST_F(Vet, ALimitIsNoFinding) {
  const std::string file =
      write_reverse("  for (volatile int i = 0; i < 20000; ++i) {}\n  __syncthreads();\n");
  const ProgramResult limited = vet({file, "--instructions", "10000"});
  EXPECT_EQ(limited.exit_code, 4) << limited.out << limited.err;
  EXPECT_THAT(limited.out,
              AllOf(HasSubstr("not decided: more than 10000 warp instructions; the first "
                              "unfinished warp was at "),
                    HasSubstr("reverse: nothing found in "), HasSubstr("; 1 not decided\n")));
  const ProgramResult decided = vet({file, "--instructions", "100000000", "--time", "300"});
  EXPECT_EQ(decided.exit_code, 0) << decided.out << decided.err;
}

TEST_F(Vet, FindingsBeforeALimitAreTold) {
  const std::string file = write_reverse("");
  write_text(folder_.path() / "reverse.cu",
             reverse_source("  y[first + threadIdx.x] = tile[63 - threadIdx.x];\n"
                            "  for (volatile int i = 0; i < 20000; ++i) {}\n"));
  const ProgramResult result = vet({file, "--instructions", "10000"});
  EXPECT_EQ(result.exit_code, 1) << result.out << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("shared race"), HasSubstr("; 1 not decided\n")));
}

// A wgmma whose sums are used without a wait; ptxas serialises it, and sweeps refuse such kernels.
std::string sums_source(const std::string& wait) {
  return R"(extern "C" __global__ void sums(float* y) {
  __shared__ __align__(128) unsigned tile[1024];
  for (int i = threadIdx.x; i < 1024; i += 128) tile[i] = 0x3c003c00;
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(tile));
  const unsigned long long d = (at & 0x3ffff) >> 4 | 8ull << 16 | 16ull << 32;
  float a[4] = {0, 0, 0, 0};
  for (int i = 0; i < 4; i++) {
    asm volatile("wgmma.fence.sync.aligned;" : "+f"(a[0]), "+f"(a[1]), "+f"(a[2]), "+f"(a[3]) :: "memory");
    asm volatile("{.reg .pred p; setp.ne.b32 p, 1, 0;"
                 "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0,%1,%2,%3}, %4, %5, p, 1, 1, 0, 0;}"
                 : "+f"(a[0]), "+f"(a[1]), "+f"(a[2]), "+f"(a[3]) : "l"(d), "l"(d));
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
)" + wait +
         R"(
    a[0] *= 0.5f;
  }
  asm volatile("wgmma.wait_group.sync.aligned 0;" : "+f"(a[0]), "+f"(a[1]), "+f"(a[2]), "+f"(a[3]) :: "memory");
  y[threadIdx.x] = a[0] + a[1] + a[2] + a[3];
}
)";
}

TEST_F(Vet, WhatPtxasSerialisesIsLookedAt) {
  write_text(folder_.path() / "sums.yaml",
             "problem: {n: {default: 128}}\n"
             "arguments:\n"
             "  - {name: y, out: f32, shape: [n]}\n"
             "launches: [{entry: sums, grid: 1, block: n}]\n");
  const std::string file = (folder_.path() / "sums.cu").string();
  write_text(file, sums_source(""));
  const ProgramResult broken = vet({file});
  EXPECT_EQ(broken.exit_code, 1) << broken.out << broken.err;
  EXPECT_THAT(broken.out, AllOf(HasSubstr("hazard: register in flight: "),
                                HasSubstr("note: sums: wgmma is serialised: ptxas (C75"),
                                HasSubstr("; sweeps refuse it, its PTX was looked at\n")));
  write_text(file, sums_source("asm volatile(\"wgmma.wait_group.sync.aligned 0;\" : \"+f\"(a[0]), "
                               "\"+f\"(a[1]), \"+f\"(a[2]), \"+f\"(a[3]) :: \"memory\");"));
  const ProgramResult fixed = vet({file});
  EXPECT_EQ(fixed.exit_code, 0) << fixed.out << fixed.err;
}

TEST_F(Vet, OutputsThatNobodyWroteAreNotRead) {
  write_reverse("");
  write_text(folder_.path() / "reverse.cu",
             "extern \"C\" __global__ void reverse(const float* x, float* y, int n) {\n"
             "  y[blockIdx.x * 64 + threadIdx.x] += x[threadIdx.x];\n"
             "}\n");
  const ProgramResult result = vet({(folder_.path() / "reverse.cu").string()});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_THAT(result.out, HasSubstr("reverse.cu:2: hazard: uninitialised global memory: "));
}

TEST_F(Vet, WrongInputIsExplained) {
  write_text(folder_.path() / "alone.cu", "extern \"C\" __global__ void alone() {}\n");
  const ProgramResult alone = vet({(folder_.path() / "alone.cu").string()});
  EXPECT_EQ(alone.exit_code, 2);
  EXPECT_THAT(alone.err, HasSubstr("nothing says how to launch it; write "));
  const ProgramResult variant = vet({kBroken + "union_race", "--variant", "soundd"});
  EXPECT_EQ(variant.exit_code, 2);
  EXPECT_THAT(variant.err, HasSubstr("has no variant 'soundd'; did you mean 'sound'?"));
  const ProgramResult size = vet({kBroken + "union_race", "--set", "row=3"});
  EXPECT_EQ(size.exit_code, 2);
  EXPECT_THAT(size.err, HasSubstr("unknown parameter or size 'row'"));
  const ProgramResult kernel = vet({"softmax_topkk"});
  EXPECT_EQ(kernel.exit_code, 2);
}

}  // namespace
}  // namespace warpwright::testing
