// Tests the way from a sweep on the emulator to a header that a compiler accepts, as a user would
// go it.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "core/escape.h"
#include "core/files.h"
#include "support/host_compiler.h"
#include "support/square_sweep.h"

namespace warpwright::testing {
namespace {

class ExportHeader : public SquareSweep {
 protected:
  void SetUp() override {
    SquareSweep::SetUp();
    write_problems("{n: 2000}, {n: 9000}");
    static_cast<void>(finish("r.db"));
  }
  ProgramResult export_as(const std::string& format, const std::string& file) const {
    return run_program({"export", "square", "--format", format, "--db",
                        (folder_.path() / "r.db").string(), "-o", (host_.path() / file).string()});
  }

  HostCompiler host_;
};

TEST_F(ExportHeader, BothFormatsHoldTheSweepsWinners) {
  for (const auto& [format, file] :
       {std::pair("header", "square.h"), std::pair("select-json", "square.json")}) {
    const ProgramResult result = export_as(format, file);
    ASSERT_EQ(result.exit_code, 0) << result.err;
  }
  const char* use = R"(
#include "square.h"
#include <stdio.h>
int main(void) {
  int i;
  for (i = 0; i < WW_SQUARE_BOARD_COUNT; ++i) {
    const ww_square_board *board = &ww_square_boards[i];
    const ww_selection s = ww_square_select(ww_square_devices[board->device], board->problem);
    printf("%s %d %d\n", ww_square_configurations[s.configuration].text, (int)s.match, board->modelled);
  }
  return 0;
}
)";
  host_.write("use.cpp", use);
  host_.write("use.c", use);
  const auto json = nlohmann::json::parse(read_file(host_.path() / "square.json"));
  std::string expected;
  for (const auto& board : json["boards"])
    expected +=
        json["configurations"][board["winner"].get<std::size_t>()]["text"].get<std::string>() +
        " 1 1\n";
  EXPECT_EQ(json["boards"].size(), 2U);
  EXPECT_EQ(
      host_.run(std::string("c++ -std=c++17") + HostCompiler::kWarnings + "use.cpp -o a && ./a")
          .output,
      expected);
  EXPECT_EQ(
      host_.run(std::string("cc -std=c99") + HostCompiler::kWarnings + "use.c -o b && ./b").output,
      expected);
  const std::string device = json["devices"][0]["name"].get<std::string>();
  const CommandResult chosen =
      host_.run("python3 " + shell_word(WARPWRIGHT_SOURCE_DIR "/scripts/examples/select_json") +
                " square.json --device '" + device + "' --arch " +
                json["devices"][0]["arch"].get<std::string>() + " n=9000");
  EXPECT_EQ(nlohmann::json::parse(chosen.output)["match"], "exact") << chosen.output;
}

TEST_F(ExportHeader, TwoExportsAreEqual) {
  ASSERT_EQ(export_as("header", "a.h").exit_code, 0);
  ASSERT_EQ(export_as("header", "b.h").exit_code, 0);
  EXPECT_EQ(read_file(host_.path() / "a.h"), read_file(host_.path() / "b.h"));
}

TEST_F(ExportHeader, TheSharedHeaderLiesBesideItWhereverItGoes) {
  ASSERT_EQ(export_as("header", "a.h").exit_code, 0);
  EXPECT_TRUE(std::filesystem::exists(host_.path() / "warpwright_select.h"));
  const ProgramResult folder = export_as("header", "into/");
  EXPECT_EQ(folder.err, (host_.path() / "into" / "square.h").string() + "\n" +
                            (host_.path() / "into" / "warpwright_select.h").string() + "\n");
  EXPECT_EQ(read_file(host_.path() / "into" / "warpwright_select.h"),
            read_file(WARPWRIGHT_SOURCE_DIR "/tuner/exchange/header/shared/warpwright_select.h"));
}

// A database of one device exports into the folder itself, as above.
TEST_F(ExportHeader, OneOfSeveralDevicesGetsAFolderOfItsName) {
  static_cast<void>(finish("r.db", {"--device", "emu:sm_80"}));
  const auto exported = [&](const std::string& device) {
    return run_program({"export", "square", "--format", "header", "--device", device, "--db",
                        (folder_.path() / "r.db").string(), "-o",
                        (host_.path() / "into/").string()})
        .err;
  };
  const std::filesystem::path hopper = host_.path() / "into" / "emulated-nvidia-h200-sm-90a",
                              ampere = host_.path() / "into" / "emulated-nvidia-a100-80gb-sm-80";
  EXPECT_EQ(exported("emu:sm_90a"), (hopper / "square.h").string() + "\n" +
                                        (hopper / "warpwright_select.h").string() + "\n");
  EXPECT_EQ(exported("emu:sm_80"), (ampere / "square.h").string() + "\n" +
                                       (ampere / "warpwright_select.h").string() + "\n");
  EXPECT_NE(read_file(hopper / "square.h"), read_file(ampere / "square.h"));
}

TEST_F(ExportHeader, VerifiesEveryFileOfALauncher) {
  ASSERT_EQ(export_as("launcher", "lib/").exit_code, 0);
  const std::filesystem::path lib = host_.path() / "lib";
  const auto verify = [&] {
    return run_program({"export", "--verify", (lib / "square.h").string(), "--db",
                        (folder_.path() / "r.db").string(), "--kernels",
                        (folder_.path() / "kernels").string()})
        .out;
  };
  const std::string whole = verify();
  for (const char* name :
       {"warpwright_select.h", "square_launcher.h", "square_launcher.cpp", "warpwright_square.pc",
        "warpwright_launcher.h", "warpwright_launcher.cpp", "CMakeLists.txt"}) {
    const std::string line = std::string("\n") + name;
    const std::string padded = line + std::string(25 - line.size(), ' ');
    EXPECT_NE(whole.find(padded + "ok    is what "), std::string::npos) << name << "\n" << whole;
    const std::string text = read_file(lib / name);
    write_text(lib / name, "x" + text);
    EXPECT_NE(verify().find(padded + "WRONG is not what "), std::string::npos) << name;
    write_text(lib / name, text);
  }
  EXPECT_EQ(verify(), whole);
}

TEST_F(ExportHeader, VerifiesHeaderDatabaseAndSources) {
  const std::string header = (host_.path() / "square.h").string();
  const ProgramResult exported =
      run_program({"export", "square", "--format", "header", "--prefix", "my_", "--namespace",
                   "acme", "--db", (folder_.path() / "r.db").string(), "-o", header});
  ASSERT_EQ(exported.exit_code, 0) << exported.err;
  const auto verify = [&] {
    const ProgramResult result =
        run_program({"export", "--verify", header, "--db", (folder_.path() / "r.db").string(),
                     "--kernels", (folder_.path() / "kernels").string(), "--json"});
    std::map<std::string, bool> agrees;
    const auto json = nlohmann::json::parse(result.out);
    for (const auto& check : json["checks"])
      agrees[check["of"].get<std::string>()] = check["agrees"].get<bool>();
    const bool all =
        std::all_of(agrees.begin(), agrees.end(), [](auto& one) { return one.second; });
    EXPECT_EQ(result.exit_code, all ? 0 : 1);
    return agrees;
  };
  std::map<std::string, bool> before = verify();
  EXPECT_TRUE(before.at("header") && before.at("database") && before.at("sources"));
  EXPECT_FALSE(before.at("commit")) << "the kernels of this test are in no repository";
  EXPECT_TRUE(before.at("warpwright_select.h"));
  const std::filesystem::path shared = host_.path() / "warpwright_select.h";
  write_text(shared, read_file(shared) + "\n");
  EXPECT_FALSE(verify().at("warpwright_select.h"));
  std::filesystem::remove(shared);
  EXPECT_FALSE(verify().at("warpwright_select.h"));
  const std::filesystem::path source = folder_.path() / "kernels" / "square" / "plain.cu";
  write_text(source, read_file(source) + "\n");
  EXPECT_FALSE(verify().at("sources"));
  write_text(header, read_file(header) + "\n");
  EXPECT_FALSE(verify().at("header"));
}

// According to measurements on an H100, the split product is for few tokens and warpgroups are for
// many.
TEST(ExportedResults, ARouterTurnsFromDecodeToPrefillWhereItWasMeasuredTo) {
  const HostCompiler host;
  const std::string database = (host.path() / "r.db").string();
  ASSERT_EQ(
      run_program({"import", WARPWRIGHT_SOURCE_DIR "/results/nvidia-h100/kernels/warpwright.db.gz",
                   "--db", database})
          .exit_code,
      0);
  ASSERT_EQ(run_program({"export", "moe_router", "--format", "header", "--db", database, "-o",
                         (host.path() / "moe_router.h").string()})
                .exit_code,
            0);
  host.write("ask.c", R"(
#include "moe_router.h"
#include <stdio.h>
#include <string.h>
int main(void) {
  const long long tokens[] = {1, 5, 16, 40, 64, 256, 700, 1024, 5000, 100000};
  int i;
  for (i = 0; i < 10; ++i) {
    ww_moe_router_problem problem = ww_moe_router_default_problem();
    ww_selection s;
    problem.tokens = tokens[i];
    s = ww_moe_router_select(ww_moe_router_devices[0], problem);
    const char* entry = ww_moe_router_launch(s, problem, 0).entry;
    /* Its variants tie; which of them is a matter of hundredths of a microsecond. */
    printf("%s ", strncmp(entry, "moe_router_decode", 17) == 0 ? "decode" : entry);
  }
  return 0;
}
)");
  EXPECT_EQ(host.run("cc -std=c99 ask.c -o ask && ./ask").output,
            "decode decode decode decode decode moe_router_wgmma moe_router_wgmma "
            "moe_router_wgmma moe_router_wgmma moe_router_wgmma ");
}

TEST_F(ExportHeader, WhatIsNoHeaderCannotBeVerified) {
  const std::string file = host_.write("other.h", "#pragma once\n").string();
  const ProgramResult result = run_program({"export", "--verify", file});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err, "warpwright: " + file +
                            ": expected a header of `warpwright export --format header`, which "
                            "says where it comes from; export again if it is an older one\n");
  EXPECT_EQ(run_program({"export"}).err,
            "warpwright: expected KERNEL and --format FORMAT, or --verify FILE\n");
}

// Holding out problems on the emulator only tests that everything fits together.
TEST_F(ExportHeader, TheStudyJudgesHeldProblems) {
  write_text(folder_.path() / "held" / "square.yaml",
             "kernel: square\nproblems: [{n: 4000}]\nemulated: [{n: 4000}, {n: 2000}]\nspace:\n"
             "  THREADS: [32, 64]\n  PER_THREAD: [1, 2]\n");
  const auto path = [&](const char* name) { return (folder_.path() / name).string(); };
  const CommandResult result =
      host_.run("python3 " + shell_word(WARPWRIGHT_SOURCE_DIR "/scripts/record/select_study") +
                " --program " + shell_word(warpwright_program()) + " --db " + path("r.db") +
                " --held-db " + path("held.db") + " --held " + path("held") + " --kernels " +
                path("kernels") + " --device emu:sm_90a --json study.json");
  ASSERT_TRUE(result.exit_code == 0 || result.exit_code == 1) << result.output;
  EXPECT_NE(result.output.find("modelled times, which only test the plumbing"), std::string::npos)
      << result.output;
  const auto study = nlohmann::json::parse(read_file(host_.path() / "study.json"));
  ASSERT_EQ(study["problems"].size(), 2U);
  // The order is that in which the boards were completed.
  std::multiset<std::string> matches;
  for (const auto& row : study["problems"]) matches.insert(row["match"].get<std::string>());
  EXPECT_EQ(matches, (std::multiset<std::string>{"exact", "nearest_same_device"}));
  for (const auto& row : study["problems"]) {
    EXPECT_FALSE(row["picked_us"].is_null())
        << "picks that the held sweep leaves out are timed as well";
    EXPECT_GT(row["fraction"], 0);
    EXPECT_LE(row["fraction"], 1);
  }
}

}  // namespace
}  // namespace warpwright::testing
