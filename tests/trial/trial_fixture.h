// Trials of the tiny kernel on a fake device, for the tests of TrialRunner.
#pragma once

#include <gmock/gmock.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/error.h"
#include "trial/tiny_kernel.h"

namespace warpwright::testing {

class TrialRunnerTest : public ::testing::Test {
 protected:
  TrialRunnerTest() { device.kernels["twice"] = correct_twice(); }

  Outcome run() { return run(tiny_problem()); }
  Outcome run(const std::map<std::string, Value>& problem,
              const std::vector<TrialRunner::CompiledCase>& cases = {}) {
    TrialRunner runner(files.read(), device, options);
    return runner.run(tiny_configuration(), problem, fake_compiled(), cases);
  }
  // A correct kernel that then does one more thing.
  void then(std::function<void(const FakeArguments&)> harm) {
    device.kernels["twice"] = [harm = std::move(harm)](const FakeArguments& arguments,
                                                       LaunchResult&) {
      twice(arguments);
      harm(arguments);
    };
  }

  TinyKernel files;
  FakeDevice device;
  TrialOptions options = tiny_options();
  int launches = 0;
};

}  // namespace warpwright::testing
