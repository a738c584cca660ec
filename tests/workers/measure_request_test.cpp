// Sends every kind of request through the pipe's JSON and back.
#include "workers/measure_request.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/error.h"

namespace warpwright {
namespace {

using nlohmann::json;

CompiledTrial some_trial() {
  CompiledTrial trial;
  trial.configuration.variant = "tiled";
  trial.configuration.values["TILE"] = Value(std::int64_t{64});
  trial.problem["n"] = Value(std::int64_t{1000});
  trial.compiled.ok = true;
  trial.compiled.cubin = std::string(
      "\x7f"
      "ELF\0\xff",
      6);
  TrialRunner::CompiledCase& test = trial.cases.emplace_back();
  test.test.name = "odd";
  test.test.problem["n"] = Value(std::int64_t{7});
  test.test.fills["x"] = "normal(0, 1)";
  test.compiled.failure = "no such thing";
  return trial;
}

void expect_some_trial(const CompiledTrial& trial) {
  const CompiledTrial expected = some_trial();
  EXPECT_EQ(trial.configuration.to_string(), expected.configuration.to_string());
  EXPECT_EQ(trial.problem, expected.problem);
  EXPECT_TRUE(trial.compiled.ok);
  EXPECT_EQ(trial.compiled.cubin, expected.compiled.cubin);
  ASSERT_EQ(trial.cases.size(), 1u);
  EXPECT_EQ(trial.cases[0].test.name, "odd");
  EXPECT_EQ(trial.cases[0].test.problem, expected.cases[0].test.problem);
  EXPECT_EQ(trial.cases[0].test.fills, expected.cases[0].test.fills);
  EXPECT_FALSE(trial.cases[0].compiled.ok);
  EXPECT_EQ(trial.cases[0].compiled.failure, "no such thing");
}

// Frames are CBOR, in which machine code does not have to be text.
template <typename What>
What through_the_pipe(What what) {
  MeasureRequest request;
  request.what = std::move(what);
  request.launch_time_limit = std::chrono::milliseconds(4321);
  const auto back = json::from_cbor(json::to_cbor(json(request))).get<MeasureRequest>();
  EXPECT_EQ(back.launch_time_limit.count(), 4321);
  return std::get<What>(back.what);
}

TEST(MeasureRequest, CasesOfTheSameCodeCarryItOnce) {
  TrialToTime asked;
  for (const char* key : {"a", "b", "a", "", "", "a"}) {
    TrialRunner::CompiledCase& test = asked.trial.cases.emplace_back();
    test.test.name = "case" + std::to_string(asked.trial.cases.size());
    test.compiled.ok = true;
    test.compiled.key = key;
    test.compiled.cubin = std::string("code of ") + key;
  }
  asked.trial.cases.back().compiled.ok = false;  // the compiler died there
  MeasureRequest request;
  request.what = asked;
  const json message = request;
  EXPECT_EQ(message.at("time").at("trial").at("cases").at("code").size(), 5u);
  const auto back = std::get<TrialToTime>(message.get<MeasureRequest>().what).trial.cases;
  ASSERT_EQ(back.size(), asked.trial.cases.size());
  for (std::size_t i = 0; i < back.size(); ++i) {
    EXPECT_EQ(back[i].test.name, asked.trial.cases[i].test.name);
    EXPECT_EQ(back[i].compiled.key, asked.trial.cases[i].compiled.key);
    EXPECT_EQ(back[i].compiled.cubin, asked.trial.cases[i].compiled.cubin);
    EXPECT_EQ(back[i].compiled.ok, asked.trial.cases[i].compiled.ok);
  }
}

TEST(MeasureRequest, ACaseWhoseCodeIsMissingIsAnError) {
  MeasureRequest request;
  request.what = TrialToTime{some_trial(), std::nullopt};
  json message = request;
  message["time"]["trial"]["cases"]["cases"][0]["code"] = 7;
  EXPECT_THROW(static_cast<void>(message.get<MeasureRequest>()), Error);
}

TEST(MeasureRequest, ToTime) {
  const TrialToTime back = through_the_pipe(TrialToTime{some_trial(), 12.5});
  expect_some_trial(back.trial);
  EXPECT_EQ(back.best_us, 12.5);
  EXPECT_FALSE(through_the_pipe(TrialToTime{some_trial(), std::nullopt}).best_us.has_value());
}

TEST(MeasureRequest, ToKeep) {
  expect_some_trial(through_the_pipe(TrialToKeep{some_trial()}).trial);
}

TEST(MeasureRequest, ToCompare) {
  TrialToCompare asked{some_trial(), {}};
  asked.baseline.kernel_file = "/baseline/kernel.yaml";
  asked.baseline.blocks = 7;
  const TrialToCompare back = through_the_pipe(asked);
  expect_some_trial(back.trial);
  EXPECT_EQ(back.baseline.kernel_file, "/baseline/kernel.yaml");
  EXPECT_EQ(back.baseline.blocks, 7);
}

TEST(MeasureRequest, ToModel) {
  const TrialToModel back = through_the_pipe(TrialToModel{some_trial(), 48});
  expect_some_trial(back.trial);
  EXPECT_EQ(back.sample_blocks, 48u);
}

TEST(MeasureRequest, ToVet) {
  const CompiledTrial trial = some_trial();
  const CasesToVet back =
      through_the_pipe(CasesToVet{trial.configuration, trial.cases, {5, 17, 900}});
  EXPECT_EQ(back.configuration.to_string(), trial.configuration.to_string());
  ASSERT_EQ(back.cases.size(), 1u);
  EXPECT_EQ(back.cases[0].test.name, "odd");
  EXPECT_EQ(back.schedules.first_seed, 5u);
  EXPECT_EQ(back.schedules.schedules, 17u);
  EXPECT_EQ(back.schedules.instructions, 900u);
  EXPECT_FALSE(back.schedules.list_sites);
  EXPECT_FALSE(back.schedules.without.has_value());
}

TEST(MeasureRequest, ToVetWithoutASite) {
  CasesToVet asked;
  asked.schedules.list_sites = true;
  asked.schedules.without.emplace();
  asked.schedules.without->opcode = "bar.sync";
  asked.schedules.without->where = {{"x.cu", 12, 3}};
  const CasesToVet back = through_the_pipe(asked);
  EXPECT_TRUE(back.schedules.list_sites);
  ASSERT_TRUE(back.schedules.without.has_value());
  EXPECT_TRUE(same_site(*back.schedules.without, *asked.schedules.without));
}

TEST(MeasureRequest, ToRank) {
  FinalistsToRank asked;
  asked.problem["n"] = Value(std::int64_t{3});
  asked.finalists.resize(2);
  asked.finalists[1].about_us = 2.25;
  asked.finalists[1].incumbent = true;
  EXPECT_FALSE(through_the_pipe(asked).time_limit.has_value());
  asked.time_limit = std::chrono::milliseconds(700);
  const FinalistsToRank back = through_the_pipe(asked);
  EXPECT_EQ(back.problem, asked.problem);
  ASSERT_EQ(back.finalists.size(), 2u);
  EXPECT_EQ(back.finalists[1].about_us, 2.25);
  EXPECT_TRUE(back.finalists[1].incumbent);
  EXPECT_FALSE(back.finalists[0].incumbent);
  EXPECT_EQ(back.time_limit, std::chrono::milliseconds(700));
}

TEST(MeasureRequest, OneThatAsksNothingKnownIsRefused) {
  EXPECT_THROW(
      (void)json::parse(R"({"launch_time_limit_ms": 1, "dance": {}})").get<MeasureRequest>(),
      json::exception);
  EXPECT_THROW((void)json::parse(R"({"time": {}})").get<MeasureRequest>(), json::exception);
}

}  // namespace
}  // namespace warpwright
