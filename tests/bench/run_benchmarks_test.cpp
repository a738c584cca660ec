// Cases under Google Benchmark with times of a scripted measurer.
#include "bench/run_benchmarks.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>

#include "support/test_worker.h"

namespace warpwright {
namespace {

using ::testing::HasSubstr;

class ScriptedMeasurer : public BenchMeasurer {
 public:
  std::map<std::string, std::string> refusals;  // by the case's name
  std::map<std::string, std::string> spoilt;    // what recheck() finds
  std::string failing;                          // the case that fails while it is sampled
  bool modelled = false;
  bool no_process = false;
  std::size_t largest_batch = 0;
  int prepared = 0;

  std::string prepare(const BenchCase& wanted) override {
    if (no_process) throw environment_error("no measuring process can be started");
    ++prepared;
    name_ = wanted.name;
    return refusals.contains(name_) ? refusals[name_] : "";
  }
  BenchBatch take(int samples) override {
    BenchBatch batch;
    if (name_ == failing) {
      batch.failure = "timeout: the measuring process was silent";
      return batch;
    }
    largest_batch = std::max(largest_batch, static_cast<std::size_t>(samples));
    batch.modelled = modelled;
    batch.protocol = modelled ? "model-1" : "cold-graph-1";
    batch.floor_us = modelled ? 0 : 1.5;
    // Fewer samples than requested: 8, 12 and 10 us in turn.
    for (int i = 0; i < (modelled ? 1 : std::max(1, samples / 2)); ++i)
      batch.times_us.push_back(modelled ? 10 : std::array{8.0, 12.0, 10.0}[turn_++ % 3]);
    return batch;
  }
  std::string recheck() override { return spoilt.contains(name_) ? spoilt[name_] : ""; }

 private:
  std::string name_;
  std::size_t turn_ = 0;
};

class RunBenchmarks : public ::testing::Test {
 protected:
  RunBenchmarks() {
    for (const char* name : {"k/n:1/a", "k/n:1/b", "k/n:2/a"}) {
      BenchCase one;
      one.name = name;
      one.origin = "default";
      one.bytes = 1e6;
      one.flops = 2e6;
      cases_.push_back(one);
    }
  }
  // The library's options outlive a run, so each test sets them all.
  static GoogleFlags flags(const std::vector<std::string>& options) {
    std::vector<std::string> all = {"--benchmark_filter=.", "--benchmark_repetitions=1",
                                    "--benchmark_min_time=0.01", "--benchmark_format=json"};
    all.insert(all.end(), options.begin(), options.end());
    return check_google_flags(all, false);
  }
  nlohmann::json run(const std::vector<std::string>& options) {
    ::testing::internal::CaptureStdout();
    result_ = run_benchmarks(cases_, flags(options), {}, measurer_, peaks_);
    return nlohmann::json::parse(::testing::internal::GetCapturedStdout()).at("benchmarks");
  }

  std::vector<BenchCase> cases_;
  ScriptedMeasurer measurer_;
  Peaks peaks_;
  BenchResult result_;
};

TEST_F(RunBenchmarks, TimesAreTheMeansOfTheSamplesAndTheMedianStandsBeside) {
  const nlohmann::json runs = run({"--benchmark_filter=n:1/a"});
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_EQ(runs[0]["name"], "k/n:1/a/manual_time");
  EXPECT_EQ(runs[0]["time_unit"], "us");
  EXPECT_NEAR(runs[0]["real_time"].get<double>(), 10, 0.05);
  EXPECT_EQ(runs[0]["median_us"], 10);
  EXPECT_EQ(runs[0]["floor_us"], 1.5);
  EXPECT_NEAR(runs[0]["bytes_per_second"].get<double>(), 1e11, 1e9);
  EXPECT_NEAR(runs[0]["flop_per_second"].get<double>(), 2e11, 2e9);
  EXPECT_EQ(runs[0]["label"], "measured cold (cold-graph-1); default");
  // 10 ms of samples of 10 us each, never more than a batch at a time.
  EXPECT_GE(runs[0]["iterations"].get<int>(), 1000);
  EXPECT_LE(measurer_.largest_batch, 256u);
  EXPECT_EQ(result_.matched, 1u);
  EXPECT_EQ(result_.failed, 0u);
}

TEST_F(RunBenchmarks, AModelledTimeIsConstantAndSaysSo) {
  measurer_.modelled = true;
  const nlohmann::json runs = run({"--benchmark_filter=n:1/a"});
  EXPECT_NEAR(runs[0]["real_time"].get<double>(), 10, 1e-9);
  EXPECT_EQ(runs[0]["label"], "modelled, not measured (model-1); default");
}

TEST_F(RunBenchmarks, WhatIsWrongIsAnErrorAndTheOthersAreTimed) {
  measurer_.refusals["k/n:1/a"] = "wrong_result: output 'y' is wrong at [3]:\x1b[1m got \"nan\"";
  measurer_.failing = "k/n:1/b";
  measurer_.spoilt["k/n:2/a"] = "wrong_result: outputs changed while it was timed";
  const nlohmann::json runs = run({});
  ASSERT_EQ(runs.size(), 3u);
  EXPECT_EQ(runs[0]["error_message"], "wrong_result: output 'y' is wrong at [3]:?[1m got \"nan\"");
  EXPECT_EQ(runs[1]["error_message"], "timeout: the measuring process was silent");
  EXPECT_EQ(runs[2]["error_message"], "wrong_result: outputs changed while it was timed");
  for (const nlohmann::json& one : runs) EXPECT_EQ(one["error_occurred"], true);
  EXPECT_EQ(result_.failed, 3u);
  EXPECT_FALSE(result_.error.has_value());
}

TEST_F(RunBenchmarks, AMedianBeyondThePeakOfTheDeviceIsAnError) {
  peaks_.memory = Peak{80, 84, "measured: read"};
  cases_[1].bytes = 6e5;
  const nlohmann::json runs = run({});
  // The first request for a case takes one sample.
  EXPECT_EQ(runs[0]["error_message"],
            "impossible: 8 µs would be 125 GB/s (125 GB/s without what L2 can hold), but this GPU "
            "moves at most 80 GB/s (measured: read): either the contract counts too much work "
            "(`work.bytes` is 1000000), or the launch does less than it should");
  EXPECT_EQ(runs[1]["median_us"], 10);
  EXPECT_EQ(result_.failed, 2u);
}

TEST_F(RunBenchmarks, AFaultThatIsNoConfigurationsIsKeptForTheCaller) {
  measurer_.no_process = true;
  const nlohmann::json runs = run({});
  EXPECT_EQ(runs[0]["error_message"], "no measuring process can be started");
  ASSERT_TRUE(result_.error.has_value());
  EXPECT_EQ(result_.error->exit_code(), 3);
}

TEST_F(RunBenchmarks, RepetitionsHaveAggregates) {
  const nlohmann::json runs = run({"--benchmark_filter=n:2", "--benchmark_repetitions=3"});
  std::map<std::string, int> kinds;
  for (const nlohmann::json& one : runs)
    ++kinds[one["run_type"] == "aggregate" ? one["aggregate_name"].get<std::string>() : "run"];
  EXPECT_EQ(kinds["run"], 3);
  for (const char* name : {"mean", "median", "stddev", "cv"}) EXPECT_EQ(kinds[name], 1) << name;
}

TEST_F(RunBenchmarks, CsvHasItsColumnsThoughTheFirstBenchmarkFailed) {
  measurer_.refusals["k/n:1/a"] = "wrong_result";
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  const BenchResult result =
      run_benchmarks(cases_, flags({"--benchmark_format=csv"}), {}, measurer_);
  (void)::testing::internal::GetCapturedStderr();
  const std::string text = ::testing::internal::GetCapturedStdout();
  EXPECT_EQ(result.failed, 1u);
  EXPECT_THAT(text, ::testing::StartsWith("name,iterations,real_time,cpu_time,time_unit,"));
  EXPECT_THAT(text.substr(0, text.find('\n')), HasSubstr("\"median_us\""));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 4);
}

TEST_F(RunBenchmarks, AFilterThatMatchesNothingIsAnError) {
  ::testing::internal::CaptureStderr();
  try {
    (void)run_benchmarks(cases_, flags({"--benchmark_filter=nothing"}), {}, measurer_);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.message(),
              "no benchmark matches --benchmark_filter=nothing; see their names with `warpwright "
              "bench --benchmark_list_tests`");
  }
  (void)::testing::internal::GetCapturedStderr();
}

}  // namespace
}  // namespace warpwright
