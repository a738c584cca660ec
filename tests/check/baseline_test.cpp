// Tests baseline.yaml: written text reads back, the text is a function of the content, and damaged
// or edited text is refused with an exact message.
#include "check/baseline.h"

#include <gmock/gmock.h>

#include "core/files.h"
#include "core/hash.h"
#include "support/error_text.h"

namespace warpwright::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string kHash(64, 'a');

Baseline sample() {
  Baseline baseline;
  baseline.arch = "sm_90a";
  baseline.nvrtc = "13.0";
  baseline.emulator = "emulator 1";
  baseline.sources = {{"kernels/square/plain.cu", kHash}, {"kernels/common/reference.h", kHash}};
  BaselineEntry entry;
  entry.kernel = "square";
  entry.problem = {{"n", 5000}, {"dtype", "f32"}, {"scale", 0.5}};
  entry.emulated = std::map<std::string, Value>{{"n", 100}, {"dtype", "f32"}, {"scale", 1.0}};
  entry.configuration = {"plain",
                         {{"THREADS", 128}, {"HINT", "a \"quoted\" one: #{}"}, {"ON", true}}};
  entry.measured =
      BaselineTime{"NVIDIA H200", "580.159.04", "13.0", "cold-graph-1",
                   12.3456,       12.3,         12.4,   {{"plain", {{"THREADS", 256}}}}};
  entry.machine_code = kHash;
  entry.metrics = {{{"square", "registers"}, 16},
                   {{"square", "code_bytes"}, 512},
                   {{"", "warp_instructions"}, 1234567890123}};
  baseline.entries = {entry};
  return baseline;
}

Baseline read_back(const Baseline& baseline) {
  return parse_baseline(baseline_text(baseline, "warpwright baseline x.yaml"), "baseline.yaml");
}

TEST(BaselineText, ReadsBackWhole) {
  const Baseline read = read_back(sample());
  const BaselineEntry& entry = read.entries.at(0);
  const BaselineEntry wanted = sample().entries.at(0);
  EXPECT_EQ(read.nvrtc, "13.0");
  EXPECT_EQ(entry.kernel, wanted.kernel);
  EXPECT_EQ(entry.problem, wanted.problem);
  EXPECT_EQ(entry.emulated, wanted.emulated);
  EXPECT_EQ(entry.configuration, wanted.configuration);
  EXPECT_EQ(entry.measured->ties, wanted.measured->ties);
  EXPECT_DOUBLE_EQ(entry.measured->median_us, 12.35);
  EXPECT_EQ(entry.metrics, wanted.metrics);
  EXPECT_EQ(entry.machine_code, kHash);
  EXPECT_EQ(entry.where.line, 11);
}

TEST(BaselineText, TypesOfValuesAreKept) {
  const BaselineEntry entry = read_back(sample()).entries.at(0);
  EXPECT_TRUE(entry.emulated->at("scale").is_real()) << "1.0 is not 1";
  EXPECT_TRUE(entry.problem.at("n").is_integer());
  EXPECT_TRUE(entry.configuration.values.at("ON").is_bool());
}

TEST(BaselineText, TheOrderOfTheContentMakesNoDifference) {
  Baseline baseline = sample();
  BaselineEntry second = baseline.entries[0];
  second.problem["n"] = 7;
  baseline.entries.push_back(second);
  Baseline turned = baseline;
  std::reverse(turned.entries.begin(), turned.entries.end());
  std::reverse(turned.sources.begin(), turned.sources.end());
  EXPECT_EQ(baseline_text(baseline, "x"), baseline_text(turned, "x"));
}

TEST(BaselineText, OneFactStandsOnALine) {
  const std::string text = baseline_text(sample(), "warpwright baseline x.yaml");
  EXPECT_THAT(text, HasSubstr("\n    compiler:\n      \"square\":\n        code_bytes: 512\n"
                              "        registers: 16\n    emulator:\n"
                              "      warp_instructions: 1234567890123\n"));
  EXPECT_THAT(text, HasSubstr("\n      median_us: 12.35\n"));
}

// Returns the message for the sample's text with one change.
std::string message(const std::string& from, const std::string& to) {
  std::string text = baseline_text(sample(), "x");
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  text.replace(at, from.size(), to);
  return error_text([&] { (void)parse_baseline(text, "b.yaml"); });
}

TEST(BaselineErrors, AreNamedAtTheirPlace) {
  EXPECT_EQ(message("warpwright_baseline: 1", "warpwright_baseline: 2"),
            "b.yaml:3:22: warpwright_baseline: got version 2, this program reads version 1; use "
            "the warpwright that made it, or make it again");
  EXPECT_EQ(message("registers: 16", "registers: -1"),
            "b.yaml:30:20: entries[0].compiler.square.registers: got -1, expected a count of 0 or "
            "more");
  EXPECT_EQ(message("registers: 16", "registers: many"),
            "b.yaml:30:20: entries[0].compiler.square.registers: got the string 'many', expected "
            "an integer");
  EXPECT_EQ(message("median_us: 12.35", "median_us: 0"),
            "b.yaml:21:18: entries[0].measured.median_us: got 0, expected a time above 0");
  EXPECT_EQ(message("median_us: 12.35", "median_us: 99"),
            "b.yaml:17:7: entries[0].measured: got the interval 12.3 to 12.4 around 99, expected "
            "one that holds the median");
  EXPECT_EQ(message("machine_code: " + kHash, "machine_code: abc"),
            "b.yaml:26:19: entries[0].machine_code: got 'abc', expected a SHA-256 of 64 digits");
  EXPECT_EQ(message("\"kernels/square/plain.cu\"", "\"kernels/../../etc/passwd\""),
            "b.yaml:9:12: sources[1].file: got the file 'kernels/../../etc/passwd', expected one "
            "below kernels/");
  EXPECT_EQ(message("    variant: \"plain\"\n", ""),
            "b.yaml:11:5: missing key 'variant' in entries[0]; add `variant: \"plain\"`");
  EXPECT_THAT(
      message("    variant:", "    varian:"),
      StartsWith("b.yaml:14:5: unknown key 'varian' in entries[0]; did you mean 'variant'?"));
  EXPECT_EQ(message("kernel: \"square\"", "kernel: \"../square\""),
            "b.yaml:11:5: entries[0]: got the kernel '../square', expected the name of a folder in "
            "kernels/");
}

TEST(BaselineErrors, NoEntriesAreNoBaseline) {
  const std::string text = baseline_text(sample(), "x");
  const std::string cut = text.substr(0, text.find("  - kernel:"));
  EXPECT_EQ(error_text([&] { (void)parse_baseline(cut, "b.yaml"); }),
            "b.yaml:10:1: entries: got no entry, expected one at least; make the baseline again");
}

TEST(BaselineErrors, AnEntryTwiceIsOneTooMany) {
  Baseline baseline = sample();
  baseline.entries.push_back(baseline.entries[0]);
  EXPECT_THAT(error_text([&] { (void)read_back(baseline); }),
              HasSubstr(" on NVIDIA H200' is there twice; remove one"));
}

TEST(BaselineErrors, EveryCutOffTextIsRefusedAndNoneCrashes) {
  const std::string text = baseline_text(sample(), "x");
  int refused = 0;
  for (std::size_t length = 0; length < text.size(); length += 5) {
    try {
      (void)parse_baseline(std::string_view(text).substr(0, length), "b.yaml");
    } catch (const Error& error) {
      EXPECT_EQ(error.fault(), Fault::kUser) << error.what();
      ++refused;
    }
  }
  EXPECT_GT(refused, 100);
}

class BaselineFolder : public ::testing::Test {
 protected:
  BaselineFolder() {
    Baseline baseline = sample();
    baseline.sources = {{"kernels/square/plain.cu", sha256_hex("text\n")}};
    fs::create_directories(folder_.path() / "kernels" / "square");
    publish_file(folder_.path() / "kernels/square/plain.cu", "text\n");
    publish_file(folder_.path() / kBaselineFile, baseline_text(baseline, "x"));
  }
  std::string message() {
    return error_text([&] { (void)read_baseline(folder_.path()); });
  }
  TemporaryFolder folder_;
  const std::string source_ = (folder_.path() / "kernels/square/plain.cu").string();
};

TEST_F(BaselineFolder, IsReadWithItsSources) {
  EXPECT_EQ(read_baseline(folder_.path()).sources.size(), 1u);
}

TEST_F(BaselineFolder, AnEditedSourceIsRefused) {
  publish_file(source_, "text that passes\n");
  EXPECT_THAT(message(),
              StartsWith(source_ + ": not the file that the baseline was made with: got SHA-256 "));
  EXPECT_THAT(message(), HasSubstr("restore it (git may have changed its line ends) or make the "
                                   "baseline again"));
}

TEST_F(BaselineFolder, AMissingSourceIsRefused) {
  fs::remove(source_);
  EXPECT_EQ(message(), source_ + ": missing, though " + (folder_.path() / kBaselineFile).string() +
                           " names it; restore it or make the baseline again");
}

TEST_F(BaselineFolder, AFolderWithoutTheTextIsNone) {
  fs::remove(folder_.path() / kBaselineFile);
  const std::string name = folder_.path().string();
  EXPECT_EQ(message(), name +
                           ": expected a baseline, a folder with baseline.yaml, got none in it; "
                           "make one with `warpwright baseline CONFIG -o " +
                           name + "`");
  EXPECT_THAT(error_text([] { (void)read_baseline("/nowhere"); }), HasSubstr("got nothing there"));
}

}  // namespace
}  // namespace warpwright::testing
