// Tests what `show` reports beyond the ranking of a real sweep: the missing constraint, the
// parameters that decide the time, and the landscape.
#include <gmock/gmock.h>

#include <algorithm>

#include "support/square_sweep.h"

namespace warpwright::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Insights : public SquareSweep {
 protected:
  // A sweep without the constraint that its kernel needs: the compiler rejects more than 512
  // elements per block, and the launch checks reject a wide block.
  void SetUp() override {
    SquareSweep::SetUp();
    const auto kernel = folder_.path() / "kernels" / "square";
    write_text(kernel / "plain.cu",
               "static_assert(THREADS > 1024 || THREADS * PER_THREAD <= 512,\n"
               "              \"too many elements for a block\");\n" +
                   read_file(kernel / "plain.cu"));
    replace(kernel / "kernel.yaml", "max: 1024", "max: 4096");
    write_text(folder_.path() / "square.yaml",
               "kernel: square\nproblems: [{n: 100000}]\nemulated: [{n: 5000}, {n: 6000}]\nspace:\n"
               "  THREADS: [32, 64, 128, 256, 2048, 4096]\n  PER_THREAD: [1, 2, 4, 8]\n");
  }
  static void replace(const std::filesystem::path& file, const std::string& what,
                      const std::string& with) {
    std::string text = read_file(file);
    const std::size_t at = text.find(what);
    ASSERT_NE(at, std::string::npos);
    write_text(file, text.replace(at, what.size(), with));
  }
  ProgramResult show(std::vector<std::string> more = {}) const {
    std::vector<std::string> all = {"show", "square", "--db", (folder_.path() / "x.db").string()};
    all.insert(all.end(), more.begin(), more.end());
    return run_program(all);
  }
};

TEST_F(Insights, TheMissingConstraintsAreFoundAndMendTheSweep) {
  const nlohmann::json swept = finish("x.db");
  const ProgramResult shown = show();
  ASSERT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_THAT(shown.out,
              HasSubstr("add to constraints: \"PER_THREAD * THREADS <= 512\"  (seen in 6 of 6 "
                        "failures and none of 26 passes, over 2 problems)"));
  EXPECT_THAT(shown.out, HasSubstr("add to constraints: \"THREADS <= 1024\"  (named by the "
                                   "reasons; seen in 16 of "
                                   "16 failures and none of 26 passes, over 2 problems)"));
  // With the suggested constraints nothing fails any more, and no working configuration is lost.
  write_text(folder_.path() / "square.yaml",
             read_file(folder_.path() / "square.yaml") +
                 "constraints: [\"PER_THREAD * THREADS <= 512\", \"THREADS <= 1024\"]\n");
  const nlohmann::json mended = finish("y.db");
  EXPECT_EQ(mended["sweep"]["statuses"], (nlohmann::json{{"ok", 26}}));
  EXPECT_EQ(ranking(mended), ranking(swept));
}

TEST_F(Insights, JsonHoldsTheAdvice) {
  const nlohmann::json swept = finish("x.db");
  const nlohmann::json& failures = swept["leaderboards"][0]["failures"];
  ASSERT_EQ(failures.size(), 2u);
  EXPECT_EQ(failures[0]["advice"]["constraints"][0]["expression"], "THREADS <= 1024");
  EXPECT_EQ(failures[0]["advice"]["excluded"], failures[0]["advice"]["failures"]);
  EXPECT_EQ(failures[0]["trials"].size(), failures[0]["count"]);
}

TEST_F(Insights, WhyTellsOnlyOfFailures) {
  (void)finish("x.db");
  const ProgramResult shown = show({"--why"});
  EXPECT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("add to constraints:"));
  EXPECT_THAT(shown.out, Not(HasSubstr("vs best")));
}

TEST_F(Insights, ImportanceAndLandscapeAreShownWhenAsked) {
  (void)finish("x.db");
  EXPECT_THAT(show().out, Not(HasSubstr("what decides the time")));
  const ProgramResult shown = show({"--importance", "--landscape"});
  ASSERT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("what decides the time (modelled)"));
  EXPECT_THAT(shown.out, HasSubstr("landscape (modelled): 13 configurations; 11 failed"));
  const auto json = nlohmann::json::parse(show({"--importance", "--landscape", "--json"}).out);
  const nlohmann::json& board = json["leaderboards"][0];
  EXPECT_EQ(board["importance"]["variants"][0]["configurations"], 13);
  EXPECT_EQ(board["landscape"]["failed"], 11);
  EXPECT_FALSE(
      nlohmann::json::parse(show({"--json"}).out)["leaderboards"][0].contains("landscape"));
}

}  // namespace
}  // namespace warpwright::testing
