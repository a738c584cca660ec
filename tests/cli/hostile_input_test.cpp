// Tests inputs, outputs and surroundings that would hang or mislead the program: each ends at once,
// with an explanation and the exit code that says whose fault it is.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <csignal>
#include <cstdlib>
#include <fstream>

#include "core/escape.h"
#include "core/files.h"
#include "store/database.h"
#include "support/program.h"

namespace warpwright::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class HostileInput : public ::testing::Test {
 protected:
  void SetUp() override { write_square_kernel(folder_.path()); }

  [[nodiscard]] std::string path(const std::string& name) const {
    return (folder_.path() / name).string();
  }
  [[nodiscard]] std::vector<std::string> here(std::vector<std::string> arguments) const {
    for (const std::string& more : {std::string("--kernels"), path("kernels")})
      arguments.push_back(more);
    return arguments;
  }
  [[nodiscard]] ProgramResult run(const std::vector<std::string>& arguments,
                                  std::vector<std::string> environment = {}) const {
    if (environment.empty()) environment = {"WARPWRIGHT_CACHE=" + path("cache")};
    return run_program(here(arguments), environment);
  }
  [[nodiscard]] std::vector<std::string> sweep_words() const {
    return {"sweep",   path("square.yaml"), "--db",      path("x.db"),
            "--quiet", "--device",          "emu:sm_90a"};
  }
  // Runs through a shell, for redirections; stderr is kept.
  [[nodiscard]] ProgramResult shell(const std::string& redirected) const {
    const std::string command =
        "WARPWRIGHT_CACHE=" + path("cache") + " " + redirected + " 2>" + path("stderr");
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), "",
            read_file(path("stderr"))};
  }
  void edit(const std::string& name, const std::string& from, const std::string& to) const {
    std::string text = read_file(path(name));
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    write_text(path(name), text.replace(at, from.size(), to));
  }
  void expect_refused(const ProgramResult& result, const std::string& message) const {
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_THAT(result.err, HasSubstr(message));
  }

  TemporaryFolder folder_;
};

TEST_F(HostileInput, ASizeWhoseBytesDoNotFitIntoAnInteger) {
  const ProgramResult result =
      run({"profile", "gated_activation", "--problem", "rows=3 d=3074457345618258603"});
  expect_refused(result, "is more than 64 bits can count in bytes; choose a smaller problem");
  expect_refused(result, "[3, 3074457345618258603]");
}

TEST_F(HostileInput, NumbersThatWouldWrapAround) {
  const std::string sweep = path("square.yaml");
  for (const auto& words : std::vector<std::vector<std::string>>{
           {"sweep", sweep, "--seed", "-1"},
           {"sweep", sweep, "--top", "-1"},
           {"show", "--top", "-1"},
           {"compare", "--top", "-3"},
           {"space", sweep, "--seed", "-1"},
           {"space", sweep, "--sample", "-2"},
           {"profile", "square", "--lines", "-5"},
           {"profile", "square", "--seed", "-1"},
           {"profile", "square", "--sample-blocks", "-1"},
           {"check", path("none"), "--seed", "-1"},
           {"vet", "square", "--seed", "-1"},
       }) {
    const ProgramResult result = run(words);
    expect_refused(result, "got '" + words.back() + "', expected a whole number of at least");
    EXPECT_THAT(result.err, HasSubstr(words[words.size() - 2])) << "the option is named";
  }
}

TEST_F(HostileInput, AStrategyOfNoName) {
  expect_refused(run({"sweep", path("square.yaml"), "--strategy", ""}),
                 "--strategy: got '', expected a strategy's name");
}

TEST_F(HostileInput, WhatIsNoRegularFileIsNotRead) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  for (const std::string& odd : {path("pipe"), std::string("/dev/zero")}) {
    const std::string message = "expected a regular file";
    expect_refused(run({"sweep", odd}), message);
    expect_refused(run({"show", "--db", odd}), message);
    expect_refused(run({"report", "--db", odd}), message);
    expect_refused(run({"import", odd, "--db", path("y.db")}), message);
    expect_refused(run({"merge", odd, "-o", path("z.db")}), message);
    expect_refused(run({"salvage", odd, "-o", path("z.db")}), message);
  }
  EXPECT_FALSE(fs::exists(path("z.db")));
}

TEST_F(HostileInput, OutputThatCannotBeWrittenIsAnError) {
  for (const std::string verb : {"kernels", "kernels --json", "--version", "show --help"}) {
    const ProgramResult result =
        shell(shell_word(warpwright_program()) + " " + verb + " >/dev/full");
    EXPECT_EQ(result.exit_code, 3) << verb;
    EXPECT_EQ(result.err, "warpwright: cannot write the output: No space left on device\n") << verb;
  }
}

TEST_F(HostileInput, AReportGoesIntoWhatIsThere) {
  ASSERT_EQ(run(sweep_words()).exit_code, 0);
  const std::string report =
      shell_word(warpwright_program()) + " report --db " + path("x.db") + " -o ";
  fs::create_symlink("page.html", path("link"));
  EXPECT_EQ(shell(report + path("link") + " >/dev/null").exit_code, 0);
  EXPECT_TRUE(fs::is_symlink(path("link")));
  const std::string page = read_file(path("page.html"));
  // The output of the page must contain nothing else.
  EXPECT_EQ(shell(report + "/dev/stdout >" + path("out")).exit_code, 0);
  EXPECT_TRUE(fs::exists("/dev/stdout"));
  const std::string out = read_file(path("out"));
  EXPECT_EQ(out.substr(0, 15), page.substr(0, 15));
  EXPECT_TRUE(out.ends_with("</html>\n")) << out.substr(out.size() - 80);
  EXPECT_EQ(shell(report + "/dev/full >/dev/null").exit_code, 3);
}

TEST_F(HostileInput, AReferenceThatThrowsSaysSo) {
  edit("kernels/square/reference.cpp", "ww_call* call) {",
       "ww_call* call) {\n  throw std::runtime_error(\"no table for this\");");
  edit("kernels/square/reference.cpp", "#include", "#include <stdexcept>\n#include");
  const ProgramResult result = run(sweep_words());
  expect_refused(result, "reference.cpp: the reference failed: no table for this");
}

TEST_F(HostileInput, AReferenceThatAsksForWhatIsNotThereIsNamedWithIt) {
  edit("kernels/square/reference.cpp", "find_tensor(call, \"x\")", "find_tensor(call, \"xs\")");
  const ProgramResult result = run(sweep_words());
  expect_refused(result,
                 "reference.cpp: the reference failed: it asks for the input 'xs', which the "
                 "contract does not have; there is x");
}

TEST_F(HostileInput, ASweepNeedsNoHome) {
  for (const std::string& home : {path("nobody"), std::string()}) {
    fs::remove(path("x.db"));
    const ProgramResult result =
        run(sweep_words(), {"HOME=" + home, "WARPWRIGHT_CACHE=", "XDG_CACHE_HOME="});
    EXPECT_EQ(result.exit_code, 0) << home << ": " << result.err;
  }
  // A GPU's driver creates its own folder there.
  EXPECT_FALSE(fs::exists(path("nobody/.cache")));
}

TEST_F(HostileInput, ALimitThatNothingStartsInIsNamed) {
  expect_refused(run(sweep_words(), {"WARPWRIGHT_MEMORY_LIMIT=1"}),
                 "WARPWRIGHT_MEMORY_LIMIT='1': 1 bytes are too few for a process to start in; "
                 "expected `off` or at least 64MiB");
}

TEST_F(HostileInput, ALocalArrayThatNoThreadCanHaveNamesTheLimit) {
  for (const auto& entry : fs::directory_iterator(path("kernels/square"))) {
    if (entry.path().extension() != ".cu") continue;
    std::string text = read_file(entry.path());
    // The array is indexed at run time, so that it lies in memory.
    const std::size_t body = text.find("{", text.find("__global__"));
    ASSERT_NE(body, std::string::npos);
    text.insert(body + 1, "\n  volatile float big[16 << 20];\n  big[threadIdx.x * 1000] = 1;\n");
    write_text(entry.path(), text);
  }
  const ProgramResult result = run(sweep_words());
  EXPECT_THAT(result.out + result.err,
              ::testing::AnyOf(HasSubstr("524288"), HasSubstr("0x80000"), HasSubstr("local")));
  EXPECT_THAT(result.out + result.err, ::testing::Not(HasSubstr("internal")));
}

}  // namespace
}  // namespace warpwright::testing
