#include "run/interrupt.h"

#include <gtest/gtest.h>

#include <csignal>

namespace warpwright {
namespace {

TEST(InterruptGuard, TheFirstSignalIsARequest) {
  const InterruptGuard guard;
  EXPECT_FALSE(InterruptGuard::requested());
  raise(SIGINT);
  EXPECT_TRUE(InterruptGuard::requested());
}

TEST(InterruptGuard, TheSecondSignalEndsTheProgramWithTheShellsCode) {
  EXPECT_EXIT(
      {
        const InterruptGuard guard;
        raise(SIGTERM);
        raise(SIGTERM);
      },
      ::testing::ExitedWithCode(130), "");
}

TEST(InterruptGuard, ANewGuardStartsAfresh) {
  {
    const InterruptGuard guard;
    raise(SIGINT);
  }
  const InterruptGuard guard;
  EXPECT_FALSE(InterruptGuard::requested());
}

}  // namespace
}  // namespace warpwright
