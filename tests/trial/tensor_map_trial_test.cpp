// Tensor maps in trials: the arguments of a launch, the refused maps with their messages, and the
// maps of launches that move to other buffers.
#include <gmock/gmock.h>

#include "trial/launch/launch_plan.h"
#include "trial/launch/tensor_map_plan.h"
#include "trial/timing/finals.h"
#include "trial/trial_fixture.h"
#include "trial/validation/trial_validation.h"

namespace warpwright::testing {
namespace {

using ::testing::StartsWith;

emu::TensorMap map_of(const DeviceLaunch& launch, std::size_t argument) {
  const std::vector<std::byte>& bytes = launch.arguments.at(argument);
  EXPECT_EQ(bytes.size(), emu::kTensorMapBytes);
  const auto map =
      emu::tensor_map_of(std::span<const std::byte, emu::kTensorMapBytes>(bytes.data(), 128));
  EXPECT_TRUE(map.has_value());
  return map.value_or(emu::TensorMap());
}

// The kernel finds x through its map alone; y is passed as before.
class TensorMapTrialTest : public TrialRunnerTest {
 protected:
  TensorMapTrialTest() {
    say("tensor_map: x, box: [1, THREADS]");
    files.replace("block: [THREADS]}]", "block: [THREADS], arguments: [x_map, y, count]}]");
    files.replace("problem: {rows: 1, V: 5}", "problem: {rows: 1, V: 4}");
    device.kernels["twice"] = [this](const FakeArguments& arguments, LaunchResult&) {
      last = map_of(arguments.launch(), 0);
      const auto* x = reinterpret_cast<const float*>(last.address);
      for (int i = 0; i < arguments.value<int>(2); ++i) arguments.pointer<float>(1)[i] = 2 * x[i];
    };
  }
  // The map of the contract, on line 9.
  void say(const std::string& map) {
    const std::size_t known = files.contract.find("  - {name: x_map");
    if (known != std::string::npos)
      files.contract.erase(known, files.contract.find('\n', known) + 1 - known);
    files.replace("  - {name: count,", "  - {name: x_map, " + map + "}\n  - {name: count,");
  }
  std::string reason(const std::string& map, int threads = 128, int width = 8) {
    say(map);
    const auto outcome =
        reject_impossible_launch(files.read(), tiny_configuration(threads), tiny_problem(3, width),
                                 device.info(), fake_compiled());
    if (!outcome) return "";
    EXPECT_EQ(outcome->status, Status::kInvalid);
    return outcome->reason;
  }

  emu::TensorMap last;
};

TEST_F(TensorMapTrialTest, TheKernelGetsTheMapOfItsBuffer) {
  const Outcome outcome = run(tiny_problem(3, 8));
  EXPECT_EQ(outcome.status, Status::kOk) << outcome.reason;
  EXPECT_EQ(last.rank, 2);
  EXPECT_EQ(last.element, TensorElement::kF32);
  EXPECT_EQ(last.sizes[0], 8u);
  EXPECT_EQ(last.sizes[1], 3u);
  EXPECT_EQ(last.strides[0], 32u);
  EXPECT_EQ(last.box[0], 128);
  EXPECT_EQ(last.box[1], 1);
}

TEST_F(TensorMapTrialTest, AMapIsEncodedOncePerBuffer) {
  const KernelSpec kernel = files.read();
  TrialRunner runner(kernel, device, options);
  for (int i = 0; i < 3; ++i) {
    const Outcome outcome =
        runner.run(tiny_configuration(), tiny_problem(3, 8), fake_compiled(), {});
    EXPECT_EQ(outcome.status, Status::kOk) << outcome.reason;
  }
  // Inputs of two seeds lie in two buffers.
  EXPECT_EQ(std::count(device.log.begin(), device.log.end(), "encode"), 2);
  EXPECT_EQ(device.tensor_map_statistics().misses, 2u);
  EXPECT_EQ(device.tensor_map_statistics().hits, 4u);
}

TEST_F(TensorMapTrialTest, WhatTheDeviceRefusesIsInvalidWithItsReason) {
  device.encode_failure = "CUDA_ERROR_INVALID_VALUE while encoding the tensor map";
  const Outcome outcome = run(tiny_problem(3, 8));
  EXPECT_EQ(outcome.status, Status::kInvalid);
  EXPECT_EQ(outcome.reason,
            "tensor map 'x_map': CUDA_ERROR_INVALID_VALUE while encoding the tensor map");
}

TEST_F(TensorMapTrialTest, ScratchThatIsOnlyPassedAsAMapHasABuffer) {
  say("tensor_map: buffer, box: [THREADS]");
  files.replace("  - {name: count,",
                "  - {name: buffer, scratch: i32, shape: [THREADS]}\n"
                "  - {name: count,");
  files.replace("arguments: [x_map,", "arguments: [x, x_map,");
  device.kernels["twice"] = [&](const FakeArguments& arguments, LaunchResult&) {
    last = map_of(arguments.launch(), 1);
    // This element is poisoned, and the kernel may write it.
    reinterpret_cast<std::int32_t*>(last.address)[127] = 1;
    for (int i = 0; i < arguments.value<int>(3); ++i)
      arguments.pointer<float>(2)[i] = 2 * arguments.pointer<const float>(0)[i];
  };
  const Outcome outcome = run(tiny_problem(3, 8));
  EXPECT_EQ(outcome.status, Status::kOk) << outcome.reason;
  EXPECT_EQ(last.element, TensorElement::kS32);
  EXPECT_EQ(last.sizes[0], 128u);
  EXPECT_EQ(std::count(device.log.begin(), device.log.end(), "allocate buffer"), 1)
      << "the inputs of both seeds share it";
}

TEST_F(TensorMapTrialTest, AViewHasItsOwnShapeStridesAndOffset) {
  const KernelSpec kernel = [&] {
    say("tensor_map: x, shape: [2, rows, V / 2], strides: [\"V / 2\", V, 1], offset: 0, box: [1, "
        "1, "
        "4], element_strides: [2, 1, 1], swizzle: 32, l2_promotion: 256, fill: nan");
    return files.read();
  }();
  const TensorMapPlan plan = plan_tensor_map(
      kernel, *kernel.find_argument("x_map"),
      trial_environment(kernel, tiny_configuration(), tiny_problem(3, 8), device.info()));
  EXPECT_EQ(plan.tensor->name, "x");
  const std::vector<TensorMapAxis> axes = {{2, 4, 1, 2}, {3, 8, 1, 1}, {4, 1, 4, 1}};
  EXPECT_EQ(plan.request.axes, axes);
  EXPECT_EQ(plan.request.swizzle, 32);
  EXPECT_EQ(plan.request.l2_promotion, 256);
  EXPECT_TRUE(plan.request.fill_nan);
}

TEST_F(TensorMapTrialTest, ABoxTooLarge) {
  EXPECT_EQ(reason("tensor_map: x, box: [1, THREADS]", 512),
            "kernel.yaml:9:43: tensor map 'x_map' of 'x': box[1] is 512, expected 1 to 256 (from "
            "'THREADS'); add a constraint such as \"THREADS <= 256\"");
}

TEST_F(TensorMapTrialTest, ABoxOverItsSwizzle) {
  EXPECT_EQ(reason("tensor_map: x, box: [1, \"THREADS / 2\"], swizzle: 128"),
            "kernel.yaml:9:44: tensor map 'x_map' of 'x': box[1] is 64 elements or 256 bytes, "
            "expected at most the 128 bytes that the swizzle spans (from 'THREADS / 2'); add a "
            "constraint such as \"(THREADS / 2) <= 32\"");
}

TEST_F(TensorMapTrialTest, ASwizzleThatDoesNotExist) {
  EXPECT_EQ(reason("tensor_map: x, box: [1, 8], swizzle: THREADS", 96),
            "kernel.yaml:9:56: tensor map 'x_map' of 'x': swizzle is 96, expected 0 (none), 32, 64 "
            "or 128 (from 'THREADS')");
}

TEST_F(TensorMapTrialTest, RowsThatAreNoMultipleOf16Bytes) {
  EXPECT_EQ(reason("tensor_map: x, box: [1, 8]", 128, 7),
            "kernel.yaml:7:38: tensor map 'x_map' of 'x': strides[0] is 7 elements or 28 bytes, "
            "expected a multiple of 16 bytes (from 'V'); add a constraint "
            "such as \"V % 4 == 0\"");
}

TEST_F(TensorMapTrialTest, AnOffsetThatBreaksTheAlignment) {
  EXPECT_EQ(reason("tensor_map: x, shape: [8], offset: rows, box: [8]"),
            "kernel.yaml:9:54: tensor map 'x_map' of 'x': the address 0xc is 12 bytes past a "
            "multiple of 16, expected a multiple (from 'rows'); add a constraint such as \"rows % "
            "4 == 0\"");
}

TEST_F(TensorMapTrialTest, AViewThatLeavesItsArray) {
  EXPECT_EQ(reason("tensor_map: x, shape: [\"rows + 1\", V], box: [1, 8]"),
            "kernel.yaml:9:5: tensor map 'x_map' of 'x': the view spans elements 0 to 31, expected "
            "them inside the 24 elements of 'x'; correct `shape`, `strides` or `offset`");
  EXPECT_EQ(
      reason("tensor_map: x, offset: -8, box: [1, 8]"),
      "kernel.yaml:9:5: tensor map 'x_map' of 'x': the view spans elements -8 to 15, expected "
      "them inside the 24 elements of 'x'; correct `shape`, `strides` or `offset`");
}

TEST_F(TensorMapTrialTest, AnOffsetTooLargeForAnAddressLeavesItsArray) {
  EXPECT_EQ(
      reason("tensor_map: x, offset: 4611686018427387904, box: [1, 8]"),
      "kernel.yaml:9:5: tensor map 'x_map' of 'x': the view spans elements 4611686018427387904 "
      "to 4611686018427387927, expected them inside the 24 elements of 'x'; correct `shape`, "
      "`strides` or `offset`");
}

TEST_F(TensorMapTrialTest, ADeviceWithoutTensorMaps) {
  device.device_info.compute_capability = 89;
  EXPECT_EQ(reason("tensor_map: x, box: [1, 8]"),
            "kernel.yaml:9:5: tensor map 'x_map' of 'x': tensor maps need compute capability 9.0, "
            "the device has 8.9; add a constraint such as \"device.compute_capability >= 90\"");
}

TEST_F(TensorMapTrialTest, ACaseThatBreaksARuleNamesIt) {
  files.replace("problem: {rows: 1, V: 4}", "problem: {rows: 2, V: 5}");
  const KernelSpec kernel = files.read();
  std::vector<TrialRunner::CompiledCase> cases;
  for (CaseJob& job : case_jobs(kernel, tiny_configuration(), device.info(), {}))
    cases.push_back({std::move(job), fake_compiled()});
  const Outcome outcome = run(tiny_problem(3, 8), cases);
  EXPECT_EQ(outcome.status, Status::kInvalid);
  EXPECT_THAT(
      outcome.reason,
      StartsWith("case 'one_row' (rows=2 V=5): kernel.yaml:7:38: tensor map 'x_map' of 'x': "
                 "strides[0] is 5 elements or 20 bytes"));
}

TEST_F(TensorMapTrialTest, TheIdentityOfALaunchHoldsItsMaps) {
  const auto identity = [&](const std::string& map) {
    say(map);
    return launch_identity(files.read(), tiny_configuration(), tiny_problem(3, 8), device.info());
  };
  const std::string plain = identity("tensor_map: x, box: [1, 8]");
  EXPECT_EQ(plain, identity("tensor_map: x, box: [1, 8], swizzle: none"));
  for (const char* other :
       {"tensor_map: y, box: [1, 8]", "tensor_map: x, box: [2, 8]",
        "tensor_map: x, box: [1, 8], swizzle: 32", "tensor_map: x, box: [1, 8], l2_promotion: 64",
        "tensor_map: x, box: [1, 8], fill: nan", "tensor_map: x, shape: [rows, 4], box: [1, 8]",
        "tensor_map: x, box: [1, 8], strides: [4, 1]",
        "tensor_map: x, box: [1, 8], element_strides: [2, 1]",
        "tensor_map: x, shape: [4], offset: 4, box: [8]"}) {
    EXPECT_NE(plain, identity(other)) << other;
  }
}

TEST_F(TensorMapTrialTest, LaunchesOnOtherBuffersHaveTheirMaps) {
  device.device_info.l2_bytes = 1024;
  device.sampler = [](const TimingRequest&, int wanted) {
    Samples samples;
    samples.elapsed_us.assign(static_cast<std::size_t>(wanted), 50.0);
    samples.sequences = static_cast<std::uint64_t>(wanted);
    return samples;
  };
  std::vector<std::pair<std::uint64_t, std::uint64_t>> rotation;  // x by its map, and y
  device.samplers[TimingMode::kHot] = [&](const TimingRequest& request, int wanted) {
    rotation.clear();
    for (const TimedSequence& timed : request.rotation) {
      const LaunchSequence& sequence = timed.launches;
      const emu::TensorMap map = map_of(sequence.front(), 0);
      rotation.emplace_back(map.address, FakeArguments(sequence.front()).value<std::uint64_t>(1));
      EXPECT_EQ(sequence.front().tensor_maps.front().request.address, map.address);
    }
    return device.sampler(request, wanted);
  };
  say("tensor_map: x, shape: [\"rows * V - 4\"], offset: 4, box: [4]");
  device.kernels["twice"] = [](const FakeArguments& arguments, LaunchResult&) {
    const auto* x = reinterpret_cast<const float*>(map_of(arguments.launch(), 0).address) - 4;
    for (int i = 0; i < arguments.value<int>(2); ++i) arguments.pointer<float>(1)[i] = 2 * x[i];
  };

  const KernelSpec kernel = files.read();
  const auto library =
      build_reference(kernel.reference.source, options.reference_include, shared_cache());
  const Reference reference(library, kernel.reference.source);
  const ReferenceStore store({});
  ProblemRequest request;
  request.problem = tiny_problem(3, 8);
  ProblemInputs inputs(kernel, device, options, reference, store, request);
  ValidatedLaunches check(kernel, device, options, tiny_configuration(), inputs,
                          device.load(fake_compiled()).module);
  const ValidationReport report = check.verify(2);
  ASSERT_EQ(report.status, Status::kOk) << report.reason;
  const HeadlineResult result = measure_headline(device, check, 100);
  EXPECT_EQ(result.status, Status::kOk) << result.reason;

  ASSERT_GT(rotation.size(), 2u);
  std::set<std::uint64_t> addresses;
  for (const auto& [x, y] : rotation) {
    addresses.insert(x);
    addresses.insert(y);
  }
  EXPECT_EQ(addresses.size(), 2 * rotation.size()) << "every set has its own x and y";
}

}  // namespace
}  // namespace warpwright::testing
