// Tensor maps that the driver encodes, on a real GPU: the same kernel as on the emulator, the rules
// held against the driver's, and what end-to-end timing shows of descriptors.
#include <gmock/gmock.h>

#include "device/registry/device_registry.h"
#include "support/tile_scale.h"
#include "trial/validation/trial_validation.h"

namespace warpwright::testing {
namespace {

class TensorMapOnGpu : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const std::string reason = why_no_cuda(); !reason.empty()) GTEST_SKIP() << reason;
    const std::optional<Toolchain> toolchain = locate_toolchain();
    if (!toolchain) GTEST_SKIP() << "no NVRTC here";
    nvrtc = std::make_unique<Nvrtc>(*toolchain);
    device = open_device("cuda:0");
    if (device->info().compute_capability < 90)
      GTEST_SKIP() << "tensor maps need compute capability 9.0";
  }
  TensorMapRequest good() {
    if (!buffer) buffer = device->allocate(1 << 20, "array");
    TensorMapRequest request;
    request.address = buffer->address();
    request.element = TensorElement::kBf16;
    request.axes = {{2, 8000, 1, 1}, {100, 80, 50, 2}, {64, 1, 32, 1}};
    request.swizzle = 64;
    request.l2_promotion = 128;
    return request;
  }

  std::unique_ptr<Nvrtc> nvrtc;
  std::unique_ptr<Device> device;
  std::unique_ptr<DeviceBuffer> buffer;
};

TEST_F(TensorMapOnGpu, EveryVariantAndSwizzleIsRight) {
  for (const char* variant : {"load", "both"}) {
    for (const int swizzle : {0, 32, 64, 128}) {
      TileScale trial{*device, *nvrtc, {{"rows", 1000}, {"cols", 516}}};
      const Outcome outcome = trial.run(TileScale::configuration(variant, swizzle));
      EXPECT_EQ(outcome.status, Status::kOk) << variant << " " << swizzle << ": " << outcome.reason;
    }
  }
}

// The driver accepts every request at the limits of our rules.
TEST_F(TensorMapOnGpu, TheDriverTakesWhatTheRulesAllow) {
  std::vector<TensorMapRequest> requests(8, good());
  requests[1].axes = {{std::int64_t{1} << 32, (std::int64_t{1} << 39) - 8, 256, 8},
                      {std::int64_t{1} << 32, 1, 256, 1}};
  requests[1].swizzle = 0;
  requests[2].axes = {{8, 1, 8, 1}};
  requests[3].fill_nan = true;
  requests[4].axes = {{2, 0, 2, 1}, {64, 1, 8, 1}};
  requests[5].axes = {{1, 8, 1, 1}, {1, 8, 1, 1}, {1, 8, 1, 1}, {1, 8, 1, 1}, {8, 1, 8, 1}};
  requests[6].l2_promotion = 256;
  requests[7].element = TensorElement::kU8;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    ASSERT_EQ(why_not_encodable(requests[i]), std::nullopt) << i;
    const EncodedTensorMap encoded = device->encode(requests[i]);
    EXPECT_EQ(encoded.status, Status::kOk) << i << ": " << encoded.reason;
  }
  EXPECT_EQ(device->tensor_map_statistics().misses, requests.size());
}

TEST_F(TensorMapOnGpu, EndToEndTimesHaveThemEncodedAndCached) {
  TileScale trial{*device, *nvrtc, {{"rows", 1000}, {"cols", 516}}};
  const Configuration configuration = TileScale::configuration("both", 128);
  const TrialOptions options = tiny_options();
  const auto library = build_reference(trial.kernel.reference.source, options.reference_include,
                                       options.cache_folder);
  const Reference reference(library, trial.kernel.reference.source);
  const ReferenceStore store({});
  ProblemRequest request;
  request.problem = trial.problem;
  ProblemData data(trial.kernel, *device, options, reference, store, request);
  const Device::Loaded loaded = device->load(trial.compile(configuration));
  ASSERT_NE(loaded.module, nullptr) << loaded.failure.reason;
  TrialValidation check(trial.kernel, *device, options, configuration, data, loaded.module);
  ASSERT_EQ(check.verify(2).status, Status::kOk);
  ASSERT_EQ(check.launches().front().tensor_maps.size(), 2u);
  for (const TimingMode mode : {TimingMode::kEndToEnd, TimingMode::kEndToEndUncached}) {
    TimingRequest timing;
    timing.mode = mode;
    timing.rotation = {check.launches()};
    const Samples samples =
        device->plan_timing(std::move(timing))->take(20, std::chrono::milliseconds(2000));
    EXPECT_EQ(samples.status, Status::kOk) << samples.reason;
    EXPECT_EQ(samples.elapsed_us.size(), 20u);
  }
  const ValidationReport after = check.verify_after_timing();
  EXPECT_EQ(after.status, Status::kOk) << after.reason;
}

}  // namespace
}  // namespace warpwright::testing
