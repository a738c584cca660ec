// A device on which the harness's own kernels take known times, with a little noise. It defines the
// truth that the sections of the selftest must find.
#pragma once

#include <cstdint>
#include <random>
#include <string>

#include "harness/selftest/selftest_bench.h"
#include "support/fake_device.h"

namespace warpwright::testing {

class KnownDevice : public FakeDevice {
 public:
  static constexpr double kStepUs = 0.0147;
  static constexpr double kBytesPerUs = 4e6;
  static constexpr double kColdFloorUs = 3.2;
  static constexpr double kSlopeFloorUs = 1.1;

  KnownDevice() {
    device_info.has_clock = true;
    kernels["spin"] = [this](const FakeArguments& arguments, LaunchResult& result) {
      auto* y = arguments.pointer<std::uint32_t>(0);
      for (std::int32_t i = 0; i < arguments.value<std::int32_t>(1); ++i)
        y[i] = static_cast<std::uint32_t>(i);
      result.elapsed_us = 5 + true_us(arguments);
    };
    kernels["stream"] = [this](const FakeArguments& arguments, LaunchResult& result) {
      const auto* x = arguments.pointer<const float>(0);
      std::copy_n(x, arguments.value<std::int64_t>(3), arguments.pointer<float>(2));
      result.elapsed_us = 5 + true_us(arguments);
    };
    sampler = [this](const TimingRequest& request, int samples) {
      return sample(request, samples);
    };
  }

  double noise = 0.001;  // of a sample, a fraction
  double bias = 0;       // the error that a faulty timer adds, in us
  Status status = Status::kOk;

 private:
  static double true_us(const FakeArguments& arguments) {
    if (arguments.launch().entry == "spin") return arguments.value<std::int32_t>(2) * kStepUs;
    const auto bytes = 8 * arguments.value<std::int64_t>(3) + 16 * arguments.value<std::int64_t>(4);
    return static_cast<double>(bytes) / kBytesPerUs;
  }

  Samples sample(const TimingRequest& request, int samples) {
    const bool slope = request.mode == TimingMode::kSlope;
    const double us = true_us(FakeArguments(request.rotation.front().launches.front()));
    std::normal_distribution<double> normal(1, noise);
    Samples taken;
    taken.status = status;
    taken.reason = status == Status::kOk ? "" : "staged";
    taken.protocol = slope ? "slope-graph-1" : "cold-graph-1";
    taken.floor_us = slope ? kSlopeFloorUs : kColdFloorUs;
    for (int i = 0; i < samples; ++i)
      taken.elapsed_us.push_back(taken.floor_us + bias + us * normal(random_));
    return taken;
  }

  std::mt19937 random_{1};
};

inline HarnessSetup known_setup() {
  const std::filesystem::path kernels = std::filesystem::path(WARPWRIGHT_SOURCE_DIR) / "kernels";
  HarnessSetup setup;
  setup.device = "fake:0";
  setup.common_headers = kernels / "common";
  setup.cache_folder = std::filesystem::path(WARPWRIGHT_BINARY_DIR) / "test_cache";
  for (const char* kernel : {"harness_spin", "harness_stream"})
    setup.kernels[kernel] = {kernels / kernel / "kernel.yaml", {}};
  return setup;
}

// A compiler that never fails: a FakeDevice loads any module.
inline CompileResult compile_nothing(const CompileJob& /*job*/) {
  CompileResult compiled;
  compiled.ok = true;
  compiled.cubin = "cubin";
  return compiled;
}

struct KnownBench {
  KnownDevice device;
  HarnessSetup setup = known_setup();
  Bench bench{device, setup, compile_nothing};
};

}  // namespace warpwright::testing
