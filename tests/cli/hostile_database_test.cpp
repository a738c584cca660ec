// Tests foreign databases through the built program: none of their text reaches the terminal raw,
// impossible times are neither ranked nor exported, and refused databases end with exit code 2.
#include <gmock/gmock.h>
#include <sqlite3.h>

#include <nlohmann/json.hpp>

#include "core/files.h"
#include "store/sample_records.h"
#include "support/program.h"
#include "support/raw_sql.h"

namespace warpwright::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class HostileDatabase : public ::testing::Test {
 protected:
  HostileDatabase() {
    Database database(path("x.db"));
    database.put_device(sample_device());
    database.put_kernel(sample_kernel());
    database.start_run(sample_run());
    for (const int threads : {128, 256, 512}) {
      TrialRecord trial = sample_trial();
      trial.key = "key of " + std::to_string(threads);
      set_text(trial.parameters, "{\"THREADS\":" + std::to_string(threads) + "}");
      trial.configuration_text = "threshold THREADS=" + std::to_string(threads);
      database.add_trial(trial);
    }
  }
  [[nodiscard]] std::string path(const std::string& name) const {
    return (folder_.path() / name).string();
  }
  void edit(const std::string& sql) const {
    sqlite3* handle = nullptr;
    ASSERT_EQ(sqlite3_open(path("x.db").c_str(), &handle), SQLITE_OK);
    char* fault = nullptr;
    sqlite3_exec(handle, (kForgetChecksums + sql).c_str(), nullptr, nullptr, &fault);
    EXPECT_EQ(fault, nullptr) << fault;
    sqlite3_free(fault);
    sqlite3_close(handle);
  }
  // Expects only printable UTF-8 text and line ends.
  static void expect_plain(const std::string& text) {
    for (const unsigned char c : text) EXPECT_TRUE((c >= ' ' && c != 0x7f) || c == '\n') << int{c};
    EXPECT_THAT(text, Not(HasSubstr("\xc2\x9b")));
    EXPECT_THAT(text, Not(HasSubstr("\xff")));
  }

  TemporaryFolder folder_;
};

TEST_F(HostileDatabase, TimesThatAreNoneAreListedApart) {
  edit(
      "UPDATE trial SET median_us = 9e999 WHERE id = 1; UPDATE trial SET median_us = 0 WHERE id = "
      "2");
  const ProgramResult shown = run_program({"show", "--all", "--db", path("x.db")});
  EXPECT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("1 of 3 configurations ranked"));
  EXPECT_THAT(shown.out, HasSubstr("median_us is inf, expected a finite positive time"));
  const auto json =
      nlohmann::json::parse(run_program({"show", "--db", path("x.db"), "--json"}).out);
  EXPECT_EQ(json["leaderboards"][0]["entries"].size(), 1U);
}

TEST_F(HostileDatabase, ExportsHoldNoSuchTime) {
  edit(
      "UPDATE trial SET median_us = 9e999, raw_median_us = -9e999, floor_us = 9e999 WHERE id < 3;"
      "UPDATE sample SET data = X'0000C0430000807F0000C07F'");
  for (const char* format : {"csv", "json", "t4"}) {
    const ProgramResult result =
        run_program({"export", "softmax_topk", "--format", format, "--db", path("x.db")});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    std::string numbers = result.out;
    for (const std::string reason : {"median_us is inf"}) {
      for (std::size_t at; (at = numbers.find(reason)) != std::string::npos;)
        numbers.erase(at, reason.size());
    }
    EXPECT_THAT(numbers, Not(HasSubstr("inf"))) << format;
    EXPECT_THAT(numbers, Not(HasSubstr("nan"))) << format;
  }
}

TEST_F(HostileDatabase, NothingOfItReachesTheTerminalRaw) {
  edit(
      "UPDATE kernel SET name = 'k' || char(27) || ']0;owned' || char(7) || char(10) || 'fake: "
      "line';"
      "UPDATE device SET name = 'dev' || char(155) || '2J', driver = CAST(X'ff1b' AS TEXT);"
      "UPDATE configuration SET text = text || char(27) || '[2J', variant = 'v' || char(13);"
      "UPDATE trial SET status = 'wrong_result', reason = 'bad' || char(27) || '[8m' WHERE id = 1");
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"show", "--db", path("x.db")},
        {"show", "--why", "--db", path("x.db")},
        {"show", "nothing", "--db", path("x.db")},
        {"compare", path("x.db"), path("x.db")},
        {"import", path("x.db"), "--db", path("y.db")}}) {
    const ProgramResult result = run_program(arguments);
    expect_plain(result.out);
    expect_plain(result.err);
    EXPECT_THAT(result.out, Not(HasSubstr("\nfake: line"))) << arguments.front();
  }
  EXPECT_THAT(run_program({"show", "--db", path("x.db")}).out,
              HasSubstr("k\\x1b]0;owned\\x07\\nfake: line"));
  // JSON keeps the name with its own escapes, and replaces bytes that are not UTF-8.
  const ProgramResult json = run_program({"show", "--db", path("x.db"), "--json"});
  EXPECT_EQ(json.exit_code, 0) << json.err;
  EXPECT_EQ(nlohmann::json::parse(json.out)["leaderboards"][0]["kernel"],
            "k\x1b]0;owned\x07\nfake: line");
}

// Puts line ends into all names in a large database and checks every text about it.
TEST_F(HostileDatabase, NoNameBeginsALine) {
  std::filesystem::remove(path("x.db"));
  const ProgramResult imported = run_program(
      {"import", std::string(WARPWRIGHT_SOURCE_DIR) + "/results/nvidia-h200/fused/warpwright.db.gz",
       "--db", path("x.db")});
  ASSERT_EQ(imported.exit_code, 0) << imported.err;
  std::string sql;
  for (const std::string column :
       {"device.selector", "device.name", "device.driver", "kernel.name", "problem.text",
        "configuration.text", "configuration.variant", "ceiling.unit", "ranking.kernel_name",
        "ranking.protocol", "trial.protocol", "run.strategy", "run.host", "run.command_line"}) {
    const std::size_t dot = column.find('.');
    const std::string name = column.substr(dot + 1);
    sql += "UPDATE " + column.substr(0, dot) + " SET " + name + " = " + name +
           " || char(10) || 'fake: line';";
  }
  edit(sql +
       "UPDATE configuration SET \"values\" = replace(\"values\", 'THREADS', "
       "'THREADS\\nfake: line');");
  const std::string kernel = "softmax_topk\nfake: line";
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"show"},
        {"show", "--all", "--importance", "--landscape", "--why"},
        {"show", kernel},
        {"compare", path("x.db"), path("x.db"), "--top", "0"},
        {"compare", path("x.db"), path("x.db"), "--agreement"},
        {"model", std::string(WARPWRIGHT_SOURCE_DIR) + "/configs/models/llama-3-8b.yaml"},
        {"calibrate", "--list"}}) {
    std::vector<std::string> all = arguments;
    if (arguments.front() != "compare") all.insert(all.end(), {"--db", path("x.db")});
    const ProgramResult result = run_program(all);
    EXPECT_THAT(result.out + result.err, HasSubstr("fake: line")) << arguments.front();
    EXPECT_THAT("\n" + result.out, Not(HasSubstr("\nfake: line"))) << arguments.front();
    EXPECT_THAT("\n" + result.err, Not(HasSubstr("\nfake: line"))) << arguments.front();
  }
}

TEST_F(HostileDatabase, EveryVerbRefusesASchemaThatIsNotOurs) {
  edit(
      "PRAGMA legacy_alter_table = ON; ALTER TABLE trial RENAME TO t2; CREATE VIEW trial AS SELECT "
      "* FROM t2");
  const std::string said =
      "warpwright: " + path("x.db") +
      " is damaged: 'trial' is a view, expected a table; save what is left with "
      "`warpwright salvage " +
      path("x.db") + " -o " + path("x-recovered.db") + "`, then use --db " +
      path("x-recovered.db") + "\n";
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"show", "--db", path("x.db")},
        {"report", "--db", path("x.db"), "-o", path("page.html")},
        {"export", "all", "--format", "csv", "--db", path("x.db")},
        {"import", path("x.db"), "--db", path("y.db")},
        {"merge", path("x.db"), "-o", path("z.db")}}) {
    const ProgramResult result = run_program(arguments);
    EXPECT_EQ(result.exit_code, 2) << arguments.front();
    EXPECT_EQ(result.err, said) << arguments.front();
  }
}

TEST_F(HostileDatabase, ImportNamesTheFileTheTableAndTheRow) {
  edit("UPDATE trial SET median_us = 9e999 WHERE id = 2");
  const ProgramResult result = run_program({"import", path("x.db"), "--db", path("y.db")});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err, "warpwright: " + path("x.db") +
                            ": table 'trial', row 2: median_us is inf, expected a finite positive "
                            "time; `warpwright salvage` makes a database without such rows\n");
  EXPECT_FALSE(std::filesystem::exists(path("y.db")));
  const ProgramResult saved = run_program({"salvage", path("x.db"), "-o", path("saved.db")});
  EXPECT_EQ(saved.exit_code, 0) << saved.err;
  EXPECT_EQ(saved.out,
            "3 trials saved in " + path("saved.db") +
                ", 3 of them with raw samples\n"
                "table 'trial', column 'median_us': left out of 1 row, which is kept; row 2: "
                "median_us is inf, expected a finite positive time\n");
  EXPECT_EQ(run_program({"import", path("saved.db"), "--db", path("y.db")}).exit_code, 0);
}

}  // namespace
}  // namespace warpwright::testing
