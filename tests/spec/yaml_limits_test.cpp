// Tests texts that are large or deep, or that have made other readers hang: each must be handled
// quickly.
#include <gtest/gtest.h>

#include <chrono>

#include "spec/spec_fixture.h"
#include "spec/yaml_document.h"

namespace warpwright {
namespace {

std::string repeated(std::string_view text, std::size_t times) {
  std::string result;
  for (std::size_t i = 0; i < times; ++i) result += text;
  return result;
}

class YamlLimits : public testing::Test {
 protected:
  YamlLimits() : start_(std::chrono::steady_clock::now()) {}
  // A second or less in an optimised build; sanitizers and a busy machine take longer, and a hang
  // takes forever.
  ~YamlLimits() override {
    EXPECT_LT(std::chrono::steady_clock::now() - start_, std::chrono::seconds(20));
  }

 private:
  std::chrono::steady_clock::time_point start_;
};

TEST_F(YamlLimits, RefusesTenMegabytes) {
  EXPECT_EQ(sweep_message(repeated("[", 10 << 20)),
            "sweep.yaml: is 10 MB; a sweep is at most 1 MB");
  EXPECT_EQ(kernel_message(repeated("[", (10 << 20) + 1)),
            "kernel.yaml: is 10.1 MB; a kernel contract is at most 1 MB");
}

TEST_F(YamlLimits, RefusesALargeFileWithoutReadingIt) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "large.yaml";
  publish_file(file, "");
  std::filesystem::resize_file(file, std::uintmax_t{1} << 40);
  EXPECT_EQ(message_of([&] { static_cast<void>(read_sweep(file)); }),
            file.string() + ": is 1048576 MB; a sweep is at most 1 MB");
}

TEST_F(YamlLimits, RefusesDeepLists) {
  EXPECT_EQ(sweep_message(repeated("[", kMaxYamlBytes)),
            "sweep.yaml:1:33: lists and maps are nested more than 64 levels deep");
  EXPECT_EQ(sweep_message(repeated("- ", kMaxYamlBytes / 2)),
            "sweep.yaml:1:129: lists and maps are nested more than 64 levels deep");
}

TEST_F(YamlLimits, RefusesDeepMaps) {
  EXPECT_EQ(sweep_message(repeated("{a: ", kMaxYamlBytes / 4)),
            "sweep.yaml:1:253: lists and maps are nested more than 64 levels deep");
  EXPECT_EQ(sweep_message(repeated("? ", kMaxYamlBytes / 2)),
            "sweep.yaml:1:129: lists and maps are nested more than 64 levels deep");
}

TEST_F(YamlLimits, TakesSixtyFourLevels) {
  EXPECT_EQ(sweep_message("space: {A: " + repeated("[", 62) + repeated("]", 62) + "}"),
            "sweep.yaml:1:13: space.A[0]: got a list, expected one value");
  EXPECT_EQ(sweep_message("space: {A: " + repeated("[", 63) + repeated("]", 63) + "}"),
            "sweep.yaml:1:74: lists and maps are nested more than 64 levels deep");
}

TEST_F(YamlLimits, RefusesTheBillionLaughs) {
  EXPECT_EQ(sweep_message("a: &a [ha, ha]\nb: &b [*a, *a]\nc: [*b, *b]\n"),
            "sweep.yaml:1:4: anchors (&a) are not supported; write the value out where it is used");
}

TEST_F(YamlLimits, RefusesVeryLongLists) {
  EXPECT_EQ(sweep_message("space: {A: [" + repeated("1,", 100001) + "]}"),
            "sweep.yaml:1:12: space.A: got 100001 items, expected at most 100000");
}

TEST_F(YamlLimits, RefusesVeryWideMaps) {
  std::string keys;
  for (int i = 0; i < 1001; ++i) keys += "a" + std::to_string(i) + ": 1,";
  EXPECT_EQ(sweep_message("space: {" + keys + "}"),
            "sweep.yaml:1:8: space: got 1001 keys, expected at most 1000");
  EXPECT_EQ(sweep_message("kernel: k\nproblems: [{" + keys + "}]"),
            "sweep.yaml:2:12: problems[0]: got 1001 keys, expected at most 64");
}

TEST_F(YamlLimits, RefusesAVeryLongName) {
  EXPECT_TRUE(
      sweep_message("kernel: " + repeated("k", 101)).ends_with("that does not start with a digit"));
}

TEST_F(YamlLimits, ReadsAMegabyteOfComments) {
  const std::string comments = repeated("# nothing to see\n", 60000);
  EXPECT_EQ(sweep_message(comments + "space: {A: 1}\n"), "");
}

TEST_F(YamlLimits, IgnoresAByteOrderMarkAndCarriageReturns) {
  EXPECT_EQ(sweep_message("\xEF\xBB\xBFspace: {A: 1}\r\nconstraints: [\"B > 0\"]\r\n"),
            "sweep.yaml:2:16: unknown parameter 'B' in \"B > 0\"; known: A\n  B > 0\n  ^");
  EXPECT_EQ(sweep_message("\xEF\xBB\xBFspce: {A: 1}\r\n"),
            "sweep.yaml:1:1: unknown key 'spce'; did you mean 'space'?");
}

TEST_F(YamlLimits, TakesTabsThatDoNotIndent) {
  EXPECT_EQ(sweep_message("space:\t{A: 1}\t# one\n\t\n\t# two\nconstraints: [\"A\t< 5\"]\n"), "");
}

}  // namespace
}  // namespace warpwright
