// Tests import, merge and export through the built program.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "core/files.h"
#include "store/child_process.h"
#include "store/sample_records.h"
#include "support/program.h"
#include "support/stored_text.h"

namespace warpwright::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
namespace fs = std::filesystem;

class Exchange : public ::testing::Test {
 protected:
  [[nodiscard]] std::string file(const std::string& name) const {
    return (folder_.path() / name).string();
  }
  static std::string sample_t4() {
    return std::string(WARPWRIGHT_SOURCE_DIR) + "/tests/exchange/blur-X100.json";
  }
  // Makes a database with one trial of this time, started at this second.
  void make_database(const std::string& name, double median_us, int second) const {
    Database database(file(name));
    database.put_device(sample_device());
    database.put_kernel(sample_kernel());
    database.start_run(sample_run());
    TrialRecord trial = sample_trial();
    trial.median_us = trial.ci_low_us = trial.ci_high_us = median_us;
    trial.started_utc = "2026-03-01T12:00:0" + std::to_string(second) + "Z";
    database.add_trial(trial);
  }
  TemporaryFolder folder_;
};

TEST_F(Exchange, ImportedResultsAreShownAsWhatTheyAre) {
  const ProgramResult imported =
      run_program({"import", sample_t4(), "--db", file("x.db"), "--problem", "image=512"});
  EXPECT_EQ(imported.exit_code, 0) << imported.err;
  EXPECT_THAT(imported.out, HasSubstr("T4               9      0"));
  EXPECT_THAT(imported.out,
              HasSubstr("blur-X100.json: 4 runtimes are not times (finite and above 0) and "
                        "left out\n"));
  EXPECT_THAT(imported.out, HasSubstr("`warpwright show --db " + file("x.db") + "` shows them\n"));
  const ProgramResult shown = run_program({"show", "blur", "--db", file("x.db")});
  EXPECT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_THAT(shown.out,
              HasSubstr("blur  image=512   X100 (imported), measured elsewhere, imported "
                        "from blur-X100.json\n"));
  EXPECT_THAT(shown.out, Not(HasSubstr("warpwright repro")));
  const ProgramResult repro = run_program({"repro", "1", "--db", file("x.db")});
  EXPECT_EQ(repro.exit_code, 2);
  EXPECT_THAT(repro.err, HasSubstr("trial 1 was measured elsewhere and imported from "
                                   "blur-X100.json: there are no sources to run"));
}

TEST_F(Exchange, ImportSpeaksJson) {
  const auto json = nlohmann::json::parse(
      run_program({"import", sample_t4(), "--db", file("x.db"), "--json"}).out);
  EXPECT_EQ(json["files"][0]["format"], "T4");
  EXPECT_EQ(json["files"][0]["trials"]["added"], 9);
  EXPECT_EQ(json["files"][0]["notes"].size(), 2u);
  EXPECT_EQ(json["renumbered"], 0);
  const auto again = nlohmann::json::parse(
      run_program({"import", sample_t4(), "--db", file("x.db"), "--json"}).out);
  EXPECT_EQ(again["files"][0]["trials"]["known"], 9);
}

TEST_F(Exchange, ABadFileIsAFaultOfTheUser) {
  write_text(file("k-X.json"), "{\"results\": [\n  {]\n}");
  const ProgramResult result = run_program({"import", file("k-X.json"), "--db", file("x.db")});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, HasSubstr(file("k-X.json") + ":2:4: not JSON: "));
  EXPECT_FALSE(fs::exists(file("x.db")));
}

TEST_F(Exchange, MergeMakesANewDatabaseAndSaysWhatWasNew) {
  make_database("a.db", 10, 1);
  make_database("b.db", 20, 2);
  fs::copy_file(file("a.db"), file("c.db"));
  const ProgramResult merged = run_program(
      {"merge", file("a.db"), file("b.db"), file("c.db"), "-o", file("out.db"), "--json"});
  ASSERT_EQ(merged.exit_code, 0) << merged.err;
  const auto json = nlohmann::json::parse(merged.out);
  EXPECT_EQ(json["files"][0]["trials"]["added"], 1);
  EXPECT_EQ(json["files"][1]["trials"]["added"], 1);
  EXPECT_EQ(json["files"][2]["trials"]["known"], 1);
  EXPECT_EQ(Database(file("out.db"), OpenMode::kReadOnly).trial_count(), 2u);
  // The folder contains only the databases.
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder_.path()))
    if (!entry.path().filename().string().ends_with("-wal") &&
        !entry.path().filename().string().ends_with("-shm"))
      names.insert(entry.path().filename());
  EXPECT_EQ(names, (std::set<std::string>{"a.db", "b.db", "c.db", "out.db"}));
}

TEST_F(Exchange, MergeDoesNotOverwriteAndMakesNothingWhenItFails) {
  make_database("a.db", 10, 1);
  make_database("out.db", 20, 2);
  const ProgramResult exists = run_program({"merge", file("a.db"), "-o", file("out.db")});
  EXPECT_EQ(exists.exit_code, 2);
  EXPECT_EQ(exists.err, "warpwright: " + file("out.db") +
                            " exists already; name a new file, or add to it with --into\n");
  const ProgramResult missing =
      run_program({"merge", file("a.db"), file("none.db"), "-o", file("new.db")});
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_EQ(missing.err, "warpwright: no such file: " + file("none.db") + "\n");
  EXPECT_FALSE(fs::exists(file("new.db")));
  const ProgramResult into = run_program({"merge", file("a.db"), "--into", "-o", file("new.db")});
  EXPECT_EQ(into.exit_code, 2);
  EXPECT_EQ(into.err,
            "warpwright: " + file("new.db") + " does not exist; leave --into out to make it\n");
}

TEST_F(Exchange, TrialsAreNotRenumberedUnderAnotherProcess) {
  make_database("old.db", 10, 1);
  make_database("x.db", 20, 2);
  {
    ChildProcess sweep([&](int out) {
      const Database open(file("x.db"));
      ChildProcess::say(out, "open");
      ::pause();
    });
    sweep.wait_for_output();
    const ProgramResult refused =
        run_program({"merge", file("old.db"), "--into", "-o", file("x.db")});
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_THAT(refused.err, HasSubstr("would get new numbers, but it is open in process "));
    EXPECT_EQ(Database(file("x.db"), OpenMode::kReadOnly).trial_count(), 1u);
  }
  const ProgramResult merged = run_program({"merge", file("old.db"), "--into", "-o", file("x.db")});
  EXPECT_EQ(merged.exit_code, 0) << merged.err;
  EXPECT_THAT(merged.out,
              HasSubstr("1 trials that were there have new numbers: older ones came before them"));
}

TEST_F(Exchange, ExportWritesToStdoutAFileOrAFolder) {
  make_database("a.db", 10, 1);
  const ProgramResult csv =
      run_program({"export", "softmax_topk", "--format", "csv", "--db", file("a.db")});
  EXPECT_EQ(csv.exit_code, 0) << csv.err;
  EXPECT_THAT(csv.out, ::testing::StartsWith("trial,kernel,problem,"));
  const ProgramResult t4 = run_program({"export", "all", "--format", "t4", "--db", file("a.db"),
                                        "-o", file("shared") + "/", "--json"});
  ASSERT_EQ(t4.exit_code, 0) << t4.err;
  const std::string path = nlohmann::json::parse(t4.out)["files"][0];
  EXPECT_EQ(path, file("shared/softmax_topk-NVIDIA_H200-rows_8192_V_50257_K_10_dtype_f32.json"));
  EXPECT_EQ(nlohmann::json::parse(read_file(path))["results"].size(), 1u);
  // The file is compressed because of its name, and reads back.
  EXPECT_EQ(
      run_program({"export", "all", "--format", "t4", "--db", file("a.db"), "-o", file("t4.gz")})
          .exit_code,
      0);
  EXPECT_EQ(run_program({"import", file("t4.gz"), "--db", file("b.db")}).exit_code, 0);
  EXPECT_EQ(Database(file("b.db"), OpenMode::kReadOnly).trial_count(), 1u);
}

TEST_F(Exchange, ExportRefusesWhatItDoesNotKnow) {
  make_database("a.db", 10, 1);
  const auto refused = [&](std::vector<std::string> more) {
    std::vector<std::string> arguments = {"export"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    arguments.insert(arguments.end(), {"--db", file("a.db")});
    const ProgramResult result = run_program(arguments);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.out, "");
    return result.err;
  };
  EXPECT_THAT(refused({"all", "--format", "cvs"}),
              HasSubstr("unknown format 'cvs'; did you mean 'csv'?"));
  EXPECT_THAT(refused({"softmax_topc", "--format", "csv"}),
              HasSubstr("no results of kernel 'softmax_topc'; did you mean 'softmax_topk'?"));
  EXPECT_THAT(refused({"all", "--format", "csv", "--problem", "rows=1"}),
              HasSubstr("a.db: no trials match; `warpwright show --db "));
  EXPECT_THAT(refused({"all", "--format", "csv", "--json"}),
              HasSubstr("--json says which files were written; name one with -o PATH"));
}

TEST_F(Exchange, SeveralFilesWantAFolder) {
  {
    make_database("a.db", 10, 1);
    Database database(file("a.db"));
    TrialRecord trial = sample_trial();
    trial.key += " of the other problem";
    trial.problem_text = "rows=1";
    set_text(trial.problem, R"({"rows":1})");
    database.add_trial(trial);
  }
  const ProgramResult result =
      run_program({"export", "all", "--format", "t4", "--db", file("a.db"), "-o", file("x.json")});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err,
              HasSubstr("2 files are to be written (softmax_topk-NVIDIA_H200-rows_1.json"));
  EXPECT_EQ(run_program({"export", "all", "--format", "t4", "--db", file("a.db"), "--problem",
                         "rows=1", "-o", file("x.json")})
                .exit_code,
            0);
}

TEST_F(Exchange, APlaceThatCannotBeWrittenIsAnEnvironmentFault) {
  make_database("a.db", 10, 1);
  const ProgramResult result = run_program({"export", "all", "--format", "csv", "--db",
                                            file("a.db"), "-o", "/proc/no-such-folder/x.csv"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("/proc/no-such-folder/x.csv"));
}

}  // namespace
}  // namespace warpwright::testing
