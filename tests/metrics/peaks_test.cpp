// Times that no device can reach are recognized by the known properties of the device.
#include "metrics/peaks.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace warpwright {
namespace {

constexpr double kBytes = 268435456;

CeilingRecord reached(const std::string& name, double value) {
  CeilingRecord ceiling;
  ceiling.name = name;
  ceiling.value = value;
  return ceiling;
}

DeviceInfo gpu() {
  DeviceInfo device;
  device.has_clock = true;
  device.compute_capability = 90;
  device.sm_count = 132;
  device.max_sm_clock_mhz = 1980;
  device.memory_clock_mhz = 3201;
  device.memory_bus_bits = 6144;
  device.l2_bytes = 62914560;
  return device;
}

Peaks measured() {
  return find_peaks(gpu(), {reached("read", 4572), reached("copy", 4184), reached("write", 4433),
                            reached("l2_read", 9981), reached("fma_f32", 63000),
                            reached("tensor_bf16", 918000), reached("tensor_i8", 1894420)});
}

Work bytes_of(double bytes) {
  Work work;
  work.bytes = bytes;
  return work;
}

Work flops_of(double flops) {
  Work work;
  work.flops = flops;
  return work;
}

std::string said(const Work& work, double us, const Peaks& peaks) {
  const FailureReason reason = beyond_peaks(work, us, peaks).value_or(FailureReason());
  // The detail for programs matches the text for people.
  EXPECT_EQ(reason.detail, detail_of_old_reason(Status::kImpossible, reason.text));
  return reason.text;
}

TEST(Peaks, OfTheMemoryIsWhatWasMeasuredAndALittleMore) {
  const Peaks peaks = measured();
  EXPECT_EQ(peaks.memory->rate, 4572);
  EXPECT_DOUBLE_EQ(peaks.memory->most, 1.05 * 4572);
  EXPECT_EQ(peaks.memory->source, "measured: read");
  EXPECT_EQ(said(bytes_of(kBytes), 8.3, peaks),
            "8.3 µs would be 32342 GB/s (24762 GB/s without what L2 can hold), but this GPU moves "
            "at most 4572 GB/s (measured: read): either the contract counts too much work "
            "(`work.bytes` is 268435456), or the launch does less than it should");
}

TEST(Peaks, WhatL2CanHoldNeedNotHaveMoved) {
  const double shortest_us = (kBytes - 62914560) / (1.05 * 4572e3);
  EXPECT_EQ(said(bytes_of(kBytes), 1.0001 * shortest_us, measured()), "");
  EXPECT_NE(said(bytes_of(kBytes), 0.9999 * shortest_us, measured()), "");
  EXPECT_EQ(said(bytes_of(62914560), 1e-3, measured()), "");
}

TEST(Peaks, TheFastestDirectionAndTheUpperEndOfItsIntervalCount) {
  CeilingRecord writing = reached("write", 4600);
  writing.ci_high = 4700;
  const Peaks peaks = find_peaks(gpu(), {reached("read", 4572), writing});
  EXPECT_EQ(peaks.memory->rate, 4600);
  EXPECT_DOUBLE_EQ(peaks.memory->most, 1.05 * 4700);
  EXPECT_EQ(peaks.memory->source, "measured: write");
}

TEST(Peaks, WithoutAMeasurementTheDriverSaysWhatTheMemoryCanDo) {
  for (const std::vector<CeilingRecord>& ceilings :
       {std::vector<CeilingRecord>(), {reached("copy", 4184)}, {reached("read", std::nan(""))}}) {
    const Peaks peaks = find_peaks(gpu(), ceilings);
    EXPECT_DOUBLE_EQ(peaks.memory->rate, 2 * 3201e6 * 6144 / 8 / 1e9);
    EXPECT_EQ(peaks.memory->most, peaks.memory->rate);
  }
  EXPECT_EQ(said(bytes_of(kBytes), 8.3, find_peaks(gpu(), {})),
            "8.3 µs would be 32342 GB/s (24762 GB/s without what L2 can hold), but this GPU moves "
            "at most 4917 GB/s (by its memory clock and bus width): either the contract counts too "
            "much work (`work.bytes` is 268435456), or the launch does less than it should");
}

TEST(Peaks, OfArithmeticIsThatOfTheNarrowestType) {
  const Peaks peaks = measured();
  EXPECT_EQ(peaks.compute->rate, 1894420) << "whatever the contract's own type";
  EXPECT_EQ(said(flops_of(4e12), 4e12 / 1894420e3, peaks), "");
  EXPECT_EQ(said(flops_of(4e12), 1000, peaks),
            "1000 µs would be 4000 TFLOP/s, but this GPU computes at most 1894 TFLOP/s (measured: "
            "tensor_i8): either the contract counts too much work (`work.flops` is 4000000000000), "
            "or the launch does less than it should");
}

TEST(Peaks, WithoutAMeasurementIn8BitsTheDriverSaysWhatArithmeticCanDo) {
  const Peaks peaks = find_peaks(gpu(), {reached("read", 4572), reached("tensor_bf16", 918000)});
  EXPECT_DOUBLE_EQ(peaks.compute->most, 132 * 1980e6 * 8192 / 1e9);
  EXPECT_EQ(said(flops_of(4e12), 1000, peaks),
            "1000 µs would be 4000 TFLOP/s, but this GPU computes at most 2141 TFLOP/s (by its "
            "clock and tensor cores): either the contract counts too much work (`work.flops` is "
            "4000000000000), or the launch does less than it should");
}

TEST(Peaks, TypesOf4BitsAreFasterThanWhatIsMeasured) {
  DeviceInfo device = gpu();
  device.compute_capability = 120;
  const Peaks peaks = find_peaks(device, {reached("tensor_e4m3", 800000)});
  EXPECT_EQ(peaks.compute->rate, 1600000);
  EXPECT_EQ(peaks.compute->source, "measured: tensor_e4m3, 2 times that in 4 bits");
}

TEST(Peaks, ThePublishedRatesFollowFromTheTable) {
  const auto dense_tflops = [](int capability, int sms, int mhz) {
    DeviceInfo device = gpu();
    device.compute_capability = capability;
    device.sm_count = sms;
    device.max_sm_clock_mhz = mhz;
    return find_peaks(device, {}).compute->rate / 1e3;
  };
  EXPECT_NEAR(dense_tflops(70, 80, 1530), 125, 1) << "V100, FP16";
  EXPECT_NEAR(dense_tflops(80, 108, 1410), 1248, 1) << "A100, INT4";
  EXPECT_NEAR(dense_tflops(86, 82, 1695), 568, 2) << "RTX 3090, INT4";
  EXPECT_NEAR(dense_tflops(89, 128, 2520), 1321, 1) << "RTX 4090, INT4";
  EXPECT_NEAR(dense_tflops(90, 132, 1830), 1979, 1) << "H100 SXM, FP8";
  EXPECT_NEAR(dense_tflops(100, 148, 1850), 9000, 50) << "B200, FP4";
  EXPECT_NEAR(dense_tflops(120, 170, 2407), 1676, 1) << "RTX 5090, FP4";
}

TEST(Peaks, WhatIsNotKnownBoundsNothing) {
  DeviceInfo device = gpu();
  device.compute_capability = 999;
  device.l2_bytes = 0;
  const Peaks peaks = find_peaks(device, {reached("read", 4572), reached("tensor_i8", 1e6)});
  EXPECT_FALSE(peaks.memory || peaks.compute);
  EXPECT_EQ(said(bytes_of(1e12), 1e-3, peaks), "");
  EXPECT_EQ(said(flops_of(1e18), 1e-3, peaks), "");
  device = DeviceInfo();
  device.has_clock = true;
  EXPECT_FALSE(find_peaks(device, {}).memory || find_peaks(device, {}).compute);
}

TEST(Peaks, WithoutAClockTheModelsRatesCount) {
  DeviceInfo device = gpu();
  device.has_clock = false;
  EXPECT_FALSE(find_peaks(device, {reached("read", 1)}).memory) << "nothing was measured there";
  device.model_ceilings = {{"read", 4416}, {"tensor_i8", 1819902}, {"tensor_f16", 909951}};
  const Peaks peaks = find_peaks(device, {});
  EXPECT_TRUE(peaks.modelled);
  EXPECT_EQ(said(bytes_of(kBytes), 8.3, peaks),
            "8.3 µs would be 32342 GB/s (24762 GB/s without what L2 can hold), but the model of "
            "this device moves at most 4416 GB/s: either the contract counts too much work "
            "(`work.bytes` is 268435456), or the launch does less than it should");
  EXPECT_NE(said(flops_of(4e12), 1000, peaks)
                .find("but the model of this device computes at most "
                      "1820 TFLOP/s: either"),
            std::string::npos);
}

TEST(Peaks, OfSeveralUnitsTheLaunchFindsL2Once) {
  Work work = bytes_of(kBytes / 4);
  work.units = 4;
  EXPECT_EQ(said(work, 8.3 / 4, measured()),
            "2.075 µs per unit, 8.3 µs for a launch of 4, would be 32342 GB/s (24762 GB/s without "
            "what L2 can hold), but this GPU moves at most 4572 GB/s (measured: read): either the "
            "contract counts too much work (`work.bytes` is 268435456), or the launch does less "
            "than it should");
  work.units = 1;
  EXPECT_EQ(said(work, 8.3 / 4, measured()), "") << "that alone is little more than L2";
}

TEST(Peaks, TheLongerOfBothIsSaid) {
  Work work = bytes_of(kBytes);
  work.flops = 4e12;
  EXPECT_NE(said(work, 8.3, measured()).find("TFLOP/s"), std::string::npos);
  work.flops = 1e9;
  EXPECT_NE(said(work, 8.3, measured()).find("GB/s"), std::string::npos);
}

TEST(Peaks, WhatIsNoTimeOrNoWorkIsNotJudged) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  for (const double us : {0.0, -1.0, std::nan(""), kInfinite})
    EXPECT_EQ(said(bytes_of(kBytes), us, measured()), "") << us;
  for (const double amount : {0.0, -1.0, std::nan(""), kInfinite}) {
    EXPECT_EQ(said(bytes_of(amount), 1e-3, measured()), "") << amount;
    EXPECT_EQ(said(flops_of(amount), 1e-3, measured()), "") << amount;
  }
}

TEST(Peaks, ATrialIsJudgedByItsOwnWorkAndUnits) {
  TrialRecord trial;
  trial.work_bytes = kBytes / 4;
  EXPECT_FALSE(beyond_peaks(trial, 8.3 / 4, measured()));
  TrialMeasurement measurement;
  measurement.units = 4;
  trial.measurement = measurement;
  EXPECT_TRUE(
      beyond_peaks(trial, 8.3 / 4, measured())->text.starts_with("2.075 µs per unit, 8.3 µs"));
  measurement.units = -4;
  trial.measurement = measurement;
  EXPECT_FALSE(beyond_peaks(trial, 8.3 / 4, measured()));
}

TEST(Peaks, OfDevicesAreByFingerprintWhereDetailsCanBeRead) {
  DeviceRecord known, damaged;
  known.fingerprint = "a";
  known.has_clock = true;
  DeviceInfo details;  // its record says that it has a clock
  details.l2_bytes = 1000;
  known.details = details;
  damaged.fingerprint = "b";
  damaged.details = Stored<DeviceInfo>::from_column(
      "[1", {}, [](const std::string& text, const ColumnName& name) -> nlohmann::json {
        throw damaged_column(name, text);
      });
  const PeaksByDevice peaks = find_peaks({{1, known}, {2, damaged}}, [](RowId device) {
    return device == 1 ? std::vector<CeilingRecord>{reached("read", 900)}
                       : std::vector<CeilingRecord>{};
  });
  ASSERT_EQ(peaks.size(), 1U);
  EXPECT_EQ(peaks.at("a").memory->rate, 900);
  EXPECT_EQ(peaks.at("a").l2_bytes, 1000);
}

}  // namespace
}  // namespace warpwright
