#include "trial/outcome_codec.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/error.h"

namespace warpwright {
namespace {

Outcome full_outcome() {
  Outcome outcome;
  outcome.status = Status::kWrongResult;
  outcome.reason = "output 'y' is wrong";
  outcome.detail = {FailureCode::kRounding, "x"};
  outcome.time = TimeEstimate{10, 9, 11, 3, false, "cold-events-1", 13};
  outcome.at_least_us = 12.5;
  outcome.validity = {20, 3, 2, 1965, 1980, {"sw_power_cap"}, 566.5, 61, 1, 1712};
  outcome.anchor_drift = 0.011;
  outcome.same_as = "plain THREADS=64";
  outcome.samples_us = {9, 10, 11};
  outcome.errors = {{"y", 100, 2, 0.5, std::numeric_limits<double>::infinity(), 7}};
  outcome.remarks.emplace(1);
  outcome.remarks->front().output = "y";
  outcome.untested = true;
  KernelResources resources;
  resources.entry = "twice";
  resources.registers = 32;
  resources.spill_loads = 4;
  outcome.resources = {resources};
  outcome.counters = {{"barriers", 5}};
  outcome.cubin_hash = "abc";
  outcome.compile_seconds = 0.1;
  outcome.validate_seconds = 0.2;
  outcome.measure_seconds = 0.3;
  outcome.sm_clock_mhz = 1980;
  outcome.worker_lost = true;
  return outcome;
}

TEST(OutcomeTest, JsonRoundTripsThroughText) {
  const nlohmann::json json = full_outcome();
  const auto back = nlohmann::json::parse(json.dump()).get<Outcome>();
  EXPECT_EQ(nlohmann::json(back), json);
  EXPECT_EQ(back.status, Status::kWrongResult);
  EXPECT_EQ(back.detail, (FailureDetail{FailureCode::kRounding, "x"}));
  EXPECT_EQ(back.time->protocol, "cold-events-1");
  EXPECT_EQ(back.errors.at(0).max_rel, std::numeric_limits<double>::infinity());
  EXPECT_EQ(back.resources.at(0).spill_loads, 4);
  EXPECT_TRUE(back.worker_lost);
  EXPECT_EQ(back.time->raw_median_us, 13);
  EXPECT_EQ(back.at_least_us, 12.5);
  EXPECT_EQ(back.validity.retaken, 2);
  EXPECT_EQ(back.validity.clock_during_mhz, 1712);
  EXPECT_EQ(back.validity.throttle, std::vector<std::string>{"sw_power_cap"});
  EXPECT_EQ(back.anchor_drift, 0.011);
  EXPECT_EQ(back.same_as, "plain THREADS=64");
  EXPECT_EQ(back.remarks, full_outcome().remarks);
  EXPECT_EQ(back.untested, true);
}

TEST(OutcomeTest, JsonRoundTripsThroughCbor) {
  const nlohmann::json json = full_outcome();
  EXPECT_EQ(nlohmann::json(nlohmann::json::from_cbor(nlohmann::json::to_cbor(json)).get<Outcome>()),
            json);
}

TEST(OutcomeTest, AnAbsentTimeStaysAbsent) {
  Outcome outcome;
  outcome.time.reset();
  EXPECT_FALSE(nlohmann::json(outcome).get<Outcome>().time.has_value());
}

TEST(OutcomeTest, ThatNothingIsUntestedIsNotThatNobodyLooked) {
  Outcome outcome;
  EXPECT_EQ(nlohmann::json(outcome).get<Outcome>().remarks, std::nullopt);
  outcome.remarks.emplace();
  EXPECT_EQ(nlohmann::json(outcome).get<Outcome>().remarks, outcome.remarks);
}

TEST(OutcomeTest, AnAnchorThatWasNotCheckedStaysUnknown) {
  const auto back = nlohmann::json(Outcome{}).get<Outcome>();
  EXPECT_TRUE(std::isnan(back.anchor_drift));
  EXPECT_EQ(back.at_least_us, std::nullopt);
}

TEST(OutcomeTest, AnUnknownStatusIsRefused) {
  nlohmann::json json = full_outcome();
  json["status"] = "fine";
  EXPECT_THROW((void)json.get<Outcome>(), Error);
}

}  // namespace
}  // namespace warpwright
