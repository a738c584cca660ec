// The tiny kernel's problem on a fake device with a clock, for code that times it at length: final
// rankings and headlines. The time of a launch is set per block size.
#pragma once

#include <gmock/gmock.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "trial/reference/reference.h"
#include "trial/timing/finals.h"
#include "trial/tiny_kernel.h"

namespace warpwright::testing {

class FinalsTest : public ::testing::Test {
 protected:
  static constexpr double kFloorUs = 3;

  FinalsTest() {
    device.device_info.has_clock = true;
    device.states = {clock(1980)};
    device.kernels["twice"] = correct_twice();
    device.sampler = [this](const TimingRequest& request, int wanted) {
      return samples(true_us.at(threads_of(request)) + kFloorUs, wanted);
    };
  }

  static DeviceState clock(int mhz) { return {mhz, 3201, 300, 50, {}, {}, 0}; }
  static int threads_of(const TimingRequest& request) {
    return static_cast<int>(request.rotation.front().launches.front().block[0]);
  }
  static Samples samples(double elapsed_us, int wanted, double floor_us = kFloorUs) {
    Samples taken;
    taken.protocol = "cold-graph-1";
    taken.floor_us = floor_us;
    taken.elapsed_us.assign(static_cast<std::size_t>(wanted), elapsed_us);
    return taken;
  }
  static Samples failure() {
    Samples taken;
    taken.status = Status::kLaunchFailed;
    taken.reason = "told to fail";
    taken.device_lost = true;
    return taken;
  }

  // For the kernel with the current content of `files`.
  ProblemInputs& problem_inputs() {
    if (!inputs) {
      kernel = files.read();
      const auto library =
          build_reference(kernel.reference.source, reference_include(), shared_cache());
      reference.emplace(library, kernel.reference.source);
      ProblemRequest request;
      request.problem = tiny_problem();
      request.title = "rows=3 V=7";
      inputs = std::make_unique<ProblemInputs>(kernel, device, options, *reference, store, request);
    }
    return *inputs;
  }

  Finalist finalist(int threads, int registers = 32) {
    Finalist one;
    one.configuration = tiny_configuration(threads);
    one.compiled = fake_compiled();
    KernelResources resources;
    resources.entry = "twice";
    resources.registers = registers;
    one.compiled.resources = {resources};
    one.about_us = true_us.at(threads);
    return one;
  }
  FinalsOutcome rank(const std::vector<Finalist>& finalists, const RaceOptions& race = {}) {
    ProblemInputs& problem = problem_inputs();
    return run_finals(
        kernel, device, options, [&](const Configuration&) -> ProblemInputs& { return problem; },
        finalists, race);
  }

  TinyKernel files;
  FakeDevice device;
  TrialOptions options = tiny_options();
  std::map<int, double> true_us{{64, 100}, {128, 100}, {256, 110}};  // by threads per block
  KernelSpec kernel;
  std::optional<Reference> reference;
  ReferenceStore store{{}};
  std::unique_ptr<ProblemInputs> inputs;
};

}  // namespace warpwright::testing
