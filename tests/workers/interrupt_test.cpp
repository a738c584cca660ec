#include "workers/interrupt.h"

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

TEST(InterruptGuard, ATerminalThatClosesIsARequest) {
  const auto before = std::signal(SIGHUP, SIG_DFL);
  {
    const InterruptGuard guard;
    raise(SIGHUP);
    EXPECT_TRUE(InterruptGuard::requested());
  }
  std::signal(SIGHUP, before);
}

TEST(InterruptGuard, UnderNohupItIsNone) {
  const auto before = std::signal(SIGHUP, SIG_IGN);
  {
    const InterruptGuard guard;
    raise(SIGHUP);
    EXPECT_FALSE(InterruptGuard::requested());
  }
  EXPECT_EQ(std::signal(SIGHUP, before), SIG_IGN) << "and stays so";
}

}  // namespace
}  // namespace warpwright
