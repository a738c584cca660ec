// The kernels of tests/fixtures/broken_kernels: what is expected of them, and sweeps of them
// through the built program.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/program.h"

namespace warpwright::testing {

// The expected end of one broken variant; both are regular expressions, the status for all of it.
struct ExpectedFailure {
  std::string variant;
  std::string status;
  std::string reason;
};

// The expected failures of one fixture, on an emulated device or on a GPU. An unlisted fixture has
// none.
[[nodiscard]] std::vector<ExpectedFailure> expected_failures(const std::string& fixture, bool gpu);

// The names of the folders that hold a contract, in alphabetical order.
[[nodiscard]] std::vector<std::string> broken_fixtures();

struct FixtureTrial {
  std::string variant;
  std::string configuration;
  std::string status;
  std::string reason;
};
struct FixtureSweep {
  ProgramResult program;
  nlohmann::json json;  // null when the program printed none
  std::vector<FixtureTrial> trials;
};

// Sweeps a fixture into a database of its own.
[[nodiscard]] FixtureSweep sweep_fixture(const std::string& fixture, const std::string& device);

// Fails the running test unless exactly the expected variants failed, each for its reason, and the
// leaderboard holds all others.
void expect_rejections(const std::string& fixture, const std::string& device, bool gpu);
void expect_rejections(const std::string& fixture, const FixtureSweep& sweep, bool gpu);

}  // namespace warpwright::testing
