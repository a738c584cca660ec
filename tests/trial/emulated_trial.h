// Compiles the tiny kernel and runs it on an emulated device. Tests are skipped without NVRTC.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <vector>

#include "compile/nvrtc.h"
#include "device/registry/device_registry.h"
#include "trial/tiny_kernel.h"

namespace warpwright::testing {

class EmulatedTrialTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::optional<Toolchain> toolchain = locate_toolchain();
    if (!toolchain) GTEST_SKIP() << "no NVRTC here";
    nvrtc = std::make_unique<Nvrtc>(*toolchain);
    device = open_device("emu:sm_90a", 1);
  }

  Outcome run(int threads = 64) {
    const KernelSpec kernel = files.read();
    const Configuration configuration = tiny_configuration(threads);
    TrialRunner runner(kernel, *device, options);
    return run_with(runner, kernel, configuration);
  }
  Outcome run_with(TrialRunner& runner, const KernelSpec& kernel,
                   const Configuration& configuration) {
    std::vector<TrialRunner::CompiledCase> cases;
    for (CaseJob& job : case_jobs(kernel, configuration, device->info(), {})) {
      CompileResult compiled = nvrtc->compile(job.job);
      cases.push_back({std::move(job), std::move(compiled)});
    }
    const CompileJob job = make_compile_job(kernel, configuration, problem, device->info(), {});
    return runner.run(configuration, problem, nvrtc->compile(job), cases);
  }

  TinyKernel files;
  TrialOptions options = tiny_options();
  std::map<std::string, Value> problem = tiny_problem(5, 77);
  std::unique_ptr<Nvrtc> nvrtc;
  std::unique_ptr<Device> device;
};

}  // namespace warpwright::testing
