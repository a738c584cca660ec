// Tests sweep --shard, merge and show through the built program: the union of all shards is the
// sweep.
#include <gmock/gmock.h>

#include "core/process/run_command.h"
#include "support/square_sweep.h"

namespace warpwright::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class ShardedSweep : public SquareSweep {
 protected:
  void SetUp() override {
    SquareSweep::SetUp();
    write_problems("{n: 1000}, {n: 1500}");
  }
  [[nodiscard]] std::string path(const std::string& name) const {
    return (folder_.path() / name).string();
  }
  void run_shard(const std::string& part, const std::string& database,
                 const std::vector<std::string>& more = {}) const {
    std::vector<std::string> all = {"--shard", part};
    all.insert(all.end(), more.begin(), more.end());
    (void)finish(database, all);
  }
  [[nodiscard]] nlohmann::json shown(const std::string& database) const {
    const ProgramResult result =
        run_program({"show", "square", "--db", path(database), "--json", "--top", "0"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return ranking(nlohmann::json::parse(result.out));
  }
  void merge(const std::vector<std::string>& databases, const std::string& output) {
    std::vector<std::string> all = {"merge"};
    for (const std::string& database : databases) all.push_back(path(database));
    all.insert(all.end(), {"-o", path(output)});
    merged_ = run_program(all);
    EXPECT_EQ(merged_.exit_code, 0) << merged_.err;
  }
  ProgramResult merged_;
};

TEST_F(ShardedSweep, AllShardsMergedAreTheUnshardedSweep) {
  (void)finish("whole.db");
  for (const std::string part : {"1", "2", "3"}) run_shard(part + "/3", part + ".db");
  merge({"3.db", "1.db", "2.db"}, "union.db");
  EXPECT_EQ(shown("union.db"), shown("whole.db"));
  EXPECT_THAT(merged_.out, Not(HasSubstr("configurations are here")));
}

TEST_F(ShardedSweep, ABudgetIsOfAllShardsTogether) {
  const std::vector<std::string> some = {"--strategy", "random", "--budget", "7"};
  (void)finish("whole.db", some);
  for (const std::string part : {"1", "2"}) run_shard(part + "/2", part + ".db", some);
  merge({"1.db", "2.db"}, "union.db");
  EXPECT_EQ(shown("union.db"), shown("whole.db"));
}

TEST_F(ShardedSweep, TheUnionResumesAsAWhole) {
  for (const std::string part : {"1", "2"}) run_shard(part + "/2", part + ".db");
  merge({"1.db", "2.db"}, "union.db");
  const nlohmann::json again = finish("union.db");
  EXPECT_EQ(again["sweep"]["trials"], again["sweep"]["resumed"]);
}

TEST_F(ShardedSweep, AMissingShardIsNamed) {
  for (const std::string part : {"1", "3"}) run_shard(part + "/3", part + ".db");
  merge({"1.db", "3.db"}, "union.db");
  const std::string line = "of 11 configurations are here; of 3 shards 2 is missing\n";
  EXPECT_THAT(merged_.out, AllOf(HasSubstr("square n=1000 on emulated NVIDIA H200 (sm_90a): "),
                                 HasSubstr(line)));
  EXPECT_THAT(run_program({"show", "square", "--db", path("union.db")}).out, HasSubstr(line));
}

TEST_F(ShardedSweep, AShardSaysWhatItsRankingIsNot) {
  const ProgramResult result = run_program(arguments("1.db", {"--shard", "1/2", "--quiet"}));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out,
              HasSubstr("shard 1 of 2: what is above is ranked among this shard's configurations "
                        "only; join the databases of all with `merge`, then rank the "
                        "best of them on one GPU with `sweep --rank-only`\n"));
}

TEST_F(ShardedSweep, WhatLearnsCannotBeSplit) {
  const ProgramResult result =
      run_program(arguments("1.db", {"--shard", "1/2", "--strategy", "auto"}));
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err,
              HasSubstr("--shard 1/2: the strategy auto learns from all answers, and shards do not "
                        "share theirs; choose --strategy exhaustive, random or "
                        "latin_hypercube, or split the problems with --set\n"));
}

TEST_F(ShardedSweep, MoreShardsThanConfigurationsAreAnError) {
  const ProgramResult result = run_program(arguments("1.db", {"--shard", "1/12"}));
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err,
              HasSubstr("--shard 1/12: n=1000 on emu:sm_90a has 11 configurations to ask about, "
                        "expected at most as many shards\n"));
}

TEST_F(ShardedSweep, AFinalRankingAloneNeedsAClock) {
  const ProgramResult result = run_program(arguments("x.db", {"--rank-only"}));
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "x.db"));
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err,
              HasSubstr("--rank-only: emu:sm_90a (emulated NVIDIA H200 (sm_90a)) only models "
                        "times, and a final ranking measures; choose a GPU"));
}

// Runs the scripts of scripts/examples in the way that Slurm would, without Slurm.
class SlurmExamples : public ShardedSweep {
 protected:
  [[nodiscard]] CommandResult run_task(const std::string& task, const std::string& count,
                                       const std::vector<std::string>& more = {}) const {
    std::vector<std::string> all =
        in_job({"SLURM_ARRAY_TASK_ID=" + task, "SLURM_ARRAY_TASK_COUNT=" + count,
                "SLURM_CPUS_PER_TASK=1"});
    all.insert(all.end(), more.begin(), more.end());
    all.insert(all.end(), {"bash", script("sweep_array.sbatch"), path("square.yaml"), path("out"),
                           "--kernels", path("kernels"), "--device", "emu:sm_90a", "--quiet"});
    return run_command(all);
  }
  [[nodiscard]] CommandResult run_merge() const {
    std::vector<std::string> all = in_job({"DEVICE=emu:sm_90a"});
    all.insert(all.end(),
               {"bash", script("merge_shards.sbatch"), path("square.yaml"), path("out")});
    return run_command(all);
  }

 private:
  static std::string script(const std::string& name) {
    return std::string(WARPWRIGHT_SOURCE_DIR) + "/scripts/examples/" + name;
  }
  static std::vector<std::string> in_job(const std::vector<std::string>& variables) {
    std::vector<std::string> all = {"env", "-u", "SHARDS", "WARPWRIGHT=" + warpwright_program()};
    all.insert(all.end(), variables.begin(), variables.end());
    return all;
  }
};

TEST_F(SlurmExamples, TheArrayAndItsMergeAreTheWholeSweep) {
  (void)finish("whole.db");
  for (const std::string task : {"1", "2", "3"}) {
    const CommandResult result = run_task(task, "3");
    EXPECT_EQ(result.exit_code, 0) << result.output;
  }
  const CommandResult merged = run_merge();
  EXPECT_EQ(merged.exit_code, 0) << merged.output;
  EXPECT_EQ(shown("out/union.db"), shown("whole.db"));
}

TEST_F(SlurmExamples, ALostTaskIsMadeUpForAlone) {
  (void)finish("whole.db");
  EXPECT_EQ(run_task("1", "2").exit_code, 0);
  EXPECT_THAT(run_merge().output, HasSubstr("of 2 shards 2 is missing\n"));
  // A task submitted alone is number one of one, as Slurm counts.
  EXPECT_EQ(run_task("2", "1", {"SHARDS=2"}).exit_code, 0);
  EXPECT_THAT(run_merge().output, Not(HasSubstr("missing")));
  EXPECT_EQ(shown("out/union.db"), shown("whole.db"));
}

TEST_F(SlurmExamples, WithoutArgumentsTheyTellTheirUse) {
  const std::string folder = std::string(WARPWRIGHT_SOURCE_DIR) + "/scripts/examples/";
  EXPECT_EQ(run_command({"bash", folder + "sweep_array.sbatch"}).output,
            "usage: sbatch --array=1-N sweep_array.sbatch CONFIG FOLDER [options of warpwright "
            "sweep]\n");
  EXPECT_EQ(run_command({"bash", folder + "merge_shards.sbatch"}).output,
            "usage: sbatch merge_shards.sbatch CONFIG FOLDER [options of warpwright sweep]\n");
}

}  // namespace
}  // namespace warpwright::testing
