// Tests `warpwright bench` end to end on the emulator.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "support/square_sweep.h"

namespace warpwright::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class BenchVerb : public SquareSweep {
 protected:
  [[nodiscard]] ProgramResult bench(std::vector<std::string> more,
                                    const std::string& database = "results.db") const {
    std::vector<std::string> all = {"bench", "--kernels", (folder_.path() / "kernels").string(),
                                    "--device", "emu:sm_90a"};
    if (!database.empty()) all.insert(all.end(), {"--db", (folder_.path() / database).string()});
    all.insert(all.end(), more.begin(), more.end());
    return run_program(all);
  }
  // A small sweep that yields a best configuration.
  void tune() const { (void)finish("results.db", {"--budget", "3"}); }
  static nlohmann::json parse(const ProgramResult& result) {
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return nlohmann::json::parse(result.out);
  }
};

TEST_F(BenchVerb, TimesTheBestOfTheDatabase) {
  tune();
  const nlohmann::json json = parse(bench({"square", "--json"}));
  ASSERT_EQ(json["benchmarks"].size(), 1u);
  const nlohmann::json& run = json["benchmarks"][0];
  EXPECT_THAT(
      run["name"].get<std::string>(),
      ::testing::MatchesRegex("square/n:5000/plain/PER_THREAD:[0-9]+/THREADS:[0-9]+/manual_time"));
  EXPECT_THAT(run["label"].get<std::string>(),
              ::testing::MatchesRegex("modelled, not measured \\(model-1\\); best of the database, "
                                      "trial [0-9]+"));
  EXPECT_GT(run["real_time"].get<double>(), 0);
  // 8 bytes per element, over the modelled time.
  EXPECT_NEAR(run["bytes_per_second"].get<double>(),
              40'000 / (run["real_time"].get<double>() * 1e-6), 1e6);
}

TEST_F(BenchVerb, TheContextSaysWhereTimesComeFrom) {
  tune();
  const nlohmann::json context = parse(bench({"square", "--json"}))["context"];
  EXPECT_EQ(context["device"], "emu:sm_90a");
  EXPECT_EQ(context["protocol"], "modelled from counters, model-1; not measured");
  EXPECT_THAT(context["driver"].get<std::string>(), HasSubstr("emulator"));
  EXPECT_THAT(context["nvrtc"].get<std::string>(), ::testing::MatchesRegex("[0-9]+[.][0-9]+"));
  for (const char* key : {"commit", "warpwright", "fingerprint", "validation", "database"})
    EXPECT_TRUE(context.contains(key)) << key;
}

// compare.py of google/benchmark reads these fields of each run and of the file.
TEST_F(BenchVerb, ItsFileHasWhatCompareReads) {
  tune();
  const std::string file = (folder_.path() / "out.json").string();
  ASSERT_EQ(bench({"square", "--benchmark_out=" + file, "--benchmark_repetitions=3"}).exit_code, 0);
  const nlohmann::json json = nlohmann::json::parse(read_file(file));
  EXPECT_TRUE(json["context"].contains("date"));
  ASSERT_EQ(json["benchmarks"].size(), 3u + 4u);
  for (const nlohmann::json& run : json["benchmarks"]) {
    for (const char* key : {"name", "run_name", "run_type", "real_time", "cpu_time", "time_unit",
                            "repetitions", "family_index", "per_family_instance_index"})
      EXPECT_TRUE(run.contains(key)) << key;
    EXPECT_TRUE(run["real_time"].is_number());
    EXPECT_EQ(run.contains("aggregate_name"), run["run_type"] == "aggregate");
    EXPECT_EQ(run.contains("repetition_index"), run["run_type"] == "iteration");
  }
}

TEST_F(BenchVerb, WithoutResultsItTimesTheDefaultsAndSaysSo) {
  tune();
  const ProgramResult result = bench({"square", "--problem", "n=777", "--json"});
  const nlohmann::json json = parse(result);
  ASSERT_EQ(json["benchmarks"].size(), 1u);
  EXPECT_EQ(json["benchmarks"][0]["name"],
            "square/n:777/plain/PER_THREAD:1/THREADS:128/manual_time");
  EXPECT_EQ(json["benchmarks"][0]["label"], "modelled, not measured (model-1); default");
  EXPECT_THAT(result.err, HasSubstr("square n=777: no results of this device in "));
  EXPECT_THAT(result.err, HasSubstr("the contract's default configurations"));
}

TEST_F(BenchVerb, ANamedConfigurationStandsBesideTheBest) {
  tune();
  const nlohmann::json json =
      parse(bench({"square", "--configuration", "THREADS=96 PER_THREAD=8", "--json"}));
  ASSERT_EQ(json["benchmarks"].size(), 2u);
  EXPECT_EQ(json["benchmarks"][1]["run_name"],
            "square/n:5000/plain/PER_THREAD:8/THREADS:96/manual_time");
  EXPECT_THAT(json["benchmarks"][1]["label"].get<std::string>(), HasSubstr("; given"));
}

TEST_F(BenchVerb, ListsNamesWithoutRunningAnything) {
  tune();
  const ProgramResult result =
      bench({"square", "--problem", "n=5", "--problem", "n=6", "--benchmark_list_tests"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out,
            "square/n:5/plain/PER_THREAD:1/THREADS:128/manual_time\n"
            "square/n:6/plain/PER_THREAD:1/THREADS:128/manual_time\n");
}

TEST_F(BenchVerb, FiltersByName) {
  tune();
  const nlohmann::json json = parse(bench({"square", "--problem", "n=5", "--problem", "n=6",
                                           "--json", "--", "--benchmark_filter=n:6/"}));
  ASSERT_EQ(json["benchmarks"].size(), 1u);
  EXPECT_THAT(json["benchmarks"][0]["name"].get<std::string>(), HasSubstr("n:6"));
}

TEST_F(BenchVerb, PrintsATableForPeople) {
  tune();
  const ProgramResult result = bench({"square"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("UserCounters..."));
  EXPECT_THAT(result.out, HasSubstr("modelled, not measured"));
  EXPECT_THAT(result.err, HasSubstr("device: emu:sm_90a\n"));
  // The library's warnings about the host's CPU do not apply to these times.
  EXPECT_THAT(result.err, Not(HasSubstr("WARNING")));
}

TEST_F(BenchVerb, ABestOfOtherSourcesSaysSo) {
  tune();
  const std::filesystem::path source = folder_.path() / "kernels/square/plain.cu";
  write_text(source, read_file(source) + "// Edited since.\n");
  const nlohmann::json json = parse(bench({"square", "--json"}));
  EXPECT_THAT(json["benchmarks"][0]["label"].get<std::string>(),
              ::testing::EndsWith(", of other sources"));
}

TEST_F(BenchVerb, AWrongKernelIsAnErrorWithItsReason) {
  tune();
  const std::filesystem::path source = folder_.path() / "kernels/square/plain.cu";
  std::string text = read_file(source);
  text.replace(text.find("x[at] * x[at]"), 13, "x[at] + x[at]");
  write_text(source, text);
  const ProgramResult result = bench({"square", "--json"});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  const nlohmann::json run = nlohmann::json::parse(result.out)["benchmarks"][0];
  EXPECT_EQ(run["error_occurred"], true);
  EXPECT_THAT(run["error_message"].get<std::string>(),
              HasSubstr("wrong_result: case 'odd' (n=1001): output 'y' is wrong at"));
}

TEST_F(BenchVerb, AKernelThatHangsIsBounded) {
  tune();
  const std::filesystem::path source = folder_.path() / "kernels/square/plain.cu";
  std::string text = read_file(source);
  text.replace(
      text.find("if (at < n)"), 11,
      "while (*(const volatile float*)x == *(const volatile float*)x) {}\n    if (at < n)");
  write_text(source, text);
  const ProgramResult result = bench({"square", "--json", "--benchmark_repetitions=3"});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  const nlohmann::json run = nlohmann::json::parse(result.out)["benchmarks"][0];
  EXPECT_THAT(run["error_message"].get<std::string>(), HasSubstr("timeout: "));
}

TEST_F(BenchVerb, ASourceThatDoesNotCompileIsAnError) {
  tune();
  write_text(folder_.path() / "kernels/square/plain.cu", "this is no CUDA\n");
  const ProgramResult result = bench({"square", "--json"});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_THAT(
      nlohmann::json::parse(result.out)["benchmarks"][0]["error_message"].get<std::string>(),
      HasSubstr("compile_failed: "));
}

TEST_F(BenchVerb, GooglesOwnOptionsAreCheckedBeforeItSeesThem) {
  tune();
  const ProgramResult format = bench({"square", "--benchmark_format=xml"});
  EXPECT_EQ(format.exit_code, 2);
  EXPECT_EQ(format.err,
            "warpwright: --benchmark_format: got 'xml', expected console, json or csv\n");
  EXPECT_EQ(bench({"square", "--benchmark_repetitions=many"}).exit_code, 2);
  const ProgramResult filter = bench({"square", "--benchmark_filter=nothing"});
  EXPECT_EQ(filter.exit_code, 2);
  EXPECT_THAT(filter.err, HasSubstr("no benchmark matches --benchmark_filter=nothing; see"));
  const ProgramResult unknown = bench({"square", "--repetitions=2"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("unexpected argument '--repetitions=2'"));
}

TEST_F(BenchVerb, BadInputIsExplained) {
  tune();
  EXPECT_THAT(bench({"sqare"}).err, HasSubstr("unknown kernel 'sqare'; did you mean 'square'?"));
  EXPECT_THAT(bench({"--configuration", "THREADS=64"}).err,
              HasSubstr("--configuration is of one kernel, got 0 kernels; name it: warpwright "
                        "bench KERNEL --configuration \"THREADS=64\""));
  EXPECT_THAT(bench({"square"}, "missing.db").err, HasSubstr("missing.db"));
  std::filesystem::remove_all(folder_.path() / "results.db");
  const ProgramResult result = bench({"square"}, "");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("so no problem is known; name one: --problem \"n=...\""));
}

}  // namespace
}  // namespace warpwright::testing
