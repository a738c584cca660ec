// Tests `warpwright repro`: a stored trial runs again from its folder alone, whatever became of the
// tree.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "core/escape.h"
#include "core/files.h"
#include "core/terminal_text.h"
#include "store/database.h"
#include "store/sqlite.h"
#include "support/program.h"
#include "support/raw_sql.h"

namespace warpwright::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class Repro : public ::testing::Test {
 protected:
  void SetUp() override {
    write_square_kernel(folder_.path());
    // Adds a second variant, whose source the trials of the first do not use, with its own header.
    replace("kernel.yaml", "variants:\n",
            "variants:\n"
            "  other:\n"
            "    source: other.cu\n"
            "    launches: [{entry: square, grid: [\"ceil_div(n, 128)\"], block: [128]}]\n"
            "    parameters: []\n");
    write_text(kernel_ / "other.cu", "#error other variant\n");
    replace("plain.cu", "x[at] * x[at]", "squared(x[at])");
    replace("plain.cu", "extern \"C\"", "#include \"squared.cuh\"\nextern \"C\"");
    write_text(kernel_ / "squared.cuh",
               "__device__ inline float squared(float x) { return x * x; }\n");
    write_text(folder_.path() / "one.yaml",
               "kernel: square\nproblems: [{n: 5000}]\n"
               "space: {variant: plain, THREADS: [64], PER_THREAD: [2]}\n");
    cache_ = "WARPWRIGHT_CACHE=" + (folder_.path() / "cache").string();
    database_ = (folder_.path() / "results.db").string();
    out_ = (folder_.path() / "repro").string();
  }

  void replace(const char* file, const std::string& from, const std::string& to) const {
    std::string text = read_file(kernel_ / file);
    text.replace(text.find(from), from.size(), to);
    write_text(kernel_ / file, text);
  }
  void break_header() const {
    write_text(kernel_ / "squared.cuh",
               "__device__ inline float squared(float x) { return x * x + (x > 1.0f); }\n");
  }
  [[nodiscard]] ProgramResult sweep(const std::string& seed = "1") const {
    return run_program({"sweep", (folder_.path() / "one.yaml").string(), "--kernels",
                        (folder_.path() / "kernels").string(), "--device", "emu:sm_90a", "--db",
                        database_, "--quiet", "--seed", seed},
                       {cache_});
  }
  [[nodiscard]] ProgramResult repro(std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments = {"repro", "1", "--db", database_, "-o", out_};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments, {cache_});
  }
  [[nodiscard]] nlohmann::json run_json() const {
    return nlohmann::json::parse(repro({"--run", "--json"}).out).at("run");
  }

  TemporaryFolder folder_;
  fs::path kernel_ = folder_.path() / "kernels" / "square";
  std::string cache_;
  std::string database_;
  std::string out_;
};

TEST_F(Repro, HoldsTheVariantWithAllThatItIncludesAndNothingOfTheOthers) {
  ASSERT_EQ(sweep().exit_code, 0);
  ASSERT_EQ(repro().exit_code, 0);
  const fs::path copy = fs::path(out_) / "kernels" / "square";
  for (const char* file : {"kernel.yaml", "reference.cpp", "plain.cu", "squared.cuh"})
    EXPECT_EQ(read_file(copy / file), read_file(kernel_ / file)) << file;
  EXPECT_EQ(read_file(copy / "other.cu"), "// Of another variant: not a part of this trial.\n");
  EXPECT_EQ(read_file(fs::path(out_) / "kernels/common/reference.h"),
            read_file(WARPWRIGHT_SOURCE_DIR "/kernels/common/reference.h"));
}

TEST_F(Repro, TheSweepIsThatOneConfiguration) {
  ASSERT_EQ(sweep().exit_code, 0);
  ASSERT_EQ(repro().exit_code, 0);
  EXPECT_EQ(read_file(fs::path(out_) / "sweep.yaml"),
            "# trial 1 of " + database_ +
                ": square plain PER_THREAD=2 THREADS=64 on n=5000\n"
                "kernel: square\nproblems:\n  - {\"n\":5000}\nspace:\n  variant: \"plain\"\n"
                "  PER_THREAD: [2]\n  THREADS: [64]\nbudget: 1\n");
}

TEST_F(Repro, EverythingStoredIsInTheJson) {
  ASSERT_EQ(sweep("7").exit_code, 0);
  ASSERT_EQ(repro().exit_code, 0);
  const auto json = nlohmann::json::parse(read_file(fs::path(out_) / "trial.json"));
  EXPECT_EQ(json["status"], "ok");
  EXPECT_EQ(json["run"]["seed"], 7);
  EXPECT_EQ(json["device"]["id"], "emu:sm_90a");
  EXPECT_EQ(json["configuration"]["THREADS"], 64);
  EXPECT_EQ(json["protocol"], "model-1");
  EXPECT_FALSE(json["options"].empty());
}

TEST_F(Repro, AFailingTrialFailsAgainThoughTheSourceHasBeenMended) {
  const std::string good = read_file(kernel_ / "squared.cuh");
  break_header();
  EXPECT_EQ(sweep().exit_code, 1);
  write_text(kernel_ / "squared.cuh", good);
  const nlohmann::json run = run_json();
  EXPECT_EQ(run["status"], "wrong_result");
  EXPECT_TRUE(run["agrees"].get<bool>());
  EXPECT_TRUE(run["same_sources"].get<bool>());
}

TEST_F(Repro, APassingTrialPassesThoughTheTreeIsGone) {
  ASSERT_EQ(sweep().exit_code, 0);
  fs::remove_all(folder_.path() / "kernels");
  const nlohmann::json run = run_json();
  EXPECT_EQ(run["status"], "ok");
  EXPECT_TRUE(run["same_sources"].get<bool>());
}

TEST_F(Repro, AnotherEndIsADifference) {
  ASSERT_EQ(sweep().exit_code, 0);
  Connection(database_, Connection::Access::kCreate, 1000, "x.db")
      .execute(std::string(kForgetChecksums) +
               "UPDATE trial SET status = 'timeout', reason = 'no end'");
  const ProgramResult result = repro({"--run"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, HasSubstr("differs: got ok, stored as timeout\n"));
}

TEST_F(Repro, ANoisyTrialAgreesWhenItRunsRight) {
  ASSERT_EQ(sweep().exit_code, 0);
  Connection(database_, Connection::Access::kCreate, 1000, "x.db")
      .execute(std::string(kForgetChecksums) +
               "UPDATE trial SET status = 'noisy', median_us = NULL");
  EXPECT_EQ(repro({"--run"}).exit_code, 0);
}

// For a kernel of the tree, neither the tree's sources nor the reference built next to the program
// are used.
TEST_F(Repro, AKernelOfTheTreeRunsFromTheFolderAlone) {
  write_text(folder_.path() / "gated.yaml",
             "kernel: gated_activation\nproblems: [{rows: 2, d: 64}]\nspace: {variant: scalar}\n");
  ASSERT_EQ(run_program({"sweep", (folder_.path() / "gated.yaml").string(), "--device",
                         "emu:sm_90a", "--db", database_, "--quiet"},
                        {cache_})
                .exit_code,
            0);
  ASSERT_EQ(repro().exit_code, 0);
  const fs::path kernels = fs::path(out_) / "kernels";
  EXPECT_TRUE(fs::exists(kernels / "common" / "activation.cuh"));
  const std::string script = (fs::path(out_) / "run.sh").string();
  const std::string command = "WARPWRIGHT=" + shell_word(warpwright_program()) + " " + cache_ +
                              " " + script + " --quiet > " + (folder_.path() / "log").string() +
                              " 2>&1";
  EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 0) << read_file(folder_.path() / "log");
  const std::string reference = read_file(kernels / "gated_activation" / "reference.cpp");
  write_text(kernels / "gated_activation" / "reference.cpp", "int nothing;\n");
  EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 2);
  EXPECT_THAT(read_file(folder_.path() / "log"), HasSubstr("ww_reference"));
  write_text(kernels / "gated_activation" / "reference.cpp", reference);
  write_text(kernels / "common" / "activation.cuh", "#error the folder's header\n");
  EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 1);
  EXPECT_THAT(read_file(folder_.path() / "log"), HasSubstr("the folder's header"));
}

TEST_F(Repro, AGivenFolderWinsOverTheTree) {
  fs::rename(kernel_, folder_.path() / "kernels" / "gated_activation");
  const ProgramResult result = run_program(
      {"kernels", "gated_activation", "--kernels", (folder_.path() / "kernels").string()});
  EXPECT_THAT(result.out, HasSubstr("Squares every element"));
}

TEST_F(Repro, TheScriptSaysWhatIsMissingForTheSanitizer) {
  ASSERT_EQ(sweep().exit_code, 0);
  ASSERT_EQ(repro().exit_code, 0);
  const std::string log = (folder_.path() / "log").string();
  const std::string command = "PATH=/usr/bin:/bin WARPWRIGHT=" + shell_word(warpwright_program()) +
                              " " + out_ + "/run.sh --sanitize > " + log + " 2>&1";
  if (fs::exists("/usr/bin/compute-sanitizer")) GTEST_SKIP() << "compute-sanitizer is in /usr/bin";
  EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 3);
  EXPECT_EQ(read_file(log),
            "run.sh: compute-sanitizer is not on PATH; it comes with the CUDA Toolkit, often in "
            "/usr/local/cuda/bin\n");
}

TEST_F(Repro, TheSanitizerIsGivenTheSweep) {
  ASSERT_EQ(sweep().exit_code, 0);
  ASSERT_EQ(repro().exit_code, 0);
  const fs::path fake = folder_.path() / "bin" / "compute-sanitizer";
  write_text(fake, "#!/bin/sh\necho \"$@\"\n");
  chmod(fake.c_str(), 0755);
  const std::string log = (folder_.path() / "log").string();
  const std::string command = "PATH=" + fake.parent_path().string() +
                              ":/usr/bin:/bin WARPWRIGHT=" + shell_word(warpwright_program()) +
                              " " + out_ + "/run.sh --sanitize > " + log;
  EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 0);
  EXPECT_EQ(read_file(log), "--target-processes all " + warpwright_program() + " sweep " + out_ +
                                "/sweep.yaml --kernels " + out_ + "/kernels --db " + out_ +
                                "/repro.db --fresh --seed 1 --device emu:sm_90a\n");
}

TEST_F(Repro, AnUnknownTrialIsTheUsersError) {
  ASSERT_EQ(sweep().exit_code, 0);
  const ProgramResult result = run_program({"repro", "99", "--db", database_, "-o", out_});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err, "warpwright: " + database_ +
                            ": no trial 99; it holds trials 1 to 1; `warpwright show --db " +
                            database_ + "` prints their numbers\n");
  EXPECT_FALSE(fs::exists(out_));
}

TEST_F(Repro, ATrialWithoutSourcesSaysHowToGetThem) {
  ASSERT_EQ(sweep().exit_code, 0);
  Connection(database_, Connection::Access::kCreate, 1000, "x.db")
      .execute("DELETE FROM kernel_source");
  const ProgramResult result = repro();
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err,
            "warpwright: " + database_ +
                ": trial 1 was stored by an older warpwright, which did not keep sources; run "
                "`warpwright sweep " +
                (folder_.path() / "one.yaml").string() + " --db " + database_ +
                "` again: it keeps them, of unchanged sources for this trial as well\n");
  ASSERT_EQ(sweep().exit_code, 0);  // resuming is enough
  EXPECT_EQ(repro().exit_code, 0);
}

TEST_F(Repro, AFolderWithSomethingInItIsLeftAlone) {
  ASSERT_EQ(sweep().exit_code, 0);
  write_text(fs::path(out_) / "mine", "x");
  const ProgramResult result = repro();
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err,
            "warpwright: " + out_ + ": exists and is not empty; name another folder with -o\n");
  EXPECT_FALSE(fs::exists(fs::path(out_) / "run.sh"));
}

TEST_F(Repro, AStoredPathOutsideTheFolderIsRefused) {
  ASSERT_EQ(sweep().exit_code, 0);
  Connection(database_, Connection::Access::kCreate, 1000, "x.db")
      .execute(std::string(kForgetChecksums) +
               "UPDATE kernel_source SET path = '../escaped' WHERE path LIKE '%plain.cu'");
  EXPECT_EQ(repro().exit_code, 2);
  EXPECT_FALSE(fs::exists(folder_.path() / "escaped"));
}

// Expects no hidden files, no files outside of the kernels, and no incomplete folder.
TEST_F(Repro, AStoredPathThatWouldHideIsRefused) {
  ASSERT_EQ(sweep().exit_code, 0);
  const std::string before = read_file(database_);
  for (const std::string path : {"kernels/.x/plain.cu", ".x", "plain.cu", "kernels/a\x1b.cu"}) {
    publish_file(database_, before);
    Connection(database_, Connection::Access::kCreate, 1000, "x.db")
        .execute(std::string(kForgetChecksums) + "UPDATE kernel_source SET path = '" + path +
                 "' WHERE path LIKE '%plain.cu'");
    const ProgramResult result = repro();
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.err, "warpwright: the stored source '" + terminal_line(path) +
                              "' would be hidden or lie apart from the kernels; expected a path "
                              "below kernels/ without names that begin with a dot and without "
                              "control characters\n");
    EXPECT_FALSE(fs::exists(out_));
    for (const auto& entry : fs::directory_iterator(folder_.path()))
      EXPECT_FALSE(entry.path().string().ends_with(".partial")) << entry.path();
  }
}

TEST_F(Repro, ACacheThatCannotBeMadeIsAnErrorOfTheEnvironment) {
  write_text(folder_.path() / "cache", "a file in its place");
  const ProgramResult result = sweep();
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(result.err, "warpwright: cannot make the compile cache's folder " +
                            (folder_.path() / "cache" / "compile").string() +
                            ": Not a directory; set WARPWRIGHT_CACHE to a folder that can be "
                            "written\n");
}

TEST_F(Repro, FailuresOfASweepNameTheCommand) {
  break_header();
  EXPECT_THAT(sweep().out, HasSubstr("run one of them alone: warpwright repro 1 --db " + database_ +
                                     " --kernels "));
}

}  // namespace
}  // namespace warpwright::testing
