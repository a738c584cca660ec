#include "exchange/t4/t4_file.h"

#include <gtest/gtest.h>

#include "core/files.h"
#include "support/error_text.h"

namespace warpwright::testing {
namespace {

T4File read(const std::string& text) { return read_t4(text, "x.json"); }
std::string message(const std::string& text) {
  return error_text([&] { static_cast<void>(read(text)); });
}
// A file with one result of these members.
std::string with(const std::string& members) { return R"({"results": [{)" + members + "}]}"; }

TEST(T4File, ReadsEveryResultAndWhatFollowsThem) {
  const T4File file = read_t4(
      read_file(std::string(WARPWRIGHT_SOURCE_DIR) + "/tests/exchange/blur-X100.json"), "blur");
  EXPECT_EQ(file.schema_version, "1.0.0");
  EXPECT_EQ(file.metadata["timeunit"], "miliseconds");
  ASSERT_EQ(file.results.size(), 9u);
  const T4Result& first = file.results.front();
  EXPECT_EQ(first.timestamp, "2024-05-01 10:00:00.250000+00:00");
  EXPECT_EQ(first.configuration,
            (std::map<std::string, Value>{
                {"tile", 4}, {"block", 32}, {"mode", "shared"}, {"radius", 7}}));
  EXPECT_EQ(first.runtimes, (std::vector{0.25, 0.26, 0.24, 0.25, 0.25, 0.25, 0.75}));
  EXPECT_EQ(first.times.at("compilation"), 850.5);
  EXPECT_EQ(first.measurements[0].value, 0.321);
  EXPECT_EQ(first.measurements[1].name, "GFLOP/s");
  EXPECT_EQ(first.objectives, std::vector<std::string>{"time"});
  EXPECT_EQ(first.rest, nlohmann::json({{"host", "node-7"}}));
  EXPECT_EQ(file.results[4].measurements[0].text, "RuntimeFailedConfig");
  EXPECT_FALSE(file.results[4].measurements[0].value);
}

TEST(T4File, ValuesThatAreNoTimeAreCounted) {
  const T4File file = read_t4(
      read_file(std::string(WARPWRIGHT_SOURCE_DIR) + "/tests/exchange/blur-X100.json"), "blur");
  EXPECT_EQ(file.results[3].runtimes, std::vector<double>{0.5});
  EXPECT_EQ(file.results[3].other_runtimes, 4u);
}

TEST(T4File, NanInsideATextIsText) {
  const T4File file = read(with(R"("configuration": {"a": "NaN \"Infinity\"", "b": "x\\"})"));
  EXPECT_EQ(file.results[0].configuration.at("a"), Value("NaN \"Infinity\""));
}

TEST(T4File, ASingleRuntimeMayStandWithoutAList) {
  EXPECT_EQ(read(with(R"("configuration": {}, "times": {"runtimes": 2.5})")).results[0].runtimes,
            std::vector<double>{2.5});
}

TEST(T4File, MissingMembersAreEmpty) {
  const T4Result result = read(with(R"("configuration": {"a": 1}, "times": null)")).results[0];
  EXPECT_EQ(result.invalidity, "");
  EXPECT_FALSE(result.correctness);
  EXPECT_TRUE(result.measurements.empty());
}

TEST(T4File, ListsAndNullOfAConfigurationBecomeTheirText) {
  const auto values =
      read(
          with(
              R"("configuration": {"a": [1, 2], "b": null, "c": true, "d": 18446744073709551615})"))
          .results[0]
          .configuration;
  EXPECT_EQ(values.at("a"), Value("[1,2]"));
  EXPECT_EQ(values.at("b"), Value("null"));
  EXPECT_EQ(values.at("c"), Value(true));
  EXPECT_EQ(values.at("d"), Value("18446744073709551615"));
}

TEST(T4File, NoResultsAreNoFault) { EXPECT_TRUE(read(R"({"results": []})").results.empty()); }

TEST(T4File, MalformedJsonIsReportedWithItsPlace) {
  EXPECT_EQ(
      message("{\n  \"results\": [\n    {\"configuration\": {]}\n]}"),
      "x.json:3:24: not JSON: syntax error while parsing object key - unexpected ']'; expected "
      "string literal");
  EXPECT_EQ(message(R"({"results": [)"),
            "x.json:1:14: not JSON: syntax error while parsing value - unexpected end of input; "
            "expected '[', '{', or a literal");
  EXPECT_EQ(message("{\"results\": []} trailing"),
            "x.json:1:19: not JSON: syntax error while parsing value - invalid literal; last read: "
            "'\"results\": []} tra'; expected end of input");
  EXPECT_EQ(message(R"({"results": [], "x": 1e999})"),
            "x.json: not JSON: number overflow parsing '1e999'");
}

TEST(T4File, TheReplacedNanDoesNotMoveThePlaceOfAFault) {
  EXPECT_EQ(message("{\"results\": [NaN, -Infinity, }"),
            "x.json: results[0]: expected an object, got a string");
  EXPECT_EQ(
      message("{\"metadata\": [NaN, -Infinity, }"),
      "x.json:1:31: not JSON: syntax error while parsing value - unexpected '}'; expected '[', "
      "'{', or a literal");
}

TEST(T4File, OtherJsonIsRefusedWithTheReason) {
  const std::string refused = "x.json: this JSON is not a T4 file of results: ";
  EXPECT_EQ(message("{}"), refused + "it has no list \"results\"");
  EXPECT_EQ(message("[1, 2]"), refused + "expected an object, got an array");
  EXPECT_EQ(message(R"({"results": {"a": {"b": {}}}})"),
            refused + "its \"results\" are an object, expected an array");
  EXPECT_EQ(
      message(R"({"device_name": "A100", "cache": {}})"),
      refused + "it is a cache file of Kernel Tuner; store_output_file() writes its results as T4");
}

TEST(T4File, MembersOfTheWrongTypeAreNamed) {
  EXPECT_EQ(message(with(R"("times": {})")),
            "x.json: results[0].configuration is missing; every result of a T4 file says which "
            "configuration it is of");
  EXPECT_EQ(message(with(R"("configuration": [1])")),
            "x.json: results[0].configuration: expected an object, got an array");
  EXPECT_EQ(message(with(R"("configuration": {}, "times": 5)")),
            "x.json: results[0].times: expected an object, got a number");
  EXPECT_EQ(message(with(R"("configuration": {}, "measurements": [{"name": "t"}, 5])")),
            "x.json: results[0].measurements[1]: expected an object, got a number");
  EXPECT_EQ(message(with(R"("configuration": {}, "invalidity": {})")),
            "x.json: results[0].invalidity: expected a string, got an object");
  EXPECT_EQ(message(R"({"results": [{"configuration": {}}, 7]})"),
            "x.json: results[1]: expected an object, got a number");
}

TEST(T4File, UnitsOfTime) {
  for (const char* unit : {"ms", "milliseconds", "miliseconds", "Milliseconds", "MSEC"})
    EXPECT_EQ(microseconds_per(unit), 1e3) << unit;
  EXPECT_EQ(microseconds_per("seconds"), 1e6);
  EXPECT_EQ(microseconds_per("microseconds"), 1);
  EXPECT_EQ(microseconds_per("µs"), 1);
  EXPECT_EQ(microseconds_per("nanoseconds"), 1e-3);
  EXPECT_EQ(microseconds_per(""), std::nullopt);
  EXPECT_EQ(microseconds_per("fortnights"), std::nullopt);
}

}  // namespace
}  // namespace warpwright::testing
