// Tests `warpwright describe` end to end: its JSON and messages on a small kernel, and its text for
// shipped kernels at two widths.
#include <gmock/gmock.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "compile/nvrtc.h"
#include "core/files.h"
#include "output/golden.h"
#include "support/program.h"
#include "terminal/text_width.h"

namespace warpwright::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class DescribeVerb : public ::testing::Test {
 protected:
  DescribeVerb() { write_square_kernel(folder_.path()); }

  [[nodiscard]] std::vector<std::string> command(std::vector<std::string> more) const {
    std::vector<std::string> all = {"describe", "square"};
    all.insert(all.end(), more.begin(), more.end());
    all.insert(all.end(), {"--kernels", (folder_.path() / "kernels").string()});
    return all;
  }
  [[nodiscard]] std::vector<std::string> environment() const {
    return {"WARPWRIGHT_CACHE=" + (folder_.path() / "cache").string()};
  }
  [[nodiscard]] ProgramResult describe(std::vector<std::string> more) const {
    return run_program(command(std::move(more)), environment());
  }
  void expect_refused(std::vector<std::string> more, const std::string& message) const {
    const ProgramResult result = describe(std::move(more));
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.err, message);
  }

  TemporaryFolder folder_{"describe"};
};

TEST_F(DescribeVerb, JsonHasWhatTheLaunchDid) {
  const ProgramResult result =
      describe({"--problem", "n=1024", "--set", "THREADS=64", "--set", "PER_THREAD=1", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const nlohmann::json json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json.at("observed_on"), "emulator");
  EXPECT_EQ(json.at("values").at("THREADS"), 64);
  const nlohmann::json& launch = json.at("launches").at(0);
  EXPECT_EQ(launch.at("grid"), nlohmann::json({16, 1, 1}));
  EXPECT_EQ(launch.at("blocks"), 16);
  const nlohmann::json& arrays = launch.at("arrays");
  EXPECT_EQ(arrays.at(0).at("role"), "in");
  EXPECT_EQ(arrays.at(0).at("distinct_read"), 4096);
  EXPECT_EQ(arrays.at(0).at("written"), 0);
  EXPECT_EQ(arrays.at(1).at("distinct_written"), 4096);
  EXPECT_EQ(arrays.at(0).at("block_reads").at("bytes"), 256);
  EXPECT_TRUE(arrays.at(0).at("block_reads").at("fills_box"));
  const nlohmann::json& shown = launch.at("shown");
  EXPECT_EQ(shown.at("roles").at(0).at("name"), "all warps");
  EXPECT_EQ(shown.at("roles").at(0).at("warps"), nlohmann::json({0, 1}));
  EXPECT_EQ(shown.at("phases").at(0).at("global_read"), 256);
  EXPECT_TRUE(shown.at("barriers").empty());
}

TEST_F(DescribeVerb, TextSaysWhereItComesFrom) {
  const ProgramResult result = describe({"--problem", "n=1000"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("as the emulator observed it on emu:sm_90a"));
}

TEST_F(DescribeVerb, IsAsciiInSuchALocale) {
  std::vector<std::string> locale = environment();
  locale.emplace_back("LC_ALL=C");
  const ProgramResult result = run_program(command({"--problem", "n=1000"}), locale);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("+- phase 1, from the start "));
  EXPECT_TRUE(std::all_of(result.out.begin(), result.out.end(),
                          [](char c) { return static_cast<unsigned char>(c) < 0x80; }));
}

TEST_F(DescribeVerb, UnknownNamesAreRefused) {
  EXPECT_THAT(run_program({"describe", "softmax_topc"}).err,
              StartsWith("warpwright: unknown kernel 'softmax_topc'; did you mean 'softmax_topk'?; "
                         "looked in "));
  expect_refused({"plan", "--problem", "n=8"},
                 "warpwright: unknown variant 'plan' of kernel 'square'; did you mean 'plain'?\n");
  expect_refused(
      {"--problem", "m=8"},
      "warpwright: --problem \"m=8\": unknown problem size 'm' of kernel 'square'; known: n\n");
  expect_refused(
      {"--problem", "n=8", "--set", "THREDS=64"},
      "warpwright: --set \"THREDS=64\": unknown parameter 'THREDS' of variant 'plain' of "
      "kernel 'square'; did you mean 'THREADS'?\n");
}

TEST_F(DescribeVerb, GpusAreRefused) {
  expect_refused({"--problem", "n=8", "--device", "cuda:0"},
                 "warpwright: --device cuda:0: describe observes on the emulator only; try "
                 "emu:sm_90a, or ncu on a GPU\n");
}

// Counts of instructions depend on the compiler.
constexpr const char* kRecordedWith = "13.0";

struct Described {
  const char* kernel;
  const char* variant;
  const char* problem;
  const char* parameters;
};
std::ostream& operator<<(std::ostream& out, const Described& one) {
  return out << one.kernel << " " << one.variant;
}

class DescribedKernel : public ::testing::TestWithParam<Described> {
 protected:
  TemporaryFolder folder_{"described"};
};

TEST_P(DescribedKernel, LooksAsRecorded) {
  if (const std::string version = Nvrtc(require_toolchain()).version(); version != kRecordedWith)
    GTEST_SKIP() << "recorded with NVRTC " << kRecordedWith << ", this is " << version;
  const Described& one = GetParam();
  std::vector<std::string> command = {"describe", one.kernel, one.variant, "--problem",
                                      one.problem};
  if (*one.parameters != '\0') command.insert(command.end(), {"--set", one.parameters});
  for (const unsigned short columns : {80, 120}) {
    const ProgramResult result =
        run_on_terminal(command, columns, 50,
                        {"WARPWRIGHT_CACHE=" + (folder_.path() / "cache").string(),
                         "LC_ALL=C.UTF-8", "NO_COLOR=1"});
    ASSERT_EQ(result.exit_code, 0) << result.out;
    std::string text = result.out;
    std::erase(text, '\r');
    std::size_t widest = 0;
    for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1)
      widest = std::max(widest, display_width(text.substr(at, text.find('\n', at) - at)));
    EXPECT_LE(widest, columns);
    expect_golden(std::string("describe_") + one.kernel + "_" + std::to_string(columns) + ".txt",
                  text);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Shipped, DescribedKernel,
    ::testing::Values(Described{"softmax_topk", "threshold", "rows=2 V=1000 K=5", "THREADS=128"},
                      Described{"rmsnorm_residual", "block_row", "rows=2 d=512", ""},
                      Described{"gated_activation", "persistent", "rows=2 d=500", ""},
                      Described{"attention_prefill", "tma",
                                "heads=1 kv_heads=1 q_len=64 kv_len=128", ""},
                      Described{"conv1d", "mma", "c_in=32 c_out=48 length=40", ""}),
    [](const auto& test) { return std::string(test.param.kernel); });

}  // namespace
}  // namespace warpwright::testing
