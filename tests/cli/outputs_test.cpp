// Tests which files a verb may write: never its inputs, and no foreign files without --force.
#include "cli/outputs.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "core/error.h"
#include "core/files.h"
#include "exchange/gzip.h"
#include "store/sample_records.h"
#include "support/program.h"
#include "support/write_text.h"

namespace warpwright::testing {
namespace {

namespace fs = std::filesystem;

class OutputsTest : public ::testing::Test {
 protected:
  OutputsTest() {
    Database database(path("r.db"));
    database.put_device(sample_device());
    database.put_kernel(sample_kernel());
    database.start_run(sample_run());
    database.add_trial(sample_trial());
    outputs_.reads(fs::path(path("r.db")));
  }
  [[nodiscard]] std::string path(const std::string& name) const {
    return (folder_.path() / name).string();
  }
  // Returns the message with {} in place of the folder.
  [[nodiscard]] std::string required(const std::string& name,
                                     const OutputKind& kind = kPageOutput) const {
    return message_of([&] { outputs_.require(path(name), kind); }, folder_.path());
  }

  TemporaryFolder folder_;
  Outputs outputs_;
};

constexpr const char* kInput =
    ", which this command reads; what is read is never written over, not even with --force; name "
    "another file";

TEST_F(OutputsTest, AnInputIsNeverWrittenOverByWhateverName) {
  fs::create_symlink("r.db", path("link"));
  fs::create_hard_link(path("r.db"), path("twin"));
  for (const bool force : {false, true}) {
    outputs_.force = force;
    for (const char* name : {"r.db", "link", "twin", "./r.db"}) {
      EXPECT_EQ(required(name),
                std::string("cannot write {}/") + name + ": it is {}/r.db" + kInput);
    }
    for (const char* name : {"r.db-wal", "r.db-shm", "r.db-journal"}) {
      EXPECT_EQ(required(name), std::string("cannot write {}/") + name +
                                    ": SQLite keeps a part of {}/r.db there, which this command "
                                    "reads; name another file");
    }
  }
}

TEST_F(OutputsTest, FilesOfOthersAreReplacedWithForceOnly) {
  write_text(path("CMakeLists.txt"), "project(mine)\n");
  EXPECT_EQ(required("CMakeLists.txt", kSourceOutput),
            "cannot write {}/CMakeLists.txt: there is a file that warpwright did not write; name "
            "another file, or replace it with --force");
  fs::copy_file(path("r.db"), path("other.db"));
  EXPECT_EQ(required("other.db"),
            "cannot write {}/other.db: there is a database of warpwright; name another file, or "
            "replace it with --force");
  write_text(path("page.html"), "<!doctype html>\n<title>Warpwright report</title>\n");
  EXPECT_EQ(required("page.html", kTableOutput),
            "cannot write {}/page.html: there is a page of warpwright, which is another kind of "
            "file; name another file, or replace it with --force");
  outputs_.force = true;
  for (const char* name : {"CMakeLists.txt", "other.db", "page.html"})
    EXPECT_EQ(required(name, kTableOutput), "no error");
}

TEST_F(OutputsTest, NewAndEmptyFilesAndOurOwnAreWritten) {
  write_text(path("empty"), "");
  write_text(path("page.html"), "<!doctype html>\n<title>Warpwright report</title>\n");
  write_text(path("t.csv.gz"), pack_gzip("trial,kernel,problem,device\r\n"));
  EXPECT_EQ(required("new.html"), "no error");
  EXPECT_EQ(required("empty"), "no error");
  EXPECT_EQ(required("page.html"), "no error");
  EXPECT_EQ(required("t.csv.gz", kTableOutput), "no error");
  EXPECT_EQ(message_of([&] { outputs_.require("/dev/null", kPageOutput); }), "no error");
}

TEST_F(OutputsTest, OfAFolderThatIsReadOnlyWhatIsOursIsReplaced) {
  fs::create_directories(path("recordings"));
  write_text(path("recordings/a.json"), "{}");
  write_text(path("recordings/page.html"), "<title>Warpwright replay</title>");
  outputs_.reads(fs::path(path("recordings")));
  outputs_.force = true;
  EXPECT_EQ(
      required("recordings/a.json"),
      "cannot write {}/recordings/a.json: it lies in a folder that this command reads, and is "
      "a file that warpwright did not write; what is read is never written over, not even "
      "with --force; name another file");
  EXPECT_EQ(required("recordings/page.html"), "no error");
}

TEST_F(OutputsTest, ASummaryIsAddedToTextsOnly) {
  write_text(path("summary.md"), "# begun by others\n");
  outputs_.require_text(path("summary.md"));
  fs::copy_file(path("r.db"), path("other.db"));
  EXPECT_EQ(message_of([&] { outputs_.require_text(path("other.db")); }, folder_.path()),
            "cannot write {}/other.db: there is a database of warpwright, expected a text to add "
            "to; name another file");
}

// Through the program: nothing was written, and the database is unchanged.
TEST_F(OutputsTest, VerbsRefuseTheirOwnInput) {
  const std::string before = read_file(path("r.db"));
  const std::string refused =
      "warpwright: cannot write " + path("r.db") + ": it is " + path("r.db") + kInput + "\n";
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"report", "--db", path("r.db"), "-o", path("r.db"), "--force"},
        {"export", "softmax_topk", "--format", "csv", "--db", path("r.db"), "-o", path("r.db")},
        {"replay", path("r.db"), "--traces", path("r.db")},
        {"merge", path("r.db"), "--into", "-o", path("r.db")},
        {"import", path("r.db"), "--db", path("r.db")},
        {"salvage", path("r.db"), "-o", path("r.db")}}) {
    const ProgramResult result = run_program(arguments);
    EXPECT_EQ(result.exit_code, 2) << arguments.front();
    EXPECT_EQ(result.err, refused) << arguments.front();
    EXPECT_EQ(read_file(path("r.db")), before) << arguments.front();
  }
}

}  // namespace
}  // namespace warpwright::testing
