// Written headers as programs use them: in both languages they choose as select_configuration()
// does, and options, launches, arguments and expressions are the contract's.
#include <fmt/format.h>

#include <random>
#include <sstream>

#include "across/compiled_header.h"
#include "analysis/select/launch_rules.h"
#include "analysis/select/select_configuration.h"
#include "core/random_expression.h"
#include "exchange/header/header_style.h"

namespace warpwright {
namespace {

using testing::header_text;
using testing::kWarnings;
using testing::RandomExpression;
using testing::sample_selection;

class HeaderAnswers : public testing::HeaderCompiler {};

// A program for both languages that reads "name arch rows K dtype write_z" lines and answers each
// choice.
constexpr const char* kAsk = R"(
#include "selection.h"
#include <stdio.h>
int main(void) {
  char name[64], arch[64];
  long long rows, k, write_z;
  int dtype, causal;
  double eps;
  while (scanf("%63[^|]|%63[^|]|%lld %lld %d %lld %lf %d ", name, arch, &rows, &k, &dtype, &write_z, &eps, &causal) == 8) {
    ww_row_mix_problem problem = ww_row_mix_default_problem();
    ww_device device = WW_ZERO;
    ww_selection s;
    problem.rows = rows; problem.K = k; problem.dtype = (ww_row_mix_dtype)dtype; problem.write_z = write_z;
    problem.eps = eps; problem.causal = causal;
    device.name = name; device.arch = arch;
    s = ww_row_mix_select(device, problem);
    printf("%d %d %.9f %.9f\n", (int)s.match, s.configuration, s.distance, s.score);
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
                                     {"NVIDIA B200", "sm_100a", {}},
                                     {"NVIDIA H200", "sm_80", {}}};
  const double epsilons[] = {1e-5, 0.0, -1.0, 1.0, 1e300};
  const std::int64_t odd[] = {0, -1, 65535, 65536, INT64_MAX, INT64_MIN, 7};
  std::vector<Question> questions;
  for (int i = 0; i < count; ++i) {
    Question& question = questions.emplace_back();
    question.device = devices[below(5)];
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

// Independent of BoundExpr and of select(): evaluates the contract as the rest of the program does.
bool holds_by_contract(const SelectionModel& model, const SelectionConfiguration& configuration,
                       const Question& question) {
  Environment environment;
  for (const auto& [name, value] : limits_of(model, question.device))
    environment.set("device." + name, value);
  for (std::size_t i = 0; i < model.contract.parameters.size(); ++i)
    environment.set(model.contract.parameters[i].name, configuration.values[i]);
  for (std::size_t i = 0; i < model.contract.problem.size(); ++i)
    environment.set(model.contract.problem[i].name, question.sizes[i]);
  const VariantSpec& variant = model.contract.variants[configuration.variant];
  for (const ConstraintSpec& one : selection_rules(model.contract, variant)) {
    if (!one.expr.evaluate_bool(environment)) return false;
  }
  return true;
}

TEST_F(HeaderAnswers, ChoosesAsTheProgramDoesAndNeverViolatesAConstraint) {
  const SelectionModel model = sample_selection();
  const std::vector<Question> questions = random_questions(3000);
  std::string input;
  for (const Question& question : questions) input += line_of(question);
  host_.write("questions", input);
  host_.write("ask.cpp", kAsk);
  host_.write("ask.c", kAsk);
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
  EXPECT_EQ(matches.size(), 5U)
      << "none, nearest on both and with other values, defaults; exact ones are tested below";
}

TEST_F(HeaderAnswers, TunedProblemsGetExactlyTheirWinners) {
  const SelectionModel model = sample_selection();
  std::string input;
  for (const SelectionBoard& board : model.boards)
    input += line_of({model.devices[board.device], board.sizes});
  host_.write("questions", input);
  host_.write("ask.cpp", kAsk);
  expect_compiles("c++ -std=c++17" + kWarnings + "ask.cpp -o ask_cpp");
  std::string expected;
  for (const SelectionBoard& board : model.boards)
    expected += fmt::format("1 {} 0.000000000 1.000000000\n", board.winner);
  EXPECT_EQ(host_.run("./ask_cpp <questions").output, expected);
}

TEST_F(HeaderAnswers, RealsThatAreNoNumbersAreRefused) {
  host_.write("nan.cpp", R"(
#include "selection.h"
constexpr ww_device kH200{"NVIDIA H200", "sm_90a"};
int main() {
  ww_row_mix_problem problem{16, 64};
  volatile double zero = 0;
  problem.eps = zero / zero;
  if (ww_row_mix_select(kH200, problem).match != WW_MATCH_NONE) return 1;
  problem.eps = 1 / zero;
  if (ww_row_mix_select(kH200, problem).match != WW_MATCH_NONE) return 2;
  problem.eps = 1e-5;
  if (ww_row_mix_select({nullptr, nullptr}, problem).match != WW_MATCH_DEFAULT) return 3;
  volatile int other = 3;
  problem.dtype = static_cast<ww_row_mix_dtype>(other);
  return ww_row_mix_select(kH200, problem).match != WW_MATCH_NONE ? 4 : 0;
}
)");
  expect_compiles("c++ -std=c++17" + kWarnings + "nan.cpp -o nan && ./nan");
}

TEST_F(HeaderAnswers, OptionsAreWhatTheCompilerIsGiven) {
  const char* text = R"(
#include "selection.h"
#include <stdio.h>
int main(void) {
  const ww_row_mix_problem problem = {16, 64, WW_ROW_MIX_DTYPE_BF16, 0, 3.5, 0};
  ww_selection chosen = ww_no_selection();
  int c, i;
  for (c = 1; c <= 3; ++c) {
    chosen.configuration = c == 1 ? -1 : c;
    const ww_row_mix_options options = ww_row_mix_compile_options(chosen, problem);
    for (i = 0; i < options.count; ++i) printf("%s ", options.option[i]);
    printf("\n");
  }
  return 0;
}
)";
  host_.write("options.cpp", text);
  host_.write("options.c", text);
  const std::string expected =
      "\n--std=c++20 -DTHREADS=1024 -DHINT=streaming -DTOP_K=64 -DDTYPE=bf16 -DWRITE_Z=0 "
      "-DEPS=0x1.c000000000000p1 \n"
      "--std=c++20 -DTHREADS=64 -DSCALE=0x1.0000000000000p-2 -DTOP_K=64 -DDTYPE=bf16 -DWRITE_Z=0 "
      "-DEPS=0x1.c000000000000p1 \n";
  EXPECT_EQ(host_.run("c++ -std=c++17" + kWarnings + "options.cpp -o d && ./d").output, expected);
  EXPECT_EQ(host_.run("cc -std=c99" + kWarnings + "options.c -o d && ./d").output, expected);
}

TEST_F(HeaderAnswers, LaunchesAreTheContracts) {
  host_.write("launch.cpp", R"(
#include "selection.h"
#include <cstdio>
int main() {
  const ww_row_mix_problem problem{100, 8, WW_ROW_MIX_DTYPE_BF16};
  ww_selection chosen;
  chosen.configuration = 3;
  chosen.limits = ww_row_mix_devices[1].limits;
  for (int i = 0; i < ww_row_mix_configurations[3].launch_count + 1; ++i) {
    const ww_launch_plan p = ww_row_mix_launch(chosen, problem, i);
    std::printf("%d %s %lld,%lld,%lld %lld,%lld,%lld %lld %lld\n", p.ok, p.ok ? p.entry : "-", p.grid[0], p.grid[1],
                p.grid[2], p.block[0], p.block[1], p.block[2], p.cluster[0], p.shared_bytes);
  }
}
)");
  EXPECT_EQ(host_.run("c++ -std=c++17" + kWarnings + "launch.cpp -o l && ./l").output,
            "1 part 50,8,1 64,1,1 1 16\n1 merge 114,1,1 32,2,1 2 0\n0 - 1,1,1 1,1,1 1 0\n");
}

// A selection with arguments of every role, and of types whose bits are not those of an integer.
SelectionModel with_arguments() {
  SelectionModel model = sample_selection();
  const KernelSpec kernel = parse_stored_kernel(R"yaml(kernel: row_mix
problem:
  rows: {doc: rows}
  K: {doc: kept}
  dtype: {values: [f32, bf16], default: f32}
  eps: {default: 1.0e-5}
arguments:
  - {name: x, in: dtype, shape: [rows, K], fill: "normal(0, 1)"}
  - {name: y, out: f32, shape: [K], match: exact}
  - {name: z, inout: i32, shape: [rows], match: exact, fill: zeros}
  - {name: partial, scratch: f32, shape: [rows / (THREADS - 64), 2]}
  - {name: counter, scratch: u32, shape: [3], fill: zeros}
  - {name: rows, value: rows}
  - {name: minus, value: 0 - rows}
  - {name: all, value: rows*K*1000000, dtype: i64}
  - {name: eps, value: eps, dtype: f32}
  - {name: scale, value: 1.0/rows, dtype: f64}
  - {name: half, value: 0.1, dtype: f16}
parameters: {THREADS: {default: 64}}
variants:
  wide:
    source: wide.cu
    parameters: [THREADS]
    launches:
      - {entry: mix, grid: 1, block: 1, arguments: [x, rows, minus, all, eps, scale, half, counter, y, z]}
  warp:
    source: warp.cu
    parameters: [THREADS]
    launches: [{entry: part, grid: 1, block: 1, arguments: [z, partial]}, {entry: part, grid: 1, block: 1, arguments: [y]}]
reference: {source: reference.cpp, units: rows}
work: {bytes: rows, flops: 0}
)yaml",
                                                "/nowhere/kernel.yaml");
  model.contract.arguments = kernel.arguments;
  for (std::size_t v = 0; v < 2; ++v) {
    for (std::size_t i = 0; i < kernel.variants[v].launches.size(); ++i)
      model.contract.variants[v].launches[i].arguments = kernel.variants[v].launches[i].arguments;
  }
  return model;
}

TEST_F(HeaderAnswers, ArgumentsAndTensorsAreTheContracts) {
  host_.write("selection.h", header_text(with_arguments()));
  const char* text = R"(
#include "selection.h"
#include <stdio.h>
int main(void) {
  ww_row_mix_problem problem = ww_row_mix_default_problem();
  ww_selection chosen = ww_no_selection();
  int i, c;
  problem.rows = 100; problem.K = 30; problem.dtype = WW_ROW_MIX_DTYPE_BF16;
  chosen.limits = ww_row_mix_devices[0].limits;
  for (c = 0; c <= 3; c += 3) {
    chosen.configuration = c;
    const ww_launch_plan plan = ww_row_mix_launch(chosen, problem, 0);
    printf("%s %d:", plan.entry, plan.ok);
    for (i = 0; i < plan.argument_count; ++i)
      printf(" %s %d %d %s %llx", plan.arguments[i].name, (int)plan.arguments[i].kind, plan.arguments[i].index,
             ww_c_type(plan.arguments[i].dtype), plan.arguments[i].bits);
    printf("\n");
    for (i = 0; i <= WW_ROW_MIX_TENSOR_COUNT; ++i) {
      const ww_tensor t = ww_row_mix_tensor(chosen, problem, i);
      printf("%d %s %d used %d %s [%d: %lld %lld] %lld %s\n", t.ok, t.ok ? t.name : "-", (int)t.role, t.used,
             ww_c_type(t.dtype), t.rank, t.shape[0], t.shape[1], t.bytes, t.initial != 0 ? t.initial : "-");
    }
  }
  return 0;
}
)";
  host_.write("arguments.cpp", text);
  host_.write("arguments.c", text);
  const std::string expected =
      "mix 1: x 0 0 __nv_bfloat16 0 rows 1 -1 int 64 minus 1 -1 int ffffffffffffff9c "
      "all 1 -1 long long b2d05e00 eps 1 -1 float 3727c5ac scale 1 -1 double 3f847ae147ae147b "
      "half 1 -1 __half 2e66 counter 0 4 unsigned int 0 y 0 1 float 0 z 0 2 int 0\n"
      "1 x 0 used 1 __nv_bfloat16 [2: 100 30] 6000 -\n"
      "1 y 1 used 1 float [1: 30 0] 120 -\n"
      "1 z 2 used 1 int [1: 100 0] 400 -\n"
      "1 partial 3 used 0 float [0: 0 0] 0 -\n"
      "1 counter 3 used 1 unsigned int [1: 3 0] 12 zeros\n"
      "0 - 0 used 0 double [0: 0 0] 0 -\n"
      "part 1: z 0 2 int 0 partial 0 3 float 0\n"
      "1 x 0 used 0 __nv_bfloat16 [2: 100 30] 6000 -\n"
      "1 y 1 used 1 float [1: 30 0] 120 -\n"
      "1 z 2 used 1 int [1: 100 0] 400 -\n"
      "0 - 3 used 1 float [2: 0 2] 8 -\n"
      "1 counter 3 used 0 unsigned int [0: 0 0] 0 -\n"
      "0 - 0 used 0 double [0: 0 0] 0 -\n";
  EXPECT_EQ(host_.run("c++ -std=c++17" + kWarnings + "arguments.cpp -o d && ./d").output, expected);
  EXPECT_EQ(host_.run("cc -std=c99" + kWarnings + "arguments.c -o d && ./d").output, expected);
}

// Against the conversions of this machine's compiler.
TEST_F(HeaderAnswers, BitsOfRealsAreThoseOfTheTypes) {
  host_.write("bits.cpp", R"(
#include "warpwright_select.h"
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <random>
int main() {
  std::mt19937_64 random(3);
  int wrong = 0;
  const auto check = [&](double v) {
    const float single = static_cast<float>(v);
    unsigned bits = 0;
    unsigned long long wide = 0;
    std::memcpy(&bits, &single, 4);
    std::memcpy(&wide, &v, 8);
    wrong += ww_real_bits(v, 23, 8) != bits || ww_real_bits(v, 52, 11) != wide;
  };
  for (int i = 0; i < 100000; ++i) {
    const unsigned long long wide = random();
    double v = 0;
    std::memcpy(&v, &wide, 8);
    if (v - v == 0) check(v);
    check(std::ldexp(static_cast<double>(static_cast<long long>(wide) >> 11), static_cast<int>(wide % 330) - 215));
  }
  for (const double v : {0.0, 1.0, -1.0, 1.5, 1e-45, 7e-46, 1.1754943e-38, 3.4028234663852886e38, 5e-324, 2.2250738585072014e-308})
    check(v);
  std::printf("%d wrong", wrong);
}
)");
  EXPECT_EQ(host_.run("c++ -std=c++17 -O1" + kWarnings + "bits.cpp -o b && ./b").output, "0 wrong");
}

// The written code gives the same answers to random expressions as the project's evaluator, in both
// languages.
TEST_F(HeaderAnswers, RandomExpressionsHaveTheSameValuesAndFaults) {
  RandomExpression random(11);
  std::string lines;
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
    for (int round = 0; round < 3; ++round) {
      Environment environment;
      std::string sets;
      for (const char* name : {"A", "B", "C"}) {
        const std::int64_t value = round == 2 ? random.between(-2, 70) : random.between(-5, 9);
        environment.set(name, value);
        sets += fmt::format("const ww_value {} = ww_integer({}LL); (void){}; ", name, value, name);
      }
      lines += fmt::format("  {{ {}show({}); }}\n", sets, expr_code(expr.root(), variables));
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
  const std::string show = R"(#include "warpwright_select.h"
#include <stdio.h>
static void show(ww_value v) {
  switch (v.kind) {
    case WW_FAULT: printf("fault\n"); break;
    case WW_INTEGER: printf("integer %lld\n", v.integer); break;
    case WW_REAL: printf("real %.12g\n", v.real); break;
    case WW_TEXT: printf("text %s\n", v.text); break;
  }
}
int main(void) {
)";
  host_.write("values.cpp", show + lines + "}\n");
  host_.write("values.c", show + lines + "  return 0;\n}\n");
  EXPECT_EQ(host_.run("c++ -std=c++17" + kWarnings + "values.cpp -o v && ./v").output, expected);
  EXPECT_EQ(host_.run("cc -std=c99" + kWarnings + "values.c -o v && ./v").output, expected);
}

}  // namespace
}  // namespace warpwright
