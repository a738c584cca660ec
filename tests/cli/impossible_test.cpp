// Tests a contract that counts more work than its kernel does, through the program on the emulated
// device.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "core/files.h"
#include "store/sqlite.h"
#include "support/program.h"
#include "support/raw_sql.h"

namespace warpwright::testing {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

class ImpossibleProgram : public ::testing::Test {
 protected:
  ImpossibleProgram() {
    write_square_kernel(folder_.path());
    write_text(folder_.path() / "square.yaml",
               "kernel: square\nproblems: [{n: 3000}]\nspace:\n  THREADS: [64, 128]\n"
               "  PER_THREAD: [1]\n");
  }
  void count_bytes(const std::string& bytes) const {
    const auto file = folder_.path() / "kernels" / "square" / "kernel.yaml";
    std::string text = read_file(file);
    const std::string was = "bytes: \"8 * n\"";
    text.replace(text.find(was), was.size(), "bytes: \"" + bytes + "\"");
    write_text(file, text);
  }
  [[nodiscard]] std::string file(const std::string& name) const {
    return (folder_.path() / name).string();
  }
  [[nodiscard]] ProgramResult run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(), {"--db", file("x.db")});
    return run_program(arguments);
  }
  [[nodiscard]] ProgramResult sweep() const {
    return run({"sweep", file("square.yaml"), "--device", "emu:sm_90a", "--kernels",
                file("kernels"), "--quiet"});
  }
  TemporaryFolder folder_;
};

TEST_F(ImpossibleProgram, TheSweepSaysSoAndShowsNoTime) {
  count_bytes("1e6 * n");  // 3 GB, which take 0.67 ms
  const ProgramResult swept = sweep();
  EXPECT_EQ(swept.exit_code, 1) << "nothing has a time";
  EXPECT_THAT(swept.out, HasSubstr("2 trials (2 impossible)"));
  EXPECT_THAT(swept.out, HasSubstr("failed: 2 of 2"));
  EXPECT_THAT(swept.out, HasSubstr("but the model of this device moves at most 4416 GB/s"));
  EXPECT_THAT(swept.out, HasSubstr("the contract's `work` or the kernel is to be corrected: a "
                                   "constraint would only hide it"));
  const json board = json::parse(run({"show", "square", "--json"}).out)["leaderboards"][0];
  EXPECT_TRUE(board["entries"].empty());
  EXPECT_EQ(board["failures"][0]["status"], "impossible");
  EXPECT_THAT(board["failures"][0]["example"].get<std::string>(),
              HasSubstr("(`work.bytes` is 3000000000)"));
  EXPECT_THAT(run({"show", "square", "--why"}).out,
              HasSubstr("or the launch does less than it should"));
}

TEST_F(ImpossibleProgram, WhatAnotherProgramStoredIsJudgedWhereverItIsRead) {
  ASSERT_EQ(sweep().exit_code, 0);
  Connection(file("x.db"), Connection::Access::kCreate, 1000, "x.db")
      .execute(std::string(kForgetChecksums) + "UPDATE trial SET work_bytes = 3e9 WHERE id = 1");
  const json board = json::parse(run({"show", "square", "--json"}).out)["leaderboards"][0];
  EXPECT_EQ(board["entries"].size(), 1U);
  EXPECT_EQ(board["failures"][0]["status"], "impossible");
  std::vector<std::string> words = {"export", "square", "--format", "json"};
  for (const bool all : {false, true}) {
    if (all) words.emplace_back("--all-trials");
    const json rows = json::parse(run(words).out);
    ASSERT_EQ(rows.size(), 2U);
    for (const json& row : rows)
      EXPECT_EQ(row["status"], row["trial"] == 1 ? "impossible" : "ok") << row;
  }
  EXPECT_EQ(run({"report", "-o", file("report.html")}).exit_code, 0);
  EXPECT_THAT(read_file(file("report.html")), HasSubstr("impossible"));
  EXPECT_THAT(run({"show", "square"}).out, HasSubstr("impossible"));
  EXPECT_THAT(sweep().out, HasSubstr("1 impossible; 2 already known"));
}

}  // namespace
}  // namespace warpwright::testing
