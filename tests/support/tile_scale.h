// The kernel of tests/fixtures/tensor_maps as trials of it, on any device: tiles that are loaded,
// and in one variant stored, by tensor map.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "compile/nvrtc.h"
#include "device/device.h"
#include "spec/kernel_spec.h"
#include "trial/tiny_kernel.h"
#include "trial/trial_runner.h"

namespace warpwright::testing {

struct TileScale {
  Device& device;
  Nvrtc& nvrtc;
  std::map<std::string, Value> problem = {{"rows", 50}, {"cols", 68}};
  KernelSpec kernel = read_kernel(std::filesystem::path(WARPWRIGHT_SOURCE_DIR) /
                                  "tests/fixtures/tensor_maps/tile_scale");

  // The configuration of a tile whose rows are one span of the swizzle, or 16 columns without one.
  static Configuration configuration(const std::string& variant, int swizzle) {
    return {
        variant,
        {{"TILE_ROWS", 24}, {"TILE_COLS", swizzle == 0 ? 16 : swizzle / 4}, {"SWIZZLE", swizzle}}};
  }

  [[nodiscard]] CompileResult compile(const Configuration& configuration) {
    return nvrtc.compile(make_compile_job(kernel, configuration, problem, device.info(), {}));
  }
  [[nodiscard]] std::vector<TrialRunner::CompiledCase> cases(const Configuration& configuration) {
    std::vector<TrialRunner::CompiledCase> compiled;
    for (CaseJob& job : case_jobs(kernel, configuration, device.info(), {})) {
      CompileResult result = nvrtc.compile(job.job);
      compiled.push_back({std::move(job), std::move(result)});
    }
    return compiled;
  }
  [[nodiscard]] Outcome run(const Configuration& configuration) {
    TrialRunner runner(kernel, device, tiny_options());
    return runner.run(configuration, problem, compile(configuration), cases(configuration));
  }
};

}  // namespace warpwright::testing
