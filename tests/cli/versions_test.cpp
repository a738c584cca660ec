// Tests named versions as a user names them: the verb `versions`, --version of the other verbs, and
// names in what they show.
#include <gmock/gmock.h>

#include "support/square_sweep.h"
#include "support/write_text.h"

namespace warpwright::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

// A second variant of the same source, and versions of both.
constexpr const char* kNamedSquares = R"yaml(  pinned:
    source: plain.cu
    launches: [{entry: square, grid: ["ceil_div(n, THREADS)"], block: [THREADS]
}]
    parameters: [THREADS]
baseline: pinned
presets:
  V0: {THREADS: 32, PER_THREAD: 1}
  V1: {THREADS: 64, PER_THREAD: 2}
  T0: {variant: pinned, THREADS: 256}
reference: )yaml";

class VersionsVerb : public SquareSweep {
 protected:
  void SetUp() override {
    SquareSweep::SetUp();
    const auto contract = folder_.path() / "kernels/square/kernel.yaml";
    std::string text = read_file(contract);
    const std::size_t at = text.find("reference: ");
    write_text(contract, text.replace(at, std::string("reference: ").size(), kNamedSquares));
    write_problems("{n: 1000}");
  }
  [[nodiscard]] std::string file(const std::string& name) const {
    return (folder_.path() / name).string();
  }
  // Runs a verb on the kernel folder of the test.
  [[nodiscard]] ProgramResult run(std::vector<std::string> words) const {
    words.insert(words.end(), {"--kernels", file("kernels")});
    return run_program(words);
  }
  [[nodiscard]] ProgramResult versions(std::vector<std::string> more) const {
    std::vector<std::string> words = {"versions", "square",     "--config", file("square.yaml"),
                                      "--device", "emu:sm_90a", "--db",     file("x.db"),
                                      "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }
  // The configurations of a sweep's only board with their names, in order of configuration.
  static std::vector<std::string> named(const nlohmann::json& swept) {
    std::vector<std::string> all;
    for (const nlohmann::json& entry : swept["leaderboards"][0]["entries"])
      all.push_back(entry.value("version", "-") + ": " +
                    entry["configuration_text"].get<std::string>());
    std::sort(all.begin(), all.end());
    return all;
  }
};

TEST_F(VersionsVerb, SweepsAllOfThemAndTheBaselineIntoOneTable) {
  const ProgramResult text = versions({});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("µs, model-1, modelled; = ties with the best version\n"));
  for (const char* row : {"  V0  ", "  V1  ", "  T0  ", "  pinned (baseline)  "})
    EXPECT_THAT(text.out, HasSubstr(row));
  EXPECT_THAT(text.out, HasSubstr("GFLOP/s  of limit\n"));
  EXPECT_THAT(text.out, HasSubstr("the fastest first:\n  n=1000: "));
  // The second time everything is known.
  const ProgramResult again = versions({"--json"});
  EXPECT_EQ(again.exit_code, 0) << again.err;
  const nlohmann::json table = nlohmann::json::parse(again.out)["versions"][0];
  EXPECT_EQ(table["modelled"], true);
  EXPECT_EQ(table["problems"][0]["problem_text"], "n=1000");
  ASSERT_EQ(table["rows"].size(), 4u);
  EXPECT_EQ(table["rows"][1]["name"], "V1");
  EXPECT_EQ(table["rows"][1]["cells"][0]["configuration_text"], "plain PER_THREAD=2 THREADS=64");
  EXPECT_GT(table["rows"][1]["cells"][0]["gflop_per_s"], 0.0);
  EXPECT_EQ(table["rows"][3]["cells"][0]["configuration_text"], "pinned THREADS=128");
  EXPECT_EQ(table["order"][0].size(), 4u);
  EXPECT_EQ(Database(file("x.db"), OpenMode::kReadOnly).trial_count(), 4u);
  // The run stored what it ran, so that its table can be shown again.
  EXPECT_THAT(run({"show", "square", "--versions", "--db", file("x.db")}).out, HasSubstr("  V1  "));
}

TEST_F(VersionsVerb, AChangedVersionHasARowOfItsOwnName) {
  const ProgramResult result =
      versions({"--version", "V0", "--set", "PER_THREAD=4", "--problem", "n=500", "--json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "warpwright: V0 with PER_THREAD=4 (V0 has 1)\n");
  const nlohmann::json table = nlohmann::json::parse(result.out)["versions"][0];
  EXPECT_EQ(table["problems"][0]["problem_text"], "n=500");
  EXPECT_EQ(table["rows"][0]["name"], "V0 with PER_THREAD=4");
  EXPECT_EQ(table["rows"][0]["cells"][0]["configuration_text"], "plain PER_THREAD=4 THREADS=32");
  EXPECT_THAT(run({"show", "square", "--versions", "--db", file("x.db")}).out,
              HasSubstr("  V0 with PER_THREAD=4  "));
}

TEST_F(VersionsVerb, AConfigurationThatIsAVersionIsShownWithItsName) {
  const nlohmann::json swept = finish("x.db", {"--version", "0..1,T0"});
  EXPECT_THAT(named(swept),
              ElementsAre("T0: pinned THREADS=256", "V0: plain PER_THREAD=1 THREADS=32",
                          "V1: plain PER_THREAD=2 THREADS=64"));
  const ProgramResult shown = run({"show", "square", "--db", file("x.db")});
  EXPECT_THAT(shown.out, HasSubstr("version  variant"));
  const nlohmann::json page =
      nlohmann::json::parse(run({"report", "--json", "--db", file("x.db")}).out);
  EXPECT_EQ(page["boards"][0]["entries"]["version"].size(), 3u);
  const ProgramResult compared = run({"compare", file("x.db"), "--json"});
  EXPECT_THAT(compared.out, HasSubstr("\"version\": \"")) << compared.err;
  const ProgramResult exported =
      run({"export", "square", "--format", "csv", "--version", "V1", "--db", file("x.db")});
  EXPECT_THAT(exported.out, HasSubstr("plain PER_THREAD=2 THREADS=64")) << exported.err;
  EXPECT_THAT(exported.out, Not(HasSubstr("THREADS=32")));
  EXPECT_EQ(
      run({"export", "square", "--format", "csv", "--version", "V7", "--db", file("x.db")}).err,
      "warpwright: --version V7: unknown version 'V7' of kernel 'square'; it has V0, V1, T0\n");
}

TEST_F(VersionsVerb, ASweepTakesVersionsAndWhatSetChanges) {
  std::vector<std::string> words =
      arguments("x.db", {"--set", "version=V0,V1 PER_THREAD=4", "--json", "--quiet"});
  const ProgramResult result = run_program(words);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err,
            "warpwright: V0 with PER_THREAD=4 (V0 has 1)\n"
            "warpwright: V1 with PER_THREAD=4 (V1 has 2)\n");
  EXPECT_THAT(named(nlohmann::json::parse(result.out)),
              ElementsAre("-: plain PER_THREAD=4 THREADS=32", "-: plain PER_THREAD=4 THREADS=64"));
}

TEST_F(VersionsVerb, BenchListsNamedVersionsInsteadOfTheBest) {
  finish("x.db", {"--version", "V0"});
  const ProgramResult listed =
      run({"bench", "square", "--device", "emu:sm_90a", "--problem", "n=8", "--version", "V0..V1",
           "--set", "THREADS=64", "--db", file("x.db"), "--benchmark_list_tests"});
  EXPECT_EQ(listed.exit_code, 0) << listed.err;
  EXPECT_EQ(listed.out,
            "square/n:8/plain/PER_THREAD:1/THREADS:64/manual_time\nsquare/n:8/plain/PER_THREAD:2/"
            "THREADS:64/manual_time\n");
  EXPECT_THAT(listed.err, HasSubstr("warpwright: V0 with THREADS=64 (V0 has 32)\n"));
}

TEST_F(VersionsVerb, ProfileAndVetTakeThem) {
  const ProgramResult profiled = run({"profile", "square", "--problem", "n=100", "--version", "V1",
                                      "--set", "THREADS=32", "--json"});
  EXPECT_EQ(profiled.exit_code, 0) << profiled.err;
  EXPECT_EQ(profiled.err, "warpwright: V1 with THREADS=32 (V1 has 64)\n");
  EXPECT_THAT(profiled.out, HasSubstr("\"plain PER_THREAD=2 THREADS=32\""));
  const ProgramResult vetted = run({"vet", "square", "--version", "V0,T0", "--case", "one",
                                    "--schedules", "1", "--quiet", "--json"});
  EXPECT_EQ(vetted.exit_code, 0) << vetted.err;
  EXPECT_EQ(nlohmann::json::parse(vetted.out)["vet"]["configurations"], 2);
}

struct BadVersion {
  const char* name;
  std::vector<std::string> words;
  const char* message;
};

class BadVersions : public VersionsVerb, public ::testing::WithParamInterface<BadVersion> {};

TEST_P(BadVersions, AreRefusedInOneLine) {
  std::vector<std::string> words = GetParam().words;
  if (words.front() == "sweep") words.insert(words.begin() + 1, file("square.yaml"));
  const ProgramResult result = run(words);
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err, std::string("warpwright: ") + GetParam().message + "\n");
}

const BadVersion kBadVersions[] = {
    {"UnknownInASweep",
     {"sweep", "--version", "V9"},
     "--version V9: unknown version 'V9' of kernel 'square'; it has V0, V1, T0"},
    {"UnknownParameterInASweep",
     {"sweep", "--version", "V0", "--set", "NOSUCH=1"},
     "--set NOSUCH=1: unknown problem size or parameter 'NOSUCH' of kernel 'square'; known: "
     "variant, version, n, THREADS, PER_THREAD"},
    {"ValueOutsideInASweep",
     {"sweep", "--version", "V0", "--set", "PER_THREAD=9"},
     "--set PER_THREAD=9: parameter 'PER_THREAD': got 9, expected at most 8"},
    {"OtherVariantInVet",
     {"vet", "square", "--version", "V0", "--variant", "pinned"},
     "--version V0: 'V0' is a version of variant 'plain', got variant 'pinned'; leave one of the "
     "two out"},
    {"UnknownInVet",
     {"vet", "square", "--version", "W0"},
     "--version W0: unknown version 'W0' of kernel 'square'; it has V0, V1, T0"},
    {"ParameterOfAnotherVariantInProfile",
     {"profile", "square", "--problem", "n=8", "--version", "T0", "--set", "PER_THREAD=2"},
     "--set PER_THREAD=2: parameter 'PER_THREAD' is of variant plain, and version 'T0' is of "
     "another"},
    {"ASizeInProfile",
     {"profile", "square", "--problem", "n=8", "--version", "T0", "--set", "n=2"},
     "--set n=2: 'n' is a size; give it with --problem"},
    {"SetAloneInProfile",
     {"profile", "square", "--problem", "n=8", "--set", "THREADS=64"},
     "--set THREADS=64: expected --version, which it changes; a whole configuration is given with "
     "--configuration"},
    {"SeveralKernelsInBench",
     {"bench", "--device", "emu:sm_90a", "--version", "V0"},
     "--version is of one kernel, got 0 kernels; name it: warpwright bench KERNEL --version V0"},
    {"NoProblemForTheVerb",
     {"versions", "square"},
     "kernel 'square': no sweep of it in configs/, so no problem is known; name one: --problem "
     "\"n=...\", or a sweep: --config FILE"},
    {"AKernelWithoutVersions",
     {"versions", "l2norm"},
     "kernel 'l2norm' has no versions; add `presets` to " WARPWRIGHT_SOURCE_DIR
     "/kernels/l2norm/kernel.yaml"},
};

INSTANTIATE_TEST_SUITE_P(Verbs, BadVersions, ::testing::ValuesIn(kBadVersions),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace warpwright::testing
