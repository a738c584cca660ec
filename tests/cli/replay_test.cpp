// Tests warpwright replay, as a user runs it: tables, JSON, traces, a page, and its refusals.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/escape.h"
#include "core/files.h"
#include "support/square_sweep.h"

namespace warpwright::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr const char* kBlurRecording = R"({"name": "blur-X100", "kernel": "blur",
  "parameters": {"B": [4, 8, 16], "A": [1, 2]}, "constraints": ["A * B <= 16"],
  "configs": [[4, 1], [4, 2], [8, 1], [8, 2], [16, 1]], "time_ms": [4, 2.5, null, 2, null]})";

class Replay : public SquareSweep {
 protected:
  void SetUp() override {
    SquareSweep::SetUp();
    write_text(folder_.path() / "blur.json", kBlurRecording);
  }
  [[nodiscard]] std::string path(const std::string& name) const {
    return (folder_.path() / name).string();
  }
  [[nodiscard]] ProgramResult replay(std::vector<std::string> more) const {
    more.insert(more.begin(), "replay");
    more.emplace_back("--quiet");
    return run_program(more);
  }
  [[nodiscard]] ProgramResult replay_blur(std::vector<std::string> more) const {
    more.insert(more.begin(), path("blur.json"));
    return replay(std::move(more));
  }
  void expect_refused(const ProgramResult& result, const std::string& message) const {
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.err, "warpwright: " + message + "\n");
  }
};

TEST_F(Replay, PrintsATableOfStrategies) {
  const ProgramResult result =
      replay_blur({"--strategy", "exhaustive,random", "--budget", "2,4", "--repeats", "3"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_THAT(result.out, StartsWith("1 recording, 3 runs of each strategy at budgets 2, 4: seeds "
                                     "1 to 3, 1 question at a time\n"));
  EXPECT_THAT(result.out,
              HasSubstr("\nblur-X100: 5 configurations, best 2,000 µs (imported), 2 failed\n"));
  EXPECT_THAT(result.out, HasSubstr("\nexhaustive     0.800 ± 0.000  1.000 ± 0.000  "));
}

TEST_F(Replay, TheSameSeedGivesTheSameOnAnyNumberOfThreads) {
  const auto traced = [&](const std::string& threads) {
    EXPECT_EQ(replay_blur({"--threads", threads, "--traces", path("traces.jsonl")}).exit_code, 0);
    return read_file(path("traces.jsonl"));
  };
  const std::string alone = traced("1");
  EXPECT_EQ(alone, traced("3"));
  EXPECT_THAT(alone, StartsWith("{\"budget\":50,\"pair\":\"blur-X100\",\"seed\":1,"));
}

TEST_F(Replay, PrintsEverythingAsJson) {
  const ProgramResult result =
      replay_blur({"--strategy", "random", "--in-flight", "2", "--seed", "9", "--json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const nlohmann::json json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["in_flight"], 2);
  EXPECT_EQ(json["seed"], 9);
  EXPECT_EQ(json["budgets"], nlohmann::json({50, 100, 200, 400}));
  EXPECT_EQ(json["recordings"][0]["scores"][1]["budgets"][3]["score"], 1.0);
}

TEST_F(Replay, WritesAPage) {
  const ProgramResult result =
      replay_blur({"--strategy", "random", "--budget", "4", "-o", path("page.html")});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, path("page.html") + ": open it in a browser\n");
  const std::string page = read_file(path("page.html"));
  EXPECT_THAT(page, StartsWith("<!doctype html>\n"));
  EXPECT_THAT(page, HasSubstr("blur-X100"));
}

TEST_F(Replay, ReplaysADatabaseThatWasSweptExhaustively) {
  write_problems("{n: 4000}, {n: 4001}");
  finish("a.db");
  const ProgramResult result =
      replay({path("a.db"), "--problem", "n=4001", "--budget", "5", "--json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const nlohmann::json json = nlohmann::json::parse(result.out);
  ASSERT_EQ(json["recordings"].size(), 1U);
  EXPECT_EQ(json["recordings"][0]["kernel"], "square");
  EXPECT_EQ(json["recordings"][0]["kind"], "modelled");
}

TEST_F(Replay, SearchesMayBeginWithWhatIsKnownElsewhere) {
  write_problems("{n: 4000}, {n: 4001}");
  finish("a.db");
  const std::vector<std::string> common = {path("a.db"), "--problem",   "n=4001",
                                           "--strategy", "auto,random", "--budget",
                                           "5",          "--repeats",   "3"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), common.begin(), common.end());
    return replay(std::move(more));
  };
  const ProgramResult warm = with({"--warm-start"});
  EXPECT_EQ(warm.exit_code, 0) << warm.err;
  EXPECT_THAT(warm.out, HasSubstr("note: searches begin with 11 results of 1 other board\n"));
  const nlohmann::json json =
      nlohmann::json::parse(with({"--warm-start", "--prior", path("a.db"), "--json"}).out);
  const nlohmann::json& sources = json["recordings"][0]["sources"];
  ASSERT_EQ(sources.size(), 2U);
  EXPECT_EQ(sources[0]["kind"], "emulator");
  EXPECT_EQ(sources[0]["problem"], "n=4001") << "of the board's own problem";
  EXPECT_EQ(sources[1]["kind"], "board");
  EXPECT_EQ(sources[1]["problem"], "n=4000");
  EXPECT_EQ(sources[1]["results"], 11);
  EXPECT_FALSE(nlohmann::json::parse(with({"--json"}).out)["recordings"][0].contains("sources"));
}

TEST_F(Replay, KnowledgeThatIsNoneIsRefusedInOneLine) {
  write_problems("{n: 4000}");
  finish("a.db");
  expect_refused(replay_blur({"--strategy", "random", "--warm-start"}),
                 "--warm-start: blur-X100 is not a board of a database, so it has no other boards; "
                 "expected a results database, or leave --warm-start out");
  expect_refused(replay_blur({"--strategy", "random", "--prior", path("blur.json")}),
                 "--prior " + path("blur.json") +
                     ": it is not a results database; expected one of modelled times, as "
                     "`warpwright sweep CONFIG --device emu:sm_90a --db FILE` makes it");
  expect_refused(
      replay_blur({"--strategy", "random", "--prior", path("a.db")}),
      "--prior " + path("a.db") +
          ": it holds no modelled time of blur that is recorded here; got square, "
          "expected results of `warpwright sweep CONFIG --device emu:sm_90a --db FILE` of "
          "the same space");
  const ProgramResult alone = replay({path("a.db"), "--strategy", "random", "--warm-start"});
  EXPECT_EQ(alone.exit_code, 0);
  EXPECT_THAT(alone.out, HasSubstr("note: no other board of its kernel is known: searches begin "
                                   "with nothing\n"));
}

TEST_F(Replay, ADatabaseThatWasOnlySampledIsRefused) {
  write_problems("{n: 4000}");
  finish("a.db", {"--budget", "3"});
  const ProgramResult result = replay({path("a.db")});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("no exhaustive sweep of it has come to its end"));
}

TEST_F(Replay, AFolderSaysWhatItLeftOut) {
  fs::create_directory(path("recordings"));
  fs::rename(path("blur.json"), path("recordings/blur.json"));
  write_text(path("recordings/README.md"), "# These\n");
  const ProgramResult result = replay({path("recordings"), "--strategy", "random"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err, "warpwright: " + path("recordings") +
                            ": left out what holds no recording: README.md\n");
}

TEST_F(Replay, WhatIsAskedForWrongIsRefusedInOneLine) {
  expect_refused(replay_blur({"--budget", "0"}),
                 "--budget: got '0', expected a whole number of at least 1; see `warpwright replay "
                 "--help`");
  expect_refused(replay_blur({"--budget", "50,-1"}),
                 "--budget: got '-1', expected a whole number of at least 1; see `warpwright "
                 "replay --help`");
  expect_refused(replay_blur({"--repeats", "0"}),
                 "--repeats: got '0', expected a whole number of at least 1; see `warpwright "
                 "replay --help`");
  expect_refused(replay_blur({"--in-flight", "0"}),
                 "--in-flight: got '0', expected a whole number of at least 1; see `warpwright "
                 "replay --help`");
  expect_refused(replay_blur({"--strategy", "randm"}),
                 "--strategy: unknown strategy 'randm'; did you mean 'random'?");
  expect_refused(replay_blur({"--strategy", "random", "--set", "random.population=3"}),
                 "strategy 'random' has no option 'population'; it takes none");
  expect_refused(
      replay_blur({"--strategy", "random", "--repeats", "100000000"}),
      "400000000 runs (1 x 1 x 4 x 100000000: recordings, strategies, budgets, repeats), "
      "expected at most 2000000; lower --repeats");
  expect_refused(replay({path("none.json")}), "no such file: " + path("none.json"));
}

TEST_F(Replay, ARecordingThatDoesNotMatchItsSpaceNamesTheRow) {
  std::string text = kBlurRecording;
  text.replace(text.find("[16, 1]"), 7, "[16, 2]");
  write_text(path("blur.json"), text);
  expect_refused(replay_blur({}),
                 path("blur.json") +
                     ": configs[4], A=2 B=16, breaks the constraint `A * B <= 16`; a recording "
                     "lists what its constraints accept, and nothing else");
}

// True if the process has its own handler for Ctrl-C.
bool catches_interrupts(int pid) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  for (std::string word; status >> word;) {
    if (word != "SigCgt:") continue;
    status >> word;
    return (std::stoull(word, nullptr, 16) >> (SIGINT - 1) & 1U) != 0;
  }
  return false;
}

TEST_F(Replay, CtrlCEndsIt) {
  nlohmann::json recording = {{"configs", nlohmann::json::array()}};
  for (int i = 0; i < 3000; ++i) {
    recording["parameters"]["N"].push_back(i);
    recording["configs"].push_back({i});
    recording["time_ms"].push_back(i + 1);
  }
  write_text(folder_.path() / "long.json", recording.dump());
  const int pid = start_program({"replay", path("long.json"), "--strategy", "random", "--budget",
                                 "3000", "--repeats", "1000000"},
                                path("out"), path("err"));
  while (!catches_interrupts(pid) && ::kill(pid, 0) == 0)
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  ::kill(pid, SIGINT);
  EXPECT_EQ(wait_for(pid), 130);
  EXPECT_EQ(read_file(path("out")), "");
  EXPECT_THAT(said(),
              HasSubstr("warpwright: interrupted; a replay that is not finished says nothing\n"));
}

// Published recordings come with their own scorer, whose scores of the traces must equal the
// printed ones.
TEST_F(Replay, APublishedScorerAgreesToTheLastDigit) {
  const char* data = std::getenv("WARPWRIGHT_PUBLIC_DATA");
  const fs::path public_folder = data == nullptr ? "" : fs::path(data) / "replay";
  if (data == nullptr || !fs::exists(public_folder / "score_replay.py"))
    GTEST_SKIP() << "WARPWRIGHT_PUBLIC_DATA is not set: the published recordings are not here";
  const ProgramResult result =
      replay({public_folder.string(), "--strategy", "all,exhaustive", "--budget", "50,100",
              "--repeats", "3", "--traces", path("traces.jsonl"), "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::string command =
      "python3 " + shell_word((public_folder / "score_replay.py").string()) + " --replay " +
      shell_word(public_folder.string()) + " " + path("traces.jsonl") + " >" + path("scored");
  ASSERT_EQ(std::system(command.c_str()), 0);
  const std::string scored = read_file(path("scored"));
  const nlohmann::json json = nlohmann::json::parse(result.out);
  std::size_t compared = 0;
  for (const nlohmann::json& recording : json["recordings"]) {
    for (const nlohmann::json& strategy : recording["scores"]) {
      if (strategy["exact"]) continue;
      for (const nlohmann::json& score : strategy["budgets"]) {
        const std::string line = fmt::format(
            "{:28} {:24} B={:<4} runs=3    score={:.4f} +-{:.4f} auc={:.4f} evals={:.0f}\n",
            recording["name"].get<std::string>(), strategy["strategy"].get<std::string>(),
            score["budget"].get<int>(), score["score"].get<double>(),
            score["standard_error"].get<double>(), score["auc"].get<double>(),
            score["evaluations"].get<double>());
        EXPECT_THAT(scored, HasSubstr(line));
        ++compared;
      }
    }
  }
  EXPECT_GE(compared, 8U * 2 * 2);
}

}  // namespace
}  // namespace warpwright::testing
