// Tests a sweep with more objectives than time on the emulated device, through the program.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "core/files.h"
#include "support/program.h"

namespace warpwright::testing {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

class GoalProgram : public ::testing::Test {
 protected:
  GoalProgram() {
    write_square_kernel(folder_.path());
    write_text(file("square.yaml"),
               "kernel: square\nproblems: [{n: 3000}]\nspace:\n  THREADS: [32, 64, 128, 256]\n"
               "  PER_THREAD: [1, 2]\n"
               "metrics: {cost: time_us * THREADS, none: 1 / (THREADS - THREADS)}\n"
               "objective: [time, {maximize: THREADS}]\n"
               "require: [\"THREADS <= 128\", \"time_us < 1e6\"]\n");
  }
  [[nodiscard]] std::string file(const std::string& name) const {
    return (folder_.path() / name).string();
  }
  [[nodiscard]] ProgramResult run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(), {"--db", file("x.db")});
    return run_program(arguments);
  }
  [[nodiscard]] ProgramResult sweep(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments = {"sweep",      file("square.yaml"), "--device",
                                          "emu:sm_90a", "--kernels",         file("kernels"),
                                          "--quiet"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  }
  TemporaryFolder folder_;
};

TEST_F(GoalProgram, AWholeSweepHasAFrontThatIsShownAndExported) {
  const ProgramResult swept = sweep({"--json"});
  ASSERT_EQ(swept.exit_code, 0) << swept.err;
  const json board = json::parse(swept.out)["leaderboards"][0];
  EXPECT_EQ(board["goal"]["objectives"][1]["maximize"], true);
  EXPECT_EQ(board["entries"].size(), 6U);
  EXPECT_EQ(board["entries"][0]["goal"]["on_front"], true);
  EXPECT_EQ(board["failures"][0]["status"], "violates");
  EXPECT_EQ(board["failures"][0]["count"], 2);
  EXPECT_THAT(board["failures"][0]["example"].get<std::string>(),
              HasSubstr("violates THREADS <= 128: 256"));
  EXPECT_EQ(json::parse(sweep({"--json"}).out)["sweep"]["resumed"], 8);

  const ProgramResult shown = run({"show", "square", "--pareto"});
  EXPECT_THAT(shown.out, HasSubstr("ranked by the front of time, maximize THREADS; required: "
                                   "THREADS <= 128, time_us < 1e6"));
  EXPECT_THAT(shown.out, HasSubstr("* on the front"));
  const json exported = json::parse(run({"export", "square", "--format", "json", "--pareto"}).out);
  ASSERT_FALSE(exported.empty());
  for (const json& row : exported) {
    EXPECT_EQ(row["on_front"], true);
    EXPECT_TRUE(row["metric.none"].is_null());
    EXPECT_GT(row["metric.cost"].get<double>(), 0);
  }
  const ProgramResult csv = run({"export", "square", "--format", "csv"});
  EXPECT_THAT(csv.out, HasSubstr("metric.cost"));
  EXPECT_THAT(csv.out, HasSubstr(",violates,violates THREADS <= 128: 256,"));
  EXPECT_EQ(run({"report", "-o", file("report.html")}).exit_code, 0);
  EXPECT_THAT(read_file(file("report.html")), HasSubstr("Pareto front"));
}

TEST_F(GoalProgram, OptionsComeBeforeTheFileAndShowLooksAgain) {
  ASSERT_EQ(sweep({"--objective", "maximize: PER_THREAD", "--require", "THREADS >= 64"}).exit_code,
            0);
  const ProgramResult shown = run({"show", "square"});
  EXPECT_THAT(shown.out,
              HasSubstr("ranked by PER_THREAD, the most first; required: THREADS >= 64"));
  EXPECT_THAT(run({"show", "square", "--objective", "cost"}).out,
              HasSubstr("ranked by cost, the least first"));
  const ProgramResult wrong = run({"show", "square", "--objective", "cots"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("--objective: unknown metric 'cots' in \"cots\"; did you mean "
                                   "'cost'?"));
}

TEST_F(GoalProgram, WhatTheEmulatorCannotSayIsRefusedBeforeAnythingRuns) {
  const ProgramResult refused = sweep({"--objective", "edp"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("--objective: \"edp\" needs the energy of a launch, but "
                                     "emu:sm_90a"));
  const ProgramResult none = run_program({"show", "--db", file("x.db")});
  EXPECT_NE(none.exit_code, 0) << "nothing was stored";
  EXPECT_THAT(sweep({"--require", "energy < 2"}).err,
              HasSubstr("--require: \"energy < 2\" needs the energy of a launch"));
}

TEST_F(GoalProgram, OneObjectiveHasNoFrontToShow) {
  ASSERT_EQ(sweep({"--objective", "time"}).exit_code, 0);
  const ProgramResult shown = run({"show", "square", "--pareto"});
  EXPECT_EQ(shown.exit_code, 2);
  EXPECT_THAT(shown.err, HasSubstr("no board has a Pareto front, which takes several objectives"));
}

}  // namespace
}  // namespace warpwright::testing
