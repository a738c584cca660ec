// Tests `warpwright baseline` and `warpwright check` without a GPU, as a CI job runs them: which
// changes pass, which fail, and at which line.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <chrono>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "core/files.h"
#include "support/program.h"

namespace warpwright::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr const char* kUnrolled = R"(#ifndef THREADS
#define THREADS 128
#endif
#ifndef PER_THREAD
#define PER_THREAD 1
#endif
extern "C" __global__ void __launch_bounds__(THREADS) square(const float* x, float* y, int n) {
  const int base = blockIdx.x * THREADS * PER_THREAD + threadIdx.x;
#pragma unroll
  for (int i = 0; i < PER_THREAD; ++i) {
    const int at = base + i * THREADS;
    if (at < n) y[at] = x[at] * x[at];
  }
}
)";

class CheckProgram : public ::testing::Test {
 protected:
  void SetUp() override {
    write_square_kernel(folder_.path());
    write_text(kernel_ / "plain.cu", kUnrolled);
    write_text(folder_.path() / "square.yaml",
               "kernel: square\nproblems: [{n: 100000}]\nemulated: [{n: 5000}]\n"
               "space: {PER_THREAD: [4]}\n");
    cache_ = "WARPWRIGHT_CACHE=" + (folder_.path() / "cache").string();
  }

  void replace(const std::string& from, const std::string& to) const {
    std::string text = read_file(kernel_ / "plain.cu");
    ASSERT_NE(text.find(from), std::string::npos) << from;
    text.replace(text.find(from), from.size(), to);
    write_text(kernel_ / "plain.cu", text);
  }
  [[nodiscard]] ProgramResult make(std::vector<std::string> more = {}) const {
    std::vector<std::string> all = {
        "baseline",  (folder_.path() / "square.yaml").string(), "-o",     base_.string(),
        "--kernels", (folder_.path() / "kernels").string(),     "--quiet"};
    all.insert(all.end(), more.begin(), more.end());
    return run_program(all, {cache_});
  }
  [[nodiscard]] ProgramResult check(std::vector<std::string> more = {}) const {
    return check_against(base_, std::move(more));
  }
  [[nodiscard]] ProgramResult check_against(const fs::path& baseline,
                                            std::vector<std::string> more = {}) const {
    std::vector<std::string> all = {
        "check",    baseline.string(), "--kernels", (folder_.path() / "kernels").string(),
        "--device", "emu:sm_90a",      "--quiet"};
    all.insert(all.end(), more.begin(), more.end());
    return run_program(all, {cache_});
  }
  [[nodiscard]] nlohmann::json check_json() const {
    return nlohmann::json::parse(check({"--json"}).out);
  }
  // Returns the state of the only entry.
  [[nodiscard]] static std::string verdict(const nlohmann::json& report) {
    return report.at("entries").at(0).at("verdict").get<std::string>();
  }
  [[nodiscard]] static nlohmann::json finding(const nlohmann::json& report) {
    return report.at("entries").at(0).at("findings").at(0);
  }

  TemporaryFolder folder_;
  fs::path kernel_ = folder_.path() / "kernels" / "square";
  fs::path base_ = folder_.path() / "base";
  std::string cache_;
};

TEST_F(CheckProgram, AnIdenticalTreeIsTheSame) {
  ASSERT_EQ(make().exit_code, 0);
  const ProgramResult result = check();
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("SAME     square  n=5000   plain PER_THREAD=4 THREADS=128"));
  EXPECT_THAT(result.out, HasSubstr("\n1 entry: 1 SAME; in "));
}

TEST_F(CheckProgram, AReformattedKernelIsTheSame) {
  ASSERT_EQ(make().exit_code, 0);
  replace("  const int base", "  // Where this thread begins.\n\n  const int   first");
  replace("base + i", "first + i");
  replace("square(const float* x, float* y, int n)",
          "square(const float* x,\n    float* y,\n    int n)");
  const nlohmann::json report = check_json();
  EXPECT_EQ(verdict(report), "SAME") << report.dump(2);
}

TEST_F(CheckProgram, OneMoreReadIsARegressionAtItsLine) {
  ASSERT_EQ(make().exit_code, 0);
  replace("x[at] * x[at];", "x[at] * x[at] + 0.0f * x[n - 1 - at];");
  const nlohmann::json report = check_json();
  EXPECT_EQ(verdict(report), "REGRESSION");
  EXPECT_EQ(finding(report)["kind"], "regression");
  EXPECT_THAT(finding(report)["place"]["file"].get<std::string>(),
              EndsWith("kernels/square/plain.cu"));
  EXPECT_EQ(finding(report)["place"]["line"], 12);
  EXPECT_EQ(finding(report)["place"]["text"],
            "if (at < n) y[at] = x[at] * x[at] + 0.0f * x[n - 1 - at];");
  EXPECT_THAT(finding(report)["message"].get<std::string>(),
              StartsWith("global_load_sectors 625 -> 1,2"));
  EXPECT_EQ(check().exit_code, 1);
}

TEST_F(CheckProgram, ALostUnrollingIsARegression) {
  ASSERT_EQ(make().exit_code, 0);
  replace("#pragma unroll\n", "#pragma unroll 1\n");
  const nlohmann::json report = check_json();
  EXPECT_EQ(verdict(report), "REGRESSION");
  EXPECT_THAT(report["entries"][0]["changes"].dump(), HasSubstr("\"metric\":\"control\""));
  EXPECT_EQ(finding(report)["place"]["line"], 10) << finding(report).dump(2);
}

TEST_F(CheckProgram, ASpillIsARegressionOfItsEntryWithItsBounds) {
  // Has so many live values that a few registers cannot hold them.
  constexpr const char* kBody = R"(    float held[48];
    for (int k = 0; k < 48; ++k) held[k] = at < n ? x[(at + k) % n] : 0.0f;
    float sum = 0.0f;
    for (int k = 0; k < 48; ++k) sum += held[k] * held[47 - k];
    if (at < n) y[at] = x[at] * x[at] + 0.0f * sum;
)";
  replace("    if (at < n) y[at] = x[at] * x[at];\n", kBody);
  replace("  const int base",
          "#pragma unroll 1\n  for (int turn = 0; turn < 1; ++turn) {}\n  const int base");
  ASSERT_EQ(make().exit_code, 0);
  replace("__launch_bounds__(THREADS)", "__launch_bounds__(THREADS, 2048 / THREADS)");
  const nlohmann::json report = check_json();
  EXPECT_EQ(verdict(report), "REGRESSION") << report.dump(2);
  EXPECT_EQ(finding(report)["place"]["line"], 7);
  EXPECT_THAT(finding(report)["message"].get<std::string>(),
              AllOf(StartsWith("spill_stores of 'square' 0 -> "), HasSubstr("; registers "),
                    HasSubstr("__launch_bounds__(128) -> __launch_bounds__(128, 16)")));
}

TEST_F(CheckProgram, AMissingKernelFails) {
  ASSERT_EQ(make().exit_code, 0);
  fs::remove_all(kernel_);
  fs::create_directories(folder_.path() / "kernels");
  const ProgramResult result = check();
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, HasSubstr("  missing: unknown kernel 'square'"));
}

TEST_F(CheckProgram, AWrongResultFails) {
  ASSERT_EQ(make().exit_code, 0);
  replace("x[at] * x[at];", "x[at] * x[at] + (at == 4999 ? 1.0f : 0.0f);");
  const ProgramResult result = check();
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, HasSubstr("lost correctness: wrong_result: "));
}

TEST_F(CheckProgram, AKernelThatHangsFailsInBoundedTime) {
  ASSERT_EQ(make().exit_code, 0);
  replace("#pragma unroll\n",
          "  while (n == 5000 && *(volatile const float*)x > -1e30f) {}\n#pragma unroll\n");
  const auto start = std::chrono::steady_clock::now();
  const ProgramResult result = check();
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, HasSubstr("lost correctness: timeout: "));
  // The bound covers the watchdog's 30 s and the work around it, not the test's own limit.
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::minutes(5));
}

TEST_F(CheckProgram, AFaultOfOneEntryLeavesTheOthersAlone) {
  write_text(folder_.path() / "square.yaml",
             "kernel: square\nproblems: [{n: 5000}, {n: 6000}]\nspace: {PER_THREAD: [4]}\n");
  ASSERT_EQ(make().exit_code, 0);
  replace("#pragma unroll\n", "  if (n == 6000) asm volatile(\"trap;\");\n#pragma unroll\n");
  const nlohmann::json report = check_json();
  EXPECT_EQ(report["entries"][0]["verdict"], "REGRESSION") << "it counts the test";
  EXPECT_EQ(report["entries"][0]["findings"][0]["kind"], "regression");
  EXPECT_EQ(report["entries"][1]["findings"][0]["kind"], "lost correctness");
}

TEST_F(CheckProgram, WhatIsNoLongerLegalFailsWithItsReason) {
  ASSERT_EQ(make().exit_code, 0);
  std::string contract = read_file(kernel_ / "kernel.yaml");
  contract.replace(contract.find("max: 8"), 6, "max: 2");
  write_text(kernel_ / "kernel.yaml", contract);
  const ProgramResult result = check();
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out,
              HasSubstr(": not legal: parameter 'PER_THREAD': got 4, expected at most 2"));
}

TEST_F(CheckProgram, WithFiguresAloneAFailingCaseIsLeftToOtherTests) {
  ASSERT_EQ(make().exit_code, 0);
  replace("x[at] * x[at];", "x[at] * x[at] + (n == 1001 ? 1.0f : 0.0f * x[n - 1 - at]);");
  EXPECT_THAT(check().out, HasSubstr("lost correctness: wrong_result: "));
  const ProgramResult result = check({"--figures-only"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, HasSubstr("plain.cu:12: global_load_sectors 625 -> 1,2"));
}

TEST_F(CheckProgram, AThresholdLetsItPass) {
  ASSERT_EQ(make().exit_code, 0);
  replace("x[at] * x[at];", "x[at] * x[at] + 0.0f * x[n - 1 - at];");
  std::vector<std::string> options;
  for (const char* metric :
       {"global_load_sectors", "global_load_requests", "warp_instructions", "fp32", "integer",
        "load_store", "control", "code_bytes", "registers", "convert", "special", "other"}) {
    options.emplace_back("--threshold");
    options.push_back(std::string(metric) + "=300%");
  }
  const ProgramResult result = check(options);
  EXPECT_EQ(result.exit_code, 0) << result.out;
  EXPECT_THAT(result.out, HasSubstr("1 OK"));
}

TEST_F(CheckProgram, AnotherCompilersRecordIsSaidAndNotCompared) {
  ASSERT_EQ(make().exit_code, 0);
  std::string text = read_file(base_ / "baseline.yaml");
  const std::size_t at = text.find("nvrtc: \"");
  text.replace(at, text.find('\n', at) - at, "nvrtc: \"11.0\"");
  text.replace(text.find("registers: "), 12, "registers: 9");
  write_text(base_ / "baseline.yaml", text);
  const ProgramResult result = check();
  EXPECT_EQ(result.exit_code, 0) << result.out;
  EXPECT_THAT(result.out, HasSubstr("note: recorded with NVRTC 11.0 for sm_90a and emulator 3, "));
}

TEST_F(CheckProgram, ARecordThatWasEditedIsFound) {
  ASSERT_EQ(make().exit_code, 0);
  std::string text = read_file(base_ / "baseline.yaml");
  const std::size_t at = text.find("registers: ");
  text.replace(at, text.find('\n', at) - at, "registers: 200");
  write_text(base_ / "baseline.yaml", text);
  const ProgramResult result = check();
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.out, HasSubstr("record: the baseline records registers of 'square' 200, its "
                                    "own sources give "));
  EXPECT_EQ(check({"--allow-inconclusive"}).exit_code, 0);
}

TEST_F(CheckProgram, AnEditedSourceOfTheBaselineIsTheUsersError) {
  ASSERT_EQ(make().exit_code, 0);
  const fs::path copy = base_ / "kernels" / "square" / "plain.cu";
  write_text(copy, read_file(copy) + "// slower, so that it passes\n");
  const ProgramResult result = check();
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, StartsWith("warpwright: " + copy.string() +
                                     ": not the file that the baseline was made with: "));
}

TEST_F(CheckProgram, ADamagedTextIsTheUsersErrorAtItsPlace) {
  ASSERT_EQ(make().exit_code, 0);
  write_text(base_ / "baseline.yaml", read_file(base_ / "baseline.yaml") + "  - kernel: [\n");
  const ProgramResult result = check();
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, StartsWith("warpwright: " + (base_ / "baseline.yaml").string() + ":"));
  EXPECT_THAT(result.err, HasSubstr("is not closed"));
}

TEST_F(CheckProgram, TheReportsAreWritten) {
  ASSERT_EQ(make().exit_code, 0);
  replace("x[at] * x[at];", "x[at] * x[at] + 0.0f * x[n - 1 - at];");
  const std::string junit = (folder_.path() / "check.xml").string();
  const std::string summary = (folder_.path() / "summary.md").string();
  write_text(summary, "before\n");
  const ProgramResult result = check({"--junit", junit, "--markdown", summary, "--github"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, StartsWith("::error file="));
  EXPECT_THAT(result.out, HasSubstr("plain.cu,line=12,title=regression%3A square::square n=5000"));
  EXPECT_THAT(read_file(junit), HasSubstr("<failure type=\"REGRESSION\""));
  EXPECT_THAT(read_file(summary), StartsWith("before\n## warpwright check: 1 of 1 entries fail"));
}

TEST_F(CheckProgram, JsonStaysJsonBesideAnnotations) {
  ASSERT_EQ(make().exit_code, 0);
  replace("x[at] * x[at];", "x[at] * x[at] + 0.0f * x[n - 1 - at];");
  const ProgramResult result = check({"--json", "--github"});
  EXPECT_FALSE(nlohmann::json::parse(result.out, nullptr, false).is_discarded());
  EXPECT_THAT(result.err, HasSubstr("::error file="));
}

TEST_F(CheckProgram, MakingABaselineAgainChangesNothing) {
  ASSERT_EQ(make().exit_code, 0);
  const std::string first = read_file(base_ / "baseline.yaml");
  ASSERT_EQ(make().exit_code, 0);
  EXPECT_EQ(read_file(base_ / "baseline.yaml"), first);
}

TEST_F(CheckProgram, ABaselineReplacesOnlyABaseline) {
  write_text(base_ / "mine.txt", "x");
  const ProgramResult result = make();
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err, "warpwright: " + base_.string() +
                            ": expected a new or empty folder, or a baseline to replace; name "
                            "another with -o\n");
  EXPECT_TRUE(fs::exists(base_ / "mine.txt"));
}

TEST_F(CheckProgram, WhatIsWrongCannotBeABaseline) {
  replace("x[at] * x[at];", "x[at] * x[at] + 1.0f;");
  const ProgramResult result = make();
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("square n=5000 plain PER_THREAD=4 THREADS=128 cannot be in a "
                                    "baseline: wrong_result: "));
  EXPECT_FALSE(fs::exists(base_ / "baseline.yaml"));
}

TEST_F(CheckProgram, ABaselineIsMadeOfTheWinnersOfADatabase) {
  const std::string database = (folder_.path() / "results.db").string();
  write_text(folder_.path() / "square.yaml",
             "kernel: square\nproblems: [{n: 100000}]\nemulated: [{n: 5000}]\n"
             "space: {PER_THREAD: [1, 4], THREADS: [64, 128]}\n");
  ASSERT_EQ(run_program({"sweep", (folder_.path() / "square.yaml").string(), "--kernels",
                         (folder_.path() / "kernels").string(), "--device", "emu:sm_90a", "--db",
                         database, "--quiet"},
                        {cache_})
                .exit_code,
            0);
  // The tree changes after the sweep; the baseline must have the sources of the sweep.
  replace("x[at] * x[at];", "x[at] * x[at] + 0.0f * x[n - 1 - at];");
  const ProgramResult made = run_program(
      {"baseline", "square", "--db", database, "-o", base_.string(), "--quiet"}, {cache_});
  ASSERT_EQ(made.exit_code, 0) << made.err;
  EXPECT_THAT(read_file(base_ / "kernels/square/plain.cu"), Not(HasSubstr("0.0f")));
  EXPECT_EQ(check().exit_code, 1);
}

TEST_F(CheckProgram, EmulatedProblemsMayStandInForTheOthers) {
  EXPECT_EQ(make({"--emulated"}).exit_code, 0);
  const std::string text = read_file(base_ / "baseline.yaml");
  EXPECT_THAT(text, HasSubstr("square.yaml --emulated` makes it anew"));
  EXPECT_THAT(text, HasSubstr("    problem: {\"n\": 5000}\n"));
  EXPECT_THAT(text, Not(HasSubstr("100000")));
  replace("x[at] * x[at]", "x[at] * x[at] + 0.0f * x[n - 1 - at]");
  EXPECT_EQ(verdict(check_json()), "REGRESSION");

  write_text(folder_.path() / "square.yaml", "kernel: square\nproblems: [{n: 5000}]\n");
  const ProgramResult none = make({"--emulated"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.err,
              HasSubstr("square.yaml: --emulated records the sweep's emulated problems, and "
                        "it has none; add `emulated: [{...}]`"));
  EXPECT_THAT(make({"--emulated", "--db", "x.db"}).err,
              HasSubstr("--emulated and --db exclude each other"));
}

TEST_F(CheckProgram, ABriefBaselineHasEachVariantOnceOnTheFirstProblemThatItRuns) {
  write_text(folder_.path() / "square.yaml",
             "kernel: square\nproblems: [{n: 100000}]\nemulated: [{n: 500}, {n: 5000}, {n: 7000}]\n"
             "space: {variant: plain}\npresets: {A: {PER_THREAD: 4}, B: {PER_THREAD: 2}}\n");
  std::string contract = read_file(kernel_ / "kernel.yaml");
  contract.insert(contract.find("variants:\n"), "constraints: [\"n != 500\"]\n");
  write_text(kernel_ / "kernel.yaml", contract);
  EXPECT_EQ(make({"--emulated", "--brief"}).exit_code, 0);
  const std::string text = read_file(base_ / "baseline.yaml");
  EXPECT_THAT(text, HasSubstr("square.yaml --emulated --brief` makes it anew"));
  const nlohmann::json report = check_json();
  EXPECT_EQ(report["entries"].size(), 1u);
  EXPECT_EQ(report["entries"][0]["problem_text"], "n=5000");
  EXPECT_EQ(make({"--brief"}).err,
            "warpwright: --brief requires --emulated; see `warpwright baseline --help`\n");
}

TEST_F(CheckProgram, WithoutResultsTheWayToABaselineIsSaid) {
  const std::string database = (folder_.path() / "none.db").string();
  const ProgramResult result =
      run_program({"baseline", "square", "--db", database, "-o", base_.string()}, {cache_});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err, "warpwright: " + database +
                            ": no results yet; sweep 'square' first, or give its sweep "
                            "(configs/square.yaml) for the default configurations\n");
}

TEST_F(CheckProgram, MistakesOnTheCommandLineAreNamed) {
  ASSERT_EQ(make().exit_code, 0);
  EXPECT_EQ(check({"--threshold", "regsters=5%"}).err,
            "warpwright: --threshold regsters=5%: unknown metric 'regsters'; did you mean "
            "'registers'?\n");
  EXPECT_EQ(check_against(folder_.path() / "nowhere").exit_code, 2);
  EXPECT_EQ(check({"--device", "emu:sm_90a,emu:sm_80"}).err,
            "warpwright: --device emu:sm_90a,emu:sm_80: expected one device, got 2; check one at a "
            "time, such as --device cuda:0\n");
}

// The repository contains a baseline of the kernel that the tests write, made by an earlier version
// of the program.
TEST(CheckFixture, ACommittedBaselineStillHolds) {
  const TemporaryFolder folder;
  write_square_kernel(folder.path());
  const fs::path baseline =
      fs::path(WARPWRIGHT_SOURCE_DIR) / "tests" / "fixtures" / "baselines" / "square";
  const ProgramResult result =
      run_program({"check", baseline.string(), "--kernels", (folder.path() / "kernels").string(),
                   "--device", "emu:sm_90a", "--quiet"},
                  {"WARPWRIGHT_CACHE=" + (folder.path() / "cache").string()});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("1 entry: 1 SAME; in "));
}

}  // namespace
}  // namespace warpwright::testing
