// Tests `warpwright account` end to end: its text, its JSON and its messages on a small kernel, and
// the formulas of a shipped contract against the emulator's counts.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "core/files.h"
#include "support/program.h"

namespace warpwright::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class AccountVerb : public ::testing::Test {
 protected:
  AccountVerb() {
    write_square_kernel(folder_.path());
    add_contract_text(
        "accounting:\n"
        "  plain: {reads: 4*n, writes: 4*n, scratch: 0, special: 0, flops: n - n/100, "
        "tensor: 0}\n"
        "baseline: plain\n");
  }

  void add_contract_text(const std::string& text) const {
    const std::filesystem::path file = folder_.path() / "kernels" / "square" / "kernel.yaml";
    write_text(file, read_file(file) + text);
  }
  [[nodiscard]] ProgramResult account(std::vector<std::string> more) const {
    std::vector<std::string> all = {"account", "square"};
    all.insert(all.end(), more.begin(), more.end());
    all.insert(all.end(), {"--kernels", (folder_.path() / "kernels").string()});
    return run_program(all, {"WARPWRIGHT_CACHE=" + (folder_.path() / "cache").string()});
  }
  void expect_refused(std::vector<std::string> more, const std::string& message) const {
    const ProgramResult result = account(std::move(more));
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.err, message);
  }

  TemporaryFolder folder_{"account"};
};

TEST_F(AccountVerb, CountsStandBesideFormulas) {
  const ProgramResult result = account({"--problem", "n=1000", "--at", "a100"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, R"(square n=1000
counted by the emulator on emu:sm_90a
the problem needs at least: 8,000 bytes, 1,000 flops

variant       reads B  writes B  scratch B  special    flops  tensor flops  traffic x  asked for x  flop/B
────────────  ───────  ────────  ─────────  ───────  ───────  ────────────  ─────────  ───────────  ──────
plain           4,000     4,000          0        0    1,000             0       1.00         1.00    0.12
  by formula    4,000     4,000          0        0      990             0       1.00            -    0.12
  difference     same      same       same     same  +1.00 %          same

At the ceilings of NVIDIA A100 80GB SXM:
variant  at best µs  bound by  speed-up  time of each part, µs
───────  ──────────  ────────  ────────  ───────────────────────────
plain         0.004  memory        1.00  memory 0.004, fma_f32 0.000
  read 2,039 GB/s: NVIDIA A100 datasheet
  fma_f32 19,500 GFLOP/s: NVIDIA A100 datasheet
)");
}

TEST_F(AccountVerb, JsonHasCountsFormulasDifferencesAndTimes) {
  const ProgramResult result =
      account({"plain", "--set", "PER_THREAD=2", "--problem", "n=1000", "--at", "a100", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const nlohmann::json json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json.at("counted_on"), "emu:sm_90a");
  EXPECT_EQ(json.at("compulsory_bytes"), 8000);
  EXPECT_EQ(json.at("gpus").at(0).at("ceilings").at(0).at("source"), "NVIDIA A100 datasheet");
  ASSERT_EQ(json.at("variants").size(), 2U);
  EXPECT_EQ(json.at("variants").at(0).at("baseline"), true);
  const nlohmann::json& plain = json.at("variants").at(1);
  EXPECT_EQ(plain.at("values").at("PER_THREAD"), 2);
  EXPECT_EQ(plain.at("counted").at("reads"), 4000);
  EXPECT_EQ(plain.at("counted").at("of_compulsory"), 1);
  EXPECT_EQ(plain.at("formula").at("writes"), 4000);
  EXPECT_EQ(plain.at("formulas").at("reads"), "4*n");
  EXPECT_EQ(plain.at("difference").at("flops"), 0.01);
  EXPECT_EQ(plain.at("difference").at("writes"), 0);
  EXPECT_EQ(plain.at("times").at("a100").at("bound"), "memory");
  EXPECT_EQ(plain.at("times").at("a100").at("speed_up"), 1);
}

TEST_F(AccountVerb, FormulasNeedNoRun) {
  const ProgramResult result =
      account({"--formulas", "--problem", "n=100000000", "--at", "a100", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const nlohmann::json json = nlohmann::json::parse(result.out);
  EXPECT_TRUE(json.at("counted_on").is_null());
  EXPECT_TRUE(json.at("variants").at(0).at("counted").is_null());
  EXPECT_NEAR(json.at("variants").at(0).at("times").at("a100").at("us"), 8e8 / 2039e3, 1e-9);
}

TEST_F(AccountVerb, BadInputIsRefused) {
  EXPECT_THAT(run_program({"account", "softmax_topc"}).err,
              StartsWith("warpwright: unknown kernel 'softmax_topc'; did you mean 'softmax_topk'?; "
                         "looked in "));
  expect_refused({"--problem", "n=8", "--at", "h300"},
                 "warpwright: --at h300: unknown GPU; known: a100, h100, h200, rtx5090; did you "
                 "mean 'h100'?\n");
  expect_refused({"plain", "--version", "V0"},
                 "warpwright: variant excludes --version; see `warpwright account --help`\n");
  EXPECT_THAT(account({"--problem", "n=8", "--version", "V0"}).err,
              StartsWith("warpwright: --version V0: kernel 'square' has no versions; add "
                         "`presets` to "));
  expect_refused({"plan"},
                 "warpwright: unknown variant 'plan' of kernel 'square'; did you mean 'plain'?\n");
  expect_refused({"--set", "THREADS=64"},
                 "warpwright: --set \"THREADS=64\": expected a VARIANT or --version, whose "
                 "parameters it changes\n");
  expect_refused({"--device", "cuda:0"},
                 "warpwright: --device cuda:0: account counts on the emulator only; try "
                 "emu:sm_90a, or ncu on a GPU\n");
}

TEST_F(AccountVerb, AFormulaOfAnUnknownDimensionIsRefused) {
  const std::filesystem::path file = folder_.path() / "kernels" / "square" / "kernel.yaml";
  std::string text = read_file(file);
  text.replace(text.find("reads: 4*n"), 10, "reads: 4*m");
  write_text(file, text);
  const ProgramResult result = account({"--problem", "n=8"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err,
              HasSubstr("kernel.yaml:24:20: unknown parameter 'm' in \"4*m\"; known: "));
}

// All counts of all kernels with formulas are compared with them when they are recorded
// (scripts/record/analyses); this runs the emulator on some.
struct Accounted {
  const char* kernel;
  const char* variant;
  const char* problem;
};
class ShippedAccounting : public ::testing::TestWithParam<Accounted> {
 protected:
  TemporaryFolder folder_{"shipped_accounting"};
};

TEST_P(ShippedAccounting, AgreesWithTheEmulator) {
  constexpr double kMostOff = 0.01;  // of data-dependent sums; bytes are exact
  const Accounted& one = GetParam();
  const ProgramResult result =
      run_program({"account", one.kernel, one.variant, "--problem", one.problem, "--json"},
                  {"WARPWRIGHT_CACHE=" + (folder_.path() / "cache").string()});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const nlohmann::json json = nlohmann::json::parse(result.out);
  for (const nlohmann::json& variant : json.at("variants")) {
    ASSERT_FALSE(variant.at("difference").is_null()) << variant.at("title");
    for (const auto& [amount, difference] : variant.at("difference").items()) {
      ASSERT_TRUE(difference.is_number()) << variant.at("title") << " " << amount;
      EXPECT_LE(std::abs(difference.get<double>()), kMostOff)
          << variant.at("title") << " " << amount;
    }
    for (const char* bytes : {"reads", "writes", "scratch"})
      EXPECT_EQ(variant.at("difference").at(bytes), 0) << variant.at("title") << " " << bytes;
  }
}

// The naive softmax reads the logits twice and writes a probability for each: 12 V bytes a row.
INSTANTIATE_TEST_SUITE_P(
    Kernels, ShippedAccounting,
    ::testing::Values(Accounted{"softmax_topk", "vectorized", "rows=2 V=1003 K=5"},
                      Accounted{"conv1d", "tiled", "c_in=16 c_out=20 length=24"}),
    [](const auto& test) { return std::string(test.param.kernel); });

}  // namespace
}  // namespace warpwright::testing
