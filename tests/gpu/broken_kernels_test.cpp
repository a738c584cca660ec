// The kernels of tests/fixtures/broken_kernels on a real GPU, through the program: hangs, lost
// devices and damaged memory included.
#include "support/broken_kernels.h"

#include <gtest/gtest.h>

#include "device/device.h"
#include "device/registry/device_registry.h"

namespace warpwright::testing {
namespace {

class BrokenKernelsOnGpu : public ::testing::TestWithParam<std::string> {};

TEST_P(BrokenKernelsOnGpu, AreRejectedForTheirReason) {
  if (const std::string reason = why_no_cuda(); !reason.empty()) GTEST_SKIP() << reason;
  expect_rejections(GetParam(), "cuda:0", /*gpu=*/true);
}

INSTANTIATE_TEST_SUITE_P(Fixtures, BrokenKernelsOnGpu, ::testing::ValuesIn(broken_fixtures()),
                         [](const auto& fixture) { return fixture.param; });

}  // namespace
}  // namespace warpwright::testing
