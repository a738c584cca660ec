// Tests that bad input ends in a clear message and the right exit code, and loses no data.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/files.h"
#include "store/database.h"
#include "support/program.h"

namespace warpwright::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class BadInput : public ::testing::Test {
 protected:
  void SetUp() override { write_square_kernel(folder_.path()); }

  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }

  ProgramResult sweep(const std::string& config, std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments = {"sweep",         path(config), "--kernels",
                                          path("kernels"), "--db",       path("results.db"),
                                          "--quiet",       "--device",   "emu:sm_90a"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments, {"WARPWRIGHT_CACHE=" + path("cache")});
  }

  // Runs a sweep file with `text` after the line that names the kernel.
  ProgramResult sweep_of(const std::string& text, std::vector<std::string> more = {}) const {
    write_text(folder_.path() / "bad.yaml", "kernel: square\n" + text);
    return sweep("bad.yaml", std::move(more));
  }

  // Replaces one piece of the contract's text.
  void edit_contract(const std::string& from, const std::string& to) const {
    const auto file = folder_.path() / "kernels/square/kernel.yaml";
    std::string text = read_file(file);
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    write_text(file, text.replace(at, from.size(), to));
  }

  void expect_user_error(const ProgramResult& result, const std::string& message) const {
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_THAT(result.err, HasSubstr(message));
    EXPECT_THAT(result.err, StartsWith("warpwright: "));
    EXPECT_EQ(result.out, "");
  }

  TemporaryFolder folder_;
};

TEST_F(BadInput, UnknownVerbSuggests) {
  expect_user_error(run_program({"swep"}), "unknown verb 'swep'; did you mean 'sweep'?");
}

TEST_F(BadInput, UnknownOptionNamesTheHelp) {
  expect_user_error(run_program({"sweep", "x.yaml", "--budgett", "3"}),
                    "see `warpwright sweep --help`");
}

TEST_F(BadInput, MissingSweepFile) {
  expect_user_error(sweep("nothing.yaml"), path("nothing.yaml"));
}

TEST_F(BadInput, UnknownKeySuggests) {
  expect_user_error(sweep_of("problms: [{n: 3}]\n"),
                    "bad.yaml:2:1: unknown key 'problms'; did you mean 'problems'?");
}

TEST_F(BadInput, UnknownKernelSuggests) {
  write_text(folder_.path() / "bad.yaml", "kernel: sqare\nproblems: [{n: 3}]\n");
  expect_user_error(sweep("bad.yaml"), "unknown kernel 'sqare'; did you mean 'square'?");
}

TEST_F(BadInput, UnknownParameterInAConstraintSuggests) {
  expect_user_error(
      sweep_of("problems: [{n: 3}]\nspace: {THREADS: [32]}\nconstraints: [\"THREDS > 3\"]\n"),
      "did you mean 'THREADS'?");
}

TEST_F(BadInput, SyntaxErrorInAConstraintHasItsPlace) {
  expect_user_error(
      sweep_of("problems: [{n: 3}]\nspace: {THREADS: [32]}\nconstraints: [\"THREADS >\"]\n"),
      "bad.yaml:4:");
}

TEST_F(BadInput, EmptySpaceNamesTheConstraint) {
  expect_user_error(
      sweep_of("problems: [{n: 3}]\nspace: {THREADS: [32, 64]}\nconstraints: [\"THREADS > 64\"]\n"),
      "THREADS > 64");
}

TEST_F(BadInput, DivisionByZeroInAConstraintNamesTheConfiguration) {
  const ProgramResult result = sweep_of(
      "problems: [{n: 3}]\nspace: {THREADS: [32]}\nconstraints: [\"n / (THREADS - 32) > 1\"]\n");
  expect_user_error(result, "division by zero");
  EXPECT_THAT(result.err, HasSubstr("THREADS=32"));
}

TEST_F(BadInput, MissingSourceFileNamesTheVariant) {
  edit_contract("source: plain.cu", "source: gone.cu");
  const ProgramResult result = sweep("square.yaml");
  expect_user_error(result, "gone.cu");
  EXPECT_THAT(result.err, HasSubstr("plain"));
}

TEST_F(BadInput, ValueOutsideTheContract) {
  expect_user_error(sweep_of("problems: [{n: 3}]\nspace: {THREADS: [32, 4096]}\n"), "4096");
}

TEST_F(BadInput, UnknownDeviceListsThoseThatExist) {
  const ProgramResult result = sweep("square.yaml", {"--device", "emu:sm_77"});
  expect_user_error(result, "emu:sm_77");
  EXPECT_THAT(result.err, HasSubstr("emu:sm_90a"));
}

TEST_F(BadInput, UnknownStrategySuggests) {
  expect_user_error(sweep("square.yaml", {"--strategy", "randm"}), "did you mean 'random'?");
}

TEST_F(BadInput, MalformedBudget) {
  expect_user_error(sweep("square.yaml", {"--budget", "10 parsecs"}), "10 parsecs");
}

TEST_F(BadInput, UnknownSizeInSetSuggests) {
  expect_user_error(sweep("square.yaml", {"--set", "THREDS=3"}), "did you mean 'THREADS'?");
}

TEST_F(BadInput, TabsAreNamed) { expect_user_error(sweep_of("problems:\n\t- {n: 3}\n"), "tab"); }

TEST_F(BadInput, DuplicateKeys) {
  expect_user_error(sweep_of("problems: [{n: 3}]\nproblems: [{n: 4}]\n"), "bad.yaml:3:1: ");
}

TEST_F(BadInput, Anchors) {
  expect_user_error(sweep_of("problems: &a [{n: 3}]\nemulated: *a\n"), "bad.yaml:");
}

TEST_F(BadInput, TenMegabytesOfNestedLists) {
  write_text(folder_.path() / "bad.yaml", "problems: " + std::string(10 << 20, '['));
  expect_user_error(sweep("bad.yaml"), "bad.yaml");
}

TEST_F(BadInput, KernelFolderThatIsNotThere) {
  expect_user_error(run_program({"kernels", "--kernels", path("nowhere")}),
                    "expected a folder of kernel folders, got nothing there");
}

TEST_F(BadInput, UnknownSectionOfTheSelftestSuggests) {
  expect_user_error(run_program({"selftest", "--only", "bias,covrage"}),
                    "--only: unknown section 'covrage'; did you mean 'coverage'?");
}

TEST_F(BadInput, ReportOneOfAnotherKernelNamesBoth) {
  const ProgramResult result = run_program({"selftest", "--report-one", "gated_activation"});
  expect_user_error(result, "spin");
  EXPECT_THAT(result.err, HasSubstr("stream"));
}

TEST_F(BadInput, TargetUsWithoutReportOneNamesIt) {
  expect_user_error(run_program({"selftest", "--target-us", "5"}), "--report-one");
}

// --- the database ---

class BadDatabase : public BadInput {
 protected:
  void sweep_once() const { ASSERT_EQ(sweep("square.yaml", {"--budget", "2"}).exit_code, 0); }
};

TEST_F(BadDatabase, Locked) {
  sweep_once();
  sqlite3* holder = nullptr;
  ASSERT_EQ(sqlite3_open(path("results.db").c_str(), &holder), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(holder, "BEGIN EXCLUSIVE", nullptr, nullptr, nullptr), SQLITE_OK);
  const ProgramResult result = sweep("square.yaml", {"--fresh"});
  sqlite3_close(holder);
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("is locked by another process"));
  EXPECT_EQ(Database(path("results.db"), OpenMode::kReadOnly).trial_count(), 2u);
}

TEST_F(BadDatabase, TruncatedIsNotTouched) {
  sweep_once();
  const std::string whole = read_file(path("results.db"));
  write_text(path("results.db"), whole.substr(0, whole.size() / 2));
  std::filesystem::remove(path("results.db-wal"));
  const std::string before = read_file(path("results.db"));
  expect_user_error(sweep("square.yaml"), "results.db");
  EXPECT_EQ(read_file(path("results.db")), before);
}

TEST_F(BadDatabase, NotADatabaseIsNotTouched) {
  write_text(path("results.db"), "precious notes, not a database\n");
  expect_user_error(sweep("square.yaml"), "results.db");
  EXPECT_EQ(read_file(path("results.db")), "precious notes, not a database\n");
}

TEST_F(BadDatabase, NewerSchema) {
  sweep_once();
  sqlite3* writer = nullptr;
  ASSERT_EQ(sqlite3_open(path("results.db").c_str(), &writer), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(writer, "PRAGMA user_version = 9999", nullptr, nullptr, nullptr),
            SQLITE_OK);
  sqlite3_close(writer);
  expect_user_error(sweep("square.yaml"), "9999");
}

TEST_F(BadDatabase, InAFolderThatIsNotThere) {
  const ProgramResult result = sweep("square.yaml", {"--db", path("no/such/folder/x.db")});
  EXPECT_NE(result.exit_code, 0);
  EXPECT_THAT(result.err, HasSubstr("no/such/folder/x.db"));
}

TEST_F(BadDatabase, OnAFullDisk) {
  const ProgramResult result = sweep("square.yaml", {"--db", "/dev/full"});
  EXPECT_NE(result.exit_code, 0);
  EXPECT_THAT(result.err, HasSubstr("/dev/full"));
}

TEST_F(BadDatabase, ShowWithoutOne) {
  const ProgramResult result = run_program({"show", "--db", path("none.db")});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("none.db"));
}

TEST_F(BadDatabase, ShowOfAKernelWithoutResultsSuggests) {
  sweep_once();
  const ProgramResult result = run_program({"show", "sqare", "--db", path("results.db")});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("did you mean 'square'?"));
}

}  // namespace
}  // namespace warpwright::testing
