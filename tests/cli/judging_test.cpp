// Tests how results are judged, from the side of a contract's author: tolerances that follow from
// the sum, the tolerance that would have passed, shares of mismatches, and names and folders that
// used to fail.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "core/files.h"
#include "support/program.h"

namespace warpwright::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class Judging : public ::testing::Test {
 protected:
  void SetUp() override { use(folder_.path()); }
  void use(const fs::path& folder) {
    where_ = folder;
    write_square_kernel(where_);
    edit("../square.yaml", "  THREADS: [32, 64, 128, 256]\n  PER_THREAD: [1, 2, 4]",
         "  THREADS: 64");
  }
  void edit(const char* file, const std::string& from, const std::string& to) const {
    const fs::path path =
        where_ / "kernels" /
        (std::string(file).starts_with("..") ? fs::path(file) : fs::path("square") / file);
    std::string text = read_file(path);
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    write_text(path, text.replace(at, from.size(), to));
  }
  [[nodiscard]] ProgramResult run(std::vector<std::string> arguments) const {
    return run_program(arguments, {"WARPWRIGHT_CACHE=" + (where_ / "cache").string()});
  }
  [[nodiscard]] ProgramResult sweep(const std::string& database = "x.db") const {
    return run({"sweep", (where_ / "square.yaml").string(), "--kernels",
                (where_ / "kernels").string(), "--device", "emu:sm_90a", "--db",
                (where_ / database).string(), "--quiet", "--json"});
  }
  [[nodiscard]] std::string statuses(const std::string& database = "x.db") const {
    const ProgramResult result = sweep(database);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return nlohmann::json::parse(result.out)["sweep"]["statuses"].dump();
  }
  // Returns the reason of the only trial.
  [[nodiscard]] std::string reason(const std::string& database = "x.db") const {
    const auto json = nlohmann::json::parse(sweep(database).out);
    return json["leaderboards"][0]["failures"][0]["example"];
  }

  TemporaryFolder folder_;
  fs::path where_;
};

TEST_F(Judging, ASumOfOneProductIsAllowedItsRounding) {
  edit("kernel.yaml", "tolerance: {abs: 0, rel: 1e-6}", "tolerance: {accumulate: 1}");
  EXPECT_EQ(statuses(), R"({"ok":1})");
}

TEST_F(Judging, TheSmallestToleranceThatPassesPasses) {
  edit("kernel.yaml", "rel: 1e-6", "rel: 1e-9");
  const std::string text = reason();
  const std::string intro = "; the smallest tolerance that passes is rel ";
  const std::size_t at = text.find(intro);
  ASSERT_NE(at, std::string::npos) << text;
  EXPECT_THAT(text, HasSubstr(" times what is allowed; the smallest"));
  const std::size_t begin = at + intro.size();
  const std::string enough = text.substr(begin, text.find(' ', begin) - begin);
  EXPECT_THAT(text, HasSubstr(enough + " (given rel 1e-9)"));
  edit("kernel.yaml", "rel: 1e-9", "rel: 6e-8");  // rounding to f32 has an error of at most 2^-24
  EXPECT_EQ(statuses("y.db"), R"({"ok":1})");
}

TEST_F(Judging, WhatLooksLikeRoundingAsksForALookAtTheTolerance) {
  edit("kernel.yaml", "abs: 0, rel: 1e-6", "abs: 1e-7, rel: 0");
  edit("kernel.yaml",
       "cases:\n  - {name: odd, problem: {n: 1001}}\n  - {name: one, problem: {n: 1}}\n", "");
  edit("kernel.yaml", "fill: \"normal(0, 1)\"", "fill: \"constant(1.1) with at(7, 3.3)\"");
  const ProgramResult swept = sweep();
  EXPECT_THAT(swept.out, AllOf(HasSubstr("1 of 5000 checked elements differ by at most "),
                               HasSubstr(", which looks like rounding; the smallest tolerance")));
  const ProgramResult shown = run({"show", "square", "--why", "--db", (where_ / "x.db").string()});
  EXPECT_THAT(shown.out, AllOf(HasSubstr("see whether the tolerance is meant so before changing "
                                         "the kernel: a constraint would only hide it"),
                               Not(HasSubstr("fault"))));
}

TEST_F(Judging, AReferenceWithValuesThatTheTypeLacksIsNamed) {
  edit("kernel.yaml", "tolerance: {abs: 0, rel: 1e-6}", "match: exact");
  EXPECT_THAT(reason(),
              AllOf(HasSubstr("output 'y' cannot be exact at ["),
                    HasSubstr(" is not a value of f32; compare with a tolerance, or round in the "
                              "reference; ")));
}

TEST_F(Judging, AShareOfAnIntegerOutputMayDiffer) {
  edit("kernel.yaml", "out: f32, shape: [n], tolerance: {abs: 0, rel: 1e-6}",
       "out: i32, shape: [n]");
  edit("kernel.yaml", "normal(0, 1)", "integers(0, 9)");
  edit("plain.cu", "float* y", "int* y");
  edit("plain.cu", "x[at] * x[at]", "x[at] * x[at] + (at == 17)");
  EXPECT_THAT(reason(),
              HasSubstr("1 of 1001 checked elements are wrong, all by 1; if rounding "
                        "decides which value it is, `mismatches: 0.001` allows that many"));
  edit("kernel.yaml", "out: i32, shape: [n]", "out: i32, shape: [n], mismatches: 0.001");
  EXPECT_EQ(statuses("y.db"), R"({"ok":1})");
}

TEST_F(Judging, AParameterThatWouldChangeTheHeadersIsRefused) {
  edit("kernel.yaml", "  THREADS: {default", "  value: {default: 1}\n  THREADS: {default");
  const ProgramResult refused = sweep();
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err,
              HasSubstr("parameters.value: 'value' cannot be a parameter: the source is compiled "
                        "with -Dvalue=..., which would change the headers of CUDA and C++; rename "
                        "it, for example to VALUE"));
}

TEST_F(Judging, AnotherLanguagesSpellingIsAnswered) {
  edit("../square.yaml", "THREADS * PER_THREAD <= 512", "THREADS // 32 in [1, 2]");
  const ProgramResult refused = sweep();
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("square.yaml:6:24: '//' is not an operator in \"THREADS // 32 "
                                     "in [1, 2]\"; write `THREADS / 32`: integers truncate\n"
                                     "  THREADS // 32 in [1, 2]\n"
                                     "          ^"));
}

TEST_F(Judging, FoldersWithQuotesAndFilesWithByteOrderMarksWork) {
  use(folder_.path() / "say \"k\" \\o/");
  const fs::path source = where_ / "kernels" / "square" / "plain.cu";
  write_text(where_ / "kernels" / "square" / "nothing.cuh", "\xEF\xBB\xBF#pragma once\n");
  write_text(source, "\xEF\xBB\xBF#include \"nothing.cuh\"\n" + read_file(source));
  EXPECT_EQ(statuses(), R"({"ok":1})");
}

}  // namespace
}  // namespace warpwright::testing
