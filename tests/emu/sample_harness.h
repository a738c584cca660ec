// Helpers for tests of sample kernels: inputs, shapes, and launches that are repeated with all
// checkers on, which must not have findings under any schedule.
#pragma once

#include <random>

#include "emu_harness.h"

namespace warpwright::emu {

class SampleTest : public testing::Test {
 protected:
  explicit SampleTest(const std::string& fixture) : harness_(Harness::fixture(fixture)) {}

  // Multiples of 1/256 in [-4, 4].
  std::vector<float> floats(std::size_t count) {
    std::vector<float> values(count);
    for (float& v : values)
      v = static_cast<float>(static_cast<int>(random_() % 2049) - 1024) / 256.0f;
    return values;
  }
  std::vector<int> integers(std::size_t count, int limit = 10000) {
    std::vector<int> values(count);
    for (int& v : values)
      v = static_cast<int>(random_() % (2 * static_cast<unsigned>(limit) + 1)) - limit;
    return values;
  }
  void shape(const std::string& entry, std::array<std::uint32_t, 3> grid,
             std::array<std::uint32_t, 3> block, std::uint32_t shared = 0) {
    harness_.launch.entry = entry;
    harness_.launch.grid = grid;
    harness_.launch.block = block;
    harness_.launch.dynamic_shared_bytes = shared;
  }
  // `check` tests the results of each run; `prepare` resets the buffers that runs change.
  template <class Prepare, class Check, class... Arguments>
  void under_schedules(Prepare prepare, Check check, Arguments... arguments) {
    harness_.options.check = true;
    for (std::uint64_t seed = 1; seed <= 20 && !testing::Test::HasFailure(); ++seed) {
      SCOPED_TRACE("schedule " + std::to_string(seed));
      harness_.options.seed = seed;
      prepare();
      const LaunchReport report = harness_.run(arguments...);
      ASSERT_FALSE(report.fault.has_value()) << report.fault->message;
      for (const Finding& hazard : report.hazards) ADD_FAILURE() << describe(hazard);
      check();
    }
  }
  template <class Check, class... Arguments>
  void under_schedules_from_scratch(Check check, Arguments... arguments) {
    under_schedules([] {}, check, arguments...);
  }

  Harness harness_;
  std::mt19937 random_{11};
};

}  // namespace warpwright::emu
