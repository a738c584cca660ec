// Written headers as compilers see them: they compile everywhere without a warning, and choose as
// select_configuration() does. The compilers of this machine are used; nvcc and NVRTC where they
// are.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <sstream>

#include "analysis/sample_selection.h"
#include "analysis/select/select_configuration.h"
#include "compile/nvrtc.h"
#include "core/random_expression.h"
#include "exchange/header/expr_code.h"
#include "exchange/header/header_values.h"
#include "exchange/header/selection_writers.h"
#include "support/host_compiler.h"

namespace warpwright {
namespace {

using testing::CommandResult;
using testing::HostCompiler;
using testing::RandomExpression;
using testing::sample_selection;

constexpr const char* kVersion = "warpwright 0.1.0";
const std::string kWarnings = HostCompiler::kWarnings;

// Static checks that hold in every language mode, in a translation unit of their own.
constexpr const char* kStaticChecks = R"(
#include "selection.h"
namespace tuned = warpwright::row_mix;
constexpr tuned::Device kH200{"NVIDIA H200", "sm_90a"};
constexpr tuned::Selection kTuned = tuned::select(kH200, {16, 64});
static_assert(kTuned.match == tuned::Match::exact, "");
static_assert(kTuned.configuration->threads == 1024, "");
static_assert(kTuned.nearest->median_us == 7.5, "");
static_assert(tuned::select(kH200, {24, 64}).match == tuned::Match::nearest_same_device, "");
static_assert(tuned::select(kH200, {24, 64}).distance > 0.5, "");
static_assert(tuned::select({"NVIDIA GH200", "sm_90"}, {24, 64}).match == tuned::Match::nearest_same_arch, "");
static_assert(tuned::select({"", "gfx942"}, {16, 16}).match == tuned::Match::default_, "");
static_assert(tuned::select(kH200, {16, 64, tuned::Dtype::f32, 0}).match == tuned::Match::default_, "");
static_assert(tuned::select(kH200, {0, 64}).match == tuned::Match::none, "");
static_assert(tuned::select(kH200, {0, 64}).configuration == nullptr, "");
static_assert(tuned::select(kH200, {9223372036854775807LL, 64}).match == tuned::Match::none, "");
static_assert(tuned::select(kH200, {5000, 8}).configuration->variant == tuned::Variant::warp, "");
static_assert(tuned::select(kH200, {5000, 33}).configuration->variant == tuned::Variant::wide, "");
constexpr tuned::Options kOptions = tuned::defines(*kTuned.configuration, {16, 64});
static_assert(kOptions.count == 6, "");
static_assert(kOptions.option[0][2] == 'T' && kOptions.option[0][10] == '1', "");
constexpr tuned::LaunchPlan kPlan = tuned::launch(*kTuned.configuration, {16, 64}, kTuned.limits, 0);
static_assert(kPlan.ok && kPlan.grid[0] == 16 && kPlan.block[0] == 1024 && kPlan.shared_bytes == 8192, "");
static_assert(!tuned::launch(*kTuned.configuration, {16, 64}, kTuned.limits, 1).ok, "");
static_assert(tuned::kConfigurations[1].launches[0].shared_bytes == 8192, "");
static_assert(tuned::kConfigurations[3].launches[0].shared_bytes == -1, "depends on the problem");
static_assert(tuned::kBoards[0].tied == 1 && tuned::kBoards[0].rounds == 46, "");
)";

class CompiledHeader : public ::testing::Test {
 protected:
  void SetUp() override {
    host_.write("selection.h", cpp_header(sample_selection(), kVersion));
    host_.write("selection_c.h", c_header(sample_selection(), kVersion));
    host_.write("static.cpp", std::string(kStaticChecks) + "int main() { return 0; }\n");
  }
  void expect_compiles(const std::string& command) const {
    const CommandResult result = host_.run(command);
    EXPECT_EQ(result.exit_code, 0) << command << "\n" << result.output;
    EXPECT_EQ(result.output, "") << command;
  }

  HostCompiler host_;
};

TEST_F(CompiledHeader, IsFreeOfWarningsAsCpp17AndCpp20) {
  for (const char* standard : {"c++17", "c++20"})
    expect_compiles(fmt::format("c++ -std={}{}-c static.cpp -o /dev/null", standard, kWarnings));
}

TEST_F(CompiledHeader, IsFreeOfWarningsForClang) {
  if (host_.run("command -v clang++").exit_code != 0) GTEST_SKIP() << "no clang++ here";
  expect_compiles("clang++ -std=c++17" + kWarnings + "-c static.cpp -o /dev/null");
  host_.write("plain.c", "#include \"selection_c.h\"\nint main(void) { return 0; }\n");
  expect_compiles("clang -std=c99" + kWarnings + "-c plain.c -o /dev/null");
}

TEST_F(CompiledHeader, IsFreeOfWarningsAsC99AndC11AndInCpp) {
  host_.write("plain.c", "#include \"selection_c.h\"\nint main(void) { return 0; }\n");
  expect_compiles("cc -std=c99" + kWarnings + "-c plain.c -o /dev/null");
  expect_compiles("cc -std=c11" + kWarnings + "-c plain.c -o /dev/null");
  expect_compiles("c++ -std=c++17 -Wall -Wextra -Werror -x c++ -c plain.c -o /dev/null");
}

TEST_F(CompiledHeader, SeveralHeadersAndTranslationUnitsLinkTogether) {
  SelectionModel other = sample_selection();
  other.contract.name = "other";
  host_.write("other.h", cpp_header(other, kVersion));
  host_.write("a.cpp",
              "#include \"selection.h\"\n#include \"other.h\"\nint b();\n"
              "int main() { return warpwright::row_mix::kBoardCount + b() - 10; }\n");
  host_.write("b.cpp",
              "#include \"other.h\"\n#include \"selection.h\"\n"
              "int b() { return warpwright::other::kBoardCount; }\n");
  expect_compiles("c++ -std=c++17" + kWarnings + "a.cpp b.cpp -o ab && ./ab");
}

TEST_F(CompiledHeader, CompilesWithNvcc) {
  if (host_.run("command -v nvcc").exit_code != 0) GTEST_SKIP() << "no nvcc here";
  host_.write("device.cu",
              std::string(kStaticChecks) +
                  "__global__ void k(float* x) {\n"
                  "  constexpr int threads = static_cast<int>(kTuned.configuration->threads);\n"
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
  job.source =
      host_.write("device.cu",
                  std::string(kStaticChecks) +
                      "extern \"C\" __global__ void k(float* x) {\n"
                      "  constexpr int threads = static_cast<int>(kTuned.configuration->threads);\n"
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

// A program that reads "name arch rows K dtype write_z" lines and answers each choice.
constexpr const char* kAskCpp = R"(
#include "selection.h"
#include <cstdio>
namespace tuned = warpwright::row_mix;
int main() {
  char name[64], arch[64];
  long long rows, k, write_z; int dtype, causal; double eps;
  while (std::scanf("%63[^|]|%63[^|]|%lld %lld %d %lld %lf %d ", name, arch, &rows, &k, &dtype, &write_z, &eps, &causal) == 8) {
    const tuned::Problem problem{rows, k, static_cast<tuned::Dtype>(dtype), write_z, eps, causal != 0};
    const tuned::Selection s = tuned::select({name, arch}, problem);
    std::printf("%d %d %.9f %.9f\n", static_cast<int>(s.match),
                s.configuration != nullptr ? static_cast<int>(s.configuration - tuned::kConfigurations) : -1,
                s.distance, s.score);
  }
}
)";
constexpr const char* kAskC = R"(
#include "selection_c.h"
#include <stdio.h>
int main(void) {
  char name[64], arch[64];
  long long rows, k, write_z; int dtype, causal; double eps;
  while (scanf("%63[^|]|%63[^|]|%lld %lld %d %lld %lf %d ", name, arch, &rows, &k, &dtype, &write_z, &eps, &causal) == 8) {
    ww_row_mix_problem problem;
    ww_row_mix_device device = {0, 0, {0, 0}};
    ww_row_mix_selection s;
    problem.rows = rows; problem.K = k; problem.dtype = (ww_row_mix_dtype)dtype; problem.write_z = write_z;
    problem.eps = eps; problem.causal = causal;
    device.name = name; device.arch = arch;
    s = ww_row_mix_select(device, problem);
    printf("%d %d %.9f %.9f\n", (int)s.match,
           s.configuration != 0 ? (int)(s.configuration - ww_row_mix_configurations) : -1, s.distance, s.score);
  }
  return 0;
}
)";

struct Question {
  SelectionDevice device;
  std::vector<Value> sizes;
};

std::vector<Question> random_questions(int count) {
  std::mt19937_64 random(7);
  const auto below = [&](std::uint64_t n) { return static_cast<std::int64_t>(random() % n); };
  const SelectionDevice devices[] = {{"NVIDIA H200", "sm_90a", {}},
                                     {"NVIDIA H100", "sm_90a", {}},
                                     {"NVIDIA GH200", "sm_90", {}},
                                     {"NVIDIA B200", "sm_100a", {}}};
  const double epsilons[] = {1e-5, 0.0, -1.0, 1.0, 1e300};
  const std::int64_t odd[] = {0, -1, 65535, 65536, INT64_MAX, INT64_MIN, 7};
  std::vector<Question> questions;
  for (int i = 0; i < count; ++i) {
    Question& question = questions.emplace_back();
    question.device = devices[below(4)];
    const std::int64_t rows =
        below(8) == 0 ? odd[below(7)] : std::int64_t{1} << below(16) | below(100);
    question.sizes = {rows,
                      below(10) == 0 ? below(400) : below(80) + 1,
                      below(2) == 0 ? "f32" : "bf16",
                      below(4) == 0 ? below(3) : 1,
                      below(6) == 0 ? epsilons[below(5)] : 1e-5,
                      below(20) == 0};
  }
  return questions;
}

std::string line_of(const Question& question) {
  const auto& s = question.sizes;
  return fmt::format("{}|{}|{} {} {} {} {:.17g} {}\n", question.device.name, question.device.arch,
                     s[0].as_integer(), s[1].as_integer(), s[2].as_string() == "f32" ? 0 : 1,
                     s[3].as_integer(), s[4].as_real(), s[5].as_bool() ? 1 : 0);
}

// Independent of BoundExpr and of the choice: the contract as everybody else evaluates it.
bool holds_by_contract(const SelectionModel& model, const SelectionConfiguration& configuration,
                       const Question& question) {
  Environment environment;
  for (const auto& [name, value] : model.devices[0].limits)
    environment.set("device." + name, value);
  for (std::size_t i = 0; i < model.contract.parameters.size(); ++i)
    environment.set(model.contract.parameters[i].name, configuration.values[i]);
  for (std::size_t i = 0; i < model.contract.problem.size(); ++i)
    environment.set(model.contract.problem[i].name, question.sizes[i]);
  const VariantSpec& variant = model.contract.variants[configuration.variant];
  for (const ConstraintSpec* one : constraints_of(model.contract, variant)) {
    if (!one->expr.evaluate_bool(environment)) return false;
  }
  return true;
}

TEST_F(CompiledHeader, ChoosesAsTheProgramDoesAndNeverViolatesAConstraint) {
  const SelectionModel model = sample_selection();
  const std::vector<Question> questions = random_questions(3000);
  std::string input;
  for (const Question& question : questions) input += line_of(question);
  host_.write("questions", input);
  host_.write("ask.cpp", kAskCpp);
  host_.write("ask.c", kAskC);
  expect_compiles("c++ -std=c++17 -O1" + kWarnings + "ask.cpp -o ask_cpp");
  expect_compiles("cc -std=c99 -O1" + kWarnings + "ask.c -o ask_c");
  const std::string answers = host_.run("./ask_cpp <questions").output;
  EXPECT_EQ(host_.run("./ask_c <questions").output, answers);

  std::istringstream lines(answers);
  std::map<int, int> matches;
  for (const Question& question : questions) {
    int match = -1;
    int configuration = -1;
    double distance = -1;
    double score = -1;
    ASSERT_TRUE(lines >> match >> configuration >> distance >> score) << line_of(question);
    ++matches[match];
    const SelectionDecision expected = select_configuration(model, question.device, question.sizes);
    ASSERT_EQ(match, static_cast<int>(expected.match)) << line_of(question);
    ASSERT_EQ(configuration,
              expected.configuration ? static_cast<int>(*expected.configuration) : -1)
        << line_of(question);
    ASSERT_NEAR(distance, expected.distance, 1e-6) << line_of(question);
    ASSERT_NEAR(score, expected.score, 1e-6);
    if (configuration < 0) continue;
    ASSERT_TRUE(holds_by_contract(
        model, model.configurations[static_cast<std::size_t>(configuration)], question))
        << line_of(question);
  }
  EXPECT_EQ(matches.size(), 4U) << "none, nearest on both, defaults; exact ones are tested below";
}

TEST_F(CompiledHeader, TunedProblemsGetExactlyTheirWinners) {
  const SelectionModel model = sample_selection();
  std::string input;
  for (const SelectionBoard& board : model.boards)
    input += line_of({model.devices[board.device], board.sizes});
  host_.write("questions", input);
  host_.write("ask.cpp", kAskCpp);
  expect_compiles("c++ -std=c++17" + kWarnings + "ask.cpp -o ask_cpp");
  std::string expected;
  for (const SelectionBoard& board : model.boards)
    expected += fmt::format("1 {} 0.000000000 1.000000000\n", board.winner);
  EXPECT_EQ(host_.run("./ask_cpp <questions").output, expected);
}

TEST_F(CompiledHeader, RealsThatAreNoNumbersAreRefused) {
  host_.write("nan.cpp", R"(
#include "selection.h"
#include <limits>
namespace tuned = warpwright::row_mix;
int main() {
  tuned::Problem problem{16, 64};
  volatile double zero = 0;
  problem.eps = zero / zero;
  if (tuned::select({"NVIDIA H200", "sm_90a"}, problem).match != tuned::Match::none) return 1;
  problem.eps = 1 / zero;
  if (tuned::select({"NVIDIA H200", "sm_90a"}, problem).match != tuned::Match::none) return 2;
  problem.eps = 1e-5;
  if (tuned::select({nullptr, nullptr}, problem).match != tuned::Match::default_) return 3;
  problem.dtype = static_cast<tuned::Dtype>(9);
  return tuned::select({"NVIDIA H200", "sm_90a"}, problem).match != tuned::Match::none ? 4 : 0;
}
)");
  expect_compiles("c++ -std=c++17" + kWarnings + "nan.cpp -o nan && ./nan");
}

TEST_F(CompiledHeader, DefinesAreWhatTheCompilerIsGiven) {
  host_.write("defines.cpp", R"(
#include "selection.h"
#include <cstdio>
namespace tuned = warpwright::row_mix;
int main() {
  tuned::Problem problem{16, 64, tuned::Dtype::bf16, 0, 3.5};
  for (int c = 2; c <= 3; ++c) {
    const tuned::Options options = tuned::defines(tuned::kConfigurations[c], problem);
    for (int i = 0; i < options.count; ++i) std::printf("%s ", options.option[i]);
    std::printf("\n");
  }
}
)");
  host_.write("defines.c", R"(
#include "selection_c.h"
#include <stdio.h>
int main(void) {
  const ww_row_mix_problem problem = {16, 64, WW_ROW_MIX_DTYPE_BF16, 0, 3.5, 0};
  int c, i;
  for (c = 2; c <= 3; ++c) {
    const ww_row_mix_options options = ww_row_mix_defines(ww_row_mix_configurations[c], problem);
    for (i = 0; i < options.count; ++i) printf("%s ", options.option[i]);
    printf("\n");
  }
  return 0;
}
)");
  const std::string expected =
      "-DTHREADS=1024 -DHINT=streaming -DTOP_K=64 -DDTYPE=bf16 -DWRITE_Z=0 "
      "-DEPS=0x1.c000000000000p1 \n"
      "-DTHREADS=64 -DSCALE=0x1.0000000000000p-2 -DTOP_K=64 -DDTYPE=bf16 -DWRITE_Z=0 "
      "-DEPS=0x1.c000000000000p1 \n";
  EXPECT_EQ(host_.run("c++ -std=c++17" + kWarnings + "defines.cpp -o d && ./d").output, expected);
  EXPECT_EQ(host_.run("cc -std=c99" + kWarnings + "defines.c -o d && ./d").output, expected);
}

TEST_F(CompiledHeader, LaunchesAreTheContracts) {
  host_.write("launch.cpp", R"(
#include "selection.h"
#include <cstdio>
namespace tuned = warpwright::row_mix;
int main() {
  const tuned::Problem problem{100, 8, tuned::Dtype::bf16};
  const tuned::Configuration& warp = tuned::kConfigurations[3];
  for (int i = 0; i < warp.launch_count + 1; ++i) {
    const tuned::LaunchPlan p = tuned::launch(warp, problem, tuned::kDevices[1].limits, i);
    std::printf("%d %s %lld,%lld,%lld %lld,%lld,%lld %lld %lld\n", p.ok, p.ok ? p.entry : "-", p.grid[0], p.grid[1],
                p.grid[2], p.block[0], p.block[1], p.block[2], p.cluster[0], p.shared_bytes);
  }
}
)");
  EXPECT_EQ(host_.run("c++ -std=c++17" + kWarnings + "launch.cpp -o l && ./l").output,
            "1 part 50,8,1 64,1,1 1 16\n1 merge 114,1,1 32,2,1 2 0\n0 - 1,1,1 1,1,1 1 0\n");
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
  host_.write("hostile.h", cpp_header(model, kVersion));
  host_.write("hostile_c.h", c_header(model, kVersion));
  host_.write("hostile.cpp",
              "#include \"hostile.h\"\nnamespace t = warpwright::class_;\n"
              "static_assert(t::select_here({\"NVIDIA H200\", \"sm_90a\"}, {16, 64}).match == "
              "t::Match::exact, \"\");\n"
              "int main() { return 0; }\n");
  host_.write("hostile.c", "#include \"hostile_c.h\"\nint main(void) { return 0; }\n");
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

// What the project's evaluator says of random expressions, both written languages say too.
TEST_F(CompiledHeader, RandomExpressionsHaveTheSameValuesAndFaults) {
  RandomExpression random(11);
  std::set<ExprOp> operators;
  std::string cpp_lines;
  std::string c_lines;
  std::string expected;
  const CodeVariables variables = {{"A", "A"}, {"B", "B"}, {"C", "C"}};
  const std::vector<std::string> special = {"A / B",
                                            "A % B",
                                            "1.0 * A / B",
                                            "A / 2.0 < B",
                                            "min(A, B, C)",
                                            "max(A, 0.5)",
                                            "abs(A) - 0.5 * B",
                                            "sqrt(B * B + 1) > 2",
                                            "log2(max(B, 1)) <= 4",
                                            "A << B",
                                            "A >> B",
                                            "9223372036854775807 + A",
                                            "-9223372036854775807 - A - 1",
                                            "(-9223372036854775807 - 1) / A",
                                            "9223372036854775807 * A",
                                            "'x' == 'x' && A",
                                            "A == 'x'",
                                            "A ? 'p' : B",
                                            "sizeof(bf16) * A",
                                            "align_up(A, B)",
                                            "1e308 * 10 * A",
                                            "true + A",
                                            "!A == 0 || A / 0",
                                            "A && B / 0",
                                            "2 * 3 + 4 * A - -5",
                                            "0 - 1 - 2 - A",
                                            "B == 9007199254740993"};
  for (int i = 0; i < 250; ++i) {
    const bool given = static_cast<std::size_t>(i) < special.size();
    const Expr expr = Expr::parse(given ? special[static_cast<std::size_t>(i)] : random.text(5));
    collect_operators(expr.root(), operators);
    for (int round = 0; round < 3; ++round) {
      Environment environment;
      std::string sets_cpp;
      std::string sets_c;
      for (const char* name : {"A", "B", "C"}) {
        const std::int64_t value = round == 2 ? random.between(-2, 70) : random.between(-5, 9);
        environment.set(name, value);
        sets_cpp += fmt::format("const Value {}({}LL); (void){}; ", name, value, name);
        sets_c +=
            fmt::format("const ww_x_value {} = ww_x_integer({}LL); (void){}; ", name, value, name);
      }
      cpp_lines += fmt::format("  {{ {}show({}); }}\n", sets_cpp,
                               expr_code(expr.root(), variables, CodeLanguage::kCpp, ""));
      c_lines += fmt::format("  {{ {}show({}); }}\n", sets_c,
                             expr_code(expr.root(), variables, CodeLanguage::kC, "ww_x_"));
      try {
        const Value value = expr.evaluate(environment);
        expected += value.is_string() ? "text " + value.as_string()
                    : value.is_real() ? fmt::format("real {:.12g}", value.as_real())
                                      : fmt::format("integer {}", value.as_integer());
      } catch (const Error&) {
        expected += "fault";
      }
      expected += "\n";
    }
  }
  const std::string show = R"(
  switch (v.kind) {
    case FAULT: printf("fault\n"); break;
    case INTEGER: printf("integer %lld\n", v.integer); break;
    case REAL: printf("real %.12g\n", v.real); break;
    case TEXT: printf("text %s\n", v.text); break;
  }
})";
  const auto kinds = [](const std::string& text, const std::string& prefix, bool upper) {
    std::string result = text;
    for (const auto& [word, name] : {std::pair("FAULT", "Fault"), std::pair("INTEGER", "Integer"),
                                     std::pair("REAL", "Real"), std::pair("TEXT", "Text")}) {
      const std::size_t at = result.find(std::string("case ") + word) + 5;
      result.replace(at, std::string(word).size(), prefix + (upper ? word : name));
    }
    return result;
  };
  host_.write("values.cpp",
              "#include <cstdio>\n#define WARPWRIGHT_FN constexpr\n#define WARPWRIGHT_DATA inline "
              "constexpr\n" +
                  header_scales(CodeLanguage::kCpp, "") +
                  header_values(operators, CodeLanguage::kCpp, "") + "static void show(Value v) {" +
                  kinds(show, "Value::k", false) + "\nint main() {\n" + cpp_lines + "}\n");
  host_.write("values.c", "#include <stdio.h>\n" + header_scales(CodeLanguage::kC, "ww_x_") +
                              header_values(operators, CodeLanguage::kC, "ww_x_") +
                              "static void show(ww_x_value v) {" + kinds(show, "WW_X_", true) +
                              "\nint main(void) {\n" + c_lines + "  return 0;\n}\n");
  EXPECT_EQ(host_.run("c++ -std=c++17" + kWarnings + "values.cpp -o v && ./v").output, expected);
  EXPECT_EQ(host_.run("cc -std=c99" + kWarnings + "values.c -o v && ./v").output, expected);
}

}  // namespace
}  // namespace warpwright
