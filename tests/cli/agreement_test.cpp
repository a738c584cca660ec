// Tests warpwright compare --agreement and show --versions on swept databases, as a user runs them.
#include <gmock/gmock.h>

#include "support/square_sweep.h"

namespace warpwright::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class AgreementVerb : public SquareSweep {
 protected:
  [[nodiscard]] std::string file(const std::string& name) const {
    return (folder_.path() / name).string();
  }
  // Writes a sweep of two presets in place of the free space, and one of a further configuration.
  void write_versions() const {
    write_text(folder_.path() / "square.yaml",
               "kernel: square\nproblems: [{n: 100000}]\nemulated: [{n: 3000}, {n: 1000}]\n"
               "space: {PER_THREAD: 1}\npresets:\n  V0: {THREADS: 32}\n  V1: {THREADS: 64}\n"
               "version: [0..1]\n");
  }
};

TEST_F(AgreementVerb, TwoSweepsOfOneKernelAgreeOnAModel) {
  finish("first.db");
  finish("second.db", {"--strategy", "random", "--seed", "7"});
  const ProgramResult text =
      run_program({"compare", file("first.db"), file("second.db"), "--agreement"});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("tie sets"));
  EXPECT_THAT(text.out, HasSubstr("the same winner on 1, a shared tie set on 1"));
  const ProgramResult json =
      run_program({"compare", file("first.db"), file("second.db"), "--agreement", "--json"});
  const nlohmann::json board = nlohmann::json::parse(json.out)["boards"][0];
  EXPECT_EQ(board["timed_in_both"], 11);
  EXPECT_EQ(board["tau_b"], 1.0);
  EXPECT_EQ(board["same_winner"], true);
  EXPECT_EQ(board["winner_elsewhere"][0]["cost"], 1.0);
}

TEST_F(AgreementVerb, TwoArchitecturesAreHeldAgainstEachOther) {
  finish("x.db");
  finish("x.db", {"--device", "emu:sm_80"});
  const ProgramResult result = run_program({"compare", "--db", file("x.db"), "--agreement"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("1 board"));
}

TEST_F(AgreementVerb, AnythingButTwoContendersIsRefused) {
  finish("x.db");
  const ProgramResult result = run_program({"compare", file("x.db"), "--agreement"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err,
              HasSubstr("--agreement holds two contenders against each other, got 1 ("));
  EXPECT_THAT(result.err, HasSubstr("name two, for example run:1 run:2 or first.db second.db"));
}

TEST_F(AgreementVerb, NamedVersionsStandBesideTheBestOfAll) {
  finish("x.db");
  write_versions();
  finish("x.db", {"--fresh"});
  const ProgramResult text = run_program({"show", "square", "--versions", "--db", file("x.db")});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("V0"));
  EXPECT_THAT(text.out, HasSubstr("best of all"));
  const ProgramResult json =
      run_program({"show", "square", "--versions", "--db", file("x.db"), "--json"});
  const nlohmann::json table = nlohmann::json::parse(json.out)["versions"][0];
  EXPECT_EQ(table["modelled"], true);
  EXPECT_EQ(table["problems"][0]["problem"]["n"], 1000);
  ASSERT_EQ(table["rows"].size(), 2u);
  EXPECT_EQ(table["rows"][0]["name"], "V0");
  EXPECT_GE(table["gain"][0], 1.0);
}

TEST_F(AgreementVerb, PeersOfAnotherDeviceAreLeftOut) {
  write_versions();
  finish("x.db");
  write_text(folder_.path() / "peers.json",
             R"({"environment": {"device": "NVIDIA H200"}, "results": []})");
  const ProgramResult result = run_program(
      {"show", "--versions", "--peers", file("peers.json"), "--db", file("x.db"), "--json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(nlohmann::json::parse(result.out)["versions"][0]["peers"].empty());
}

TEST_F(AgreementVerb, WhatIsNoPeersFileIsRefused) {
  write_versions();
  finish("x.db");
  write_text(folder_.path() / "peers.json", "[]");
  const ProgramResult result =
      run_program({"show", "--versions", "--peers", file("peers.json"), "--db", file("x.db")});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err,
              HasSubstr("peers.json: expected what `scripts/peers --json FILE` writes"));
}

TEST_F(AgreementVerb, ADatabaseWithoutVersionsSaysWhatToWrite) {
  finish("x.db");
  const ProgramResult result = run_program({"show", "square", "--versions", "--db", file("x.db")});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("no sweep with named versions has results here; give a sweep "
                                    "`presets` and `version`, and run it"));
}

}  // namespace
}  // namespace warpwright::testing
