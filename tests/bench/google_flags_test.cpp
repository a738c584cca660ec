// The exact errors for Google Benchmark's options that are refused before they are passed on.
#include "bench/google_flags.h"

#include <gmock/gmock.h>

#include <cstdlib>

#include "core/error.h"
#include "core/files.h"

namespace warpwright {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string fault_of(const std::string& argument) {
  try {
    (void)check_google_flags({argument}, false);
    return "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), 2);
    return error.message();
  }
}

TEST(GoogleFlags, GoodOnesAreHandedOn) {
  const GoogleFlags flags = check_google_flags(
      {"--benchmark_filter=softmax.*K:(10|256)/", "--benchmark_repetitions=5",
       "--benchmark_list_tests", "--benchmark_color=false", "--benchmark_counters_tabular=true",
       "--benchmark_min_time=0.05", "--benchmark_context=a=b,c=d", "--v=1"},
      false);
  EXPECT_EQ(flags.arguments.size(), 8u);
  EXPECT_EQ(flags.filter, "softmax.*K:(10|256)/");
  EXPECT_TRUE(flags.list);
  EXPECT_TRUE(flags.tabular);
  EXPECT_EQ(flags.colour, "false");
  EXPECT_EQ(flags.format, "console");
}

TEST(GoogleFlags, OurJsonIsItsFormat) {
  const GoogleFlags flags = check_google_flags({}, true);
  EXPECT_THAT(flags.arguments, ElementsAre("--benchmark_format=json"));
  EXPECT_EQ(flags.format, "json");
}

TEST(GoogleFlags, AWrongValueIsNamedWithWhatWasExpected) {
  EXPECT_EQ(fault_of("--benchmark_format=xml"),
            "--benchmark_format: got 'xml', expected console, json or csv");
  EXPECT_EQ(fault_of("--benchmark_repetitions=two"),
            "--benchmark_repetitions: got 'two', expected a whole number, 1 or more");
  EXPECT_EQ(fault_of("--benchmark_repetitions=0"),
            "--benchmark_repetitions: got '0', expected a whole number, 1 or more");
  EXPECT_EQ(fault_of("--benchmark_repetitions=99999999999999999999"),
            "--benchmark_repetitions: got '99999999999999999999', expected a whole number, 1 or "
            "more");
  EXPECT_EQ(fault_of("--benchmark_min_time=nan"),
            "--benchmark_min_time: got 'nan', expected seconds above 0, as in 0.5");
  EXPECT_EQ(fault_of("--benchmark_min_time=-1"),
            "--benchmark_min_time: got '-1', expected seconds above 0, as in 0.5");
  EXPECT_EQ(fault_of("--benchmark_time_unit=minutes"),
            "--benchmark_time_unit: got 'minutes', expected ns, us, ms or s");
  EXPECT_EQ(fault_of("--benchmark_list_tests=maybe"),
            "--benchmark_list_tests: got 'maybe', expected true or false");
  EXPECT_EQ(fault_of("--benchmark_context=a"),
            "--benchmark_context: got 'a', expected KEY=VALUE, or several with commas");
  EXPECT_EQ(fault_of("--benchmark_out=/"),
            "--benchmark_out: got '/', expected a file, and this is a folder");
  EXPECT_EQ(fault_of("--benchmark_out=/nowhere/at/all.json"),
            "--benchmark_out: got '/nowhere/at/all.json', expected a file that can be written");
  EXPECT_THAT(fault_of("--benchmark_filter=a("),
              HasSubstr("--benchmark_filter: got 'a(', expected a POSIX extended regular"));
  EXPECT_EQ(fault_of("--benchmark_perf_counters=CYCLES"),
            "--benchmark_perf_counters: got 'CYCLES', expected nothing: it counts events of this "
            "machine's CPU, and the kernels run elsewhere");
}

TEST(GoogleFlags, AnUnknownOneIsNamedWithTheNearest) {
  EXPECT_EQ(fault_of("--benchmark_filtre=x"),
            "Google Benchmark has no option '--benchmark_filtre'; did you mean "
            "'--benchmark_filter'?");
  EXPECT_EQ(fault_of("--benchmark_filter"),
            "--benchmark_filter needs a value after '=', as in --benchmark_filter=softmax");
}

TEST(GoogleFlags, AFileIsNotMadeByBeingChecked) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "out.json";
  EXPECT_EQ(fault_of("--benchmark_out=" + file.string()), "no error");
  EXPECT_FALSE(std::filesystem::exists(file));
}

TEST(GoogleFlags, TheEnvironmentIsCheckedToo) {
  setenv("BENCHMARK_FORMAT", "yaml", 1);
  const std::string fault = fault_of("--benchmark_repetitions=2");
  setenv("BENCHMARK_FORMAT", "csv", 1);
  const std::string format = check_google_flags({}, false).format;
  unsetenv("BENCHMARK_FORMAT");
  EXPECT_EQ(fault, "the environment's BENCHMARK_FORMAT: got 'yaml', expected console, json or csv");
  EXPECT_EQ(format, "csv");
}

TEST(GoogleFlags, KnowsWhichWordsAreItsOwn) {
  EXPECT_TRUE(is_google_flag("--benchmark_anything"));
  EXPECT_TRUE(is_google_flag("--v=2"));
  EXPECT_FALSE(is_google_flag("--version"));
  EXPECT_FALSE(is_google_flag("softmax_topk"));
}

}  // namespace
}  // namespace warpwright
