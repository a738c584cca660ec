#include "trial/outcome.h"

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
  outcome.time = TimeEstimate{10, 9, 11, 3, false, "cold-events-1"};
  outcome.samples_us = {9, 10, 11};
  outcome.errors = {{"y", 100, 2, 0.5, std::numeric_limits<double>::infinity(), 7}};
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
  EXPECT_EQ(back.time->protocol, "cold-events-1");
  EXPECT_EQ(back.errors.at(0).max_rel, std::numeric_limits<double>::infinity());
  EXPECT_EQ(back.resources.at(0).spill_loads, 4);
  EXPECT_TRUE(back.worker_lost);
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

TEST(OutcomeTest, AnUnknownStatusIsRefused) {
  nlohmann::json json = full_outcome();
  json["status"] = "fine";
  EXPECT_THROW((void)json.get<Outcome>(), Error);
}

}  // namespace
}  // namespace warpwright
