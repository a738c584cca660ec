// kernels/common: roles.cuh.
#include "header_harness.h"

namespace warpwright::emu {
namespace {

class RolesHeader : public HeaderTest {
 protected:
  static constexpr int kRounds = 5;

  void SetUp() override {
    HeaderTest::SetUp();
    if (!IsSkipped()) compile("roles.cu");
  }
};

TEST_F(RolesHeader, WarpsAreNumbered) {
  const auto out = harness_->zeros<int>(160);
  std::vector<int> expected;
  for (int i = 0; i < 160; ++i) expected.push_back(i / 32);
  shape("warps", 160);
  works([&] { EXPECT_EQ(harness_->download(out), expected); }, out);
}

TEST_F(RolesHeader, GroupsTakeTurnsByNamedBarriers) {
  const auto out = harness_->zeros<int>(2 * kRounds);
  const std::vector<int> expected{0, 1, 0, 1, 0, 1, 0, 1, 0, 1};
  shape("turns_right", 128);
  works([&] { EXPECT_EQ(harness_->download(out), expected); }, out, kRounds);
}

TEST_F(RolesHeader, ArrivingDoesNotWait) {
  const auto out = harness_->zeros<int>(128);
  std::vector<int> expected;
  for (int i = 0; i < 128; ++i) expected.push_back(10 * (i ^ 64));
  shape("swap_halves", 128);
  works([&] { EXPECT_EQ(harness_->download(out), expected); }, out);
}

TEST_F(RolesHeader, NamedBarriersThatAreMisusedAreFound) {
  const auto out = harness_->zeros<int>(2 * kRounds);
  const auto turns_fail = [&](const char* entry, const std::set<std::string>& kinds) {
    shape(entry, 128);
    fails(kinds, out, kRounds);
  };
  turns_fail("turns_no_turn", {"shared race"});
  turns_fail("turns_early_pass", {"shared race"});
  turns_fail("turns_one_too_many", {"deadlock"});
}

TEST_F(RolesHeader, ConsumersGetTheRegistersThatAProducerGaveUp) {
  const auto out = harness_->zeros<int>(256);
  std::vector<int> expected;
  for (int i = 0; i < 256; ++i) expected.push_back(i + 128);
  shape("registers_right", 384);
  works([&] { EXPECT_EQ(harness_->download(out), expected); }, out);
}

TEST_F(RolesHeader, MoreRegistersThanThereAreAreFound) {
  const auto out = harness_->zeros<int>(256);
  shape("registers_too_many", 384);
  fails({"register budget", "deadlock"}, out);
}

}  // namespace
}  // namespace warpwright::emu
