// Tests sources that are edited while a sweep runs: the results belong to the text read at the
// start, which is stored with them; a later sweep uses the new text.
#include <gmock/gmock.h>

#include <algorithm>

#include "support/square_sweep.h"

namespace warpwright::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class Edit : public SquareSweep {
 protected:
  void SetUp() override {
    SquareSweep::SetUp();
    write_problems("{n: 400000}, {n: 400001}");
    replace("plain.cu", "extern \"C\"",
            "#include \"squared.cuh\"\n#if __has_include(\"wrong.cuh\")\n#error a new header\n"
            "#endif\nextern \"C\"");
    replace("plain.cu", "x[at] * x[at]", "squared(x[at])");
    write_text(kernel_ / "squared.cuh", text_of_header("x * x"));
    old_source_ = read_file(kernel_ / "plain.cu");
    old_contract_ = read_file(kernel_ / "kernel.yaml");
  }
  static std::string text_of_header(const std::string& square) {
    return "__device__ inline float squared(float x) { return " + square + "; }\n";
  }
  void replace(const char* file, const std::string& from, const std::string& to) const {
    std::string text = read_file(kernel_ / file);
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    write_text(kernel_ / file, text.replace(at, from.size(), to));
  }
  // Sweeps, edits the source when a trial is stored, and returns the exit code.
  template <class Change>
  int sweep_while(Change change) {
    sweep_ = start("x.db", {});
    EXPECT_TRUE(wait_until_stored("x.db", 1, sweep_));
    change();
    return wait_for(sweep_);
  }
  [[nodiscard]] std::vector<Database::TrialRow> rows() const {
    return Database(folder_.path() / "x.db", OpenMode::kReadOnly).trials({});
  }
  [[nodiscard]] std::size_t count(Status status) const {
    const std::vector<Database::TrialRow> all = rows();
    return static_cast<std::size_t>(std::count_if(
        all.begin(), all.end(), [&](const auto& row) { return row.trial.status == status; }));
  }
  // Returns a source of the kernel that the trials of this row refer to.
  [[nodiscard]] std::string stored_text(RowId kernel, const std::string& path) const {
    const Database database(folder_.path() / "x.db", OpenMode::kReadOnly);
    for (const KernelSource& source : database.kernel_sources(kernel))
      if (source.path == path) return source.text;
    return "not stored";
  }
  static std::string changed(const std::string& file) {
    return "kernels/square/" + file +
           " changed while the sweep ran; its results are of the text read at the start; sweep "
           "again for the new one\n";
  }
  static std::size_t times(const std::string& text, const std::string& what) {
    std::size_t found = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
      ++found;
    return found;
  }

  const fs::path kernel_ = folder_.path() / "kernels" / "square";
  std::string old_source_, old_contract_;
  int sweep_ = 0;  // process id
  static constexpr std::size_t kTrials = 2 * 11;
};

TEST_F(Edit, RowsAreOfTheTextThatWasRead) {
  EXPECT_EQ(sweep_while([&] {
              replace("plain.cu", "squared(x[at])", "squared(x[at]) + 1");
              replace("kernel.yaml", "rel: 1e-6", "rel: 1e-12");
              replace("kernel.yaml", "min: 1, max: 8", "min: 1, max: 2");
            }),
            0)
      << said();
  ASSERT_EQ(rows().size(), kTrials);
  EXPECT_EQ(count(Status::kOk), kTrials);
  for (const Database::TrialRow& row : rows()) {
    ASSERT_EQ(stored_text(row.trial.kernel, "kernels/square/plain.cu"), old_source_);
    ASSERT_EQ(stored_text(row.trial.kernel, "kernels/square/kernel.yaml"), old_contract_);
  }
  for (const char* file : {"plain.cu", "kernel.yaml"})
    EXPECT_EQ(times(said(), changed(file)), 1U) << said();
}

TEST_F(Edit, SweepingAgainMeasuresTheNewText) {
  ASSERT_EQ(sweep_while([&] { write_text(kernel_ / "squared.cuh", text_of_header("x * x + 1")); }),
            0)
      << said();
  EXPECT_THAT(said(), HasSubstr(changed("squared.cuh")));
  EXPECT_EQ(count(Status::kOk), kTrials);
  const ProgramResult again = run_program(arguments("x.db"));
  EXPECT_EQ(again.exit_code, 1) << "no configuration of the new text is right";
  EXPECT_THAT(again.err, Not(HasSubstr("changed while the sweep ran")));
  EXPECT_EQ(count(Status::kWrongResult), kTrials);
  for (const Database::TrialRow& row : rows()) {
    if (row.trial.status == Status::kWrongResult) {
      ASSERT_EQ(stored_text(row.trial.kernel, "kernels/square/squared.cuh"),
                text_of_header("x * x + 1"));
    }
  }
}

TEST_F(Edit, AFileThatVanishesAndOneThatAppearsDoNotEnter) {
  EXPECT_EQ(sweep_while([&] {
              write_text(kernel_ / "wrong.cuh", "");
              fs::remove(kernel_ / "squared.cuh");
            }),
            0)
      << said();
  EXPECT_EQ(count(Status::kOk), kTrials);
  EXPECT_THAT(said(), AllOf(HasSubstr("kernels/square/squared.cuh was removed while the sweep ran"),
                            HasSubstr("kernels/square/wrong.cuh appeared while the sweep ran")));
  EXPECT_EQ(run_program(arguments("x.db")).exit_code, 1) << "the sources of now do not compile";
}

TEST_F(Edit, ADeletedKernelIsSweptToItsEnd) {
  EXPECT_EQ(sweep_while([&] { fs::remove_all(kernel_); }), 0) << said();
  EXPECT_EQ(count(Status::kOk), kTrials);
  EXPECT_THAT(said(), HasSubstr("kernels/square/reference.cpp was removed while the sweep ran"));
}

TEST_F(Edit, AMeasurerThatStartsAnewReadsTheOldTextToo) {
  EXPECT_EQ(sweep_while([&] {
              write_text(kernel_ / "kernel.yaml", "not a contract\n");
              write_text(kernel_ / "reference.cpp", "not a reference\n");
              fs::remove_all(folder_.path() / "cache" / "reference");
              for (const int worker : workers_of(sweep_, "measure")) kill(worker, SIGKILL);
            }),
            0)
      << said();
  EXPECT_EQ(count(Status::kOk), kTrials);
}

}  // namespace
}  // namespace warpwright::testing
