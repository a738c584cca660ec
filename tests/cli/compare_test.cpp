// Tests warpwright compare on swept databases, as a user runs it.
#include <gmock/gmock.h>

#include <cstdlib>

#include "support/square_sweep.h"

namespace warpwright::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class Compare : public SquareSweep {
 protected:
  [[nodiscard]] std::string file(const std::string& name) const {
    return (folder_.path() / name).string();
  }
  [[nodiscard]] ProgramResult compare(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "compare");
    return run_program(arguments);
  }
  [[nodiscard]] nlohmann::json compare_json(std::vector<std::string> arguments) const {
    arguments.emplace_back("--json");
    const ProgramResult result = compare(std::move(arguments));
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return nlohmann::json::parse(result.out);
  }
  // Writes results of another tuner: runtimes in milliseconds by THREADS.
  void write_t4(const std::string& name,
                const std::vector<std::pair<int, std::vector<double>>>& runtimes) const {
    nlohmann::json results = nlohmann::json::array();
    for (const auto& [threads, times] : runtimes) {
      results.push_back({{"timestamp", "2024-05-01 12:00:00+00:00"},
                         {"configuration", {{"THREADS", threads}}},
                         {"times", {{"runtimes", times}}},
                         {"invalidity", times.empty() ? "runtime" : "correct"},
                         {"correctness", times.empty() ? 0 : 1},
                         {"measurements", nlohmann::json::array()},
                         {"objectives", {"time"}}});
    }
    write_text(folder_.path() / name, nlohmann::json{{"schema_version", "1.0.0"},
                                                     {"metadata", {{"timeunit", "milliseconds"}}},
                                                     {"results", results}}
                                          .dump());
  }
  void sweep_both_archs(const std::string& database) const {
    finish(database);
    finish(database, {"--device", "emu:sm_80"});
  }
};

TEST_F(Compare, TwoEmulatedArchsOfOneDatabase) {
  sweep_both_archs("x.db");
  const ProgramResult text = compare({"--db", file("x.db")});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("A modelled"));
  EXPECT_THAT(text.out, HasSubstr("B modelled"));
  EXPECT_THAT(text.out, HasSubstr("performance portability over A and B"));
  EXPECT_THAT(text.out, HasSubstr("proved smallest"));

  const nlohmann::json json =
      compare_json({"--db", file("x.db"), "emu:sm_90a", "device:emu:sm_80", "--kernel", "square"});
  ASSERT_EQ(json["contenders"].size(), 2u);
  EXPECT_EQ(json["contenders"][0]["device"]["arch"], "sm_90a");
  EXPECT_EQ(json["contenders"][1]["device"]["arch"], "sm_80");
  ASSERT_EQ(json["problems"].size(), 1u);
  const nlohmann::json& problem = json["problems"][0];
  const double hopper = problem["best"][0]["median_us"], ampere = problem["best"][1]["median_us"];
  EXPECT_DOUBLE_EQ(problem["best"][1]["speedup"]["ratio"], hopper / ampere);
  EXPECT_EQ(problem["transfer"][0][0]["fraction"], 1.0);
  EXPECT_EQ(problem["portability"]["configurations"].size(), 11u);  // one of the 12 breaks the
                                                                    // limit
}

TEST_F(Compare, TwoDatabasesWithADeviceEach) {
  finish("hopper.db");
  finish("ampere.db", {"--device", "emu:sm_80"});
  const nlohmann::json json = compare_json({file("hopper.db"), file("ampere.db") + "#emu:sm_80"});
  EXPECT_EQ(json["contenders"][0]["source"], file("hopper.db"));
  EXPECT_EQ(json["contenders"][1]["name"], file("ampere.db") + "#emu:sm_80");
  EXPECT_EQ(json["tallies"][0]["compared"], 1);
}

TEST_F(Compare, ADatabaseInGzipKeepsItsRuns) {
  finish("x.db");
  ASSERT_EQ(std::system(("gzip " + file("x.db")).c_str()), 0);
  const nlohmann::json json = compare_json({file("x.db.gz") + "#run:1", file("x.db.gz")});
  EXPECT_EQ(json["contenders"][0]["source"], file("x.db.gz"));
  EXPECT_EQ(json["tallies"][0]["no_difference"], 1);
}

TEST_F(Compare, ImportedAndModelledResultsInOneCommand) {
  sweep_both_archs("x.db");
  write_t4("square-A100.json", {{32, {2.0, 2.0, 2.0}}, {64, {1.0, 1.0, 1.0}}, {128, {}}});
  write_t4("square-T4.json", {{32, {3.0, 3.0, 3.0}}, {64, {6.0, 6.0, 6.0}}, {128, {6.0, 6.0}}});
  const std::vector<std::string> contenders = {file("x.db"), file("square-A100.json"),
                                               file("square-T4.json")};
  std::vector<std::string> arguments = contenders;
  arguments.insert(arguments.begin(), "compare");
  const ProgramResult text = run_program(arguments);
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("C imported"));
  EXPECT_THAT(text.out, HasSubstr("A modelled"));

  const nlohmann::json json = compare_json(contenders);
  ASSERT_EQ(json["contenders"].size(), 4u);  // x.db has two architectures
  EXPECT_EQ(json["contenders"][0]["times"], nlohmann::json({"modelled"}));
  EXPECT_EQ(json["contenders"][2]["times"], nlohmann::json({"imported"}));
  const nlohmann::json& published = json["problems"][1];
  EXPECT_EQ(published["best"][0], nullptr);
  EXPECT_EQ(published["best"][2]["median_us"], 1000.0);
  EXPECT_EQ(published["best"][3]["speedup"]["against"], 2);
  EXPECT_DOUBLE_EQ(published["best"][3]["speedup"]["ratio"], 1.0 / 3);
  EXPECT_EQ(published["transfer"][2][3]["fraction"], 0.5);
  EXPECT_EQ(published["portability"]["failing"], 1);
}

TEST_F(Compare, PublishedResultsOfThreeGpus) {
  const char* data = std::getenv("WARPWRIGHT_PUBLIC_DATA");
  if (data == nullptr)
    GTEST_SKIP() << "WARPWRIGHT_PUBLIC_DATA is not set: no published results to compare";
  std::vector<std::string> files;
  for (const char* device : {"A100", "A4000", "MI250X"})
    files.push_back(std::string(data) + "/t4/convolution_milo-" + device + ".json.gz");
  const nlohmann::json json = compare_json(files);
  ASSERT_EQ(json["problems"].size(), 1u);
  const nlohmann::json& problem = json["problems"][0];
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(json["contenders"][i]["times"], nlohmann::json({"imported"}));
    EXPECT_EQ(problem["transfer"][i][i]["fraction"], 1.0);
  }
  EXPECT_GT(problem["portability"]["configurations"][0]["value"], 0.5);
  EXPECT_TRUE(json["portfolios"][0]["proved_smallest"].get<bool>());
}

TEST_F(Compare, TwoRunsOfOneDevice) {
  finish("x.db");
  finish("x.db", {"--fresh"});
  const ProgramResult text = compare({"--db", file("x.db"), "run:1", "run:2"});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("B against A: 1 without a difference shown, of 1 problem; 1.00x "
                                  "in the geometric mean (modelled)\n"));
  EXPECT_THAT(text.out, HasSubstr("1.00x no difference shown"));
  EXPECT_THAT(text.out, Not(HasSubstr("what differs")));
  EXPECT_THAT(text.out, Not(HasSubstr("portability")));
}

TEST_F(Compare, ARunThatFoundEverythingKnownSaysHowToRunItAnew) {
  finish("x.db");
  finish("x.db");
  const ProgramResult result = compare({"--db", file("x.db"), "run:1", "run:2"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err, "warpwright: " + file("x.db") +
                            ": run 2 stored no trials; what was known before is not tried again: "
                            "`sweep --fresh` measures everything anew\n");
}

TEST_F(Compare, ProblemsThatAreNotSharedAreNamed) {
  finish("x.db");
  write_problems("{n: 6000}");
  finish("x.db", {"--device", "emu:sm_80"});
  const ProgramResult result = compare({"--db", file("x.db")});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("no problem was tried by two of them, so there is nothing to "
                                    "compare\n"));
  EXPECT_THAT(result.out, HasSubstr("B has no trials of 1 problem of square: n=5000\n"));
}

TEST_F(Compare, FaultsOfTheCommandLineListWhatThereIs) {
  finish("x.db");
  const auto error = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--db", file("x.db")});
    const ProgramResult result = compare(arguments);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.out, "");
    return result.err;
  };
  EXPECT_EQ(error({"emu:sm_90"}), "warpwright: " + file("x.db") +
                                      ": no device 'emu:sm_90'; did you mean 'emu:sm_90a'?\n");
  EXPECT_EQ(error({"--kernel", "sqare"}),
            "warpwright: no results of kernel 'sqare'; did you mean 'square'?\n");
  EXPECT_EQ(error({"gone.db"}),
            "warpwright: gone.db does not exist; a contender is a device, run:N, commit:HASH or a "
            "FILE, or FILE#device\n");
  EXPECT_EQ(
      error({"--by", "gpus"}),
      "warpwright: --by 'gpus': expected `name`, by which GPUs of one name are one contender, "
      "or `gpu`, by which each is one; did you mean 'gpu'?\n");
  for (const char* share : {"100%", "-1%", "five", "", "5%%", "nan"}) {
    EXPECT_EQ(error({"--within", share}),
              std::string("warpwright: --within ") + share +
                  ": expected a share from 0 % to below 100 %, as 5% or 0.05\n");
  }
}

TEST_F(Compare, ADatabaseWithoutTrialsIsAFault) {
  { const Database made(file("empty.db")); }
  const ProgramResult result = compare({"--db", file("empty.db")});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err, "warpwright: " + file("empty.db") +
                            ": it holds no trials; make some with `warpwright sweep CONFIG --db " +
                            file("empty.db") + "`\n");
}

TEST_F(Compare, ThePortfolioFollowsWithin) {
  sweep_both_archs("x.db");
  const nlohmann::json wide = compare_json({"--db", file("x.db"), "--within", "0.99"});
  EXPECT_EQ(wide["portfolios"][0]["members"].size(), 1u);
  EXPECT_EQ(wide["portfolios"][0]["within"], 0.99);
}

}  // namespace
}  // namespace warpwright::testing
