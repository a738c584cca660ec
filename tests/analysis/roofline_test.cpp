#include "analysis/board/roofline.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "analysis/sample_roofs.h"
#include "store/sample_records.h"
#include "support/stored_text.h"

namespace warpwright {
namespace {

using testing::set_text;

using testing::ceiling;
using testing::DatabaseTest;
using testing::h200;
using testing::h200_roofs;
using testing::message_of;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinite = std::numeric_limits<double>::infinity();

// 4.4e9 bytes are 1 ms of reading on the sample device.
Work bytes(double all, std::optional<double> written) { return {all, written, 0, ""}; }

Limit limit_of(const Work& work, const Roofs& roofs = h200_roofs()) {
  const std::optional<Limit> limit = find_limit(work, roofs);
  EXPECT_TRUE(limit.has_value());
  return limit.value_or(Limit{});
}

TEST(Roofline, WhatIsOnlyReadTakesTheReadCeiling) {
  const Limit limit = limit_of(bytes(4.4e9, 0));
  EXPECT_DOUBLE_EQ(limit.us, 1000);
  EXPECT_EQ(limit.bound, Bound::kMemory);
  EXPECT_EQ(limit.ceiling, "read");
  EXPECT_DOUBLE_EQ(limit.rate, 4400);
  EXPECT_EQ(limit.memory_us, 1000);
  EXPECT_EQ(limit.compute_us, std::nullopt);
  EXPECT_FALSE(limit.modelled);
}

TEST(Roofline, EqualPartsTakeTheCopyCeilingAndWritesTheWriteCeiling) {
  EXPECT_DOUBLE_EQ(limit_of(bytes(8e9, 4e9)).us, 2000);
  EXPECT_EQ(limit_of(bytes(8e9, 4e9)).ceiling, "copy");
  EXPECT_DOUBLE_EQ(limit_of(bytes(3.6e9, 3.6e9)).us, 1000);
  EXPECT_EQ(limit_of(bytes(3.6e9, 3.6e9)).ceiling, "write");
}

TEST(Roofline, AMixtureIsInterpolatedInTimePerByte) {
  // A quarter of writes lies half-way between reading and copying.
  const Limit quarter = limit_of(bytes(1e9, 0.25e9));
  EXPECT_DOUBLE_EQ(quarter.us, (1e9 / 4.4e6 + 1e9 / 4e6) / 2);
  EXPECT_EQ(quarter.ceiling, "read and copy");
  const Limit most = limit_of(bytes(1e9, 0.75e9));
  EXPECT_DOUBLE_EQ(most.us, (1e9 / 4e6 + 1e9 / 3.6e6) / 2);
  EXPECT_EQ(most.ceiling, "copy and write");
}

TEST(Roofline, AnOddByteOfTheOtherKindCountsButIsNotNamed) {
  const Limit limit = limit_of(bytes(4.4e9, 0.01e9));
  EXPECT_EQ(limit.ceiling, "read");
  EXPECT_GT(limit.us, 1000);
  EXPECT_EQ(limit_of(bytes(4.4e9, 4.39e9)).ceiling, "write");
}

TEST(Roofline, WithoutTheShareThatIsWrittenTheFastestCeilingBounds) {
  EXPECT_EQ(limit_of(bytes(1e9, std::nullopt)).ceiling, "read");
}

TEST(Roofline, AShareBeyondAllIsAllAndANegativeOneNone) {
  EXPECT_EQ(limit_of(bytes(1e9, 5e9)).ceiling, "write");
  EXPECT_EQ(limit_of(bytes(1e9, -1)).ceiling, "read");
}

TEST(Roofline, OfTheCeilingsThatAreThereTheNearestServes) {
  Roofs roofs = h200_roofs();
  roofs.ceilings.erase("write");
  EXPECT_EQ(limit_of(bytes(1e9, 0.9e9), roofs).ceiling, "copy");
  roofs.ceilings.erase("copy");
  EXPECT_EQ(limit_of(bytes(1e9, 0.9e9), roofs).ceiling, "read");
  roofs = h200_roofs();
  roofs.ceilings.erase("copy");
  EXPECT_EQ(limit_of(bytes(1e9, 0.5e9), roofs).ceiling, "read and write");
}

TEST(Roofline, TheLongerOfMemoryAndArithmeticBounds) {
  Work work = bytes(4.4e9, 0);
  work.flops = 1.2e11;  // 2 ms of fma_f32
  work.arithmetic = "fma_f32";
  const Limit compute = limit_of(work);
  EXPECT_EQ(compute.bound, Bound::kCompute);
  EXPECT_DOUBLE_EQ(compute.us, 2000);
  EXPECT_EQ(compute.ceiling, "fma_f32");
  EXPECT_DOUBLE_EQ(compute.rate, 60000);
  EXPECT_EQ(compute.memory_us, 1000);
  work.flops = 1.2e10;
  EXPECT_EQ(limit_of(work).bound, Bound::kMemory);
  EXPECT_EQ(limit_of(work).compute_us, 200);
}

TEST(Roofline, FlopsWithoutAnArithmeticBoundNothing) {
  EXPECT_EQ(find_limit({0, {}, 1e12, ""}, h200_roofs()), std::nullopt);
  EXPECT_EQ(missing_ceiling({0, {}, 1e12, ""}, h200_roofs()), "");
}

TEST(Roofline, AMissingCeilingIsNamed) {
  const Work work = {1e9, 0.0, 1e12, "tensor_e4m3"};
  EXPECT_EQ(missing_ceiling(work, h200_roofs()), "tensor_e4m3");
  EXPECT_EQ(limit_of(work).bound, Bound::kMemory);
  EXPECT_EQ(find_limit(work, Roofs{}), std::nullopt);
  EXPECT_EQ(missing_ceiling(work, Roofs{}), "read");
  EXPECT_EQ(missing_ceiling(bytes(1e9, 0), h200_roofs()), "");
}

TEST(Roofline, WorkThatIsNoNumberHasNoLimit) {
  for (const double broken : {0.0, -1.0, kNan}) {
    EXPECT_EQ(find_limit(bytes(broken, 0), h200_roofs()), std::nullopt) << broken;
    EXPECT_EQ(find_limit({0, {}, broken, "fma_f32"}, h200_roofs()), std::nullopt) << broken;
  }
  EXPECT_EQ(find_limit(bytes(kInfinite, 0), h200_roofs()), std::nullopt);
}

TEST(Roofline, ACeilingThatIsNoRateIsNone) {
  for (const double broken : {0.0, -4400.0, kNan, kInfinite}) {
    const Roofs roofs = make_roofs(h200(), {ceiling("read", broken)});
    EXPECT_EQ(roofs.find("read"), nullptr) << broken;
  }
}

TEST(Roofline, TheDatasheetIsClockTimesBusTimesTwo) {
  // 3201 MHz x 2 x 6016 bits
  EXPECT_NEAR(h200_roofs().datasheet_gb_per_s.value_or(0), 4814.3, 0.05);
  DeviceRecord device = h200();
  set_text(device.details, R"({"memory_clock_mhz":0,"memory_bus_bits":6016})");
  EXPECT_EQ(make_roofs(device, {}).datasheet_gb_per_s, std::nullopt);
  set_text(device.details, "");
  EXPECT_EQ(make_roofs(device, {}).datasheet_gb_per_s, std::nullopt);
  set_text(device.details, R"({"memory_clock_mhz":"fast","memory_bus_bits":6016})");
  EXPECT_EQ(make_roofs(device, {}).datasheet_gb_per_s, std::nullopt);
}

TEST(Roofline, DetailsThatAreNoObjectAreNamed) {
  DeviceRecord device = h200();
  for (const char* broken : {"{", "[1]", "7"}) {
    set_text(device.details, broken, {"device", 1, "details"});
    EXPECT_EQ(message_of([&] { static_cast<void>(make_roofs(device, {})); }),
              std::string("device 1: its details are not JSON: ") + broken +
                  "; measure it again with --fresh");
  }
}

TEST(Roofline, ADeviceWithoutAClockHasItsModelsRates) {
  DeviceRecord device = h200();
  device.has_clock = false;
  set_text(device.details,
           R"({"model_ceilings":{"fma_f32":66908,"read":4416,"write":-1,"copy":"x"}})");
  // Here a measured ceiling can only be a mistake.
  const Roofs roofs = make_roofs(device, {ceiling("copy", 9999)});
  EXPECT_TRUE(roofs.modelled);
  EXPECT_EQ(roofs.ceilings.size(), 2U);
  EXPECT_EQ(roofs.find("fma_f32")->unit, "GFLOP/s");
  EXPECT_EQ(roofs.find("read")->unit, "GB/s");
  EXPECT_EQ(roofs.find("read")->protocol, "model");
  EXPECT_TRUE(limit_of(bytes(4.416e9, 0), roofs).modelled);
  EXPECT_DOUBLE_EQ(limit_of(bytes(4.416e9, 0), roofs).us, 1000);
}

LimitShare share(double median_us, double slowest_us, bool hot = false, double all = 4.4e9) {
  const Work work = bytes(all, 0);
  return share_of_limit(limit_of(work), median_us, slowest_us, hot, work, h200_roofs());
}

TEST(LimitShare, IsTheLimitOverTheTime) {
  const LimitShare half = share(2000, 2010);
  EXPECT_EQ(half.standing, Standing::kFraction);
  EXPECT_DOUBLE_EQ(half.fraction, 0.5);
}

TEST(LimitShare, BelowTenMicrosecondsIsLatency) {
  EXPECT_EQ(share(9.99, 9.99, false, 4.4e6).standing, Standing::kLatencyBound);
  EXPECT_EQ(share(10, 10, false, 4.4e6).standing, Standing::kFraction);
}

TEST(LimitShare, ALittleMoreThanAllIsAllAndMuchMoreIsAFault) {
  const LimitShare all = share(990, 995);
  EXPECT_EQ(all.standing, Standing::kFraction);
  EXPECT_EQ(all.fraction, 1);
  const LimitShare fault = share(900, 905);
  EXPECT_EQ(fault.standing, Standing::kAboveLimit);
  EXPECT_NEAR(fault.fraction, 1.111, 0.001);
  EXPECT_FALSE(fault.l2_resident);
}

TEST(LimitShare, AFaultMustBeCertain) {
  // The interval extends to possible times.
  EXPECT_EQ(share(900, 990).standing, Standing::kFraction);
  // So does the ceiling's own interval.
  CeilingRecord wide = ceiling("read", 4400);
  wide.ci_low = 3900;
  wide.ci_high = 4900;
  const Roofs roofs = make_roofs(h200(), {wide});
  const Work work = bytes(4.4e9, 0);
  EXPECT_EQ(share_of_limit(limit_of(work, roofs), 900, 905, false, work, roofs).standing,
            Standing::kFraction);
}

TEST(LimitShare, AFaultBelowTenMicrosecondsIsAFault) {
  EXPECT_EQ(share(5, 5, false, 4.4e7).standing, Standing::kAboveLimit);
}

TEST(LimitShare, HotBytesThatFitIntoL2AreSaidToBeThere) {
  EXPECT_TRUE(share(8, 8, true, 6e7).l2_resident);
  EXPECT_FALSE(share(8, 8, false, 6e7).l2_resident);
  EXPECT_FALSE(share(10, 10, true, 7e7).l2_resident);
}

TEST(LimitShare, ATimeThatIsNoneHasNoFraction) {
  for (const double broken : {0.0, -1.0, kNan}) {
    const LimitShare none = share(broken, broken);
    EXPECT_EQ(none.standing, Standing::kLatencyBound) << broken;
    EXPECT_EQ(none.fraction, 0) << broken;
  }
}

TEST_F(DatabaseTest, RoofsAreReadByFingerprint) {
  Database database = open();
  put_basics(database);
  database.add_ceiling(ceiling("read", 4300));
  database.add_ceiling(ceiling("read", 4400));
  DeviceRecord other = h200();
  other.fingerprint = "other";
  database.put_device(other);
  const RoofsByDevice roofs = read_roofs(database);
  ASSERT_EQ(roofs.size(), 2U);
  EXPECT_EQ(roofs.at(testing::sample_device().fingerprint).find("read")->value, 4400);
  EXPECT_TRUE(roofs.at("other").ceilings.empty());
}

TEST(Roofline, WorkComesFromTheTrial) {
  const Work work = work_of(testing::sample_trial());
  EXPECT_EQ(work.bytes, 1647476736);
  EXPECT_EQ(work.written_bytes, 655360);
  EXPECT_EQ(work.flops, 2058747904);
  EXPECT_EQ(work.arithmetic, "fma_f32");
}

}  // namespace
}  // namespace warpwright
