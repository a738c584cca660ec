// Tests warpwright report: a page and its document from a database that a sweep wrote.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "core/files.h"
#include "support/square_sweep.h"

namespace warpwright::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class Report : public SquareSweep {
 protected:
  void SetUp() override {
    SquareSweep::SetUp();
    write_problems("{n: 4000}, {n: 4001}");
  }
  [[nodiscard]] std::string path(const std::string& name) const {
    return (folder_.path() / name).string();
  }
};

TEST_F(Report, WritesAPageAndSaysWhatIsInIt) {
  finish("a.db");
  const ProgramResult result =
      run_program({"report", "--db", path("a.db"), "-o", path("page.html")});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, StartsWith(path("page.html") + ": 2 problems, "));
  EXPECT_THAT(result.out, HasSubstr("; open it in a browser\n"));
  EXPECT_EQ(result.err, "");
  EXPECT_THAT(read_file(path("page.html")), StartsWith("<!doctype html>\n"));
}

TEST_F(Report, PrintsItsDocumentAsJson) {
  finish("a.db");
  const ProgramResult result = run_program({"report", "square", "--db", path("a.db"), "--json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const nlohmann::json report = nlohmann::json::parse(result.out);
  EXPECT_EQ(report["boards"].size(), 2U);
  EXPECT_EQ(report["boards"][0]["kind"], "modelled");
  EXPECT_EQ(report["boards"][0]["counts"]["trials"],
            report["boards"][0]["entries"]["trial"].size() +
                report["boards"][0]["untimed"]["trial"].size());
  EXPECT_EQ(report["databases"][0]["repro_options"], " --db " + path("a.db"));
  EXPECT_FALSE(std::filesystem::exists("report.html"));
}

TEST_F(Report, SetsSeveralDatabasesSideBySide) {
  finish("a.db");
  finish("b.db");
  const ProgramResult result =
      run_program({"report", "--db", path("a.db"), "--db", path("b.db"), "--json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const nlohmann::json report = nlohmann::json::parse(result.out);
  EXPECT_EQ(report["boards"].size(), 4U);
  EXPECT_EQ(report["databases"].size(), 2U);
  EXPECT_EQ(report["devices"].size(), 1U);
}

TEST_F(Report, AKernelThatIsNotThereIsSuggested) {
  finish("a.db");
  const ProgramResult result = run_program({"report", "sqare", "--db", path("a.db")});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err, "warpwright: a.db: no results of kernel 'sqare'; did you mean 'square'?\n");
}

TEST_F(Report, APlaceThatCannotBeWrittenIsNamed) {
  finish("a.db");
  const ProgramResult result =
      run_program({"report", "--db", path("a.db"), "-o", path("absent/page.html")});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr(path("absent")));
}

TEST_F(Report, AMissingDatabaseIsNamed) {
  const ProgramResult result = run_program({"report", "--db", path("none.db")});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr(path("none.db")));
}

}  // namespace
}  // namespace warpwright::testing
