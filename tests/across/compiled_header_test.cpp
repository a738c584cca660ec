// Written headers as compilers see them: they compile everywhere without a warning, whatever the
// names of a contract. The compilers of this machine are used; nvcc and NVRTC where they are.
#include "across/compiled_header.h"

#include <fmt/format.h>

#include "compile/nvrtc.h"

namespace warpwright {
namespace {

using testing::CommandResult;
using testing::header_text;
using testing::kWarnings;
using testing::sample_selection;

constexpr const char* kVersion = "warpwright 0.1.0";

// Static checks that hold in every language mode, in a translation unit of their own.
constexpr const char* kStaticChecks = R"(
#include "selection.h"
constexpr ww_device kH200{"NVIDIA H200", "sm_90a"};
WW_FN ww_selection select(const char* name, const char* arch, ww_row_mix_problem problem) {
  return ww_row_mix_select({name, arch}, problem);
}
constexpr ww_selection kTuned = ww_row_mix_select(kH200, {16, 64});
constexpr ww_row_mix_configuration kChosen = ww_row_mix_configurations[kTuned.configuration];
static_assert(kTuned.match == WW_MATCH_EXACT, "");
static_assert(kChosen.threads == 1024, "");
static_assert(ww_row_mix_boards[kTuned.nearest].median_us == 7.5, "");
static_assert(ww_row_mix_select(kH200, {24, 64}).match == WW_MATCH_NEAREST_SAME_DEVICE, "");
static_assert(ww_row_mix_select(kH200, {24, 64}).distance > 0.5, "");
static_assert(select("NVIDIA GH200", "sm_90", {24, 64}).match == WW_MATCH_NEAREST_SAME_ARCH, "");
static_assert(select("", "gfx942", {16, 16}).match == WW_MATCH_DEFAULT, "");
static_assert(select("NVIDIA H200", "sm_80", {16, 64}).match == WW_MATCH_DEFAULT, "");
static_assert(select("NVIDIA H200", "sm_80", {16, 64}).limits.max_shared == 166912, "");
static_assert(ww_row_mix_select(kH200, {16, 64, WW_ROW_MIX_DTYPE_F32, 0}).match == WW_MATCH_NEAREST_OTHER_CHOICE, "");
static_assert(ww_row_mix_select(kH200, {0, 64}).match == WW_MATCH_NONE, "");
static_assert(ww_row_mix_select(kH200, {0, 64}).configuration == -1, "");
static_assert(ww_row_mix_select(kH200, {9223372036854775807LL, 64}).match == WW_MATCH_NONE, "");
WW_FN ww_row_mix_variant variant_for(long long rows, long long k) {
  return ww_row_mix_configurations[ww_row_mix_select(kH200, {rows, k}).configuration].variant;
}
static_assert(variant_for(5000, 8) == WW_ROW_MIX_VARIANT_WARP, "");
static_assert(variant_for(5000, 33) == WW_ROW_MIX_VARIANT_WIDE, "");
constexpr ww_row_mix_options kOptions = ww_row_mix_compile_options(kTuned, {16, 64});
static_assert(kOptions.count == 7, "");
static_assert(kOptions.option[1][2] == 'T' && kOptions.option[1][10] == '1', "");
constexpr ww_launch_plan kPlan = ww_row_mix_launch(kTuned, {16, 64}, 0);
static_assert(kPlan.ok && kPlan.grid[0] == 16 && kPlan.block[0] == 1024 && kPlan.shared_bytes == 8192, "");
static_assert(!ww_row_mix_launch(kTuned, {16, 64}, 1).ok, "");
static_assert(!ww_row_mix_launch(ww_selection(), {16, 64}, 0).ok, "");
static_assert(ww_row_mix_boards[0].tied == 1 && ww_row_mix_boards[0].rounds == 46, "");
static_assert(ww_row_mix_default_problem().eps == 1e-5 && ww_row_mix_problem{1, 2}.write_z == 1, "");
)";

class CompiledHeader : public testing::HeaderCompiler {
 protected:
  void SetUp() override {
    HeaderCompiler::SetUp();
    host_.write("static.cpp", std::string(kStaticChecks) + "int main() { return 0; }\n");
    host_.write("plain.c", "#include \"selection.h\"\nint main(void) { return 0; }\n");
  }
};

TEST_F(CompiledHeader, IsFreeOfWarningsAsCpp17AndCpp20) {
  for (const char* standard : {"c++17", "c++20"})
    expect_compiles(fmt::format("c++ -std={}{}-c static.cpp -o /dev/null", standard, kWarnings));
}

TEST_F(CompiledHeader, IsFreeOfWarningsForClang) {
  if (host_.run("command -v clang++").exit_code != 0) GTEST_SKIP() << "no clang++ here";
  expect_compiles("clang++ -std=c++17" + kWarnings + "-c static.cpp -o /dev/null");
  expect_compiles("clang -std=c99" + kWarnings + "-c plain.c -o /dev/null");
}

TEST_F(CompiledHeader, IsFreeOfWarningsAsC99AndC11) {
  for (const char* standard : {"c99", "c11"})
    expect_compiles(fmt::format("cc -std={}{}-c plain.c -o /dev/null", standard, kWarnings));
}

TEST_F(CompiledHeader, SeveralHeadersAndTranslationUnitsLinkTogether) {
  SelectionModel other = sample_selection();
  other.contract.name = "other";
  HeaderOptions options{.version = kVersion, .prefix = "acme_", .name_space = "acme::tuned"};
  host_.write("other.h", selection_header(other, options));
  host_.write("a.cpp",
              "#include \"selection.h\"\n#include \"other.h\"\nint b();\n"
              "int main() {\n  const ww_device device{\"NVIDIA H200\", \"sm_90a\"};\n"
              "  const ww_selection a = ww_row_mix_select(device, {16, 64});\n"
              "  const ww_selection c = acme::tuned::acme_other_select(device, {16, 64});\n"
              "  return a.configuration != c.configuration || b() != 5;\n}\n");
  host_.write("b.cpp",
              "#include \"other.h\"\n#include \"selection.h\"\n"
              "int b() { return acme::tuned::ACME_OTHER_BOARD_COUNT; }\n");
  host_.write("c.c",
              "#include \"other.h\"\n#include \"selection.h\"\n"
              "int main(void) { return ACME_OTHER_BOARD_COUNT - WW_ROW_MIX_BOARD_COUNT; }\n");
  expect_compiles("c++ -std=c++17" + kWarnings + "a.cpp b.cpp -o ab && ./ab");
  expect_compiles("cc -std=c99" + kWarnings + "c.c -o c && ./c");
}

TEST_F(CompiledHeader, ASharedHeaderOfAnotherVersionIsRefused) {
  const std::string shared = read_file(host_.path() / "warpwright_select.h");
  std::string other = shared;
  const std::string_view version = "#define WARPWRIGHT_SELECT_VERSION 1";
  other.replace(other.find(version), version.size(), "#define WARPWRIGHT_SELECT_VERSION 0");
  host_.write("warpwright_select.h", other);
  EXPECT_NE(host_.run("cc -std=c99 -c plain.c -o /dev/null")
                .output.find("this header is of another version than warpwright_select.h: export "
                             "again"),
            std::string::npos);
}

TEST_F(CompiledHeader, CompilesWithNvcc) {
  if (host_.run("command -v nvcc").exit_code != 0) GTEST_SKIP() << "no nvcc here";
  host_.write("device.cu", std::string(kStaticChecks) +
                               "__global__ void k(float* x) {\n"
                               "  constexpr int threads = static_cast<int>(kChosen.threads);\n"
                               "  __shared__ float tile[threads];\n"
                               "  tile[threadIdx.x] = x[threadIdx.x];\n"
                               "  x[threadIdx.x] = tile[threads - 1 - threadIdx.x];\n}\n");
  expect_compiles("nvcc -std=c++17 -arch=sm_90a -Werror all-warnings -c device.cu -o device.o");
}

// As a kernel may: -D options of the configuration, names of members among them, and all.
TEST_F(CompiledHeader, CompilesThroughNvrtcBesideItsOwnDefines) {
  if (!locate_toolchain()) GTEST_SKIP() << "no NVRTC here: run scripts/dev/fetch_cuda";
  const Nvrtc nvrtc(require_toolchain());
  CompileJob job;
  job.source = host_.write("device.cu",
                           std::string(kStaticChecks) +
                               "extern \"C\" __global__ void k(float* x) {\n"
                               "  constexpr int threads = static_cast<int>(kChosen.threads);\n"
                               "  static_assert(threads == THREADS && HINT == 3);\n"
                               "  __shared__ float tile[threads];\n"
                               "  tile[threadIdx.x] = x[threadIdx.x] * SCALE;\n"
                               "  x[threadIdx.x] = tile[threads - 1 - threadIdx.x] + TOP_K;\n}\n");
  job.arch = "sm_90a";
  job.defines = {{"THREADS", "1024"}, {"HINT", "3"}, {"SCALE", "0.5"}, {"TOP_K", "64"}};
  for (const char* standard : {"--std=c++17", "--std=c++20"}) {
    job.extra_options = {standard};
    const CompileResult result = nvrtc.compile(job);
    EXPECT_TRUE(result.ok) << result.failure << result.log;
  }
}

// Names that C++, C, CUDA or the header itself would trip over.
TEST_F(CompiledHeader, HostileNamesCompile) {
  SelectionModel model = sample_selection();
  KernelSpec& contract = model.contract;
  contract.name = "class";
  contract.summary = "*/ #error \\\n // \"";
  contract.problem[0].name = "int";
  contract.problem[1].name = "a";
  contract.problem[2].name = "value";
  contract.problem[2].values = {"f32", "bf16"};
  contract.problem[3].name = "device_max_shared";
  contract.problem[4].name = "__x";
  contract.problem[5].name = "Problem";
  contract.problem[5].doc = "ends in a backslash \\";
  contract.parameters[0].name = "select";
  contract.parameters[1].name = "problem";
  contract.parameters[1].values = {"none", "streaming", "row-major", "2d", "NONE", "void"};
  contract.parameters[2].name = "vote";
  for (VariantSpec& variant : contract.variants) {
    for (std::string& name : variant.parameters)
      name = name == "THREADS" ? "select" : name == "HINT" ? "problem" : "vote";
    variant.constraints = {
        testing::constraint("select % 32 == 0 && a > 0 && value != 'f64'"),
        testing::constraint("device_max_shared <= device.max_shared && __x < 1e300")};
    for (LaunchSpec& launch : variant.launches) {
      launch.grid = launch.block = {Expr::parse("select")};
      launch.shared_bytes = Expr::parse("device_max_shared");
    }
  }
  contract.variants[0].name = "operator";
  contract.variants[1].name = "Operator";
  contract.work.bytes = Expr::parse("a * sizeof(value)");
  host_.write("hostile.h", header_text(model));
  host_.write("hostile.cpp",
              "#include \"hostile.h\"\n"
              "static_assert(ww_class__select({\"NVIDIA H200\", \"sm_90a\"}, {16, 64}).match == "
              "WW_MATCH_EXACT, \"\");\n"
              "int main() { return 0; }\n");
  host_.write("hostile.c", "#include \"hostile.h\"\nint main(void) { return 0; }\n");
  expect_compiles("c++ -std=c++17" + kWarnings + "-c hostile.cpp -o /dev/null");
  expect_compiles("cc -std=c99" + kWarnings + "-c hostile.c -o /dev/null");
  if (!locate_toolchain()) return;
  const Nvrtc nvrtc(require_toolchain());
  CompileJob job;
  job.source = host_.write(
      "hostile.cu",
      "#include \"hostile.h\"\nextern \"C\" __global__ void k(int* x) { *x = select; }\n");
  job.arch = "sm_90a";
  job.defines = {{"select", "64"}, {"problem", "streaming"}, {"vote", "0.5"}};
  const CompileResult result = nvrtc.compile(job);
  EXPECT_TRUE(result.ok) << result.failure;
}

}  // namespace
}  // namespace warpwright
